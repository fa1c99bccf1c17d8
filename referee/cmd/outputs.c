/* Names are checked before the first game, and files written after the last: the export reads
 * the results once more from the file, so that it has games of earlier runs as well. */
#define _GNU_SOURCE /* program_invocation_name */
#include "outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/exit_status.h>
#include <base/output.h>
#include <rules/clean.h>

#include "base/memory.h"
#include "format/export.h"
#include "store/store.h"
#include "base/plural.h"
#include "cmd/command.h"

static const struct {
    const char *flag, *format, *help;
} rows[OUTPUTS] = {
    {"matout", "mat",
     "at the end, games as .mat for GNU Backgammon and others: a file, or a folder (default: "
     "none)"},
    {"sgfout", "sgf", "likewise as .sgf of GNU Backgammon"},
    {"jsonout", "json", "likewise in one JSON file, or FILE.jsonl with a line a game"},
    {"csvout", "csv", "likewise a line a game, for spreadsheets"},
};

const char *outputs_flag(int i)
{
    return i >= 0 && i < OUTPUTS ? rows[i].flag : NULL;
}

const char *outputs_help(int i)
{
    return i >= 0 && i < OUTPUTS ? rows[i].help : NULL;
}

void outputs_copy(struct outputs *out, const struct outputs *outputs)
{
    for (int i = 0; i < OUTPUTS; i++) {
        out->path[i] = memory_text(outputs->path[i]);
    }
}

void outputs_deinit(struct outputs *outputs)
{
    for (int i = 0; i < OUTPUTS; i++) {
        free(outputs->path[i]);
        outputs->path[i] = NULL;
    }
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), size = strlen(end);

    return length > size && strcmp(path + length - size, end) == 0;
}

static const struct format *format_of(int i, const char *path)
{
    return format_find(
        ends_in(path, ".jsonl") && strcmp(rows[i].format, "json") == 0 ? "jsonl" : rows[i].format);
}

/* Returns whether the path gets one file, not a file for each match; the same choice as in
 * export_write. */
static bool is_one_file(const char *path, const struct format *format)
{
    struct stat about;
    char end[16];

    snprintf(end, sizeof end, ".%s", format->name);
    return ends_in(path, end) && (stat(path, &about) != 0 || !S_ISDIR(about.st_mode));
}

/* Refuses the name of existing results or of this event's results. path "": none. */
static enum bg_status check_name(const char *flag, const char *path,
                                 const struct config_event *event, struct bg_error *err)
{
    struct bg_error why = {0};

    if (path[0] == '\0') {
        return BG_OK;
    }
    if (strcmp(path, event->results) == 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: %.200s: the results lie there", flag, path);
    }
    return output_may_write(path, &why) == BG_OK
               ? BG_OK
               : bg_error_set(err, BG_E_ARGUMENT, "%s: %s", flag, why.text);
}

/* The file of metrics is replaced while games are played: writing into a pipe would wait for its
 * reader then. */
static enum bg_status check_metrics(const struct config_event *event, struct bg_error *err)
{
    struct stat about;

    if (stat(event->metrics, &about) == 0 && S_ISFIFO(about.st_mode)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "metrics: %.200s is a pipe; name a file, which is replaced every 5 s",
                            event->metrics);
    }
    return check_name("metrics", event->metrics, event, err);
}

enum bg_status outputs_check(const struct outputs *outputs, const struct config_event *event,
                             struct bg_error *err)
{
    bool session = event->rules.length_points == 0 && event->bot_count == 2;
    char flag[32];

    if (check_metrics(event, err) != BG_OK) {
        return BG_E_ARGUMENT;
    }
    for (int i = 0; i < event->bot_count; i++) {
        if (check_name("stderr", event->bots[i].stderr_file, event, err) != BG_OK) {
            return BG_E_ARGUMENT;
        }
    }
    for (int i = 0; i < OUTPUTS; i++) {
        const char *path = outputs->path[i];

        if (path == NULL) {
            continue;
        }
        if (path[0] == '\0' || strcmp(path, "-") == 0) {
            return bg_error_set(err, BG_E_ARGUMENT, "--%s: a file or folder is needed",
                                rows[i].flag);
        }
        snprintf(flag, sizeof flag, "--%s", rows[i].flag);
        if (check_name(flag, path, event, err) != BG_OK) {
            return BG_E_ARGUMENT;
        }
        if (format_of(i, path)->by_match && !session && is_one_file(path, format_of(i, path))) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "--%s: %.200s: a .%s file holds one match, or the money games of "
                                "two bots; name a folder",
                                rows[i].flag, path, rows[i].format);
        }
    }
    return BG_OK;
}

static void say_refused(const char *message)
{
    fprintf(stderr, "%s: left out: ", program_invocation_name);
    clean_print(stderr, message, CLEAN_LINE);
    fputc('\n', stderr);
}

static enum bg_status write_one(struct store *store, int i, const char *path, struct bg_error *err)
{
    const struct export_request request = {
        .format = format_of(i, path), .output = path, .refused = say_refused};
    struct export_count count;
    enum bg_status status = export_write(&count, store, &request, err);

    if (status == BG_OK) {
        fprintf(stderr, "%s: %d game%s in %s\n", rows[i].flag, count.games,
                plural_s((uint64_t)count.games), path);
    }
    return status;
}

/* Returns whether a run with this exit status has results to write. */
static bool has_results(int code)
{
    return code != EXIT_MISUSE && code != EXIT_START && code != EXIT_SURROUNDINGS;
}

int outputs_write(const struct outputs *outputs, const struct config_event *event, int code)
{
    struct store *store = NULL;
    struct bg_error err = {.text = ""};
    enum bg_status status = BG_OK;
    bool failed = false, wanted = false;

    for (int i = 0; i < OUTPUTS; i++) {
        wanted = wanted || outputs->path[i] != NULL;
    }
    if (!wanted || !has_results(code)) {
        return code;
    }
    status = store_sqlite_open_read(&store, event->results, &err);
    for (int i = 0; i < OUTPUTS && store != NULL; i++) {
        if (outputs->path[i] != NULL && write_one(store, i, outputs->path[i], &err) != BG_OK) {
            fprintf(stderr, "%s: --%s: %s\n", program_invocation_name, rows[i].flag, err.text);
            failed = true;
        }
    }
    if (status != BG_OK) {
        command_say(err.text);
    }
    store_destroy(store);
    /* What went wrong in the games is the more important news. */
    return code == EXIT_DONE && (failed || status != BG_OK) ? EXIT_SURROUNDINGS : code;
}
