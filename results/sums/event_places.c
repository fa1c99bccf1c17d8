#include "event_places.h"

#include <stdlib.h>

#include <journal/season_store.h>

enum bg_status event_places(int **out, const struct season *season, const struct tally *tally,
                            struct bg_error *err)
{
    int *place = NULL, *of_bot = NULL;
    enum bg_status status = BG_OK;

    *out = NULL;
    if (season == NULL || season_plan(season)->stages == 0) {
        return BG_OK;
    }
    place = calloc((size_t)season_entrants(season) + 1, sizeof *place);
    of_bot = calloc((size_t)tally->bots + 1, sizeof *of_bot);
    status = place == NULL || of_bot == NULL
                 ? bg_error_set(err, BG_E_MEMORY, "places of %d bots", tally->bots)
                 : season_places(place, season, err);
    for (int bot = 0; status == BG_OK && bot < tally->bots; bot++) {
        int entrant = season_find(season, tally->bot[bot].name);

        of_bot[bot] = entrant < 0 ? 0 : place[entrant];
    }
    if (status == BG_OK) {
        *out = of_bot;
        of_bot = NULL;
    }
    free(place);
    free(of_bot);
    return status;
}
