/* Joint ratings need only sums: each event's tally is added under the names of the competitors,
 * so no game of any event is read. A joint rating is read without the settings of its events, so
 * each one that differs is either refused or written into a note; settings that a file does not
 * have, as that of an import, are not compared. */
#include "circuit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/memory.h>

/* ------------------------------------------------------------------------- the rules */

enum { VALUE = 256 };

/* What a setting that differs means for the joint rating. */
enum joined {
    JOINED_NEVER,    /* another game: no formula */
    JOINED_MATCHES,  /* matches are won or lost as before; points of money games change */
    JOINED_WITH_NOTE /* conditions of play */
};

static const struct rule {
    const char *key;
    enum joined joined;
    const char *words;
} rules[] = {
    {"event.variant", JOINED_NEVER, "game"},
    {"event.cube", JOINED_MATCHES, "cube"},
    {"event.jacoby", JOINED_MATCHES, "jacoby"},
    {"event.beavers", JOINED_MATCHES, "beavers"},
    {"event.raises", JOINED_MATCHES, "raises"},
    {"event.auto_doubles", JOINED_MATCHES, "auto_doubles"},
    {"event.cube_limit", JOINED_MATCHES, "cube_limit"},
    {"event.crawford", JOINED_WITH_NOTE, "crawford"},
    {"event.holland", JOINED_WITH_NOTE, "holland"},
    {"event.opening", JOINED_WITH_NOTE, "opening"},
    {"event.openings", JOINED_WITH_NOTE, "openings"},
    {"event.clock", JOINED_WITH_NOTE, "clock"},
    {"event.fault", JOINED_WITH_NOTE, "fault"},
    {"event.flag", JOINED_WITH_NOTE, "flag"},
    {"event.forfeit", JOINED_WITH_NOTE, "forfeit"},
};

/* Each note is one line. */
static void note_rule(struct circuit *circuit, const char *text)
{
    char *before = circuit->notes;

    circuit->notes = memory_print("%s%s\n", before == NULL ? "" : before, text);
    free(before);
}

static enum bg_status read_rule(char out[VALUE], const struct circuit_event *event, const char *key,
                                struct bg_error *err)
{
    return store_meta_text(out, VALUE, event->results.store, key, err);
}

/* Compares one setting of an event with the first event's. An unknown value (an import) is not
 * compared. */
static enum bg_status compare_rule(struct circuit *circuit, const struct rule *rule, int i,
                                   bool *noted, struct bg_error *err)
{
    const struct circuit_event *first = &circuit->event[0], *event = &circuit->event[i];
    bool money = first->results.tally.length_points == 0;
    char one[VALUE] = "", other[VALUE] = "", note[2 * VALUE + EVENT_NAME * 2 + 200];
    enum bg_status status = read_rule(one, first, rule->key, err);

    if (status == BG_OK) {
        status = read_rule(other, event, rule->key, err);
    }
    if (status != BG_OK || one[0] == '\0' || other[0] == '\0' || strcmp(one, other) == 0) {
        return status;
    }
    if (rule->joined == JOINED_NEVER) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s has %s %s and %s has %s: one rating for two games has no meaning; "
                            "rate them apart",
                            first->path, rule->words, one, event->path, other);
    }
    if (rule->joined == JOINED_MATCHES && money) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s has %s %s and %s has %s: points per game are not in one unit; rate "
                            "them apart",
                            first->path, rule->words, one, event->path, other);
    }
    if (!*noted) {
        snprintf(note, sizeof note,
                 "%s is %s in %s and %s in %s: %s; the rating is the mean over both conditions.",
                 rule->words, one, first->file, other, event->file,
                 money ? "points per game have one unit" : "a match is won or lost in both");
        note_rule(circuit, note);
        *noted = true;
    }
    return BG_OK;
}

static enum bg_status compare_lengths(struct circuit *circuit, struct bg_error *err)
{
    const struct circuit_event *first = &circuit->event[0];
    bool mixed = false;

    for (int i = 1; i < circuit->events; i++) {
        const struct circuit_event *event = &circuit->event[i];
        int one = first->results.tally.length_points, other = event->results.tally.length_points;

        if ((one == 0) != (other == 0)) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "%s has %s and %s has %s: ratings of matches and points per game "
                                "have no common scale; rate them apart",
                                first->path, one == 0 ? "money games" : "matches", event->path,
                                other == 0 ? "money games" : "matches");
        }
        mixed = mixed || one != other;
    }
    if (mixed) {
        note_rule(circuit,
                  "Matches of several lengths are joined by the convention that skill grows "
                  "with the square root of the length; events of one length are more "
                  "exact.");
    }
    return BG_OK;
}

/* The same games under two names would count twice; *same: two events have the same value. */
static enum bg_status compare_all(const struct circuit *circuit, const char *key, int same[2],
                                  struct bg_error *err)
{
    char one[VALUE] = "", other[VALUE] = "";
    enum bg_status status = BG_OK;

