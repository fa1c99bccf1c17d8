/* Requests and values for judges. Results of all rolls (with_legal) are for judges that have no
 * generator of plays, as those in other languages; they are made here by ours, so author and
 * referee cannot disagree about what is legal. */
#include "pack.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- requests */

struct item_space {
    Bgref__V1__EvaluateItem message;
    Bgref__V1__Rules rules;
    Bgref__V1__Played played;
    struct pack_position position, played_position;
};

static uint64_t not_negative(int64_t value)
{
    return value < 0 ? 0 : (uint64_t)value;
}

static Bgref__V1__Played *played_fill(struct item_space *space, const struct bg_ask_played *played)
{
    if (played == NULL) {
        return NULL;
    }
    bgref__v1__played__init(&space->played);
    space->played.dice =
        (ProtobufCBinaryData){played->roll.die[2] == 0 ? 2 : 3, pack_bytes_lent(played->roll.die)};
    space->played.position = pack_position(&space->played_position, &played->board);
    return &space->played;
}

static Bgref__V1__EvaluateItem *item_fill(struct item_space *space, const struct bg_ask *ask)
{
    Bgref__V1__EvaluateItem *out = &space->message;

    bgref__v1__evaluate_item__init(out);
    out->rules = pack_rules(&space->rules, &ask->rules);
    out->position = pack_position(&space->position, &ask->board);
    out->cube_log2 = (uint32_t)ask->cube_log2;
    out->cube_owner =
        (Bgref__V1__CubeOwner)(ask->cube_owner + 1); /* centred -1, own 0, opponent 1 */
    out->own_score = not_negative(ask->score[0]);
    out->opponent_score = not_negative(ask->score[1]);
    out->crawford_game = ask->crawford_game;
    out->post_crawford = ask->post_crawford;
    out->all_rolls = ask->kind == BG_VALUE_ROLLS || ask->kind == BG_VALUE_THROWS;
    out->cube_actions = ask->kind == BG_VALUE_CUBE;
    out->played = played_fill(space, ask->played);
    return out;
}

/* ---------------------------------------------------------------- legal results */

struct result_space {
    Bgref__V1__Result message;
    struct pack_position position;
    struct bg_board board;
    struct bg_play play;
};

/* The results of one roll. */
struct roll_space {
    Bgref__V1__RollResults message;
    Bgref__V1__Result **list;     /* owned */
    struct result_space *results; /* owned */
    struct bg_roll roll;
};

/* The results of every roll of one item. */
struct legal_space {
    Bgref__V1__RollResults *list[BG_THROWS];
    struct roll_space rolls[BG_THROWS];
};

/* Returns how many rolls an item is about. */
static int rolls_of(const struct bg_ask *ask)
{
    return ask->kind == BG_VALUE_ROLLS ? BG_ROLLS : ask->kind == BG_VALUE_THROWS ? BG_THROWS : 0;
}

static void legal_free(struct legal_space *spaces, size_t count)
{
    for (size_t i = 0; spaces != NULL && i < count; i++) {
        for (int k = 0; k < BG_THROWS; k++) {
            free(spaces[i].rolls[k].list);
            free(spaces[i].rolls[k].results);
        }
    }
    free(spaces);
}

