/* td - nets that learned by playing against themselves.
 *
 * For each game one net with a hidden layer gives the chances of a position after a play
 * (encode.c, net.c); td makes every legal play on a copy of the board and plays the best. The cube
 * follows Janowski, with the code of bkg. The nets are files beside the program, in the folder td;
 * bgref-td-train makes them. docs/td.md is its guide.
 *
 * Option Plies: 0, or 1: the best Candidates of 0 are looked at one roll farther. Option Noise:
 * standard deviation of a random error of each value, in points, the same for a position in every
 * run; for weaker opponents of a known weakness.
 */
#include <bgref/run.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/notice.h"
#include "chance.h"
#include "values.h"

enum {
    CANDIDATES = 6,
    TOLD = 3 /* more are noise, in every record */,
    FOLDER = 1000,
    GAMES_TEXT = 1000
};

struct settings {
    int plies;
    double noise;
    bool cube;
    struct bg_thought *told; /* of the last decision; NULL: nobody wants it */
};

struct main_candidate {
    size_t number;
    double worth;
};

/* A position's random error: from its bytes, so that the bot plays the same again. */
static double noise_of(const struct bg_ask *ask, const struct bg_board *board)
{
    struct chance chance;
    uint64_t hash = ask->bot_seed;
    double sum = 0.0;

    for (int seat = 0; seat < 2; seat++) {
        for (int slot = 0; slot < BG_SLOTS; slot++) {
            hash = (hash ^ board->at[seat][slot]) * UINT64_C(0x100000001b3);
        }
    }
    chance_begin(&chance, hash);
    for (int i = 0; i < 12; i++) { /* the sum of twelve is nearly normal, with variance 1 */
        sum += chance_real(&chance);
    }
    return sum - 6.0;
}

/* Keeps the best candidates in order, the best first. */
static void keep_best(struct main_candidate best[CANDIDATES], int *count, struct main_candidate one)
{
    int at = *count;

    while (at > 0 && best[at - 1].worth < one.worth) {
        at--;
    }
    if (at < CANDIDATES) {
        int moved = (*count < CANDIDATES ? *count : CANDIDATES - 1) - at;

        memmove(&best[at + 1], &best[at], (size_t)moved * sizeof *best);
        best[at] = one;
        *count += *count < CANDIDATES;
    }
}

/* ---------------------------------------------------------------- what it thinks */

/* Keeps the values of the plays; after a look ahead only the first is in its place. */
static void tell_plays(struct bg_thought *told, const struct bg_play_list *plays,
                       const struct main_candidate *best, int count)
{
    told->candidate_count = 0;
    told->chances.equity = best[0].worth;
    for (int i = 0; i < count; i++) {
        uint32_t at = told->candidate_count++;

        while (at > 0 && told->candidate[at - 1].equity < best[i].worth) {
            told->candidate[at] = told->candidate[at - 1];
            at--;
        }
        told->candidate[at] =
            (struct bg_candidate){BG_ANSWER_MOVES, plays->play[best[i].number], best[i].worth};
    }
    told->candidate_count = told->candidate_count < TOLD ? told->candidate_count : TOLD;
}

/* Keeps the values of two actions; the first is taken if `first`. */
static void tell_actions(struct bg_thought *told, const struct bg_candidate two[2], bool first)
{
    if (told != NULL) {
        const bool ordered = two[0].equity >= two[1].equity;

        told->candidate_count = 2;
        told->candidate[0] = two[ordered ? 0 : 1];
        told->candidate[1] = two[ordered ? 1 : 0];
        told->chances.equity = two[first ? 0 : 1].equity;
    }
}

