/* The judge gnubg: unmodified gnubg processes, each analysing one exported game after another.
 *
 * Why it exists beside the bot gnubg, which values positions (judge_bot.c): both agree about luck,
 * plays and takes to the last digit that gnubg prints, but gnubg's external protocol, which the bot
 * uses, gives one equity of a position in which a side may double: that of the better choice. The
 * equity without a double, and so the cost of a missed one, is only in gnubg's analysis of a game.
 * With a cube the analysis is also three times cheaper.
 */
#define _GNU_SOURCE
#include "judge_kinds.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/memory.h>

#include "format/sgf.h"
#include "gnubg_game.h"
#include "gnubg_process.h"

enum {
    JOBS_MAX = 256,
    PLIES_MAX = 2,
    ATTEMPTS = 2, /* a game fails if gnubg dies on it twice */
    DEATHS_MAX = 3,
    FILE_MAX = 64 << 20
};

#define SECOND_NS   INT64_C(1000000000)
#define WATCH_NS    (5 * SECOND_NS)
#define STILL_NS    (120 * SECOND_NS) /* longest time without progress, even on a busy machine */
#define CPU_NS      (60 * SECOND_NS)  /* for a game at 0-ply, which takes 0.05 s */
#define PLY_TIMES   30 /* a further ply costs at most this many times the ply before */
#define OUTPUT_NAME "out.sgf"
#define INPUT_NAME  "in.sgf"

enum state {
    SLOT_DOWN,     /* no process; it will be started again soon */
    SLOT_STARTING, /* the process reads its settings */
    SLOT_IDLE,
    SLOT_BUSY,
    SLOT_REFUSED /* its game cannot be judged; the loop will report it */
};

struct gnubg_judge;

/* One process and its game. */
struct judge_gnubg_slot {
    struct gnubg_judge *judge;
    enum state state;
    struct worker *worker;
    struct judgement *judgement; /* of the present game; NULL none */
    struct actions actions;
    struct record sgf;
    int leg, attempt;
    struct bg_error refusal;
    int64_t begun_cpu_ns;         /* at the last worker_tell */
    int64_t seen_cpu_ns, seen_ns; /* the last progress, and its time */
};

struct gnubg_judge {
    struct judge base;
    struct judge_setup setup;
    char program[WORKER_PATH];
    int plies;
    char name[96]; /* "" before ready */
    struct gnubg_met met;
    struct judge_gnubg_slot *slots; /* owned; setup.jobs of them */
    int deaths;                     /* since the last judged game */
    int64_t past_cpu_ns;            /* of ended processes */
    bool is_broken;
    struct bg_error breakdown; /* reported from the loop */
};

static struct gnubg_judge *self(struct judge *judge)
{
    return (struct gnubg_judge *)judge;
}

static const struct gnubg_judge *self_const(const struct judge *judge)
{
    return (const struct gnubg_judge *)judge;
}

/* --- the slot -------------------------------------------------------------------------------- */

static void clear_game(struct judge_gnubg_slot *slot)
{
    judgement_destroy(slot->judgement);
    slot->judgement = NULL;
    actions_deinit(&slot->actions);
    slot->sgf.size = 0;
    slot->attempt = 0;
}

static void end_worker(struct judge_gnubg_slot *slot)
{
    if (slot->worker != NULL) {
        slot->judge->past_cpu_ns += worker_cpu_ns(slot->worker);
        worker_destroy(slot->worker);
        slot->worker = NULL;
    }
    slot->state = SLOT_DOWN;
}

static void on_breakdown(void *user, int64_t now_ns)
{
    struct gnubg_judge *judge = user;
    struct bg_error err = judge->breakdown;

    (void)now_ns;
    judge->setup.listener->broken(judge->setup.user, &err);
}

static void break_down(struct gnubg_judge *judge, const struct bg_error *err)
{
    if (!judge->is_broken) {
        judge->is_broken = true;
        judge->breakdown = *err;
        /* Ignored: without memory for this nothing else works either. */
        loop_after(judge->setup.loop, 0, on_breakdown, judge);
    }
}

/* Reports the game's failure and removes it from the slot. The slot is idle or down before. */
static void fail_game(struct judge_gnubg_slot *slot, const struct bg_error *err)
{
    struct judgement *judgement = slot->judgement;

    slot->judgement = NULL;
    clear_game(slot);
    slot->judge->setup.listener->failed(slot->judge->setup.user, judgement->game_id, err);
    judgement_destroy(judgement);
}

