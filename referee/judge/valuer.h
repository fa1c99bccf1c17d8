/* valuer.h - one bot that values positions, for commands that wait for its values.
 *
 *     valuer_open(&valuer, &bot, 2, &err);
 *     valuer_ask(values, valuer, asks, count, &err);
 *     valuer_roll_out(valuer, rollout, &err);
 *     valuer_close(valuer);
 */
#ifndef REFEREE_JUDGE_VALUER_H
#define REFEREE_JUDGE_VALUER_H

#include "evaluators.h"
#include "rollout.h"

struct valuer;

/* Called now and then during a rollout: trials finished so far. */
typedef void (*valuer_progress_fn)(void *user, uint64_t trials);

/* Starts `jobs` processes of the bot and waits until one is ready. BG_E_START: it does not start,
 * or does not value positions; BG_E_SYSTEM. */
enum bg_status valuer_open(struct valuer **out, const struct competitor *bot, int jobs,
                           struct bg_error *err);
/* Ends the processes. NULL is fine. */
void valuer_close(struct valuer *valuer);

/* "name version" and the options as set. Lent. */
const char *valuer_version(const struct valuer *valuer);
const char *valuer_options(const struct valuer *valuer);
bool valuer_plays(const struct valuer *valuer, const struct bg_variant *variant);

/* Sets values[i] to the answer to asks[i]. BG_E_MISMATCH: the bot's fault. */
enum bg_status valuer_ask(struct bg_value *values, struct valuer *valuer,
                          const struct bg_ask *const *asks, size_t count, struct bg_error *err);

/* Plays the rollout to its end. progress may be NULL. BG_E_MISMATCH: the bot's fault;
 * BG_E_ARGUMENT: it cannot value a position. */
enum bg_status valuer_roll_out(struct valuer *valuer, struct rollout *rollout,
                               valuer_progress_fn progress, void *user, struct bg_error *err);

#endif
