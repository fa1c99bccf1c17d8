/* kin_ask.h - several bots before the same positions: the corpus of `bgref check`. */
#ifndef REFEREE_CHECK_KIN_ASK_H
#define REFEREE_CHECK_KIN_ASK_H

#include <sums/kin_games.h>

#include "bot/competitor.h"
#include "corpus.h"

struct kin_asked {
    struct corpus corpus;
    struct kin_choice *choice; /* owned; bots are numbered as given; clusters are cases */
    struct bg_step *step;      /* owned; by choice */
    size_t *which;             /* owned; by choice: the case */
    size_t count;
    size_t faults; /* questions without a legal answer */
};

/* Asks every bot each decision of the corpus of a game that is compared (decision_key). BG_E_START:
 * a bot does not start. */
enum bg_status kin_ask(struct kin_asked *out, const struct competitor *bots, int count,
                       const struct bg_variant *variant, struct bg_error *err);
void kin_asked_deinit(struct kin_asked *asked); /* accepts a zeroed struct */

#endif
