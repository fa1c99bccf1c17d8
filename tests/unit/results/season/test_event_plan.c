/* The plan of an event: every option, every refusal, and texts that come back as they were. */
#include "support/suite.h"

#include "season/plan.h"
#include "season/plan_options.h"

#include <stdio.h>
#include <string.h>

#define HERO64 "hero-of-sixty-four-characters-hero-of-sixty-four-characters-0000"

/* A text, and how it is written again; pairs of the event: 7. */
static const struct {
    const char *text, *written, *people;
} readable[] = {
    {"round-robin", "round-robin", NULL},
    {"  round-robin\t", "round-robin", NULL},
    {"circle", "circle pairs=7", "a round robin in rounds, 7 pairs for each meeting"},
    {"circle pairs=1", "circle pairs=1", "a round robin in rounds, 1 pair for each meeting"},
    {"circle table=berger cycles=2", "circle pairs=7 cycles=2 table=berger",
     "a round robin in rounds by Berger's tables, 2 times, 7 pairs for each meeting"},
    {"circle table=circle cycles=1 groups=1", "circle pairs=7", NULL},
    {"gauntlet heroes=ann,bob points=9", "gauntlet points=9 heroes=ann,bob",
     "a gauntlet of 2 heroes, 9 games with points added for each meeting"},
    {"swiss", "swiss pairs=7", "a Swiss, 7 pairs for each meeting"},
    {"swiss rounds=5 late=half", "swiss pairs=7 rounds=5 late=half",
     "a Swiss of 5 rounds, 7 pairs for each meeting"},
    {"swiss late=nothing tie=playoff", "swiss pairs=7 tie=playoff",
     "a Swiss, 7 pairs for each meeting; a shared first place is played off, best of 3"},
    {"swiss playoff=5 tie=playoff", "swiss pairs=7 tie=playoff playoff=5", NULL},
    {"swiss tie=shared", "swiss pairs=7", NULL},
    {"knockout match=11 third_place=yes", "knockout match=11 third_place=yes",
     "a knockout with a meeting for third place, one match to 11 for each meeting"},
    {"knockout third_place=no", "knockout pairs=7", NULL},
    {"double-elimination best_of=5", "double-elimination best_of=5",
     "a double elimination, best of 5 for each meeting"},
    {"ladder reach=3 swap=yes meetings=40", "ladder pairs=7 reach=3 swap=yes meetings=40",
     "a ladder, until 40 meetings are played, 7 pairs for each meeting"},
    {"league window=100 anchors=ann anchor_pairs=yes",
     "league pairs=7 window=100 anchors=ann anchor_pairs=yes",
     "a continuous league, 7 pairs for each meeting"},
    {"swiss rounds=5 pairs=10\n then  knockout take=4 best_of=5",
     "swiss pairs=10 rounds=5 then knockout take=4 best_of=5", NULL},
    {"circle groups=4 then knockout best_of=3 take=2",
     "circle groups=4 pairs=7 then knockout take=2 best_of=3", NULL},
    {"ladder meetings=9 then circle take=3 then swiss take=2",
     "ladder pairs=7 meetings=9 then circle take=3 pairs=7 then swiss take=2 pairs=7", NULL},
};

TEST_ROWS(texts_are_read_and_written, readable)
{
    struct plan plan, again;
    char text[PLAN_TEXT], words[300];

    ck_assert_msg(plan_read(&plan, readable[_i].text, 7, &error) == BG_OK, "%s: %s",
                  readable[_i].text, error.text);
    plan_write(text, &plan);
    ck_assert_str_eq(text, readable[_i].written);
    /* the pairs of the event no longer matter */
    ck_assert_msg(plan_read(&again, text, 99, &error) == BG_OK, "%s: %s", text, error.text);
    ck_assert_mem_eq(&again, &plan, sizeof plan);
    if (readable[_i].people != NULL) {
        plan_stage_text(words, sizeof words, &plan.stage[0]);
        ck_assert_str_eq(words, readable[_i].people);
    }
}