static bool roll_fill(struct roll_space *space, const struct bg_ask *ask, int number)
{
    /* Too large for the stack of a thread; judges' queues may pack in several. */
    static _Thread_local struct bg_play_list plays;
    const struct bg_variant *variant = ask->rules.variant;
    struct bg_stage stage;
    size_t count;

    bgref__v1__roll_results__init(&space->message);
    space->roll = ask->kind == BG_VALUE_ROLLS ? bg_roll_at(number) : bg_throw_at(number);
    stage = bg_stage_of_roll(variant, space->roll);
    bg_play_list(&plays, variant, &ask->board, 0, &stage);
    bg_play_list_sort(&plays, variant, &ask->board, 0);
    /* A list is never empty, so a judge needs no case for it. */
    if (plays.count == 0) { /* passing leads to the unchanged board */
        plays.count = 1;
        plays.play[0].moves = 0;
    }
    count = plays.count;
    space->list = malloc(count * sizeof(*space->list));
    space->results = malloc(count * sizeof *space->results);
    if (space->list == NULL || space->results == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct result_space *result = &space->results[i];

        bgref__v1__result__init(&result->message);
        result->play = plays.play[i];
        bg_play_make(&result->board, variant, &ask->board, 0, &result->play);
        result->message.position = pack_position(&result->position, &result->board);
        result->message.moves = pack_moves(&result->play);
        space->list[i] = &result->message;
    }
    space->message.dice = (ProtobufCBinaryData){space->roll.die[2] == 0 ? 2 : 3, space->roll.die};
    space->message.n_results = count;
    space->message.results = space->list;
    return true;
}

/* Lists the results of all items of rolls; NULL: no memory. */
static struct legal_space *legal_fill(Bgref__V1__EvaluateItem *const *items,
                                      const struct bg_ask *const *asks, size_t count)
{
    struct legal_space *spaces = calloc(count + 1, sizeof *spaces);

    for (size_t i = 0; spaces != NULL && i < count; i++) {
        for (int k = 0; k < rolls_of(asks[i]); k++) {
            if (!roll_fill(&spaces[i].rolls[k], asks[i], k)) {
                legal_free(spaces, count);
                return NULL;
            }
            spaces[i].list[k] = &spaces[i].rolls[k].message;
            items[i]->n_legal = (size_t)rolls_of(asks[i]);
            items[i]->legal = spaces[i].list;
        }
    }
    return spaces;
}

enum bg_status wire_pack_evaluate(struct wire_buffer *buffer, uint64_t number,
                                  const struct bg_ask *const *asks, size_t count, bool with_legal,
                                  struct bg_error *err)
{
    struct legal_space *legal = NULL;
    enum bg_status status;
    Bgref__V1__ToBot envelope = BGREF__V1__TO_BOT__INIT;
    Bgref__V1__EvaluateRequest request = BGREF__V1__EVALUATE_REQUEST__INIT;
    Bgref__V1__EvaluateItem *items[WIRE_EVALUATE_MAX];
    struct item_space *spaces = pack_scratch(buffer, count * sizeof *spaces + 1, err);

    assert(count <= WIRE_EVALUATE_MAX);
    if (spaces == NULL) {
        return BG_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = item_fill(&spaces[i], asks[i]);
    }
    request.number = number;
    request.n_items = count;
    request.items = items;
    envelope.content_case = BGREF__V1__TO_BOT__CONTENT_EVALUATE;
    envelope.evaluate = &request;
    if (with_legal && (legal = legal_fill(items, asks, count)) == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "legal results of %zu positions", count);
    }
    status = pack_envelope(buffer, &envelope.base, err);
    legal_free(legal, count);
    return status;
}

/* ---------------------------------------------------------------- values */

struct value_space {
    Bgref__V1__EvaluatedItem message;
    union {
        Bgref__V1__Outcome chances;
        Bgref__V1__CubeValues cube;
        struct {
            Bgref__V1__RollValue roll[BG_THROWS];
            Bgref__V1__RollValue *list[BG_THROWS];
            struct bg_roll dice[BG_THROWS];
            Bgref__V1__PlayedValue played;
        } rolls;
    } of;
    char why[WIRE_TEXT];
};

static void chances_fill(struct value_space *space, const struct bg_chances *chances)
{
    Bgref__V1__Outcome *out = &space->of.chances;

    bgref__v1__outcome__init(out);
    out->win = chances->win;
    out->win_gammon = chances->win_gammon;
    out->win_backgammon = chances->win_backgammon;
    out->lose_gammon = chances->lose_gammon;
    out->lose_backgammon = chances->lose_backgammon;
    out->equity = chances->equity;
    space->message.position = out;
}

