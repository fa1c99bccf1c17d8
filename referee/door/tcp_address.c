#include "tcp_address.h"

#include <stdio.h>
#include <string.h>

static const char SCHEME[] = "tcp://";

bool tcp_address_cut(char host[TCP_ADDRESS_HOST], const char **port, const char *endpoint)
{
    const char *from = endpoint + strlen(SCHEME), *colon = strrchr(endpoint, ':');
    size_t length;

    if (strncmp(endpoint, SCHEME, strlen(SCHEME)) != 0 || colon < from) {
        return false;
    }
    length = (size_t)(colon - from);
    if (length >= 2 && from[0] == '[' && colon[-1] == ']') {
        from++;
        length -= 2;
    }
    snprintf(host, TCP_ADDRESS_HOST, "%.*s", (int)length, from);
    *port = colon + 1;
    return length > 0 && length < TCP_ADDRESS_HOST;
}
