/* The match machine and its cube. Its cases are scripts (support/match_script.h) in a file, so a
 * case takes no C. */
#include <bgref/match.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/cube.h>

#include "support/match_script.h"
#include "support/suite.h"

enum { ROWS = 512, LINE = 512 };

static struct {
    char line[LINE];
    const char *name, *rules, *start, *script;
} rows[ROWS];
static int row_count;

void suite_begin(TCase *tests)
{
    FILE *file = fopen(TEST_DATA "/matches.tsv", "r");

    while (file != NULL && row_count < ROWS && fgets(rows[row_count].line, LINE, file) != NULL) {
        char *line = rows[row_count].line;

        if (line[0] != '#') {
            rows[row_count].name = strtok(line, "\t");
            rows[row_count].rules = strtok(NULL, "\t");
            rows[row_count].start = strtok(NULL, "\t");
            rows[row_count++].script = strtok(NULL, "\n");
        }
    }
    if (file == NULL || row_count == 0 || rows[row_count - 1].script == NULL || !feof(file)) {
        fprintf(stderr, "matches.tsv cannot be read to its end\n");
        abort();
    }
    fclose(file);
}

TEST_LOOP(a_script_has_the_expected_outcome, 0, row_count)
{
    const char *name = rows[_i].name, *script = rows[_i].script;
    const char *start = strcmp(rows[_i].start, "-") == 0 ? NULL : rows[_i].start;
    struct bg_match match;
    char message[512] = "";
    const bool begun = script_begin(&match, rows[_i].rules, start, message, sizeof message);

    if (script[0] == '!') {
        ck_assert_msg(!begun, "%s: accepted", name);
        ck_assert_msg(strstr(message, script + 1) != NULL, "%s: message '%s' does not name %s",
                      name, message, script + 1);
        return;
    }
    ck_assert_msg(begun && script_run(&match, script, message, sizeof message), "%s: %s", name,
                  message);
}

/* The value of a pass and who may raise, asked directly. */
TEST(questions_have_the_answers_of_the_steps)
{
    struct bg_match match;
    char message[256];

    ck_assert_msg(script_begin(&match, "money beavers", "on=0 cube=2@0", message, sizeof message),
                  "%s", message);
    ck_assert_int_eq(bg_cube_may_double(&match, 0), BG_RULE_NONE);
    ck_assert_int_eq(bg_cube_may_double(&match, 1), BG_RULE_TURN);
    ck_assert_int_eq(bg_cube_may_double(&match, -1), BG_RULE_SLOT);
    ck_assert_int_eq(bg_cube_may_raise(&match), BG_RULE_TURN);
    ck_assert_int_eq(bg_cube_stake(&match), 2);
    ck_assert(script_run(&match, "0d", message, sizeof message));
    ck_assert_int_eq(bg_cube_stake(&match), 2);
    ck_assert_int_eq(bg_cube_may_raise(&match), BG_RULE_NONE);
    ck_assert(script_run(&match, "1b", message, sizeof message));
    ck_assert_int_eq(bg_cube_stake(&match), 4);
    ck_assert_int_eq(bg_cube_may_raise(&match), BG_RULE_BEAVER);
    ck_assert(script_run(&match, "0t", message, sizeof message));
    ck_assert_int_eq(bg_cube_stake(&match), 8);
}

/* V18, option turns: 499 turns of each side have been played. */
TEST(misere_is_drawn_after_500_turns)
{
    struct bg_match match;
    char message[512];

    ck_assert_msg(
        script_begin(&match, "money cap=0 game=misere:turns=500", "on=0", message, sizeof message),
        "%s", message);
    match.turn = 998;
    match.turns[0] = match.turns[1] = 499;
    ck_assert_msg(script_run(&match, "0r21 0* ?double1 =end:none 1r21 1* =how:draw-cap =winner:-1",
                             message, sizeof message),
                  "%s", message);
}

