/* Only what was changed is set back, and only from the foreground: tcsetattr() in a background
 * process raises SIGTTOU, which would stop the referee. */
#include "terminal.h"

#include <stdbool.h>
#include <termios.h>
#include <unistd.h>

static struct termios kept;
static bool is_kept;

void terminal_keep(void)
{
    is_kept = tcgetattr(STDIN_FILENO, &kept) == 0;
}

/* In the background the modes are another program's, mostly the shell's. */
void terminal_restore(void)
{
    struct termios now;

    if (is_kept && tcgetattr(STDIN_FILENO, &now) == 0 && now.c_lflag != kept.c_lflag) {
        const pid_t front = tcgetpgrp(STDIN_FILENO);

        if (front == getpgrp() || front < 0) {
            (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &kept);
        }
    }
    is_kept = false;
}
