/* values.h - positions valued by gnubg: each value takes one or two of its questions.
 *
 * A roll's best play is gnubg's own play. Its value is that of the next position, with the opponent
 * about to roll, at the same look-ahead.
 */
#ifndef BOTS_GNUBG_VALUES_H
#define BOTS_GNUBG_VALUES_H

#include "engine.h"
#include "query.h"

/* Answers ask, of one of the kinds BG_VALUE_..., by questions to engine. BG_E_ARGUMENT: gnubg does
 * not support this question; other failures are the engine's and the reply's. */
enum bg_status values_ask(struct bg_value *out, const struct bg_ask *ask, struct engine *engine,
                          const struct query_strength *strength, struct bg_error *err);

#endif