TEST(a_stage_has_its_defaults)
{
    struct plan plan;

    ck_assert_int_eq(plan_read(&plan, "ladder", 12, NULL), BG_OK);
    ck_assert_int_eq(plan.stages, 1);
    ck_assert_int_eq(plan.stage[0].form, PLAN_LADDER);
    ck_assert_int_eq(plan.stage[0].terms, PLAN_PAIRS);
    ck_assert_int_eq(plan.stage[0].count, 12);
    ck_assert_int_eq(plan.stage[0].groups, 1);
    ck_assert_int_eq(plan.stage[0].take, 0);
    ck_assert_int_eq(plan.stage[0].cycles, 1);
    ck_assert_int_eq(plan.stage[0].reach, 2);
    ck_assert_int_eq(plan.stage[0].window, 200);
    ck_assert_int_eq(plan.stage[0].playoff, 3);
    ck_assert_int_eq(plan.stage[0].tie, PLAN_TIE_SHARED);
    ck_assert(!plan.stage[0].swap && !plan.stage[0].anchor_pairs && !plan.stage[0].third_place);
}

/* A refused text, and the words that the message must have. */
static const struct {
    const char *text, *because;
} refused[] = {
    {"", "a form is missing"},
    {"swiss then", "a form is missing"},
    {"then swiss", "unknown form 'then'"},
    {"swis rounds=5", "unknown form 'swis' (perhaps swiss?); known are circle, gauntlet, swiss"},
    {"Knockout", "(perhaps knockout?)"},
    {"double_elimination", "it is called double-elimination here"},
    {"Single_Elimination", "unknown form 'Single_Elimination': it is called knockout here"},
    {"swiss then berger", "unknown form 'berger': it is called circle table=berger here"},
    {"round_robin", "it is called circle (a whole event without rounds: round-robin) here"},
    {"pyramid", "unknown form 'pyramid'; known are"},
    {"round-robin pairs=3", "a round robin as a stage is 'circle'"},
    {"round-robin then knockout take=2", "a round robin as a stage is 'circle'"},
    {"swiss then round-robin take=3", "a round robin as a stage is 'circle'"},
    {"swiss rounds", "'rounds' is not an option like pairs=10"},
    {"swiss knockout take=4", "'knockout' is not an option like pairs=10"},
    {"swiss round=5", "unknown option of swiss: 'round' (perhaps rounds?); known are take"},
    {"swiss cycles=2", "unknown option of swiss: 'cycles'"},
    {"knockout tie=playoff", "unknown option of knockout: 'tie'"},
    {"gauntlet heroes=a groups=2", "unknown option of gauntlet: 'groups'"},
    {"swiss rounds=5 rounds=5", "rounds is given twice for swiss"},
    {"swiss pairs=5 match=7", "pairs and match exclude each other"},
    {"knockout best_of=3 points=5", "best_of and points exclude each other"},
    {"swiss rounds=0", "rounds=0: not a whole number from 1 to 10000"},
    {"swiss rounds=", "rounds=: not a whole number"},
    {"swiss rounds=5x", "rounds=5x: not a whole number"},
    {"swiss rounds=-5", "rounds=-5: not a whole number"},
    {"swiss pairs=99999999999999999999", "pairs=99999999999999999999: not a whole number"},
    {"knockout best_of=4", "best_of=4: not an odd number from 1 to 9999"},
    {"swiss tie=playoff playoff=2", "playoff=2: not an odd number"},
    {"swiss playoff=3", "playoff=3 needs tie=playoff"},
    {"swiss tie=broken", "tie=broken: neither shared nor playoff"},
    {"swiss late=1", "late=1: neither nothing nor half"},
    {"circle table=burger", "table=burger: neither circle nor berger"},
    {"knockout third_place=on", "third_place=on: neither no nor yes"},
    {"swiss take=4", "take=4: the first stage takes all entrants"},
    {"swiss then knockout", "knockout after 'then' needs take=N"},
    {"gauntlet", "gauntlet needs heroes=NAME"},
    {"gauntlet heroes=", "heroes=: not a list of bots' names"},
    {"gauntlet heroes=a,,b", "heroes=a,,b: not a list of bots' names"},
    {"gauntlet heroes=a,b,a", "heroes: a is named twice"},
    {"gauntlet heroes=" HERO64 "x", "not a list of bots' names"},
    {"gauntlet heroes=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "heroes: more than 16 names"},
    {"swiss then gauntlet take=4 heroes=a", "gauntlet is possible only as the first stage"},
    {"ladder then knockout take=4", "ladder before 'then' needs meetings=N"},
    {"league then knockout take=4", "league before 'then' needs meetings=N"},
    {"swiss then swiss take=9 then swiss take=8 then swiss take=7 then swiss take=6 then swiss "
     "take=5 then swiss take=4 then swiss take=3 then swiss take=2",
     "more than 8 stages"},
};

TEST_ROWS(wrong_texts_are_refused, refused)
{
    struct plan plan = {.stages = 5};

    ck_assert_int_eq(plan_read(&plan, refused[_i].text, 7, &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, refused[_i].because) != NULL, "%s: %s", refused[_i].text,
                  error.text);
    ck_assert_int_eq(plan.stages, 5); /* untouched */
}

TEST(long_words_and_long_texts_are_refused)
{
    struct plan plan;
    char text[8192] = "swiss x=";

    memset(text + 8, 'y', 2000);
    ck_assert_int_eq(plan_read(&plan, text, 7, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "a word with more than"));

    /* names that fit one by one and make a text that does not */
    text[0] = '\0';
    for (int stage = 0; stage < 3; stage++) {
        strcat(text, stage == 0 ? "league meetings=5 anchors="
                                : " then league take=20 meetings=5 anchors=");
        for (int i = 0; i < 15; i++) {
            size_t used = strlen(text);

            snprintf(text + used, sizeof text - used, "%s%.60s%04d", i > 0 ? "," : "", HERO64, i);
        }
    }
    ck_assert_int_eq(plan_read(&plan, text, 7, &error), BG_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, "a schedule with more than 2047 characters") != NULL, "%s",
                  error.text);
}

