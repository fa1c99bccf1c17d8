/* standing.h - the standing of a bot as one row: one list of fields, with one set of names and
 * words, from which 'bgref rate', its --json, the event stream and the report print.
 *
 *     struct doc_cell cell = standing_cell(&summary, bot, STANDING_RATING);
 *
 * docs/fields.md lists the fields.
 */
#ifndef RESULTS_TABLES_STANDING_H
#define RESULTS_TABLES_STANDING_H

#include <jansson.h>

#include <sums/summary.h>

#include "document/document.h"

enum standing_field {
    STANDING_RANK,
    STANDING_SHARED,
    STANDING_RANK_LOW,
    STANDING_RANK_HIGH,
    STANDING_BOT,
    STANDING_SCORE,
    STANDING_SHARE,
    STANDING_LEGS,
    STANDING_WON,
    STANDING_LOST,
    STANDING_DRAWN,
    STANDING_PERCENT,
    STANDING_PERCENT_LOW,
    STANDING_PERCENT_HIGH,
    STANDING_RATING,
    STANDING_RATING_SHOWN, /* the rating, or its bound with <= or >= */
    STANDING_RATING_BAR,
    STANDING_RATING_LOW, /* with a prior in place of the bar */
    STANDING_RATING_HIGH,
    STANDING_RATING_SE,
    STANDING_RATING_DF,
    STANDING_BOUND,
    STANDING_BOUND_SIDE,
    STANDING_GROUP,
    STANDING_COMPONENT,
    STANDING_FLAG,
    STANDING_EXPECTED,
    STANDING_BEST,
    STANDING_PPG,
    STANDING_PPG_BAR,
    STANDING_PPG_SE,
    STANDING_PPG_DF,
    STANDING_PPG_BOOT_LOW,
    STANDING_PPG_BOOT_HIGH,
    STANDING_RATING_BOOT_LOW,
    STANDING_RATING_BOOT_HIGH,
    STANDING_MEDIAN,
    STANDING_LARGEST_CUBE,
    STANDING_LARGEST_GAME,
    STANDING_LARGEST_SHARE,
    STANDING_HEAVY,
    STANDING_CLUSTERS,
    STANDING_GAMES,
    STANDING_POINTS,
    STANDING_GAMMONS,
    STANDING_BACKGAMMONS,
    STANDING_FAULTS,
    STANDING_SB,
    STANDING_BEATEN,
    STANDING_DIFFERENCE,
    STANDING_TIEBREAK,
    STANDING_DROPPED,
    STANDING_FIELDS
};

/* [STANDING_FIELDS], in the order of the enum. Static. */
const struct doc_column *standing_columns(bool money);

/* What stands in a field. Texts are lent by the summary's tally. */
struct doc_cell standing_cell(const struct summary *summary, int bot, enum standing_field field);

/* The word of a field bound_side: the bot is rated at least, or at most, as its bound. */
const char *standing_side_name(bool at_least);

/* The row for programs: every field that is not for people only; those from STANDING_PPG_BOOT_LOW
 * to STANDING_HEAVY only where the summary has seen the legs. The caller's; NULL: no memory. */
json_t *standing_json(const struct summary *summary, int bot);
/* Every row, ranked bots first. Likewise. */
json_t *standing_json_rows(const struct summary *summary);

/* What the rows come from: model, variance, fit. The object of --json and the event stream. */
json_t *standing_json_model(const struct summary *summary);

/* A table of a report with these fields as its columns; the caller adds rows by standing_row. */
struct doc_table *standing_table(struct doc *doc, const char *name, const char *caption, bool money,
                                 const enum standing_field *fields, int count);
void standing_row(struct doc_table *table, const struct summary *summary, int bot,
                  const enum standing_field *fields, int count);

#endif
