/* pairing.h - the results between two bots as one row, from one bot's view: one list of fields for
 * the crosstable, 'bgref rate --json' and the report.
 *
 *     pairing_of(&pairing, &summary, bot, opponent);
 *     struct doc_cell cell = pairing_cell(&pairing, PAIRING_PPG);
 *
 * docs/fields.md lists the fields.
 */
#ifndef RESULTS_TABLES_PAIRING_H
#define RESULTS_TABLES_PAIRING_H

#include <jansson.h>

#include <sums/summary.h>

#include "document/document.h"

enum pairing_field {
    PAIRING_BOT,
    PAIRING_OPPONENT,
    PAIRING_GAMES,
    PAIRING_LEGS,
    PAIRING_WON,
    PAIRING_LOST,
    PAIRING_DRAWN,
    PAIRING_PERCENT,
    PAIRING_PERCENT_LOW,
    PAIRING_PERCENT_HIGH,
    PAIRING_POINTS,
    PAIRING_PPG,
    PAIRING_PPG_SE,
    PAIRING_PPG_DF,
    PAIRING_PPG_LOW,
    PAIRING_PPG_HIGH,
    PAIRING_SD_GAME,
    PAIRING_DESIGN_EFFECT,
    PAIRING_CLUSTERS,
    PAIRING_LOS,
    PAIRING_ESTABLISHED,
    PAIRING_OPPONENT_ESTABLISHED,
    PAIRING_FIELDS
};

/* The figures of two bots, from the bot's view; only "established" can also be the opponent's. */
struct pairing {
    const struct summary *summary; /* lent */
    int bot, opponent;             /* as in the tally */
    struct tally_sum sum;
    struct ppg ppg;         /* money; else NaN */
    double ppg_df;          /* degrees of freedom of ppg's interval */
    struct winrate winrate; /* match play; else NaN */
};

/* [PAIRING_FIELDS], in enum order. Static. */
extern const struct doc_column pairing_columns[PAIRING_FIELDS];

/* Both bots must be in the summary; they may not have met. */
void pairing_of(struct pairing *out, const struct summary *summary, int bot, int opponent);

/* Returns a field's content. The summary's tally lends the texts. */
struct doc_cell pairing_cell(const struct pairing *pairing, enum pairing_field field);

/* Returns the 95 % interval: points per game, in match play the share of matches won, 0..1. Lent;
 * NaN: none. */
const double *pairing_interval(const struct pairing *pairing);

/* Returns the row as JSON: every field, and the counts of pairs by half wins. Owned by the caller;
 * NULL: no memory. */
json_t *pairing_json(const struct pairing *pairing);

#endif
