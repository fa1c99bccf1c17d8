/* main.c - the table of commands. */
#define _GNU_SOURCE /* program_invocation_name, on_exit */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sodium.h>

#include <bgref/api.h>
#include "cmd/results_commands.h"

#include "base/closest.h"
#include "cmd/gallery_commands.h"
#include "cmd/host_commands.h"
#include "cmd/referee_commands.h"
#include "door/doorman.h"
#include "door/gateway.h"
#include "base/exit_status.h"

struct main_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
};

static const struct main_command commands[] = {
    {"duel", cmd_duel, "A B: two bots, many games; report with error bars"},
    {"tournament", cmd_tournament,
     "EVENT.yaml: everybody against everybody; goes on when repeated"},
    {"host", cmd_host,
     "HOST.yaml [ACTION ...]: events on a calendar, several at once; goes on after any end"},
    {"join", cmd_join,
     "HOST.bgref BOT --key FILE: a bot of this machine, or you, in another one's event"},
    {"check", cmd_check, "BOT: does it play, know the rules and keep the protocol? A certificate"},
    {"ask", cmd_ask, "BOT POSITION: what a bot answers in one position, and whether it is legal"},
    {"rollout", cmd_rollout,
     "POSITION --bot BOT: plays or cube actions, each played on many times"},
    {"serve", cmd_serve, "BOT: one of our bots for UBGI programs, or for GNU Backgammon"},
    {"bots", cmd_bots, "bots that can be named"},
    {"new-bot", cmd_new_bot, "NAME --lang LANGUAGE: a bot's first files, ready to play"},
    {"doctor", cmd_doctor, "what this machine offers, and what is missing"},
    {"show", cmd_show, "RESULTS [GAME]: an event at a glance, or one game turn by turn"},
    {"rate", cmd_rate, "RESULTS: standings and ratings with error bars"},
    {"judge", cmd_judge, "RESULTS: games valued roll by roll; results without luck"},
    {"report", cmd_report, "RESULTS: the whole event as one page to publish, as text or as JSON"},
    {"watch", cmd_watch, "RESULTS: its pages for a browser, each game with its board"},
    {"publish", cmd_publish, "RESULTS... FOLDER: the same pages as files, for any web server"},
    {"plan", cmd_plan, "--ppg D: how many games a question takes"},
    {"kin", cmd_kin, "RESULTS...: which bots play alike, more than their errors explain"},
    {"met", cmd_met, "the match equity table"},
    {"faults", cmd_faults, "RESULTS [BOT]: what bots did wrong, and how to see it again"},
    {"export", cmd_export, "RESULTS: the games in other formats"},
    {"verify", cmd_verify, "RESULTS: proves records, dice, clocks and scores"},
    {"keygen", cmd_keygen,
     "--sign NAME or --join NAME: a pair of keys, to sign results or to join events"},
    {"sign", cmd_sign, "RESULTS: a director signs the result of an event"},
    {"backup", cmd_backup, "RESULTS COPY: a checked copy, also while the event is played"},
    {"desk", cmd_desk, "RESULTS [ACT ...]: the director's acts, and open questions of an event"},
    {"rules", cmd_rules, "[GAME]: the games, or the rules of one of them"},
    {"import", cmd_import, "FILE.mat: matches played elsewhere, into a results database"},
    {"replay", cmd_replay, "FILE.mat: plays a match again by the rules; also other games"},
    {"plays", cmd_plays, "POSITION D1 D2: every legal play; --board draws a position"},
    {"dice", cmd_dice, "the keyed dice of a roll"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct main_command *command_find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static void help(FILE *out)
{
    fprintf(out, "bgref %s, the backgammon referee\n\nusage: bgref COMMAND [ARGUMENTS]\n\n",
            BG_VERSION);
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(out, "  %-14s %s\n", commands[i].name, commands[i].help);
    }
    fprintf(out, "\n'bgref COMMAND --help', or -h, shows arguments and defaults of one of them.\n"
                 "Try: bgref duel gnubg greedy\n");
}

/* Commands of earlier versions, and what does their work now. */
static const struct {
    const char *name, *instead;
} gone[] = {
    {"operate", "bgref join HOST.bgref --key FILE --seat"},
    {"position", "bgref plays --board POSITION"},
    {"register",
     "bgref join --register URL --key NAME.key, or send NAME.pub to the host's operator"},
    {"reinstate", "bgref desk RESULTS reinstate BOT --reason TEXT"},
    {"set-aside", "bgref desk RESULTS replay 'pair=A|B|PAIR' --reason TEXT"},
    {"sheet", "bgref report RESULTS --sheet"},
    {"ubgi", "bgref serve BOT"},
    {"serve-external", "bgref serve BOT --port PORT"},
};

static int unknown(const char *name)
{
    const char *names[COMMANDS];

    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
    }
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        if (strcmp(gone[i].name, name) == 0) {
            fprintf(stderr, "bgref: the command '%s' was taken away; now: %s\n", name,
                    gone[i].instead);
            return EXIT_MISUSE;
        }
    }
    fprintf(stderr, "bgref: there is no command '%.64s'%s; 'bgref --help' lists them\n", name,
            closest_perhaps(name, names, COMMANDS).text);
    return EXIT_MISUSE;
}

