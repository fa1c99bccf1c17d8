/* The questions to a judge of positions about a game, and the results from its values. They are
 * compared with an exact evaluator of races with three checkers a side, whose adjusted result is
 * the same in every game. */
#include <judge/game_rollouts.h>
#include <judge/question.h>

#include <bgref/cube.h>
#include <bgref/notation.h>

#include <numbers/luck.h>
#include <record/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/exact_race.h"
#include "support/suite.h"

/* ---------------------------------------------------------------- random numbers, fixed seed */

static uint64_t state = 2026;

static uint64_t chance(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

static void value_exactly(struct bg_value *out, const struct bg_ask *ask)
{
    exact_race_value(out, ask);
    assert_ok(bg_value_check(ask, out, &error));
}

/* ---------------------------------------------------------------- games */

struct player {
    int blunders; /* in how many of 10 decisions it plays randomly */
};

/* The match from the view of the seat on roll. */
static void see(struct bg_ask *ask, const struct bg_match *match, int seat)
{
    memset(ask, 0, sizeof *ask);
    ask->rules = match->rules;
    ask->board = match->board;
    if (seat == 1) {
        bg_board_swap(&ask->board, &match->board);
    }
    ask->cube_owner = match->cube_owner == BG_CENTRED ? BG_CENTRED : match->cube_owner != seat;
}

static void play_choose(struct bg_play *out, const struct bg_match *match, int seat, bool blunders)
{
    static struct bg_play_list plays;
    struct bg_ask ask;
    double best = -9.0;

    see(&ask, match, seat);
    bg_play_list(&plays, match->rules.variant, &ask.board, 0, &match->stage);
    *out = plays.play[chance(plays.count)];
    for (size_t i = 0; i < plays.count && !blunders; i++) {
        struct bg_board after;
        double value;

        bg_play_make(&after, match->rules.variant, &ask.board, 0, &plays.play[i]);
        value = exact_race_after(&after, exact_race_owner(&ask));
        if (value > best) {
            best = value;
            *out = plays.play[i];
        }
    }
}

/* The decision of the side that owes one, or the dice. */
static void step_choose(struct bg_step *step, const struct bg_match *match, int blunders)
{
    struct bg_need need = bg_match_need(match);
    bool anything = (int)chance(10) < blunders;
    struct bg_ask ask;

    memset(step, 0, sizeof *step);
    step->seat = need.seat;
    switch (need.kind) {
    case BG_NEED_DOUBLE:
        see(&ask, match, need.seat);
        step->kind = BG_STEP_ROLL;
        if (anything ? chance(2) == 0
                     : fmin(1.0, 2.0 * exact_race_rolling(&ask.board, 1)) >
                           exact_race_rolling(&ask.board, exact_race_owner(&ask))) {
            step->kind = BG_STEP_DOUBLE;
            return;
        }
        /* fall through */
    case BG_NEED_ROLL:
        step->kind = BG_STEP_ROLL;
        step->die[0] = (uint8_t)(1 + chance(6));
        step->die[1] = (uint8_t)(1 + chance(6));
        return;
    case BG_NEED_TAKE:
        see(&ask, match, 1 - need.seat);
        step->kind = (anything ? chance(2) == 0 : 2.0 * exact_race_rolling(&ask.board, 1) <= 1.0)
                         ? BG_STEP_TAKE
                         : BG_STEP_PASS;
        return;
    default:
        ck_assert_int_eq(need.kind, BG_NEED_PLAY);
        step->kind = BG_STEP_PLAY;
        play_choose(&step->play, match, need.seat, anything);
        return;
    }
}

static void place_checkers(struct bg_board *board)
{
    memset(board, 0, sizeof *board);
    for (int seat = 0; seat < 2; seat++) {
        board->at[seat][BG_OFF] = BG_CHECKERS - EXACT_RACE_CHECKERS;
        for (int i = 0; i < EXACT_RACE_CHECKERS; i++) {
            board->at[seat][1 + chance(6)]++;
        }
    }
}

/* Plays a game from match on and makes the store's game from it. */
static void game_play(struct store_game *game, struct record *record, struct bg_match *match,
                      int leg, int blunders)
{
    struct record_header header = {.game_id = "a|b|0|0|0", .start = match};
    int64_t left_ns[2] = {0, 0};
    char hash[RECORD_HASH];

    record_begin(record, &header);
    while (match->result.end == BG_END_NONE) {
        struct bg_step step;

        step_choose(&step, match, blunders);
        ck_assert_int_eq(bg_match_step(match, &step), BG_RULE_NONE);
        record_append(record, &step, -1);
    }
    record_end(record, &match->result, left_ns, hash);
    memset(game, 0, sizeof *game);
    game->leg = leg;
    game->text = record->text;
    game->text_size = record->size;
}

/* A bot: exact, or rough. */
typedef void (*value_fn)(struct bg_value *out, const struct bg_ask *ask);

/* After own's play. Wrong by far, but it knows when the game is over. */
static double rough(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    return board->at[0][BG_OFF] == BG_CHECKERS
               ? 1.0
               : tanh((bg_board_pips(board, 1) - bg_board_pips(board, 0) - 4) / 9.0);
}

static void value_roughly(struct bg_value *out, const struct bg_ask *ask)
{
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    out->kind = ask->kind;
    bg_value_rolls(&out->of.rolls, ask, rough, NULL);
}

/* Fills in values by rollouts, as a judge of that kind does. */
static void roll_out(struct bg_value *values, struct value_noise *noise,
                     const struct questions *questions, const struct rollout_words *words,
                     value_fn value)
{
    enum { MOST = 50 };
    const struct game_rollouts_setup setup = {questions, "a|b|0|0|0", values, noise};
    struct game_rollouts *rollouts = game_rollouts_create(&setup, words);
    const struct bg_ask *ask[MOST];
    struct bg_value answer[MOST];
    size_t count;

    while ((count = game_rollouts_next(rollouts, ask, MOST)) > 0) {
        for (size_t i = 0; i < count; i++) {
            value(&answer[i], ask[i]);
        }
        if (game_rollouts_take(rollouts, answer, count, &error) != BG_OK) {
            ck_abort_msg("%s", error.text);
        }
    }
    game_rollouts_destroy(rollouts);
}

/* words: NULL: the exact values themselves. */
static void judge_by(struct judgement *out, const struct store_game *game, bool errors,
                     const struct rollout_words *words, value_fn value)
{
    struct questions questions = {0};
    struct bg_value *values;
    struct value_noise *noise;

    assert_ok(questions_read(&questions, game, errors, &error));
    values = calloc(questions.count + 1, sizeof *values);
    noise = calloc(questions.count + 1, sizeof *noise);
    for (size_t i = 0; words == NULL && i < questions.count; i++) {
        value(&values[i], &questions.ask[i]);
    }
    if (words != NULL) {
        roll_out(values, noise, &questions, words, value);
    }
    memset(out, 0, sizeof *out);
    assert_ok(questions_judge(out, &questions, values, words == NULL ? NULL : noise, &error));
    free(values);
    free(noise);
    questions_deinit(&questions);
}

static void judge(struct judgement *out, const struct store_game *game, bool errors)
{
    judge_by(out, game, errors, NULL, value_exactly);
}

static void judgement_deinit(struct judgement *judgement)
{
    free(judgement->roll);
    free(judgement->choice);
}

enum { GAMES = 100 };

static const struct {
    const char *name;
    int length, cube_log2, owner, blunders;
} exact_games[] = {
    {"money, cube in the middle", 0, 0, BG_CENTRED, 0},
    {"money, cube turned before", 0, 2, 0, 0},
    {"money, with errors", 0, 0, BG_CENTRED, 4},
    {"money, cube turned before, with errors", 0, 3, 1, 4},
    {"a match of one point", 1, 0, BG_CENTRED, 0},
    {"a match of one point, with errors", 1, 0, BG_CENTRED, 4},
};

/* Exact values remove all luck: the rest is the equity of the start position, minus A's errors,
 * plus B's errors. In every single game. */
TEST_ROWS(exact_luck_adjustment_leaves_only_the_errors, exact_games)
{
    double losses = 0.0, results[2] = {0.0, 0.0};
    struct record record = {0};

    for (int i = 0; i < GAMES; i++) {
        struct bg_rules rules =
            bg_rules_default(bg_variant_find("backgammon"), exact_games[_i].length);
        struct bg_start start = {.on_roll = (int)chance(2),
                                 .cube_log2 = exact_games[_i].cube_log2,
                                 .cube_owner = exact_games[_i].owner};
        int leg = (int)chance(2), bot_of_winner;
        double begin, result, adjusted, loss[2] = {0.0, 0.0};
        struct judgement judgement;
        struct store_game game;
        struct bg_match match;
        struct bg_ask ask;

        rules.jacoby = false;
        place_checkers(&start.board);
        assert_ok(bg_match_begin_at(&match, &rules, &start, &error));
        see(&ask, &match, match.on_roll);
        begin = exact_race_equity(&ask.board, exact_race_owner(&ask)) * ldexp(1.0, start.cube_log2);
        begin = (match.on_roll ^ leg) == 0 ? begin : -begin; /* of A */
        game_play(&game, &record, &match, leg, exact_games[_i].blunders);
        judge(&judgement, &game, true);
        bot_of_winner = match.result.winner ^ leg;
        result = bot_of_winner == 0 ? (double)match.result.points : -(double)match.result.points;
        if (rules.length_points > 0) {
            begin = (1.0 + begin) / 2.0;
            result = bot_of_winner == 0 ? 1.0 : 0.0;
        }
        for (size_t k = 0; k < judgement.choices; k++) {
            ck_assert_double_ge(judgement.choice[k].loss, 0.0);
            if (rules.length_points > 0) { /* to one point: a half is at stake */
                ck_assert_double_eq_tol(judgement.choice[k].error, 2.0 * judgement.choice[k].loss,
                                        1e-12);
            }
            loss[judgement.choice[k].bot] += judgement.choice[k].loss;
        }
        adjusted = luck_adjusted(result, judgement.luck[0], judgement.luck[1]);
        ck_assert_msg(fabs(adjusted - (begin - loss[0] + loss[1])) < 1e-9,
                      "%s, game %d: %.12f %.12f", exact_games[_i].name, i, adjusted,
                      begin - loss[0] + loss[1]);
        losses += loss[0] + loss[1];
        results[0] += result;
        results[1] += result * result;
        judgement_deinit(&judgement);
    }
    if (exact_games[_i].blunders == 0) {
        ck_assert_double_lt(losses, 1e-9);
    } else {
        ck_assert_double_gt(losses, 1.0);
    }
    ck_assert_double_gt(results[1], 0.0);
    record_deinit(&record);
}

/* ---------------------------------------------------------------- the opening roll */

/* A plain evaluator that uses the score: pips ahead, and points ahead in the match. */
static double plain(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    double ahead = (bg_board_pips(board, 1) - bg_board_pips(board, 0)) / 100.0;

    ahead += board->at[0][4] == 2 ? 0.125 : 0.0;
    return ask->rules.length_points == 0
               ? ahead
               : 0.5 + ahead / 4.0 + (double)(ask->score[0] - ask->score[1]) / 50.0;
}

/* Value of the best play of a roll from the set-up, for a side with this score. */
static double first_play(const struct bg_rules *rules, const int64_t score[2], int high, int low)
{
    struct bg_roll roll = {{(uint8_t)high, (uint8_t)low, 0}};
    struct bg_stage stage = bg_stage_of_roll(rules->variant, roll);
    struct bg_ask ask = {.rules = *rules, .score = {score[0], score[1]}};
    struct bg_play_list plays;
    double best = -9.0;

    bg_variant_setup(&ask.board, rules->variant);
    bg_play_list(&plays, rules->variant, &ask.board, 0, &stage);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;

        bg_play_make(&after, rules->variant, &ask.board, 0, &plays.play[i]);
        best = fmax(best, plain(NULL, &ask, &after));
    }
    return best;
}

