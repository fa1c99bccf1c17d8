/* standing.h - a bot's standing as one row: one list of fields, with one set of names and words,
 * for 'bgref rate', its --json, the event stream and the report.
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
    STANDING_RATING_BAR,
    STANDING_RATING_LOW,
    STANDING_RATING_HIGH,
    STANDING_RATING_SE,
    STANDING_RATING_DF,
    STANDING_ANCHOR_WEIGHT,
    STANDING_GROUP,
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

/* [STANDING_FIELDS], in enum order. Static. */
const struct doc_column *standing_columns(bool money);

/* Returns a field's content. The summary's tally lends the texts. */
struct doc_cell standing_cell(const struct summary *summary, int bot, enum standing_field field);

/* Returns every row, ranked bots first. Owned by the caller. */
json_t *standing_json_rows(const struct summary *summary);

/* Returns how the rows were computed: model, variance, fit. The object in --json and the event
 * stream. */
json_t *standing_json_model(const struct summary *summary);

/* Creates a document that shows bots by their names for display. */
struct doc *standing_doc(const char *title, const struct tally *tally);

/* Adds a report table with these fields as columns; the caller adds rows with standing_row. */
struct doc_table *standing_table(struct doc *doc, const char *name, const char *caption, bool money,
                                 const enum standing_field *fields, int count);
/* Sets one cell of the last row. */
void standing_put(struct doc_table *table, int column, const struct summary *summary, int bot,
                  enum standing_field field);
void standing_row(struct doc_table *table, const struct summary *summary, int bot,
                  const enum standing_field *fields, int count);

#endif
