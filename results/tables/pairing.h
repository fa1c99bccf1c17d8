/* pairing.h - everything between two bots as one row, from one bot's view: one list of
 * fields, from which the crosstable, 'bgref rate --json' and the report print.
 *
 *     status = pairing_of(&pairing, &summary, bot, opponent, err);
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

/* What is known of two bots. Everything is seen from the bot, but for the established opponent. */
struct pairing {
    const struct summary *summary; /* lent */
    int bot, opponent;             /* as in the tally */
    struct tally_sum sum;
    struct ppg ppg;         /* money; else NaN */
    double ppg_df;          /* degrees of freedom of its interval */
    struct winrate winrate; /* match play; else NaN */
};

/* [PAIRING_FIELDS], in the order of the enum. Static. */
extern const struct doc_column pairing_columns[PAIRING_FIELDS];

/* Both bots are in the summary; they need not have met. BG_E_MEMORY. */
enum bg_status pairing_of(struct pairing *out, const struct summary *summary, int bot, int opponent,
                          struct bg_error *err);

/* What stands in a field. Texts are lent by the summary's tally. */
struct doc_cell pairing_cell(const struct pairing *pairing, enum pairing_field field);

/* The 95 % interval of what counts: points per game, in match play the share of matches won,
 * 0..1. Lent; NaN: none. */
const double *pairing_interval(const struct pairing *pairing);

/* Half the interval of points per game; NaN none. */
double pairing_bar(const struct pairing *pairing);

/* The row for programs: every field, and the counts of pairs by half wins. The caller's; NULL: no
 * memory. */
json_t *pairing_json(const struct pairing *pairing);

#endif