static const struct {
    const char *name;
    int length;
    int64_t score[2]; /* of seat 0 and 1 */
    uint8_t die[2];
    int auto_doubles; /* ties before */
} openings[] = {
    {"money, seat 0 begins", 0, {0, 0}, {6, 2}, 0},
    {"money, seat 1 begins", 0, {0, 0}, {3, 5}, 0},
    {"money, the cube turned by two ties", 0, {0, 0}, {3, 5}, 2},
    {"a match, the leader begins", 7, {4, 1}, {4, 1}, 0},
    {"a match, the trailer begins", 7, {4, 1}, {1, 4}, 0},
};

/* The 30 throws that begin a game are equally likely; the starter is credited with this throw's
 * value minus their mean. */
TEST_ROWS(the_opening_roll_is_one_of_thirty, openings)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), openings[_i].length);
    struct record_header header = {.game_id = "a|b|0|0|0"};
    int starter = openings[_i].die[1] > openings[_i].die[0];
    int high = openings[_i].die[starter], low = openings[_i].die[1 - starter];
    struct bg_start start = {.on_roll = -1, .cube_owner = BG_CENTRED};
    struct bg_step step = {.kind = BG_STEP_OPEN, .seat = -1, .die = {3, 3}};
    struct record record = {0};
    struct questions questions = {0};
    struct bg_value values[8];
    struct judgement judgement = {0};
    struct store_game game = {.leg = 1};
    struct bg_match match;
    double before = 0.0, best;
    int64_t scores[2][2];

    memcpy(start.score, openings[_i].score, sizeof start.score);
    rules.auto_doubles = openings[_i].auto_doubles;
    bg_variant_setup(&start.board, rules.variant);
    assert_ok(bg_match_begin_at(&match, &rules, &start, &error));
    header.start = &match;
    record_begin(&record, &header);
    for (int i = 0; i <= openings[_i].auto_doubles; i++) {
        if (i == openings[_i].auto_doubles) {
            memcpy(step.die, openings[_i].die, 2);
        }
        ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_NONE);
        record_append(&record, &step, -1);
    }
    ck_assert_int_eq(match.on_roll, starter);
    step = (struct bg_step){.kind = BG_STEP_FAULT, .seat = starter, .fault = BG_FAULT_LATE};
    ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_NONE);
    record_append(&record, &step, -1);
    record_end(&record, &match.result, NULL, game.hash);
    game.text = record.text;
    game.text_size = record.size;

    assert_ok(questions_read(&questions, &game, false, &error));
    ck_assert_uint_eq(questions.count, 2);
    for (size_t i = 0; i < questions.count; i++) {
        memset(&values[i], 0, sizeof values[i]);
        bg_value_rolls(&values[i].of.rolls, &questions.ask[i], plain, NULL);
    }
    assert_ok(questions_judge(&judgement, &questions, values, NULL, &error));

    for (int side = 0; side < 2; side++) {
        scores[side][0] = openings[_i].score[side];
        scores[side][1] = openings[_i].score[1 - side];
    }
    for (int a = 2; a <= 6; a++) {
        for (int b = 1; b < a; b++) {
            double own = first_play(&rules, scores[starter], a, b);
            double other = first_play(&rules, scores[1 - starter], a, b);

            before += (own + (rules.length_points > 0 ? 1.0 - other : -other)) / 30.0;
        }
    }
    best = first_play(&rules, scores[starter], high, low);
    ck_assert_uint_eq(judgement.rolls, 1);
    ck_assert_int_eq(judgement.roll[0].step, openings[_i].auto_doubles);
    ck_assert_int_eq(judgement.roll[0].bot, 1 - starter); /* in leg 1 A sits on seat 1 */
    ck_assert_double_eq_tol(judgement.roll[0].luck, ldexp(best - before, openings[_i].auto_doubles),
                            1e-12);
    ck_assert_double_eq_tol(judgement.luck[1 - starter], judgement.roll[0].luck, 1e-12);
    ck_assert_double_eq(judgement.luck[starter], 0.0);
    judgement_deinit(&judgement);
    questions_deinit(&questions);
    record_deinit(&record);
}

