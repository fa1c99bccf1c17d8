#include "pace.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static struct limits_address read_address(const char *text)
{
    struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        memcpy(&from, &v4, sizeof v4);
    } else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
        memcpy(&from, &v6, sizeof v6);
    }
    return limits_address_of(&from);
}

bool pace_admit(struct pace *pace, const char *address, int64_t now_ns)
{
    const struct limits_address from = read_address(address);
    int place = -1;

    for (int i = 0; i < PACE_ADDRESSES; i++) {
        bool is_free = !pace->places[i].is_used || now_ns - pace->places[i].at_ns >= pace->every_ns;

        if (!is_free && pace->places[i].address.is_v6 == from.is_v6 &&
            memcmp(pace->places[i].address.bytes, from.bytes, sizeof from.bytes) == 0) {
            return false;
        }
        place = is_free ? i : place;
    }
    if (place < 0) {
        return false;
    }
    pace->places[place].address = from;
    pace->places[place].at_ns = now_ns;
    pace->places[place].is_used = true;
    return true;
}