/* --- a game in, a game out ------------------------------------------------------------------- */

/* gnubg may put links and pipes into its folder: do not follow them or wait for them. */
static FILE *open_file(const char *path, int flags, const char *mode)
{
    int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    struct stat about;
    FILE *file = NULL;

    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
        file = fdopen(fd, mode);
    }
    if (file == NULL && fd >= 0) {
        close(fd);
    }
    return file;
}

static bool write_file(const struct judge_gnubg_slot *slot)
{
    char path[WORKER_PATH + 16];
    FILE *file;
    bool written;

    snprintf(path, sizeof path, "%s/" OUTPUT_NAME, worker_folder(slot->worker));
    unlink(path); /* so that a file found after the analysis belongs to this game */
    snprintf(path, sizeof path, "%s/" INPUT_NAME, worker_folder(slot->worker));
    unlink(path);
    file = open_file(path, O_WRONLY | O_CREAT | O_EXCL, "w");
    if (file == NULL) {
        return false;
    }
    written = fwrite(slot->sgf.text, 1, slot->sgf.size, file) == slot->sgf.size;
    return fclose(file) == 0 && written;
}

/* Returns the whole file with a terminator, owned by the caller; NULL if there is none. */
static char *read_file(const struct judge_gnubg_slot *slot)
{
    char path[WORKER_PATH + 16];
    char *text = NULL;
    size_t size = 0, room = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/" OUTPUT_NAME, worker_folder(slot->worker));
    file = open_file(path, O_RDONLY, "r");
    if (file == NULL) {
        return NULL;
    }
    while (!feof(file) && !ferror(file) && size < FILE_MAX) {
        text = memory_list(text, &room, size + 65536 + 1, 1);
        size += fread(text + size, 1, 65536, file);
        text[size] = '\0';
    }
    fclose(file);
    return text;
}

static void watch(struct judge_gnubg_slot *slot);

static enum bg_status tell(struct judge_gnubg_slot *slot, const char *commands,
                           struct bg_error *err)
{
    slot->begun_cpu_ns = slot->seen_cpu_ns = worker_cpu_ns(slot->worker);
    slot->seen_ns = loop_now(slot->judge->setup.loop);
    watch(slot);
    return worker_tell(slot->worker, commands, err);
}

static void begin_analysis(struct judge_gnubg_slot *slot)
{
    const struct bg_rules *rules = &slot->actions.start.rules;
    const char *cubeful = rules->cube ? "on" : "off";
    char commands[512];

    slot->state = SLOT_BUSY;
    slot->attempt++;
    /* .sgf does not record whether beavers are allowed, and they change a double's value. Without a
     * cube gnubg's analysis would still value positions as if there were one. */
    snprintf(commands, sizeof commands,
             "set beavers %d\nset analysis luckanalysis cubeful %s\n"
             "set analysis chequerplay evaluation cubeful %s\n"
             "set analysis cubedecision evaluation cubeful %s\n"
             "load match \"" INPUT_NAME "\"\nanalyse match\nsave match \"" OUTPUT_NAME "\"\n",
             rules->length_points == 0 && rules->beavers ? 3 : 0, cubeful, cubeful, cubeful);
    if (!write_file(slot)) {
        struct bg_error err;

        bg_error_set(&err, BG_E_SYSTEM, "judge: write a game to %s: failed; is the disk full?",
                     worker_folder(slot->worker));
        break_down(slot->judge, &err);
        return;
    }
    /* Ignored: a full pipe means that the process is gone, and the end of its output reports
     * that. */
    (void)tell(slot, commands, NULL);
}

static enum bg_status judge_output(struct judge_gnubg_slot *slot, const char *said,
                                   struct bg_error *err)
{
    struct analysed analysed = {0};
    char *text = read_file(slot);
    enum bg_status status;

    if (text == NULL) {
        const char *line = strstr(said, "rror");

        return bg_error_set(err, BG_E_MISMATCH, "gnubg did not analyse it%s%.*s",
                            line == NULL ? "" : ": e", line == NULL ? 0 : (int)strcspn(line, "\n"),
                            line == NULL ? "" : line);
    }
    status = analysed_read(&analysed, text, err);
    if (status == BG_OK) {
        status = gnubg_game_judge(slot->judgement, &analysed, &slot->actions, slot->leg,
                                  slot->judge->base.errors, &slot->judge->met, err);
    }
    analysed_deinit(&analysed);
    free(text);
    return status;
}

