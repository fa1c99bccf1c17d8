/* Legal plays by trying single moves: a tree of all positions that a stage can reach, built level
 * by level (no number used, one, two, ...). Each position appears once for each set of remaining
 * numbers. Works for every mover; backgammon itself has a faster way (play_hit.c). */
#include <assert.h>
#include <string.h>

#include "games.h"

/* Largest number of positions in a tree. Without hits the distance of each checker identifies a
 * position: four equal numbers give C(14+k, k) positions after k moves, 3875 together. Three
 * numbers give at most 45 positions after one move, 3 * 240 after two, and 4080 after three if the
 * order of one checker's steps matters as well (hits): 4845 together. */
enum { NODES = 4900, INDEX = 16384, INDEX_SMALL = 1024 };

struct node {
    uint64_t hash; /* hash of the position */
    struct bg_play play;
    uint8_t left[3]; /* left[i]: number of times that stage->part[i] can still be used */
    bool over;       /* the game ends here by the mother rule (V7.1) */
    bool open;       /* no more moves are possible */
};

struct tree {
    const struct course *course;
    int count;
    struct node node[NODES];
    int index_size;
    uint16_t index[INDEX]; /* hash table: node number + 1, 0 empty */
};

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct bg_board *board)
{
    uint64_t hash = 0, word;
    const uint8_t *bytes = &board->at[0][0];
    size_t i = 0;

    for (; i + sizeof word <= sizeof board->at; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        hash = mixed(hash, word);
    }
    word = 0;
    memcpy(&word, bytes + i, sizeof board->at - i);
    hash = mixed(hash, word);
    hash = mixed(hash, board->pinned[0]);
    hash = mixed(hash, board->pinned[1]);
    hash = mixed(hash, (uint64_t)board->may_hit[0] << 8 | board->may_hit[1]);
    for (int seat = 0; seat < 2; seat++) {
        word = 0;
        memcpy(&word, board->stacked[seat], sizeof board->stacked[seat]);
        hash = mixed(hash, word);
    }
    return hash;
}

static void board_of(struct bg_board *out, const struct tree *tree, const struct bg_play *play)
{
    bg_play_make(out, tree->course->variant, tree->course->before, tree->course->seat, play);
}

/* Returns true if node's position is board; the hash only selects the place to look. */
static bool is_same_board(const struct tree *tree, const struct node *node, uint64_t hash,
                          const struct bg_board *board)
{
    struct bg_board other;

    if (node->hash != hash) {
        return false;
    }
    board_of(&other, tree, &node->play);
    return bg_board_equal(&other, board);
}

/* Adds a position with its remaining numbers, unless it is already there. */
static void add_node(struct tree *tree, const struct bg_board *board, const struct bg_play *play,
                     const uint8_t left[3])
{
    const uint64_t hash = hash_of(board);
    const uint64_t key = mixed(hash, (uint64_t)left[0] << 16 | (uint64_t)left[1] << 8 | left[2]);
    size_t place = key & ((size_t)tree->index_size - 1);
    enum board_end end;
    struct node *node;
    int seat;

    for (; tree->index[place] != 0; place = (place + 1) & ((size_t)tree->index_size - 1)) {
        node = &tree->node[tree->index[place] - 1];
        if (memcmp(node->left, left, sizeof node->left) == 0 &&
            is_same_board(tree, node, hash, board)) {
            return;
        }
    }
    assert(tree->count < NODES);
    node = &tree->node[tree->count++];
    tree->index[place] = (uint16_t)tree->count;
    node->hash = hash;
    node->play = *play;
    memcpy(node->left, left, sizeof node->left);
    end = board_end(&seat, tree->course->variant, board);
    node->over = end == BOARD_MOTHER || end == BOARD_DRAW;
    node->open = true;
}

