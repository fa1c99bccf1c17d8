/* Counts travel as absolute numbers, not as steps: a message that waits may be overtaken by
 * none, but a reader that has missed one is right again with the next. The words of both tables
 * are labels in the metrics, which operators have in their queries: a new one goes to the end,
 * and none is renamed.
 *
 * Counters go on over restarts of the door's processes, as Prometheus wants them; the sums are
 * door_counts(), so that this text and `status` of a host cannot differ. Families of reasons
 * have a line for each reason from the start, with 0: a series that appears only with its first
 * refusal has no increase to alert on. */
#include "door_counts.h"

#include "loop/metrics_text.h"

enum { LABELS = 3 };

static const char *const whys[DOOR_WHYS] = {
    "address_connections", "address_rate", "connections", "rate", "banned", "gateway"};
static const char *const results[DOOR_RESULTS] = {"came",       "unknown_key", "banned",
                                                  "key_rate",   "key_twice",   "network",
                                                  "start_rate", "large_hello", "ended"};

/* Puts the labels of a door and another one. Returns how many there are. */
static int label(struct metrics_label out[LABELS], const char *event, const char *name,
                 const char *value)
{
    int count = 0;

    /* Without an event it is the host's one door. */
    if (event != NULL) {
        out[count++] = (struct metrics_label){"event", event};
    }
    out[count++] = (struct metrics_label){"door", "door"}; /* queries of operators may name it */
    if (name != NULL) {
        out[count++] = (struct metrics_label){name, value};
    }
    return count;
}

static void put_handshakes(FILE *out, const char *event, const struct door_counts *counts)
{
    static const char name[] = "bgref_handshakes_total";
    struct metrics_label labels[LABELS];

    metrics_family(out, name, METRICS_COUNTER, "Connections that reached the gateway, by result.");
    for (int i = 0; i < DOOR_RESULTS; i++) {
        int used = label(labels, event, "result", results[i]);

        metrics_number(out, name, labels, used, (double)counts->results[i]);
    }
}

static void put_connections(FILE *out, const char *event, const struct door_counts *counts)
{
    static const char name[] = "bgref_doorman_connections";
    struct metrics_label labels[LABELS];

    metrics_family(out, name, METRICS_GAUGE, "Connections from outside that are open now.");
    metrics_number(out, name, labels, label(labels, event, NULL, NULL), counts->connections);
}

static void put_refused(FILE *out, const char *event, const struct door_counts *counts)
{
    static const char name[] = "bgref_doorman_refused_total";
    struct metrics_label labels[LABELS];

    metrics_family(out, name, METRICS_COUNTER,
                   "Connections that the doorman has refused, by reason.");
    for (int i = 0; i < DOOR_WHYS; i++) {
        int used = label(labels, event, "why", whys[i]);

        metrics_number(out, name, labels, used, (double)counts->refused[i]);
    }
}

void door_counts_write(FILE *out, const char *event, const struct door_counts *counts)
{
    put_handshakes(out, event, counts);
    put_connections(out, event, counts);
    put_refused(out, event, counts);
}
