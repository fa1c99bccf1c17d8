/* Each event that puts a bot out adds one; the bot is out until the last of them is over. The
 * next quarantine of a bot is twice as long as its last one, and is the first again when it has
 * behaved for QUARANTINE_MEMORY_S. So what is over stays in the file until then. */
#define _GNU_SOURCE /* strsep */
#include "quarantine.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/durable.h"
#include "base/memory.h"

static const char magic[] = "bgref-quarantine 1";

static const char *const words[QUARANTINE_STATES] = {"on", "returns", "over"};

enum { FIELDS = 6 };

void quarantines_deinit(struct quarantines *all)
{
    free(all->list);
    *all = (struct quarantines){.list = NULL};
}

static struct quarantine *search(const struct quarantines *all, const char *bot, const char *event)
{
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->list[i].bot, bot) == 0 && strcmp(all->list[i].event, event) == 0) {
            return &all->list[i];
        }
    }
    return NULL;
}

const struct quarantine *quarantines_find(const struct quarantines *all, const char *bot)
{
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->list[i].bot, bot) == 0 && all->list[i].state == QUARANTINE_ON) {
            return &all->list[i];
        }
    }
    return NULL;
}

static int64_t length_s(int count)
{
    int64_t length = QUARANTINE_FIRST_S;

    for (int i = 1; i < count && length < QUARANTINE_LONGEST_S; i++) {
        length *= 2;
    }
    return length < QUARANTINE_LONGEST_S ? length : QUARANTINE_LONGEST_S;
}

static struct quarantine *append_quarantine(struct quarantines *all, const struct quarantine *one)
{
    all->list = memory_list(all->list, &all->room, (size_t)all->count + 1, sizeof *all->list);
    all->list[all->count] = *one;
    return &all->list[all->count++];
}

/* The bot is in one already, or begins the next. */
static void begin_quarantine(struct quarantine *out, const struct quarantines *all, int64_t now_s)
{
    const struct quarantine *on = quarantines_find(all, out->bot), *latest = NULL;

    for (int i = 0; i < all->count; i++) {
        const struct quarantine *one = &all->list[i];

        if (strcmp(one->bot, out->bot) == 0 && (latest == NULL || one->until_s > latest->until_s)) {
            latest = one;
        }
    }
    if (on != NULL) {
        out->count = on->count;
        /* A second event that puts it out for the same trouble makes it no longer. */
        out->until_s = on->until_s;
    } else {
        out->count =
            latest == NULL || now_s - latest->until_s > QUARANTINE_MEMORY_S ? 1 : latest->count + 1;
        out->until_s = now_s + length_s(out->count);
    }
}

const struct quarantine *quarantines_add(struct quarantines *all, const char *bot,
                                         const char *event, int faults, int64_t now_s)
{
    struct quarantine *one = search(all, bot, event);
    struct quarantine fresh = {.faults = faults, .state = QUARANTINE_ON};

    if (one != NULL && one->state == QUARANTINE_ON) {
        return NULL;
    }
    snprintf(fresh.bot, sizeof fresh.bot, "%s", bot);
    snprintf(fresh.event, sizeof fresh.event, "%s", event);
    begin_quarantine(&fresh, all, now_s);
    if (one == NULL) {
        return append_quarantine(all, &fresh);
    }
    *one = fresh;
    return one;
}

static void take_out(struct quarantines *all, struct quarantine *one)
{
    *one = all->list[--all->count];
}

static void let_return(struct quarantine *one, int64_t now_s)
{
    one->state = QUARANTINE_RETURNS;
    one->tries = 0;
    one->try_s = now_s;
}

bool quarantines_lift(struct quarantines *all, const char *bot, int64_t now_s)
{
    bool was_on = quarantines_find(all, bot) != NULL;

    for (int i = 0; i < all->count && was_on; i++) {
        struct quarantine *one = &all->list[i];

        if (strcmp(one->bot, bot) == 0) {
            /* An operator who lifts it has judged: the next one is a first one. */
            one->count = 0;
            if (one->state == QUARANTINE_ON) {
                let_return(one, now_s);
                one->until_s = now_s;
            }
        }
    }
    return was_on;
}

