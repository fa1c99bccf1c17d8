/* desk_deed.h - an act and its effects, for the files desk*.c. */
#ifndef RESULTS_PROOF_DESK_DEED_H
#define RESULTS_PROOF_DESK_DEED_H

#include "desk.h"
#include "record/game_id.h"
#include "store/entry.h"
#include "published.h"

struct desk_deed {
    struct act act[2]; /* the last one is the wish */
    size_t acts;
    struct season *after; /* owned */
    bool is_plain;        /* a plain round robin */

    char bot[PLAN_NAME];  /* of the fixtures and the reinstating; "" none */
    uint64_t given_up;    /* reinstate: fixtures marked unplayed because of the bot */
    struct game_id *pair; /* owned; to be set aside */
    size_t pairs, pair_room;
    uint64_t games; /* of these pairs */
    char **fixture; /* owned, and each; to be marked unplayed */
    size_t fixtures, fixture_room;
    char why[ACT_REASON + 32];
    struct store_setting setting[WITHDRAWN_MOST + 1];
    size_t settings;
    char reinstated_key[ENTRY_KEY], *reinstated; /* owned; its setting */
    char accepted_key[ENTRY_KEY];                /* accept, while nobody plays */
    char root[RECORD_HASH];                      /* published until now; "-" none */
    bool had_root, republishes;
};

#endif
