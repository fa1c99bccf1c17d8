/* circuit_names.c - which bots of several events are one competitor. A program is recognised by
 * the digest of its files and by its words, not by its name: names are given anew in every
 * event, and the same program under two names would otherwise have two ratings. */
#include "circuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <store/entry.h>
#include <base/closest.h>

enum { MAP_LINE = 400 };

/* One bot of one event. */
struct circuit_names_entry {
    int event, bot;
    const char *name; /* lent; its shown name, or that of the map */
    char program[EDITION_DIGEST + EDITION_WORDS + 2];
    bool known;  /* its program is known */
    bool paired; /* another bot of its event has the same program */
};

struct naming {
    struct circuit *circuit;
    const struct circuit_who *who;
    struct circuit_names_entry *entry; /* owned */
    size_t entries;
    char **given; /* owned; by entry: a name from the map, NULL none */
};

static const struct tally *tally_of(const struct circuit *circuit, int event)
{
    return &circuit->event[event].results.tally;
}

static void list_entries(struct naming *naming)
{
    size_t count = 0;

    for (int i = 0; i < naming->circuit->events; i++) {
        count += (size_t)tally_of(naming->circuit, i)->bots;
    }
    naming->entry = memory_zeroed(count, sizeof *naming->entry);
    naming->given = memory_zeroed(count, sizeof *naming->given);
    for (int i = 0; i < naming->circuit->events; i++) {
        const struct tally *tally = tally_of(naming->circuit, i);

        for (int bot = 0; bot < tally->bots; bot++) {
            struct circuit_names_entry *entry = &naming->entry[naming->entries++];
            struct edition last;

            *entry = (struct circuit_names_entry){
                .event = i, .bot = bot, .name = tally_shown(tally, bot)};
            if (tally->bot[bot].editions != NULL && edition_last(&last, tally->bot[bot].editions) &&
                strcmp(last.digest, "-") != 0) {
                snprintf(entry->program, sizeof entry->program, "%s|%s", last.digest, last.words);
                entry->known = true;
            }
        }
    }
}

/* ----------------------------------------------------------------------------- the map */

/* Finds an event by its file's name; "*" is every event. */
static bool event_fits(const struct circuit_event *event, const char *word)
{
    return strcmp(word, "*") == 0 || strcmp(word, event->file) == 0 ||
           strcmp(word, event->path) == 0;
}

static enum bg_status no_such(const struct naming *naming, int line, const char *event,
                              const char *bot, struct bg_error *err)
{
    const char **names = memory_zeroed(naming->entries, sizeof *names);
    const char *near = NULL;

    for (size_t i = 0; i < naming->entries; i++) {
        names[i] = naming->entry[i].name;
    }
    near = closest_name(bot, names, (int)naming->entries);
    bg_error_set(err, BG_E_FORMAT, "%s line %d: no bot %s in %s%s", naming->who->map_name, line,
                 bot, event, closest_hint(near).text);
    free((void *)names);
    return BG_E_FORMAT;
}

/* A line is `EVENT BOT COMPETITOR`. */
static enum bg_status map_line(struct naming *naming, char *line, int number, struct bg_error *err)
{
    char *rest = NULL, *word[4];
    int words = 0;
    bool found = false;

    line[strcspn(line, "#")] = '\0';
    for (char *at = strtok_r(line, " \t\r", &rest); at != NULL && words < 4;
         at = strtok_r(NULL, " \t\r", &rest)) {
        word[words++] = at;
    }
    if (words == 0) {
        return BG_OK;
    }
    if (words != 3) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%s line %d: needs EVENT BOT COMPETITOR, like 'autumn greedy2 greedy' "
                            "('*' is every event)",
                            naming->who->map_name, number);
    }
    for (size_t i = 0; i < naming->entries; i++) {
        struct circuit_names_entry *entry = &naming->entry[i];
        const struct circuit_event *event = &naming->circuit->event[entry->event];

        if (event_fits(event, word[0]) &&
            strcmp(word[1], tally_shown(&event->results.tally, entry->bot)) == 0) {
            free(naming->given[i]);
            entry->name = naming->given[i] = memory_text(word[2]);
            found = true;
        }
    }
    return found ? BG_OK : no_such(naming, number, word[0], word[1], err);
}

static enum bg_status read_map(struct naming *naming, struct bg_error *err)
{
    const char *text = naming->who->map;
    enum bg_status status = BG_OK;

    for (int number = 1; *text != '\0' && status == BG_OK; number++) {
        size_t length = strcspn(text, "\n");
        char line[MAP_LINE];

        if (length >= sizeof line) {
            return bg_error_set(err, BG_E_FORMAT, "%s line %d: longer than %d bytes",
                                naming->who->map_name, number, MAP_LINE - 1);
        }
        memcpy(line, text, length);
        line[length] = '\0';
        status = map_line(naming, line, number, err);
        text += length + (text[length] == '\n');
    }
    return status;
}

