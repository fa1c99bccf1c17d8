/* Acts are lines of one setting for each bot, not a table: they came when the schema was fixed
 * already, and older programs keep and copy what they do not know as a setting. */
#define _GNU_SOURCE
#include "reinstated.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

enum { TEXT_ROOM = 128 * 1024 /* enough for a thousand names, or several hundred acts */ };

#define BETWEEN "|"

/* ------------------------------------------------------------------------- reading */

struct reinstated_each {
    reinstated_fn fn;
    void *user;
};

/* Cuts off the field at *at and moves *at to the next one. */
static char *take_field(char **at)
{
    char *field = strsep(at, BETWEEN);

    return field == NULL ? "" : field;
}

/* The reason is last because it may contain the separator. */
static void read_reinstated(struct reinstated *out, char *line)
{
    snprintf(out->at, sizeof out->at, "%s", take_field(&line));
    out->fault = strtoull(take_field(&line), NULL, 10);
    out->fixtures = strtoull(take_field(&line), NULL, 10);
    snprintf(out->root, sizeof out->root, "%s", take_field(&line));
    snprintf(out->reason, sizeof out->reason, "%s", line == NULL ? "" : line);
}

static void read_bot(void *user, const char *key, const char *value)
{
    const struct reinstated_each *each = user;
    char *text = memory_text(value), *rest = text;

    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        struct reinstated act;

        if (line[0] != '\0') {
            read_reinstated(&act, line);
            each->fn(each->user, key + strlen(REINSTATED), &act);
        }
    }
    free(text);
}

enum bg_status reinstated_each(struct store *store, reinstated_fn fn, void *user,
                               struct bg_error *err)
{
    struct reinstated_each each = {fn, user};

    return store_meta_each(store, REINSTATED, read_bot, &each, err);
}

/* ------------------------------------------------------------------- what it was given up for */

struct reinstated_counting {
    const char *bot;
    uint64_t fixtures, fault;
};

static void count_fixture(void *user, const char *fixture, const char *bot, const char *why)
{
    struct reinstated_counting *counting = user;

    (void)fixture;
    (void)why;
    counting->fixtures += bot != NULL && strcmp(bot, counting->bot) == 0;
}

static void count_fault(void *user, const struct store_fault *fault)
{
    struct reinstated_counting *counting = user;

    if (fault->bot != NULL && strcmp(fault->bot, counting->bot) == 0 &&
        fault->number > counting->fault) {
        counting->fault = fault->number;
    }
}

enum bg_status reinstated_count(struct reinstated *act, struct store *store, const char *bot,
                                struct bg_error *err)
{
    struct reinstated_counting counting = {.bot = bot};
    enum bg_status status = store_all_unplayed(store, count_fixture, &counting, err);

    if (status == BG_OK) {
        status = store_all_faults(store, count_fault, &counting, err);
    }
    act->fault = counting.fault;
    act->fixtures = counting.fixtures;
    return status;
}

/* ------------------------------------------------------------------------------ storing */

/* Writes the earlier acts and this one into text. */
static enum bg_status add_reinstated(char *text, const char *key, struct store *store,
                                     const struct reinstated *act, struct bg_error *err)
{
    enum bg_status status = store_meta_text(text, TEXT_ROOM, store, key, err);
    size_t used = strlen(text);

    if (status == BG_OK &&
        snprintf(text + used, TEXT_ROOM - used, "%s|%" PRIu64 "|%" PRIu64 "|%s|%s\n", act->at,
                 act->fault, act->fixtures, act->root, act->reason) >= (int)(TEXT_ROOM - used)) {
        status = bg_error_set(err, BG_E_STORE, "setting %s: no room for more acts", key);
    }
    return status;
}

enum bg_status reinstated_line(char **out, char key[REINSTATED_KEY], struct store *store,
                               const char *bot, const struct reinstated *act, struct bg_error *err)
{
    enum bg_status status;

    *out = memory_zeroed(TEXT_ROOM, 1);
    snprintf(key, REINSTATED_KEY, REINSTATED "%.64s", bot);
    status = add_reinstated(*out, key, store, act, err);
    if (status != BG_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