/* A game from a random race on. */
static void race_play(struct store_game *game, struct record *record, int row, bool cube)
{
    struct bg_rules rules =
        bg_rules_default(bg_variant_find("backgammon"), exact_games[row].length);
    struct bg_start start = {.on_roll = (int)chance(2),
                             .cube_log2 = exact_games[row].cube_log2,
                             .cube_owner = exact_games[row].owner};
    struct bg_match match;

    rules.cube = cube;
    rules.jacoby = false;
    place_checkers(&start.board);
    assert_ok(bg_match_begin_at(&match, &rules, &start, &error));
    game_play(game, record, &match, 0, exact_games[row].blunders);
}

/* Rollouts by an exact bot give its values again, to the last game: luck, errors, no noise. */
TEST_ROWS(rollouts_by_an_exact_bot_change_nothing, exact_games)
{
    const struct rollout_words words = {
        .trials = 2, .plies = _i % 2 * 3, .reduces = true, .seed = 5};
    struct record record = {0};

    for (int i = 0; i < 15; i++) {
        struct judgement direct, rolled;
        struct store_game game;

        race_play(&game, &record, _i, true);
        judge(&direct, &game, true);
        judge_by(&rolled, &game, true, &words, value_exactly);
        ck_assert_uint_eq(rolled.rolls, direct.rolls);
        ck_assert_uint_eq(rolled.choices, direct.choices);
        for (size_t k = 0; k < direct.rolls; k++) {
            ck_assert_double_eq_tol(rolled.roll[k].luck, direct.roll[k].luck, 1e-9);
            ck_assert_double_lt(rolled.roll[k].se, 1e-7);
        }
        for (size_t k = 0; k < direct.choices; k++) {
            ck_assert_double_eq_tol(rolled.choice[k].loss, direct.choice[k].loss, 1e-9);
        }
        judgement_deinit(&direct);
        judgement_deinit(&rolled);
    }
    record_deinit(&record);
}

