/* cmd_host.c - bgref host HOST.yaml: events on a calendar; and what its admin asks of it. */
#define _GNU_SOURCE /* open_memstream */
#include "host_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/exit_status.h>
#include <base/memory.h>

#include "cmd/command.h"
#include "base/line_ask.h"
#include "example_text.h"
#include "host/host.h"
#include "host/host_check.h"
#include "host/host_config.h"
#include "host/host_reopen.h"
#include "log.h"

enum { REASON_MOST = 400 };

struct arguments {
    const char *file, *action, *reason, *until, *back;
    struct command_words words; /* of the action */
    bool example, check, quiet, may_be_root, browser, finishes, is_signed, is_sure;
};

static void refuse_tab(const char *word)
{
    if (strpbrk(word, "\t\n") != NULL) {
        command_misuse("a word with a tab or an end of line");
    }
}

static bool is_action(const struct arguments *arguments, const char *action)
{
    return arguments->action != NULL && strcmp(arguments->action, action) == 0;
}

static void settle_arguments(void *all)
{
    const struct arguments *arguments = all;
    struct bg_error err;

    for (int i = 0; i < arguments->words.count; i++) {
        refuse_tab(arguments->words.word[i]);
    }
    if (arguments->words.count > HOST_WORDS) {
        command_misuse("more than %d words", HOST_WORDS);
    }
    if (arguments->example) {
        return;
    }
    if (arguments->action != NULL && host_act_check(arguments->action, &err) != BG_OK) {
        command_say(err.text);
        exit(EXIT_MISUSE);
    }
    if (arguments->file == NULL) {
        command_misuse("the host's file is missing, like 'bgref host HOST.yaml'; --example prints "
                       "one");
    }
    if (arguments->action == NULL && arguments->reason[0] != '\0') {
        command_misuse("--reason belongs to an action, like 'bgref host HOST.yaml cancel EVENT "
                       "--reason \"...\"'");
    }
    if (arguments->back != NULL && !is_action(arguments, "drain")) {
        command_misuse("--back belongs to drain: 'bgref host HOST.yaml drain --back 2m'; "
                       "HOST.yaml has it as host: {back: 2m}");
    }
    if (arguments->action != NULL && arguments->finishes && !is_action(arguments, "drain")) {
        command_misuse("--finish-matches belongs to drain, or to the start of a host");
    }
    if (arguments->is_signed && !is_action(arguments, "reopen")) {
        command_misuse("--signed belongs to reopen: 'bgref host HOST.yaml reopen EVENT BOT "
                       "--reason \"...\" --signed'");
    }
    if (arguments->is_sure && !is_action(arguments, "cancel")) {
        command_misuse("--yes belongs to cancel: 'bgref host HOST.yaml cancel EVENT --yes'");
    }
    if (arguments->action != NULL && arguments->check) {
        command_misuse("--check asks nothing of a running host; leave out '%s'", arguments->action);
    }
}

/* An action is sent as one line with TABs between its words, so no word may have one. */
static void keep_line(void *arguments, const char *text, const struct command_row *row)
{
    refuse_tab(text);
    command_text(arguments, text, row);
}

