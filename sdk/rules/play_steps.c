/* One checker, one number, in every game in which checkers walk: landing, entering, bearing off,
 * and the restrictions of single games, tested after every single move (G6). What a restriction
 * must know of earlier moves of the stage it reads from the difference of two boards. */
#include <assert.h>

#include "games.h"

enum { HEAD = 24, START = 12 /* the opponent's, where both sides move in the same direction */ };

static bool is_pinned(const struct bg_board *board, int seat, int slot)
{
    return (board->pinned[seat] >> slot & 1) != 0;
}

static int home_of(const struct bg_variant *variant)
{
    return variant->points > BG_POINTS ? 12 : 6;
}

/* Returns the own checkers on points first..last; first is at least 1. */
static int count_on(const struct bg_board *board, int seat, int first, int last)
{
    int count = 0;

    for (int point = first; point <= last; point++) {
        count += board->at[seat][slot_of_point(point)];
    }
    return count;
}

/* Returns how many of the points first..last the seat holds. */
static int points_held(const struct bg_board *board, int seat, int first, int last)
{
    int held = 0;

    for (int slot = first; slot <= last; slot++) {
        held += board->at[seat][slot] > 0;
    }
    return held;
}

/* V7.1: one of the seat's checkers on its own 24 is pinned by the opponent. */
static bool is_mother_pinned(const struct bg_board *board, int seat)
{
    return is_pinned(board, seat, HEAD);
}

enum board_end board_end(int *seat, const struct bg_variant *variant, const struct bg_board *board)
{
    for (int winner = 0; winner < 2; winner++) {
        *seat = winner;
        if (board->at[winner][BG_OFF] == variant->checkers) {
            return BOARD_OFF;
        }
    }
    if (variant->mother == 0) {
        return BOARD_GOES_ON;
    }
    if (is_mother_pinned(board, 0) && is_mother_pinned(board, 1)) { /* V7.1: a draw */
        return BOARD_DRAW;
    }
    for (int winner = 0; winner < 2; winner++) {
        *seat = winner;
        if (is_mother_pinned(board, 1 - winner) && board->at[winner][HEAD] == 0) { /* V7.1: a win */
            return BOARD_MOTHER;
        }
    }
    return BOARD_GOES_ON;
}

/* V8.1, V9.1: the first checker is far enough, so that the others may move. */
static bool has_passed(const struct course *course, const struct bg_board *board)
{
    const int last = course->variant->first == FIRST_OUTER ? 18 : START - 1;

    return board->at[course->seat][BG_OFF] > 0 || count_on(board, course->seat, 1, last) > 0;
}

/* V15.1: the numbers come from a double, or are 21. */
static bool opens_gate(const struct bg_stage *stage)
{
    return stage->parts == 1 ||
           (stage->parts == 2 && stage->part[0].number == 2 && stage->part[1].number == 1);
}

static enum bg_rule may_enter_from_hand(const struct course *course, const struct bg_board *board)
{
    switch (course->variant->gate) {
    case GATE_OPEN:
        return BG_RULE_NONE;
    case GATE_ONCE:
        if (board->at[course->seat][BG_HAND] < course->variant->checkers) {
            return BG_RULE_NONE;
        }
        break;
    case GATE_ALWAYS:
        break;
    }
    return opens_gate(course->stage) ? BG_RULE_NONE : BG_RULE_GATE;
}

/* Returns the rule that forbids moving a checker from `from`, whatever its target. */
static enum bg_rule may_leave(const struct course *course, const struct bg_board *board, int from)
{
    const struct bg_variant *variant = course->variant;
    const uint8_t *own = board->at[course->seat];

    if (own[from] == 0) {
        return BG_RULE_NO_CHECKER;
    }
    if (own[BG_BAR] > 0 && from != BG_BAR) { /* G3 */
        return BG_RULE_BAR_FIRST;
    }
    if (is_pinned(board, course->seat, from)) { /* G2 */
        return BG_RULE_PINNED;
    }
    if (from == BG_HAND) {
        return may_enter_from_hand(course, board);
    }
    if (variant->enter == ENTER_FIRST && own[BG_HAND] > 0 && from != BG_BAR) { /* V16 enter-all */
        return BG_RULE_ENTER_ALL;
    }
    if (from == HEAD && course->before->at[course->seat][HEAD] - own[HEAD] >= course->head_max) {
        return BG_RULE_HEAD; /* V4.1 */
    }
    if (variant->first != FIRST_FREE && from == HEAD && own[HEAD] < variant->checkers &&
        !has_passed(course, board)) { /* V8.1 */
        return BG_RULE_FIRST_CHECKER;
    }
    return BG_RULE_NONE;
}

/* V21.1 */
static bool has_right_to_hit(const struct course *course, const struct bg_board *board)
{
    switch (course->variant->hit_right) {
    case HIT_FREE:
        return true;
    case HIT_EARNED:
        return board->may_hit[course->seat] != 0;
    case HIT_PRESENT:
        return board->at[course->seat][BG_OFF] > 0 || count_on(board, course->seat, 1, 6) > 0;
    }
    return true;
}

