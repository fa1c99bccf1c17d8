#include "day_games.h"

#include <limits.h>
#include <stdio.h>

#include "words/utc.h"

enum { DAY_S = 86400 };

static int64_t day_of(int64_t now_s)
{
    return now_s / DAY_S - (now_s % DAY_S < 0);
}

/* A clock that is set back over midnight does not begin the day before anew: the games of the day
 * that had begun count on until it begins again. One that is set back further only forgets. */
static int64_t day_that_counts(const struct day_games *games, int64_t now_s)
{
    int64_t day = day_of(now_s);

    return games->begun > 0 && games->day == day + 1 ? games->day : day;
}

int day_games_begun(const struct day_games *games, int64_t now_s)
{
    return games->day == day_that_counts(games, now_s) ? games->begun : 0;
}

void day_games_begin(struct day_games *games, int64_t now_s)
{
    int begun = day_games_begun(games, now_s);

    games->day = day_that_counts(games, now_s);
    games->begun = begun == INT_MAX ? begun : begun + 1;
}

bool day_games_are_over(const struct day_games *games, int64_t now_s)
{
    return games->most > 0 && day_games_begun(games, now_s) >= games->most;
}

int64_t day_games_next(int64_t now_s)
{
    return (day_of(now_s) + 1) * DAY_S;
}

void day_games_write(char out[DAY_GAMES_TEXT], const struct day_games *games, const char *name,
                     int64_t now_s)
{
    char until[UTC_TEXT];

    utc_write(until, day_games_next(now_s));
    snprintf(out, DAY_GAMES_TEXT,
             "%.64s has begun %d game%s today, and the host allows %d (games_a_day); it plays on "
             "at %s",
             name, day_games_begun(games, now_s), day_games_begun(games, now_s) == 1 ? "" : "s",
             games->most, until);
}
