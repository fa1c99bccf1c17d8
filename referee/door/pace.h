/* pace.h - at most one request of an address in a time.
 *
 * Pure: time is an argument. An address is as in limits.h. When too many different addresses have
 * asked in that time, all others wait too.
 */
#ifndef REFEREE_DOOR_PACE_H
#define REFEREE_DOOR_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"

enum { PACE_ADDRESSES = 512 };

struct pace {
    int64_t every_ns;
    struct {
        struct limits_address address;
        int64_t at_ns;
        bool is_used;
    } places[PACE_ADDRESSES];
};

/* Whether this address may ask now; it is noted if it may. address: text, "?" and the like are one
 * address. */
bool pace_admit(struct pace *pace, const char *address, int64_t now_ns);

#endif
