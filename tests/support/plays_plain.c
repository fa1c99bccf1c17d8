#include "plays_plain.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 36, FROM_BAR = -1, FROM_HAND = 0, BUCKETS = 16384 };

/* One side in its own numbering. Bytes only, so that two of them can be compared by memcmp. */
struct side {
    uint8_t on[POINTS + 1];    /* free checkers */
    uint8_t under[POINTS + 1]; /* pinned ones */
    uint8_t bar, hand, off;
    uint8_t right;      /* the right to hit, once earned */
    uint8_t stacked[7]; /* of piles */
};

struct position {
    struct side me, opponent;
};

/* A sequence of single moves and the facts that later moves need. */
struct node {
    struct position pos;
    unsigned done; /* bit i: number i of the stage is used */
    int count, sum;
    int from_head;
    bool hit[POINTS + 1]; /* own points where it has hit */
};

enum over { GOES_ON, OVER_OFF, OVER_MOTHER };

struct search {
    const struct plain_game *game;
    const struct plain_stage *stage;
    int head; /* checkers that may leave own 24 */
    int most, sum;
    int count;
    struct position found[PLAIN_MAX];
    bool anyway[PLAIN_MAX]; /* legal with any count of used numbers */
    int bucket[BUCKETS];    /* index into found plus 1, 0 free */
};

static int slot_of(int point)
{
    return point > BG_POINTS ? point - BG_POINTS - 1 + BG_FAR : point;
}

static void side_read(struct side *out, const struct bg_board *board, int seat)
{
    memset(out, 0, sizeof *out);
    for (int n = 1; n <= POINTS; n++) {
        const int slot = slot_of(n);

        if ((board->pinned[seat] >> slot & 1) != 0) {
            out->under[n] = board->at[seat][slot];
        } else {
            out->on[n] = board->at[seat][slot];
        }
    }
    out->bar = board->at[seat][BG_BAR];
    out->hand = board->at[seat][BG_HAND];
    out->off = board->at[seat][BG_OFF];
    out->right = board->may_hit[seat];
    memcpy(out->stacked, board->stacked[seat], sizeof out->stacked);
}

static void side_write(struct bg_board *board, int seat, const struct side *side)
{
    board->pinned[seat] = 0;
    for (int n = 1; n <= POINTS; n++) {
        board->at[seat][slot_of(n)] = (uint8_t)(side->on[n] + side->under[n]);
        if (side->under[n] > 0) {
            board->pinned[seat] |= UINT64_C(1) << slot_of(n);
        }
    }
    board->at[seat][BG_BAR] = side->bar;
    board->at[seat][BG_HAND] = side->hand;
    board->at[seat][BG_OFF] = side->off;
    board->may_hit[seat] = side->right;
    memcpy(board->stacked[seat], side->stacked, sizeof side->stacked);
}

static int at(const struct side *side, int n)
{
    return side->on[n] + side->under[n];
}

static int home_of(const struct plain_game *game)
{
    return game->points == 36 ? 12 : 6;
}

static bool holds_all(const struct side *side, int low, int high)
{
    for (int n = low; n <= high; n++) {
        if (at(side, n) == 0) {
            return false;
        }
    }
    return true;
}

static bool has_below(const struct side *side, int limit)
{
    for (int n = 1; n < limit; n++) {
        if (at(side, n) > 0) {
            return true;
        }
    }
    return false;
}

/* V4.2. */
static bool six_block(const struct plain_game *game, const struct position *pos)
{
    for (int low = 1; low + 5 <= 24; low++) {
        bool held = true;

        for (int n = low; n < low + 6; n++) {
            held = held && at(&pos->me, plain_opponent_point(game, n)) > 0;
        }
        if (held && (game->block == PLAIN_BLOCK_ALL ||
                     (pos->opponent.off == 0 && !has_below(&pos->opponent, low)))) {
            return true;
        }
    }
    return false;
}

/* V8.2, V9.2. */
static bool quarter_too_full(const struct plain_game *game, const struct side *me)
{
    int start = 0;

    for (int n = 7; n <= 12; n++) {
        start += at(me, n) > 0;
    }
    switch (game->quarter) {
    case PLAIN_QUARTER_OWN:
        return holds_all(me, 19, 24);
    case PLAIN_QUARTER_BOTH:
        return holds_all(me, 19, 24) || start == 6;
    case PLAIN_QUARTER_FOUR:
        return start > 4;
    case PLAIN_QUARTER_HOME:
        return holds_all(me, 1, 6);
    default:
        return false;
    }
}

