/* verify_steps.h - replays one game: rules, dice and clocks of each step. Private to verify. */
#ifndef RESULTS_PROOF_VERIFY_STEPS_H
#define RESULTS_PROOF_VERIFY_STEPS_H

#include "verify.h"

/* Plays the record on *match, which must be its start, and adds the checks to sum. begin_ns: clocks
 * by seat before the game. BG_E_MISMATCH: the message has the step. */
enum bg_status verify_steps(struct bg_match *match, struct verify_sum *sum,
                            const struct record_view *view, const struct game_id *id,
                            const struct bg_dice_key *key, const int64_t begin_ns[2],
                            struct bg_error *err);

/* Reads the time controls of a record, by seat. */
enum bg_status verify_controls(struct clock_control out[2], const struct record_view *view,
                               struct bg_error *err);

#endif
