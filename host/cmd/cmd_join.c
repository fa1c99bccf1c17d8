/* cmd_join.c - bgref join HOST.bgref BOT --key FILE: a bot of this machine plays at a host. */
#include "cmd/referee_commands.h"
#include "host_commands.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/exit_status.h>

#include "cmd/command.h"
#include "door/gateway.h"
#include "join_host.h"
#include "join_register.h"
#include "base/units.h"

struct arguments {
    const char *host, *bot, *key;
    struct join_registration registration;
    bool quiet, check, status, json;
    bool seat, page, plain, at_once; /* a person sits there, not a bot */
    int times;
};

static void check_arguments(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->registration.page != NULL) {
        if (arguments->host != NULL || arguments->key == NULL) {
            command_misuse("--register needs a key and no host's file, like 'bgref join --register "
                           "https://bg.example.org --key NAME.key'");
        }
        return;
    }
    if (arguments->seat && (arguments->bot != NULL || arguments->status || arguments->check)) {
        command_misuse("--seat is for a person: leave out %s", arguments->bot != NULL
                                                                   ? arguments->bot
                                                               : arguments->status ? "--status"
                                                                                   : "--check");
    }
    if (arguments->seat && (arguments->host == NULL || arguments->key == NULL)) {
        command_misuse("--seat needs the host's file and a key, like 'bgref join HOST.bgref --key "
                       "NAME.key --seat'");
    }
    if (arguments->status && (arguments->host == NULL || arguments->key == NULL)) {
        command_misuse("--status needs the host's file and a key, like 'bgref join HOST.bgref "
                       "--key NAME.key --status'");
    }
    if (!arguments->seat && !arguments->status &&
        (arguments->bot == NULL || arguments->key == NULL)) {
        command_misuse("needs the host's file, a bot and a key, like 'bgref join HOST.bgref "
                       "./mybot --key NAME.key'");
    }
}

/* curl takes a word with a dash as an option, and one without a scheme in its own ways. */
static void take_page(void *arguments, const char *text, const struct command_row *row)
{
    if (strncmp(text, "https://", strlen("https://")) != 0 &&
        strncmp(text, "http://", strlen("http://")) != 0) {
        command_misuse("--%s '%.80s' is not an address like https://bg.example.org", row->name,
                       text);
    }
    command_text(arguments, text, row);
}

static void refuse_new_key(void *arguments, const char *text, const struct command_row *row)
{
    (void)arguments;
    (void)text;
    command_misuse(
        "--%s was taken away; now: send NEW.pub to the host's operator, who puts its key "
        "in the place of the old one",
        row->name);
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
    {"quiet", 'q', .help = "Do not print connections and games", COMMAND_FLAG(quiet)},
    {"status", 's',
     .help = "Only ask the host how the bot stands: rank, games, faults, what comes next. The bot "
             "need not "
             "be named, and plays on elsewhere if it plays",
     COMMAND_FLAG(status)},
    {"json", 'j', .help = "With --status: print it as JSON", COMMAND_FLAG(json), .needs = "status"},
    {"seat", .help = "You play yourself, in this terminal; see below", COMMAND_FLAG(seat)},
    {"page", .help = "With --seat: you play in a browser; the link is printed (docs/play.md)",
     COMMAND_FLAG(page), .needs = "seat"},
    {"plain", 'p',
     .help = "With --seat: sentences and plain lines instead of a drawn board: for screen readers",
     COMMAND_FLAG(plain), .needs = "seat"},
    {"at-once", 'a', .help = "With --seat: send an answer when it is typed, without asking again",
     COMMAND_FLAG(at_once), .needs = "seat"},
    {"register", .value = "URL",
     .help = "Register your bot at the pages of a host, which has to take registrations, and play "
             "nothing: the public half of the key is sent, by the program curl. URL is that of "
             "the pages, like https://bg.example.org",
     .take = take_page, .at = COMMAND_PLACE(const char *, registration.page)},
    {"contact", .value = "TEXT",
     .help = "With --register: how the operator reaches you; nobody else reads it",
     COMMAND_TEXT(registration.contact), .needs = "register"},
    {"invitation", .value = "TOKEN",
     .help = "With --register: what the operator gave you, if the host asks for it",
     COMMAND_TEXT(registration.invitation), .needs = "register"},
    {"new-key", .value = "FILE", .help = "", .is_hidden = true, .take = refuse_new_key},
    {0}};