static void roll_value_fill(struct value_space *space, int i, struct bg_roll roll, double equity,
                            const struct bg_play *best)
{
    Bgref__V1__RollValue *out = &space->of.rolls.roll[i];

    bgref__v1__roll_value__init(out);
    space->of.rolls.dice[i] = roll;
    out->dice = (ProtobufCBinaryData){roll.die[2] == 0 ? 2 : 3, space->of.rolls.dice[i].die};
    out->moves = pack_moves(best);
    out->equity = equity;
    space->of.rolls.list[i] = out;
}

/* After the values of so many rolls: the list, and the value of the play that was made. */
static void rolls_end(struct value_space *space, int count, double played)
{
    space->message.n_rolls = (size_t)count;
    space->message.rolls = space->of.rolls.list;
    if (isfinite(played)) {
        bgref__v1__played_value__init(&space->of.rolls.played);
        space->of.rolls.played.equity = played;
        space->message.played = &space->of.rolls.played;
    }
}

static void rolls_fill(struct value_space *space, const struct bg_roll_values *rolls)
{
    for (int i = 0; i < BG_ROLLS; i++) {
        roll_value_fill(space, i, bg_roll_at(i), rolls->equity[i], &rolls->best[i]);
    }
    rolls_end(space, BG_ROLLS, rolls->played);
}

static void throws_fill(struct value_space *space, const struct bg_throw_values *throws)
{
    for (int i = 0; i < BG_THROWS; i++) {
        roll_value_fill(space, i, bg_throw_at(i), throws->equity[i], &throws->best[i]);
    }
    rolls_end(space, BG_THROWS, throws->played);
}

static void cube_fill(struct value_space *space, const struct bg_cube_values *cube)
{
    Bgref__V1__CubeValues *out = &space->of.cube;

    bgref__v1__cube_values__init(out);
    out->no_double = cube->no_double;
    out->double_take = cube->double_take;
    out->double_pass = cube->double_pass;
    space->message.cube = out;
}

static Bgref__V1__EvaluatedItem *value_fill(struct value_space *space, const struct bg_value *value)
{
    bgref__v1__evaluated_item__init(&space->message);
    if (value->cannot) {
        space->message.error = pack_reason(space->why, value->why[0] == '\0' ? "?" : value->why);
    } else if (value->kind == BG_VALUE_ROLLS) {
        rolls_fill(space, &value->of.rolls);
    } else if (value->kind == BG_VALUE_THROWS) {
        throws_fill(space, &value->of.throws);
    } else if (value->kind == BG_VALUE_CUBE) {
        cube_fill(space, &value->of.cube);
    } else {
        chances_fill(space, &value->of.chances);
    }
    return &space->message;
}

enum bg_status wire_pack_evaluation(struct wire_buffer *buffer, uint64_t number,
                                    const struct bg_value *values, size_t count,
                                    struct bg_error *err)
{
    Bgref__V1__ToReferee envelope = BGREF__V1__TO_REFEREE__INIT;
    Bgref__V1__Evaluation evaluation = BGREF__V1__EVALUATION__INIT;
    Bgref__V1__EvaluatedItem *items[WIRE_EVALUATE_MAX];
    struct value_space *spaces = pack_scratch(buffer, count * sizeof *spaces + 1, err);

    assert(count <= WIRE_EVALUATE_MAX);
    if (spaces == NULL) {
        return BG_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = value_fill(&spaces[i], &values[i]);
    }
    evaluation.number = number;
    evaluation.n_items = count;
    evaluation.items = items;
    envelope.content_case = BGREF__V1__TO_REFEREE__CONTENT_EVALUATION;
    envelope.evaluation = &evaluation;
    return pack_envelope(buffer, &envelope.base, err);
}
