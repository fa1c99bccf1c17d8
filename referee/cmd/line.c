/* argp moves the words of the vector that it parses, and some words are joined from two: so it
 * gets a vector of copies, and the groups keep places in the one that the caller still has. */
#define _GNU_SOURCE /* program_invocation_name */
#include "line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Words of chess harnesses and of later versions: they are refused by name, not ignored. */
static const char *const later[] = {"pgnout", "epdout", "use-affinity", "resultformat", "wait"};

/* Words for what the referee always does. */
static const struct {
    const char *word, *why;
} always[] = {
    {"repeat", "pairs are played twice with the same dice unless --duplicate=off"},
    {"recover", "a bot that fails is started again unless --strict"},
};

const char *without_dashes(const char *word)
{
    if (word[0] != '-' || word[1] == '\0') {
        return NULL;
    }
    return word + (word[1] == '-' ? 2 : 1);
}

static enum bg_status refuse_later(const char *name, struct bg_error *err)
{
    size_t length = strcspn(name, "=");

    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (strlen(later[i]) == length && strncmp(name, later[i], length) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "-%s: not available yet; leave it out",
                                later[i]);
        }
    }
    return BG_OK;
}

static bool is_always(const char *name)
{
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        if (strcmp(name, always[i].word) == 0) {
            fprintf(stderr, "%s: -%s is not needed: %s\n", program_invocation_name, name,
                    always[i].why);
            return true;
        }
    }
    return false;
}

static bool is_flag_key(const struct line *line, const char *name)
{
    struct config_key key;

    for (int i = 0; config_key(&key, line->event, i); i++) {
        char text[32];

        snprintf(text, sizeof text, "%s", key.name);
        for (char *c = text; *c != '\0'; c++) {
            *c = *c == '_' ? '-' : *c;
        }
        if (key.is_flag && strcmp(text, name) == 0) {
            return true;
        }
    }
    return false;
}

/* "--jacoby on" becomes "--jacoby=on", the only form in which argp takes an optional value. */
static char *joined(const char *flag, const char *value)
{
    return memory_print("%s=%s", flag, value);
}

static bool is_flag_value(const char *text)
{
    bool on;

    return text != NULL && (flag_read(&on, text, NULL) == BG_OK ||
                            (text[0] != '\0' && strspn(text, "0123456789") == strlen(text)));
}

/* Keys whose value is several words key=value, as chess harnesses write it. */
static bool has_words(const char *name)
{
    return strcmp(name, "sprt") == 0 || strcmp(name, "openings") == 0;
}

/* "-sprt ppg0=0 ppg1=0.05" becomes "--sprt=ppg0=0 ppg1=0.05"; *i moves to the last word taken. */
static char *gathered(const struct line *line, int *i)
{
    size_t size = strlen(line->argv[*i]) + 2;
    int last = *i;
    char *text;

    while (last + 1 < line->argc && line->argv[last + 1][0] != '-' &&
           (last == *i || strchr(line->argv[last + 1], '=') != NULL)) {
        size += strlen(line->argv[++last]) + 1;
    }
    text = memory_zeroed(1, size);
    for (int k = *i; k <= last; k++) {
        size_t used = strlen(text);

        snprintf(text + used, size - used, "%s%s",
                 k == *i       ? ""
                 : k == *i + 1 ? "="
                               : " ",
                 line->argv[k]);
    }
    *i = last;
    return text;
}

/* Sorts the words: groups, refusals, and the rest for argp. */
static enum bg_status gather(struct line *line, struct bg_error *err)
{
    for (int i = 1; i < line->argc; i++) {
        const char *name = without_dashes(line->argv[i]);
        bool engine = name != NULL && strcmp(name, "engine") == 0;
        char *word = line->argv[i];

        if (name != NULL && refuse_later(name, err) != BG_OK) {
            return BG_E_ARGUMENT;
        }
        if (name != NULL && is_always(name)) {
            continue;
        }
        if (engine || (name != NULL && strcmp(name, "each") == 0)) {
            int first = i + 1;

            while (i + 1 < line->argc && line->argv[i + 1][0] != '-') {
                i++;
                if (!engine) {
                    line->each[line->each_count++] = line->argv[i];
                }
            }
            if (i < first) {
                return bg_error_set(err, BG_E_ARGUMENT,
                                    "%s: words like name=X cmd=\"./mybot\" "
                                    "must follow",
                                    word);
            }
            if (engine) {
                line->engines[line->engine_count++] = (struct group){first, i - first + 1};
            }
            continue;
        }
        if (name != NULL && strcmp(name, "tournament") == 0 && i + 1 < line->argc) {
            word = joined("--schedule", line->argv[++i]); /* as chess harnesses say it */
        } else if (name != NULL && has_words(name)) {
            word = gathered(line, &i);
        } else if (name != NULL && i + 1 < line->argc && is_flag_key(line, name) &&
                   is_flag_value(line->argv[i + 1])) {
            word = joined(word, line->argv[++i]);
        } else {
            word = memory_text(word);
        }
        line->rest[line->rest_count++] = word;
    }
    return BG_OK;
}

enum bg_status line_init(struct line *line, enum options_command command, int argc, char **argv,
                         struct config_event *event, struct bg_error *err)
{
    size_t room = (size_t)argc + 2;

    *line = (struct line){.command = command, .argc = argc, .argv = argv, .event = event};
    line->engines = memory_zeroed(room, sizeof *line->engines);
    line->each = memory_zeroed(room, sizeof *line->each);
    line->rest = memory_zeroed(room, sizeof *line->rest);
    line->settings = memory_zeroed(room, sizeof *line->settings);
    line->rest[0] = memory_text(command == OPTIONS_DUEL ? "bgref duel" : "bgref tournament");
    line->rest_count = 1;
    return gather(line, err);
}

const char *line_switch_before(const struct line *line, const char *word)
{
    for (int i = 2; i < line->argc; i++) {
        const char *name = without_dashes(line->argv[i - 1]);

        if (name != NULL && strcmp(line->argv[i], word) == 0 && is_flag_key(line, name)) {
            return name;
        }
    }
    return NULL;
}

void line_deinit(struct line *line)
{
    for (int i = 0; line->rest != NULL && i < line->rest_count; i++) {
        free(line->rest[i]);
    }
    free(line->rest);
    free(line->each);
    free(line->engines);
    free(line->settings);
}