static const struct command_row words[] = {
    {"host", COMMAND_TEXT(host)}, {"bot", COMMAND_TEXT(bot)}, {0}};

static const struct command command = {
    .usage = "HOST.bgref BOT\nHOST.bgref --status\nHOST.bgref --seat\n--register URL",
    .help =
        "Plays with a bot of this machine in an event on another one. HOST.bgref comes from the "
        "host; it has the host's address and its public key. The host has to know your public "
        "key, NAME.pub. The bot is started as a referee would start it and needs no change; a "
        "bot that ends, and a line that is lost, are started again. It ends when the host says "
        "goodbye. With --seat you play yourself, or for a program that cannot be connected: it "
        "shows the board, the dice, the clocks and what the opponent did, and the answers are "
        "typed.\v"
        "Prints the fingerprint of the host's key: compare it with the one that the host has "
        "published. The bot is not confined.\n\n"
        "With --seat a play is typed as 13/7 8/7, bar/22*, 6/off, 13/7(2) or 13-7 8-7, in one "
        "line or in several; the other answers are words: roll, double, take, drop, beaver, "
        "resign gammon. What is typed is checked, and sent only after one more Enter. plays (or "
        "?) lists the legal plays, undo takes back what is not sent, help lists all words. "
        "Ctrl-D asks whether you leave; Ctrl-C leaves at once; Ctrl-Z does nothing. Nothing "
        "that is half typed is ever sent.\n\n"
        "Exit status: 0 the host said goodbye, or you left, 2 misuse, no terminal for --seat, or "
        "a key that cannot be used, 3 the bot does not start or is refused, 5 the host does not "
        "know the key, or does not prove its own, 8 another program has taken its place with "
        "the same key, 130 Ctrl-C.",
    .options = options,
    .words = words,
    .check = check_arguments,
};

/* Runs 'bgref check BOT' in a process of its own; returns its exit status. A command reads a
 * command line once, and may end the program where it stands. */
static int check_bot_file(const char *bot)
{
    char text[1100], name[] = "check";
    char *argv[] = {name, text, NULL};
    int state = 0;
    pid_t pid;

    snprintf(text, sizeof text, "%s", bot);
    fflush(stdout);
    /* Before the fork: what waits in the buffer would be printed by both processes. */
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
    struct join_request request;
    int exit_status, count = 0;

    command_read(&command, argc, argv, &arguments);
    if (arguments.registration.page != NULL) {
        arguments.registration.key = arguments.key;
        return join_register(&arguments.registration);
    }
    if (arguments.status) {
        return join_status(arguments.host, arguments.key, arguments.json);
    }
    exit_status = arguments.check ? check_bot_file(arguments.bot) : EXIT_DONE;
    if (exit_status != EXIT_DONE) {
        command_say("the bot does not pass 'bgref check', so it does not join");
        return exit_status;
    }
    request = (struct join_request){.host = arguments.host,
                                    .key = arguments.key,
                                    .bot = !arguments.seat  ? arguments.bot
                                           : arguments.page ? "person"
                                                            : "human",
                                    .is_seat = arguments.seat,
                                    .at_once = arguments.seat ? 0 : arguments.times,
                                    .quiet = arguments.quiet};
    if (arguments.plain) {
        request.words[count++] = "--plain";
    }
    if (arguments.at_once) {
        request.words[count] = "--at-once";
    }
    return join_host(&request);
}
