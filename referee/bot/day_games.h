/* day_games.h - how many games of a remote bot may begin on a day (games_a_day of its entry in the
 * list of keys), and how many have. Pure.
 *
 * Days are UTC's. A fixture that has begun is played to its end, so its later games may be above
 * the limit; no other fixture begins then until midnight.
 */
#ifndef REFEREE_BOT_DAY_GAMES_H
#define REFEREE_BOT_DAY_GAMES_H

#include <stdbool.h>
#include <stdint.h>

struct day_games {
    int most;    /* 0: any number */
    int64_t day; /* the day that begun is of: days since 1970 */
    int begun;
};

/* Counts a game that begins. now_s: since 1970. */
void day_games_begin(struct day_games *games, int64_t now_s);
/* Returns how many have begun on this day. */
int day_games_begun(const struct day_games *games, int64_t now_s);
/* Returns whether as many have begun as may. */
bool day_games_are_over(const struct day_games *games, int64_t now_s);
/* Returns the next midnight. */
int64_t day_games_next(int64_t now_s);

/* Writes for the bot's author why no new fixture begins. name: the bot's. */
enum { DAY_GAMES_TEXT = 200 };
void day_games_write(char out[DAY_GAMES_TEXT], const struct day_games *games, const char *name,
                     int64_t now_s);

#endif