/* Finds the best play of a stage and its value; without a legal play no moves. */
static double best_play(struct bg_play *out, const struct settings *settings,
                        const struct bg_ask *ask, const struct bg_stage *stage)
{
    static struct bg_play_list plays; /* large; used only within this call */
    struct player *player = values_player(ask->rules.variant);
    struct main_candidate best[CANDIDATES];
    struct bg_board after;
    struct choice choice;
    int count = 0;

    out->moves = 0;
    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, stage);
    if (settings->noise > 0.0) {
        choice_all(&choice, &plays);
    } else {
        values_choose(&choice, player, ask, &plays);
    }
    for (int i = 0; i < choice.count; i++) {
        const uint16_t number = choice.play[i];
        double worth;

        bg_play_make(&after, ask->rules.variant, &ask->board, 0, &plays.play[number]);
        worth = values_after(player, ask, &after);
        if (settings->noise > 0.0) {
            worth += settings->noise * noise_of(ask, &after);
        }
        keep_best(best, &count, (struct main_candidate){number, worth});
    }
    if (count == 0) {
        return values_after(player, ask, &ask->board);
    }
    for (int i = 0; i < count && settings->plies > 0 && count > 1; i++) {
        bg_play_make(&after, ask->rules.variant, &ask->board, 0, &plays.play[best[i].number]);
        best[i].worth = values_after_roll(player, ask, &after);
        if (best[i].worth > best[0].worth && i > 0) {
            struct main_candidate better = best[i];

            best[i] = best[0];
            best[0] = better;
        }
    }
    *out = plays.play[best[0].number];
    if (settings->told != NULL) {
        tell_plays(settings->told, &plays, best, count);
    }
    return best[0].worth;
}

static void play_best(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    best_play(out, user, ask, &ask->stage);
}

static bool doubles(void *user, const struct bg_ask *ask)
{
    const struct settings *settings = user;
    struct bg_cube_values worth;

    if (!settings->cube) {
        return false;
    }
    values_cube(&worth, values_player(ask->rules.variant), ask);

    const double doubled = fmin(worth.double_take, worth.double_pass);
    const struct bg_candidate two[] = {{BG_ANSWER_DOUBLE, {0}, doubled},
                                       {BG_ANSWER_ROLL, {0}, worth.no_double}};

    tell_actions(settings->told, two, doubled > worth.no_double);
    return doubled > worth.no_double;
}

/* The other side is about to roll unless its raise of our double is to be answered. */
static bool own_rolls(const struct bg_ask *ask)
{
    return ask->kind == BG_DECIDE_RAISE && ask->raise % 2 == 1;
}

static enum bg_answer_kind answer_double(void *user, const struct bg_ask *ask)
{
    const struct settings *settings = user;
    const double taken = values_before(values_player(ask->rules.variant), ask, &ask->board,
                                       own_rolls(ask) ? 0 : 1, cube_taken(ask));
    const enum bg_answer_kind answer = cube_reply(ask, taken);
    const struct bg_candidate two[] = {{BG_ANSWER_TAKE, {0}, taken},
                                       {BG_ANSWER_PASS, {0}, cube_points(ask, -1.0)}};

    tell_actions(settings->told, two, answer != BG_ANSWER_PASS);
    return answer;
}

/* Completes what the decision has left: the chances after it. */
static void thinks(void *user, const struct bg_ask *ask, struct bg_thought *out)
{
    const struct settings *settings = user;
    struct bg_thought *told = settings->told;
    struct outlook outlook;
    struct bg_board board = ask->board;
    bool own = ask->kind == BG_DECIDE_DOUBLE || own_rolls(ask);

    if (told->candidate_count == 0) {
        return;
    }
    if (told->candidate[0].kind == BG_ANSWER_MOVES) {
        bg_play_make(&board, ask->rules.variant, &ask->board, 0, &told->candidate[0].play);
    }
    values_outlook(&outlook, values_player(ask->rules.variant), &board, own ? 0 : 1);
    told->has_chances = told->has_equity = true;
    told->unit = ask->rules.length_points > 0 ? BG_EQUITY_MATCH : BG_EQUITY_POINTS;
    told->chances.win = outlook.win;
    told->chances.win_gammon = outlook.gammon;
    told->chances.win_backgammon = outlook.backgammon;
    told->chances.lose_gammon = outlook.lose_gammon;
    told->chances.lose_backgammon = outlook.lose_backgammon;
    told->plies = (uint32_t)settings->plies;
    *out = *told;
    told->candidate_count = 0; /* the next decision may be of a kind that tells nothing */
}

