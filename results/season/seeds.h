/* seeds.h - the order of an event's seeds. Pure. */
#ifndef RESULTS_SEASON_SEEDS_H
#define RESULTS_SEASON_SEEDS_H

#include <bgref/error.h>

/* Sorts the names by lot: by BLAKE2b-256 of "EVENT|seed|NAME", ascending. So nobody chooses the
 * order, and everybody can compute it. */
void seeds_by_lot(const char **names, int count, const char *event);

/* Puts the names into the order of a list with commas. BG_E_ARGUMENT: the list has another name,
 * has one twice, or lacks one; the message names it. */
enum bg_status seeds_by_list(const char **names, int count, const char *list, struct bg_error *err);

/* Puts the names of the list, as far as they are there, first; the others follow as they were. */
void seeds_first(const char **names, int count, const char *list);

#endif
