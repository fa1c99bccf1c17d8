/* values.h - positions valued by gnubg: each value is one or two of its questions.
 *
 * A roll's best play is the one that gnubg plays, its value what the position behind it is worth
 * with the opponent about to roll, both at the same look-ahead.
 */
#ifndef BOTS_GNUBG_VALUES_H
#define BOTS_GNUBG_VALUES_H

#include "engine.h"
#include "query.h"

/* Answers ask, of one of the kinds BG_VALUE_..., by questions to engine. BG_E_ARGUMENT: gnubg
 * cannot be asked this; other failures are engine's and the reply's. */
enum bg_status values_find(struct bg_value *out, const struct bg_ask *ask, struct engine *engine,
                           const struct query_strength *strength, struct bg_error *err);

#endif
