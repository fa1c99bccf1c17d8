/* tally.h - pairwise counts, fed one finished game at a time.
 *
 *     struct tally tally;
 *     tally_init(&tally, length_points);
 *     tally_add_bot(&tally, "gnubg", &err);       entry order, so that unplayed bots are known too
 *     tally_add_game(&tally, game, &err);         each stored game once, in any order
 *     report_table(stdout, &tally, &options, &err);
 *     tally_deinit(&tally);
 *
 * The order of the games does not matter: the same games give the same tally. A tally only counts;
 * ppg, winrate, rating and standings compute from it. A tally has no
 * lock: feed and read it on one thread, or hold a lock of your own.
 */
#ifndef RESULTS_TALLY_TALLY_H
#define RESULTS_TALLY_TALLY_H

#include <store/encounter.h>
#include <store/store.h>

enum { TALLY_LEVELS = ENCOUNTER_LEVELS };

/* A pair that is still being fed. */
struct tally_pair {
    uint64_t pair;
    struct encounter_pair stands;
};

/* Matches of one length between two bots. */
struct tally_part {
    int length_points;
    struct encounter total; /* from A's view */
};

/* Everything between two bots. A is the one whose name is smaller by bytes. */
struct tally_encounter {
    int a, b;                /* indices of A and B */
    struct encounter total;  /* from A's view */
    struct tally_pair *pair; /* owned; of the games that were added one by one, by pair number */
    size_t pairs, room;
    struct tally_part *part; /* owned; by length, where the tally takes several; else NULL */
    size_t parts;
};

struct tally_bot {
    char *name;                      /* owned */
    bool entered;                    /* by tally_add_bot; else only seen in games */
    uint64_t faults[BG_FAULT_COUNT]; /* games lost by each fault */
    uint64_t games;                  /* games played */
    char *display;  /* owned; the display name if it differs (imports), else NULL */
    char *editions; /* owned; its programs (store/editions.h), NULL not known */
};

struct tally {
    int length_points;     /* 0 money; of several lengths the shortest */
    int length_most;       /* the longest: another one only in a tally of several lengths */
    bool any_length;       /* takes matches of several lengths (imports); set before the first */
    size_t parts;          /* encounters by length, all together */
    struct tally_bot *bot; /* owned; entered bots in entry order, then others by name */
    int bots, bot_room;
    int *by_name;                       /* owned; indices of the bots in the order of their names */
    struct tally_encounter **encounter; /* owned; in no promised order: use tally_encounter */
    size_t encounters, encounter_room;
    int *grid;      /* owned; [a * bot_room + b]: encounter number + 1, 0 none */
    uint64_t games; /* all finished games */
    uint64_t legs;  /* all decided legs: money games, matches */
};

void tally_init(struct tally *tally, int length_points);
void tally_deinit(struct tally *tally); /* also of a zeroed one */

/* Enters a bot after those entered before; a known name is not entered twice.
 * BG_E_MEMORY. */
enum bg_status tally_add_bot(struct tally *tally, const char *name, struct bg_error *err);

/* Sets the programs that played under the name of a bot. An unknown bot is ignored. BG_E_MEMORY. */
enum bg_status tally_set_editions(struct tally *tally, const char *name, const char *editions,
                                  struct bg_error *err);

/* The same for its display name, from imported files. */
enum bg_status tally_set_display(struct tally *tally, const char *name, const char *display,
                                 struct bg_error *err);
/* A bot's name for display: the imported name if there is one, else its id. */
const char *tally_shown(const struct tally *tally, int bot);

/* Counts one finished game. Bots not entered are added. BG_E_FORMAT: the game does not belong here
 * (length, leg, names, winner), with its id; BG_E_MEMORY. The tally is then unchanged. */
enum bg_status tally_add_game(struct tally *tally, const struct store_game *game,
                              struct bg_error *err);

/* Adds what a store has kept of two bots, A < B by bytes, and games lost by faults. No game of a
 * pair that is in there may be added besides. BG_E_FORMAT: not of this event; BG_E_MEMORY. */
enum bg_status tally_add_encounter(struct tally *tally, const char *a, const char *b,
                                   int length_points, const struct encounter *total,
                                   struct bg_error *err);
/* Sets the state of an open pair in an encounter that was added, so that its later games can be
 * added one by one. BG_E_MEMORY. */
enum bg_status tally_add_pair(struct tally *tally, const char *a, const char *b, uint64_t pair,
                              const struct encounter_pair *stands, struct bg_error *err);
enum bg_status tally_add_faults(struct tally *tally, const char *bot, enum bg_fault fault,
                                uint64_t games, struct bg_error *err);

/* How long the matches are: "to 5 points", "to 1 point", "of 3 to 7 points". */
enum { TALLY_LENGTHS = 48 };
void tally_lengths(char out[TALLY_LENGTHS], const struct tally *tally);

/* Index of a bot, -1 unknown. */
int tally_find(const struct tally *tally, const char *name);

/* The encounter of two bots, or NULL; *flip: bot x is the encounter's B. */
const struct tally_encounter *tally_encounter(const struct tally *tally, int x, int y, bool *flip);

/* A bot's results against one opponent (-1: all opponents), from its point of view. */
struct tally_sum {
    uint64_t games, won, lost;          /* single games */
    uint64_t legs, legs_won, legs_lost; /* money: games; match play: matches */
    int64_t points;                     /* won minus lost over all games of decided legs */
    int64_t points_for, points_against; /* over decided legs */
    double squares;                     /* sum of the squares of all games' points */
    uint64_t levels[TALLY_LEVELS];      /* games won at each level */
    uint64_t pairs[5];                  /* with both legs decided, by half wins: a drawn leg is one,
                                           a won one two */
    uint64_t halves[3];                 /* single legs: lost, drawn, won */
    uint64_t clusters;                  /* pairs with at least one decided leg */
    int64_t seat_points[2];             /* points by the seat the bot had, over decided legs */
    uint64_t seat_games[2];
    uint64_t turns;
    double dd, dn, nn; /* of clusters with D points of the bot in n games: sums of DD, Dn, nn */
};

void tally_sum(struct tally_sum *out, const struct tally *tally, int bot, int opponent);

/* Legs without a winner, and the share of legs won (0..1), a drawn one being half; NaN without any.
 */
uint64_t tally_drawn(const struct tally_sum *sum);
double tally_share(const struct tally_sum *sum);

/* The matches of one length between two bots: the i-th length that they have met at, from 0, and
 * the results at it from bot's view. False when i is past the last. */
bool tally_length_sum(struct tally_sum *out, int *length_points, const struct tally *tally, int bot,
                      int opponent, size_t i);

#endif
