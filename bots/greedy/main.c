/* greedy - one ply and a rule of thumb: worth losing to.
 *
 * Makes every legal play on a copy of the board, values it by counting (pips, blots within shot,
 * points, primes, anchors, the bar, wasted pips when bearing off), and plays the best. Keeps
 * nothing between decisions and uses no random numbers.
 *
 * classic.c has the counts for backgammon and similar games, games.c those for the other games. As
 * a judge it values positions from the same counts (values.c).
 *
 * Option Style: normal, or bold, which fears blots half as much and doubles earlier.
 */
#include <bgref/run.h>

#include <stdio.h>
#include <string.h>

#include "../common/notice.h"
#include "../common/variants.h"
#include "classic.h"
#include "games.h"
#include "values.h"

struct style {
    double blot_fear;   /* weight of the cost of a hit */
    double double_at;   /* advantage in pips at which a double is offered in contact */
    double double_from; /* chance to win from which it is offered where classic.c does not count */
};

static const struct style normal = {1.0, 20.0, 0.70}, bold = {0.5, 12.0, 0.63};

/* For the side on roll, in pips of contact and as a share of a race. Measured in 12,000 games of
 * this bot against itself: 30 pips won 77 % of the games, and 8 % of a race won 80 %. */
static const double take_contact = 30.0, redouble_more = 10.0;
static const double take_race = 0.085, double_race = 0.04, redouble_race = 0.06;

/* In contact the counts are too rough for a high cube. Tried: turned when a pass seemed due, it
 * reached 2^18 against gnubg, which took and turned it back. */
enum { CONTACT_CUBE_LOG2_MAX = 3 };

/* The same as chances, for the other games and for raises. The doubled side has the cube, which is
 * worth something: it turns the double back already when the game is even. */
static const double take_from = 0.22, redouble_later = 0.05, raise_from = 0.50;

/* Finds a stage's best play and its value; without a legal play the unchanged board and no
 * moves. */
static double best_play(struct bg_play *out, const struct bg_ask *ask, const struct bg_stage *stage,
                        const struct style *style)
{
    static struct bg_play_list plays;
    const struct bg_variant *variant = ask->rules.variant;
    const enum kind kind = games_kind(variant);
    double best = 0.0;

    bg_play_list(&plays, variant, &ask->board, 0, stage);
    if (plays.count == 0) {
        out->moves = 0;
        return kind == KIND_CLASSIC ? classic_value(&ask->board, style->blot_fear)
                                    : games_value(variant, kind, &ask->board);
    }
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;
        double worth;

        bg_play_make(&after, variant, &ask->board, 0, &plays.play[i]);
        worth = kind == KIND_CLASSIC ? classic_value(&after, style->blot_fear)
                                     : games_value(variant, kind, &after);
        if (i == 0 || worth > best) {
            best = worth;
            *out = plays.play[i];
        }
    }
    return best;
}

static void play_best(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    best_play(out, ask, &ask->stage, *(const struct style **)user);
}

/* Keeps the opening numbers if they are worth more than the mean of all rolls. */
static bool keeps(void *user, const struct bg_ask *ask)
{
    const struct style *style = *(const struct style **)user;
    struct bg_play play;
    double sum = 0.0;

    for (uint8_t high = 1; high <= 6; high++) {
        for (uint8_t low = 1; low <= high; low++) {
            struct bg_roll roll = {{high, low, 0}};
            struct bg_stage stage = bg_stage_of_roll(ask->rules.variant, roll);

            sum += (high == low ? 1.0 : 2.0) * best_play(&play, ask, &stage, style);
        }
    }
    return best_play(&play, ask, &ask->stage, style) >= sum / 36.0;
}

/* Names the double with the highest value; one that can be played out gives the turn another
 * roll. */
static int names(void *user, const struct bg_ask *ask)
{
    const struct style *style = *(const struct style **)user;
    int best = 6;
    double most = 0.0;

    for (uint8_t number = 1; number <= 6; number++) {
        struct bg_stage stage = {1, {{number, 4}}};
        struct bg_play play;
        double worth = best_play(&play, ask, &stage, style);

        worth += play.moves == 4 ? 8.0 : 0.0;
        if (number == 1 || worth > most) {
            most = worth;
            best = number;
        }
    }
    return best;
}

