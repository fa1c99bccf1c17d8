/* Joint ratings need only sums: each event's tally is added under the names of the competitors,
 * so no game of any event is read. */
#include "circuit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/memory.h>

/* ------------------------------------------------------------------------ the events */

static int64_t number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    return at == NULL ? 0 : strtoll(at + strlen(key), NULL, 10);
}

/* A run's account begins with "begun=SECONDS", and has "seconds=" once it has ended. */
static void note_run(void *user, const char *key, const char *value)
{
    struct circuit_event *event = user;
    int64_t begun = number_after(value, "begun="), ended;

    (void)key;
    if (begun <= 0) {
        return;
    }
    ended = begun + number_after(value, " seconds=");
    event->begun_s = event->begun_s == 0 || begun < event->begun_s ? begun : event->begun_s;
    event->ended_s = ended > event->ended_s ? ended : event->ended_s;
}

static void file_name(char out[EVENT_NAME], const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length;

    path = slash == NULL ? path : slash + 1;
    length = strlen(path);
    length -= length > 3 && strcmp(path + length - 3, ".db") == 0 ? 3 : 0;
    length = length < EVENT_NAME ? length : EVENT_NAME - 1;
    memcpy(out, path, length);
    out[length] = '\0';
}

static enum bg_status open_event(struct circuit_event *out, const char *path, struct bg_error *err)
{
    enum bg_status status = event_results_open(&out->results, path, err);

    out->path = path;
    file_name(out->file, path);
    if (status == BG_OK) {
        status = store_meta_each(out->results.store, "run.", note_run, out, err);
    }
    if (status == BG_OK) {
        out->competitor = memory_zeroed((size_t)out->results.tally.bots, sizeof *out->competitor);
    }
    return status;
}

/* Sorts by date; events without one keep their place before the dated ones. By insertion, which
 * keeps the order of the command line for events of one date. */
static void sort_events(struct circuit *circuit)
{
    for (int i = 1; i < circuit->events; i++) {
        struct circuit_event event = circuit->event[i];
        int place = i;

        while (place > 0 && circuit->event[place - 1].ended_s > event.ended_s) {
            circuit->event[place] = circuit->event[place - 1];
            place--;
        }
        circuit->event[place] = event;
    }
}

/* By device and inode, which two paths to one file share. */
static enum bg_status refuse_twice(const char *const *paths, int count, struct bg_error *err)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) {
            struct stat one, other;

            if (stat(paths[i], &one) == 0 && stat(paths[k], &other) == 0 &&
                one.st_dev == other.st_dev && one.st_ino == other.st_ino) {
                return bg_error_set(err, BG_E_ARGUMENT, "%s: the same file as %s; name it once",
                                    paths[i], paths[k]);
            }
        }
    }
    return BG_OK;
}

enum bg_status circuit_open(struct circuit *out, const char *const *paths, int count,
                            const struct circuit_who *who, struct bg_error *err)
{
    enum bg_status status = refuse_twice(paths, count, err);

    *out = (struct circuit){.event = memory_zeroed((size_t)count, sizeof *out->event)};
    for (int i = 0; i < count && status == BG_OK; i++) {
        out->events++;
        status = open_event(&out->event[i], paths[i], err);
    }
    if (status == BG_OK) {
        sort_events(out);
        status = who->any_rules ? BG_OK : circuit_compare(out, err);
    }
    if (status == BG_OK) {
        status = circuit_name(out, who, err);
    }
    if (status != BG_OK) {
        circuit_close(out);
    }
    return status;
}

void circuit_close(struct circuit *circuit)
{
    for (int i = 0; i < circuit->events; i++) {
        event_results_close(&circuit->event[i].results);
        free(circuit->event[i].competitor);
    }
    for (int i = 0; i < circuit->competitors; i++) {
        free(circuit->name[i]);
    }
    free(circuit->event);
    free((void *)circuit->name);
    free(circuit->notes);
    *circuit = (struct circuit){.events = 0};
}

/* --------------------------------------------------------------------------- the sums */

/* The competitors' names may have another order than the bots' names had, and a pair is stored
 * under the first of them. */
static enum bg_status add_sums(struct tally *out, const char *const *name,
                               const struct tally_encounter *from, int length_points,
                               const struct encounter *total, struct bg_error *err)
{
    const char *a = name[from->a], *b = name[from->b];
    struct encounter flipped = encounter_flip(total);

    return strcmp(a, b) < 0 ? tally_add_encounter(out, a, b, length_points, total, err)
                            : tally_add_encounter(out, b, a, length_points, &flipped, err);
}

static enum bg_status add_parts(struct tally *out, const struct tally *event,
                                const char *const *name, const struct tally_encounter *from,
                                struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (from->parts == 0) {
        return add_sums(out, name, from, event->length_points, &from->total, err);
    }
    for (size_t i = 0; i < from->parts && status == BG_OK; i++) {
        status = add_sums(out, name, from, from->part[i].length_points, &from->part[i].total, err);
    }
    return status;
}

enum bg_status circuit_add(struct tally *out, const struct tally *event, const char *const *name,
                           struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < event->bots && status == BG_OK; i++) {
        tally_add_bot(out, name[i]);
        for (int fault = 1; fault < BG_FAULT_COUNT && status == BG_OK; fault++) {
            if (event->bot[i].faults[fault] > 0) {
                status = tally_add_faults(out, name[i], (enum bg_fault)fault,
                                          event->bot[i].faults[fault], err);
            }
        }
    }
    for (size_t i = 0; i < event->encounters && status == BG_OK; i++) {
        status = add_parts(out, event, name, event->encounter[i], err);
    }
    return status;
}

enum bg_status circuit_tally(struct tally *out, const struct circuit *circuit, int events,
                             struct bg_error *err)
{
    const char **name = memory_zeroed((size_t)circuit->competitors, sizeof *name);
    enum bg_status status = BG_OK;

    tally_init(out, circuit->event[0].results.tally.length_points);
    for (int i = 0; i < circuit->events; i++) { /* all: the history's tables are of one form */
        const struct tally *tally = &circuit->event[i].results.tally;

        out->any_length =
            out->any_length || tally->any_length || tally->length_points != out->length_points;
    }
    out->any_length = out->any_length && out->length_points > 0;
    for (int i = 0; i < events && status == BG_OK; i++) {
        const struct circuit_event *event = &circuit->event[i];

        for (int bot = 0; bot < event->results.tally.bots; bot++) {
            name[bot] = circuit->name[event->competitor[bot]];
        }
        status = circuit_add(out, &event->results.tally, name, err);
    }
    free((void *)name);
    if (status != BG_OK) {
        tally_deinit(out);
    }
    return status;
}
