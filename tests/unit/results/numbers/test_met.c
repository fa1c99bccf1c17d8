/* Match equity: the model against its reference table, its laws, and foreign tables. */
#define _GNU_SOURCE /* fmemopen */
#include "support/suite.h"

#include <numbers/met.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* met15.tsv was computed by another program from the same model. */
TEST(model_is_the_reference)
{
    struct met model, reference;
    FILE *in = fopen(TEST_DATA "/met15.tsv", "r");

    ck_assert_ptr_nonnull(in);
    assert_ok(met_read(&reference, in, "met15.tsv", &error));
    fclose(in);
    ck_assert_int_eq(reference.away, 15);
    ck_assert_int_eq(met_model(&model, 15, NULL), BG_OK);
    for (int i = 1; i <= 15; i++) {
        for (int j = 1; j <= 15; j++) {
            ck_assert_double_eq_tol(met_chance(&model, i, j, MET_NORMAL),
                                    met_chance(&reference, i, j, MET_NORMAL), 1e-6);
        }
        ck_assert_double_eq_tol(met_chance(&model, i, 1, MET_POST),
                                met_chance(&reference, i, 1, MET_POST), 1e-6);
    }
    met_deinit(&model);
    met_deinit(&reference);
}

/* A longer table contains the shorter ones, and obeys the laws. */
TEST(long_tables)
{
    struct met small, large;

    ck_assert_int_eq(met_model(&small, 9, NULL), BG_OK);
    ck_assert_int_eq(met_model(&large, 64, NULL), BG_OK);
    assert_ok(met_check(&large, &error));
    for (int i = 1; i <= 9; i++) {
        for (int j = 1; j <= 9; j++) {
            ck_assert_double_eq(met_chance(&small, i, j, MET_NORMAL),
                                met_chance(&large, i, j, MET_NORMAL));
        }
    }

    ck_assert_double_eq_tol(met_chance(&large, 5, 7, MET_NORMAL), 0.6265, 5e-5);
    ck_assert_double_eq_tol(met_chance(&large, 11, 15, MET_NORMAL), 0.6674, 5e-5);
    met_deinit(&small);
    met_deinit(&large);
}

TEST(sizes)
{
    struct met met;

    ck_assert_int_eq(met_model(&met, 0, &error), BG_E_ARGUMENT);
    ck_assert_str_eq(error.text, "match equity table: 0 points away: 1 to 128");
    ck_assert_int_eq(met_model(&met, MET_AWAY_MAX + 1, &error), BG_E_ARGUMENT);
    assert_ok(met_model(&met, 1, &error));
    ck_assert_double_eq(met_chance(&met, 1, 1, MET_NORMAL), 0.5);
    ck_assert_double_eq(met_chance(&met, 1, 1, MET_POST), 0.5);
    ck_assert_double_eq(met_chance(&met, 0, 1, MET_NORMAL), 1);
    ck_assert_double_eq(met_chance(&met, 1, -3, MET_POST), 0);
    met_deinit(&met);
}

/* After the game: the table that counts, and the cube's stake. */
TEST(scores_with_a_game_under_way)
{
    struct met met;
    struct met_score normal = {.away = {3, 2}}, crawford = {.away = {1, 4}, .crawford = true};
    struct met_score after = {.away = {1, 4}, .crawford_done = true}, last = {.away = {1, 1}};

    ck_assert_int_eq(met_model(&met, 5, NULL), BG_OK);
    /* 3-away 2-away: a single game makes it 2-2, or 3-1 before the Crawford game */
    ck_assert_double_eq(met_chance_after(&met, &normal, 0, 0, 1), 0.5);
    ck_assert_double_eq(met_chance_after(&met, &normal, 0, 1, 1),
                        met_chance(&met, 3, 1, MET_NORMAL));
    ck_assert_double_eq(met_chance_after(&met, &normal, 1, 1, 1),
                        met_chance(&met, 1, 3, MET_NORMAL));
    ck_assert_double_eq(met_chance_after(&met, &normal, 0, 0, 4), 1);
    ck_assert_double_eq(met_chance_after(&met, &normal, 0, 1, 2), 0);
    /* the Crawford game lost by the leader: post-Crawford, the trailer needs 3 */
    ck_assert_double_eq(met_chance_after(&met, &crawford, 1, 1, 1),
                        met_chance(&met, 3, 1, MET_POST));
    ck_assert_double_eq(met_chance_after(&met, &crawford, 0, 1, 1),
                        1 - met_chance(&met, 3, 1, MET_POST));
    ck_assert_double_eq(met_chance_after(&met, &after, 0, 1, 2),
                        1 - met_chance(&met, 2, 1, MET_POST));
    ck_assert_double_eq(met_stake(&met, &last, 0, 1), 1);
    met_deinit(&met);
}