/* Texts compared with the entrants ann, bob, cid, dan, eve, fay, gus; NULL: allowed. */
static const struct {
    const char *text;
    int entrants;
    const char *because;
} compared[] = {
    {"round-robin", 0, NULL},
    {"swiss", 2, NULL},
    {"swiss", 1, "swiss needs two entrants, and there is 1"},
    {"knockout", 0, "knockout needs two entrants, and there are 0"},
    {"swiss rounds=7", 7, NULL},
    {"swiss rounds=8", 7, "rounds=8: 7 entrants have at most 7 rounds"},
    {"swiss rounds=5", 6, NULL},
    {"swiss rounds=6", 6, "rounds=6: 6 entrants have at most 5 rounds"},
    {"swiss groups=3", 7, NULL},
    {"swiss groups=4", 7, "groups=4: 7 entrants make groups with fewer than two"},
    {"swiss groups=2 rounds=4", 7, "rounds=4: 3 entrants have at most 3 rounds"},
    {"gauntlet heroes=ann,gus", 7, NULL},
    {"gauntlet heroes=gus", 6, "heroes=gus: the event has no bot with this name"},
    {"gauntlet heroes=anne", 6, "heroes=anne: the event has no bot with this name (perhaps ann?)"},
    {"gauntlet heroes=ann,bob", 2, "all 2 entrants are heroes"},
    {"league anchors=ann,bop", 6,
     "anchors=bop: the event has no bot with this name (perhaps bob?)"},
    {"swiss then knockout take=7", 7, NULL},
    {"swiss then knockout take=8", 7, "take=8: the stage before has only 7 entrants"},
    {"swiss then knockout take=1", 7, "knockout needs two entrants, and there is 1"},
    {"circle groups=3 then knockout take=2", 7, NULL},
    {"circle groups=3 then knockout take=3", 7,
     "take=3: the stage before has only 2 entrants in a group"},
    {"circle groups=3 then swiss take=2 rounds=6", 7, "rounds=6: 6 entrants have at most 5 rounds"},
};

