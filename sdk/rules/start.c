/* start.c - matches that begin at any position. */
#include "flow.h"

#include <assert.h>
#include <string.h>

#include "games.h"

/* ---- a seat's checkers ---- */

static bool begins_in_hand(const struct bg_variant *variant)
{
    return variant->setup[0].slot == BG_HAND;
}

static enum bg_status check_checkers(const struct bg_board *board, const struct bg_variant *variant,
                                     int seat, struct bg_error *err)
{
    const uint8_t *at = board->at[seat];
    int count = bg_board_count(board, seat);

    if (count != variant->checkers) {
        return bg_error_set(err, BG_E_ARGUMENT, "position: seat %d has %d checkers, not %d", seat,
                            count, variant->checkers);
    }
    if (at[BG_OFF] == variant->checkers) {
        return bg_error_set(err, BG_E_ARGUMENT, "position: seat %d has all checkers off", seat);
    }
    if (at[BG_HAND] > 0 && !begins_in_hand(variant)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "position: seat %d has checkers in hand, but %s begins with all on the "
                            "board",
                            seat, variant->id);
    }
    if (at[BG_BAR] > 0 && variant->contact != CONTACT_HIT) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "position: seat %d has checkers on the bar, but nothing is hit in %s",
                            seat, variant->id);
    }
    for (int slot = BG_FAR; variant->points == BG_POINTS && slot < BG_SLOTS; slot++) {
        if (at[slot] != 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "position: seat %d has checkers on slot %d of a board of 24", seat,
                                slot);
        }
    }
    return BG_OK;
}

/* ---- points and pins ---- */

static bool is_pinned(const struct bg_board *board, int seat, int slot)
{
    return (board->pinned[seat] >> slot & 1) != 0;
}

/* Checks one point, numbered as for seat 0: which checkers may stand there together (G2). */
static enum bg_status check_point(const struct bg_board *board, const struct bg_variant *variant,
                                  int slot, struct bg_error *err)
{
    const int slots[2] = {slot, bg_variant_opponent_slot(variant, slot)};
    const bool both = board->at[0][slots[0]] != 0 && board->at[1][slots[1]] != 0;
    int pins = 0;

    for (int seat = 0; seat < 2; seat++) {
        if (!is_pinned(board, seat, slots[seat])) {
            continue;
        }
        pins++;
        if (variant->contact != CONTACT_PIN || board->at[seat][slots[seat]] != 1 || !both) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "position: seat %d cannot be pinned on its point %d", seat,
                                slots[seat]);
        }
    }
    if (both && pins != 1 && variant->contact != CONTACT_NONE) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "position: both seats have checkers on point %d of seat 0", slot);
    }
    return BG_OK;
}

static enum bg_status check_points(const struct bg_board *board, const struct bg_variant *variant,
                                   struct bg_error *err)
{
    /* Slots that are points of the 24-point board: 1 to 24. */
    const uint64_t points = (UINT64_C(1) << (BG_POINTS + 1)) - 2;
    enum bg_status status = BG_OK;

    if (((board->pinned[0] | board->pinned[1]) & ~points) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "position: a checker is pinned off the points");
    }
    for (int slot = 1; status == BG_OK && slot <= BG_POINTS; slot++) {
        status = check_point(board, variant, slot, err);
    }
    for (int slot = BG_FAR; status == BG_OK && variant->points > BG_POINTS && slot < BG_SLOTS;
         slot++) {
        status = check_point(board, variant, slot, err);
    }
    return status;
}

/* ---- flags ---- */

/* V23: at least one checker of a pile is not stacked, and no checker is off while one is
 * stacked. */
static bool stacks_are_possible(const struct bg_board *board, const struct bg_variant *variant,
                                int seat)
{
    int stacked = 0;

    for (int point = 1; point <= 6; point++) {
        const int high = board->stacked[seat][point];

        if (high > 0 && (variant->flags != FLAGS_STACKS || high >= board->at[seat][point])) {
            return false;
        }
        stacked += high;
    }
    return board->stacked[seat][0] == 0 && (stacked == 0 || board->at[seat][BG_OFF] == 0);
}

static enum bg_status check_flags(const struct bg_board *board, const struct bg_variant *variant,
                                  struct bg_error *err)
{
    for (int seat = 0; seat < 2; seat++) {
        if (board->turns[seat] > (variant->flags == FLAGS_TURNS ? 3 : 0)) {
            return bg_error_set(err, BG_E_ARGUMENT, "position: %d turns of seat %d are counted",
                                board->turns[seat], seat);
        }
        if (board->may_hit[seat] > (variant->flags == FLAGS_RIGHT ? 1 : 0)) {
            return bg_error_set(err, BG_E_ARGUMENT, "position: seat %d has the right to hit %d",
                                seat, board->may_hit[seat]);
        }
        if (!stacks_are_possible(board, variant, seat)) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "position: impossible stacked checkers of seat %d", seat);
        }
    }
    return BG_OK;
}

static enum bg_status check_board(const struct bg_board *board, const struct bg_variant *variant,
                                  struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int winner = NOBODY;

    for (int seat = 0; status == BG_OK && seat < 2; seat++) {
        status = check_checkers(board, variant, seat, err);
    }
    if (status == BG_OK) {
        status = check_points(board, variant, err);
    }
    if (status == BG_OK) {
        status = check_flags(board, variant, err);
    }
    if (status == BG_OK && board_end(&winner, variant, board) != BOARD_GOES_ON) {
        status = bg_error_set(err, BG_E_ARGUMENT, "position: the game is over: mothers are pinned");
    }
    return status;
}

