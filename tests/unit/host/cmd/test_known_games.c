/* Which games the author's side knows: a plain list of the newest decides what is right. */
#include "support/suite.h"

#include <cmd/known_games.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40000, NAMES = 3 * KNOWN_GAMES };

static struct known_games games; /* large */

static void name_of(char out[BG_GAME_ID], int number)
{
    snprintf(out, BG_GAME_ID, "spring/1/anna-random/%d", number);
}

TEST(a_game_is_new_once)
{
    memset(&games, 0, sizeof games);
    ck_assert(known_games_add(&games, "a", 1));
    ck_assert(!known_games_add(&games, "a", 1));
    ck_assert(known_games_add(&games, "", 0));
    ck_assert(!known_games_add(&games, "", 0));
    ck_assert(known_games_add(&games, "b", 1));
    ck_assert_uint_eq(games.count, 3);
}

/* added[n]: how many games had been added when game n was added last; 0: never. */
TEST(the_newest_are_known_and_older_ones_are_new_again)
{
    static uint64_t added[NAMES];
    uint64_t count = 0;
    char name[BG_GAME_ID];

    memset(&games, 0, sizeof games);
    memset(added, 0, sizeof added);
    srand(16);
    for (int step = 0; step < STEPS; step++) {
        int number = rand() % NAMES;
        bool is_new = added[number] == 0 || count - added[number] >= KNOWN_GAMES;

        name_of(name, number);
        ck_assert_msg(known_games_add(&games, name, strlen(name)) == is_new, "step %d, game %d",
                      step, number);
        if (is_new) {
            added[number] = ++count;
        }
    }
    ck_assert_uint_eq(games.count, count);
    ck_assert_uint_gt(count, 2 * KNOWN_GAMES);
}
