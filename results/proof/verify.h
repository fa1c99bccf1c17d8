/* verify.h - checks published results: every record against its hash, the rules, the dice and the
 * clocks, every game against the one before it, all of them against the root.
 *
 *     verify_begin(&verify, &options);
 *     verify_game(&verify, text, size, row, &err);      for each game in the order of exports
 *     verify_set_aside(&verify);                        then those that were set aside, if any
 *     verify_game(&verify, text, size, row, &err);
 *     verify_end(&sum, &verify, &err);
 *
 * Only the text of the records is trusted, and the key, which its digest proves.
 */
#ifndef RESULTS_PROOF_VERIFY_H
#define RESULTS_PROOF_VERIFY_H

#include <bgref/dice.h>

#include "record/clock.h"
#include "record/game_id.h"
#include "root.h"

struct claims;

/* The published digest of a key, and the key itself once it is known. */
struct verify_key {
    char digest[BG_KEY_HEX];
    bool is_known;
    struct bg_dice_key key;
};

struct verify_options {
    const struct verify_key *keys; /* of the event, the first one first; lent. A record that names
                                    * none has dice of the first */
    int key_count;                 /* 0: not known, so dice are not derived */
    const char *dice;              /* the event's source of dice: "keyed", ...; NULL: any. Lent
                                    */
    const char *event;             /* its name, as records have it; NULL: any. Lent */
    const char *root;              /* published root, RECORD_HASH - 1 digits; NULL: none. Lent */
    const char *head; /* what the root covers beside games (root.h); NULL: nothing. Lent */
    const struct claims *claims; /* settings of the event; NULL: not known. Lent; verify_store's */
};

/* What was checked. */
struct verify_sum {
    uint64_t games, steps;
    uint64_t legs;           /* begun: matches, or money games */
    uint64_t open_legs;      /* not ended: the event is still running, or was stopped */
    uint64_t rolls, derived; /* opening attempts and rolls; those derived from the key */
    uint64_t foreign;        /* rolls of imported games: no key gives them */
    uint64_t clocked;        /* games whose clocks were counted again */
    uint64_t set_aside;      /* games that count for nothing, in `games` neither */
    char root[RECORD_HASH];  /* of the games that were given */
    bool old_root;           /* the published root covers games only (root.h) */

    /* Of a whole store. */
    bool sealed;             /* its seal holds: only bgref wrote its rows */
    uint64_t unplayed;       /* fixtures */
    uint64_t faults;         /* pieces of evidence */
    uint64_t faults_outside; /* of these, of no game */
    uint64_t judged;         /* judgements */
};

/* State between two games. Fields are verify.c's. */
struct verify {
    struct verify_options options;
    struct verify_sum sum;
    struct root hash, games_hash;
    struct game_id id;      /* of the game before; a "" before the first */
    uint64_t attempt;       /* of its pair */
    bool is_aside;          /* the current games were set aside */
    struct bg_match match;  /* after it */
    int64_t left_ns[2];     /* clocks by seat after it */
    char prev[RECORD_HASH]; /* its hash */
};

void verify_begin(struct verify *verify, const struct verify_options *options);

/* Checks the next game. row: what stands beside its record in a store, NULL for a record that comes
 * alone. BG_E_MISMATCH names the game, line and step that do not hold. */
enum bg_status verify_game(struct verify *verify, const char *text, size_t size,
                           const struct store_game *row, struct bg_error *err);

/* The games that follow were set aside: the same is proved of them, and each attempt of a pair
 * stands for itself. */
void verify_set_aside(struct verify *verify);

/* BG_E_MISMATCH: the games are sound one by one, but not the ones of the published root. */
enum bg_status verify_end(struct verify_sum *out, struct verify *verify, struct bg_error *err);

/* A whole store: also that it is undamaged, and all that tables, reports and exports show beside
 * the games: the tally, faults, settings and judgements against the records, fixtures that were not
 * played, evidence and settings against the root. What is in *out and only there was counted, and
 * cannot be proved further. Inside a snapshot, where others may write. */
enum bg_status verify_store(struct verify_sum *out, struct store *store,
                            const struct verify_options *options, struct bg_error *err);

/* Records one after another as text, as they were exported; a line "set-aside N" stands before
 * those that were set aside. */
#define VERIFY_ASIDE "set-aside "
enum bg_status verify_text(struct verify_sum *out, const char *text, size_t size,
                           const struct verify_options *options, struct bg_error *err);

#endif