/* Adds every position that is one single move further. */
static void grow_node(struct tree *tree, int number_of_node)
{
    const struct course *course = tree->course;
    const struct mover *mover = course->variant->mover;
    struct node *node = &tree->node[number_of_node];
    struct bg_board board;

    board_of(&board, tree, &node->play);
    for (int part = 0; part < course->stage->parts; part++) {
        const int number = course->stage->part[part].number;

        for (int from = 1; node->left[part] > 0 && from < BG_SLOTS; from++) {
            struct bg_play play = node->play;
            uint8_t left[3];
            struct bg_board after;
            int to;

            if (board.at[course->seat][from] == 0 ||
                mover->may(&to, course, &board, from, number) != BG_RULE_NONE) {
                continue;
            }
            after = board;
            mover->move(&after, course->variant, course->seat, from, to);
            play.move[play.moves++] = (struct bg_move){(uint8_t)from, (uint8_t)to};
            memcpy(left, node->left, sizeof left);
            left[part]--;
            add_node(tree, &after, &play, left);
            node->open = false;
        }
    }
}

static void tree_grow(struct tree *tree, const struct course *course)
{
    const struct bg_stage *stage = course->stage;
    const struct bg_play none = {0};
    uint8_t left[3] = {0};
    int numbers = 0;

    for (int part = 0; part < stage->parts; part++) {
        left[part] = stage->part[part].times;
        numbers += left[part];
    }
    assert(numbers <= BG_MOVES_MAX);
    tree->course = course;
    tree->count = 0;
    /* Most rolls have two numbers, and clearing a large table would take longer than their tree. */
    tree->index_size = numbers > 2 ? INDEX : INDEX_SMALL;
    memset(tree->index, 0, (size_t)tree->index_size * sizeof tree->index[0]);
    add_node(tree, course->before, &none, left);
    for (int i = 0; i < tree->count; i++) {
        if (!tree->node[i].over) {
            grow_node(tree, i);
        }
    }
}

/* Returns the pips of the numbers that node has used. */
static int sum_used(const struct tree *tree, const struct node *node)
{
    const struct bg_stage *stage = tree->course->stage;
    int sum = 0;

    for (int part = 0; part < stage->parts; part++) {
        sum += stage->part[part].number * (stage->part[part].times - node->left[part]);
    }
    return sum;
}

/* What G6 requires in this stage. */
struct demand {
    int moves; /* the largest count of numbers */
    int sum;   /* and among those plays the largest sum */
};

/* V4 block=end: a play must not end in a block. */
static bool may_end(const struct tree *tree, const struct node *node)
{
    const struct course *course = tree->course;
    struct bg_board board;

    if (course->variant->block != BLOCK_END || node->play.moves == 0) {
        return true;
    }
    board_of(&board, tree, &node->play);
    return !is_blocked_in(course->variant, &board, course->seat);
}

static struct demand demand_of(const struct tree *tree)
{
    struct demand demand = {0, 0};

    for (int i = 1; i < tree->count; i++) {
        const struct node *node = &tree->node[i];
        const int moves = node->play.moves, sum = sum_used(tree, node);

        if (moves < demand.moves || (moves == demand.moves && sum <= demand.sum) ||
            !may_end(tree, node)) {
            continue;
        }
        demand = (struct demand){moves, sum};
    }
    return demand;
}

/* G6, or the rule that a game has in its place. */
static bool satisfies(const struct tree *tree, const struct node *node, const struct demand *demand)
{
    if (node->over) { /* V7.2 */
        return true;
    }
    switch (tree->course->variant->duty) {
    case DUTY_HIGHER:
        return node->play.moves == demand->moves && sum_used(tree, node) == demand->sum &&
               may_end(tree, node);
    case DUTY_MOST: /* V24.1 */
        return node->play.moves == demand->moves;
    case DUTY_ANY_END: /* V17.2 */
        return node->open;
    case DUTY_NONE: /* V17 free=stop */
        return true;
    }
    return false;
}

/* Puts the legal nodes into out. Each position once, although it may be reached with different
 * remaining numbers. */