/* Keeps the opening numbers if they are worth more than the mean of all throws. */
static bool keeps(void *user, const struct bg_ask *ask)
{
    const struct settings quick = {.plies = 0};
    struct bg_play play;
    double sum = 0.0;

    (void)user;
    for (int i = 0; i < BG_ROLLS; i++) {
        struct bg_stage stage = bg_stage_of_roll(ask->rules.variant, bg_roll_at(i));

        sum += bg_roll_weight(i) * best_play(&play, &quick, ask, &stage);
    }
    return best_play(&play, &quick, ask, &ask->stage) >= sum / 36.0;
}

/* Names the double with the highest value. */
static int names(void *user, const struct bg_ask *ask)
{
    const struct settings quick = {.plies = 0};
    int best = 6;
    double most = 0.0;

    (void)user;
    for (uint8_t number = 1; number <= 6; number++) {
        struct bg_stage stage = {1, {{number, 4}}};
        struct bg_play play;
        double worth = best_play(&play, &quick, ask, &stage);

        if (number == 1 || worth > most) {
            most = worth;
            best = number;
        }
    }
    return best;
}

/* Accepts what is worth at least as much as playing on. */
static bool accepts(void *user, const struct bg_ask *ask)
{
    int most = cube_levels(ask, ask->cube_owner);

    (void)user;
    return cube_points(ask, ask->resign_level < most ? ask->resign_level : most) >=
           values_after(values_player(ask->rules.variant), ask, &ask->board);
}

static void answer_value(void *user, const struct bg_ask *ask, struct bg_value *out)
{
    (void)user;
    values_find(out, ask);
}

static void read_settings(void *user, const struct bg_bot *bot)
{
    static struct bg_thought told = BG_THOUGHT_INIT;
    struct settings *settings = user;

    settings->plies = strcmp(bg_bot_option(bot, "Plies"), "1") == 0 ? 1 : 0;
    settings->noise = strtod(bg_bot_option(bot, "Noise"), NULL);
    settings->cube = strcmp(bg_bot_option(bot, "Cube"), "true") == 0;
    settings->told = bg_bot_wants_thoughts(bot) ? &told : NULL;
}

/* The folder td beside the program. */
static void find_folder(char out[FOLDER])
{
    char path[FOLDER - 8];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    path[size > 0 ? size : 0] = '\0';
    slash = strrchr(path, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    snprintf(out, FOLDER, "%s/td", slash == NULL ? "." : path);
}

int main(void)
{
    static const struct bg_option options[] = {
        {"Plies", BG_OPTION_INTEGER, "0", "0", "1", NULL, "rolls looked ahead"},
        {"Noise", BG_OPTION_REAL, "0", "0", "1", NULL, "random error of a value, in points"},
        {"Cube", BG_OPTION_FLAG, "true", NULL, NULL, NULL, "whether it doubles"},
    };
    static char games[GAMES_TEXT];
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks,
                                     .start = read_settings,
                                     .play = play_best,
                                     .doubles = doubles,
                                     .take = answer_double,
                                     .raise = answer_double,
                                     .keeps = keeps,
                                     .names = names,
                                     .accepts = accepts,
                                     .value = answer_value,
                                     .thinks = thinks};
    struct settings settings = {.plies = 0};
    struct bg_error err = {.text = ""};
    char folder[FOLDER];
    enum bg_status status;

    find_folder(folder);
    status = values_begin(games, sizeof games, folder, &err);
    info.name = "td";
    info.version = BG_VERSION;
    info.variants = games;
    info.options = options;
    info.option_count = sizeof options / sizeof options[0];
    info.max_in_flight = 256;
    info.evaluates = true;
    info.notice = notice_print;
    if (status == BG_OK) {
        status = bg_bot_run(&info, &callbacks, &settings, &err);
    }
    if (status != BG_OK) {
        fprintf(stderr, "td: %s\n", err.text);
        return 1;
    }
    return 0;
}