/* Two judgements by a rough bot with other dice differ by about their standard errors, and one with
 * the same dice not at all. */
TEST(standard_errors_of_luck_are_those_of_the_rollouts)
{
    struct record record = {0};
    double squares = 0.0;
    int rolls = 0;

    for (int i = 0; i < 20; i++) {
        struct rollout_words words = {.trials = 288, .seed = 1};
        struct judgement judged[3];
        struct store_game game;

        race_play(&game, &record, 0, false);
        for (int k = 0; k < 3; k++) {
            words.seed = k == 2 ? 1 : (uint64_t)k + 1;
            judge_by(&judged[k], &game, false, &words, value_roughly);
        }
        for (size_t k = 0; k < judged[0].rolls; k++) {
            const struct judged_roll *one = &judged[0].roll[k], *two = &judged[1].roll[k];
            double variance = one->se * one->se + two->se * two->se;
            double apart = one->luck - two->luck;

            ck_assert_double_eq(judged[2].roll[k].luck, one->luck);
            ck_assert_double_eq(judged[2].roll[k].se, one->se);
            if (variance > 1e-12) {
                squares += apart * apart / variance;
                rolls++;
            }
        }
        for (int k = 0; k < 3; k++) {
            judgement_deinit(&judged[k]);
        }
    }
    ck_assert_int_gt(rolls, 20);
    ck_assert_msg(squares / rolls > 0.4 && squares / rolls < 1.6, "%.3f of %d rolls",
                  squares / rolls, rolls);
    record_deinit(&record);
}

