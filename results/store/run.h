/* run.h - the games of two bots in a few bytes each, with sums from their records.
 *
 * A run holds RUN_PAIRS consecutive pairs of two bots. For each game it has what tables, a resume
 * and statistics need; for all records together it has move times, clocks, rolls, and which
 * programs played. A store keeps runs with its games in one transaction, so that a million games
 * are counted without reading a record. The same games give the same bytes in any order. Pure.
 */
#ifndef RESULTS_STORE_RUN_H
#define RESULTS_STORE_RUN_H

#include "encounter.h"
#include "record/duration_histogram.h"

struct store_game;

enum { RUN_PAIRS = 32, RUN_DIGEST = 16, RUN_ROLLS = 36 };

struct run_game {
    uint64_t pair;
    int game; /* number inside its leg, from 0 */
    struct encounter_game facts;
    enum bg_fault fault;
    int starter; /* the seat that began; -1 unknown */
};

/* A bot as described by a record: program, version, options, host. */
struct run_player {
    int side; /* 0 A, 1 B */
    unsigned char digest[RUN_DIGEST];
    uint64_t pair; /* the first game, by pair, leg and number, with this player */
    int leg, game;
};

/* One bot's times, from the records. */
struct run_time {
    struct duration_histogram spent; /* its measured decisions */
    int64_t least_left_ns;           /* smallest time left after a game; INT64_MAX: no clock */
};

/* The player that was last seen on a seat: bots seldom change. */
enum { RUN_SAID = 480 };

struct run_said {
    unsigned char text[RUN_SAID]; /* what a record says of it, with sizes; as it is digested */
    size_t size;                  /* 0: none */
    unsigned char digest[RUN_DIGEST];
};

/* Sums from the records; initialise with run_sums_init. */
struct run_sums {
    struct run_time time[2];   /* of A and of B */
    uint64_t roll[RUN_ROLLS];  /* rolls of first legs, without opening rolls: [6 * (die - 1) + other
                                  - 1] */
    struct run_player *player; /* owned; by side and digest */
    size_t players, player_room;
    struct run_said said[2]; /* by seat */
};

void run_sums_init(struct run_sums *out);
/* Empties it for other records. */
void run_sums_clear(struct run_sums *sums);
void run_sums_deinit(struct run_sums *sums);

struct run {
    const char *a, *b;     /* lent */
    uint64_t first;        /* first pair; a multiple of RUN_PAIRS */
    struct run_game *game; /* owned; by pair, leg, number */
    size_t games, room;
    struct run_sums sums;
    bool is_strange; /* contains a game that a run cannot hold: ignore the run and read the games */
};

/* Returns the first pair of the run that contains this pair. */
uint64_t run_first(uint64_t pair);

/* Initialises an empty run; names are lent. deinit frees the rest; it accepts a zeroed run. */
void run_init(struct run *out, const char *a, const char *b, uint64_t first);
void run_deinit(struct run *run);
/* Empties it for other games and keeps its memory. */
void run_clear(struct run *run, const char *a, const char *b, uint64_t first);

/* Adds one of the run's games that it does not contain yet. with_sums: also adds its record, text.
 */
void run_add(struct run *run, const struct store_game *game, bool with_sums);

/* Computes the state of a game's pair from the games of the run. */
void run_pair(struct pair *out, const struct run *run, uint64_t pair);

/* Fills in game i as stored, as far as the run has it: no id, hash, clocks or text, and the score
 * only for a money game. Strings are lent. */
void run_game_at(struct store_game *out, const struct run *run, size_t i);

/* Packs the games, or the sums, into bytes; the caller frees *out. Returns the size. */
size_t run_pack_games(unsigned char **out, const struct run *run);
size_t run_pack_sums(unsigned char **out, const struct run *run);
/* Adds the contents of the bytes. Returns false if they are invalid, or the run is strange. */
bool run_unpack_games(struct run *run, const unsigned char *bytes, size_t size);
bool run_unpack_sums(struct run *run, const unsigned char *bytes, size_t size);

/* Adds the data of one record; the game has this leg and number, and its A is side 0. */
void run_sums_add(struct run_sums *sums, const struct store_game *game);

/* Builds runs from games that arrive in their order (a, b, pair, leg, game).
 *
 *     struct run_build build = RUN_BUILD(true, take, user);
 *     while (... && run_build_game(&build, game)) {}
 *     run_build_end(&build);
 */

/* Receives a complete run; it is lent. Return false to stop. */
typedef bool (*run_build_fn)(void *user, const struct run *run);

struct run_build {
    bool with_sums;
    run_build_fn fn;
    void *user;
    struct run run;
    char *a, *b; /* owned */
    bool is_stopped;
};

#define RUN_BUILD(sums, take, its_user)                                                            \
    {                                                                                              \
        .with_sums = (sums), .fn = (take), .user = (its_user)                                      \
    }

/* Returns false if stopped. */
bool run_build_game(struct run_build *build, const struct store_game *game);
/* Passes on the last run unless stopped, and frees the build. */
void run_build_end(struct run_build *build);

#endif
