/* cmd_duel.c - bgref duel: two bots, many games. A duel is a tournament of two: only the words
 * of its command line and its report differ. */
#define _GNU_SOURCE /* program_invocation_name */
#include "referee_commands.h"

#include <errno.h>
#include <stdio.h>

#include <base/exit_status.h>

#include "event/tournament.h"
#include "cmd/command.h"
#include "options.h"

int cmd_duel(int argc, char **argv)
{
    struct bg_error err = {.text = ""};
    struct config_event event;
    struct options options;
    enum bg_status status = options_read(&options, &event, OPTIONS_DUEL, argc, argv, &err);
    int code = exit_status_of(status);

    if (status == BG_OK) {
        struct tournament_run run = {
            .event = &event, .command = options.command, .duel = true, .quiet = options.quiet};

        code = tournament_run(&run, &err);
    }
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    if (status == BG_OK) {
        code = outputs_write(&options.outputs, &event, code);
    }
    options_deinit(&options);
    config_event_deinit(&event);
    return code;
}
