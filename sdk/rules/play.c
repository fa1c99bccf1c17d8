/* Plays by a stage, generic part: everything here goes through the game's mover. The moves of
 * backgammon itself are in play_hit.c. */
#include <bgref/play.h>

#include <assert.h>
#include <string.h>

#include <bgref/notation.h>

#include "games.h"

struct bg_stage bg_stage_of_roll(const struct bg_variant *variant, struct bg_roll roll)
{
    struct bg_stage stage = {0};
    uint8_t times[7] = {0};

    /* G8: an opening with two dice is possible in a game with three. */
    const int dice = variant->dice == 3 && roll.die[2] == 0 ? 2 : variant->dice;

    if (dice == 2 && roll.die[0] > roll.die[1]) { /* the most frequent roll, for speed */
        assert(roll.die[0] <= 6 && roll.die[1] >= 1);
        return (struct bg_stage){.parts = 2, .part = {{roll.die[0], 1}, {roll.die[1], 1}}};
    }
    for (int i = 0; i < dice; i++) {
        assert(roll.die[i] >= 1 && roll.die[i] <= 6);
        times[roll.die[i]]++;
    }
    for (int number = 6; number >= 1; number--) {
        if (times[number] > 0) {
            stage.part[stage.parts].number = (uint8_t)number;
            stage.part[stage.parts].times = times[number];
            stage.parts++;
        }
    }
    if (variant->dice == 2 && stage.parts == 1) {
        stage.part[0].times = (uint8_t)variant->double_times;
    }
    return stage;
}

void bg_play_list(struct bg_play_list *out, const struct bg_variant *variant,
                  const struct bg_board *board, int seat, const struct bg_stage *stage)
{
    variant->mover->list(out, variant, board, seat, stage);
}

bool bg_play_exists(const struct bg_variant *variant, const struct bg_board *board, int seat,
                    const struct bg_stage *stage)
{
    return variant->mover->exists(variant, board, seat, stage);
}

void bg_play_make(struct bg_board *out, const struct bg_variant *variant,
                  const struct bg_board *board, int seat, const struct bg_play *play)
{
    if (out != board) {
        *out = *board;
    }
    for (int i = 0; i < play->moves; i++) {
        variant->mover->move(out, variant, seat, play->move[i].from, play->move[i].to);
    }
}

/* The order of results. Position IDs are compared as two words, other notations as text. */
struct order_key {
    uint64_t word[2];
    uint16_t index;
};

struct ordering {
    const struct bg_variant *variant;
    const struct bg_board *board;
    const struct bg_play_list *list;
    int seat;
};

static void order_text(char text[BG_POSITION_TEXT], const struct ordering *by, size_t index)
{
    struct bg_board after;

    bg_play_make(&after, by->variant, by->board, by->seat, &by->list->play[index]);
    bg_position_order_text(text, by->variant, &after, by->seat);
}

/* The first 16 bytes order Position IDs completely; for longer texts they decide most
 * comparisons. */
static struct order_key order_key(const struct ordering *by, size_t index)
{
    char text[BG_POSITION_TEXT] = {0};
    struct order_key key = {{0, 0}, (uint16_t)index};

    order_text(text, by, index);
    for (int i = 0; i < 16; i++) {
        key.word[i / 8] = key.word[i / 8] << 8 | (uint8_t)text[i];
    }
    return key;
}

static bool precedes(const struct ordering *by, const struct order_key *a,
                     const struct order_key *b)
{
    char text_a[BG_POSITION_TEXT], text_b[BG_POSITION_TEXT];

    for (int i = 0; i < 2; i++) {
        if (a->word[i] != b->word[i]) {
            return a->word[i] < b->word[i];
        }
    }
    order_text(text_a, by, a->index);
    order_text(text_b, by, b->index);
    return strcmp(text_a, text_b) < 0;
}

/* Moves keys[root] down in the heap keys[0..count-1], which has the last in order on top. */
static void sink(struct order_key *keys, size_t root, size_t count, const struct ordering *by)
{
    const struct order_key key = keys[root];

    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && precedes(by, &keys[child], &keys[child + 1])) {
            child++;
        }
        if (!precedes(by, &key, &keys[child])) {
            break;
        }
        keys[root] = keys[child];
    }
    keys[root] = key;
}

