/* feed_chess.h - lines on standard output in the forms that scripts of chess harnesses read.
 *
 *     Started game 12 of 400 (A vs B)
 *     Finished game 12 (A vs B): 1-0 {A wins gammon, 2 points}
 *     Score of A vs B: 210 - 180 - 0  [0.538] 390
 *     Warning; Engine A loses on time
 *     Results of A vs B (...): Elo: 12.30 +/- 4.50, ...  LLR: 1.20 (40.8%) (-2.94, 2.94) [0, 5]
 *
 * A "game" in these lines is a fixture: a money game, or a match. Its number is its place in the
 * schedule, from 1. The first bot in a line has seat 0. Numbers are never inf or nan.
 */
#ifndef REFEREE_FEED_FEED_CHESS_H
#define REFEREE_FEED_FEED_CHESS_H

#include "pairs.h"
#include "numbers/winrate.h"
#include "store/store.h"
#include "sequential.h"
#include "stream.h"

#include "config/config.h"
#include "fixtures/source.h"

/* The results of two bots against each other, as the bot that the event lists first sees them. */
struct chess_score {
    struct winrate_counts count;
    uint64_t levels[2][4], ends[BG_END_COUNT]; /* games by winner's level, and by how they ended */
    double points, squares;                    /* sum and sum of squares of the clusters' points */
    uint64_t clusters, games;
};

struct chess {
    const struct config_event *event; /* lent */
    const struct source *source;      /* lent */
    struct stream *out;               /* owned; NULL: nothing is written */
    struct chess_score *scores;       /* owned; [x * bots + y], x < y in entry order */
    uint64_t finished;                /* fixtures in this run */
    uint64_t shown;                   /* of these, at the last printed results */
    bool anew;                        /* games are counted again for the last lines */
};

/* BG_E_ARGUMENT: the event stream uses standard output. Does nothing unless event->chess_lines. */
enum bg_status chess_open(struct chess *out, const struct config_event *event,
                          const struct source *source, struct bg_error *err);
void chess_close(struct chess *chess); /* also of a zeroed one */

static inline bool chess_is_open(const struct chess *chess)
{
    return chess->out != NULL;
}

void chess_started(struct chess *chess, const struct fixture *fixture);
/* Call for every finished game; prints a line when the game ends its fixture. stored: from an
 * earlier run, counted without a line.
 */
void chess_game(struct chess *chess, const struct fixture *fixture, const struct store_game *game,
                bool stored);
void chess_pair(struct chess *chess, const struct pairs_cluster *pair);
void chess_fault(struct chess *chess, int bot, enum bg_fault fault, const char *reply);

/* Call after chess_game and chess_pair of a batch: prints the lines that are due. sequential may
 * be NULL. */
void chess_intervals(struct chess *chess, const struct fixture *fixture,
                     const struct sequential *sequential);
/* Call when a test is over and only its pairs' games count: counts games again from here, as stored
 * ones. */
void chess_forget(struct chess *chess);
/* At the end: prints a duel's results again; after chess_forget also the score. */
void chess_final(struct chess *chess, const struct sequential *sequential);

#endif