/* Sets the program name for the command's messages, including those of argp. */
static int start_command(const struct main_command *command, int argc, char **argv)
{
    static char name[64];

    snprintf(name, sizeof name, "bgref %s", command->name);
    program_invocation_name = name;
    return command->run(argc, argv);
}

static int run_words(int argc, char **argv)
{
    static char help_flag[] = "--help";
    const struct main_command *command;

    if (argc < 2) {
        help(stderr);
        return EXIT_MISUSE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-version") == 0 ||
        strcmp(argv[1], "-V") == 0) {
        printf("bgref %s\n", BG_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "-help") == 0 || (strcmp(argv[1], "help") == 0 && argc == 2)) {
        help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "help") == 0) {
        char *words[] = {argv[2], help_flag, NULL};

        command = command_find(argv[2]);
        return command == NULL ? unknown(argv[2]) : start_command(command, 2, words);
    }
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        argv[i] = strcmp(argv[i], "-h") == 0 ? help_flag : argv[i];
    }
    command = command_find(argv[1]);
    return command == NULL ? unknown(argv[1]) : start_command(command, argc - 1, argv + 1);
}

/* If a standard descriptor is closed, the next opened file would get its number, and messages
 * could be written into a database. Fills the gap with a descriptor that cannot be written to;
 * writes to it then fail and are reported as usual. */
static void hold_standard_descriptors(void)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDONLY);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) {
        close(fd);
    }
}

enum { STACK_NEEDED = 512 << 10 }; /* bytes: twice what was measured */

/* The rules of some games search the tree of all plays on the stack, which takes 250 KB with its
 * callers; bots do the same and inherit the limit. Raises a limit that is too small. The kernel
 * looks at it whenever the stack of the first thread grows, so that is enough: no new exec, no
 * thread with a stack of its own. */
static enum bg_status raise_stack(struct bg_error *err)
{
    struct rlimit limit, wanted;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= STACK_NEEDED) {
        return BG_OK;
    }
    wanted = limit;
    wanted.rlim_cur = STACK_NEEDED;
    if (wanted.rlim_max < wanted.rlim_cur) { /* only root may raise it */
        wanted.rlim_max = wanted.rlim_cur;
    }
    if (setrlimit(RLIMIT_STACK, &wanted) == 0) { /* takes effect at once */
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "a stack of %d KB may be needed, and %llu KB are allowed: 'ulimit -s %d' "
                        "or more",
                        STACK_NEEDED >> 10, (unsigned long long)limit.rlim_cur >> 10,
                        STACK_NEEDED >> 10);
}

/* Output that was not written completely is a failure, also of a help, after which argp exits. */
static void check_output(int status, void *unused)
{
    (void)unused;
    if (status == EXIT_DONE && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "%s: standard output: %s\n", program_invocation_name, strerror(errno));
        _exit(EXIT_SURROUNDINGS);
    }
}

int main(int argc, char **argv)
{
    static char name[] = "bgref";
    struct bg_error err;

    /* Processes of a door are this program under another name, so they are of the same version
     * as what starts them. */
    if (argc > 0 && strcmp(argv[0], GATEWAY_NAME) == 0) {
        return gateway_main(argc, argv);
    }
    if (argc > 0 && strcmp(argv[0], DOORMAN_NAME) == 0) {
        return doorman_main(argc, argv);
    }
    program_invocation_name = name;
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is reported like a full disk */
    hold_standard_descriptors();
    if (raise_stack(&err) != BG_OK) {
        fprintf(stderr, "%s: %s\n", program_invocation_name, err.text);
        return exit_status_of(err.status);
    }
    /* Until it is called, libsodium hashes with its slowest code: a roll takes 320 ns, then 280. */
    if (sodium_init() < 0) {
        fprintf(stderr, "%s: libsodium finds no random numbers; see that /dev/urandom is there\n",
                program_invocation_name);
        return EXIT_SURROUNDINGS;
    }
    if (on_exit(check_output, NULL) != 0) {
        return EXIT_SURROUNDINGS;
    }
    return run_words(argc, argv);
}
