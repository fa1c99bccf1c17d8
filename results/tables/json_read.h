/* json_read.h - the readers of the kinds, one file each. Private to json_*.c.
 *
 * Each fills the fields of its kind from the place `input`; out owns what it allocated, also after
 * a failure.
 */
#ifndef RESULTS_TABLES_JSON_READ_H
#define RESULTS_TABLES_JSON_READ_H

#include "json_input.h"
#include "json_place.h"

/* json_players.c */
enum bg_status json_read_players(struct json_input *out, const struct json_place *input);
enum bg_status json_need_player(int *out, const struct json_input *input,
                                const struct json_place *at);
/* Reads two different players. */
enum bg_status json_need_two(int *a, int *b, const struct json_input *input,
                             const struct json_place *at_a, const struct json_place *at_b);
enum bg_status json_read_encounters(struct json_input *out, const struct json_place *input);

/* json_ratings.c, json_fibs.c */
enum bg_status json_read_ratings(struct json_input *out, const struct json_place *input);
enum bg_status json_read_fibs(struct json_input *out, const struct json_place *input);

/* json_money.c */
enum bg_status json_read_money(struct json_input *out, const struct json_place *input);
enum bg_status json_read_intervals(struct json_input *out, const struct json_place *input);

/* json_sprt.c, json_judged.c */
enum bg_status json_read_sprt(struct json_input *out, const struct json_place *input);
enum bg_status json_read_luck(struct json_input *out, const struct json_place *input);
enum bg_status json_read_errors(struct json_input *out, const struct json_place *input);

/* Refuses members unknown for this kind. */
enum bg_status json_check_known(enum json_kind kind, const struct json_place *root,
                                const struct json_place *input);

#endif