static void collect(struct bg_play_list *out, struct tree *tree)
{
    const struct demand demand = demand_of(tree);

    out->count = 0;
    if (demand.moves == 0) { /* G6.3 */
        return;
    }
    memset(tree->index, 0, (size_t)tree->index_size * sizeof tree->index[0]);
    for (int i = 0; i < tree->count; i++) {
        const struct node *node = &tree->node[i];
        size_t place = node->hash & ((size_t)tree->index_size - 1);
        struct bg_board board;

        if (!satisfies(tree, node, &demand)) {
            continue;
        }
        board_of(&board, tree, &node->play);
        while (tree->index[place] != 0 &&
               !is_same_board(tree, &tree->node[tree->index[place] - 1], node->hash, &board)) {
            place = (place + 1) & ((size_t)tree->index_size - 1);
        }
        if (tree->index[place] == 0) {
            tree->index[place] = (uint16_t)(i + 1);
            assert(out->count < BG_PLAYS_MAX);
            out->play[out->count++] = node->play;
        }
    }
}

/* V8.3: removes plays that leave the opponent stuck, unless all of them do. */
static void open_prime(struct bg_play_list *list, const struct tree *tree)
{
    const struct course *course = tree->course;
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        struct bg_board board;

        board_of(&board, tree, &list->play[i]);
        if (!is_stuck(course->variant, &board, course->seat)) {
            list->play[kept++] = list->play[i];
        }
    }
    if (kept > 0) {
        list->count = kept;
    }
}

static void list_course(struct bg_play_list *out, const struct course *course)
{
    struct tree tree;

    tree_grow(&tree, course);
    collect(out, &tree);
    if (course->variant->prime) {
        open_prime(out, &tree);
    }
}

/* V4.1, the first turn: numbers that allow two checkers to leave the head. */
static bool is_head_double(const struct bg_stage *stage)
{
    const int number = stage->part[0].number;

    return stage->parts == 1 && stage->part[0].times == 4 &&
           (number == 3 || number == 4 || number == 6);
}

/* V4 head=need: one checker alone cannot play the whole stage. */
static bool needs_second(const struct course *course)
{
    struct course one = *course;
    struct tree tree;
    int numbers = 0;

    one.head_max = 1;
    tree_grow(&tree, &one);
    for (int part = 0; part < course->stage->parts; part++) {
        numbers += course->stage->part[part].times;
    }
    return demand_of(&tree).moves < numbers;
}

void course_begin(struct course *out, const struct bg_variant *variant,
                  const struct bg_board *board, int seat, const struct bg_stage *stage)
{
    const bool first_turn = board->at[seat][BG_POINTS] == variant->checkers;

    *out = (struct course){variant, board, stage, seat, 1};
    switch (variant->head) {
    case HEAD_FREE:
        out->head_max = variant->checkers;
        break;
    case HEAD_DOUBLES:
        out->head_max = first_turn && is_head_double(stage) ? 2 : 1;
        break;
    case HEAD_ANY:
        out->head_max = first_turn ? 2 : 1;
        break;
    case HEAD_NEED:
        out->head_max = first_turn && needs_second(out) ? 2 : 1;
        break;
    }
}

void tree_list(struct bg_play_list *out, const struct bg_variant *variant,
               const struct bg_board *board, int seat, const struct bg_stage *stage)
{
    struct course course;

    course_begin(&course, variant, board, seat, stage);
    list_course(out, &course);
}

bool tree_exists(const struct bg_variant *variant, const struct bg_board *board, int seat,
                 const struct bg_stage *stage)
{
    struct course course;
    int to;

    course_begin(&course, variant, board, seat, stage);
    if (variant->block == BLOCK_END) { /* decided only at the stage's end */
        struct bg_play_list list;

        list_course(&list, &course);
        return list.count > 0;
    }
    for (int part = 0; part < stage->parts; part++) {
        for (int from = 1; from < BG_SLOTS; from++) {
            if (board->at[seat][from] > 0 &&
                variant->mover->may(&to, &course, board, from, stage->part[part].number) ==
                    BG_RULE_NONE) {
                return true;
            }
        }
    }
    return false;
}
