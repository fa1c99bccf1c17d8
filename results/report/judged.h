/* judged.h - what a judge said of an event, pair by pair: luck-adjusted results, error rates.
 *
 * Money: the unit is a game, in points. Match play: the unit is a match whose games are all judged,
 * in match-winning chance; its luck is the sum over its games.
 */
#ifndef REPORT_JUDGED_H
#define REPORT_JUDGED_H

#include <stdio.h>

#include <numbers/errors.h>
#include <numbers/luck.h>
#include <record/store.h>

enum { JUDGED_NAME = 65 };

/* Everything between two bots, seen from name[0]; arrays by side. */
struct judged_pair {
    char name[2][JUDGED_NAME];
    struct luck_summary luck;
    uint64_t games; /* judged */
    bool has_errors;
    struct errors_sum play[2], cube[2]; /* of checker plays; of doubles, takes and passes */
    int64_t cpu_ns;                     /* the judge's, for its games */
};

struct judged {
    char *judge; /* owned */
    int length_points;
    struct judged_pair *pair; /* owned; in order of names */
    size_t pairs;
    uint64_t games; /* judged */
    int64_t cpu_ns; /* the judge's, for them */
};

/* Reads what this judge said. first: the bot that its pairs are seen from; NULL: the first of both
 * by bytes. Zero pairs when it has judged nothing. BG_E_STORE, BG_E_MEMORY. */
enum bg_status judged_read(struct judged *out, struct store *store, const char *judge,
                           const char *first, struct bg_error *err);
void judged_deinit(struct judged *judged); /* also when zeroed */

/* Writes it as tables for people: plain beside luck-adjusted, error rates where there are any, the
 * cost of judging. */
void judged_text(FILE *out, const struct judged *judged);

#endif
