/* run.h - the games of two bots in a few bytes each, with what their records say in sums.
 *
 * A run is RUN_PAIRS pairs of two bots that follow each other. Of each game it has what tables, a
 * resume and statistics need; from their records, together: move times, clocks, rolls, and which
 * programs played. A store keeps runs with its games, in one transaction, so that a million games
 * are counted without reading a record. The same games give the same bytes, whatever their order.
 * Pure.
 */
#ifndef RESULTS_STORE_RUN_H
#define RESULTS_STORE_RUN_H

#include <bgref/error.h>

#include "encounter.h"
#include "record/spread.h"

struct store_game;

enum { RUN_PAIRS = 32, RUN_DIGEST = 16, RUN_ROLLS = 36 };

struct run_game {
    uint64_t pair;
    int game; /* of its leg, from 0 */
    struct encounter_game facts;
    enum bg_fault fault;
    int starter; /* the seat that began, -1 not known */
};

/* A bot as a record describes it: program, version, options, host. */
struct run_player {
    int side; /* 0 A, 1 B */
    unsigned char digest[RUN_DIGEST];
    uint64_t pair; /* the first game, by pair, leg and number, that has it so */
    int leg, game;
};

/* What the records say of one bot's time. */
struct run_time {
    struct spread spent;   /* of its measured decisions */
    int64_t least_left_ns; /* on its clock after a game; INT64_MAX: no clock */
};

/* What records say in sums; begin with run_sums_init. */
struct run_sums {
    struct run_time time[2]; /* of A, of B */
    uint64_t
        roll[RUN_ROLLS]; /* of first legs, without opening rolls: [6 * (die - 1) + other - 1] */
    struct run_player *player; /* owned; by side and digest */
    size_t players;
};

void run_sums_init(struct run_sums *out);
void run_sums_deinit(struct run_sums *sums);

struct run {
    const char *a, *b;     /* lent */
    uint64_t first;        /* pair; a multiple of RUN_PAIRS */
    struct run_game *game; /* owned; by pair, leg, number */
    size_t games, room;
    struct run_sums sums;
    bool is_strange; /* has a game that no run can hold: nothing counts, read the games */
};

/* The first pair of the run that this pair is in. */
uint64_t run_first(uint64_t pair);

/* An empty one; names are lent. deinit frees the rest, also of a zeroed one. */
void run_init(struct run *out, const char *a, const char *b, uint64_t first);
void run_deinit(struct run *run);
/* Empties it for other games, and keeps its memory. */
void run_clear(struct run *run, const char *a, const char *b, uint64_t first);

/* Adds a game of the run that is not in it. with_sums: its record, too, which text is. False: no
 * memory. */
bool run_add(struct run *run, const struct store_game *game, bool with_sums);

/* How the pair of a game stands by the games of the run. */
void run_pair(struct encounter_pair *out, const struct run *run, uint64_t pair);

/* Game i as the store would show it, as far as the run knows it: no id, hash, clocks or text, and
 * score only of a money game. Strings are lent. */
void run_game_at(struct store_game *out, const struct run *run, size_t i);

/* The games, and the sums, as bytes; *out is the caller's to free. 0: no memory. */
size_t run_pack_games(unsigned char **out, const struct run *run);
size_t run_pack_sums(unsigned char **out, const struct run *run);
/* Adds what the bytes have. False: they are none of ours, the run is strange, or no memory. */
bool run_unpack_games(struct run *run, const unsigned char *bytes, size_t size);
bool run_unpack_sums(struct run *run, const unsigned char *bytes, size_t size);

/* Adds what a record says, of a game with this leg and number whose A is side 0. */
bool run_sums_add(struct run_sums *sums, const struct store_game *game);

#endif
