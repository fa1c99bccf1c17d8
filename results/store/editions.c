/* A list of programs is one setting, one line for each: it is written in one piece with the
 * other settings and is read whole, so that a bot never has half a list. */
#define _GNU_SOURCE
#include "editions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/memory.h>

void editions_key(char out[EDITIONS_KEY], const char *bot)
{
    snprintf(out, EDITIONS_KEY, "program.%.64s", bot);
}

void editions_accepted_key(char out[EDITIONS_KEY], const char *bot)
{
    snprintf(out, EDITIONS_KEY, "accepted.%.64s", bot);
}

void editions_refused_key(char out[EDITIONS_KEY], const char *bot)
{
    snprintf(out, EDITIONS_KEY, "refused.%.64s", bot);
}

void edition_time(char out[EDITION_TIME], int64_t calendar_s)
{
    time_t time = (time_t)calendar_s;
    struct tm utc;

    if (calendar_s < 1 || gmtime_r(&time, &utc) == NULL ||
        strftime(out, EDITION_TIME, "%Y-%m-%d %H:%M:%S", &utc) == 0) {
        snprintf(out, EDITION_TIME, "-");
    }
}

#define BETWEEN '|'

static void take_field(char *out, size_t room, const char **at, const char *end)
{
    const char *bar = memchr(*at, BETWEEN, (size_t)(end - *at));
    size_t size = (size_t)((bar == NULL ? end : bar) - *at);

    snprintf(out, room, "%.*s", (int)(size < room ? size : room - 1), *at);
    *at = bar == NULL ? end : bar + 1;
}

bool edition_read(struct edition *out, const char **text)
{
    const char *at = *text, *end = strchrnul(at, '\n');
    char files[12];

    if (at == end) {
        return false;
    }
    take_field(out->digest, sizeof out->digest, &at, end);
    take_field(out->since, sizeof out->since, &at, end);
    take_field(out->built, sizeof out->built, &at, end);
    take_field(out->version, sizeof out->version, &at, end);
    take_field(out->words, sizeof out->words, &at, end);
    take_field(files, sizeof files, &at, end);
    out->files = atoi(files);
    *text = *end == '\0' ? end : end + 1;
    return true;
}

bool edition_last(struct edition *out, const char *text)
{
    bool found = false;

    while (edition_read(out, &text)) {
        found = true;
    }
    return found;
}

int editions_count(const char *text)
{
    struct edition edition;
    int count = 0;

    while (edition_read(&edition, &text)) {
        count++;
    }
    return count;
}

/* Replaces the characters that separate fields and lines, so that a field never contains them. */
static char kept(char c)
{
    return (unsigned char)c < ' ' || c == BETWEEN ? ' ' : c;
}

bool edition_has_version(const struct edition *edition, const char *version)
{
    size_t i = 0;

    while (i < EDITION_VERSION - 1 && version[i] != '\0' &&
           edition->version[i] == kept(version[i])) {
        i++;
    }
    return edition->version[i] == '\0' && (version[i] == '\0' || i == EDITION_VERSION - 1);
}

static void add_field(FILE *out, const char *text, char end)
{
    for (const char *c = text[0] == '\0' ? "-" : text; *c != '\0'; c++) {
        fputc(kept(*c), out);
    }
    fputc(end, out);
}

char *editions_add(const char *before, const struct edition *edition)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);

    fputs(before == NULL ? "" : before, out);
    add_field(out, edition->digest, BETWEEN);
    add_field(out, edition->since, BETWEEN);
    add_field(out, edition->built, BETWEEN);
    add_field(out, edition->version, BETWEEN);
    add_field(out, edition->words, BETWEEN);
    fprintf(out, "%d\n", edition->files);
    memory_stream_close(out);
    return text;
}

void editions_note(char out[EDITIONS_NOTE], const char *bot, const char *text)
{
    struct edition edition;
    const char *at = text;
    size_t used;

    out[0] = '\0';
    if (editions_count(text) < 2) {
        return;
    }
    used = (size_t)snprintf(out, EDITIONS_NOTE,
                            "%s changed during the event, which was accepted; its figures mix %d "
                            "programs:",
                            bot, editions_count(text));
    for (bool first = true; edition_read(&edition, &at) && used < EDITIONS_NOTE - 240;
         first = false) {
        used += (size_t)snprintf(out + used, EDITIONS_NOTE - used,
                                 "%s %.*s (%.60s, %.60s) since %s", first ? "" : ",", EDITION_SHORT,
                                 edition.digest, edition.version, edition.words, edition.since);
    }
    snprintf(out + used, EDITIONS_NOTE - used, "%s", *at == '\0' ? "." : ", and more.");
}