    same[0] = -1;
    for (int i = 1; i < circuit->events && status == BG_OK; i++) {
        status = read_rule(one, &circuit->event[i], key, err);
        for (int j = 0; j < i && status == BG_OK; j++) {
            status = read_rule(other, &circuit->event[j], key, err);
            if (status == BG_OK && one[0] != '\0' && strcmp(one, other) == 0) {
                same[0] = j;
                same[1] = i;
            }
        }
    }
    return status;
}

static enum bg_status compare_games(struct circuit *circuit, struct bg_error *err)
{
    char note[2 * EVENT_NAME + 200];
    int same[2] = {-1, -1};
    enum bg_status status = compare_all(circuit, "results.root", same, err);

    if (status == BG_OK && same[0] >= 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s and %s have the same games; name one of them",
                            circuit->event[same[0]].path, circuit->event[same[1]].path);
    }
    if (status == BG_OK) {
        status = compare_all(circuit, "dice.digest", same, err);
    }
    if (status == BG_OK && same[0] >= 0) {
        snprintf(note, sizeof note,
                 "%s and %s have the same dice: where the same bots met in pairs of one number, "
                 "the error bars are too small.",
                 circuit->event[same[0]].file, circuit->event[same[1]].file);
        note_rule(circuit, note);
    }
    return status;
}

/* Refuses events that no formula joins; notes other differences. */
static enum bg_status compare_rules(struct circuit *circuit, struct bg_error *err)
{
    enum bg_status status = compare_games(circuit, err);

    if (status == BG_OK) {
        status = compare_lengths(circuit, err);
    }
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        bool noted = false;

        for (int i = 1; i < circuit->events && status == BG_OK; i++) {
            status = compare_rule(circuit, &rules[r], i, &noted, err);
        }
    }
    return status;
}

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
        status = who->any_rules ? BG_OK : compare_rules(out, err);
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

/* -------------------------------------------------------------------------- the points */

/* The whole list is read before a place counts, so that a wrong line anywhere refuses it all. */
enum { LINE_ROOM = 200 };

/* Reads a place from 1 and moves *text behind it. */
static bool read_place(int *out, char **text)
{
    char *end = NULL;
    long place;

    if (**text < '0' || **text > '9') {
        return false;
    }
    place = strtol(*text, &end, 10);
    *out = (int)place;
    *text = end;
    return place >= 1 && place <= POINTS_PLACES;
}

/* Reads "PLACE POINTS" or "FIRST-LAST POINTS". */
static bool read_places(int *first, int *last, double *worth, char *line)
{
    char *rest = line + strspn(line, " \t"), *end = NULL;

    if (!read_place(first, &rest)) {
        return false;
    }
    *last = *first;
    if (*rest == '-') {
        rest++;
        if (!read_place(last, &rest) || *last < *first) {
            return false;
        }
    }
    if (*rest != ' ' && *rest != '\t') {
        return false;
    }
    *worth = strtod(rest, &end);
    return end != rest && end[strspn(end, " \t\r")] == '\0' && isfinite(*worth) && *worth >= 0;
}

static enum bg_status add_places(struct points_table *out, bool *listed, char *line, int number,
                                 struct bg_error *err)
{
    int first = 0, last = 0;
    double worth = 0;

    line[strcspn(line, "#")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0') {
        return BG_OK;
    }
    if (!read_places(&first, &last, &worth, line)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "line %d: '%s': needs a place (1 to %d) or a range of places, and its "
                            "points, like '1 10' or '5-8 1'",
                            number, line, POINTS_PLACES);
    }
    for (int place = first; place <= last; place++) {
        if (listed[place - 1]) {
            return bg_error_set(err, BG_E_FORMAT, "line %d: place %d has a line already", number,
                                place);
        }
        listed[place - 1] = true;
        out->worth[place - 1] = worth;
    }
    out->places = last > out->places ? last : out->places;
    return BG_OK;
}

enum bg_status points_read(struct points_table *out, const char *text, struct bg_error *err)
{
    bool listed[POINTS_PLACES] = {false};
    enum bg_status status = BG_OK;

    *out = (struct points_table){.places = 0};
    for (int number = 1; *text != '\0' && status == BG_OK; number++) {
        size_t length = strcspn(text, "\n");
        char line[LINE_ROOM];

        if (length >= sizeof line) {
            return bg_error_set(err, BG_E_FORMAT, "line %d: longer than %d bytes", number,
                                LINE_ROOM - 1);
        }
        memcpy(line, text, length);
        line[length] = '\0';
        status = add_places(out, listed, line, number, err);
        text += length + (text[length] == '\n');
    }
    if (status == BG_OK && out->places == 0) {
        status = bg_error_set(err, BG_E_FORMAT,
                              "no place has points; write lines 'PLACE POINTS', like '1 10'");
    }
    return status;
}

void points_share(double *out, const struct points_table *table, const int *rank, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int sharing = 0;
        double sum = 0;

        for (size_t k = 0; k < count; k++) {
            sharing += rank[k] == rank[i];
        }
        /* Who shares places shares what these places are worth together. */
        for (int place = rank[i]; place < rank[i] + sharing; place++) {
            sum += place >= 1 && place <= table->places ? table->worth[place - 1] : 0;
        }
        out[i] = rank[i] >= 1 ? sum / sharing : 0;
    }
}
