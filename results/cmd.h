/* cmd.h - the subcommands that need no referee. Each gets its own arguments (argv[0] is its name),
 * writes data to stdout and talk to stderr, and returns the exit status of docs/running.md. */
#ifndef RESULTS_CMD_H
#define RESULTS_CMD_H

int cmd_plays(int argc, char **argv);
int cmd_position(int argc, char **argv);
int cmd_dice(int argc, char **argv);
int cmd_rate(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_export(int argc, char **argv);

/* Exit statuses (design: one list for the program). */
enum {
    EXIT_DONE = 0,
    EXIT_CHECK = 1,
    EXIT_MISUSE = 2,
    EXIT_START = 3,
    EXIT_FAULT = 4,
    EXIT_SURROUNDINGS = 5,
    EXIT_VERIFY = 6,
    EXIT_HANGUP = 129,
    EXIT_INTERRUPT = 130,
    EXIT_TERMINATE = 143
};

#endif
