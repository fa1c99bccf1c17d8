/* referee_commands.h - the subcommands that run or inspect bots; same contract as
 * results/cmd/results_commands.h. */
#ifndef REFEREE_CMD_REFEREE_COMMANDS_H
#define REFEREE_CMD_REFEREE_COMMANDS_H

int cmd_judge(int argc, char **argv);
int cmd_duel(int argc, char **argv);
int cmd_tournament(int argc, char **argv);
int cmd_bots(int argc, char **argv);
int cmd_ask(int argc, char **argv);
int cmd_rollout(int argc, char **argv);
int cmd_kin(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_new_bot(int argc, char **argv);

#endif
