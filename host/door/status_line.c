/* A line has to fit into one message of inside.h, which is sent whole or not at all. So a line
 * that is too long is written again with shorter texts, and its numbers are never left out: an
 * author can do without half a sentence, not without the score.
 *
 * JSON and not words: members can be added, and older joiners pass over them. Every text is
 * cleaned on both sides; the reader's side does not trust the host's. */
#include "status_line.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <rules/clean.h>

/* ------------------------------------------------------------------------ writing */

/* Takes object. Returns false if the line is too long. */
static bool write_line(char out[STATUS_LINE], json_t *object)
{
    size_t size = object == NULL ? 0 : json_dumpb(object, out, STATUS_LINE, JSON_COMPACT);

    json_decref(object);
    /* json_dumpb returns the size that it would need, and has then written a part only. */
    out[size < STATUS_LINE ? size : 0] = '\0';
    return size > 0 && size < STATUS_LINE;
}

static void put_clean(json_t *object, const char *key, const char *text, int most)
{
    char clean[STATUS_TEXT];
    size_t room = most < STATUS_TEXT ? (size_t)most : sizeof clean;

    clean_write(clean, room, text, strlen(text), CLEAN_LINE);
    (void)json_object_set_new(object, key, json_string(clean));
}

static bool write_host(char out[STATUS_LINE], const struct status_host *host, int most)
{
    json_t *object = json_object();

    put_clean(object, "host", host->name, STATUS_NAME);
    (void)json_object_set_new(object, "events", json_integer(host->events));
    (void)json_object_set_new(object, "tables", json_integer(host->tables));
    (void)json_object_set_new(object, "starts_an_hour", json_integer(host->starts_an_hour));
    (void)json_object_set_new(object, "line_us", json_integer(host->line_us));
    put_clean(object, "limit", host->limit, most);
    put_clean(object, "next", host->next, most);
    put_clean(object, "ends", host->ends, most);
    (void)json_object_set_new(object, "back_s", json_integer(host->back_s));
    return write_line(out, object);
}

bool status_write_host(char out[STATUS_LINE], const struct status_host *host)
{
    return write_host(out, host, STATUS_TEXT) || write_host(out, host, STATUS_TEXT / 2) ||
           write_host(out, host, 1);
}

struct number {
    const char *key;
    size_t offset;
};

#define NUMBER(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct status_event, name)                                                 \
    }

static const struct number numbers[] = {
    NUMBER(games),   NUMBER(games_won),   NUMBER(games_lost),
    NUMBER(matches), NUMBER(matches_won), NUMBER(matches_lost),
    NUMBER(points),  NUMBER(faults),      NUMBER(faults_most),
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static json_t *lost_by(const struct status_event *event)
{
    json_t *object = json_object();

    for (int fault = BG_FAULT_NONE + 1; fault < BG_FAULT_COUNT; fault++) {
        if (event->lost_by[fault] > 0) {
            (void)json_object_set_new(object, bg_fault_name((enum bg_fault)fault),
                                      json_integer(event->lost_by[fault]));
        }
    }
    return object;
}

static bool write_event(char out[STATUS_LINE], const struct status_event *event, int most)
{
    json_t *object = json_object();

    put_clean(object, "event", event->event, STATUS_NAME);
    put_clean(object, "state", event->state, sizeof event->state);
    (void)json_object_set_new(object, "rank", json_integer(event->rank));
    (void)json_object_set_new(object, "shared", json_boolean(event->shared));
    (void)json_object_set_new(object, "of", json_integer(event->of));
    (void)json_object_set_new(object, "money", json_boolean(event->money));
    for (int i = 0; i < NUMBERS; i++) {
        int64_t value;

        /* By memcpy, since a pointer into a struct of other members may not be read as int64_t
         * without it being one; one table serves writing and reading, so no number can be
         * written under one name and read under another. */
        memcpy(&value, (const char *)event + numbers[i].offset, sizeof value);
        (void)json_object_set_new(object, numbers[i].key, json_integer(value));
    }
    (void)json_object_set_new(object, "lost_by", lost_by(event));
    put_clean(object, "last_fault", event->last_fault, most);
    put_clean(object, "held", event->held, most);
    return write_line(out, object);
}

bool status_write_event(char out[STATUS_LINE], const struct status_event *event)
{
    return write_event(out, event, STATUS_TEXT) || write_event(out, event, STATUS_TEXT / 2) ||
           write_event(out, event, 1);
}

/* ------------------------------------------------------------------------ reading */

/* A text that is missing or of another kind is "". */
static void take_clean(char *out, size_t room, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    out[0] = '\0';
    if (json_is_string(value)) {
        clean_write(out, room, json_string_value(value), json_string_length(value), CLEAN_LINE);
    }
}

static int64_t take_number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key)); /* 0 if it is none */
}

static int take_count(const json_t *object, const char *key)
{
    int64_t value = take_number(object, key);

    return value < 0 ? 0 : value > INT_MAX ? INT_MAX : (int)value;
}

static void read_host(struct status_host *out, const json_t *object)
{
    take_clean(out->name, sizeof out->name, object, "host");
    take_clean(out->limit, sizeof out->limit, object, "limit");
    take_clean(out->next, sizeof out->next, object, "next");
    take_clean(out->ends, sizeof out->ends, object, "ends");
    out->back_s = take_number(object, "back_s");
    out->events = take_count(object, "events");
    out->tables = take_count(object, "tables");
    out->starts_an_hour = take_count(object, "starts_an_hour");
    out->line_us = take_number(object, "line_us");
}

static void read_event(struct status_event *out, const json_t *object)
{
    const json_t *lost = json_object_get(object, "lost_by");

    take_clean(out->event, sizeof out->event, object, "event");
    take_clean(out->state, sizeof out->state, object, "state");
    take_clean(out->last_fault, sizeof out->last_fault, object, "last_fault");
    take_clean(out->held, sizeof out->held, object, "held");
    out->rank = take_count(object, "rank");
    out->of = take_count(object, "of");
    out->shared = json_is_true(json_object_get(object, "shared"));
    out->money = json_is_true(json_object_get(object, "money"));
    for (int i = 0; i < NUMBERS; i++) {
        int64_t value = take_number(object, numbers[i].key);

        memcpy((char *)out + numbers[i].offset, &value, sizeof value);
    }
    for (int fault = BG_FAULT_NONE + 1; fault < BG_FAULT_COUNT; fault++) {
        out->lost_by[fault] = take_number(lost, bg_fault_name((enum bg_fault)fault));
    }
}

enum status_kind status_read(struct status *out, const char *line, size_t size)
{
    /* NULL for what is no JSON: every json_object_get below then finds nothing, and the kind is
     * none. */
    json_t *object = json_loadb(line, size, JSON_REJECT_DUPLICATES, NULL);

    memset(out, 0, sizeof *out);
    if (json_is_string(json_object_get(object, "host"))) {
        out->kind = STATUS_HOST;
        read_host(&out->host, object);
    } else if (json_is_string(json_object_get(object, "event"))) {
        out->kind = STATUS_EVENT;
        read_event(&out->event, object);
    }
    json_decref(object);
    return out->kind;
}
