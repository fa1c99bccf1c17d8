/* The gnubg bot as the referee sees it: a process with options, decisions and an end.
 *
 * Oracles: the answers of an undisturbed 0-ply gnubg to the same decisions, and legality. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include <bgref/notation.h>

#include "support/bot_host.h"
#include "support/suite.h"

#define BOT TEST_BIN "/bots/bgref-gnubg"

enum { BATCH = 64, ROW = 65536 };

/* Positions of the move vectors as decisions to play, each in its own game. */
static void decisions(struct bg_ask *asks, size_t count, int step)
{
    FILE *file = fopen(TEST_DATA "/backgammon-moves.tsv", "r");
    static char row[4 * ROW];
    size_t found = 0;
    int number = 0;

    ck_assert_ptr_nonnull(file);
    while (found < count && fgets(row, sizeof row, file) != NULL) {
        char position[16];
        int d1, d2, results;

        if (row[0] == '#' || number++ % step != 0 ||
            sscanf(row, "%15s %d %d %d", position, &d1, &d2, &results) != 4 || results == 0) {
            continue;
        }
        struct bg_ask *ask = &asks[found];
        struct bg_roll roll = {{(uint8_t)(d1 > d2 ? d1 : d2), (uint8_t)(d1 > d2 ? d2 : d1), 0}};

        *ask = (struct bg_ask){.kind = BG_DECIDE_PLAY, .cube_owner = BG_CENTRED};
        ask->rules = bg_rules_default(bg_variant_find("backgammon"), 3);
        ask->ceiling_ns = 60000000000;
        snprintf(ask->game, sizeof ask->game, "a|b|%zu|0|0", found);
        ck_assert_int_eq(bg_position_id_read(&ask->board, position, 0, NULL), BG_OK);
        ask->stage = bg_stage_of_roll(ask->rules.variant, roll);
        found++;
    }
    ck_assert_uint_eq(found, count);
    fclose(file);
}

static struct bot_host *start(const char *const *options)
{
    int status = 0;
    struct bot_host *host = bot_host_start(BOT, options, &status);

    ck_assert_msg(host != NULL, "the bot ended with wait status %x", (unsigned)status);
    return host;
}

static void ask_all(struct bot_host *host, struct bg_answer *answers, const struct bg_ask *asks,
                    size_t count)
{
    int status = 0;

    ck_assert_msg(bot_host_ask(host, answers, asks, count, &status),
                  "the bot ended with wait status %x", (unsigned)status);
}

/* Moves beyond play.moves are undefined. */
static bool same(const struct bg_answer *a, const struct bg_answer *b)
{
    return a->kind == b->kind && a->play.moves == b->play.moves &&
           memcmp(a->play.move, b->play.move, a->play.moves * sizeof *a->play.move) == 0;
}

static void assert_end(struct bot_host *host)
{
    int status = bot_host_end(host);

    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "wait status %x",
                  (unsigned)status);
}

TEST(plays_a_batch)
{
    static struct bg_ask asks[BATCH];
    static struct bg_answer answers[BATCH], single;
    struct bot_host *host = start(NULL);

    decisions(asks, BATCH, 70);
    ask_all(host, answers, asks, BATCH);
    for (int i = 0; i < BATCH; i++) {
        struct bg_board result;

        ck_assert_int_eq(answers[i].kind, BG_ANSWER_MOVES);
        ck_assert_int_eq(bg_play_check(&result, asks[i].rules.variant, &asks[i].board, 0,
                                       &asks[i].stage, &answers[i].play),
                         BG_RULE_NONE);
    }
    /* One at a time, in another order: the same answers. */
    for (int i = BATCH - 1; i >= 0; i -= 7) {
        ask_all(host, &single, &asks[i], 1);
        ck_assert(same(&single, &answers[i]));
    }
    assert_end(host);
}

TEST(offers_its_options)
{
    struct bot_host *host = start(NULL);
    const struct wire_hello *hello = bot_host_hello(host);

    ck_assert_str_eq(hello->name, "gnubg");
    ck_assert_uint_eq(hello->option_count, 5);
    ck_assert_str_eq(hello->options[0].name, "Plies");
    ck_assert_uint_gt(hello->max_in_flight, 1);
    ck_assert(!hello->stateful);
    assert_end(host);
}

/* Other rules, which need another gnubg, change nothing for later questions. */
TEST(rules_may_change)
{
    static struct bg_ask asks[BATCH];
    static struct bg_answer alone[BATCH], mixed[BATCH];
    struct bot_host *host = start(NULL);

    decisions(asks, 4, 700);
    ask_all(host, alone, asks, 4);
    asks[1].rules = asks[2].rules = bg_rules_default(asks[0].rules.variant, 0);
    asks[1].rules.beavers = true;
    asks[2].rules.cube = false;
    ask_all(host, mixed, asks, 4);
    ck_assert(same(&alone[0], &mixed[0]));
    ck_assert(same(&alone[3], &mixed[3]));
    assert_end(host);
}

/* A program that writes down its process number and becomes gnubg, unless a file makes it fail. */
struct fake {
    char folder[64], program[96], stop[96], pid[96];
};

