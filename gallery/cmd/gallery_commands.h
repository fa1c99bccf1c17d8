/* gallery_commands.h - the subcommands that show results as pages. */
#ifndef GALLERY_CMD_GALLERY_COMMANDS_H
#define GALLERY_CMD_GALLERY_COMMANDS_H

int cmd_publish(int argc, char **argv);
int cmd_watch(int argc, char **argv);

#endif
