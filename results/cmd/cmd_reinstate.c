/* cmd_reinstate.c - bgref reinstate: lets a quarantined bot play on. */
#include "results_commands.h"
#include "command.h"
#include "desk_request.h"

#include <stdio.h>

#include <store/reinstated.h>

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
    "its faults until now no longer count for a quarantine. The event's next run plays the "
    "fixtures; if it is running, the bot is started again at once. The same as 'bgref desk "
    "RESULTS.db reinstate BOT'.\vPlayed games do not change. The act is a row of the event's "
    "journal and covered by the root; a root published before is no longer valid. Exit status: 2 "
    "if the event has no such bot, or it is not out.",
    NULL,
    NULL,
    NULL};

int cmd_reinstate(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct desk_request request = {.wish = {.kind = "reinstate"}};
    struct bg_error err = {0};
    enum bg_status status;

    command_parse(&description, argc, argv, 0, &arguments);
    request.results = arguments.results;
    snprintf(request.wish.subject, sizeof request.wish.subject, "bot=%s", arguments.bot);
    snprintf(request.wish.reason, sizeof request.wish.reason, "%s", arguments.reason);
    status = desk_request_run(&request, &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of_results(status);
    }
    return EXIT_DONE;
}
