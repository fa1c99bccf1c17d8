/* plain_source.h - the fixtures of a plain round robin, as an event has them. */
#ifndef SUPPORT_PLAIN_SOURCE_H
#define SUPPORT_PLAIN_SOURCE_H

#include <check.h>

#include "fixtures/source_season.h"

struct plain_source {
    struct season *season;
    struct source *source;
};

static inline struct plain_source plain_source_open(const char *const *names, int bots,
                                                    uint64_t pairs, int legs)
{
    const struct season_setup setup = {
        .event = "plain", .seeds = names, .entrants = bots, .legs = legs, .pairs = pairs};
    struct plain_source out = {.source = source_season_create(names, bots, legs)};

    ck_assert_int_eq(season_create(&out.season, &setup, NULL), BG_OK);
    source_season_look(out.source, out.season, NULL);
    source_season_stop(out.source, true);
    return out;
}

static inline void plain_source_close(struct plain_source *plain)
{
    source_destroy(plain->source);
    season_destroy(plain->season);
}

#endif
