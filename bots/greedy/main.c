/* greedy - one ply and a rule of thumb: worth losing to.
 *
 * Every legal play is made on a copy of the board, valued by counting (pips, blots within shot,
 * points, primes, anchors, the bar, wasted pips when bearing off), and the best is played. Keeps
 * nothing between decisions and uses no chance.
 *
 * That is for backgammon and its nearest kin; games.c values the positions of the other games.
 *
 * Option Style: normal, or bold, which fears blots half as much and doubles earlier.
 */
#include <bgref/run.h>

#include <stdio.h>
#include <string.h>

#include "games.h"

struct style {
    double blot_fear; /* weight of what a hit would cost */
    double double_at; /* advantage in pips at which a double is offered in contact */
};

static const struct style normal = {1.0, 20.0}, bold = {0.5, 12.0};

/* Of the side on roll, in pips of contact and in parts of a race: counted over 12,000 games of this
 * bot with itself, where 30 pips won 77 % of the games and 8 % of a race won 80 %. */
static const double take_contact = 30.0, redouble_more = 10.0;
static const double take_race = 0.085, double_race = 0.04, redouble_race = 0.06;

/* In contact the count is too rough for a high cube. */
enum { CONTACT_CUBE_LOG2_MAX = 3 };

static int rearmost(const uint8_t at[BG_SLOTS])
{
    int slot = BG_BAR;

    while (slot > 0 && at[slot] == 0) {
        slot--;
    }
    return slot;
}

static bool is_race(const struct bg_board *board)
{
    return rearmost(board->at[0]) + rearmost(board->at[1]) < 25;
}

/* Parts of 36 rolls that hit a blot `distance` away on an open board. */
static double shots(int distance)
{
    static const int rolls[25] = {0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3,
                                  0, 0,  1,  1,  0,  1,  0,  1, 0, 0, 0, 1};

    return distance < 25 ? rolls[distance] / 36.0 : 0.0;
}

/* Chance that a checker of `foe` hits ours on slot; foe counts from the other side. */
static double hit_chance(const uint8_t foe[BG_SLOTS], int slot)
{
    double missed = 1.0;
    int target = 25 - slot;

    for (int from = target + 1; from <= BG_BAR; from++) {
        if (foe[from] > 0) {
            missed *= 1.0 - shots(from - target);
        }
    }
    return 1.0 - missed;
}

static int home_points(const uint8_t at[BG_SLOTS])
{
    int points = 0;

    for (int slot = 1; slot <= 6; slot++) {
        points += at[slot] >= 2;
    }
    return points;
}

/* What our blots may cost: the pips back to the bar, and time behind a strong board. */
static double blot_cost(const uint8_t own[BG_SLOTS], const uint8_t foe[BG_SLOTS])
{
    double cost = 0.0;
    int strength = home_points(foe);

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        if (own[slot] == 1) {
            cost += hit_chance(foe, slot) * (25 - slot + 3.0 * strength * strength / 4.0 + 4.0);
        }
    }
    return cost;
}

/* Blocks: single points by their place, and runs of them as far as foe checkers wait behind. */
static double point_value(const uint8_t own[BG_SLOTS], const uint8_t foe[BG_SLOTS])
{
    static const double place[25] = {0, 2, 3, 5, 7, 9, 8, 7, 4, 3, 2, 1, 1,
                                     2, 1, 2, 2, 2, 6, 4, 9, 8, 5, 3, 3};
    double value = 0.0;
    int run = 0, foe_back = 25 - rearmost(foe);

    for (int slot = BG_POINTS; slot >= 1; slot--) {
        run = own[slot] >= 2 ? run + 1 : 0;
        if (run > 0 && slot > foe_back) {
            value += place[slot] + 1.5 * (run - 1);
        } else if (run > 0) {
            value += place[slot] / 3.0; /* nobody is behind it */
        }
    }
    return value;
}

/* Checkers far behind, stacked high, or on the bar against points. */
static double awkward_cost(const uint8_t own[BG_SLOTS], const uint8_t foe[BG_SLOTS])
{
    double cost = own[BG_BAR] * (4.0 + 2.5 * home_points(foe));

    for (int slot = 1; slot <= BG_POINTS; slot++) {
        if (own[slot] > 4) {
            cost += 1.5 * (own[slot] - 4);
        }
    }
    for (int slot = 22; slot <= BG_POINTS; slot++) {
        cost += 1.0 * own[slot];
    }
    return cost;
}

/* Pips, and what will be wasted: stacks on low points and gaps lose pips at the end. */
static double race_cost(const struct bg_board *board, int seat)
{
    const uint8_t *at = board->at[seat];
    double cost = bg_board_pips(board, seat) + 2.0 * (bg_board_count(board, seat) - at[BG_OFF]);

    for (int slot = 1; slot <= 6; slot++) {
        cost += at[slot] == 0 && slot > 3 ? 1.0 : 0.0;
        cost += slot <= 3 && at[slot] > 2 ? (4 - slot) * 0.7 * (at[slot] - 2) : 0.0;
    }
    for (int slot = 7; slot <= BG_BAR; slot++) {
        cost += at[slot] * 1.0; /* crossing into the home board comes first */
    }
    return cost;
}