static bool doubles(void *user, const struct bg_ask *ask)
{
    const struct style *style = *(const struct style **)user;
    bool first = ask->cube_owner == BG_CENTRED;
    double chance;

    if (ask->rules.length_points > 0 && ask->score[1] == ask->rules.length_points - 1) {
        return true; /* one point is enough for the opponent to win the match */
    }
    if (games_chance(&chance, ask->rules.variant, &ask->board)) {
        return chance >= style->double_from + (first ? 0.0 : redouble_later);
    }
    if (classic_is_race(&ask->board)) {
        return classic_race_lead(&ask->board) >= (first ? double_race : redouble_race);
    }
    return ask->cube_log2 < CONTACT_CUBE_LOG2_MAX &&
           classic_value(&ask->board, style->blot_fear) >=
               style->double_at + (first ? 0.0 : redouble_more);
}

/* Returns whether a position is not worth playing on at twice the stake. theirs: the board of the
 * side that is about to roll, which is the opponent. */
static bool hopeless(const struct bg_variant *variant, const struct bg_board *theirs)
{
    double chance;

    if (games_chance(&chance, variant, theirs)) {
        return 1.0 - chance < take_from;
    }
    return classic_is_race(theirs) ? classic_race_lead(theirs) > take_race
                                   : classic_value(theirs, normal.blot_fear) > take_contact;
}

/* The opponent is on roll, so its advantage is counted from its side, as it would count it. */
static enum bg_answer_kind answer_double(void *user, const struct bg_ask *ask)
{
    struct bg_board theirs;

    (void)user;
    /* So that both sides are counted by one function. */
    bg_board_swap(&theirs, &ask->board);
    if (ask->may_raise && 1.0 - values_chance(ask->rules.variant, &theirs) >= raise_from) {
        return BG_ANSWER_RAISE;
    }
    return hopeless(ask->rules.variant, &theirs) ? BG_ANSWER_PASS : BG_ANSWER_TAKE;
}

/* An odd number of raises: the opponent turned our double back and has the cube. */
static enum bg_answer_kind answers_raise(void *user, const struct bg_ask *ask)
{
    const struct style *style = *(const struct style **)user;
    double chance;

    if (ask->raise % 2 == 0) {
        return answer_double(user, ask);
    }
    chance = values_chance(ask->rules.variant, &ask->board);
    if (ask->may_raise && chance >= style->double_from) {
        return BG_ANSWER_RAISE;
    }
    return chance < take_from ? BG_ANSWER_PASS : BG_ANSWER_TAKE;
}

static void answer_value(void *user, const struct bg_ask *ask, struct bg_value *out)
{
    (void)user; /* the same for both styles: a judge takes no risks */
    values_find(out, ask);
}

static void read_style(void *user, const struct bg_bot *bot)
{
    *(const struct style **)user =
        strcmp(bg_bot_option(bot, "Style"), "bold") == 0 ? &bold : &normal;
}

int main(void)
{
    static const struct bg_option options[] = {
        {"Style", BG_OPTION_CHOICE, "normal", NULL, NULL, "normal|bold", "how much it risks"},
    };
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks,
                                     .start = read_style,
                                     .play = play_best,
                                     .doubles = doubles,
                                     .take = answer_double,
                                     .raise = answers_raise,
                                     .keeps = keeps,
                                     .names = names,
                                     .value = answer_value};
    const struct style *style = &normal;
    struct bg_error err = {0};

    info.name = "greedy";
    info.version = BG_VERSION;
    info.variants = variants_all();
    info.options = options;
    info.option_count = sizeof options / sizeof options[0];
    info.max_in_flight = 256;
    info.evaluates = true;
    info.notice = notice_print;
    if (bg_bot_run(&info, &callbacks, &style, &err) != BG_OK) {
        fprintf(stderr, "greedy: %s\n", err.text);
        return 1;
    }
    return 0;
}
