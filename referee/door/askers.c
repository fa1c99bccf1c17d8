#include "askers.h"

uint64_t askers_add(struct askers *askers, const struct asker *asker)
{
    uint64_t number = askers->next++;
    struct asker *place = &askers->list[number % ASKERS];

    *place = *asker;
    place->number = number;
    return number;
}

bool askers_take(struct asker *out, struct askers *askers, uint64_t number)
{
    struct asker *place = &askers->list[number % ASKERS];
    bool waits = place->id_size > 0 && place->number == number;

    if (waits) {
        *out = *place;
        place->id_size = 0;
    }
    return waits;
}
