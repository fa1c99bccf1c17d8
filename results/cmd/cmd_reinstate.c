/* cmd_reinstate.c - bgref reinstate: lets a quarantined bot play on. */
#include "results_commands.h"
#include "command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <store/reinstated.h>
#include <store/store.h>
#include "words/plural.h"

struct arguments {
    const char *results, *bot, *reason;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'r':
        command_check_reason(value, REINSTATED_REASON - 1);
        arguments->reason = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->bot != NULL) {
            command_misuse("'%s': one bot is enough", value);
        }
        *(arguments->results == NULL ? &arguments->results : &arguments->bot) = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->bot == NULL || arguments->reason == NULL) {
            command_misuse("needs results, a bot and a reason, like 'bgref reinstate "
                           "RESULTS.db BOT --reason \"...\"'");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"reason", 'r', "TEXT", 0, "The reason, one line; stored and published with the results", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "RESULTS.db BOT",
    "Lets a quarantined bot play again: the fixtures given up because of it are open again, and "
    "its faults until now no longer count for a quarantine. The next run of the event plays the "
    "fixtures.\vPlayed games do not change. The act is stored in the results and covered by the "
    "root; a root published before is no longer valid. Not possible while a referee uses the "
    "results. Exit status: 2 if the event has no such bot, or it is not out.",
    NULL,
    NULL,
    NULL};

static void set_time(char out[REINSTATED_TIME])
{
    time_t now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(out, REINSTATED_TIME, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static enum bg_status run(struct reinstated *act, const struct arguments *arguments,
                          struct bg_error *err)
{
    struct store *store = NULL;
    enum bg_status status = store_sqlite_open_read(&store, arguments->results, err);

    store_destroy(store); /* opened only to check that it exists, so that no new file is created */
    store = NULL;
    if (status == BG_OK) {
        status = store_sqlite_open(&store, arguments->results, err);
    }
    if (status == BG_OK) {
        set_time(act->at);
        snprintf(act->reason, sizeof act->reason, "%s", arguments->reason);
        status = reinstate(store, arguments->bot, act, err);
    }
    store_destroy(store);
    return status;
}

int cmd_reinstate(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct reinstated act = {0};
    struct bg_error err = {0};
    enum bg_status status;

    command_parse(&description, argc, argv, 0, &arguments);
    status = run(&act, &arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of_results(status);
    }
    fprintf(stderr,
            "bgref reinstate: %s plays on: %" PRIu64
            " fixture%s open again; the event's next run plays %s\n",
            arguments.bot, act.fixtures, act.fixtures == 1 ? " is" : "s are",
            act.fixtures == 1 ? "it" : "them");
    if (strcmp(act.root, "-") != 0) {
        fprintf(
            stderr,
            "bgref reinstate: the root %s, published before, is no longer valid; publish the next "
            "one, which "
            "covers this act\n",
            act.root);
    }
    return EXIT_DONE;
}
