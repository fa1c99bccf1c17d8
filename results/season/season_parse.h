/* season_parse.h - the words of a subject as values, with sentences for what is wrong. */
#ifndef RESULTS_SEASON_SEASON_PARSE_H
#define RESULTS_SEASON_SEASON_PARSE_H

#include "season_state.h"

/* Finds the meeting of "meeting=N"; NULL: none. */
struct match_up *meeting_of(const struct season *season, const struct act *act);

/* The same with a sentence. BG_E_ARGUMENT. */
enum bg_status read_meeting(struct match_up **out, const struct season *season,
                            const struct act *act, struct bg_error *err);

/* Refuses words of the subject that are not in the list "meeting bot". BG_E_ARGUMENT. */
enum bg_status only_words(const struct act *act, const char *words, struct bg_error *err);

/* Reads bot=NAME; the entrant must exist. BG_E_ARGUMENT. */
enum bg_status read_entrant(int *out, const struct season *season, const struct act *act,
                            struct bg_error *err);

/* Reads the name of a new entrant. BG_E_ARGUMENT. */
enum bg_status read_new_name(char out[PLAN_NAME], const struct season *season,
                             const struct act *act, struct bg_error *err);

/* Reads pair=A|B|PAIR or game=A|B|PAIR|LEG|GAME: two entrants in the order of their names. */
enum bg_status read_pair(uint32_t names[2], uint64_t *pair, const struct season *season,
                         const struct act *act, struct bg_error *err);

/* Reads pairs=FROM+COUNT; zeros if it is missing. */
struct season_units read_units(const struct act *act);

/* Reads a ladder's or league's fixture row that was checked before. BG_E_MISMATCH. */
enum bg_status read_challenge(struct pending *out, const struct season *season,
                              const struct act *act, struct bg_error *err);

#endif
