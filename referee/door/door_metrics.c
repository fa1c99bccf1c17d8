#include "door_metrics.h"

#include "service/metrics_text.h"

enum { LABELS = 3 };

/* Puts the labels of a door and another one. Returns how many there are. */
static int label(struct metrics_label out[LABELS], const struct door_metrics *door,
                 const char *name, const char *value)
{
    int count = 0;

    if (door->event != NULL) {
        out[count++] = (struct metrics_label){"event", door->event};
    }
    out[count++] = (struct metrics_label){"door", door->name};
    if (name != NULL) {
        out[count++] = (struct metrics_label){name, value};
    }
    return count;
}

static void put_handshakes(FILE *out, const struct door_metrics *doors, int count)
{
    static const char name[] = "bgref_handshakes_total";
    struct metrics_label labels[LABELS];

    metrics_family(out, name, METRICS_COUNTER,
                   "Connections that reached the gateway or the porch, by result.");
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < DOOR_RESULTS; k++) {
            int used = label(labels, &doors[i], "result", door_result_word((enum door_result)k));

            metrics_number(out, name, labels, used, (double)doors[i].counts.results[k]);
        }
    }
}

static void put_connections(FILE *out, const struct door_metrics *doors, int count)
{
    static const char name[] = "bgref_doorman_connections";
    struct metrics_label labels[LABELS];

    metrics_family(out, name, METRICS_GAUGE, "Connections from outside that are open now.");
    for (int i = 0; i < count; i++) {
        int used = label(labels, &doors[i], NULL, NULL);

        metrics_number(out, name, labels, used, doors[i].counts.connections);
    }
}

static void put_refused(FILE *out, const struct door_metrics *doors, int count)
{
    static const char name[] = "bgref_doorman_refused_total";
    struct metrics_label labels[LABELS];

    metrics_family(out, name, METRICS_COUNTER,
                   "Connections that the doorman has refused, by reason.");
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < DOOR_WHYS; k++) {
            int used = label(labels, &doors[i], "why", door_why_word((enum door_why)k));

            metrics_number(out, name, labels, used, (double)doors[i].counts.refused[k]);
        }
    }
}

void door_metrics_write(FILE *out, const struct door_metrics *doors, int count)
{
    if (count > 0) {
        put_handshakes(out, doors, count);
        put_connections(out, doors, count);
        put_refused(out, doors, count);
    }
}
