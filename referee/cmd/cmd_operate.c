/* cmd_operate.c - bgref operate HOST.bgref --key FILE: a person's seat in an event elsewhere. */
#include "referee_commands.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "cmd/command.h"
#include "join_host.h"

struct arguments {
    const char *host, *key;
    bool plain, at_once, quiet;
};

static const struct command_row options[] = {
    {"key", 'k', .value = "FILE",
     .help = "Your secret key, which 'bgref keygen --join NAME' made: NAME.key", COMMAND_TEXT(key),
     .is_needed = true},
    {"plain", 'p', .help = "Sentences and plain lines instead of a drawn board: for screen readers",
     COMMAND_FLAG(plain)},
    {"at-once", 'a', .help = "Send an answer when it is typed, without asking again",
     COMMAND_FLAG(at_once)},
    {"quiet", 'q', .help = "Do not print the connection", COMMAND_FLAG(quiet)},
    {0}};

static const struct command_row words[] = {{"host", COMMAND_TEXT(host), .is_needed = true}, {0}};

static const struct command command = {
    .usage = "HOST.bgref",
    .help =
        "Plays in an event on another machine from this terminal: for a person, or for the "
        "operator of "
        "a program that cannot be connected. Shows the board, the dice, the clocks and what the "
        "opponent "
        "did; the answers are typed. HOST.bgref comes from the host, which has to know your public "
        "key, "
        "NAME.pub, as for 'bgref join'.\v"
        "A play is typed as 13/7 8/7, bar/22*, 6/off, 13/7(2) or 13-7 8-7, in one line or in "
        "several; "
        "the "
        "other answers are words: roll, double, take, drop, beaver, resign gammon. What is typed "
        "is "
        "checked, and sent only after one more Enter. plays (or ?) lists the legal plays, undo "
        "takes "
        "back what is not sent, help lists all words. Ctrl-D asks whether you leave; Ctrl-C leaves "
        "at "
        "once; Ctrl-Z does nothing. Nothing that is half typed is ever sent. Exit status: 0 the "
        "host "
        "said goodbye, or you "
        "left, 2 misuse, no terminal or a key that cannot be used, 3 you are refused, 5 the host "
        "does "
        "not know the key, or does not prove its own, 8 another program has taken your place with "
        "the "
        "same key, 130 Ctrl-C.",
    .options = options,
    .words = words,
    .missing = "needs the host's file and a key, like 'bgref operate HOST.bgref --key NAME.key'",
};

int cmd_operate(int argc, char **argv)
{
    struct arguments arguments = {.host = NULL};
    struct join_request request = {.bot = "human", .is_seat = true};
    int count = 0;

    command_read(&command, argc, argv, &arguments);
    request.host = arguments.host;
    request.key = arguments.key;
    request.quiet = arguments.quiet;
    if (arguments.plain) {
        request.words[count++] = "--plain";
    }
    if (arguments.at_once) {
        request.words[count] = "--at-once";
    }
    return join_host(&request);
}
