/* An item of the list and the event file that it names are read together, since each alone may
 * be right and both wrong: a `kind` that the file's schedule has not, a key of the dice that two
 * events would share. Messages point into HOST.yaml, where the reader began, and carry the event
 * file's own place behind it. */
#include "host_event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/registry.h"
#include "config/config.h"
#include "config/door_value.h"
#include "event/surroundings.h"
#include "judge/judge.h"
#include "season/plan.h"
#include "base/closest.h"
#include "base/memory.h"

enum { NEEDS_MOST = 1000, SHARE_MOST = 10000, SHARE_USUAL = 100 };

/* One key of an item. */
struct host_event_entry {
    const struct yaml *yaml;
    int value; /* node */
    const char *word;
    const char *text;
};

static enum bg_status wrong_entry(struct bg_error *err, const struct host_event_entry *entry,
                                  const struct bg_error *why)
{
    return yaml_error(err, entry->yaml, entry->value, entry->word, "%s", why->text);
}

/* ------------------------------------------------------------------ keys */

/* Two ways to write it: `after: cup` within a value is a map to YAML, `after cup` a text. */
static enum bg_status after_read(struct agenda_event *rule, const struct host_event_entry *entry,
                                 const char *name, struct bg_error *err)
{
    if (!name_is_valid(name)) {
        return yaml_error(err, entry->yaml, entry->value, entry->word,
                          "after needs the name of an event of this host");
    }
    rule->start = AGENDA_AFTER;
    snprintf(rule->after, sizeof rule->after, "%s", name);
    return BG_OK;
}

static enum bg_status start_read(struct agenda_event *rule, const struct host_event_entry *entry,
                                 struct bg_error *err)
{
    struct bg_error why = {.text = ""};

    if (strcmp(entry->text, "always") == 0) {
        rule->start = AGENDA_ALWAYS;
        return BG_OK;
    }
    if (strncmp(entry->text, "after", 5) == 0 && strchr(": ", entry->text[5]) != NULL) {
        return after_read(rule, entry, entry->text + 5 + strspn(entry->text + 5, ": "), err);
    }
    rule->start = AGENDA_AT;
    return calendar_read(&rule->at_s, entry->text, &why) == BG_OK
               ? BG_OK
               : yaml_error(err, entry->yaml, entry->value, entry->word,
                            "%s, nor always or after NAME", why.text);
}

static enum bg_status value_read(struct host_event *out, struct agenda_event *rule,
                                 const struct host_event_entry *entry, int64_t *enter_until_s,
                                 char *kind, struct bg_error *err)
{
    static const char *const known[] = {"file",   "kind",  "start", "enter_until",
                                        "repeat", "needs", "share"};
    struct bg_error why = {.text = ""};
    enum bg_status status = BG_OK;
    const char *near;
    int word = 0;

    if (strcmp(entry->word, "file") == 0) {
        status = copy_read(out->file, sizeof out->file, entry->text, &why);
    } else if (strcmp(entry->word, "kind") == 0) {
        status = copy_read(kind, NAME_SIZE, entry->text, &why);
    } else if (strcmp(entry->word, "start") == 0) {
        return start_read(rule, entry, err);
    } else if (strcmp(entry->word, "enter_until") == 0) {
        status = calendar_read(enter_until_s, entry->text, &why);
    } else if (strcmp(entry->word, "repeat") == 0) {
        status = word_read(&word, entry->text, calendar_words, &why);
        rule->repeat = (enum calendar_repeat)word;
    } else if (strcmp(entry->word, "needs") == 0) {
        status = int_read(&rule->needs, entry->text, 2, NEEDS_MOST, &why);
    } else if (strcmp(entry->word, "share") == 0) {
        status = int_read(&out->share, entry->text, 1, SHARE_MOST, &why);
    } else {
        near = closest_name(entry->word, known, sizeof known / sizeof known[0]);
        return yaml_error(err, entry->yaml, entry->value, entry->word,
                          "unknown key%s%s%s; an event has file, kind, start, enter_until, "
                          "repeat, needs and share",
                          near == NULL ? "" : ", perhaps ", near == NULL ? "" : near,
                          near == NULL ? "" : "?");
    }
    return status == BG_OK ? BG_OK : wrong_entry(err, entry, &why);
}

