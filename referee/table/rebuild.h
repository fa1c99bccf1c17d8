/* rebuild.h - a leg as it is after the games that a sink has of it. */
#ifndef REFEREE_TABLE_REBUILD_H
#define REFEREE_TABLE_REBUILD_H

#include "record/clock.h"
#include "record/record.h"
#include "sink.h"

/* The caller sets the first three, which are lent; clocks: of seats 0 and 1. */
struct rebuild {
    struct bg_match *match;
    struct clock *clocks;
    char *prev;               /* gets the hash of the last game; RECORD_HASH bytes */
    struct record_view *last; /* owned by the caller; the last game; NULL: there is none */
    int games;                /* how many there are; 0: nothing above was changed */
    enum bg_status status;
    struct bg_error *err;
};

/* Replays the games of the leg. Statuses of the sink, of record_read and of record_replay. */
enum bg_status rebuild_leg(struct rebuild *rebuild, const struct game_sink *sink,
                           const struct game_id *leg, struct bg_error *err);

#endif
