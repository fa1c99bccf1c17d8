/* verify.h - checks published results: every record against its hash, the rules, the dice and the
 * clocks; every game against the game before it; all of them against the root.
 *
 *     verify_begin(&verify, &options);
 *     verify_game(&verify, text, size, row, &err);      for each game in the order of exports
 *     verify_set_aside(&verify);                        then those that were set aside, if any
 *     verify_game(&verify, text, size, row, &err);
 *     verify_end(&sum, &verify, &err);
 *
 * Trusts only the text of the records, and the key, which is proved by its digest.
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
    const struct verify_key *keys; /* the event's keys, the first one first; lent. A record without
                                      a key uses the first */
    int key_count;                 /* 0: unknown, so dice are not derived */
    const char *dice;              /* the event's source of dice: "keyed", ...; NULL: any. Lent */
    const char *event;             /* the event's name as in records; NULL: any. Lent */
    const char *root;              /* published root, RECORD_HASH - 1 digits; NULL: none. Lent */
    const char *head; /* what the root covers beside games (root.h); NULL: nothing. Lent */
    const struct claims *claims; /* event's settings, lent; NULL: unknown; set by verify_store */
};

/* What was checked. */
struct verify_sum {
    uint64_t games, steps;
    uint64_t legs;           /* legs begun: matches, or money games */
    uint64_t open_legs;      /* legs not ended: the event is still running, or was stopped */
    uint64_t rolls, derived; /* opening attempts and rolls; those derived from the key */
    uint64_t foreign;        /* rolls of imported games, which no key gives */
    uint64_t entered;        /* rolls of people, which both operators said; no key gives them */
    uint64_t clocked;        /* games whose clocks were computed again */
    uint64_t set_aside;      /* games that do not count, and are not in `games` */
    char root[RECORD_HASH];  /* of the checked games */

    uint64_t acts;             /* rows of the journal */
    const char *held;          /* as season_held */
    char journal[RECORD_HASH]; /* hash of the last one; ACT_ORIGIN: none */

    /* For a whole store. */
    uint64_t unplayed;       /* fixtures */
    uint64_t faults;         /* pieces of evidence */
    uint64_t faults_outside; /* of these, those outside of games */
    uint64_t judged;         /* judgements */
};

/* State between two games. The fields are private to verify.c. */
struct verify {
    struct verify_options options;
    struct verify_sum sum;
    struct root hash;
    struct game_id id;      /* of the game before; a is "" before the first */
    uint64_t attempt;       /* of the pair, in the game before */
    bool is_aside;          /* the current games were set aside */
    struct bg_match match;  /* after the game before */
    int64_t left_ns[2];     /* clocks by seat after it */
    char prev[RECORD_HASH]; /* hash of the game before */
};

void verify_begin(struct verify *verify, const struct verify_options *options);

/* Checks the next game. row: the columns stored beside its record; NULL if there is only a record.
 * BG_E_MISMATCH: the message has the game, line and step that are wrong. */
enum bg_status verify_game(struct verify *verify, const char *text, size_t size,
                           const struct store_game *row, struct bg_error *err);

/* The following games were set aside: they are proved the same way, and each attempt of a pair is
 * independent. */
void verify_set_aside(struct verify *verify);

/* BG_E_MISMATCH: each game is sound, but they are not the games of the published root. */
enum bg_status verify_end(struct verify_sum *out, struct verify *verify, struct bg_error *err);

/* Checks a whole store: also that it is undamaged, and everything that tables, reports and exports
 * print beside the games. Compares tally, faults, settings and judgements with the records, and
 * unplayed fixtures, evidence and settings with the root. What *out has of a whole store was
 * counted, but cannot be proved further. Call inside a snapshot if others may write. */
enum bg_status verify_store(struct verify_sum *out, struct store *store,
                            const struct verify_options *options, struct bg_error *err);

/* Checks records one after another, from an exported text. A line "set-aside N" comes before those
 * that were set aside. */
#define VERIFY_ASIDE "set-aside "
enum bg_status verify_text(struct verify_sum *out, const char *text, size_t size,
                           const struct verify_options *options, struct bg_error *err);

#endif