/* ---------------------------------------------------------------- turns of several stages */

/* A value of any kind; it knows nothing of the game. */
static double anything(void *user, const struct bg_ask *ask, const struct bg_board *board)
{
    uint64_t hash = 2166136261U;

    for (int seat = 0; seat < 2; seat++) {
        for (int slot = 0; slot < BG_SLOTS; slot++) {
            hash = (hash ^ board->at[seat][slot]) * UINT64_C(0x100000001b3);
        }
    }
    return (double)(hash % 1000) / 1000.0;
}

static void value_anyhow(struct bg_value *out, const struct bg_ask *ask)
{
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    out->kind = ask->kind;
    if (ask->kind == BG_VALUE_THROWS) {
        bg_value_throws(&out->of.throws, ask, anything, NULL);
    } else {
        bg_value_rolls(&out->of.rolls, ask, anything, NULL);
    }
    assert_ok(bg_value_check(ask, out, &error));
}

/* Any step that the match waits for. */
static void step_anyhow(struct bg_step *step, const struct bg_match *match)
{
    static struct bg_play_list plays;
    const struct bg_need need = bg_match_need(match);
    static const enum bg_step_kind kinds[BG_NEED_COUNT] = {
        [BG_NEED_OPENING] = BG_STEP_OPEN, [BG_NEED_ROLL] = BG_STEP_ROLL,
        [BG_NEED_PLAY] = BG_STEP_PLAY,    [BG_NEED_KEEP] = BG_STEP_KEEP,
        [BG_NEED_NAME] = BG_STEP_NAME,
    };

    memset(step, 0, sizeof *step);
    step->kind = kinds[need.kind];
    step->seat = need.seat;
    for (int i = 0; i < bg_match_dice(match); i++) {
        step->die[i] = (uint8_t)(1 + chance(6));
    }
    if (need.kind == BG_NEED_PLAY) {
        bg_play_list(&plays, match->rules.variant, &match->board, need.seat, &match->stage);
        step->play = plays.play[chance(plays.count)];
    } else if (need.kind == BG_NEED_KEEP && chance(2) == 0) {
        step->kind = BG_STEP_REROLL;
    } else if (need.kind == BG_NEED_NAME) {
        step->level = (uint8_t)(1 + chance(6));
    }
}