/* Heapsort, because the C library's qsort may allocate. */
static void sort_keys(struct order_key *keys, size_t count, const struct ordering *by)
{
    for (size_t root = count / 2; root-- > 0;) {
        sink(keys, root, count, by);
    }
    for (size_t last = count; last-- > 1;) {
        const struct order_key key = keys[0];

        keys[0] = keys[last];
        keys[last] = key;
        sink(keys, 0, last, by);
    }
}

void bg_play_list_sort(struct bg_play_list *list, const struct bg_variant *variant,
                       const struct bg_board *board, int seat)
{
    const struct ordering by = {variant, board, list, seat};
    struct order_key keys[BG_PLAYS_MAX];

    for (size_t i = 0; i < list->count; i++) {
        /* Written once for each play: a comparison of words costs far less than writing an ID. */
        keys[i] = order_key(&by, i);
    }
    sort_keys(keys, list->count, &by);
    /* Reorders in place, cycle by cycle: a second list would take 37 KB more of the stack. */
    for (size_t i = 0; i < list->count; i++) {
        const struct bg_play first = list->play[i];
        size_t to = i;

        for (size_t from; (from = keys[to].index) != i; to = from) {
            list->play[to] = list->play[from];
            keys[to].index = (uint16_t)to;
        }
        list->play[to] = first;
        keys[to].index = (uint16_t)to;
    }
}

/* Returns the play in list, the legal plays of board, whose result equals `result`; NULL if there
 * is none. */
static const struct bg_play *find_result(const struct bg_play_list *list,
                                         const struct bg_variant *variant,
                                         const struct bg_board *board, int seat,
                                         const struct bg_board *result)
{
    for (size_t i = 0; i < list->count; i++) {
        struct bg_board after;

        bg_play_make(&after, variant, board, seat, &list->play[i]);
        if (bg_board_equal(&after, result)) {
            return &list->play[i];
        }
    }
    return NULL;
}

enum bg_rule bg_play_check_result(struct bg_play *play, const struct bg_variant *variant,
                                  const struct bg_board *board, int seat,
                                  const struct bg_stage *stage, const struct bg_board *result)
{
    struct bg_play_list list;
    const struct bg_play *found;

    bg_play_list(&list, variant, board, seat, stage);
    if (list.count == 0 && bg_board_equal(board, result)) {
        if (play != NULL) {
            play->moves = 0;
        }
        return BG_RULE_NONE;
    }
    found = find_result(&list, variant, board, seat, result);
    if (found == NULL) {
        return BG_RULE_RESULT;
    }
    if (play != NULL) {
        *play = *found;
    }
    return BG_RULE_NONE;
}

/* A play as the bot wrote it, while its readings are tried: any order of its moves, any way to
 * split a merged move into single ones. */
struct play_reading {
    struct course course;
    const struct bg_play *play;
    int numbers;               /* of the stage */
    uint8_t now[BG_MOVES_MAX]; /* the present slot of each move's checker */
    bool done[BG_MOVES_MAX];   /* the checker has arrived */
    uint8_t left[7];           /* left[n]: number of times that n can still be used */
    int used;                  /* numbers used */
    bool listed;               /* list is made */
    bool unmerged;             /* each move is one number */
    bool legal, ambiguous;     /* found: a legal reading; two with different results */
    struct bg_board result;    /* of the legal reading */
    enum bg_rule broken;       /* why the reading that used the most numbers failed */
    int broken_at;             /* how many numbers that reading used */
    struct bg_play_list list;
};

static void note_failure(struct play_reading *reading, enum bg_rule rule, int at)
{
    /* The reading that came farthest is what the author meant: its reason is the one to tell. */
    if (at > reading->broken_at) {
        reading->broken_at = at;
        reading->broken = rule;
    }
}

/* Returns true if some of the remaining numbers add up to pips exactly (when bearing off: to at
 * least pips). */
static bool reaches(const uint8_t left[7], int pips, bool off, int number)
{
    int sum = 0;

    if (off) {
        for (int n = 1; n <= 6; n++) {
            sum += n * left[n];
        }
        return sum >= pips;
    }
    if (pips == 0) {
        return true;
    }
    for (int n = number; n >= 1; n--) {
        if (n <= pips && left[n] > 0) {
            uint8_t rest[7];

            memcpy(rest, left, sizeof rest);
            rest[n]--;
            if (reaches(rest, pips - n, false, n)) {
                return true;
            }
        }
    }
    return false;
}