static enum bg_status times_check(struct agenda_event *rule, const struct yaml *yaml, int item,
                                  int64_t enter_until_s, struct bg_error *err)
{
    if (rule->start != AGENDA_AT && (rule->repeat != CALENDAR_ONCE || enter_until_s != 0)) {
        return yaml_error(err, yaml, item, rule->repeat != CALENDAR_ONCE ? "repeat" : "enter_until",
                          "needs a start that is a time, like 2027-01-16T12:00Z%s",
                          rule->start == AGENDA_AFTER && rule->repeat != CALENDAR_ONCE
                              ? "; an event after a repeated one is repeated with it"
                              : "");
    }
    if (enter_until_s > rule->at_s) {
        return yaml_error(err, yaml, item, "enter_until", "is after the start");
    }
    /* As a distance: each instance of a repeated event has its own. */
    rule->enter_s = enter_until_s == 0 ? 0 : rule->at_s - enter_until_s;
    return BG_OK;
}

/* Reads `start: {after: cup}` too. */
static enum bg_status read_entry(struct host_event *out, struct agenda_event *rule,
                                 struct host_event_entry *entry, int64_t *enter_until_s, char *kind,
                                 struct bg_error *err)
{
    const char *word;
    int key, value;

    if (strcmp(entry->word, "start") == 0 && yaml_is_map(entry->yaml, entry->value) &&
        yaml_count(entry->yaml, entry->value) == 1) {
        yaml_pair(&key, &value, entry->yaml, entry->value, 0);
        if (yaml_text(&word, entry->yaml, key, "start", 64, err) != BG_OK ||
            yaml_text(&entry->text, entry->yaml, value, "start", NAME_SIZE, err) != BG_OK) {
            return BG_E_CONFIG;
        }
        return strcmp(word, "after") == 0
                   ? after_read(rule, entry, entry->text, err)
                   : yaml_error(err, entry->yaml, key, "start",
                                "is always, a time like 2027-01-16T12:00Z, or after NAME");
    }
    if (yaml_text(&entry->text, entry->yaml, entry->value, entry->word, 1023, err) != BG_OK) {
        return BG_E_CONFIG;
    }
    return value_read(out, rule, entry, enter_until_s, kind, err);
}

/* ------------------------------------------------------------------ the event file */

