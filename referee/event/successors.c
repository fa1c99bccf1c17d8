#define _GNU_SOURCE /* strdup */
#include "successors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/lineage.h"
#include "fixtures/program.h"
#include "revisions.h"
#include "store/continued.h"

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

static int index_of(const struct config_event *event, const char *name)
{
    for (int i = 0; i < event->bot_count; i++) {
        if (strcmp(event->bots[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Adds the successors of one bot of the file that the results know, unless an earlier run has added
 * them. *head: the last one. */
static enum bg_status follow(struct expanding *expanding, int *head, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char next[CONTINUED_NAME] = "-";

    while (status == BG_OK && next[0] != '\0' &&
           lineage_place(expanding->event, *head) < CONTINUED_MOST) {
        const char *name = expanding->event->bots[*head].name;
        struct edition last = {.digest = "-"};
        char key[EDITIONS_KEY];
        int known;

        status = continued_after(next, expanding->store, name, err);
        known = index_of(expanding->event, next);
        if (status == BG_OK && next[0] != '\0' &&
            (known < 0 || strcmp(expanding->event->bots[known].continues, name) != 0)) {
            editions_key(key, name);
            status = read_setting(expanding, key, err);
            (void)edition_last(&last, expanding->text);
            status =
                status == BG_OK ? add(expanding->event, *head, next, last.digest, err) : status;
            known = expanding->event->bot_count - 1;
        }
        *head = status == BG_OK && next[0] != '\0' ? known : *head;
    }
    return status;
}

/* Adds the next name of a changed bot. */
static enum bg_status go_on(struct expanding *expanding, int head, const struct edition *last,
                            struct bg_error *err)
{
    struct config_event *event = expanding->event;
    char next[NAME_SIZE];
    const char *why = entry_obstacle(next, event, head, &expanding->played);

    return why == NULL ? add(event, head, next, last->digest, err)
                       : revisions_refuse(event->bots[head].name, next, why, err);
}

/* Finds the wish of a bot that has come as another version, and its last program. */
static enum bg_status find_wish(bool *changed, struct edition *last,
                                const struct expanding *expanding,
                                const struct entry_wishes *wishes, int head, struct bg_error *err)
{
    const struct entry_wish *wish = entry_wishes_find(wishes, expanding->event->bots[head].name);
    char key[EDITIONS_KEY];
    enum bg_status status = BG_OK;

    if (wish != NULL && wish->refused[0] == '\0') {
        editions_key(key, wish->name);
        status = read_setting(expanding, key, err);
        *changed = status == BG_OK && edition_last(last, expanding->text);
    }
    return status;
}

static enum bg_status expand_one(struct expanding *expanding, int file,
                                 const struct entry_wishes *wishes, struct bg_error *err)
{
    const struct config_event *event = expanding->event;
    struct edition last = {.digest = "-"};
    struct program program;
    int head = file;
    bool changed = false;
    enum bg_status status = follow(expanding, &head, err);

    if (status != BG_OK || event->revisions != CONFIG_REVISIONS_NEW_ENTRY ||
        event->accept_changed || !played_has(&expanding->played, event->bots[head].name)) {
        return status;
    }
    status = find_wish(&changed, &last, expanding, wishes, head, err);
    if (status == BG_OK && !changed && !event->bots[head].remote) {
        status = find_change(&changed, &last, &program, expanding, &event->bots[head], err);
    }
    if (status == BG_OK && changed) {
        status = go_on(expanding, head, &last, err);
    }
    return status;
}

enum bg_status successors_add(struct config_event *event, const struct entry_wishes *wishes,
                              struct bg_error *err)
{
    struct expanding expanding = {.event = event};
    int before = event->bot_count, in_file = lineage_in_file(event);
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
        status = expand_one(&expanding, i, wishes, err);
    }
    if (status != BG_OK) {
        successors_remove(event, before);
    }
    played_deinit(&expanding.played);
    free(expanding.text);
    store_destroy(expanding.store);
    return status;
}

/* They own nothing that the bots before them do not. */
void successors_remove(struct config_event *event, int bot_count)
{
    for (; event->bot_count > bot_count; event->bot_count--) {
        int before = index_of(event, event->bots[event->bot_count - 1].continues);

        event->bots[before].replaced[0] = '\0';
    }
}