/* G2 */
static enum bg_rule may_land(const struct course *course, const struct bg_board *board, int slot)
{
    const int there = bg_variant_opponent_slot(course->variant, slot);
    const int others = board->at[1 - course->seat][there];

    if (others == 0) {
        return BG_RULE_NONE;
    }
    switch (course->variant->contact) {
    case CONTACT_HIT:
        if (others == 1 && !has_right_to_hit(course, board)) {
            return BG_RULE_HIT_RIGHT;
        }
        return others > 1 ? BG_RULE_BLOCKED : BG_RULE_NONE;
    case CONTACT_PIN:
        return others > 1 || is_pinned(board, course->seat, slot) ? BG_RULE_BLOCKED : BG_RULE_NONE;
    case CONTACT_BLOCK:
    case CONTACT_NONE:
        break;
    }
    return BG_RULE_BLOCKED;
}

/* G4 */
static enum bg_rule may_bear(const struct course *course, const struct bg_board *board, int from,
                             int number)
{
    const struct bg_variant *variant = course->variant;
    const uint8_t *own = board->at[course->seat];
    const int home = home_of(variant), point = point_of_slot(variant, from);

    if (own[BG_BAR] + own[BG_HAND] > 0 ||
        count_on(board, course->seat, home + 1, variant->points) > 0) {
        return BG_RULE_BEAR_EARLY;
    }
    if (board->pinned[course->seat] != 0 && !variant->bear_pinned) {
        return BG_RULE_BEAR_PINNED;
    }
    if (point == number) {
        return BG_RULE_NONE;
    }
    if (variant->exact) { /* V15.3 */
        return BG_RULE_BEAR_EXACT;
    }
    return count_on(board, course->seat, point + 1, home) > 0 ? BG_RULE_BEAR_HIGHER : BG_RULE_NONE;
}

/* V4.2: bit q of the mask: the seat holds the opponent's point q. The opponent moves down the 24
 * points, so a row of points cannot cross its border between 1 and 24. */
bool is_blocked_in(const struct bg_variant *variant, const struct bg_board *board, int seat)
{
    const uint8_t *opponent = board->at[1 - seat];
    uint32_t held = 0, blocks;
    int ahead = 1; /* the opponent's foremost checker on the board */

    if (variant->block != BLOCK_ALL && opponent[BG_OFF] > 0) {
        return false;
    }
    for (int slot = 1; slot <= BG_POINTS; slot++) {
        if (board->at[seat][slot] > 0) {
            held |= UINT32_C(1) << bg_variant_opponent_slot(variant, slot);
        }
    }
    blocks = held & held >> 1 & held >> 2; /* rows of three that begin here */
    blocks &= blocks >> 3;                 /* of six */
    if (variant->block == BLOCK_ALL) {
        return blocks != 0;
    }
    while (ahead <= BG_POINTS && opponent[ahead] == 0) {
        ahead++;
    }
    /* A block counts if its lowest point is not beyond one of the opponent's checkers. Every lower
     * block has its own bit, so only blocks at or below the foremost checker decide. */
    return (blocks & ((UINT32_C(2) << (ahead <= BG_POINTS ? ahead : BG_POINTS)) - 1)) != 0;
}

/* V8.3: all the opponent's checkers on the board stand on one point, and the six points before it
 * are held. */
bool is_stuck(const struct bg_variant *variant, const struct bg_board *board, int seat)
{
    const uint8_t *opponent = board->at[1 - seat];
    int point = 1;

    while (point <= BG_POINTS && opponent[point] == 0) {
        point++;
    }
    if (point <= 6 || point > BG_POINTS || count_on(board, 1 - seat, point + 1, BG_POINTS) > 0) {
        return false;
    }
    for (int before = point - 6; before < point; before++) {
        if (board->at[seat][bg_variant_opponent_slot(variant, before)] == 0) {
            return false;
        }
    }
    return true;
}

/* V8.2, V9 */
static enum bg_rule test_quarter(const struct course *course, const struct bg_board *after)
{
    const int seat = course->seat;
    bool full = false;

    switch (course->variant->quarter) {
    case QUARTER_FREE:
        return BG_RULE_NONE;
    case QUARTER_OWN:
        full = points_held(after, seat, 19, 24) == 6;
        break;
    case QUARTER_BOTH:
        full = points_held(after, seat, 19, 24) == 6 || points_held(after, seat, 7, 12) == 6;
        break;
    case QUARTER_START:
        return points_held(after, seat, 7, 12) > 4 ? BG_RULE_START_TABLE : BG_RULE_NONE;
    case QUARTER_HOME:
        full = points_held(after, seat, 1, 6) == 6;
        break;
    }
    return full ? BG_RULE_QUARTER : BG_RULE_NONE;
}

