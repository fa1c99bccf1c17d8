/* tally.h - pairwise counts, fed one finished game at a time.
 *
 *     struct tally tally;
 *     tally_init(&tally, length_points);
 *     tally_add_bot(&tally, "gnubg", &err);       entry order, so that unplayed bots are known too
 *     tally_add_game(&tally, game, &err);         each stored game once, in any order
 *     report_table(stdout, &tally, &options, &err);
 *     tally_deinit(&tally);
 *
 * The order of the games does not matter: the same games give the same tally. Nothing here is
 * computed from the counts; that is the work of ppg, winrate, rating and standings. A tally has no
 * lock: feed and read it on one thread, or hold a lock of your own.
 */
#ifndef TALLY_H
#define TALLY_H

#include <record/store.h>

enum { TALLY_LEVELS = 4 /* by level: [1] single, [2] gammon, [3] backgammon; [0] drawn */ };

/* How a leg (a money game, or a match) stands. */
enum tally_leg { TALLY_OPEN, TALLY_WON_A, TALLY_WON_B, TALLY_DRAWN };

/* One pair of legs: the cluster of the statistics. With plain dice only leg 0 is used. */
struct tally_pair {
    uint64_t pair;
    int64_t points[2][2];  /* [leg][0]: points won by A over its games, [leg][1]: by B */
    uint32_t games[2];     /* by leg: games played */
    enum tally_leg leg[2]; /* a match is decided by the game that ended it */
};

/* Everything between two bots. A is the one whose name is smaller by bytes. */
struct tally_encounter {
    int a, b;                /* indices of A and B */
    struct tally_pair *pair; /* owned; ascending by pair number */
    size_t pairs, room;
    uint64_t games;                   /* finished games; in match play the games of the matches */
    uint64_t won[2];                  /* games won by A, by B */
    uint64_t legs_won[2];             /* legs (money games, matches) won by A, by B */
    uint64_t legs_drawn;              /* money games without a winner */
    uint64_t levels[2][TALLY_LEVELS]; /* games won by A, by B at each level; [0][0] drawn games */
    uint64_t ends[BG_END_COUNT];      /* games by the way they ended */
    uint64_t turns;                   /* over all games, both sides */
    double squares;                   /* sum of the squares of the games' points */
};

struct tally_bot {
    char *name;                      /* owned */
    bool entered;                    /* by tally_add_bot; else only seen in games */
    uint64_t faults[BG_FAULT_COUNT]; /* games lost by each fault */
    uint64_t games;                  /* games played */
};

struct tally {
    int length_points;     /* 0 money */
    struct tally_bot *bot; /* owned; entered bots in entry order, then others by name */
    int bots, bot_room;
    struct tally_encounter **encounter; /* owned; in no promised order: use tally_encounter */
    size_t encounters, encounter_room;
    int *grid;      /* owned; [a * bot_room + b]: encounter number + 1, 0 none */
    uint64_t games; /* all finished games */
    uint64_t legs;  /* all decided legs: money games, matches */
};

void tally_init(struct tally *tally, int length_points);
void tally_deinit(struct tally *tally); /* also of a zeroed one */

/* Enters a bot behind those entered before; a name known already is not entered twice.
 * BG_E_MEMORY. */
enum bg_status tally_add_bot(struct tally *tally, const char *name, struct bg_error *err);

/* Counts one finished game. Bots not entered are added. BG_E_FORMAT: the game does not belong here
 * (length, leg, names, winner), with its id; BG_E_MEMORY. The tally is then unchanged. */
enum bg_status tally_add_game(struct tally *tally, const struct store_game *game,
                              struct bg_error *err);

/* Index of a bot, -1 unknown. */
int tally_find(const struct tally *tally, const char *name);

/* What two bots have played, NULL nothing; *flip says that bot x is the encounter's B. */
const struct tally_encounter *tally_encounter(const struct tally *tally, int x, int y, bool *flip);

/* A bot's results against everybody, or against one foe (foe -1: all), from its point of view. */
struct tally_sum {
    uint64_t games, won, lost;          /* single games */
    uint64_t legs, legs_won, legs_lost; /* money: games; match play: matches */
    int64_t points;                     /* won minus lost over all games of decided legs */
    int64_t points_for, points_against; /* over decided legs */
    double squares;                     /* sum of the squares of all games' points */
    uint64_t levels[TALLY_LEVELS];      /* games won at each level */
    uint64_t pairs[3], halves[2];       /* pairs with both legs decided, by legs won; single legs
                                           lost and won (draws count for neither) */
    uint64_t clusters;                  /* pairs with at least one decided leg */
    int64_t seat_points[2];             /* points by the seat the bot had, over decided legs */
    uint64_t seat_games[2];
    uint64_t turns;
};

void tally_sum(struct tally_sum *out, const struct tally *tally, int bot, int foe);

/* Clusters of a bot against one foe (-1: all) for ppg_of: *points and *games arrays of *count, one
 * entry a pair with at least one decided leg, signed for the bot. Both are for the caller to free.
 */
enum bg_status tally_clusters(double **points, double **games, size_t *count,
                              const struct tally *tally, int bot, int foe, struct bg_error *err);

#endif
