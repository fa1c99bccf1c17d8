/* Random matches over random rules, legal and random steps mixed: the matches end, every law of
 * support/match_laws.h holds after every step, and the recorded steps lead to the same match
 * again. */
#include <stdlib.h>
#include <string.h>

#include "support/match_laws.h"
#include "support/suite.h"

enum { MATCHES = 1200 / TEST_PART, STEPS_MAX = 100000, NONSENSE_PERCENT = 15 };

/* Counters of all matches together: a run that never met a raccoon proves nothing about it. */
struct tally {
    long ends[BG_END_COUNT], steps[BG_STEP_COUNT], refused[BG_RULE_COUNT];
    long parts[BG_PART_COUNT], passes[BG_PART_COUNT];
    long crawford_games, raccoons, games, rotated, last_turns;
};

static struct bg_step history[STEPS_MAX];
static struct bg_play_list plays;

static void random_dice(struct bg_step *step, uint64_t *random, int count)
{
    for (int i = 0; i < count; i++) {
        step->die[i] = (uint8_t)(1 + laws_below(random, 6));
    }
}

/* Any step: mostly not due, sometimes legal by chance. */
static struct bg_step nonsense(uint64_t *random)
{
    struct bg_step step;

    memset(&step, 0, sizeof step);
    step.kind = (enum bg_step_kind)(laws_below(random, BG_STEP_COUNT + 2) - 1);
    step.seat = laws_below(random, 5) - 2;
    for (int i = 0; i < 4; i++) {
        step.die[i] = (uint8_t)laws_below(random, 8);
    }
    step.level = (uint8_t)laws_below(random, laws_below(random, 4) == 0 ? 18 : 5);
    /* Few faults, otherwise no game would reach its end. */
    step.fault = laws_below(random, 10) == 0
                     ? (enum bg_fault)(laws_below(random, BG_FAULT_COUNT + 2) - 1)
                     : BG_FAULT_NONE;
    step.play.moves = (uint8_t)laws_below(random, 7);
    for (int i = 0; i < BG_MOVES_MAX; i++) {
        step.play.move[i].from = (uint8_t)laws_below(random, 42);
        step.play.move[i].to = (uint8_t)laws_below(random, 42);
    }
    return step;
}

/* A legal play; sometimes with its moves reversed, or with one of them missing. */
static void choose_play(struct bg_step *step, const struct bg_match *match, uint64_t *random)
{
    int chance = laws_below(random, 100);

    bg_play_list(&plays, match->rules.variant, &match->board, match->need.seat, &match->stage);
    ck_assert_uint_gt(plays.count, 0);
    step->kind = BG_STEP_PLAY;
    step->play = plays.play[laws_random(random) % plays.count];
    if (chance < 10 && step->play.moves >= 2) {
        struct bg_move first = step->play.move[0];

        step->play.move[0] = step->play.move[1];
        step->play.move[1] = first;
    } else if (chance < 15 && step->play.moves >= 1) {
        step->play.moves--;
    }
}

/* A step that the seat or the host may make now. */
static struct bg_step sensible(const struct bg_match *match, uint64_t *random)
{
    struct bg_step step;
    int chance = laws_below(random, 100);

    memset(&step, 0, sizeof step);
    step.seat = match->need.seat;
    step.kind = BG_STEP_RESIGN;
    step.level = (uint8_t)(1 + laws_below(random, 3));
    if (bg_variant_level_max(match->rules.variant) > 3 && match->on_roll != -1) {
        step.level =
            (uint8_t)bg_variant_level(match->rules.variant, &match->board, 1 - match->on_roll);
    }
    switch (match->need.kind) {
    case BG_NEED_OPENING:
        step.kind = BG_STEP_OPEN;
        random_dice(&step, random, bg_match_dice(match));
        break;
    case BG_NEED_DOUBLE:
    case BG_NEED_ROLL:
        if (chance >= 2) {
            bool doubles = chance < 12; /* refused if the seat may not double */

            step.kind = doubles ? BG_STEP_DOUBLE : BG_STEP_ROLL;
            random_dice(&step, random, doubles ? 0 : bg_match_dice(match));
        }
        break;
    case BG_NEED_TAKE:
    case BG_NEED_RAISE:
        step.kind = chance < 20 ? BG_STEP_PASS : chance < 60 ? BG_STEP_RAISE : BG_STEP_TAKE;
        break;
    case BG_NEED_PLAY:
        if (chance >= 1) {
            choose_play(&step, match, random);
        }
        break;
    case BG_NEED_KEEP:
        step.kind = chance < 50 ? BG_STEP_KEEP : BG_STEP_REROLL;
        break;
    case BG_NEED_NAME:
        step.kind = BG_STEP_NAME;
        step.level = (uint8_t)(1 + laws_below(random, 6));
        break;
    case BG_NEED_RESIGNATION:
        step.kind = chance < 30 ? BG_STEP_ACCEPT : BG_STEP_REFUSE;
        break;
    case BG_NEED_GAME:
        step.kind = BG_STEP_NEXT;
        break;
    default:
        ck_abort_msg("nobody can owe '%s' here", bg_need_name(match->need.kind));
    }
    return step;
}