static double side_value(const struct bg_board *board, int seat, double blot_fear)
{
    const uint8_t *own = board->at[seat], *foe = board->at[1 - seat];

    return point_value(own, foe) - blot_fear * blot_cost(own, foe) - awkward_cost(own, foe) -
           bg_board_pips(board, seat);
}

/* Advantage of seat 0, in pips. Seat 1 is on roll when it is a value after a play. */
static double value(const struct bg_board *board, const struct style *style)
{
    if (is_race(board)) {
        return race_cost(board, 1) - race_cost(board, 0);
    }
    return side_value(board, 0, style->blot_fear) - side_value(board, 1, style->blot_fear / 3.0);
}

/* The best play of a stage and what it is worth; none: the board as it is, and no moves. */
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
        return kind == KIND_CLASSIC ? value(&ask->board, style)
                                    : games_value(variant, kind, &ask->board);
    }
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;
        double worth;

        bg_play_make(&after, variant, &ask->board, 0, &plays.play[i]);
        worth = kind == KIND_CLASSIC ? value(&after, style) : games_value(variant, kind, &after);
        if (i == 0 || worth > best) {
            best = worth;
            *out = plays.play[i];
        }
    }
    return best;
}

static void play(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    best_play(out, ask, &ask->stage, *(const struct style **)user);
}

/* Keeps the opening numbers when they are worth more than the mean of all rolls. */
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

/* The double that is worth most; one that can be played out gives the turn a further roll. */
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

/* Lead of seat 0 in a race, in parts of its own count. */
static double race_lead(const struct bg_board *board)
{
    double own = race_cost(board, 0), foe = race_cost(board, 1);

    return (foe - own) / own;
}

static bool doubles(void *user, const struct bg_ask *ask)
{
    const struct style *style = *(const struct style **)user;
    bool first = ask->cube_owner == BG_CENTRED;
    enum kind kind = games_kind(ask->rules.variant);

    if (kind != KIND_CLASSIC) { /* its counts are too rough for a cube */
        return false;
    }

    if (ask->rules.length_points > 0 && ask->score[1] == ask->rules.length_points - 1) {
        return true; /* the foe wins the match with one point anyway */
    }
    if (is_race(&ask->board)) {
        return race_lead(&ask->board) >= (first ? double_race : redouble_race);
    }
    return ask->cube_log2 < CONTACT_CUBE_LOG2_MAX &&
           value(&ask->board, style) >= style->double_at + (first ? 0.0 : redouble_more);
}

/* The foe is on roll: so its advantage is counted from its side, as it would count. */
static enum bg_answer_kind take(void *user, const struct bg_ask *ask)
{
    struct bg_board foes;
    bool hopeless;

    (void)user;
    if (games_kind(ask->rules.variant) != KIND_CLASSIC) {
        return BG_ANSWER_TAKE;
    }
    bg_board_swap(&foes, &ask->board);
    hopeless = is_race(&foes) ? race_lead(&foes) > take_race : value(&foes, &normal) > take_contact;
    return hopeless ? BG_ANSWER_PASS : BG_ANSWER_TAKE;
}

static void start(void *user, const struct bg_bot *bot)
{
    *(const struct style **)user =
        strcmp(bg_bot_option(bot, "Style"), "bold") == 0 ? &bold : &normal;
}

/* The ids of all games with any options, separated by blanks. */
static const char *every_variant(void)
{
    static char text[512];
    const struct bg_variant *variant;

    for (int i = 0; (variant = bg_variant_at(i)) != NULL; i++) {
        size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "%s%s:*", used > 0 ? " " : "",
                 bg_variant_id(variant));
    }
    return text;
}

int main(void)
{
    static const struct bg_option options[] = {
        {"Style", BG_OPTION_CHOICE, "normal", NULL, NULL, "normal|bold", "how much it risks"},
    };
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks,
                                     .start = start,
                                     .play = play,
                                     .doubles = doubles,
                                     .take = take,
                                     .keeps = keeps,
                                     .names = names};
    const struct style *style = &normal;
    struct bg_error err = {0};

    info.name = "greedy";
    info.version = BG_VERSION;
    info.variants = every_variant();
    info.options = options;
    info.option_count = sizeof options / sizeof options[0];
    info.max_in_flight = 256;
    if (bg_bot_run(&info, &callbacks, &style, &err) != BG_OK) {
        fprintf(stderr, "greedy: %s\n", err.text);
        return 1;
    }
    return 0;
}
