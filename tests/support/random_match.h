/* random_match.h - matches played by chance, for tests of everything that comes after play. */
#ifndef SUPPORT_RANDOM_MATCH_H
#define SUPPORT_RANDOM_MATCH_H

#include <bgref/match.h>
#include <record/record.h>

/* Numbers from one seed. Never 0 as a state. */
struct chance {
    uint64_t state;
};

uint64_t chance_next(struct chance *chance);
int chance_below(struct chance *chance, int limit); /* 0 .. limit - 1 */

/* A legal step for what is owed. Doubles, raises, resignations and faults come now and then.
 * The match must owe something. */
struct bg_step random_step(const struct bg_match *match, struct chance *chance);

/* Plays the game that has begun in *match to its end and writes its record; hash as record_end.
 * times false: nothing is measured, so the text depends on the steps alone. */
void random_game(struct record *record, char hash[RECORD_HASH], struct bg_match *match,
                 const char *id, const char *prev, bool times, struct chance *chance);

#endif