static void count_step(struct tally *tally, const struct bg_match *match,
                       const struct bg_step *step, enum bg_rule broken)
{
    tally->refused[broken]++;
    if (broken != BG_RULE_NONE) {
        return;
    }
    tally->steps[step->kind]++;
    tally->parts[match->part] += match->need.kind == BG_NEED_PLAY;
    for (int i = 0; i < match->passes; i++) {
        tally->passes[match->pass[i].part]++;
    }
    tally->last_turns += match->last_turn;
    tally->rotated += match->rules.rotation != NULL && step->kind == BG_STEP_NEXT;
    tally->raccoons += match->raise >= 2;
    if (match->result.end != BG_END_NONE && step->kind != BG_STEP_NEXT) {
        tally->games++;
        tally->ends[match->result.end]++;
        tally->crawford_games += match->crawford_game;
    }
}

static void play_match(struct tally *tally, uint64_t seed)
{
    uint64_t random = seed;
    struct bg_rules rules = laws_rules(&random);
    struct bg_match match, again;
    int64_t points[2] = {0, 0};
    int made = 0;

    ck_assert_int_eq(bg_rules_check(&rules, NULL), BG_OK);
    bg_match_begin(&match, &rules);
    for (int tries = 0; bg_match_need(&match).kind != BG_NEED_NOTHING; tries++) {
        struct bg_step step = laws_below(&random, 100) < NONSENSE_PERCENT
                                  ? nonsense(&random)
                                  : sensible(&match, &random);
        enum bg_rule broken;
        const char *law = laws_of_step(&match, &step, &broken);

        ck_assert_msg(law == NULL, "seed %llu, after %d steps, %s: not true that %s",
                      (unsigned long long)seed, made, bg_step_name(step.kind), law);
        ck_assert_msg(tries < STEPS_MAX, "seed %llu: no end", (unsigned long long)seed);
        count_step(tally, &match, &step, broken);
        if (broken == BG_RULE_NONE) {
            history[made++] = step;
            if (match.result.winner != -1 && step.kind != BG_STEP_NEXT) {
                points[match.result.winner] += match.result.points;
            }
        }
    }
    ck_assert_msg(match.score[0] == points[0] && match.score[1] == points[1],
                  "seed %llu: the score is not the sum of the games", (unsigned long long)seed);
    for (int i = 0; i < 20; i++) {
        struct bg_step late = nonsense(&random);
        enum bg_rule broken;

        ck_assert_ptr_null(laws_of_step(&match, &late, &broken));
        ck_assert_int_eq(broken, BG_RULE_OVER);
    }
    bg_match_begin(&again, &rules);
    for (int i = 0; i < made; i++) {
        ck_assert_int_eq(bg_match_step(&again, &history[i]), BG_RULE_NONE);
    }
    ck_assert_msg(memcmp(&again, &match, sizeof match) == 0,
                  "seed %llu: the recorded steps lead elsewhere", (unsigned long long)seed);
}

TEST(random_matches_obey_every_law)
{
    static const enum bg_end ends[] = {BG_END_OFF,   BG_END_PASS, BG_END_RESIGN,
                                       BG_END_FAULT, BG_END_CAP,  BG_END_SPECIAL};
    static const enum bg_rule refusals[] = {
        BG_RULE_SLOT,           BG_RULE_MOST,         BG_RULE_TURN,         BG_RULE_DICE,
        BG_RULE_DOUBLE_OFF,     BG_RULE_DOUBLE_OWNER, BG_RULE_DOUBLE_FIRST, BG_RULE_DOUBLE_DEAD,
        BG_RULE_DOUBLE_HOLLAND, BG_RULE_BEAVER,       BG_RULE_RESIGN_LEVEL, BG_RULE_RESIGN_ORDER};
    struct tally tally = {0};

    for (uint64_t seed = 0; seed < MATCHES * (uint64_t)suite_factor(); seed++) {
        play_match(&tally, seed);
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        ck_assert_msg(tally.ends[ends[i]] > 20, "only %ld games ended by %s", tally.ends[ends[i]],
                      bg_end_name(ends[i]));
    }
    for (int kind = 0; kind < BG_STEP_COUNT; kind++) {
        ck_assert_msg(tally.steps[kind] > 20, "only %ld steps of kind %s", tally.steps[kind],
                      bg_step_name((enum bg_step_kind)kind));
    }
    for (int part = 0; part < BG_PART_COUNT; part++) {
        ck_assert_msg(tally.parts[part] > 20 && tally.passes[part] > 3,
                      "only %ld stages of kind %s, %ld passed", tally.parts[part],
                      bg_part_name((enum bg_part)part), tally.passes[part]);
    }
    ck_assert_msg(tally.rotated > 20, "%ld games of rotations", tally.rotated);
    ck_assert_msg(tally.last_turns > 3, "%ld turns to equal", tally.last_turns);
    ck_assert_msg(tally.ends[BG_END_DEAD] > 0, "no game ended dead");
    ck_assert_msg(tally.crawford_games > 20, "%ld Crawford games", tally.crawford_games);
    ck_assert_msg(tally.raccoons > 3, "%ld raccoons", tally.raccoons);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        ck_assert_msg(tally.refused[refusals[i]] > 0, "%s was broken %ld times only",
                      bg_rule_number(refusals[i]), tally.refused[refusals[i]]);
    }
}

void suite_begin(TCase *tests)
{
    tcase_set_timeout(tests, 0);
}
