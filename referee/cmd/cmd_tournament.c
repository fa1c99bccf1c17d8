/* cmd_tournament.c - bgref tournament EVENT.yaml: every bot plays every other bot. */
#include "referee_commands.h"

#include <base/exit_status.h>

#include "event/tournament.h"
#include "cmd/command.h"
#include "options.h"

int cmd_tournament(int argc, char **argv)
{
    struct bg_error err = {.text = ""};
    struct config_event event;
    struct options options;
    struct notify notify;
    enum bg_status status = options_read(&options, &event, OPTIONS_TOURNAMENT, argc, argv, &err);
    int code = exit_status_of(status);

    notify_open(&notify);
    if (status == BG_OK) {
        code = tournament_run(&(struct tournament_run){.event = &event,
                                                       .command = options.command,
                                                       .quiet = options.quiet,
                                                       .notify = &notify},
                              &err);
    }
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    if (status == BG_OK) {
        code = outputs_write(&options.outputs, &event, code);
    }
    if (code == EXIT_DONE) { /* also if nothing was left to play */
        notify_ready(&notify, "the event is complete");
    }
    notify_close(&notify);
    options_deinit(&options);
    config_event_deinit(&event);
    return code;
}
