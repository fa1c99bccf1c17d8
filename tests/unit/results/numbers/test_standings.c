/* Standings: each criterion in order. */
#include <numbers/standings.h>

#include <stdio.h>
#include <string.h>

#include "support/vector.h"
#include "support/suite.h"

enum { MOST = 8 };

/* Players are letters in entry order; want lists them by rank as "B1 A2= C2=", with a slash and the
 * criterion, if there is one. */
static const struct {
    const char *name;
    int players;
    size_t count;
    struct standings_encounter row[MOST];
    const char *want;
} cases[] = {
    {"nobody has played", 3, 0, {{0}}, "A1= B1= C1="},
    {"the score decides", 2, 1, {{0, 1, 1, 2, 0}}, "B1 A2"},
    {"a circle of equals",
     3,
     3,
     {{0, 1, 1, 2, 0}, {0, 2, 2, 1, 0}, {1, 2, 1, 2, 0}},
     "A1= B1= C1="},
    {"direct encounter",
     4,
     3,
     {{0, 1, 0, 2, 0}, {0, 2, 3, 0, 0}, {1, 3, 1, 0, 0}},
     "B1/direct A2/direct C3= D3="},
    {"direct encounter is skipped when two have not met",
     4,
     2,
     {{0, 2, 2, 1, 0}, {1, 3, 2, 0, 0}},
     "A1/sb B2/sb C3 D4"},
    {"direct encounter says nothing unless all of the group have met",
     5,
     3,
     {{0, 1, 1, 0, 0}, {1, 3, 1, 0, 0}, {2, 4, 1, 0, 0}},
     "A1/sb B2=/sb C2=/sb D4= E4="},
    {"equal after direct encounter: the one with the harder opponents",
     4,
     4,
     {{0, 1, 1, 1, 0}, {0, 2, 2, 1, 0}, {1, 3, 2, 0, 0}, {0, 3, 0, 0, 0}},
     "A1/sb B2/sb C3 D4"},
    {"point difference comes last", 2, 1, {{0, 1, 1, 1, -4}}, "B1/diff A2/diff"},
    {"several rows add up", 2, 2, {{0, 1, 1, 0, 3}, {1, 0, 1, 0, 9}}, "B1/diff A2/diff"},
    {"three in a shared rank skip two",
     4,
     3,
     {{0, 1, 0, 1, 0}, {0, 2, 0, 1, 0}, {0, 3, 0, 1, 0}},
     "B1= C1= D1= A4"},
    {"sums that differ by rounding are equal",
     2,
     3,
     {{0, 1, 0.1, 0.3, 0}, {0, 1, 0.2, 0, 0}, {0, 1, 0, 0, 0}},
     "A1= B1="},
};

TEST_ROWS(a_small_table, cases)
{
    struct standings_row rows[MOST];
    char got[256] = "";

    standings_of(rows, cases[_i].players, cases[_i].row, cases[_i].count);
    for (int i = 0; i < cases[_i].players; i++) {
        const char *why = standings_criterion_name(rows[i].tiebreak);
        size_t used = strlen(got);

        snprintf(got + used, sizeof got - used, "%s%c%d%s%s%s", i > 0 ? " " : "",
                 'A' + rows[i].player, rows[i].rank, rows[i].shared ? "=" : "",
                 why == NULL ? "" : "/", why == NULL ? "" : why);
    }
    ck_assert_msg(strcmp(got, cases[_i].want) == 0, "%s: wanted %s, got %s", cases[_i].name,
                  cases[_i].want, got);
}

/* A and B have the same score and opponents with the same scores: A has beaten B, and B has beaten
 * a stronger one. */
TEST(in_a_swiss_direct_encounter_comes_before_sonneborn_berger)
{
    static const struct standings_encounter row[] = {{0, 1, 1, 0, 1}, {0, 2, 0, 1, -1},
                                                     {1, 3, 1, 0, 1}, {2, 4, 1, 0, 1},
                                                     {3, 5, 1, 0, 1}, {3, 6, 1, 0, 1}};
    struct standings_row rows[7];

    standings_in_order(rows, 7, row, sizeof row / sizeof row[0], NULL, &standings_swiss);
    for (int i = 2; i < 4; i++) {
        ck_assert_int_eq(rows[i].player, i - 2);
        ck_assert_int_eq(rows[i].tiebreak, STANDINGS_DIRECT);
    }
}

/* Four are equal with E's help. Among them A scored 4, B and C 3, D 2; the same criterion is
 * applied again between B and C. */
TEST(direct_encounter_is_repeated_inside_a_part)
{
    struct standings_encounter rows[] = {
        {0, 1, 2, 1, 0}, {0, 2, 1, 1, 0}, {0, 3, 1, 1, 0}, {1, 2, 2, 0, 0}, {1, 3, 0, 1, 0},
        {2, 3, 2, 0, 0}, {0, 4, 1, 0, 0}, {1, 4, 2, 0, 0}, {2, 4, 2, 0, 0}, {3, 4, 3, 0, 0}};
    struct standings_row out[5];

    standings_of(out, 5, rows, 10);
    ck_assert_int_eq(out[0].player, 0);
    ck_assert_int_eq(out[1].player, 1); /* B beat C 2-0 */
    ck_assert_int_eq(out[2].player, 2);
    ck_assert_int_eq(out[3].player, 3);
    ck_assert_int_eq(out[1].tiebreak, STANDINGS_DIRECT);
    ck_assert(!out[1].shared && !out[2].shared);
    ck_assert_int_eq(out[4].rank, 5);
}

void suite_begin(TCase *tests)
{
    vector_add(tests, "t01_standings");
}
