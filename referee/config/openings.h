/* openings.h - a file of positions from which games begin.
 *
 * One position a line: an XGID, a Position ID (with or without ":MATCHID"), or the notation of
 * every game. '#' begins a comment; empty lines are skipped. A position is before the roll, with
 * the cube as in the XGID; the event's rules apply, and a match begins with it at 0:0. What a
 * collection of problems holds beyond that (dice, length, score, a pending double) is left out and
 * counted.
 */
#ifndef REFEREE_CONFIG_OPENINGS_H
#define REFEREE_CONFIG_OPENINGS_H

#include <bgref/dice.h>

#include "config.h"

enum { OPENINGS_MAX = 1000000, OPENINGS_BYTES = 64 << 20, OPENINGS_DIGEST = 65 };

struct openings {
    struct bg_start *start;       /* owned; each passed bg_match_begin_at with the event's rules */
    size_t count;                 /* 1 or more, and more than config->start */
    size_t dice, scores, offers;  /* positions of which dice, length or score, or a double or
                                   * resignation that is pending, were left out */
    size_t bad;                   /* lines left out with bad=skip */
    char first_bad[256];          /* the message of the first of them, with its line; "" none */
    char digest[OPENINGS_DIGEST]; /* BLAKE2b-256 of the file's bytes, hex (b2sum -l 256) */
};

/* Reads and checks every line of the file. BG_E_CONFIG: file:line and the mistake in the
 * position; BG_E_ARGUMENT: "openings: " and why the file is unreadable. */
enum bg_status openings_open(struct openings **out, const struct config_openings *config,
                             const struct bg_rules *rules, struct bg_error *err);

/* The same for bytes in memory; config->file is the file's name in messages. */
enum bg_status openings_parse(struct openings **out, const struct config_openings *config,
                              const char *bytes, size_t size, const struct bg_rules *rules,
                              struct bg_error *err);
void openings_close(struct openings *openings); /* NULL is fine */

/* The starting position of each pair. Pair k begins from number (start + k) modulo the count, in
 * the order of the file, or in an order that follows from the event's key: positions sorted by
 * BLAKE2b-256(key, "bgref-openings-1|I") of their index I in the file, from 0. So the order is the
 * same in every run, and anyone who has the published key can compute it. */
struct openings_order {
    const struct openings *openings; /* lent; NULL: games begin from the set-up */
    uint64_t first;
    uint32_t *place; /* owned; NULL: the file's order */
};

/* event is lent, with its openings read. */
void openings_order_init(struct openings_order *out, const struct config_event *event,
                         const struct bg_dice_key *key);
void openings_order_deinit(struct openings_order *order); /* also of a zeroed one */

/* Returns the starting position of a pair's legs, lent; NULL: the usual set-up. */
const struct bg_start *openings_order_of_pair(const struct openings_order *order, uint64_t pair);

#endif
