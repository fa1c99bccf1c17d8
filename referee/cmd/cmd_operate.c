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

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'k':
        arguments->key = value;
        return 0;
    case 'p':
        arguments->plain = true;
        return 0;
    case 'a':
        arguments->at_once = true;
        return 0;
    case 'q':
        arguments->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->host != NULL) {
            command_misuse("'%s': one host at a time; 'bgref join' is for bots", value);
        }
        arguments->host = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->host == NULL || arguments->key == NULL) {
            command_misuse("needs the host's file and a key, like 'bgref operate HOST.bgref --key "
                           "NAME.key'");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"key", 'k', "FILE", 0, "Your secret key, which 'bgref keygen --join NAME' made: NAME.key", 0},
    {"plain", 'p', NULL, 0,
     "Sentences and plain lines instead of a drawn board: for screen readers", 0},
    {"at-once", 'a', NULL, 0, "Send an answer when it is typed, without asking again", 0},
    {"quiet", 'q', NULL, 0, "Do not print the connection", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "HOST.bgref",
    "Plays in an event on another machine from this terminal: for a person, or for the operator of "
    "a program that cannot be connected. Shows the board, the dice, the clocks and what the "
    "opponent "
    "did; the answers are typed. HOST.bgref comes from the host, which has to know your public "
    "key, "
    "NAME.pub, as for 'bgref join'.\v"
    "A play is typed as 13/7 8/7, bar/22*, 6/off, 13/7(2) or 13-7 8-7, in one line or in several; "
    "the "
    "other answers are words: roll, double, take, drop, beaver, resign gammon. What is typed is "
    "checked, and sent only after one more Enter. plays (or ?) lists the legal plays, undo takes "
    "back what is not sent, help lists all words. Ctrl-D asks whether you leave; Ctrl-C leaves at "
    "once; Ctrl-Z does nothing. Nothing that is half typed is ever sent. Exit status: 0 the host "
    "said goodbye, or you "
    "left, 2 misuse, no terminal or a key that cannot be used, 3 you are refused, 5 the host does "
    "not know the key, or does not prove its own, 8 another program has taken your place with the "
    "same key, 130 Ctrl-C.",
    NULL,
    NULL,
    NULL};

int cmd_operate(int argc, char **argv)
{
    struct arguments arguments = {.host = NULL};
    struct join_request request = {.bot = "human", .is_seat = true};
    int count = 0;

    command_parse(&description, argc, argv, 0, &arguments);
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
