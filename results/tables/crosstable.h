/* crosstable.h - each bot's results against each other bot, in rank order.
 */
#ifndef RESULTS_TABLES_CROSSTABLE_H
#define RESULTS_TABLES_CROSSTABLE_H

#include <stdio.h>

#include <sums/summary.h>

/* One row and one column a bot, as many columns side by side as fit, then the totals. Cells are
 * from the row's point of view: matches won-lost; in money play net points / games and, below,
 * points per game with its standard error. BG_E_MEMORY. */
enum bg_status crosstable_write(FILE *out, const struct summary *summary, struct bg_error *err);

/* LOS in percent, row better than column: from the ratings, in money play from the games of the
 * two. BG_E_MEMORY. */
enum bg_status crosstable_los(FILE *out, const struct summary *summary, struct bg_error *err);

#endif
