/* results_commands.h - the subcommands that need no referee. Each gets its own arguments (argv[0]
 * is its name), writes data to stdout and messages to stderr, and returns the exit status of
 * docs/running.md. */
#ifndef RESULTS_CMD_RESULTS_COMMANDS_H
#define RESULTS_CMD_RESULTS_COMMANDS_H

#include "base/exit_status.h"

int cmd_plays(int argc, char **argv);
int cmd_dice(int argc, char **argv);
int cmd_rate(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_met(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_faults(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_keygen(int argc, char **argv);
int cmd_sign(int argc, char **argv);
int cmd_backup(int argc, char **argv);
int cmd_desk(int argc, char **argv);
int cmd_replay(int argc, char **argv);

#endif