/* ---- cube and score ---- */

static enum bg_status check_cube(const struct bg_start *start, const struct bg_rules *rules,
                                 struct bg_error *err)
{
    if (start->cube_log2 < 0 || start->cube_log2 > BG_CUBE_LOG2_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "cube 2^%d: expected 2^0 to 2^%d", start->cube_log2,
                            BG_CUBE_LOG2_MAX);
    }
    if (start->cube_owner < BG_CENTRED || start->cube_owner > 1) {
        return bg_error_set(err, BG_E_ARGUMENT, "cube owner %d: expected 0, 1 or -1 (centred)",
                            start->cube_owner);
    }
    if (!rules->cube && (start->cube_log2 != 0 || start->cube_owner != BG_CENTRED)) {
        return bg_error_set(err, BG_E_ARGUMENT, "cube turned in a game without cube");
    }
    return BG_OK;
}

static enum bg_status check_score(const struct bg_start *start, const struct bg_rules *rules,
                                  struct bg_error *err)
{
    int length = rules->length_points;
    int64_t most = length > 0 ? length - 1 : SCORE_MAX;

    for (int seat = 0; seat < 2; seat++) {
        if (start->score[seat] < 0 || start->score[seat] > most) {
            return bg_error_set(err, BG_E_ARGUMENT, "score %lld of seat %d: expected 0 to %lld",
                                (long long)start->score[seat], seat, (long long)most);
        }
    }
    if (start->game < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "game %d: expected 0 or more", start->game);
    }
    return BG_OK;
}

/* At a Crawford score, start must set crawford_game or crawford_done. */
static enum bg_status check_crawford(const struct bg_start *start, const struct bg_match *match,
                                     struct bg_error *err)
{
    bool due = match->rules.crawford && flow_is_crawford_score(match);

    if (start->crawford_game && (!due || start->crawford_done)) {
        return bg_error_set(err, BG_E_ARGUMENT, "no Crawford game at %lld-%lld in a match to %d",
                            (long long)start->score[0], (long long)start->score[1],
                            match->rules.length_points);
    }
    if (due && !start->crawford_game && !start->crawford_done) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "score %lld-%lld in a match to %d: either this is the Crawford game "
                            "or it is past",
                            (long long)start->score[0], (long long)start->score[1],
                            match->rules.length_points);
    }
    return BG_OK;
}

/* ---- beginning ---- */

static void begin_from(struct bg_match *match, const struct bg_rules *rules, int game)
{
    memset(match, 0, sizeof *match);
    match->rules = *rules;
    match->game = game;
    match->began = NOBODY;
    match->last_winner = NOBODY;
    match->match_winner = NOBODY;
    flow_begin_game(match);
}

void bg_match_begin(struct bg_match *match, const struct bg_rules *rules)
{
    assert(bg_rules_check(rules, NULL) == BG_OK);
    begin_from(match, rules, 0);
}

/* The checks that do not need a match yet. */
static enum bg_status check_first(const struct bg_start *start, const struct bg_rules *rules,
                                  struct bg_error *err)
{
    enum bg_status status = bg_rules_check(rules, err);

    for (size_t i = 0; i < sizeof start->reserved / sizeof start->reserved[0]; i++) {
        if (status == BG_OK && start->reserved[i] != 0) {
            status = bg_error_set(err, BG_E_ARGUMENT, "start: with what bgref %s does not know",
                                  BG_VERSION);
        }
    }
    if (status == BG_OK) {
        status = check_cube(start, rules, err);
    }
    if (status == BG_OK) {
        status = check_score(start, rules, err);
    }
    if (status == BG_OK && (start->on_roll < NOBODY || start->on_roll > 1)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "seat on roll %d: expected 0, 1 or -1 (opening)",
                              start->on_roll);
    }
    if (status == BG_OK && start->by_next && start->on_roll == NOBODY) {
        status = bg_error_set(err, BG_E_ARGUMENT, "a game begun by the last one: by which seat?");
    }
    return status;
}

enum bg_status bg_match_begin_at(struct bg_match *match, const struct bg_rules *rules,
                                 const struct bg_start *start, struct bg_error *err)
{
    struct bg_match begun;
    enum bg_status status = check_first(start, rules, err);

    if (status != BG_OK) {
        return status;
    }
    begin_from(&begun, rules, start->game);
    status = check_board(&start->board, begun.rules.variant, err);
    if (status != BG_OK) {
        return status;
    }
    begun.board = start->board;
    memcpy(begun.score, start->score, sizeof begun.score);
    begun.cube_log2 = start->cube_log2;
    begun.cube_owner = start->cube_owner;
    begun.cube_turned = start->cube_owner != BG_CENTRED; /* an owned cube was taken by its owner */
    begun.crawford_game = start->crawford_game;
    begun.crawford_done = start->crawford_done;
    begun.set_position = start->on_roll != NOBODY && !start->by_next;
    status = check_crawford(start, &begun, err);
    if (status != BG_OK) {
        return status;
    }
    if (start->on_roll != NOBODY) {
        flow_begin_turn(&begun, start->on_roll);
    }
    *match = begun;
    return BG_OK;
}