static void end_game(struct judge_gnubg_slot *slot, const char *said)
{
    struct gnubg_judge *judge = slot->judge;
    struct judgement *judgement = slot->judgement;
    struct bg_error err = {0};

    judgement->cpu_ns = worker_cpu_ns(slot->worker) - slot->begun_cpu_ns;
    judgement->judge = memory_text(judge->name);
    slot->state = SLOT_IDLE;
    judge->deaths = 0;
    if (judge_output(slot, said, &err) != BG_OK) {
        fail_game(slot, &err);
        return;
    }
    slot->judgement = NULL;
    clear_game(slot);
    judge->setup.listener->judged(judge->setup.user, judgement);
}

/* --- starting -------------------------------------------------------------------------------- */

static void start_worker(struct judge_gnubg_slot *slot);

/* Sends the settings that all games share; the last command prints the match equity table. */
static void send_settings(struct judge_gnubg_slot *slot)
{
    const struct gnubg_judge *judge = slot->judge;
    const char *errors = judge->base.errors ? "on" : "off";
    char commands[1024];

    snprintf(commands, sizeof commands,
             /* gnubg's cache confuses money games with 1-away matches. */
             "set cache 0\nset threads 1\nset confirm new off\nset confirm save off\n"
             "set automatic game off\nset jacoby off\nset display off\n"
             "set analysis moves %s\nset analysis cube %s\nset analysis luck on\n"
             "set analysis luckanalysis plies %d\n"
             "set analysis chequerplay evaluation plies %d\n"
             "set analysis cubedecision evaluation plies %d\n"
             "show matchequitytable\n",
             errors, errors, judge->plies, judge->plies, judge->plies);
    slot->state = SLOT_STARTING;
    (void)tell(slot, commands, NULL); /* as in begin_analysis */
}

/* Reads the version in "GNU Backgammon 1.07.001 20230103". */
static bool read_version(char *out, size_t size, const char *said)
{
    static const char title[] = "GNU Backgammon ";
    const char *at = strstr(said, title);
    size_t length;

    if (at == NULL) {
        return false;
    }
    at += sizeof title - 1;
    at += strspn(at, " ");
    length = strspn(at, "0123456789.abcdefghijklmnopqrstuvwxyz-");
    snprintf(out, size, "%.*s", (int)length, at);
    return length > 0 && length < size;
}

static void end_start(struct judge_gnubg_slot *slot, const char *said)
{
    struct gnubg_judge *judge = slot->judge;
    struct bg_error err;
    char version[32];

    if (!read_version(version, sizeof version, said)) {
        bg_error_set(&err, BG_E_START, "judge: %s does not print that it is GNU Backgammon",
                     judge->program);
        break_down(judge, &err);
        return;
    }
    if (gnubg_met_read(&judge->met, said, &err) != BG_OK) {
        break_down(judge, &err);
        return;
    }
    snprintf(judge->name, sizeof judge->name, "gnubg %s plies=%d", version, judge->plies);
    if (slot->judgement != NULL) {
        begin_analysis(slot);
    } else {
        slot->state = SLOT_IDLE;
        judge->setup.listener->ready(judge->setup.user);
    }
}

/* --- what happens to a process --------------------------------------------------------------- */

static void on_done(void *user, struct worker *worker, const char *said)
{
    struct judge_gnubg_slot *slot = user;

    (void)worker;
    loop_forget(slot->judge->setup.loop, slot);
    if (slot->judge->is_broken) {
        return;
    }
    if (slot->state == SLOT_STARTING) {
        end_start(slot, said);
    } else if (slot->state == SLOT_BUSY) {
        end_game(slot, said);
    }
}

