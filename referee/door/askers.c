#include "askers.h"

#include <stddef.h>

uint64_t askers_add(struct askers *askers, void *who)
{
    uint64_t number = askers->next++;

    askers->list[number % ASKERS].who = who;
    askers->list[number % ASKERS].number = number;
    return number;
}

void *askers_take(struct askers *askers, uint64_t number)
{
    void *who = NULL;

    if (askers->list[number % ASKERS].number == number) {
        who = askers->list[number % ASKERS].who;
        askers->list[number % ASKERS].who = NULL;
    }
    return who;
}

void askers_forget(struct askers *askers, const void *who)
{
    for (int i = 0; i < ASKERS; i++) {
        if (askers->list[i].who == who) {
            askers->list[i].who = NULL;
        }
    }
}