const struct quarantine *quarantines_expire(struct quarantines *all, int64_t now_s)
{
    /* From the end: take_out() moves the last one to the place. */
    for (int i = all->count; i-- > 0;) {
        struct quarantine *one = &all->list[i];

        if (one->state == QUARANTINE_OVER && now_s - one->until_s > QUARANTINE_MEMORY_S) {
            take_out(all, one);
        } else if (one->state == QUARANTINE_ON && now_s >= one->until_s) {
            let_return(one, now_s);
            return one;
        }
    }
    return NULL;
}

int64_t quarantines_due(const struct quarantines *all)
{
    int64_t due_s = 0;

    for (int i = 0; i < all->count; i++) {
        const struct quarantine *one = &all->list[i];
        int64_t at_s = one->state == QUARANTINE_ON ? one->until_s : one->try_s;

        if (one->state != QUARANTINE_OVER && (due_s == 0 || at_s < due_s)) {
            due_s = at_s;
        }
    }
    return due_s;
}

/* ------------------------------------------------------------------ the file */

void quarantines_write(FILE *out, const void *user)
{
    const struct quarantines *all = user;

    fprintf(out, "%s\n", magic);
    for (int i = 0; i < all->count; i++) {
        const struct quarantine *one = &all->list[i];

        fprintf(out, "%s\t%s\t%s\t%d\t%d\t%" PRId64 "\n", words[one->state], one->bot, one->event,
                one->faults, one->count, one->until_s);
    }
}

enum bg_status quarantines_save(const struct quarantines *all, const char *path,
                                struct bg_error *err)
{
    return durable_write(path, quarantines_write, all, err);
}

/* Returns false if the line is none of a file of quarantines. */
static bool read_one(struct quarantine *out, char *line)
{
    char *field[FIELDS] = {NULL}, *rest = line;
    uint64_t until_s;
    int fields = 0;

    *out = (struct quarantine){.bot = ""};
    while (rest != NULL && fields < FIELDS) {
        field[fields++] = strsep(&rest, "\t");
    }
    if (fields != FIELDS || rest != NULL || !name_is_valid(field[1]) ||
        !event_name_is_valid(field[2]) ||
        int_read(&out->faults, field[3], 0, INT_MAX, NULL) != BG_OK ||
        int_read(&out->count, field[4], 0, INT_MAX, NULL) != BG_OK ||
        count_read(&until_s, field[5], 0, INT64_MAX, NULL) != BG_OK) {
        return false;
    }
    snprintf(out->bot, sizeof out->bot, "%s", field[1]);
    snprintf(out->event, sizeof out->event, "%s", field[2]);
    out->until_s = (int64_t)until_s;
    while (out->state < QUARANTINE_STATES && strcmp(words[out->state], field[0]) != 0) {
        out->state++;
    }
    return out->state < QUARANTINE_STATES;
}

static enum bg_status read_quarantine(void *user, char *line, bool *known, struct bg_error *err)
{
    struct quarantines *all = user;
    struct quarantine one;

    (void)err;
    *known = read_one(&one, line) && search(all, one.bot, one.event) == NULL;
    if (*known) {
        append_quarantine(all, &one);
    }
    return BG_OK;
}

static struct durable_reader reader_of(struct quarantines *out)
{
    *out = (struct quarantines){.list = NULL};
    return (struct durable_reader){magic, "a host's quarantines", read_quarantine, out};
}

enum bg_status quarantines_read(struct quarantines *out, FILE *in, const char *where,
                                struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_read(&reader, in, where, err);

    if (status != BG_OK) {
        quarantines_deinit(out);
    }
    return status;
}

enum bg_status quarantines_load(struct quarantines *out, const char *path, struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_load(&reader, path, err);

    if (status != BG_OK) {
        quarantines_deinit(out);
    }
    return status;
}