/* ----------------------------------------------------------------------- recognising */

static void mark_pairs(struct naming *naming)
{
    for (size_t i = 0; i < naming->entries; i++) {
        for (size_t k = 0; k < naming->entries; k++) {
            struct circuit_names_entry *one = &naming->entry[i], *other = &naming->entry[k];

            one->paired =
                one->paired || (i != k && one->event == other->event && one->known &&
                                other->known && strcmp(one->program, other->program) == 0);
        }
    }
    /* a program that is paired in one event goes by its names in all */
    for (size_t i = 0; i < naming->entries; i++) {
        for (size_t k = 0; k < naming->entries && naming->entry[i].paired; k++) {
            if (strcmp(naming->entry[i].program, naming->entry[k].program) == 0) {
                naming->entry[k].paired = true;
            }
        }
    }
}

static bool is_same_entry(const struct naming *naming, const struct circuit_names_entry *one,
                          const struct circuit_names_entry *other)
{
    bool same_name = strcmp(one->name, other->name) == 0;

    if (naming->who->by_name) {
        return same_name;
    }
    /* Two bots of one program in one event differ by something that nobody can see from here:
     * then the name must agree as well. */
    return one->known && other->known && strcmp(one->program, other->program) == 0 &&
           (same_name || !one->paired);
}

/* The files of an import have no programs: a name that occurs twice needs a decision. */
static enum bg_status check_known(const struct naming *naming, struct bg_error *err)
{
    for (size_t i = 0; i < naming->entries && !naming->who->by_name; i++) {
        for (size_t k = 0; k < naming->entries; k++) {
            const struct circuit_names_entry *one = &naming->entry[i], *other = &naming->entry[k];

            if (!one->known && one->event != other->event && strcmp(one->name, other->name) == 0) {
                return bg_error_set(err, BG_E_ARGUMENT,
                                    "%s: the program of %s is not known, so nobody can say whether "
                                    "it is the one in %s; give --same-name, or --map FILE",
                                    naming->circuit->event[one->event].path, one->name,
                                    naming->circuit->event[other->event].path);
            }
        }
    }
    return BG_OK;
}

static int *competitor_place(const struct naming *naming, size_t entry)
{
    const struct circuit_names_entry *at = &naming->entry[entry];

    return &naming->circuit->event[at->event].competitor[at->bot];
}

static bool is_taken(const struct circuit *circuit, const char *name)
{
    for (int i = 0; i < circuit->competitors; i++) {
        if (strcmp(circuit->name[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* A second competitor of a name gets its event behind it: "greedy@winter". */
static enum bg_status add_competitor(struct naming *naming, size_t entry, struct bg_error *err)
{
    struct circuit *circuit = naming->circuit;
    const struct circuit_names_entry *at = &naming->entry[entry];
    char *name = is_taken(circuit, at->name)
                     ? memory_print("%s@%s", at->name, circuit->event[at->event].file)
                     : memory_text(at->name);

    if (is_taken(circuit, name)) {
        bg_error_set(err, BG_E_ARGUMENT,
                     "two competitors would be called %s: rename one of them by --map FILE", name);
        free(name);
        return BG_E_ARGUMENT;
    }
    *competitor_place(naming, entry) = circuit->competitors;
    circuit->name[circuit->competitors++] = name;
    return BG_OK;
}

static enum bg_status number_entry(struct naming *naming, size_t entry, struct bg_error *err)
{
    const struct circuit_names_entry *at = &naming->entry[entry];

    for (size_t i = 0; i < entry; i++) {
        const struct circuit_names_entry *other = &naming->entry[i];

        if (!is_same_entry(naming, at, other)) {
            continue;
        }
        if (at->event == other->event) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "%s: two bots of this event are both %s; a competitor cannot meet "
                                "itself",
                                naming->circuit->event[at->event].path, at->name);
        }
        *competitor_place(naming, entry) = *competitor_place(naming, i);
    }
    for (size_t i = 0; i < entry; i++) {
        if (is_same_entry(naming, at, &naming->entry[i])) {
            return BG_OK;
        }
    }
    return add_competitor(naming, entry, err);
}

enum bg_status circuit_name(struct circuit *circuit, const struct circuit_who *who,
                            struct bg_error *err)
{
    struct naming naming = {.circuit = circuit, .who = who};
    enum bg_status status;

    list_entries(&naming);
    status = who->map == NULL ? BG_OK : read_map(&naming, err);
    if (status == BG_OK) {
        mark_pairs(&naming);
        status = check_known(&naming, err);
    }
    circuit->name = memory_zeroed(naming.entries, sizeof *circuit->name);
    for (size_t i = 0; i < naming.entries && status == BG_OK; i++) {
        status = number_entry(&naming, i, err);
    }
    for (size_t i = 0; i < naming.entries; i++) {
        free(naming.given[i]);
    }
    free((void *)naming.given);
    free(naming.entry);
    return status;
}