/* The process is gone or must be ended: starts another one, which gets its game. */
static void replace(struct judge_gnubg_slot *slot, const char *why)
{
    struct gnubg_judge *judge = slot->judge;
    bool was_starting = slot->state == SLOT_STARTING;
    struct bg_error err;

    end_worker(slot);
    if (judge->is_broken) {
        return;
    }
    bg_error_set(&err, BG_E_START, "judge %s: gnubg %s: %.180s", judge->program,
                 was_starting ? "does not start" : "died again and again", why);
    /* Before one of them was ready it is the program or the machine, and the next would fail
     * alike; afterwards it may be a game. */
    if (++judge->deaths >= DEATHS_MAX * judge->setup.jobs ||
        (was_starting && judge->name[0] == '\0')) {
        break_down(judge, &err);
        return;
    }
    if (slot->judgement != NULL && slot->attempt >= ATTEMPTS) {
        bg_error_set(&err, BG_E_CLOSED, "gnubg: %.200s", why);
        fail_game(slot, &err);
    }
    start_worker(slot);
}

static void on_replace(void *user, int64_t now_ns)
{
    struct judge_gnubg_slot *slot = user;

    (void)now_ns;
    replace(slot, slot->refusal.text);
}

static void on_worker_gone(void *user, struct worker *worker, const char *why)
{
    struct judge_gnubg_slot *slot = user;
    struct loop *loop = slot->judge->setup.loop;

    (void)worker;
    loop_forget(loop, slot);
    bg_error_set(&slot->refusal, BG_E_CLOSED, "%s", why);
    /* not from here, because the worker is inside its own call */
    loop_after(loop, 0, on_replace, slot);
}

static const struct worker_listener worker_listener = {on_done, on_worker_gone};

static int64_t cpu_limit_ns(const struct gnubg_judge *judge)
{
    int64_t limit_ns = CPU_NS;

    for (int i = 0; i < judge->plies; i++) {
        limit_ns *= PLY_TIMES;
    }
    return limit_ns;
}

/* A process that gets no processor time may go on; one that uses none, or too much, is replaced. */
static void on_watch(void *user, int64_t now_ns)
{
    struct judge_gnubg_slot *slot = user;
    int64_t cpu_ns = worker_cpu_ns(slot->worker);

    if (cpu_ns > slot->seen_cpu_ns) {
        slot->seen_cpu_ns = cpu_ns;
        slot->seen_ns = now_ns;
    }
    if (cpu_ns - slot->begun_cpu_ns > cpu_limit_ns(slot->judge) ||
        now_ns - slot->seen_ns > STILL_NS) {
        replace(slot, "it did not finish the game in time");
    } else {
        watch(slot);
    }
}

static void watch(struct judge_gnubg_slot *slot)
{
    loop_after(slot->judge->setup.loop, WATCH_NS, on_watch, slot);
}

static void start_worker(struct judge_gnubg_slot *slot)
{
    struct gnubg_judge *judge = slot->judge;
    const struct worker_setup setup = {.loop = judge->setup.loop,
                                       .program = judge->program,
                                       .nice = judge->setup.nice,
                                       .confined = judge->setup.confined,
                                       .hidden = judge->setup.hidden,
                                       .listener = &worker_listener,
                                       .user = slot};
    struct bg_error err;

    if (worker_start(&slot->worker, &setup, &err) != BG_OK) {
        break_down(judge, &err);
        return;
    }
    send_settings(slot);
}

/* --- the contract ---------------------------------------------------------------------------- */

static const char *name(const struct judge *judge)
{
    return self_const(judge)->name[0] == '\0' ? NULL : self_const(judge)->name;
}

static int count(const struct gnubg_judge *judge, bool with_game)
{
    int slots = 0;

    for (int i = 0; i < judge->setup.jobs; i++) {
        const struct judge_gnubg_slot *slot = &judge->slots[i];

        slots += with_game ? slot->judgement != NULL : slot->state == SLOT_IDLE;
    }
    return slots;
}

static int room(const struct judge *judge)
{
    return self_const(judge)->is_broken ? 0 : count(self_const(judge), false);
}

static int busy(const struct judge *judge)
{
    return count(self_const(judge), true);
}

static void on_refused(void *user, int64_t now_ns)
{
    struct judge_gnubg_slot *slot = user;
    struct bg_error err = slot->refusal;

    (void)now_ns;
    slot->state = SLOT_IDLE;
    fail_game(slot, &err);
}

/* Prepares the game's file for gnubg, and the actions to compare its answer with. */
static enum bg_status prepare_game(struct judge_gnubg_slot *slot, const struct store_game *game,
                                   struct bg_error *err)
{
    struct record_view *view = NULL;
    enum bg_status status = record_read(&view, game->text, game->text_size, err);

