/* bearoff.h - one side alone brings its checkers off: how many turns it takes.
 *
 *     struct bearoff *bearoff;
 *     status = bearoff_create(&bearoff, 6, &err);
 *     int own = bearoff_find(bearoff, board->at[0]), other = bearoff_find(bearoff, board->at[1]);
 *     if (own >= 0 && other >= 0)
 *         win = bearoff_win(bearoff, own, other);
 *
 * For positions with all of at most 15 checkers on the last 6 points or off (or up to 10 points),
 * without contact, two dice, doubles four times. Each turn is played for the fewest turns on
 * average. That is not always best against an opponent who is nearly off, but both sides can then
 * be looked at alone.
 *
 * Chances are exact for this play but for rounding to single floats.
 */
#ifndef BOTS_EXACT_BEAROFF_H
#define BOTS_EXACT_BEAROFF_H

#include <bgref/board.h>
#include <bgref/error.h>

enum {
    BEAROFF_POINTS = 6, /* the usual number: 54,264 positions, 3 MB, a fraction of a second */
    BEAROFF_POINTS_MAX = 10,
    BEAROFF_TURNS_MAX = 64 /* more than any of these positions takes with a chance above 0 */
};

struct bearoff;

/* Computes all positions for these points, 6..10. Each point more takes about four times as long
 * and three times the memory. BG_E_MEMORY. The caller destroys it. */
enum bg_status bearoff_create(struct bearoff **out, int points, struct bg_error *err);

/* Writes the table to a file. BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status bearoff_write(const struct bearoff *bearoff, const char *path, struct bg_error *err);

/* Opens such a file, in about a millisecond: it is mapped, and processes share it. BG_E_SYSTEM: it
 * cannot be read; BG_E_FORMAT: it is not a complete file for so many points; BG_E_MEMORY. The
 * caller destroys it. */
enum bg_status bearoff_open(struct bearoff **out, const char *path, int points,
                            struct bg_error *err);

/* bearoff may be NULL. */
void bearoff_destroy(struct bearoff *bearoff);

/* Returns how many positions there are. */
int bearoff_count(const struct bearoff *bearoff);

/* Returns the number of a side's position, -1 if it is not one of them: a checker farther back,
 * more than 15 checkers. */
int bearoff_find(const struct bearoff *bearoff, const uint8_t at[BG_SLOTS]);

/* Sets chance[t] to the chance to be off after exactly t turns, for t below the returned number,
 * which is at most BEAROFF_TURNS_MAX. Later turns have the chance 0. */
int bearoff_turns(const struct bearoff *bearoff, int position, float chance[BEAROFF_TURNS_MAX]);

/* Returns the mean number of turns. */
double bearoff_mean(const struct bearoff *bearoff, int position);

/* Returns the chance that the side on roll with position `own` is off before the other side. */
double bearoff_win(const struct bearoff *bearoff, int own, int other);

#endif
