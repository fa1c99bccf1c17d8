/* A bot as authors write it for libbgref.so.1, which uses every struct that may grow. It is kept
 * unchanged while BG_ABI is 1: built with the first headers of that ABI (soname-1.tar.xz) it must
 * play with every later library (check_soname.sh), and built with today's headers it must play with
 * a library whose structs are longer (check_grown.sh). Copies of asks lie on the heap, where the
 * sanitizers detect every access past the end. */
#include <bgref/run.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARDS = 8 };

static double after(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    (void)user;
    return ask->rules.length_points > 0
               ? 0.5
               : (bg_board_pips(board, 1) - bg_board_pips(board, 0)) / 400.0;
}

static void value(void *user, const struct bg_ask *ask, struct bg_value *out)
{
    if (ask->kind == BG_VALUE_ROLLS) {
        bg_value_rolls(&out->of.rolls, ask, after, user);
    } else {
        out->cannot = true;
        snprintf(out->why, sizeof out->why, "rolls only");
    }
}

/* The library fills a match and rules in the caller's memory: the bytes after them must not
 * change. */
static int match_overflows(void)
{
    struct {
        struct bg_match match;
        unsigned char behind[GUARDS];
        struct bg_rules rules;
        unsigned char end[GUARDS];
    } here;
    struct bg_start start = {.on_roll = 0, .cube_owner = BG_CENTRED};
    struct bg_step roll = {.kind = BG_STEP_ROLL, .die = {3, 1}};
    unsigned char whole[GUARDS];

    memset(&here, 0x5a, sizeof here);
    memset(whole, 0x5a, sizeof whole);
    here.rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    bg_variant_setup(&start.board, here.rules.variant);
    if (bg_match_begin_at(&here.match, &here.rules, &start, NULL) != BG_OK ||
        bg_match_step(&here.match, &roll) != BG_RULE_NONE) {
        return 1;
    }
    bg_match_begin(&here.match, &here.rules);
    return memcmp(here.behind, whole, GUARDS) != 0 || memcmp(here.end, whole, GUARDS) != 0;
}

static enum bg_status answer(struct bg_bot *bot, const struct bg_ask *ask, struct bg_error *err)
{
    static struct bg_play_list plays;
    struct bg_value worth = BG_VALUE_INIT;

    switch (ask->kind) {
    case BG_DECIDE_PLAY:
        bg_ask_plays(&plays, ask);
        return bg_bot_answer_play(bot, ask, &plays.play[ask->bot_seed % plays.count], err);
    case BG_DECIDE_DOUBLE:
        return bg_bot_answer(bot, ask, BG_ANSWER_DOUBLE, err);
    case BG_DECIDE_RESIGNATION:
        return bg_bot_answer(bot, ask, BG_ANSWER_REFUSE, err);
    case BG_VALUE_POSITION:
    case BG_VALUE_ROLLS:
    case BG_VALUE_CUBE:
        value(NULL, ask, &worth);
        return worth.cannot ? bg_bot_answer_cannot(bot, ask, worth.why, err)
                            : bg_bot_answer_value(bot, ask, &worth, err);
    default:
        return bg_bot_answer(bot, ask, BG_ANSWER_TAKE, err);
    }
}

/* Collects waiting decisions, like a bot that works on several at once, then answers the copies. */
static enum bg_status pull(struct bg_bot *bot, struct bg_error *err)
{
    struct bg_ask *kept[16];
    size_t count = 0;
    const struct bg_ask *ask;
    enum bg_status status;

    do {
        status = bg_bot_next(&ask, bot, -1, err);
        if (status == BG_OK && (kept[count] = malloc(sizeof *ask)) != NULL) {
            *kept[count] = *ask;
            kept[count]->results = NULL;
            if (ask->played != NULL) { /* lent: answered immediately */
                free(kept[count]);
                status = answer(bot, ask, err);
                continue;
            }
            count++;
        }
    } while (status == BG_OK && bg_bot_waiting(bot) > 0 && count < sizeof kept / sizeof kept[0]);
    for (size_t i = 0; i < count; i++) {
        if (status == BG_OK) {
            status = answer(bot, kept[i], err);
        }
        free(kept[i]);
    }
    return status;
}

static void play(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    static struct bg_play_list plays;

    (void)user;
    bg_ask_plays(&plays, ask);
    *out = plays.play[plays.count - 1];
}

int main(int argc, char **argv)
{
    static const struct bg_option options[] = {
        {"Ply", BG_OPTION_INTEGER, "1", "0", "3", NULL, "nothing"},
        {"Style", BG_OPTION_CHOICE, "calm", NULL, NULL, "calm|wild", "nothing"},
    };
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks, .play = play, .value = value};
    struct bg_error err = {0};
    struct bg_bot *bot = NULL;
    enum bg_status status;

    if (match_overflows()) {
        fprintf(stderr, "probe: a match is longer than its struct\n");
        return 1;
    }
    info.name = argc > 1 ? argv[1] : "probe";
    info.options = options;
    info.option_count = 2;
    info.max_in_flight = 16;
    info.evaluates = true;
    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        status = bg_bot_run(&info, &callbacks, NULL, &err);
    } else {
        status = bg_bot_open(&bot, &info, &err);
        if (status == BG_OK && argc > 1 && strcmp(bg_bot_option(bot, "Style"), argv[1]) != 0) {
            status = bg_error_set(&err, BG_E_ARGUMENT, "option Style is %s, not %s",
                                  bg_bot_option(bot, "Style"), argv[1]);
        }
        while (status == BG_OK) {
            status = pull(bot, &err);
        }
        bg_bot_close(bot);
        status = status == BG_E_CLOSED ? BG_OK : status;
    }
    if (status != BG_OK) {
        fprintf(stderr, "probe: %s\n", err.text);
        return 1;
    }
    return 0;
}
