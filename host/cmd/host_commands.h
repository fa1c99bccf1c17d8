/* host_commands.h - the subcommands of a host, of an author who joins it, and of who prepares a
 * machine for them; same contract as results/cmd/results_commands.h. */
#ifndef HOST_CMD_HOST_COMMANDS_H
#define HOST_CMD_HOST_COMMANDS_H

int cmd_doctor(int argc, char **argv);
int cmd_host(int argc, char **argv);
int cmd_join(int argc, char **argv);

#endif
