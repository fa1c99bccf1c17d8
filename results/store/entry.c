/* Settings and not tables: they came when the schema was fixed already, and older programs keep and
 * copy what they do not know as a setting. A list is one setting, which is written in one piece
 * with the others and read whole, so a bot never has half a list. It grows by lines and none is
 * replaced, because what was declared before stays part of the results. */
#define _GNU_SOURCE
#include "entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <base/memory.h>

enum { TEXT_ROOM = 128 * 1024 /* enough for a thousand names, or several hundred acts */ };

#define BETWEEN '|'

static void take_field(char *out, size_t room, const char **at, const char *end)
{
    const char *bar = memchr(*at, BETWEEN, (size_t)(end - *at));
    size_t size = (size_t)((bar == NULL ? end : bar) - *at);

    snprintf(out, room, "%.*s", (int)(size < room ? size : room - 1), *at);
    *at = bar == NULL ? end : bar + 1;
}

/* ------------------------------------------------------------------ what an event is called */

const char *about_name(enum about_word word)
{
    static const char *const names[ABOUT_WORDS] = {"title", "place", "date", "organiser",
                                                   "director"};

    return names[word];
}

void about_key(char out[ENTRY_KEY], enum about_word word)
{
    snprintf(out, ENTRY_KEY, "about.%s", about_name(word));
}

enum bg_status about_read(struct about *out, struct store *store, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    memset(out, 0, sizeof *out);
    for (int word = 0; word < ABOUT_WORDS && status == BG_OK; word++) {
        char key[ENTRY_KEY];

        about_key(key, (enum about_word)word);
        status = store_meta_text(out->text[word], ABOUT_TEXT, store, key, err);
    }
    return status;
}

/* ------------------------------------------------------------------ what is declared */

static const char *const words[ENTRY_WORDS] = {
    [ENTRY_AUTHOR] = "author",
    [ENTRY_OPERATOR] = "operator",
    [ENTRY_ORIGINS] = "origins",
    [ENTRY_SAID_AUTHOR] = "said_author",
};

const char *entry_word_name(enum entry_word word)
{
    return words[word];
}

void entry_key(char out[ENTRY_KEY], enum entry_word word, const char *bot)
{
    snprintf(out, ENTRY_KEY, "event.%s.%s", words[word], bot);
}

const char *entry_bot(const char *key)
{
    for (int i = 0; i < ENTRY_WORDS; i++) {
        size_t size = strlen(words[i]);

        if (strncmp(key, words[i], size) == 0 && key[size] == '.') {
            return key + size + 1;
        }
    }
    return NULL;
}

const char *entry_last(const char *text)
{
    const char *line = strrchr(text, '\n');

    return line == NULL ? text : line + 1;
}

char *entry_add(const char *before, const char *line)
{
    bool has_before = before != NULL && before[0] != '\0';

    return memory_print("%s%s%s", has_before ? before : "", has_before ? "\n" : "", line);
}

bool entry_differs(const char *author, const char *said)
{
    /* Without regard to case: a name that is only written otherwise is no contradiction to point
     * at. */
    return author != NULL && said != NULL && author[0] != '\0' && said[0] != '\0' &&
           strcasecmp(entry_last(author), entry_last(said)) != 0;
}

/* ------------------------------------------------------------------ programs */

void editions_key(char out[ENTRY_KEY], const char *bot)
{
    snprintf(out, ENTRY_KEY, "program.%.64s", bot);
}

void editions_accepted_key(char out[ENTRY_KEY], const char *bot)
{
    snprintf(out, ENTRY_KEY, "accepted.%.64s", bot);
}

void editions_refused_key(char out[ENTRY_KEY], const char *bot)
{
    snprintf(out, ENTRY_KEY, "refused.%.64s", bot);
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

/* ------------------------------------------------------------------ reinstated bots */

struct reinstated_each {
    reinstated_fn fn;
    void *user;
};

/* The reason is last because it may contain the separator. */
static void read_reinstated(struct reinstated *out, const char *at, const char *end)
{
    char number[24];

    take_field(out->at, sizeof out->at, &at, end);
    take_field(number, sizeof number, &at, end);
    out->fault = strtoull(number, NULL, 10);
    take_field(number, sizeof number, &at, end);
    out->fixtures = strtoull(number, NULL, 10);
    take_field(out->root, sizeof out->root, &at, end);
    snprintf(out->reason, sizeof out->reason, "%.*s", (int)(end - at), at);
}

static void read_bot(void *user, const char *key, const char *value)
{
    const struct reinstated_each *each = user;

    for (const char *at = value, *end; *at != '\0'; at = *end == '\0' ? end : end + 1) {
        struct reinstated act;

        end = strchrnul(at, '\n');
        if (end > at) {
            read_reinstated(&act, at, end);
            each->fn(each->user, key + strlen(REINSTATED), &act);
        }
    }
}

enum bg_status reinstated_each(struct store *store, reinstated_fn fn, void *user,
                               struct bg_error *err)
{
    struct reinstated_each each = {fn, user};

    return store_meta_each(store, REINSTATED, read_bot, &each, err);
}

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

enum bg_status reinstated_line(char **out, char key[ENTRY_KEY], struct store *store,
                               const char *bot, const struct reinstated *act, struct bg_error *err)
{
    char *text = memory_zeroed(TEXT_ROOM, 1);
    enum bg_status status;
    size_t used;

    snprintf(key, ENTRY_KEY, REINSTATED "%.64s", bot);
    status = store_meta_text(text, TEXT_ROOM, store, key, err);
    used = strlen(text);
    if (status == BG_OK &&
        snprintf(text + used, TEXT_ROOM - used, "%s|%" PRIu64 "|%" PRIu64 "|%s|%s\n", act->at,
                 act->fault, act->fixtures, act->root, act->reason) >= (int)(TEXT_ROOM - used)) {
        status = bg_error_set(err, BG_E_STORE, "setting %s: no room for more acts", key);
    }
    if (status != BG_OK) {
        free(text);
        text = NULL;
    }
    *out = text;
    return status;
}
