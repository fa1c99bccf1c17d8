/* health_checks.h - whether a host is well, from facts that the caller has gathered. Pure.
 *
 * GET /healthz answers with them: status 200 if all are fine, else 503.
 */
#ifndef REFEREE_LOOP_HEALTH_CHECKS_H
#define REFEREE_LOOP_HEALTH_CHECKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { HEALTH_CHECKS_TEXT = 120, HEALTH_CHECKS_CHILDREN = 16 };

struct health_facts {
    int64_t now_ns;                 /* of one clock, like the next three */
    int64_t turned_ns;              /* when the loop last began a turn */
    int64_t waits_ns;               /* since when something waits to be stored; 0: nothing does */
    uint64_t disk_free, disk_bytes; /* of the results' file system; disk_bytes 0: unknown */
    struct {
        const char *name; /* lent; letters and digits */
        bool alive;
        const char *found;              /* lent; NULL: that it runs, or does not */
    } children[HEALTH_CHECKS_CHILDREN]; /* processes that must be there */
    int child_count;
};

struct health_check {
    const char *name; /* loop, store, disk, or a child's */
    bool fine;
    char text[HEALTH_CHECKS_TEXT]; /* what was found, for people */
};

enum { HEALTH_CHECKS_MOST = 3 + HEALTH_CHECKS_CHILDREN };

/* The loop has turned within 1 s; nothing waits longer than 5 s to be stored; the disk has 1 GiB or
 * 5 % left; every child is alive. Returns the number of checks. */
int health_checks_make(struct health_check out[HEALTH_CHECKS_MOST],
                       const struct health_facts *facts);
bool health_checks_are_fine(const struct health_check *checks, int count);
/* {"fine": true, "checks": [{"check": "loop", "fine": true, "found": "..."}, ...]} and LF. */
void health_checks_json(FILE *out, const struct health_check *checks, int count);

#endif