static const struct command_row options[] = {
    {"reason", 'r', .value = "TEXT",
     .help =
         "The reason of an action, one line; withdraw (while the event runs) "
         "and void need one, and publish it with the results, as does reopen with a bot; ban needs "
         "one, and the bot's author "
         "reads it",
     COMMAND_REASON(reason), .most = REASON_MOST},
    {"until", .value = "TIME",
     .help = "The end of a ban, UTC, like 2027-01-16T12:00Z (default: none)", .take = keep_line,
     .at = COMMAND_PLACE(const char *, until)},
    {"back", .value = "TIME",
     .help =
         "With drain: the host is expected back so long after its end, which authors of bots on "
         "other "
         "machines read; never: it does not come back, and they need not wait (default: back of "
         "HOST.yaml)",
     .take = keep_line, .at = COMMAND_PLACE(const char *, back)},
    {"finish-matches",
     .help = "At the end running matches are finished, however long they take: with drain, or for "
             "a host "
             "that a signal ends",
     COMMAND_FLAG(finishes)},
    {"signed",
     .help = "With reopen and a bot: do so although the end of the event is signed; those "
             "signatures count "
             "no longer",
     COMMAND_FLAG(is_signed)},
    {"yes",
     .help = "With cancel: do not ask. Without it a terminal is asked for the event's name, and "
             "elsewhere "
             "nothing is cancelled",
     COMMAND_FLAG(is_sure)},
    {"example", .help = "Print a HOST.yaml with every key and its meaning", COMMAND_FLAG(example)},
    {"check", .help = "Read HOST.yaml, its event files and keys, and start nothing",
     COMMAND_FLAG(check)},
    {"allow-root",
     .help =
         "Run as root, with no user of HOST.yaml to become; every bot that is not confined is then "
         "root too",
     COMMAND_FLAG(may_be_root)},
    {"browser", 'b',
     .help = "Show the events and their running games in this desktop's browser, at the address of "
             "page in HOST.yaml, or else a free port of this machine",
     COMMAND_FLAG(browser)},
    {"quiet", 'q', .help = "Do not print what happens; it is in the journal all the same",
     COMMAND_FLAG(quiet)},
    {0}};

static const struct command_row words[] = {
    {"file", .take = keep_line, .at = COMMAND_PLACE(const char *, file)},
    {"action", .take = keep_line, .at = COMMAND_PLACE(const char *, action)},
    {"word", COMMAND_LIST(words)},
    {0}};

static const struct command command = {
    .usage = "HOST.yaml [ACTION WORD...]",
    .help =
        "Plays the events of HOST.yaml, each when its time comes, each as a process of its own (as "
        "'bgref tournament EVENT.yaml' would). A host that was killed goes on with all of them "
        "when it "
        "is started again. SIGHUP: HOST.yaml is read again; running events keep what they have, "
        "and a "
        "file with a mistake changes nothing. SIGTERM and Ctrl-C: no new events, running games "
        "end; "
        "the second time at once. Authors of bots on other machines read when the host is expected "
        "back, and 'bgref join' waits for it. With an ACTION: asks the running host.\v"
        "Actions: status; pause EVENT, resume EVENT, cancel EVENT [--yes]; enter EVENT BOT..., "
        "withdraw EVENT "
        "BOT; accept EVENT BOT (its changed program or key, in a running event); reopen EVENT "
        "[BOT] "
        "(an "
        "event that has ended plays what is left: games of bots that were absent, or of BOT, which "
        "is "
        "reinstated; one that was cancelled after its begin goes on); void EVENT GAME (a "
        "game's id, or what 'bgref desk' takes: meeting=N, pair=A|B|PAIR); "
        "ban NAME|KEY|NETWORK, unban NAME|KEY|NETWORK, kick NAME; approve NAME, refuse NAME (a "
        "registration that waits); drain. EVENT is an event's "
        "name, or one instance of a repeated event: cup@2027-01-16. "
        "Each "
        "action is in the host's journal with time and user. Exit status: 0 when every running "
        "game "
        "came to its end, 143 when some were cut off (they are played again from their last stored "
        "game), 2 for a HOST.yaml with a mistake and for a refused action, which changes nothing.",
    .options = options,
    .words = words,
    .check = settle_arguments,
};

/* ------------------------------------------------------------------ asking a running host */

static char *line_of(const struct arguments *arguments)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&line, &size);

    fprintf(out, "%s\t%s\t%s", HOST_MAGIC, arguments->action, arguments->reason);
    for (int i = 0; i < arguments->words.count; i++) {
        fprintf(out, "\t%s", arguments->words.word[i]);
    }
    if (arguments->until != NULL) {
        fprintf(out, "\tuntil=%s", arguments->until);
    }
    if (arguments->finishes) {
        fprintf(out, "\tfinish-matches");
    }
    if (arguments->is_signed) {
        fprintf(out, "\t" REOPEN_SIGNED);
    }
    if (arguments->back != NULL) {
        fprintf(out, "\tback=%s", arguments->back);
    }
    fputc('\n', out);
    memory_stream_close(out);
    return line;
}