/* V8.3: all opposing checkers on one point, and the six points before it ours. */
static bool stuck(const struct plain_game *game, const struct position *pos)
{
    int q = 0;

    for (int n = 1; n <= game->points; n++) {
        if (at(&pos->opponent, n) > 0) {
            if (q != 0) {
                return false;
            }
            q = n;
        }
    }
    if (q < 7) {
        return false;
    }
    for (int n = q - 6; n < q; n++) {
        if (at(&pos->me, plain_opponent_point(game, n)) == 0) {
            return false;
        }
    }
    return true;
}

/* G9 and V7.1: the end that a move of `me` has caused. An opponent who is already off does not
 * matter here: with equal turns (V4) this plays no part. */
static enum over over(const struct plain_game *game, const struct position *pos)
{
    const bool my_mother = pos->me.under[24] > 0, opponents_mother = pos->opponent.under[24] > 0;

    if (pos->me.off == game->checkers) {
        return OVER_OFF;
    }
    if (!game->mother) {
        return GOES_ON;
    }
    if ((my_mother && opponents_mother) || (my_mother && at(&pos->opponent, 24) == 0) ||
        (opponents_mother && at(&pos->me, 24) == 0)) {
        return OVER_MOTHER;
    }
    return GOES_ON;
}

/* V8.1. */
static bool waits_for_first(const struct plain_game *game, const struct side *me, int from)
{
    bool away = false;

    if (game->first == 0 || me->off > 0) {
        return false;
    }
    for (int n = 1; n < 24; n++) {
        if (at(me, n) > 0 && n <= game->first) {
            return false;
        }
        away = away || at(me, n) > 0;
    }
    return away && from == 24;
}

static bool may_enter_from_hand(const struct search *search, const struct side *me)
{
    const struct plain_game *game = search->game;
    const int *number = search->stage->number;
    bool opens = true; /* a stage of a double or of 21 */

    for (int i = 1; i < search->stage->count; i++) {
        opens = opens && number[i] == number[0];
    }
    opens = opens || (search->stage->count == 2 && number[0] + number[1] == 3);
    return opens || game->gate == PLAIN_GATE_FREE ||
           (game->gate == PLAIN_GATE_FIRST && me->hand < game->checkers);
}

static bool may_hit(const struct plain_game *game, const struct side *me)
{
    return game->right == PLAIN_RIGHT_GIVEN ||
           (game->right == PLAIN_RIGHT_KEPT && me->right != 0) ||
           (game->right == PLAIN_RIGHT_PRESENT && (me->off > 0 || has_below(me, 7)));
}

/* G2. */
static bool may_land(const struct plain_game *game, const struct position *pos, int to)
{
    const int opponents = pos->opponent.on[plain_opponent_point(game, to)];

    if (opponents == 0) {
        return true;
    }
    switch (game->contact) {
    case PLAIN_HIT:
        return opponents == 1 && may_hit(game, &pos->me);
    case PLAIN_PIN:
        return opponents == 1 && pos->me.under[to] == 0;
    default:
        return false;
    }
}

/* G4. */
static bool may_bear_off(const struct plain_game *game, const struct side *me, int from, int number)
{
    if (me->bar > 0 || me->hand > 0 || from > number || (game->exact && from < number)) {
        return false;
    }
    for (int n = 1; n <= game->points; n++) {
        if (n > home_of(game) && at(me, n) > 0) {
            return false;
        }
        if (me->under[n] > 0 && !game->bear_pinned) {
            return false;
        }
        if (n > from && at(me, n) > 0 && from < number) {
            return false;
        }
    }
    return true;
}

static bool restricted(const struct plain_game *game, const struct node *node, int to)
{
    for (int n = 1; n <= home_of(game) && game->stay_on_hits; n++) {
        if (node->hit[n] && at(&node->pos.me, n) == 0) {
            return true;
        }
    }
    return (game->five && to >= 1 && node->pos.me.on[to] > 5) ||
           ((game->block == PLAIN_BLOCK_AHEAD || game->block == PLAIN_BLOCK_ALL) &&
            six_block(game, &node->pos)) ||
           quarter_too_full(game, &node->pos.me);
}

static void leave(const struct plain_game *game, struct position *pos, int from)
{
    if (from == FROM_BAR) {
        pos->me.bar--;
    } else if (from == FROM_HAND) {
        pos->me.hand--;
    } else {
        const int q = plain_opponent_point(game, from);

        pos->me.on[from]--;
        if (game->contact == PLAIN_PIN && pos->me.on[from] == 0 && pos->opponent.under[q] > 0) {
            pos->opponent.under[q] = 0;
            pos->opponent.on[q] = 1;
        }
    }
}

