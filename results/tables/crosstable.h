/* crosstable.h - each bot's results against each other bot, in rank order. */
#ifndef RESULTS_TABLES_CROSSTABLE_H
#define RESULTS_TABLES_CROSSTABLE_H

#include <stdio.h>

#include <sums/summary.h>

/* One row and one column for each bot, as many columns side by side as fit, then the totals. Cells
 * are from the row's view: matches won-lost; in money play net points / games and, below, points
 * per game with the standard error. */
void crosstable_write(FILE *out, const struct summary *summary);

/* LOS in percent that the row is better than the column: from the ratings, in money play from the
 * two bots' games. */
void crosstable_los(FILE *out, const struct summary *summary);

#endif
