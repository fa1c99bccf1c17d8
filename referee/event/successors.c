#define _GNU_SOURCE /* strdup */
#include "successors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixtures/played.h"
#include "fixtures/program.h"
#include "revisions.h"
#include "journal/terms.h"
#include "store/continued.h"
#include "store/editions.h"

enum { ROOM = 131072 };

struct expanding {
    struct config_event *event; /* lent, like store */
    struct store *store;
    struct played played;
    char *text; /* owned; ROOM bytes */
};

/* The command of one bot as the settings have it. */
struct words {
    char key[NAME_SIZE + 4];
    char *text; /* owned; NULL: no memory */
};

static void take_words(void *user, const char *key, const char *value)
{
    struct words *words = user;

    if (strcmp(key, words->key) == 0) {
        words->text = strdup(value);
    }
}

/* What stands in the results for a bot under this setting; "" nothing. */
static enum bg_status read_setting(const struct expanding *expanding, const char *key,
                                   struct bg_error *err)
{
    struct store *store = expanding->store;
    bool found = false;

    expanding->text[0] = '\0';
    return store->ops->meta_get(store, key, expanding->text, ROOM, &found, err);
}

/* Whether the bot's files or its command are others than at its last game. A missing file is no
 * change: the bot just does not start. last: its last program. */
static enum bg_status find_change(bool *changed, struct edition *last, struct program *program,
                                  const struct expanding *expanding, const struct competitor *bot,
                                  struct bg_error *err)
{
    struct words words = {.text = NULL};
    char key[NAME_SIZE + 16];
    bool same_words, has_last = false;
    enum bg_status status;

    snprintf(words.key, sizeof words.key, "bot.%s", bot->name);
    config_event_each(expanding->event, take_words, &words);
    snprintf(key, sizeof key, "event.bot.%s", bot->name);
    status = words.text == NULL ? bg_error_set(err, BG_E_MEMORY, "command of %s", bot->name)
                                : read_setting(expanding, key, err);
    same_words = status == BG_OK && strcmp(expanding->text, words.text) == 0;
    if (status == BG_OK) {
        snprintf(key, sizeof key, "program.%s", bot->name);
        status = read_setting(expanding, key, err);
    }
    has_last = status == BG_OK && edition_last(last, expanding->text);
    program_of(program, bot);
    *changed = has_last && program->missing[0] == '\0' && strcmp(program->digest, "-") != 0 &&
               (!same_words ||
                (program->files >= last->files && strcmp(program->digest, last->digest) != 0));
    free(words.text);
    return status;
}

/* Adds a bot that is as the one of this index, under another name. */
static enum bg_status add(struct config_event *event, int before, const char *name,
                          const char *digest, struct bg_error *err)
{
    struct competitor next = event->bots[before];
    struct bg_error why = {.text = ""};
    enum bg_status status;

    snprintf(next.continues, sizeof next.continues, "%s", next.name);
    snprintf(next.name, sizeof next.name, "%s", name);
    next.late = true;
    status = config_event_add(event, &next, &why);
    if (status != BG_OK) {
        return bg_error_set(err, status == BG_E_ARGUMENT ? BG_E_CONFIG : status,
                            "bots: %s plays on as %s: %s", next.continues, name, why.text);
    }
    snprintf(event->bots[before].replaced, sizeof event->bots[before].replaced, "%s", digest);
    return BG_OK;
}

/* Adds the successors of one bot of the file that the results know. *head: the last one, *number:
 * how many names it has. */
static enum bg_status follow(struct expanding *expanding, int *head, int *number,
                             struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char next[CONTINUED_NAME] = "-";

    for (*number = 1; status == BG_OK && next[0] != '\0' && *number < CONTINUED_MOST;) {
        const char *name = expanding->event->bots[*head].name;
        struct edition last = {.digest = "-"};
        char key[EDITIONS_KEY];

        status = continued_after(next, expanding->store, name, err);
        if (status == BG_OK && next[0] != '\0') {
            editions_key(key, name);
            status = read_setting(expanding, key, err);
            (void)edition_last(&last, expanding->text);
        }
        if (status == BG_OK && next[0] != '\0') {
            status = add(expanding->event, *head, next, last.digest, err);
            *head = expanding->event->bot_count - 1;
            ++*number;
        }
    }
    return status;
}

static bool has_condition(const struct config_event *event, const char *name)
{
    const char *at = event->conditions;
    struct terms_between one;
    bool more = true;

    while (terms_next(&one, &more, &at, event->rules.length_points, NULL) == BG_OK && more) {
        if (strcmp(one.name[0], name) == 0 || strcmp(one.name[1], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_taken(const struct expanding *expanding, const char *name)
{
    bool taken = played_has(&expanding->played, name);

    for (int i = 0; i < expanding->event->bot_count; i++) {
        taken = taken || strcmp(expanding->event->bots[i].name, name) == 0;
    }
    return taken;
}

/* Adds the next name of a changed bot. file: the bot as the event file names it. */
static enum bg_status go_on(struct expanding *expanding, int file, int head, int number,
                            const struct edition *last, struct bg_error *err)
{
    struct config_event *event = expanding->event;
    const char *name = event->bots[head].name, *why = NULL;
    char next[NAME_SIZE + 16], text[128];

    snprintf(next, sizeof next, "%s.%d", event->bots[file].name, number + 1);
    if (number >= CONTINUED_MOST) {
        snprintf(text, sizeof text, "%.64s is the last name that it may have in an event", name);
        why = text;
    } else if (strlen(next) >= NAME_SIZE) {
        why = "a name has at most 64 characters";
    } else if (is_taken(expanding, next)) {
        why = "the event has another bot with this name";
    } else if (has_condition(event, event->bots[file].name)) {
        why = "'conditions' name it, and a new entrant would play without them";
    }
    return why == NULL ? add(event, head, next, last->digest, err)
                       : revisions_refuse(name, next, why, err);
}

static enum bg_status expand_one(struct expanding *expanding, int file, struct bg_error *err)
{
    const struct config_event *event = expanding->event;
    struct edition last = {.digest = "-"};
    struct program program;
    int head = file, number = 1;
    bool changed = false;
    enum bg_status status = follow(expanding, &head, &number, err);

    if (status == BG_OK && event->revisions == CONFIG_REVISIONS_NEW_ENTRY &&
        !event->accept_changed && !event->bots[head].remote &&
        played_has(&expanding->played, event->bots[head].name)) {
        status = find_change(&changed, &last, &program, expanding, &event->bots[head], err);
    }
    if (status == BG_OK && changed) {
        status = go_on(expanding, file, head, number, &last, err);
    }
    return status;
}

enum bg_status successors_add(struct config_event *event, struct bg_error *err)
{
    struct expanding expanding = {.event = event};
    int in_file = event->bot_count;
    enum bg_status status = BG_OK;

    /* Without results nothing has changed. If they cannot be read, the ledger says why. */
    if (event->fresh || access(event->results, F_OK) != 0 ||
        store_sqlite_open_read(&expanding.store, event->results, NULL) != BG_OK) {
        return BG_OK;
    }
    expanding.text = malloc(ROOM);
    if (expanding.text == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "bots of the event");
    } else {
        status = played_read(&expanding.played, expanding.store, err);
    }
    for (int i = 0; i < in_file && status == BG_OK; i++) {
        status = expand_one(&expanding, i, err);
    }
    played_deinit(&expanding.played);
    free(expanding.text);
    store_destroy(expanding.store);
    return status;
}