TEST_ROWS(plans_are_compared_with_the_entrants, compared)
{
    static const char *const names[] = {"ann", "bob", "cid", "dan", "eve", "fay", "gus"};
    struct plan plan;
    enum bg_status status;

    assert_ok(plan_read(&plan, compared[_i].text, 7, &error));
    status = plan_check(&plan, names, compared[_i].entrants, &error);
    if (compared[_i].because == NULL) {
        ck_assert_msg(status == BG_OK, "%s: %s", compared[_i].text, error.text);
    } else {
        ck_assert_int_eq(status, BG_E_ARGUMENT);
        ck_assert_msg(strstr(error.text, compared[_i].because) != NULL, "%s: %s", compared[_i].text,
                      error.text);
    }
}

/* Every option of every form, at a value that is not its default, comes back. */
TEST(each_option_of_each_form_comes_back)
{
    int seen = 0;

    for (int form = 0; form < PLAN_FORMS; form++) {
        for (int i = 0; i < PLAN_OPTIONS; i++) {
            const struct plan_option *option = &plan_options[i];
            const char *values[] = {"5", "5", option->words[1], option->words[1], "x,y"};
            char text[200], written[PLAN_TEXT], want[40];
            struct plan plan;
            bool take = strcmp(option->name, "take") == 0;

            if ((option->forms & (1U << form)) == 0 || (take && form == PLAN_GAUNTLET)) {
                continue;
            }
            snprintf(want, sizeof want, " %s=%s", option->name, values[option->kind]);
            snprintf(text, sizeof text, "%s%s%s%s%s", take ? "swiss then " : "",
                     plan_form_name((enum plan_form)form),
                     form == PLAN_GAUNTLET && option->kind != PLAN_NAMES ? " heroes=x" : "",
                     strncmp(option->name, "playoff", 7) == 0 ? " tie=playoff" : "", want);
            ck_assert_msg(plan_read(&plan, text, 7, &error) == BG_OK, "%s: %s", text, error.text);
            plan_write(written, &plan);
            ck_assert_msg(strstr(written, want) != NULL, "%s became %s", text, written);
            seen++;
        }
    }
    ck_assert_int_eq(seen, 73); /* the table of docs/running.md */
}

/* Random sequences of the words of the language, and of any bytes: read and written, or refused
 * with a reason. */
TEST(random_texts_are_read_or_refused)
{
    static const char *const pieces[] = {
        "circle",      "swiss",       "knockout",  "ladder",
        "then",        " ",           "=",         "take",
        "take=4",      "pairs=3",     "best_of=",  "3",
        "5",           "meetings=7",  "heroes=a,", "gauntlet",
        "league",      "tie=",        "playoff",   "groups=",
        "round-robin", "\t",          "\x80",      "anchors=",
        "b",           "third_place", "=yes",      "double-elimination"};
    uint64_t state = 12345;
    int fine = 0;

    for (int i = 0; i < 20000; i++) {
        char text[400] = "", written[PLAN_TEXT], again[PLAN_TEXT];
        struct plan plan, second;

        for (int k = 0; k < 1 + i % 12; k++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            strcat(text, pieces[(state >> 33) % (sizeof pieces / sizeof pieces[0])]);
            strcat(text, (state >> 20) % 3 != 0 ? " " : "");
        }
        if (plan_read(&plan, text, 7, &error) != BG_OK) {
            ck_assert_msg(error.text[0] != '\0', "'%s' is refused without a reason", text);
            continue;
        }
        plan_write(written, &plan);
        ck_assert_msg(plan_read(&second, written, 8, &error) == BG_OK, "%s: %s", written,
                      error.text);
        plan_write(again, &second);
        ck_assert_str_eq(again, written);
        fine++;
    }
    ck_assert_int_gt(fine, 20);
}