static void fake_begin(struct fake *fake)
{
    FILE *file;

    snprintf(fake->folder, sizeof fake->folder, "/tmp/bgref-fake-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(fake->folder));
    snprintf(fake->program, sizeof fake->program, "%s/gnubg", fake->folder);
    snprintf(fake->stop, sizeof fake->stop, "%s/stop", fake->folder);
    snprintf(fake->pid, sizeof fake->pid, "%s/pid", fake->folder);
    file = fopen(fake->program, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
            "#!/bin/sh\n[ ! -e %s ] || exit 9\necho $$ > %s\n"
            "PATH=$PATH:/usr/games exec gnubg \"$@\"\n",
            fake->stop, fake->pid);
    ck_assert_int_eq(fchmod(fileno(file), 0700), 0);
    fclose(file);
}

/* From now on gnubg does not start. */
static void fake_stop(const struct fake *fake)
{
    FILE *file = fopen(fake->stop, "w");

    ck_assert_ptr_nonnull(file);
    fclose(file);
}

static void fake_end(struct fake *fake)
{
    unlink(fake->program);
    unlink(fake->stop);
    unlink(fake->pid);
    ck_assert_int_eq(rmdir(fake->folder), 0);
}

static pid_t fake_pid(const struct fake *fake)
{
    FILE *file = fopen(fake->pid, "r");
    int pid = 0;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%d", &pid), 1);
    fclose(file);
    return pid;
}

TEST(survives_one_death)
{
    static struct bg_ask asks[BATCH];
    static struct bg_answer before[BATCH], after[BATCH];
    struct fake fake;
    char option[128];
    const char *options[] = {option, "Noise=0.1", NULL};
    struct bot_host *host;

    fake_begin(&fake);
    snprintf(option, sizeof option, "Program=%s", fake.program);
    host = start(options);
    decisions(asks, BATCH, 70);
    ask_all(host, before, asks, BATCH);
    ck_assert_int_eq(kill(fake_pid(&fake), SIGKILL), 0);
    ask_all(host, after, asks, BATCH);
    for (int i = 0; i < BATCH; i++) {
        ck_assert_msg(same(&before[i], &after[i]), "answer %d changed", i);
    }
    assert_end(host);
    fake_end(&fake);
}

/* CPU ticks that a process has used, -1 if it is gone. */
static long ticks_of(pid_t pid)
{
    char path[32], text[512];
    unsigned long user, kernel;
    size_t size;
    FILE *file;
    const char *rest;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    size = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    if (file != NULL) {
        fclose(file);
    }
    text[size] = '\0';
    rest = strrchr(text, ')');
    return rest != NULL && sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                                  &user, &kernel) == 2
               ? (long)(user + kernel)
               : -1;
}

/* Ends gnubg from a process of its own as soon as it has worked for some ticks. */
static pid_t killer_start(pid_t gnubg)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const long begun = ticks_of(gnubg);
    const pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    for (int i = 0; pid == 0; i++) {
        const long ticks = ticks_of(gnubg);

        if (ticks < 0 || i == 60000) {
            _exit(1);
        }
        if (ticks >= begun + 3) {
            _exit(kill(gnubg, SIGKILL) == 0 ? 0 : 1);
        }
        nanosleep(&pause, NULL);
    }
    return pid;
}

/* gnubg dies while many questions wait there: the next gnubg answers those that are open, and each
 * decision gets one answer, the same as before. */
TEST(asks_open_questions_again)
{
    static struct bg_ask asks[BATCH];
    static struct bg_answer before[BATCH], after[BATCH];
    struct fake fake;
    char option[128];
    const char *options[] = {option, "Plies=1", NULL};
    struct bot_host *host;
    pid_t killer;
    int status;

    fake_begin(&fake);
    snprintf(option, sizeof option, "Program=%s", fake.program);
    host = start(options);
    decisions(asks, BATCH, 70);
    ask_all(host, before, asks, BATCH);
    killer = killer_start(fake_pid(&fake));
    ask_all(host, after, asks, BATCH);
    ck_assert_int_eq(waitpid(killer, &status, 0), killer);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "gnubg was not ended");
    for (int i = 0; i < BATCH; i++) {
        ck_assert_msg(same(&before[i], &after[i]), "answer %d changed", i);
    }
    assert_end(host);
    fake_end(&fake);
}

TEST(gives_up_when_gnubg_stays_away)
{
    static struct bg_ask ask;
    struct bg_answer answer;
    struct fake fake;
    char option[128];
    const char *options[] = {option, NULL};
    struct bot_host *host;
    int status = 0;

    fake_begin(&fake);
    snprintf(option, sizeof option, "Program=%s", fake.program);
    host = start(options);
    decisions(&ask, 1, 1);
    fake_stop(&fake);
    ck_assert_int_eq(kill(fake_pid(&fake), SIGKILL), 0);
    ck_assert(!bot_host_ask(host, &answer, &ask, 1, &status));
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "wait status %x",
                  (unsigned)status);
    bot_host_end(host);
    fake_end(&fake);
}

static const char *const refused[] = {"Plies=4",
                                      "Plies=x",
                                      "Plies=1.5",
                                      "CubePlies=-2",
                                      "Noise=-0.1",
                                      "Noise=no",
                                      "Program=/nonexistent/gnubg"};

TEST_ROWS(refuses_options, refused)
{
    const char *options[] = {refused[_i], NULL};
    int status = 0;

    ck_assert_msg(bot_host_start(BOT, options, &status) == NULL, "%s was taken", refused[_i]);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%s: wait status %x", refused[_i],
                  (unsigned)status);
}

TEST(refuses_long_matches)
{
    static struct bg_ask ask;
    struct bg_answer answer;
    struct bot_host *host = start(NULL);
    int status = 0;

    decisions(&ask, 1, 1);
    ask.rules = bg_rules_default(ask.rules.variant, 65);
    ck_assert(!bot_host_ask(host, &answer, &ask, 1, &status));
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "wait status %x",
                  (unsigned)status);
    bot_host_end(host);
}
