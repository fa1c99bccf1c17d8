/* season_pairing.h - parts of the pairing in files of their own. */
#ifndef RESULTS_SEASON_SEASON_PAIRING_H
#define RESULTS_SEASON_SEASON_PAIRING_H

#include "season_state.h"

/* The rounds of a Swiss stage. */
int swiss_rounds_of(const struct plan_stage *plan, const struct season_group *group);

/* season_challenges.c: the next meeting of a group; false: none now. */
bool challenge_of_ladder(struct meeting *out, const struct season *season, int stage, int group);
enum bg_status challenge_of_league(struct meeting *out, bool *found, const struct season *season,
                                   int stage, int group, struct bg_error *err);

/* The joint fit of a league over its first `results` results, by number in the group. */
enum bg_status league_ratings(double *rating, const struct season *season, int stage, int group,
                              size_t results, struct bg_error *err);

#endif