/* V13.1: returns true if this stage has hit on a home point and left no checker there. */
static bool hits_and_runs(const struct course *course, const struct bg_board *after)
{
    const int opponent = 1 - course->seat;

    for (int slot = 1; slot <= 6; slot++) {
        const int there = bg_variant_opponent_slot(course->variant, slot);

        if (after->at[opponent][there] < course->before->at[opponent][there] &&
            after->at[course->seat][slot] == 0) {
            return true;
        }
    }
    return false;
}

static void move_step(struct bg_board *board, const struct bg_variant *variant, int seat, int from,
                      int to)
{
    uint8_t *own = board->at[seat], *opponent = board->at[1 - seat];

    assert(own[from] > 0);
    own[from]--;
    own[to]++;
    if (board->pinned[1 - seat] != 0 && own[from] == 0) {
        board->pinned[1 - seat] &= ~(UINT64_C(1) << bg_variant_opponent_slot(variant, from));
    }
    if (to != BG_OFF) {
        const int there = bg_variant_opponent_slot(variant, to);

        if (opponent[there] > 0 && variant->contact == CONTACT_HIT) {
            opponent[there]--;
            opponent[BG_BAR]++;
        } else if (opponent[there] > 0 && variant->contact == CONTACT_PIN) {
            board->pinned[1 - seat] |= UINT64_C(1) << there;
        }
        if (variant->hit_right == HIT_EARNED && to <= 6) { /* V21.1: counts from the next move on */
            board->may_hit[seat] = 1;
        }
    }
}

/* Restrictions that depend on the board after the move. */
static enum bg_rule test_after(const struct course *course, const struct bg_board *board, int from,
                               int to)
{
    const struct bg_variant *variant = course->variant;
    struct bg_board after;

    if (!variant->stay && variant->quarter == QUARTER_FREE &&
        (variant->block == BLOCK_FREE || variant->block == BLOCK_END)) {
        return BG_RULE_NONE;
    }
    after = *board;
    move_step(&after, variant, course->seat, from, to);
    if (variant->stay && hits_and_runs(course, &after)) {
        return BG_RULE_HIT_RUN;
    }
    if ((variant->block == BLOCK_MOVE || variant->block == BLOCK_ALL) &&
        is_blocked_in(variant, &after, course->seat)) {
        return BG_RULE_SIX_BLOCK;
    }
    return test_quarter(course, &after);
}

static enum bg_rule may_step(int *to, const struct course *course, const struct bg_board *board,
                             int from, int number)
{
    const struct bg_variant *variant = course->variant;
    const int point = point_of_slot(variant, from) - number;
    enum bg_rule rule = may_leave(course, board, from);
    int seat;

    if (rule != BG_RULE_NONE) {
        return rule;
    }
    if (variant->mother != 0 && board_end(&seat, variant, board) != BOARD_GOES_ON) {
        return BG_RULE_GAME_OVER;
    }
    *to = point > 0 ? slot_of_point(point) : BG_OFF;
    rule = *to != BG_OFF ? may_land(course, board, *to) : may_bear(course, board, from, number);
    if (rule != BG_RULE_NONE) {
        return rule;
    }
    if (variant->enter == ENTER_HALF && point <= 12 &&
        board->at[course->seat][BG_HAND] > 0) { /* V19 enter-all */
        return BG_RULE_ENTER_ALL;
    }
    if (variant->point_max > 0 && *to != BG_OFF &&
        board->at[course->seat][*to] >= variant->point_max) { /* V17.1 */
        return BG_RULE_POINT_FULL;
    }
    return test_after(course, board, from, *to);
}

const struct mover mover_steps = {
    .list = tree_list,
    .exists = tree_exists,
    .may = may_step,
    .move = move_step,
};

/* V23.2, kiz-tavlasi: checkers do not walk. A number lowers one stacked checker of its own point
 * while any is stacked, then takes one off. Lowering is a move from a slot to itself. */

static bool is_any_stacked(const struct bg_board *board, int seat)
{
    for (int point = 1; point <= 6; point++) {
        if (board->stacked[seat][point] > 0) {
            return true;
        }
    }
    return false;
}

static enum bg_rule may_pile(int *to, const struct course *course, const struct bg_board *board,
                             int from, int number)
{
    if (from != number) {
        return BG_RULE_STACKED;
    }
    if (board->at[course->seat][from] == 0) {
        return BG_RULE_NO_CHECKER;
    }
    if (is_any_stacked(board, course->seat)) {
        *to = from;
        return board->stacked[course->seat][from] > 0 ? BG_RULE_NONE : BG_RULE_STACKED;
    }
    *to = BG_OFF;
    return BG_RULE_NONE;
}

static void move_pile(struct bg_board *board, const struct bg_variant *variant, int seat, int from,
                      int to)
{
    (void)variant;
    if (to == from) {
        assert(board->stacked[seat][from] > 0);
        board->stacked[seat][from]--;
    } else {
        assert(board->at[seat][from] > 0);
        board->at[seat][from]--;
        board->at[seat][to]++;
    }
}

const struct mover mover_piles = {
    .list = tree_list,
    .exists = tree_exists,
    .may = may_pile,
    .move = move_pile,
};
