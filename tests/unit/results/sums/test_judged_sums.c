/* The matches that count in a judge's sums: those with every game judged. */
#define _GNU_SOURCE
#include <sums/judged_sums.h>
#include <store/judgement.h>
#include <store/store.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/scratch_store.h"
#include "support/suite.h"

/* Games of the match a|b|0|1, the last of which ends it; judged: a bit for each judged game. */
static void put_match(struct store *store, const char *b, int games, unsigned judged)
{
    for (int i = 0; i < games; i++) {
        struct store_game *game = calloc(1, sizeof *game);
        struct judgement *judgement = calloc(1, sizeof *judgement);
        char id[BG_GAME_ID];

        snprintf(id, sizeof id, "a|%s|0|1|%d", b, i);
        *game = (struct store_game){.id = strdup(id),
                                    .a = strdup("a"),
                                    .b = strdup(b),
                                    .leg = 1,
                                    .game = i,
                                    .length_points = 3,
                                    .points = 1,
                                    .level = 1,
                                    .end = BG_END_OFF,
                                    .match_over = i + 1 == games,
                                    .match_winner = i + 1 == games ? 0 : -1,
                                    .text = strdup("text")};
        game->text_size = 4;
        snprintf(game->hash, sizeof game->hash, "hash of %.40s", id);
        *judgement = (struct judgement){.game_id = strdup(id),
                                        .judge = strdup("judge"),
                                        .hash = strdup(game->hash),
                                        .luck = {0.25, 0},
                                        .rolls = 1,
                                        .choices = 2,
                                        .has_choices = true,
                                        .cpu_ns = -1};
        judgement->roll = calloc(1, sizeof *judgement->roll);
        judgement->roll[0] = (struct judged_roll){.luck = 0.25, .se = 0.5};
        judgement->choice = calloc(2, sizeof *judgement->choice);
        judgement->choice[0] = (struct judged_choice){.error = 0.018 * (i + 1), .counted = true};
        judgement->choice[1] = (struct judged_choice){.bot = 1, .error = 9}; /* no choice */
        ck_assert_int_eq(store_put_game(store, game, NULL), BG_OK);
        if ((judged & 1u << i) != 0) {
            ck_assert_int_eq(store_put_judgement(store, judgement, NULL), BG_OK);
        } else {
            judgement_destroy(judgement);
        }
    }
}

static const struct match {
    const char *name;
    int games;
    unsigned judged;
    size_t results;
} matches[] = {
    {"all judged", 3, 7, 1},
    {"the first is not", 3, 6, 0},
    {"one between is not", 3, 5, 0},
    {"the last is not", 3, 3, 0},
    {"only the last is, behind a judged match of as many games as it lacks", 3, 4, 0},
};

TEST_ROWS(a_match_counts_when_all_its_games_are_judged, matches)
{
    const struct match *match = &matches[_i];
    struct store *store = scratch_store_create();
    struct judged_sums sums;

    put_match(store, "b", 2, 3);
    put_match(store, "c", match->games, match->judged);
    ck_assert_int_eq(judged_sums_read(&sums, store, NULL, NULL, NULL), BG_OK);
    ck_assert_int_eq(sums.encounters, 2);
    ck_assert_uint_eq(sums.encounter[0].results, 1);
    ck_assert_double_eq(sums.encounter[0].result[0].luck, 0.5);
    ck_assert_msg(sums.encounter[1].results == match->results, "%s: %zu count", match->name,
                  sums.encounter[1].results);
    if (match->results > 0) {
        ck_assert_double_eq(sums.encounter[1].result[0].luck, 0.75);
        /* 0.027 in a match of two games, 0.036 in one of three: one of two matches is strong play
         */
        ck_assert_double_eq_tol(sums.encounter[0].result[0].error, 0.027, 1e-15);
        ck_assert_double_eq_tol(sums.encounter[1].result[0].error, 0.036, 1e-15);
        ck_assert_double_eq(sums.encounter[0].luck.strong.results, 1);
        ck_assert_double_eq(sums.encounter[1].luck.strong.results, 0);
        ck_assert_double_eq_tol(judged_sums_noise(&sums), sqrt(5 * 0.25 / 2), 1e-12);
    }
    judged_sums_deinit(&sums);
    store_destroy(store);
}

TEST(a_judge_without_mistakes_explains_every_result)
{
    static const struct {
        const char *name;
        bool choices;
        uint64_t games;
        double sd[2]; /* of the judge against itself, by bot */
        bool exact;
    } rows[] = {
        {"rounding", true, 10, {1e-6, 0.0}, true},
        {"one of two bots is not explained", true, 10, {1e-6, 0.2}, false},
        {"a spread that is not known", true, 10, {1e-6, NAN}, false},
        {"too few games", true, 9, {0.0, 0.0}, false},
        {"no judged choices", false, 10, {0.0, 0.0}, false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct judged_bot bots[2] = {0};
        struct judged_sums sums = {
            .choices = rows[i].choices, .games = rows[i].games, .bot = bots, .bots = 2};

        bots[0].luck.itself.sd = rows[i].sd[0];
        bots[1].luck.itself.sd = rows[i].sd[1];
        ck_assert_msg(judged_sums_is_exact(&sums) == rows[i].exact, "%s", rows[i].name);
    }
}