TEST(parts_have_names)
{
    ck_assert_str_eq(bg_part_name(BG_PART_ROLL), "roll");
    ck_assert_str_eq(bg_part_name(BG_PART_CARRY), "carry");
    ck_assert_str_eq(bg_part_name(BG_PART_COUNT), "unknown");
}

/* If later headers put something into `reserved`, rules that do not know it refuse to play. */
TEST(options_of_later_headers_are_refused)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    struct bg_start start = {.on_roll = -1, .cube_owner = BG_CENTRED};
    struct bg_match match;

    bg_variant_setup(&start.board, rules.variant);
    assert_ok(bg_match_begin_at(&match, &rules, &start, &error));
    start.reserved[3] = 1;
    ck_assert_int_eq(bg_match_begin_at(&match, &rules, &start, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "does not know"));
    rules.reserved[7] = 1;
    ck_assert_int_eq(bg_rules_check(&rules, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "does not know"));
}

TEST(defaults_are_the_rules_in_use)
{
    const struct bg_variant *backgammon = bg_variant_find("backgammon");
    struct bg_rules money = bg_rules_default(backgammon, 0);
    struct bg_rules match = bg_rules_default(backgammon, 7);

    ck_assert(money.cube && money.jacoby && !money.beavers && !money.crawford);
    ck_assert_int_eq(money.auto_doubles, 0);
    ck_assert_int_eq(money.turn_cap, BG_TURN_CAP);
    ck_assert(match.cube && match.crawford && !match.jacoby && !match.holland);
    ck_assert_int_eq(match.length_points, 7);
    ck_assert_int_eq(match.opening, BG_OPENING_PLAY);
    ck_assert_int_eq(bg_rules_check(&money, NULL), BG_OK);
    ck_assert_int_eq(bg_rules_check(&match, NULL), BG_OK);
}

/* Values outside the enumerations; a step may come from anywhere. */
TEST(steps_with_any_values_are_handled)
{
    static const int odd[] = {-2147483647 - 1, -2, -1, 2, 15, 255, 2147483647};
    struct bg_match match, before;
    char message[256];

    ck_assert_msg(script_begin(&match, "money", "on=0", message, sizeof message), "%s", message);
    before = match;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct bg_step step;

        memset(&step, 0xff, sizeof step);
        step.kind = (enum bg_step_kind)odd[i];
        step.seat = 0;
        if ((unsigned)odd[i] >= BG_STEP_COUNT) {
            ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_TURN);
        }
        for (int kind = 0; kind < BG_STEP_COUNT; kind++) {
            step.kind = (enum bg_step_kind)kind;
            step.seat = odd[i];
            ck_assert_int_ne(bg_match_step(&match, &step), BG_RULE_NONE);
        }
        step.kind = BG_STEP_FAULT;
        step.seat = 0;
        step.fault = (enum bg_fault)odd[i];
        if ((unsigned)odd[i] >= BG_FAULT_COUNT) {
            ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_SLOT);
        }
    }
    ck_assert_mem_eq(&match, &before, sizeof match);
}

TEST(names_are_unique_and_unknown_values_have_one)
{
    for (int i = 0; i < BG_STEP_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(bg_step_name((enum bg_step_kind)i),
                             bg_step_name((enum bg_step_kind)k));
        }
    }
    for (int i = 0; i < BG_NEED_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(bg_need_name((enum bg_need_kind)i),
                             bg_need_name((enum bg_need_kind)k));
        }
    }
    for (int i = 0; i < BG_END_COUNT; i++) {
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(bg_end_name((enum bg_end)i), bg_end_name((enum bg_end)k));
        }
    }
    ck_assert_str_eq(bg_step_name(BG_STEP_COUNT), "unknown");
    ck_assert_str_eq(bg_need_name((enum bg_need_kind) - 1), "unknown");
    ck_assert_str_eq(bg_end_name((enum bg_end)99), "unknown");
}