/* Returns the pips from one slot to another. A checker that is lowered (V23.2) uses its point's
 * number. */
static int pips_between(const struct bg_variant *variant, int from, int to)
{
    if (variant->contact == CONTACT_NONE) {
        return from;
    }
    return point_of_slot(variant, from) - point_of_slot(variant, to);
}

/* Returns true if every sequence of legal single moves that uses all numbers is a legal play,
 * because no rule of the game looks at whole plays. */
static bool is_full_legal(const struct bg_variant *variant)
{
    return !variant->prime && variant->block != BLOCK_END;
}

/* Returns the rule that makes the result of a reading illegal; BG_RULE_NONE if it is legal. */
static enum bg_rule judge_end(struct play_reading *reading, const struct bg_board *board)
{
    const struct course *course = &reading->course;
    int most = 0;

    if (!reading->listed) {
        bg_play_list(&reading->list, course->variant, course->before, course->seat, course->stage);
        reading->listed = true;
    }
    if ((reading->list.count == 0 && reading->used == 0) ||
        find_result(&reading->list, course->variant, course->before, course->seat, board) != NULL) {
        return BG_RULE_NONE;
    }
    for (size_t i = 0; i < reading->list.count; i++) {
        most = reading->list.play[i].moves > most ? reading->list.play[i].moves : most;
    }
    if (reading->used < most) {
        return BG_RULE_MOST;
    }
    if (course->variant->prime && is_stuck(course->variant, board, course->seat)) {
        return BG_RULE_PRIME;
    }
    if (course->variant->block == BLOCK_END &&
        is_blocked_in(course->variant, board, course->seat)) {
        return BG_RULE_SIX_BLOCK;
    }
    return reading->used < reading->numbers ? BG_RULE_HIGHER : BG_RULE_RESULT;
}

/* Handles a complete reading: all its moves are made on board. */
static void finish_reading(struct play_reading *reading, const struct bg_board *board)
{
    if (reading->used < reading->numbers || !is_full_legal(reading->course.variant)) {
        const enum bg_rule rule = judge_end(reading, board);

        if (rule != BG_RULE_NONE) {
            note_failure(reading, rule, BG_MOVES_MAX + 1);
            return;
        }
    }
    if (reading->legal && !bg_board_equal(&reading->result, board)) {
        reading->ambiguous = true;
    }
    reading->legal = true;
    reading->result = *board;
}

static void read_on(struct play_reading *reading, const struct bg_board *board);

/* Returns true if the checker of move i, now on `to`, can still reach its target with the remaining
 * numbers. */
static bool can_go_on(const struct play_reading *reading, int i, int to)
{
    const int target = reading->play->move[i].to;
    const int pips = pips_between(reading->course.variant, to, target);

    if (reading->course.variant->contact == CONTACT_NONE) { /* V23.2: a checker does not move on */
        return false;
    }
    return to != BG_OFF && pips > 0 && reaches(reading->left, pips, target == BG_OFF, 6);
}

/* Continues move i by one number. */
static void read_die(struct play_reading *reading, const struct bg_board *board, int i, int number)
{
    const struct course *course = &reading->course;
    const struct mover *mover = course->variant->mover;
    const int from = reading->now[i], target = reading->play->move[i].to;
    enum bg_rule rule;
    int to;

    rule = mover->may(&to, course, board, from, number);
    if (rule != BG_RULE_NONE) {
        note_failure(reading, rule, reading->used);
        return;
    }
    reading->left[number]--;
    if (to == target || (!reading->unmerged && can_go_on(reading, i, to))) {
        struct bg_board next = *board;

        mover->move(&next, course->variant, course->seat, from, to);
        reading->now[i] = (uint8_t)to;
        reading->done[i] = to == target;
        reading->used++;
        read_on(reading, &next);
        reading->used--;
        reading->done[i] = false;
        reading->now[i] = (uint8_t)from;
    } else { /* with this number the checker reaches a slot that is not in the move */
        note_failure(reading,
                     course->variant->contact == CONTACT_NONE ? BG_RULE_STACKED : BG_RULE_DISTANCE,
                     reading->used);
    }
    reading->left[number]++;
}

