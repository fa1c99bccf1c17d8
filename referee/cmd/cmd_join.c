/* cmd_join.c - bgref join HOST.bgref BOT --key FILE: a bot of this machine plays at a host. */
#include "referee_commands.h"

#include <stdbool.h>

#include "cmd/command.h"
#include "join_host.h"

struct arguments {
    const char *host, *bot, *key;
    bool quiet;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'k':
        arguments->key = value;
        return 0;
    case 'q':
        arguments->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->bot != NULL) {
            command_misuse("'%s': one bot joins at a time", value);
        }
        *(arguments->host == NULL ? &arguments->host : &arguments->bot) = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->bot == NULL || arguments->key == NULL) {
            command_misuse("needs the host's file, a bot and a key, like 'bgref join HOST.bgref "
                           "./mybot --key NAME.key'");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"key", 'k', "FILE", 0, "Your secret key, which 'bgref keygen --join NAME' made: NAME.key", 0},
    {"quiet", 'q', NULL, 0, "Do not print connections and games", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "HOST.bgref BOT",
    "Plays with a bot of this machine in an event on another one. HOST.bgref comes from the host; "
    "it "
    "has the host's address and its public key. The host has to know your public key, NAME.pub. "
    "The "
    "bot is started as a referee would start it and needs no change; a bot that ends, and a line "
    "that "
    "is lost, are started again. It ends when the host says goodbye.\v"
    "Prints the fingerprint of the host's key: compare it with the one that the host has "
    "published. "
    "The bot is not confined. Exit status: 0 the host said goodbye, 2 misuse or a key that cannot "
    "be "
    "used, 3 the bot does not start or is refused, 5 the host does not know the key, or does not "
    "prove its own.",
    NULL,
    NULL,
    NULL};

int cmd_join(int argc, char **argv)
{
    struct arguments arguments = {.host = NULL};

    command_parse(&description, argc, argv, 0, &arguments);
    return join_host(&(struct join_request){.host = arguments.host,
                                            .key = arguments.key,
                                            .bot = arguments.bot,
                                            .quiet = arguments.quiet});
}