static const char *const several[] = {"acey-deucey", "asodio", "russian",    "gul",
                                      "gulbara",     "tabula", "xii-scripta"};

/* Plays so many steps of a game. Returns the number of rolls. */
static int play_anyhow(struct store_game *game, struct record *record, const char *variant,
                       int steps)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find(variant), 0);
    struct record_header header = {.game_id = "a|b|0|0|0"};
    struct bg_match match;
    char hash[RECORD_HASH];
    int rolls = 0;

    bg_match_begin(&match, &rules);
    header.start = &match;
    record_begin(record, &header);
    for (int i = 0; i < steps && match.result.end == BG_END_NONE; i++) {
        struct bg_step step;

        step_anyhow(&step, &match);
        rolls += step.kind == BG_STEP_ROLL;
        ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_NONE);
        record_append(record, &step, -1);
    }
    if (match.result.end == BG_END_NONE) {
        match.result = (struct bg_result){.end = BG_END_DEAD, .winner = -1};
    }
    record_end(record, &match.result, NULL, hash);
    *game = (struct store_game){.text = record->text, .text_size = record->size};
    return rolls;
}

/* Returns the luck of question i of a game if this roll had fallen. */
static double luck_if(struct questions *questions, const struct bg_value *values, size_t i,
                      struct bg_roll roll)
{
    const struct bg_roll kept = questions->about[i].roll;
    struct judgement judgement = {.rolls = 0};
    double luck;

