/* cmd_join.c - bgref join HOST.bgref BOT --key FILE: a bot of this machine plays at a host. */
#include "referee_commands.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exit_status.h>

#include "cmd/command.h"
#include "door/gateway.h"
#include "join_host.h"
#include "text/units.h"

struct arguments {
    const char *host, *bot, *key;
    bool quiet, check, status, json;
    int times;
};

static void finish(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->status && (arguments->host == NULL || arguments->key == NULL)) {
        command_misuse("--status needs the host's file and a key, like 'bgref join HOST.bgref "
                       "--key NAME.key --status'");
    }
    if (arguments->json && !arguments->status) {
        command_misuse("--json is a form of --status");
    }
    if (!arguments->status && (arguments->bot == NULL || arguments->key == NULL)) {
        command_misuse("needs the host's file, a bot and a key, like 'bgref join HOST.bgref "
                       "./mybot --key NAME.key'");
    }
}

static void refuse_plain(void *arguments, const char *text, const struct command_row *row)
{
    (void)arguments;
    (void)text;
    command_misuse("--%s (-%c) was taken away with the screen of join, which always prints lines "
                   "now; leave it out ('--status' asks how the bot stands)",
                   row->name, row->letter);
}

static const struct command_row options[] = {
    {"key", 'k', .value = "FILE",
     .help = "Your secret key, which 'bgref keygen --join NAME' made: NAME.key", COMMAND_TEXT(key)},
    {"check", 'c', .help = "First run 'bgref check BOT', and join only if the bot passes",
     COMMAND_FLAG(check)},
    {"times", 'n', .value = "N",
     .help = "Join N times, 1 to 8, each with a process of the bot: it can play in N events of a "
             "host at "
             "once (default: 1)",
     COMMAND_INT(times), .least = 1, .most = GATEWAY_AT_ONCE},
    {"plain", 'p', .is_hidden = true, .take = refuse_plain},
    {"quiet", 'q', .help = "Do not print connections and games", COMMAND_FLAG(quiet)},
    {"status", 's',
     .help = "Only ask the host how the bot stands: rank, games, faults, what comes next. The bot "
             "need not "
             "be named, and plays on elsewhere if it plays",
     COMMAND_FLAG(status)},
    {"json", 'j', .help = "With --status: print it as JSON", COMMAND_FLAG(json)},
    {0}};

static const struct command_row words[] = {
    {"host", COMMAND_TEXT(host)}, {"bot", COMMAND_TEXT(bot)}, {0}};

static const struct command command = {
    .usage = "HOST.bgref BOT\nHOST.bgref --status",
    .help = "Plays with a bot of this machine in an event on another one. HOST.bgref comes from "
            "the host; "
            "it "
            "has the host's address and its public key. The host has to know your public key, "
            "NAME.pub. "
            "The "
            "bot is started as a referee would start it and needs no change; a bot that ends, and "
            "a line "
            "that "
            "is lost, are started again. It ends when the host says goodbye.\v"
            "Prints the fingerprint of the host's key: compare it with the one that the host has "
            "published. "
            "The bot is not confined. Exit status: 0 the host said goodbye, 2 misuse or a key that "
            "cannot "
            "be "
            "used, 3 the bot does not start or is refused, 5 the host does not know the key, or "
            "does not "
            "prove its own, 8 another program has taken its place with the same key, 130 Ctrl-C.",
    .options = options,
    .words = words,
    .check = finish,
};

/* Runs 'bgref check BOT' in a process of its own; returns its exit status. */
static int check_bot(const char *bot)
{
    char text[1100], name[] = "check";
    char *argv[] = {name, text, NULL};
    int state = 0;
    pid_t pid;

    snprintf(text, sizeof text, "%s", bot);
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        exit(cmd_check(2, argv));
    }
    if (pid < 0 || waitpid(pid, &state, 0) != pid) {
        command_say(strerror(errno));
        return EXIT_SURROUNDINGS;
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_SURROUNDINGS;
}

int cmd_join(int argc, char **argv)
{
    struct arguments arguments = {.times = 1};
    int exit_status;

    command_read(&command, argc, argv, &arguments);
    if (arguments.status) {
        return join_status(arguments.host, arguments.key, arguments.json);
    }
    exit_status = arguments.check ? check_bot(arguments.bot) : EXIT_DONE;
    if (exit_status != EXIT_DONE) {
        command_say("the bot does not pass 'bgref check', so it does not join");
        return exit_status;
    }
    return join_host(&(struct join_request){.host = arguments.host,
                                            .key = arguments.key,
                                            .bot = arguments.bot,
                                            .at_once = arguments.times,
                                            .quiet = arguments.quiet});
}
