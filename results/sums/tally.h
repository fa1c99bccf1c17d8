/* tally.h - pairwise counts, added one finished game at a time.
 *
 *     struct tally tally;
 *     tally_init(&tally, length_points);
 *     tally_add_bot(&tally, "gnubg");             entry order, so that unplayed bots are known too
 *     tally_add_game(&tally, game, &err);         each stored game once, in any order
 *     report_table(stdout, &tally, &options, &err);
 *     tally_deinit(&tally);
 *
 * The same games give the same tally in any order. A tally only counts; ppg, winrate, rating and
 * standings compute from it. A tally has no lock: use it on one thread, or hold your own lock.
 */
#ifndef RESULTS_SUMS_TALLY_H
#define RESULTS_SUMS_TALLY_H

#include <store/encounter.h>
#include <store/store.h>

enum { TALLY_LEVELS = ENCOUNTER_LEVELS };

/* The state of a pair that may get more games. */
struct tally_pair {
    uint64_t pair;
    struct pair stands;
};

/* Matches of one length between two bots. */
struct tally_part {
    int length_points;
    struct encounter total; /* from A's view */
};

/* Everything between two bots. A is the bot whose name is smaller by bytes. */
struct tally_encounter {
    int a, b;                /* indices of A and B */
    struct encounter total;  /* from A's view */
    struct tally_pair *pair; /* owned; only from games added one by one; sorted by pair number */
    size_t pairs, room;
    struct tally_part *part; /* owned; by length, if the tally has several; else NULL */
    size_t parts, part_room;
};

struct tally_bot {
    char *name;                      /* owned */
    bool entered;                    /* by tally_add_bot; false: only seen in games */
    uint64_t faults[BG_FAULT_COUNT]; /* games lost by each fault */
    uint64_t games;                  /* games played */
    char *display;  /* owned; the display name if it differs (imports), else NULL */
    char *editions; /* owned; its programs (store/entry.h), NULL unknown */
};

struct tally {
    int length_points;     /* 0 money; with several lengths the shortest */
    int length_most;       /* the longest; differs only if the tally has several lengths */
    bool any_length;       /* allows several match lengths; set before the first game */
    char *conditions;      /* owned; rules that differ by pairing, for notes; NULL none */
    size_t parts;          /* encounters times lengths */
    struct tally_bot *bot; /* owned; entered bots in entry order, then others by name */
    int bots, bot_room;
    int *by_name;                       /* owned; indices of the bots sorted by name */
    struct tally_encounter **encounter; /* owned; unspecified order: use tally_encounter */
    size_t encounters, encounter_room;
    int last[2];    /* places in by_name where an encounter's A and B were found last */
    int *grid;      /* owned; [a * bot_room + b]: encounter number + 1, 0 none */
    uint64_t games; /* all finished games */
    uint64_t legs;  /* all decided legs: money games, matches */
};

void tally_init(struct tally *tally, int length_points);
void tally_deinit(struct tally *tally); /* accepts a zeroed struct */

/* Enters a bot after those entered before; ignores a name entered before. */
void tally_add_bot(struct tally *tally, const char *name);

/* The next ones ignore an unknown bot. Sets the programs that played under its name. */
void tally_set_editions(struct tally *tally, const char *name, const char *editions);
/* Sets its display name, from imported files. */
void tally_set_display(struct tally *tally, const char *name, const char *display);

/* Sets the rules that differ by pairing, in words; "": none. */
void tally_set_conditions(struct tally *tally, const char *conditions);
/* A bot's name for display: the imported name if there is one, else its id. */
const char *tally_shown(const struct tally *tally, int bot);

/* Counts one finished game. Adds bots that were not entered. BG_E_FORMAT: the game does not fit
 * (length, leg, names, winner), with its id, and the tally is unchanged. */
enum bg_status tally_add_game(struct tally *tally, const struct store_game *game,
                              struct bg_error *err);

/* tally_add_encounter adds a store's sums of two bots, A < B by bytes; tally_add_faults adds games
 * lost by faults. Do not also add a game of a pair that these sums include. BG_E_FORMAT: not of
 * this event. */
enum bg_status tally_add_encounter(struct tally *tally, const char *a, const char *b,
                                   int length_points, const struct encounter *total,
                                   struct bg_error *err);
/* Sets the state of an unfinished pair in an encounter that was added, so that its later games can
 * be added one by one. */
void tally_add_pair(struct tally *tally, const char *a, const char *b, uint64_t pair,
                    const struct pair *stands);
/* Does so for every pair of another tally that has fewer decided legs than `legs`, but not for
 * the `count` pairs of `but`. */
void tally_add_open(struct tally *tally, const struct tally *other, const struct game_id *but,
                    size_t count, int legs);
enum bg_status tally_add_faults(struct tally *tally, const char *bot, enum bg_fault fault,
                                uint64_t games, struct bg_error *err);

/* The match lengths in words: "to 5 points", "to 1 point", "of 3 to 7 points". */
enum { TALLY_LENGTHS = 48 };
void tally_lengths(char out[TALLY_LENGTHS], const struct tally *tally);

/* Index of a bot, -1 unknown. */
int tally_find(const struct tally *tally, const char *name);

/* The encounter of two bots, or NULL; *flip: bot x is the encounter's B. */
const struct tally_encounter *tally_encounter(const struct tally *tally, int x, int y, bool *flip);

/* A bot's results against one opponent (-1: all opponents), from the bot's view. */
struct tally_sum {
    uint64_t games, won, lost;          /* single games */
    uint64_t legs, legs_won, legs_lost; /* money: games; match play: matches */
    int64_t points;                     /* won minus lost over all games of decided legs */
    int64_t points_for, points_against; /* over decided legs */
    double squares;                     /* sum of the squares of all games' points */
    uint64_t levels[TALLY_LEVELS];      /* games won at each level */
    uint64_t pairs[5];      /* both legs decided, by half wins: a drawn leg is one, a won leg two */
    uint64_t halves[3];     /* single legs: lost, drawn, won */
    uint64_t clusters;      /* pairs with at least one decided leg */
    int64_t seat_points[2]; /* points by the bot's seat, over decided legs */
    uint64_t seat_games[2];
    uint64_t turns;
    double dd, dn, nn; /* clusters with D points of the bot in n games: sums of DD, Dn, nn */
};

void tally_sum(struct tally_sum *out, const struct tally *tally, int bot, int opponent);
/* The same of every bot against all opponents: out[bots]. */
void tally_sums(struct tally_sum *out, const struct tally *tally);

/* tally_drawn: legs without a winner. tally_share: share of legs won (0..1), a drawn leg counting
 * half; NaN without legs. */
uint64_t tally_drawn(const struct tally_sum *sum);
double tally_share(const struct tally_sum *sum);

/* The bot's results at one match length against an opponent: the i-th length that the two played,
 * from 0. Returns false if i is past the last. */
bool tally_length_sum(struct tally_sum *out, int *length_points, const struct tally *tally, int bot,
                      int opponent, size_t i);

#endif