static void read_on(struct play_reading *reading, const struct bg_board *board)
{
    /* With as many moves as numbers no move is merged, and every order gives the same board. */
    const bool single = reading->play->moves == reading->numbers;
    bool complete = true;

    for (int i = 0; i < reading->play->moves; i++) {
        const int target = reading->play->move[i].to;
        const int pips = pips_between(reading->course.variant, reading->now[i], target);

        if (reading->done[i]) {
            continue;
        }
        complete = false;
        if (!reaches(reading->left, pips, target == BG_OFF, 6)) {
            note_failure(reading, BG_RULE_NUMBER_USED, reading->used);
            continue;
        }
        for (int number = 6; number >= 1; number--) {
            if (reading->left[number] > 0 && (target == BG_OFF || number <= pips)) {
                read_die(reading, board, i, number);
            }
            if (reading->legal && single) {
                return;
            }
        }
    }
    if (complete) {
        finish_reading(reading, board);
    }
}

/* Returns true if a checker can move from this slot in the game. */
static bool is_slot(const struct bg_variant *variant, int slot)
{
    if (slot == BG_HAND) {
        return variant->setup[0].slot == BG_HAND;
    }
    return slot >= 1 && (slot <= BG_BAR || (slot < BG_SLOTS && variant->points > BG_POINTS));
}

/* Checks the parts of the moves that do not depend on the checkers. */
static enum bg_rule check_shape(const struct play_reading *reading)
{
    const struct bg_variant *variant = reading->course.variant;
    const struct bg_play *play = reading->play;

    if (play->moves > BG_MOVES_MAX) {
        return BG_RULE_NUMBER_USED;
    }
    for (int i = 0; i < play->moves; i++) {
        const int from = play->move[i].from, to = play->move[i].to;

        if (!is_slot(variant, from) ||
            (to != BG_OFF && (!is_slot(variant, to) || to == BG_BAR || to == BG_HAND))) {
            return BG_RULE_SLOT;
        }
    }
    for (int i = 0; i < play->moves; i++) {
        const int from = play->move[i].from, to = play->move[i].to;
        const int pips = pips_between(variant, from, to);

        if (pips <= 0 || !reaches(reading->left, pips, to == BG_OFF, 6) ||
            (variant->contact == CONTACT_NONE && to != from && to != BG_OFF)) {
            return BG_RULE_DISTANCE;
        }
    }
    return BG_RULE_NONE;
}

enum bg_rule bg_play_check(struct bg_board *result, const struct bg_variant *variant,
                           const struct bg_board *board, int seat, const struct bg_stage *stage,
                           const struct bg_play *play)
{
    const struct mover *mover = variant->mover;
    struct play_reading reading;
    enum bg_rule rule;

    /* Nearly all plays are written in an order that can be played, one move for each number, and
     * use all of them: then nothing has to be searched. */
    if (mover->written != NULL && is_full_legal(variant) &&
        mover->written(result, board, seat, stage, play)) {
        return BG_RULE_NONE;
    }
    /* An initialiser would clear the list too. */
    memset(&reading, 0, offsetof(struct play_reading, list));
    course_begin(&reading.course, variant, board, seat, stage);
    reading.play = play;
    reading.broken = BG_RULE_RESULT; /* the answer for a reading that cannot start */
    reading.broken_at = -1;
    for (int i = 0; i < stage->parts; i++) {
        reading.left[stage->part[i].number] = stage->part[i].times;
        reading.numbers += stage->part[i].times;
    }
    rule = check_shape(&reading);
    if (rule != BG_RULE_NONE) {
        return rule;
    }
    for (int i = 0; i < play->moves; i++) {
        reading.now[i] = play->move[i].from;
    }
    /* Where numbers may be left unused (V17.2), 2/off can be one number or two. First read it as
     * one; read it as a merged move only if that fails. */
    reading.unmerged = variant->duty == DUTY_ANY_END || variant->duty == DUTY_NONE;
    read_on(&reading, board);
    if (!reading.legal && reading.unmerged) {
        reading.unmerged = false;
        reading.broken_at = -1;
        read_on(&reading, board);
    }
    if (!reading.legal) {
        return reading.broken;
    }
    if (reading.ambiguous) {
        return BG_RULE_AMBIGUOUS;
    }
    *result = reading.result;
    return BG_RULE_NONE;
}