static void land(const struct plain_game *game, struct node *node, int to)
{
    struct position *pos = &node->pos;
    const int q = plain_opponent_point(game, to);

    if (pos->opponent.on[q] > 0) {
        pos->opponent.on[q] = 0;
        if (game->contact == PLAIN_PIN) {
            pos->opponent.under[q] = 1;
        } else {
            pos->opponent.bar++;
            node->hit[to] = true;
        }
    }
    pos->me.on[to]++;
    if (game->right == PLAIN_RIGHT_KEPT && to <= 6) {
        pos->me.right = 1;
    }
}

/* V23.2: lowers a stacked checker, or takes one off when none is stacked. */
static bool move_pile(struct node *node, int from, int number)
{
    struct side *me = &node->pos.me;
    int stacked = 0;

    for (int n = 1; n <= 6; n++) {
        stacked += me->stacked[n];
    }
    if (from != number) {
        return false;
    }
    if (stacked > 0) {
        if (me->stacked[from] == 0) {
            return false;
        }
        me->stacked[from]--;
        return true;
    }
    if (me->on[from] == 0) {
        return false;
    }
    me->on[from]--;
    me->off++;
    return true;
}

/* Moves one checker by one number if that is legal by itself; else returns false, and *node is
 * spoilt. */
static bool single_move(const struct search *search, struct node *node, int from, int number)
{
    const struct plain_game *game = search->game;
    const struct side *me = &node->pos.me;
    const bool enters = from == FROM_BAR || from == FROM_HAND;
    const int to = (enters ? game->points + 1 : from) - number;

    if (game->contact == PLAIN_PILES) {
        return from >= 1 && move_pile(node, from, number);
    }
    if ((from == FROM_BAR    ? me->bar
         : from == FROM_HAND ? me->hand
                             : me->on[from]) == 0 ||
        (me->bar > 0 && from != FROM_BAR)) {
        return false;
    }
    if ((from == FROM_HAND && !may_enter_from_hand(search, me)) ||
        (!enters && me->hand > 0 && game->entering == PLAIN_ENTER_ALL) ||
        (to < 13 && me->hand > 0 && game->entering == PLAIN_ENTER_HALF)) {
        return false;
    }
    if (waits_for_first(game, me, from) || (from == 24 && node->from_head >= search->head)) {
        return false;
    }
    if (to >= 1 ? !may_land(game, &node->pos, to) : !may_bear_off(game, me, from, number)) {
        return false;
    }
    node->from_head += from == 24;
    leave(game, &node->pos, from);
    if (to >= 1) {
        land(game, node, to);
    } else {
        node->pos.me.off++;
    }
    return !restricted(game, node, to);
}

static int *bucket_of(struct search *search, const struct position *pos)
{
    const unsigned char *byte = (const unsigned char *)pos;
    uint32_t hash = 2166136261u;
    int *bucket;

    for (size_t i = 0; i < sizeof *pos; i++) {
        hash = (hash ^ byte[i]) * 16777619u;
    }
    for (bucket = &search->bucket[hash % BUCKETS];
         *bucket != 0 && memcmp(&search->found[*bucket - 1], pos, sizeof *pos) != 0;) {
        bucket = bucket == &search->bucket[BUCKETS - 1] ? search->bucket : bucket + 1;
    }
    return bucket;
}

static void add(struct search *search, const struct position *pos, bool anyway)
{
    int *bucket = bucket_of(search, pos);

    if (*bucket == 0) {
        if (search->count == PLAIN_MAX) {
            abort();
        }
        search->found[search->count] = *pos;
        search->anyway[search->count] = anyway;
        *bucket = ++search->count;
    } else if (anyway) {
        search->anyway[*bucket - 1] = true;
    }
}

/* The sequences found so far used too few numbers, or too low ones. */
static void forget(struct search *search)
{
    const int count = search->count;

    search->count = 0;
    memset(search->bucket, 0, sizeof search->bucket);
    for (int i = 0; i < count; i++) {
        if (search->anyway[i]) {
            const struct position kept = search->found[i];

            add(search, &kept, true);
        }
    }
}

/* G6 for a sequence that ends here. */
static void finish(struct search *search, const struct node *node, bool anyway)
{
    const bool counts =
        search->game->duty == PLAIN_DUTY_FULL || search->game->duty == PLAIN_DUTY_EITHER;
    const int sum = search->game->duty == PLAIN_DUTY_FULL ? node->sum : 0;

    if (counts &&
        (node->count > search->most || (node->count == search->most && sum > search->sum))) {
        search->most = node->count;
        search->sum = sum;
        forget(search);
    }
    if (!counts || anyway || (node->count == search->most && sum == search->sum)) {
        add(search, &node->pos, anyway);
    }
}

