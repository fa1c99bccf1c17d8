/* judged_sums.h - one judge's judgements of an event, added up: luck and results of every leg, luck
 * of rolls, errors of decisions, by encounter and by bot.
 *
 * Money: a leg is a game, in points. Match play: a leg is a match, in match-winning chance, its
 * luck the sum over its games; it counts when all its games are judged, and not before. Numbers of
 * an encounter are seen from its a, those of a bot from that bot.
 */
#ifndef RESULTS_SUMS_JUDGED_SUMS_H
#define RESULTS_SUMS_JUDGED_SUMS_H

#include <numbers/errors.h>
#include <numbers/luck.h>
#include <tally/tally.h>

enum { JUDGED_KINDS = 3, JUDGED_WORST = 3 /* choices kept of each bot */ };

/* A choice that cost much. */
struct judged_worst {
    char *game_id; /* owned */
    int step;      /* of the record */
    enum judged_kind kind;
    double error, loss;
    char best[JUDGED_BEST];
};

struct judged_encounter {
    int a, b;                   /* bots; a's name is the smaller one by bytes */
    uint64_t games;             /* judged */
    struct luck_result *result; /* owned; the legs that count, by pair and leg */
    size_t results, room;
    struct luck_rolls rolls[2];             /* of a, of b; first rolls of games left out */
    struct errors_sum sum[2][JUDGED_KINDS]; /* by enum judged_kind */
    bool has_errors;                        /* some games are judged with their choices */
    struct luck_summary luck;
};

struct judged_bot {
    char *name;                              /* owned */
    char *display;                           /* owned; as its people write it, NULL: like name */
    struct errors_sum sum[JUDGED_KINDS];     /* by enum judged_kind */
    double opponent_moves;                   /* checker plays of the other side in its games */
    struct luck_summary luck;                /* over all its legs that count */
    struct judged_worst worst[JUDGED_WORST]; /* largest error first */
    int worst_count;
};

struct judged_sums {
    char *judge; /* owned; NULL: no judgements */
    int length_points;
    enum luck_unit unit;
    uint64_t games; /* judged */
    bool choices;   /* some of them with their choices */
    double cpu_s;   /* processor time of the judge, where it is known */
    uint64_t cpu_games;
    struct judged_bot *bot; /* owned */
    int bots, bot_room;
    struct judged_encounter *encounter; /* owned; in the order of names */
    int encounters, room;
};

/* judge: its name in full ("gnubg 1.07.001 plies=0") or the words that this begins with; NULL: the
 * one with the most games, then the first by name. tally: bots are numbered as there, and games of
 * others are left out; NULL: numbered as they come. BG_E_ARGUMENT: no such judge, and which there
 * are; BG_E_STORE; BG_E_MEMORY. */
enum bg_status judged_sums_read(struct judged_sums *out, struct store *store,
                                const struct tally *tally, const char *judge, struct bg_error *err);
/* The same for exactly this judge, which may have judged nothing; NULL: no judge. */
enum bg_status judged_sums_of(struct judged_sums *out, struct store *store,
                              const struct tally *tally, const char *judge, struct bg_error *err);
void judged_sums_deinit(struct judged_sums *sums); /* also a zeroed one */

/* The bot's name for people; lent. */
const char *judged_sums_shown(const struct judged_sums *sums, int bot);

/* What is judged of x against y; NULL: nothing. *flip: x is the encounter's b. */
const struct judged_encounter *judged_sums_encounter(const struct judged_sums *sums, int x, int y,
                                                     bool *flip);

/* The encounter's sums seen from b. */
enum bg_status judged_sums_flip(struct luck_summary *out, const struct judged_sums *sums,
                                const struct judged_encounter *encounter, struct bg_error *err);

#endif