/* Whether one stage of the event has this form. */
static bool has_form(const struct config_event *event, const char *kind)
{
    const char *at = event->schedule;
    size_t length = strlen(kind);

    if (!config_event_has_form(event)) {
        return strcmp(kind, "round-robin") == 0;
    }
    while (at != NULL) {
        if (strncmp(at, kind, length) == 0 && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
        at = strstr(at, " then ");
        at = at == NULL ? NULL : at + strlen(" then ");
    }
    return false;
}

static void take_event(struct host_event *out, struct agenda_event *rule,
                       const struct config_event *event, const struct config_door *door)
{
    if (door->listen[0] != '\0' && config_event_has_remote(event)) {
        door_value_write(out->door, sizeof out->door, &event->door);
    } else {
        /* A door of its own, of an event on a host without one. */
        snprintf(out->listen, sizeof out->listen, "%s", event->door.listen);
    }
    out->parks = event->durable_decision;
    snprintf(out->name, sizeof out->name, "%s", event->name);
    snprintf(rule->name, sizeof rule->name, "%s", event->name);
    snprintf(out->door_key, sizeof out->door_key, "%.*s", HOST_PATH - 1, event->door.key);
    snprintf(out->metrics, sizeof out->metrics, "%.*s", HOST_PATH - 1, event->metrics);
    if (config_event_is_given(event, "results")) {
        snprintf(out->results, sizeof out->results, "%.*s", HOST_PATH - 1, event->results);
    }
    out->bots = memory_zeroed((size_t)event->bot_count + 1, sizeof *out->bots);
    out->remote = memory_zeroed((size_t)event->bot_count + 1, sizeof *out->remote);
    for (int i = 0, remote = 0; i < event->bot_count; i++) {
        if (event->bots[i].remote) {
            snprintf(out->remote[remote++], NAME_SIZE, "%s", event->bots[i].name);
        }
    }
    /* Entrants first, late ones behind them: a count then says who begins. */
    rule->own_bots = 0;
    for (int i = 0; i < event->bot_count; i++) {
        if (!event->bots[i].late) {
            snprintf(out->bots[rule->own_bots++], NAME_SIZE, "%s", event->bots[i].name);
        }
    }
    for (int i = 0, late = rule->own_bots; i < event->bot_count; i++) {
        if (event->bots[i].late) {
            snprintf(out->bots[late++], NAME_SIZE, "%s", event->bots[i].name);
        }
    }
}

/* The event's bots come by the host's door; how long they may be away stays the event's. */
static void borrow(struct config_event *event, const struct config_door *door)
{
    int64_t appear_ns = event->door.appear_ns, grace_ns = event->door.grace_ns;

    if (door->listen[0] != '\0' && config_event_has_remote(event)) {
        event->door = *door;
        event->door.appear_ns = appear_ns;
        event->door.grace_ns = grace_ns;
        /* That it borrows is known, not yet by which descriptor. */
        event->door.lender = -1;
    }
}

enum bg_status host_event_file(struct config_event *event, const char *path,
                               const struct registry *registry, const struct host_config *host,
                               struct bg_error *err)
{
    enum bg_status status;

    config_event_init(event);
    /* The reader of event files lies below the judges and does not know them. */
    event->judge_check = judge_check;
    status = config_event_read(event, path, registry, err);
    if (status == BG_OK) {
        borrow(event, &host->door);
        config_event_settle(event);
        surroundings_settle(event);
    }
    /* With fewer, more are to be entered before the start (`needs`): it is checked then. */
    if (status == BG_OK && event->bot_count >= 2) {
        status = config_event_check(event, err);
        status = status == BG_OK ? config_event_load(event, err) : status;
    }
    return status;
}

static enum bg_status file_read(struct host_event *out, struct agenda_event *rule,
                                const struct host_event_entry *entry, const char *kind,
                                const struct registry *registry, const struct host_config *host,
                                struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    struct config_event event;
    enum bg_status status = host_event_file(&event, out->file, registry, host, &why);

    if (status != BG_OK && access(out->file, F_OK) != 0 && errno == ENOENT) {
        status = yaml_error(err, entry->yaml, entry->value, entry->word,
                            "%s: No such file or directory; make it, with at least 'bots: [greedy, "
                            "random]', or take the event out of the list",
                            out->file);
    } else if (status != BG_OK) {
        status = wrong_entry(err, entry, &why);
    } else if (kind[0] != '\0' && !has_form(&event, kind)) {
        status = yaml_error(err, entry->yaml, entry->value, "kind",
                            "%s says 'schedule: %.80s', and not %s", out->file,
                            config_event_has_form(&event) ? event.schedule : "round-robin", kind);
    } else if (event.key_file[0] != '\0') {
        bg_error_set(&why, BG_E_CONFIG,
                     "key_file: each event of a host draws a key of its own, since bots that have "
                     "seen the dice of another one with this key would know them all; leave "
                     "key_file out of %s",
                     out->file);
        status = wrong_entry(err, entry, &why);
    } else {
        take_event(out, rule, &event, &host->door);
    }
    config_event_deinit(&event);
    return status;
}

/* ------------------------------------------------------------------ an item */

enum bg_status host_event_read(struct host_event *out, struct agenda_event *rule,
                               const struct yaml *yaml, int item, const struct registry *registry,
                               const struct host_config *host, struct bg_error *err)
{
    struct host_event_entry entry = {.yaml = yaml},
                            file = {.yaml = yaml, .value = item, .word = "file"};
    char kind[NAME_SIZE] = "";
    int64_t enter_until_s = 0;
    bool has_start = false;
    enum bg_status status = BG_OK;
    int key, twice;

    *out = (struct host_event){.share = SHARE_USUAL, .line = yaml_line(yaml, item)};
    *rule = (struct agenda_event){.needs = 2};
    if (!yaml_is_map(yaml, item)) {
        return yaml_error(err, yaml, item, "events",
                          "an event is a map: {file: cup.yaml, start: 2027-01-16T12:00Z}");
    }
    for (int i = 0; i < yaml_count(yaml, item) && status == BG_OK; i++) {
        yaml_pair(&key, &entry.value, yaml, item, i);
        status = yaml_text(&entry.word, yaml, key, "events", 64, err);
        /* YAML readers differ in which of two they take; here neither. */
        if (status == BG_OK && yaml_find(yaml, item, entry.word, &twice) != 0 && twice != 0) {
            status = yaml_error(err, yaml, twice, entry.word, "given twice; keep one");
        }
        if (status == BG_OK) {
            status = read_entry(out, rule, &entry, &enter_until_s, kind, err);
            has_start = has_start || strcmp(entry.word, "start") == 0;
            file.value = strcmp(entry.word, "file") == 0 ? entry.value : file.value;
        }
    }
    if (status == BG_OK && (out->file[0] == '\0' || !has_start)) {
        return yaml_error(err, yaml, item, out->file[0] == '\0' ? "file" : "start",
                          "is needed: {file: cup.yaml, start: 2027-01-16T12:00Z}");
    }
    if (status == BG_OK) {
        status = times_check(rule, yaml, item, enter_until_s, err);
    }
    return status == BG_OK && registry != NULL
               ? file_read(out, rule, &file, kind, registry, host, err)
               : status;
}

/* ------------------------------------------------------------------ all of them */

/* The event at the beginning of the chain; NULL: the chain is a circle or leads nowhere. */
static const struct agenda_event *first_of(const struct agenda *rules,
                                           const struct agenda_event *event)
{
    for (int steps = 0; event != NULL && event->start == AGENDA_AFTER; steps++) {
        /* More steps than events: a circle. */
        event = steps > rules->count ? NULL : agenda_find(rules, event->after);
    }
    return event;
}

static enum bg_status check_pair(const struct host_event *one, const struct host_event *other,
                                 const struct yaml *yaml, int item, struct bg_error *err)
{
    size_t length = strlen(one->listen);

    if (strcmp(one->name, other->name) == 0) {
        return yaml_error(err, yaml, item, "file",
                          "%s and %s are both events called %s; give one of them another name "
                          "(key event)",
                          other->file, one->file, one->name);
    }
    if (one->results[0] != '\0' && strcmp(one->results, other->results) == 0) {
        return yaml_error(err, yaml, item, "file", "%s has the results of %s: %s", one->file,
                          other->file, one->results);
    }
    /* Port 0 is another free one for each. */
    if (length > 2 && strcmp(one->listen + length - 2, ":0") != 0 &&
        strcmp(one->listen, other->listen) == 0) {
        return yaml_error(err, yaml, item, "file", "%s has the door of %s: %s", one->file,
                          other->file, one->listen);
    }
    return BG_OK;
}

static enum bg_status check_chain(const struct host_config *config, int i, const struct yaml *yaml,
                                  int item, struct bg_error *err)
{
    const struct agenda_event *rule = &config->rules.events[i];
    const struct agenda_event *first = first_of(&config->rules, rule);

    if (rule->start == AGENDA_AFTER && agenda_find(&config->rules, rule->after) == NULL) {
        return yaml_error(err, yaml, item, "start", "there is no event %s here", rule->after);
    }
    if (first == NULL) {
        return yaml_error(err, yaml, item, "start", "%s would begin after itself", rule->name);
    }
    if (first->repeat == CALENDAR_ONCE) {
        return BG_OK;
    }
    if (config->events[i].results[0] != '\0') {
        return yaml_error(err, yaml, item, "repeat",
                          "%s gives results, but each instance has its own, in the host's folder; "
                          "take them out of %s",
                          rule->name, config->events[i].file);
    }
    if (strlen(rule->name) >= AGENDA_REPEATED) {
        return yaml_error(err, yaml, item, "repeat", "%s has more than %d characters", rule->name,
                          AGENDA_REPEATED - 1);
    }
    return BG_OK;
}

enum bg_status host_events_check(const struct host_config *config, const struct yaml *yaml,
                                 int list, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < config->rules.count && status == BG_OK; i++) {
        int item = yaml_item(yaml, list, i);

        for (int k = 0; k < i && status == BG_OK; k++) {
            status = check_pair(&config->events[i], &config->events[k], yaml, item, err);
        }
        if (status == BG_OK) {
            status = check_chain(config, i, yaml, item, err);
        }
    }
    return status;
}
