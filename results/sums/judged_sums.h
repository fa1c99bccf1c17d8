/* judged_sums.h - sums of one judge's judgements of an event: luck and results of every leg, luck
 * of rolls, errors of decisions, by encounter and by bot.
 *
 * Money: a leg is a game, in points. Match play: a leg is a match, in match-winning chance; its
 * luck is the sum over its games. A match counts only once all its games are judged. An encounter's
 * numbers are from the view of its a, a bot's from the bot's view.
 */
#ifndef RESULTS_SUMS_JUDGED_SUMS_H
#define RESULTS_SUMS_JUDGED_SUMS_H

#include <bgref/notation.h>
#include "decision_key.h"
#include <numbers/errors.h>
#include <numbers/luck.h>
#include <sums/tally.h>

enum { JUDGED_KINDS = 3, JUDGED_WORST = 3 /* worst choices kept for each bot */ };

/* A choice with a large error. */
struct judged_worst {
    char *game_id; /* owned */
    int step;      /* in the record */
    enum judged_kind kind;
    double error, loss;
    char best[JUDGED_BEST];
};

struct judged_encounter {
    int a, b;                   /* bots; a's name is smaller by bytes */
    uint64_t games;             /* judged games */
    struct luck_result *result; /* owned; the legs that count, by pair and leg */
    size_t results, room;
    struct luck_rolls rolls[2];             /* of a and of b; without each game's first roll */
    struct errors_sum sum[2][JUDGED_KINDS]; /* by enum judged_kind */
    bool has_errors;                        /* some games have judged choices */
    struct luck_summary luck;
};

struct judged_bot {
    char *name;                              /* owned */
    char *display;                           /* owned; the display name; NULL: same as name */
    struct errors_sum sum[JUDGED_KINDS];     /* by enum judged_kind */
    double opponent_moves;                   /* the opponents' checker plays in its games */
    struct luck_summary luck;                /* over all its legs that count */
    struct judged_worst worst[JUDGED_WORST]; /* largest error first */
    int worst_count;
};

struct judged_sums {
    char *judge; /* owned; NULL: no judgements */
    int length_points;
    enum luck_unit unit;
    uint64_t games; /* judged games */
    bool choices;   /* some with judged choices */
    double cpu_s;   /* the judge's processor time, where known */
    uint64_t cpu_games;
    double noise; /* sum over the judged games: variance of a game's luck because the judge's values
                     are means of random trials (rollouts), raw units squared; 0: they are not */
    struct judged_bot *bot; /* owned */
    int bots;
    size_t bot_room;
    struct judged_encounter *encounter; /* owned; sorted by names */
    int encounters;
    size_t room;
};

/* judge: its full name ("gnubg 1.07.001 plies=0") or the first words of it; NULL: the judge with
 * most games, with ties the first by name. tally: numbers bots as there and leaves out games of
 * other bots; NULL: numbers bots in order of appearance. BG_E_ARGUMENT: no such judge (the message
 * lists the judges); BG_E_STORE. */
enum bg_status judged_sums_read(struct judged_sums *out, struct store *store,
                                const struct tally *tally, const char *judge, struct bg_error *err);
/* The same for exactly this judge, who may have no judgements; NULL: no judge. */
enum bg_status judged_sums_of(struct judged_sums *out, struct store *store,
                              const struct tally *tally, const char *judge, struct bg_error *err);
void judged_sums_deinit(struct judged_sums *sums); /* accepts a zeroed struct */

/* Returns the variance of plain results divided by that of luck-adjusted ones, over all encounters,
 * each around its own means; NAN: unknown. */
double judged_sums_ratio(const struct judged_sums *sums);

/* The same over the legs of strong play (luck.h), with errors given back on both sides of the
 * division. *results: their number. */
double judged_sums_strong(double *results, const struct judged_sums *sums);

/* Returns the standard deviation that the judge's random trials add to the luck-adjusted result of
 * a game (money) or match, on average; 0: its values are not random. NAN: no games. */
double judged_sums_noise(const struct judged_sums *sums);

/* Returns the bot's display name; lent. */
const char *judged_sums_shown(const struct judged_sums *sums, int bot);

/* Returns whether the judge has made no mistake in these games: of every bot the adjusted results
 * minus the errors found are all equal but for rounding, over at least 10 games. Then no error rate
 * depends on the judge. False without judged choices. */
bool judged_sums_is_exact(const struct judged_sums *sums);

/* Returns the judged encounter of x and y; NULL: none. *flip: x is the encounter's b. */
const struct judged_encounter *judged_sums_encounter(const struct judged_sums *sums, int x, int y,
                                                     bool *flip);

/* Returns the encounter's sums from b's view. */
void judged_sums_flip(struct luck_summary *out, const struct judged_sums *sums,
                      const struct judged_encounter *encounter);

/* --- the worst choices of an event, with their positions ------------------------------------- */

struct blunder {
    int bot;                   /* as in the tally */
    struct judged_worst worst; /* strings lent by the judgements */
    struct bg_match match;     /* before the choice */
    int seat;                  /* the seat that chose */
    char opponent[BG_GAME_ID]; /* the other bot's name */
    char played[DECISION_WORDS];
};

/* Finds at most `room` blunders, equally many for each bot, largest error first. *count: how many.
 * Leaves out a game that is no longer in the store or cannot be replayed. BG_E_STORE. */
enum bg_status blunders_find(struct blunder *out, int *count, int room, struct store *store,
                             const struct judged_sums *judged, struct bg_error *err);

#endif
