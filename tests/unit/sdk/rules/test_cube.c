/* Doubles, takes, passes and chains of raises, written as scripts (support/match_script.h).
 * Expected values are from docs/rules.md 5.1. */
#include <bgref/cube.h>

#include "support/match_script.h"
#include "support/suite.h"

static const struct script {
    const char *name, *rules, *start, *script;
} scripts[] = {
    {"a centred cube may be doubled by the seat on roll", "money", "on=0", "?double0 0d ?take1"},
    {"an offer does not turn the cube", "money", "on=0", "0d =cube:1@-1 =doubler:0"},
    {"a take doubles the value and owns the cube", "money", "on=0",
     "0d 1t =cube:2@1 =doubler:-1 ?roll0"},
    {"a pass pays the value before the double, single", "money jacoby=0", "on=0",
     "0d 1p ?nothing =end:pass =winner:0 =level:1 =points:1 =score:1-0"},
    {"a passed redouble pays the value it had", "money", "on=1 cube=8@1",
     "1d 0p =winner:1 =points:8"},
    {"a passed double never is a gammon", "match=9", "on=0 x=1:1,0:14 y=13:15", "0d 1p =level:1"},
    {"a redouble goes back and forth", "money", "on=0",
     "0d 1t 0r31 0* ?double1 1d 0t =cube:4@0 1r31 1* ?double0 0d 1t =cube:8@1"},
    {"a seat may roll instead of doubling", "money", "on=0", "?double0 0r31 ?play0 0d!G7"},
    {"nobody doubles after rolling", "money", "on=0", "0r31 0d!G7 0* 0d!G7"},
    {"nobody doubles in the opponent's turn", "money", "on=0", "1d!G7"},
    {"nobody doubles twice in a turn", "money", "on=0", "0d 0d!G7 1t 0d!C2"},
    {"nobody doubles before the opening roll", "money", NULL, "0d!G7 1d!G7"},
    {"a third seat cannot double", "money", "on=0", "2d!N1"},
    {"only the doubled seat answers", "money", "on=0", "0d 0t!G7 0p!G7 0b!G7 0r31!G7 1r31!G7"},
    {"without a double there is nothing to answer", "money beavers", "on=0",
     "1t!G7 1p!G7 1b!G7 0t!G7"},

    {"C1: cubeless", "money cube=0", "on=0", "?roll0 0d!C1"},
    {"C1: the crawford game", "match=5", "on=1 score=4-2 crawford", "?roll1 1d!C1"},
    {"C2: the opponent owns the cube", "money", "on=0 cube=2@1", "?roll0 0d!C2"},
    {"C2: the owner may double", "money", "on=0 cube=2@0", "?double0"},
    {"C3: the first turn after an opening roll, mode reroll", "money opening=reroll", NULL,
     "o31 ?roll0 0d!C3"},
    {"C3: the first turn after an opening roll, mode sum-reroll", "money opening=sumreroll", NULL,
     "o1265 ?roll1 1d!C3"},
    {"C3: dice rolled anew change nothing", "money opening=choice", NULL, "o31 0K 0d!C3"},
    {"C3: the second turn is free", "money", NULL, "o31 0* ?double1 1d 0t"},
    {"C3: a set position has no opening roll", "money", "on=1", "?double1"},
    {"C4: the points are not needed", "match=5", "on=1 score=0-4 post", "?roll1 1d!C4"},
    {"C5: 2^40 is the limit", "money", "on=0 cubelog=40@0", "?roll0 0d!C5"},
    {"C5: 2^40 is reached", "money", "on=0 cubelog=39@0",
     "0d 1t =cube:1099511627776@1 0r31 0* ?roll1 1d!C5"},
    {"C5: the event's limit is below", "money limit=8", "on=0 cube=4@0",
     "0d 1t =cube:8@1 0r31 0* ?roll1 1d!C5"},
    {"C5: a beaver past the event's limit", "money beavers limit=2", "on=0", "0d 1b!C5 ?take1 1t"},
    {"C5: a beaver up to the event's limit", "money beavers limit=4", "on=0", "0d 1b 0t =cube:4@1"},
    {"C5: a beaver past the limit", "money beavers", "on=0 cubelog=39@0", "0d 1b!C5 ?take1 1t"},

    {"C7: no beavers by default", "money", "on=0", "0d 1b!C7 ?take1"},
    {"C7: no beavers in a match", "match=9", "on=0", "0d 1b!C7"},
    {"a beaver takes and doubles again, keeping the cube", "money beavers", "on=0",
     "0d 1b ?raise0 =raise:1 =cube:2@1 0t =cube:4@1 =raise:0 ?roll0"},
    {"a passed beaver pays the value of the take", "money beavers", "on=0",
     "0d 1b 0p =end:pass =winner:1 =level:1 =points:2"},
    {"C7: no raccoon by default", "money beavers", "on=0", "0d 1b 0b!C7 ?raise0"},
    {"a raccoon leaves the cube with the beaverer", "money beavers raises=1", "on=0",
     "0d 1b 0b ?raise1 =raise:2 =cube:4@1 1t =cube:8@1 ?roll0"},
    {"a passed raccoon pays the value before it", "money beavers raises=1", "on=0",
     "0d 1b 0b 1p =winner:0 =points:4"},
    {"C7: one further raise is one", "money beavers raises=1", "on=0", "0d 1b 0b 1b!C7 1t"},
    {"two further raises", "money beavers raises=2", "on=0",
     "0d 1b 0b 1b ?raise0 =cube:8@1 0b!C7 0p =winner:1 =points:8"},
    {"an unlimited chain goes on", "money beavers raises=-1", "on=0",
     "0d 1b 0b 1b 0b 1b 0b =cube:64@1 1t =cube:128@1 ?roll0"},
    {"an unlimited chain ends at the limit", "money beavers raises=-1", "on=0 cubelog=36@0",
     "0d 1b 0b 1b 0b!C5 0t =cube:1099511627776@1"},
    {"a beaver from the other seat", "money beavers", "on=1",
     "1d 0b =cube:2@0 1t =cube:4@0 ?roll1"},
    {"a redouble may be beavered", "money beavers", "on=0 cube=2@0",
     "0d 1b =cube:4@1 0t =cube:8@1"},
    {"only the owing seat answers a beaver", "money beavers", "on=0",
     "0d 1b 1t!G7 1p!G7 0r31!G7 0d!G7"},
    {"accepting a raise is not accepting a resignation", "money beavers", "on=0",
     "0d 1b 0a!G7 0x!G7"},
    {"after a beaver the cube is the beaverer's", "money beavers", "on=0",
     "0d 1b 0t 0d!C2 0r31 0* ?double1"},
    {"jacoby: an accepted beaver turned the cube", "money beavers", "on=0 x=1:1,0:14 y=13:15",
     "0d 1b 0t 0r21 0m1/0 =level:2 =points:8"},
};

TEST_ROWS(a_script_has_the_expected_outcome, scripts)
{
    const struct script *row = &scripts[_i];
    struct bg_match match;
    char message[512];

    ck_assert_msg(script_begin(&match, row->rules, row->start, message, sizeof message), "%s: %s",
                  row->name, message);
    ck_assert_msg(script_run(&match, row->script, message, sizeof message), "%s: %s", row->name,
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
