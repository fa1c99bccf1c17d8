/* A fixed table with a few ways for each hash, not a map that grows: who comes from many addresses
 * costs no memory and evicts only idle places of the same set. An address with open connections is
 * never evicted, so its count cannot be forgotten; where all ways are busy the stranger is refused
 * as if all were full.
 *
 * The hash has a secret of this process, so that nobody can choose addresses that fall into one
 * set. */
#include "limits.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#define MS_NS INT64_C(1000000)

void limits_init(struct limits *limits, int per_address, int connections, uint64_t secret)
{
    memset(limits, 0, sizeof *limits);
    limits->per_address = per_address;
    limits->connections = connections;
    limits->secret = secret | 1;
    /* So long ago that every burst is free; half of the least, so that a step cannot overflow. */
    limits->due_ns = INT64_MIN / 2;
}

/* An IPv4 address that came by an IPv6 socket ("::ffff:a.b.c.d") is an IPv4 address. */
struct limits_address limits_address_of(const struct sockaddr_storage *from)
{
    struct limits_address address = {.is_v6 = false};
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    if (from->ss_family == AF_INET) {
        memcpy(&v4, from, sizeof v4);
        memcpy(address.bytes, &v4.sin_addr, sizeof v4.sin_addr);
    } else if (from->ss_family == AF_INET6) {
        memcpy(&v6, from, sizeof v6);
        address.is_v6 = !IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr);
        if (address.is_v6) {
            memcpy(address.bytes, v6.sin6_addr.s6_addr, sizeof address.bytes);
        } else {
            memcpy(address.bytes, v6.sin6_addr.s6_addr + 12, 4);
        }
    }
    return address;
}

static bool is_same_address(const struct limits_address *a, const struct limits_address *b)
{
    return a->is_v6 == b->is_v6 && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

static struct limits_place *set_of(struct limits *limits, const struct limits_address *from)
{
    uint64_t hash;

    memcpy(&hash, from->bytes, sizeof hash);
    hash = (hash ^ limits->secret) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
    hash *= limits->secret;
    return limits->places[hash >> 32 & (LIMITS_SETS - 1)];
}

/* Returns the address's place, or the one that it may take; NULL: all have open connections. */
static struct limits_place *find_place(struct limits *limits, const struct limits_address *from)
{
    struct limits_place *set = set_of(limits, from), *oldest = NULL;

    for (int i = 0; i < LIMITS_WAYS; i++) {
        if (set[i].since_ns != 0 && is_same_address(&set[i].address, from)) {
            return &set[i];
        }
        if (set[i].open == 0 && (oldest == NULL || set[i].since_ns < oldest->since_ns)) {
            oldest = &set[i];
        }
    }
    if (oldest != NULL) {
        *oldest = (struct limits_place){.address = *from, .due_ns = INT64_MIN / 2};
    }
    return oldest;
}

static bool is_too_fast(int64_t due_ns, int64_t now_ns, int64_t every_ns, int burst)
{
    return due_ns - now_ns > (burst - 1) * every_ns;
}

static int64_t next_due(int64_t due_ns, int64_t now_ns, int64_t every_ns)
{
    return (due_ns > now_ns ? due_ns : now_ns) + every_ns;
}

enum limits_verdict limits_admit(struct limits_place **place, struct limits *limits,
                                 const struct limits_address *from, int64_t now_ns)
{
    struct limits_place *own = limits->open < limits->connections ? find_place(limits, from) : NULL;
    enum limits_verdict verdict = LIMITS_ADMIT;

    /* Tested before anything is counted: who is refused changes nothing, and can come again. */
    if (own == NULL) {
        verdict = LIMITS_FULL;
    } else if (own->open >= limits->per_address) {
        verdict = LIMITS_ADDRESS_FULL;
    } else if (is_too_fast(own->due_ns, now_ns, LIMITS_EVERY_MS * MS_NS, LIMITS_BURST)) {
        verdict = LIMITS_ADDRESS_FAST;
    } else if (is_too_fast(limits->due_ns, now_ns, LIMITS_EVERY_ALL_MS * MS_NS, LIMITS_BURST_ALL)) {
        verdict = LIMITS_FAST;
    }
    if (verdict == LIMITS_ADMIT) {
        own->open++;
        own->since_ns = now_ns == 0 ? 1 : now_ns;
        own->due_ns = next_due(own->due_ns, now_ns, LIMITS_EVERY_MS * MS_NS);
        limits->due_ns = next_due(limits->due_ns, now_ns, LIMITS_EVERY_ALL_MS * MS_NS);
        limits->open++;
        *place = own;
    }
    return verdict;
}

void limits_release(struct limits *limits, struct limits_place *place)
{
    place->open--;
    limits->open--;
}

const char *limits_why(const struct limits *limits, enum limits_verdict verdict)
{
    static char text[100];

    switch (verdict) {
    case LIMITS_ADDRESS_FULL:
        snprintf(text, sizeof text, "more than %d connections of its address (per_address)",
                 limits->per_address);
        break;
    case LIMITS_ADDRESS_FAST:
        snprintf(text, sizeof text, "too many new connections of its address in a short time");
        break;
    case LIMITS_FULL:
        snprintf(text, sizeof text, "more than %d connections in all (connections)",
                 limits->connections);
        break;
    case LIMITS_FAST:
        snprintf(text, sizeof text, "too many new connections in a short time");
        break;
    case LIMITS_ADMIT:
    case LIMITS_VERDICTS:
        text[0] = '\0';
        break;
    }
    return text;
}