static const struct {
    const char *text, *message;
} tables[] = {
    {"away 1 2\n1 .5 .7\n2 .3 .5\npost .5 .49\n", NULL},
    {"# by hand\naway,1,2\n\n1,0.5,0.7\r\n2,0.3,0.5\r\n", NULL},
    {"", "t:0: needs the line: away 1 2 3 ..."},
    {"home 1\n", "t:1: needs the line: away 1 2 3 ..."},
    {"away\n", "t:1: after away needs 1 2 3 ..."},
    {"away 1 3\n", "t:1: after away needs 1 2 3 ..., at most to 128"},
    {"away 1 2\n1 .5 .7\n3 .3 .5\n", "t:3: rows need to be 1, 2, 3 ... as in the head"},
    {"away 1 2\n1 .5\n", "t:2: needs 2 chances, number 2 is 'missing'"},
    {"away 1 2\n1 .5 nan\n2 .3 .5\n", "t:2: needs 2 chances, number 2 is 'nan'"},
    {"away 1 2\n1 .5 .7 .9\n2 .3 .5\n", "t:2: has more chances than the head"},
    {"away 1\n1 .5\nafter .5\n", "t:3: after the rows there may be a row post, nothing else"},
    {"away 1\n1 .5\npost .5\npost .5\n", "t:4: post is the last row"},
    {"away 1 2\n1 .5 .7\n2 .31 .5\n",
     "t: 1-away 2-away: 0.7 and its mirror 0.31 sum to 1.01, not to 1"},
    {"away 1 2\n1 .5 .4\n2 .6 .5\n",
     "t: 1-away 2-away: 0.4 is less than against 1 point fewer, 0.5"},
    {"away 1 2\n1 .5 1.7\n2 -.7 .5\n", "t: 1-away 2-away: 1.7 is not a chance between 0 and 1"},
    {"away 1 2\n1 .5 .7\n2 .3 .5\npost .5 .51\n",
     "t: post-Crawford 2-away: 0.51 is not a chance, or is above 0.5 with 1 point fewer to go"},
    {"away 1\n1 .5\npost .6\n", "t: post-Crawford 1-away: 0.6, not one half"},
};

TEST_ROWS(foreign_tables, tables)
{
    char text[256];
    struct met met;
    enum bg_status status = BG_OK;
    FILE *in = NULL;

    snprintf(text, sizeof text, "%s", tables[_i].text);
    in = text[0] == '\0' ? fopen("/dev/null", "r") : fmemopen(text, strlen(text), "r");
    status = met_read(&met, in, "t", &error);
    fclose(in);
    if (tables[_i].message == NULL) {
        ck_assert_msg(status == BG_OK, "%s", error.text);
        ck_assert_double_eq_tol(met_chance(&met, 1, 2, MET_NORMAL), 0.7, 1e-15);
        ck_assert_double_eq_tol(met_chance(&met, 2, 1, MET_POST), 0.49, 0.01);
    } else {
        ck_assert_int_eq(status, BG_E_FORMAT);
        ck_assert_str_eq(error.text, tables[_i].message);
    }
    met_deinit(&met);
}
