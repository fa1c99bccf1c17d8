/* Places by name, since entrants of a season and bots of a tally are numbered independently: one
 * who has played no game is only in the season. */
#include "event_places.h"

#include <stdlib.h>

#include <base/memory.h>
#include "season/season_store.h"

enum bg_status event_places(int **out, const struct season *season, const struct tally *tally,
                            struct bg_error *err)
{
    int *place;
    enum bg_status status;

    *out = NULL;
    if (season == NULL || season_plan(season)->stages == 0) {
        return BG_OK;
    }
    place = memory_zeroed((size_t)season_entrants(season), sizeof *place);
    status = season_places(place, season, err);
    if (status == BG_OK) {
        *out = memory_zeroed((size_t)tally->bots, sizeof **out);
    }
    for (int bot = 0; status == BG_OK && bot < tally->bots; bot++) {
        int entrant = season_find(season, tally->bot[bot].name);

        (*out)[bot] = entrant < 0 ? 0 : place[entrant];
    }
    free(place);
    return status;
}