    slot->sgf.size = 0;
    if (status == BG_OK) {
        status = actions_read(&slot->actions, view, err);
    }
    if (status == BG_OK) {
        status = sgf_write_game(&slot->sgf, view, true, err);
    }
    record_view_destroy(view);
    return status;
}

static void submit(struct judge *base, const struct store_game *game)
{
    struct gnubg_judge *judge = self(base);
    struct judge_gnubg_slot *slot = judge->slots;

    while (slot->state != SLOT_IDLE) {
        slot++;
    }
    slot->judgement = memory_zeroed(1, sizeof *slot->judgement);
    slot->judgement->game_id = memory_text(game->id);
    slot->judgement->hash = memory_text(game->hash);
    slot->leg = game->leg;
    if (prepare_game(slot, game, &slot->refusal) == BG_OK) {
        begin_analysis(slot);
        return;
    }
    slot->state = SLOT_REFUSED;
    loop_after(judge->setup.loop, 0, on_refused, slot);
}

static int64_t cpu_ns(const struct judge *base)
{
    const struct gnubg_judge *judge = self_const(base);
    int64_t sum_ns = judge->past_cpu_ns;

    for (int i = 0; i < judge->setup.jobs; i++) {
        sum_ns += judge->slots[i].worker == NULL ? 0 : worker_cpu_ns(judge->slots[i].worker);
    }
    return sum_ns;
}

static void destroy(struct judge *base)
{
    struct gnubg_judge *judge = self(base);

    for (int i = 0; judge->slots != NULL && i < judge->setup.jobs; i++) {
        struct judge_gnubg_slot *slot = &judge->slots[i];

        loop_forget(judge->setup.loop, judge);
        loop_forget(judge->setup.loop, slot);
        worker_destroy(slot->worker);
        clear_game(slot);
        record_deinit(&slot->sgf);
    }
    free(judge->slots);
    free(judge);
}

static const struct judge_ops gnubg_ops = {.destroy = destroy,
                                           .name = name,
                                           .room = room,
                                           .busy = busy,
                                           .submit = submit,
                                           .cpu_ns = cpu_ns};

/* --- opening --------------------------------------------------------------------------------- */

static enum bg_status read_words(struct gnubg_judge *judge, const char *words, struct bg_error *err)
{
    char key[JUDGE_WORD], value[JUDGE_WORD];

    snprintf(judge->program, sizeof judge->program, "gnubg");
    while (judge_word(key, value, &words)) {
        if (strcmp(key, "plies") == 0 && value[0] >= '0' && value[0] <= '0' + PLIES_MAX &&
            value[1] == '\0') {
            judge->plies = value[0] - '0';
        } else if (strcmp(key, "plies") == 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "judge gnubg: plies=%.100s: expected 0 to %d",
                                value, PLIES_MAX);
        } else if (strcmp(key, "errors") == 0 && value[0] == '\0') {
            judge->base.errors = true;
        } else if (strcmp(key, "program") == 0 && value[0] != '\0') {
            snprintf(judge->program, sizeof judge->program, "%s", value);
        } else {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "judge gnubg: invalid '%.100s': use plies=0..%d, errors, "
                                "program=PATH, separated by commas",
                                key, PLIES_MAX);
        }
    }
    return BG_OK;
}

enum bg_status judge_gnubg_open(struct judge **out, const char *words,
                                const struct judge_setup *setup, struct bg_error *err)
{
    struct gnubg_judge *judge = memory_zeroed(1, sizeof *judge);
    char program[WORKER_PATH];
    enum bg_status status;

    judge->base.ops = &gnubg_ops;
    if (setup != NULL) {
        judge->setup = *setup;
        judge->base.errors = setup->errors;
    }
    status = read_words(judge, words, err);
    if (status != BG_OK || setup == NULL) {
        goto done;
    }
    status = worker_find(program, judge->program, err);
    if (status != BG_OK) {
        goto done;
    }
    judge->setup.jobs = setup->jobs < JOBS_MAX ? setup->jobs : JOBS_MAX;
    judge->slots = memory_zeroed((size_t)judge->setup.jobs, sizeof *judge->slots);
    for (int i = 0; i < judge->setup.jobs; i++) {
        judge->slots[i].judge = judge;
        start_worker(&judge->slots[i]);
    }
    *out = &judge->base;
    judge = NULL; /* now the caller's */
done:
    if (judge != NULL) {
        destroy(&judge->base);
    }
    return status;
}
