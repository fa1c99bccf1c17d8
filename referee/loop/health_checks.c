/* Facts come in and words go out, so every limit is tested without a full disk or a dead child.
 * What is not known is fine: nobody should be called at night because a file system does not
 * tell its size. */
#include "health_checks.h"

#include <assert.h>
#include <inttypes.h>

#define S_NS       INT64_C(1000000000)
#define TURN_MOST  (1 * S_NS)
#define WAIT_MOST  (5 * S_NS)
#define DISK_LEAST (UINT64_C(1) << 30)

enum { DISK_SHARE = 20 /* a twentieth */ };

static void check_loop(struct health_check *out, const struct health_facts *facts)
{
    int64_t ago_ns = facts->now_ns - facts->turned_ns;

    out->name = "loop";
    out->fine = ago_ns <= TURN_MOST;
    snprintf(out->text, sizeof out->text, "turned %.3f s ago", (double)ago_ns / 1e9);
}

static void check_store(struct health_check *out, const struct health_facts *facts)
{
    int64_t waits_ns = facts->waits_ns == 0 ? 0 : facts->now_ns - facts->waits_ns;

    out->name = "store";
    out->fine = waits_ns <= WAIT_MOST;
    if (facts->waits_ns == 0) {
        snprintf(out->text, sizeof out->text, "all is stored");
    } else {
        snprintf(out->text, sizeof out->text, "waits for %.3f s to be stored",
                 (double)waits_ns / 1e9);
    }
}

static void check_disk(struct health_check *out, const struct health_facts *facts)
{
    out->name = "disk";
    out->fine = facts->disk_bytes == 0 || facts->disk_free >= DISK_LEAST ||
                facts->disk_free >= facts->disk_bytes / DISK_SHARE;
    if (facts->disk_bytes == 0) {
        snprintf(out->text, sizeof out->text, "unknown");
    } else {
        snprintf(out->text, sizeof out->text, "%" PRIu64 " MiB free of %" PRIu64,
                 facts->disk_free >> 20, facts->disk_bytes >> 20);
    }
}

int health_checks_make(struct health_check out[HEALTH_CHECKS_MOST],
                       const struct health_facts *facts)
{
    int count = 0;

    assert(facts->child_count <= HEALTH_CHECKS_CHILDREN);
    check_loop(&out[count++], facts);
    check_store(&out[count++], facts);
    check_disk(&out[count++], facts);
    for (int i = 0; i < facts->child_count; i++, count++) {
        out[count].name = facts->children[i].name;
        out[count].fine = facts->children[i].alive;
        snprintf(out[count].text, sizeof out[count].text, "%s",
                 facts->children[i].found != NULL ? facts->children[i].found
                 : facts->children[i].alive       ? "runs"
                                                  : "does not run");
    }
    return count;
}

bool health_checks_are_fine(const struct health_check *checks, int count)
{
    bool fine = true;

    for (int i = 0; i < count; i++) {
        fine = fine && checks[i].fine;
    }
    return fine;
}

void health_checks_json(FILE *out, const struct health_check *checks, int count)
{
    fprintf(out, "{\"fine\": %s, \"checks\": [",
            health_checks_are_fine(checks, count) ? "true" : "false");
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s{\"check\": \"%s\", \"fine\": %s, \"found\": \"%s\"}", i > 0 ? ", " : "",
                checks[i].name, checks[i].fine ? "true" : "false", checks[i].text);
    }
    fputs("]}\n", out);
}
