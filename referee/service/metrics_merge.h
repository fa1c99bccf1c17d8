/* metrics_merge.h - several texts of metrics_text.h as one: each family once, with the samples of
 * all of them. Pure.
 *
 * The texts must differ in a label (event), since equal samples would be there twice.
 */
#ifndef REFEREE_SERVICE_METRICS_MERGE_H
#define REFEREE_SERVICE_METRICS_MERGE_H

#include <bgref/error.h>

#include <stdio.h>

struct metrics_merge;

/* BG_E_MEMORY. */
enum bg_status metrics_merge_create(struct metrics_merge **out, struct bg_error *err);
void metrics_merge_destroy(struct metrics_merge *merge); /* NULL is fine */

/* Adds a text. BG_E_MEMORY: it may be there in part. */
enum bg_status metrics_merge_add(struct metrics_merge *merge, const char *text,
                                 struct bg_error *err);
/* Returns the sum of the values of a family without histogram; 0 if there is none. */
double metrics_merge_sum(const struct metrics_merge *merge, const char *family);
void metrics_merge_write(FILE *out, const struct metrics_merge *merge);

#endif