static enum bg_status talk(const struct arguments *arguments, struct bg_error *err)
{
    struct host_config config;
    struct bg_error why = {.text = ""};
    char *answer = NULL, *line = line_of(arguments);
    /* Without the event files: a mistake in one of them must not keep an admin from the host
     * that runs. */
    enum bg_status status = host_config_read_sections(&config, arguments->file, err);

    if (status == BG_OK) {
        int times = 0;
        bool is_lost;

        do {
            status = line_ask(&answer, config.socket, line,
                              "the host gave no answer: it has ended, or is stopped",
                              LINE_ASK_PATIENCE_S, &why);
        } while (line_ask_again(status, &times));
        is_lost = config.folder[0] != '/' && access(config.folder, F_OK) != 0;
        if (status == BG_E_BUSY || (status == BG_E_SYSTEM && access(config.folder, F_OK) != 0)) {
            status = bg_error_set(err, BG_E_SYSTEM, "no host is running with %s (%.200s)%s%.200s%s",
                                  arguments->file, why.text, is_lost ? "; " : "",
                                  is_lost ? config.folder : "",
                                  is_lost ? " is looked for in the current folder: ask where the "
                                            "host was started, or write whole paths"
                                          : "");
        } else if (status != BG_OK) {
            bg_error_set(err, status, "%s", why.text);
        } else {
            printf("%s", answer);
        }
        host_config_deinit(&config);
    }
    free(answer);
    free(line);
    return status;
}

/* Ends the program unless the admin means it: games that run are cut off. */
static void make_sure(const struct arguments *arguments)
{
    char text[200] = "";

    if (!is_action(arguments, "cancel") || arguments->is_sure || arguments->words.count != 1) {
        return;
    }
    if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) {
        snprintf(text, sizeof text,
                 "cancel ends %.60s and cuts its running games off; nothing is cancelled yet: "
                 "--yes says that you mean it ('pause' lets its games end)",
                 arguments->words.word[0]);
        command_say(text);
        exit(EXIT_MISUSE);
    }
    fprintf(stderr,
            "cancel ends %.100s and cuts its running games off ('pause' lets them end). Write the "
            "event's name to cancel it: ",
            arguments->words.word[0]);
    if (fgets(text, sizeof text, stdin) != NULL) {
        text[strcspn(text, "\n")] = '\0';
    }
    if (strcmp(text, arguments->words.word[0]) != 0) {
        command_say("nothing is cancelled");
        exit(EXIT_MISUSE);
    }
}

/* ------------------------------------------------------------------ checking */

static enum bg_status examine(const char *path, struct bg_error *err)
{
    struct host_config config;
    enum bg_status status = host_config_read(&config, path, err);

    if (status == BG_OK) {
        status = host_check(&config, err);
        if (status != BG_OK) {
            host_config_deinit(&config);
            return status;
        }
        printf("%s: %s, events: %d\n", path, config.name, config.rules.count);
        for (int i = 0; i < config.rules.count; i++) {
            printf("  %s from %s, entrants: %d, share %d\n", config.events[i].name,
                   config.events[i].file, config.rules.events[i].own_bots, config.events[i].share);
        }
        if (config.rules.count == 0) {
            printf("  nothing is played: name an event under events, like '- {file: cup.yaml, "
                   "start: always}'\n");
        }
        host_config_deinit(&config);
    }
    return status;
}

int cmd_host(int argc, char **argv)
{
    struct arguments arguments = {.reason = ""};
    struct bg_error err = {.text = ""};
    enum bg_status status;
    int code;

    command_read(&command, argc, argv, &arguments);
    make_sure(&arguments);
    status = log_open(NULL, &err);
    if (status == BG_OK && arguments.example) {
        printf("%s", (const char *)example_text);
        return EXIT_DONE;
    }
    if (status == BG_OK && arguments.action == NULL && !arguments.check) {
        const struct host_setup setup = {arguments.file, arguments.quiet, arguments.may_be_root,
                                         arguments.browser, arguments.finishes};

        code = host_run(&setup, &err);
    } else {
        if (status == BG_OK) {
            status = arguments.check ? examine(arguments.file, &err) : talk(&arguments, &err);
        }
        code = exit_status_of(status);
    }
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    return code;
}
