/* random_match.h - random matches, for tests of everything that follows play. */
#ifndef SUPPORT_RANDOM_MATCH_H
#define SUPPORT_RANDOM_MATCH_H

#include <bgref/match.h>
#include <record/record.h>

/* Random numbers from one seed. The state is never 0. */
struct chance {
    uint64_t state;
};

uint64_t chance_next(struct chance *chance);
int chance_below(struct chance *chance, int limit); /* 0 .. limit - 1 */

/* A random legal step that is due. Doubles, raises, resignations and faults come now and then. A
 * step must be due in the match. */
struct bg_step random_step(const struct bg_match *match, struct chance *chance);

/* Plays the game that has begun in *match to its end and writes its record; hash as in record_end.
 * times false: no times, so the text depends only on the steps. */
void random_game(struct record *record, char hash[RECORD_HASH], struct bg_match *match,
                 const char *id, const char *prev, bool times, struct chance *chance);

#endif
