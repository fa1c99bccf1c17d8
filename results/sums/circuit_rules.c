/* circuit_rules.c - which events can be joined, and by which formula. Each setting that differs
 * is either refused or written into a note: a joint rating is read without the settings of its
 * events. Settings that a file does not have, as that of an import, are not compared. */
#include "circuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

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

enum bg_status circuit_compare(struct circuit *circuit, struct bg_error *err)
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
