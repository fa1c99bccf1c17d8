/* metrics_merge.h - several texts of metrics_text.h as one: each family once, with the samples of
 * all of them. Pure.
 *
 * The texts must differ in a label (event), since equal samples would be there twice.
 */
#ifndef REFEREE_LOOP_METRICS_MERGE_H
#define REFEREE_LOOP_METRICS_MERGE_H

#include <stdio.h>

struct metrics_merge;

struct metrics_merge *metrics_merge_create(void);
void metrics_merge_destroy(struct metrics_merge *merge); /* NULL is fine */

void metrics_merge_add(struct metrics_merge *merge, const char *text);
/* Returns the sum of the values of a family without histogram; 0 if there is none. */
double metrics_merge_sum(const struct metrics_merge *merge, const char *family);
void metrics_merge_write(FILE *out, const struct metrics_merge *merge);

#endif
