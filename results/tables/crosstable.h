/* crosstable.h - each bot's results against each other bot, in rank order, and how sure it is which
 * is better: parts of a document.
 *
 *     table = crosstable_results(&cross);
 *     crosstable_los(&cross, table);
 */
#ifndef RESULTS_TABLES_CROSSTABLE_H
#define RESULTS_TABLES_CROSSTABLE_H

#include <sums/judged_sums.h>
#include <sums/summary.h>

#include "document/document.h"

/* All lent. */
struct crosstable {
    struct doc *doc;
    const struct summary *summary;
    const struct judged_sums *judged; /* adds luck-adjusted figures; NULL none */
    const int *order;                 /* the bots, best first */
    int count;
    bool bare;   /* only the tables, for JSON and CSV: two bots need no matrix */
    bool narrow; /* cells of matches have only the interval below the result */
};

/* Adds the results of every two bots as a matrix from the row's view, and each bot's totals.
 * Returns the table of all encounters. */
const struct doc_table *crosstable_results(const struct crosstable *cross);

/* Adds a bot's results against every other one, or only one (-1: all), with intervals. */
void crosstable_against(const struct crosstable *cross, int bot, int opponent);

/* Adds the LOS that the row is better than the column, in percent: from the ratings, and from
 * luck-adjusted results if there are any. */
void crosstable_los(const struct crosstable *cross, const struct doc_table *table);

#endif
