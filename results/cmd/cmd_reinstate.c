/* cmd_reinstate.c - bgref reinstate: lets a quarantined bot play on. */
#include "results_commands.h"
#include "command.h"
#include "desk_request.h"

#include <stdio.h>

#include <store/reinstated.h>

struct arguments {
    const char *results, *bot, *reason;
};

static const struct command_row options[] = {
    {"reason", 'r', .value = "TEXT",
     .help = "The reason, one line; stored and published with the results", COMMAND_REASON(reason),
     .most = REINSTATED_REASON - 1, .is_needed = true},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true},
    {"bot", COMMAND_TEXT(bot), .is_needed = true},
    {0}};

static const struct command command = {
    .usage = "RESULTS.db BOT",
    .help =
        "Lets a quarantined bot play again: the fixtures given up because of it are open again, "
        "and "
        "its faults until now no longer count for a quarantine. The event's next run plays the "
        "fixtures; if it is running, the bot is started again at once. The same as 'bgref desk "
        "RESULTS.db reinstate BOT'.\vPlayed games do not change. The act is a row of the event's "
        "journal and covered by the root; a root published before is no longer valid. Exit status: "
        "2 "
        "if the event has no such bot, or it is not out.",
    .options = options,
    .words = words,
    .missing =
        "needs results, a bot and a reason, like 'bgref reinstate RESULTS.db BOT --reason \"...\"'",
};

int cmd_reinstate(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct desk_request request = {.wish = {.kind = "reinstate"}};
    struct bg_error err = {0};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
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
