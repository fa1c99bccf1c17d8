/* The file has what happened, not what HOST.yaml says: settings are read from there at each
 * start. So an event is known from it as `gone` until the file of settings has it again. A line
 * that is not understood refuses the file, because a host that forgot an instance would hold its
 * event twice. */
#define _GNU_SOURCE /* strsep */
#include "agenda_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/durable.h"

static const char magic[] = "bgref-host-state 1";

enum { FIELDS = 7 };

void agenda_write(FILE *out, const struct agenda *agenda)
{
    fprintf(out, "%s\n", magic);
    for (int i = 0; i < agenda->count; i++) {
        const struct agenda_event *event = &agenda->events[i];

        fprintf(out, "event\t%s\t%" PRId64 "\n", event->name, event->seen_s);
        for (int k = 0; k < event->count; k++) {
            const struct instance *one = &event->list[k];

            fprintf(out, "instance\t%s\t%s\t%" PRId64 "\t%" PRId64 "\t", one->name,
                    life_words[one->life], one->start_s, one->since_s);
            for (int bot = 0; bot < one->bot_count; bot++) {
                fprintf(out, "%s%s", bot == 0 ? "" : ",", one->bots[bot]);
            }
            fprintf(out, "\t%s\n", one->why);
            if (one->is_reopened) {
                /* A line of its own: files of hosts that did not know it have the others
                 * unchanged. */
                fprintf(out, "reopened\t%s\n", one->name);
            }
        }
    }
}

/* ------------------------------------------------------------------ reading */

static bool copy(char *out, size_t size, const char *text)
{
    return snprintf(out, size, "%s", text) < (int)size;
}

static bool read_time(int64_t *out, const char *text)
{
    uint64_t value;

    if (count_read(&value, text, 0, INT64_MAX, NULL) != BG_OK) {
        return false;
    }
    *out = (int64_t)value;
    return true;
}

static bool read_life(enum life *out, const char *text)
{
    int word;
    bool known = word_read(&word, text, life_words, NULL) == BG_OK;

    *out = known ? (enum life)word : LIFE_ANNOUNCED;
    return known;
}

/* Sets the bots of a list with commas; lent from `room`. */
static bool read_bots(struct instance *out, char (*room)[NAME_SIZE], char *text)
{
    char *name;

    out->bots = room;
    while (text != NULL && text[0] != '\0') {
        name = strsep(&text, ",");
        if (out->bot_count == AGENDA_BOTS || !name_is_valid(name)) {
            return false;
        }
        snprintf(room[out->bot_count++], NAME_SIZE, "%s", name);
    }
    return true;
}

static bool read_instance(struct instance *out, char (*room)[NAME_SIZE], char **field)
{
    return copy(out->name, sizeof out->name, field[1]) && read_life(&out->life, field[2]) &&
           read_time(&out->start_s, field[3]) && read_time(&out->since_s, field[4]) &&
           read_bots(out, room, field[5]) && copy(out->why, sizeof out->why, field[6]);
}

/* Marks the instance of the line before. */
static bool mark_reopened(const struct agenda *agenda, const char *name)
{
    const struct agenda_event *event =
        agenda->count == 0 ? NULL : &agenda->events[agenda->count - 1];
    struct instance *last =
        event == NULL || event->count == 0 ? NULL : &event->list[event->count - 1];

    if (last == NULL || strcmp(last->name, name) != 0 || !life_is_on(last->life)) {
        return false;
    }
    last->is_reopened = true;
    return true;
}

static enum bg_status read_state(void *user, char *line, bool *known, struct bg_error *err)
{
    struct agenda *agenda = user;
    char *field[FIELDS] = {NULL}, *rest = line;
    int fields = 0;

    while (rest != NULL && fields < FIELDS) {
        field[fields++] = strsep(&rest, "\t");
    }
    *known = false;
    if (strcmp(field[0], "event") == 0 && fields == 3) {
        struct agenda_event event = {.gone = true};

        *known = name_is_valid(field[1]) && copy(event.name, sizeof event.name, field[1]) &&
                 read_time(&event.seen_s, field[2]) && agenda_find(agenda, field[1]) == NULL;
        return *known ? agenda_add(agenda, &event, err) : BG_OK;
    }
    if (strcmp(field[0], "instance") == 0 && fields == FIELDS && agenda->count > 0) {
        char room[AGENDA_BOTS][NAME_SIZE];
        struct instance instance = {.bots = NULL};

        *known = read_instance(&instance, room, field);
        if (*known) {
            agenda_append(&agenda->events[agenda->count - 1], &instance);
        }
        return BG_OK;
    }
    *known = strcmp(field[0], "reopened") == 0 && fields == 2 && mark_reopened(agenda, field[1]);
    return BG_OK;
}

static struct durable_reader reader_of(struct agenda *out)
{
    *out = (struct agenda){.events = NULL};
    return (struct durable_reader){magic, "a host's state", read_state, out};
}

enum bg_status agenda_read(struct agenda *out, FILE *in, const char *where, struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_read(&reader, in, where, err);

    if (status != BG_OK) {
        agenda_deinit(out);
    }
    return status;
}

/* ------------------------------------------------------------------ files */

static void write_states(FILE *out, const void *user)
{
    agenda_write(out, user);
}

enum bg_status agenda_save(const struct agenda *agenda, const char *path, struct bg_error *err)
{
    return durable_write(path, write_states, agenda, err);
}

enum bg_status agenda_load(struct agenda *out, const char *path, struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_load(&reader, path, err);

    if (status != BG_OK) {
        agenda_deinit(out);
    }
    return status;
}
