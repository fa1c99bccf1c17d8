/* A bot that keeps its games in memory from what it is told, and compares them with every Ask. It
 * ends with a message at the first difference, which is then a fault of kind crash.
 *
 * usage: follower [stateful] [paired] [die=N] [log=FOLDER]
 * paired: each match has to be announced as a pairing first. die: ends by itself at its Nth
 * decision. log: appends to FOLDER/decisions a line for each decision before it is answered, "ask
 * GAME TURN KIND NUMBERS LEFT OTHER", and one for each play before it is sent, "play GAME TURN
 * FROM/TO,...".
 */
#include <bgref/bot.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/mirror.h"

enum { GAMES = 256, IN_FLIGHT = 64 };

static int log_file = -1;

static struct mirror games[GAMES];
static char announced[BG_GAME_ID];
static const char *wrong;

static int pairings;
static bool expects_pairings; /* it plays an event, and is not only asked for positions */

/* Each match was announced before its first game. */
static bool begins_unpaired(const struct bg_tell *tell)
{
    static int begun;

    begun += tell->number == 0 && tell->begin.game_number == 0;
    return expects_pairings && begun > pairings;
}

static struct mirror *mirror_of(const char *game)
{
    for (int i = 0; i < GAMES; i++) {
        if (games[i].begins > 0 && strcmp(games[i].begin.game, game) == 0) {
            return &games[i];
        }
    }
    return NULL;
}

/* For a game that begins: a place that was never used, or whose game is over; else the places in
 * turn, because what `bgref check` asks has no end. */
static struct mirror *free_mirror(void)
{
    static int turn;

    for (int i = 0; i < GAMES; i++) {
        if (games[i].begins == 0 || games[i].ends > 0) {
            games[i] = (struct mirror){0};
            return &games[i];
        }
    }
    turn = (turn + 1) % GAMES;
    games[turn] = (struct mirror){0};
    return &games[turn];
}

static void told(void *user, const struct bg_tell *tell)
{
    struct mirror *mirror = mirror_of(tell->game);
    const char *found = "a tell of a game that was not begun";

    if (tell->kind == BG_TELL_PAIRED) {
        pairings++;
        return;
    }
    if (mirror == NULL && tell->kind == BG_TELL_BEGIN) {
        wrong = wrong == NULL && begins_unpaired(tell) ? "a match without a pairing" : wrong;
        mirror = free_mirror();
    }
    if (mirror != NULL) {
        found = mirror_hear(mirror, tell);
    }
    wrong = wrong == NULL ? found : wrong;
}

static void new_game(void *user, const struct bg_game_begin *begin)
{
    memcpy(announced, begin->game, sizeof announced);
}

/* One write to a file opened for appending: lines of several processes stay whole, in order. */
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    char line[512];
    va_list list;
    int size;

    va_start(list, format);
    size = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (log_file >= 0 && write(log_file, line, (size_t)size) != size) {
        wrong = "cannot write the log";
    }
}

static void note_ask(const struct bg_ask *ask)
{
    char numbers[16] = "-";

    for (int i = 0; i < ask->stage.parts; i++) {
        snprintf(numbers + i, sizeof numbers - (size_t)i, "%d", ask->stage.part[i].number);
    }
    note("ask %s %d %d %s %" PRId64 " %" PRId64 "\n", ask->game, ask->turn, ask->kind, numbers,
         ask->left_ns[0], ask->left_ns[1]);
}

static enum bg_status answer_play(struct bg_bot *bot, const struct bg_ask *ask,
                                  const struct bg_play *play, struct bg_error *err)
{
    char moves[64] = "";
    int size = 0;

    for (int i = 0; i < play->moves; i++) {
        size += snprintf(moves + size, sizeof moves - (size_t)size, "%s%d/%d", i == 0 ? "" : ",",
                         play->move[i].from, play->move[i].to);
    }
    note("play %s %d %s\n", ask->game, ask->turn, moves);
    return bg_bot_answer_play(bot, ask, play, err);
}

static enum bg_status answer(struct bg_bot *bot, const struct bg_ask *ask, struct bg_error *err)
{
    static struct bg_play_list plays;
    note_ask(ask);

    uint64_t chance = (ask->bot_seed ^ ask->decision * 0x9e3779b97f4a7c15u) >> 33;

    switch (ask->kind) {
    case BG_DECIDE_PLAY:
        bg_ask_plays(&plays, ask);
        if (chance % 90 == 0 && ask->refused_level == 0) {
            return bg_bot_resign(bot, ask, bg_variant_level(ask->rules.variant, &ask->board, 1),
                                 err);
        }
        return answer_play(bot, ask, &plays.play[chance % plays.count], err);
    case BG_DECIDE_DOUBLE:
        return bg_bot_answer(bot, ask, chance % 5 == 0 ? BG_ANSWER_DOUBLE : BG_ANSWER_ROLL, err);
    case BG_DECIDE_KEEP:
        return bg_bot_answer(bot, ask, BG_ANSWER_KEEP, err);
    case BG_DECIDE_NAME:
        return bg_bot_answer_name(bot, ask, 1 + (int)(chance % 6), err);
    case BG_DECIDE_RESIGNATION:
        return bg_bot_answer(bot, ask, chance % 2 == 0 ? BG_ANSWER_ACCEPT : BG_ANSWER_REFUSE, err);
    default:
        return bg_bot_answer(bot, ask, chance % 4 == 0 ? BG_ANSWER_PASS : BG_ANSWER_TAKE, err);
    }
}

static const char *compare(const struct bg_ask *ask, bool is_stateful)
{
    const struct mirror *mirror = mirror_of(ask->game);

    if (wrong != NULL) {
        return wrong;
    }
    if (is_stateful && strcmp(announced, ask->game) != 0) {
        return "an Ask of a game that was not announced";
    }
    return mirror == NULL ? "an Ask of a game that was not begun" : mirror_compare(mirror, ask);
}

int main(int argc, char **argv)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_bot *bot = NULL;
    const struct bg_ask *ask;
    struct bg_error err = {0};
    long left = -1;
    char path[4096];

    info.name = "follower";
    info.variants = "*";
    info.max_in_flight = IN_FLIGHT;
    info.told = told;
    info.new_game = new_game;
    for (int i = 1; i < argc; i++) {
        info.stateful |= strcmp(argv[i], "stateful") == 0;
        info.want_pairings |= strcmp(argv[i], "paired") == 0;
        left = strncmp(argv[i], "die=", 4) == 0 ? atol(argv[i] + 4) : left;
        if (strncmp(argv[i], "log=", 4) == 0) {
            snprintf(path, sizeof path, "%s/decisions", argv[i] + 4);
            log_file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
        }
    }
    expects_pairings = info.want_pairings;
    if (bg_bot_open(&bot, &info, &err) == BG_OK) {
        while (bg_bot_next(&ask, bot, -1, &err) == BG_OK && left-- != 0 &&
               (wrong = compare(ask, info.stateful)) == NULL && answer(bot, ask, &err) == BG_OK) {
        }
    }
    bg_bot_close(bot);
    if (wrong != NULL) {
        fprintf(stderr, "follower: %s\n", wrong);
        return 1;
    }
    return 0;
}