    questions->about[i].roll = roll;
    assert_ok(questions_judge(&judgement, questions, values, NULL, &error));
    luck = judgement.roll[i].luck;
    questions->about[i].roll = kept;
    judgement_deinit(&judgement);
    return luck;
}

/* Whatever the values are: the mean over all throws is 0 at every roll, also inside a turn. */
TEST_ROWS(the_mean_luck_of_every_roll_is_zero, several)
{
    struct record record = {0};
    struct questions questions = {0};
    struct store_game game;
    struct bg_value *values;
    const int rolls = play_anyhow(&game, &record, several[_i], 120);
    int asked = 0;

    assert_ok(questions_read(&questions, &game, false, &error));
    values = calloc(questions.count + 1, sizeof *values);
    for (size_t i = 0; i < questions.count; i++) {
        value_anyhow(&values[i], &questions.ask[i]);
    }
    for (size_t i = 0; i < questions.abouts; i++) {
        const bool three = questions.ask[questions.about[i].ask].kind == BG_VALUE_THROWS;
        double sum = 0.0, squares = 0.0;

        ck_assert_int_eq(three, bg_variant_dice(questions.variant) == 3);
        if (questions.about[i].kind != QUESTION_ROLL) {
            continue;
        }
        for (int roll = 0; roll < (three ? BG_THROWS : BG_ROLLS); roll++) {
            const double luck =
                luck_if(&questions, values, i, three ? bg_throw_at(roll) : bg_roll_at(roll));
            const int weight = three ? bg_throw_weight(roll) : bg_roll_weight(roll);

            sum += weight * luck;
            squares += weight * luck * luck;
        }
        ck_assert_double_eq_tol(sum, 0.0, 1e-9);
        ck_assert_double_ge(squares, 0.0);
        asked++;
    }
    ck_assert_int_eq(asked, rolls); /* every roll has its question */
    ck_assert_int_gt(asked, 20);
    free(values);
    questions_deinit(&questions);
    record_deinit(&record);
}

/* The play that is judged is that of the roll's first stage, and never one of another stage. */
TEST_ROWS(only_the_first_stage_of_a_roll_is_judged, several)
{
    struct record record = {0};
    struct questions questions = {0};
    struct store_game game;

    (void)play_anyhow(&game, &record, several[_i], 200);
    assert_ok(questions_read(&questions, &game, true, &error));
    for (size_t i = 0; i < questions.abouts; i++) {
        const struct question *about = &questions.about[i];

        if (about->play_step >= 0) {
            struct bg_value value;

            ck_assert_int_eq(about->play_step, about->step + 1);
            value_anyhow(&value, &questions.ask[about->ask]);
        }
    }
    questions_deinit(&questions);
    record_deinit(&record);
}

TEST(an_opening_of_two_dice_in_a_game_with_three_is_refused)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("tabula"), 0);
    struct record_header header = {.game_id = "a|b|0|0|0"};
    const struct bg_step open = {.kind = BG_STEP_OPEN, .seat = -1, .die = {4, 3}};
    const struct bg_result result = {.end = BG_END_DEAD, .winner = -1};
    struct record record = {0};
    struct questions questions = {0};
    struct store_game game = {.leg = 0};
    struct bg_match match;

    rules.opening = BG_OPENING_PLAY;
    bg_match_begin(&match, &rules);
    header.start = &match;
    record_begin(&record, &header);
    record_append(&record, &open, -1);
    record_end(&record, &result, NULL, game.hash);
    game.text = record.text;
    game.text_size = record.size;
    ck_assert_int_eq(questions_read(&questions, &game, false, &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, "an opening of two dice") == error.text, "%s", error.text);
    game.text_size /= 2;
    ck_assert_int_ne(questions_read(&questions, &game, false, &error), BG_OK);
    record_deinit(&record);
}

SUITE_FIXTURE(exact_race_setup, NULL)