static void go_on(struct search *search, const struct node *node)
{
    const struct plain_game *game = search->game;
    const enum over ended = node->count > 0 ? over(game, &node->pos) : GOES_ON;
    bool goes_on = false;

    for (int i = 0; i < search->stage->count && ended == GOES_ON; i++) {
        bool same = false; /* an unused number that was already tried here */

        for (int j = 0; j < i; j++) {
            same = same || ((node->done >> j & 1) == 0 &&
                            search->stage->number[j] == search->stage->number[i]);
        }
        for (int from = FROM_BAR; from <= game->points; from++) {
            struct node next = *node;

            if (!same && (node->done >> i & 1) == 0 &&
                single_move(search, &next, from, search->stage->number[i])) {
                goes_on = true;
                next.done |= 1u << i;
                next.count++;
                next.sum += search->stage->number[i];
                go_on(search, &next);
            }
        }
    }
    if (game->block == PLAIN_BLOCK_END) {
        /* Only the end of a turn is judged: a sequence may end anywhere, and G6 selects. */
        if (node->count > 0 && !six_block(game, &node->pos)) {
            finish(search, node, false);
        }
    } else if (game->duty == PLAIN_DUTY_NONE ? node->count > 0 || goes_on
                                             : node->count > 0 && !goes_on) {
        finish(search, node, ended == OVER_MOTHER);
    }
}

static void enumerate(struct search *search, const struct position *pos, int head)
{
    const struct node start = {.pos = *pos};

    search->head = head;
    search->count = search->most = search->sum = 0;
    memset(search->bucket, 0, sizeof search->bucket);
    go_on(search, &start);
}

/* V4.1. */
static void enumerate_by_head(struct search *search, const struct position *pos)
{
    const struct plain_stage *stage = search->stage;
    const bool untouched = pos->me.on[24] == search->game->checkers;
    const bool four = stage->count == 4;
    const int n = stage->number[0];

    switch (search->game->head) {
    case PLAIN_HEAD_DOUBLES:
        enumerate(search, pos, untouched && four && (n == 3 || n == 4 || n == 6) ? 2 : 1);
        break;
    case PLAIN_HEAD_ANY:
        enumerate(search, pos, untouched ? 2 : 1);
        break;
    case PLAIN_HEAD_NEED:
        enumerate(search, pos, 1);
        if (untouched && search->most < stage->count) {
            enumerate(search, pos, 2);
        }
        break;
    default:
        enumerate(search, pos, BG_CHECKERS);
    }
}

void plays_plain(struct plain_list *out, const struct plain_game *game,
                 const struct bg_board *board, int seat, const struct plain_stage *stage)
{
    static struct search search;
    struct position pos;
    bool opens = false;

    search.game = game;
    search.stage = stage;
    side_read(&pos.me, board, seat);
    side_read(&pos.opponent, board, 1 - seat);
    enumerate_by_head(&search, &pos);
    for (int i = 0; i < search.count; i++) {
        opens = opens || !stuck(game, &search.found[i]);
    }
    out->count = 0;
    out->most = search.most;
    out->sum = search.sum;
    for (int i = 0; i < search.count; i++) {
        if (!game->open_prime || !opens || !stuck(game, &search.found[i])) {
            struct bg_board *result = &out->result[out->count++];

            *result = *board;
            side_write(result, seat, &search.found[i].me);
            side_write(result, 1 - seat, &search.found[i].opponent);
        }
    }
}

bool plain_over(const struct plain_game *game, const struct bg_board *board)
{
    struct position pos;

    side_read(&pos.me, board, 0);
    side_read(&pos.opponent, board, 1);
    return over(game, &pos) != GOES_ON || pos.opponent.off == game->checkers;
}

void plain_setup(struct bg_board *out, const struct plain_game *game)
{
    memset(out, 0, sizeof *out);
    for (int seat = 0; seat < 2; seat++) {
        const char *at = game->setup;

        out->at[seat][BG_HAND] = *at == '\0' ? (uint8_t)game->checkers : 0;
        while (*at != '\0') {
            char *end;
            const long point = strtol(at, &end, 10), checkers = strtol(end + 1, &end, 10);

            out->at[seat][point] = (uint8_t)checkers;
            if (game->contact == PLAIN_PILES) {
                out->stacked[seat][point] = (uint8_t)(checkers - 1);
            }
            at = end + (*end == ' ');
        }
    }
}

struct plain_stage plain_stage_roll(const struct plain_game *game, int a, int b, int c)
{
    if (game->dice == 3) {
        return (struct plain_stage){3, {a, b, c}};
    }
    return (struct plain_stage){a == b ? game->times : 2, {a, b, a, b}};
}

bool plain_has(const struct plain_list *list, const struct bg_board *board)
{
    for (int i = 0; i < list->count; i++) {
        if (bg_board_equal(&list->result[i], board)) {
            return true;
        }
    }
    return false;
}
