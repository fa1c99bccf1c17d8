#define _GNU_SOURCE
#include "join_screen.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS = 80, ROWS = 24, NARROWEST = 20 };

bool join_screen_is_possible(void)
{
    const char *term = getenv("TERM");

    return isatty(STDOUT_FILENO) == 1 && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0;
}

static volatile sig_atomic_t was_stopped;

static void on_continue(int signal)
{
    (void)signal;
    was_stopped = 1;
}

/* A shell has the terminal while this process is in the background, or nobody uses job control. */
static bool is_in_front(void)
{
    pid_t group = tcgetpgrp(STDOUT_FILENO);

    return group < 0 || group == getpgrp();
}

/* An Enter that is echoed would move the block. Keys go on to send signals. A process in the
 * background would be stopped by setting modes. */
static void silence(struct join_screen *screen)
{
    struct termios modes;

    if (tcgetpgrp(STDIN_FILENO) == getpgrp() && tcgetattr(STDIN_FILENO, &modes) == 0) {
        if (!screen->is_silent) {
            screen->modes = modes;
        }
        modes.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
        screen->is_silent |= tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0;
    }
}

void join_screen_open(struct join_screen *screen)
{
    const char *no_colour = getenv("NO_COLOR");

    *screen = (struct join_screen){.is_on = true,
                                   .has_colour = no_colour == NULL || no_colour[0] == '\0'};
    sigaction(SIGCONT, &(struct sigaction){.sa_handler = on_continue, .sa_flags = SA_RESTART},
              NULL);
    silence(screen);
}

static void measure(int *columns, int *rows)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;

    *columns = !known ? COLUMNS : size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
    *rows = !known || size.ws_row < 2 ? ROWS : size.ws_row;
}

/* The length of as many lines as the terminal has room for, with the cursor below them. */
static int fit(const char *text, int lines, int rows, size_t *size)
{
    int shown = lines < rows ? lines : rows - 1;

    *size = 0;
    for (int i = 0; i < shown; i++) {
        *size += strcspn(text + *size, "\n") + 1;
    }
    return shown;
}

/* Each line clears what stood in its place, before it: behind a full line the cursor is on its last
 * character. Lines are not wrapped, whatever their width is. */
void join_screen_draw(struct join_screen *screen, const struct join_view *view, int64_t now_ns)
{
    static char text[JOIN_VIEW_TEXT]; /* one thread */
    int columns, rows, lines;
    size_t size;

    if (!screen->is_on) {
        return;
    }
    if (!is_in_front()) { /* the lines of the shell are not ours */
        was_stopped = 1;
        return;
    }
    if (was_stopped != 0) { /* its lines are below the block now, and its modes are in force */
        was_stopped = 0;
        screen->drawn = 0;
        silence(screen);
    }
    measure(&columns, &rows);
    lines = join_view_write(text, view, columns, screen->has_colour, now_ns);
    lines = fit(text, lines, rows, &size);
    if (screen->drawn > 0 && columns != screen->columns) { /* its lines are somewhere else now */
        fputs("\033[H\033[2J", stdout);
    } else if (screen->drawn > 0) {
        printf("\033[%dA", screen->drawn < rows ? screen->drawn : rows - 1);
    }
    fputs("\r\033[?7l", stdout);
    for (const char *line = text; line < text + size; line += strcspn(line, "\n") + 1) {
        printf("\033[K%.*s\n", (int)strcspn(line, "\n"), line);
    }
    fputs("\033[J\033[?7h", stdout);
    fflush(stdout);
    screen->drawn = lines;
    screen->columns = columns;
}

void join_screen_break(struct join_screen *screen)
{
    screen->drawn = 0;
}

void join_screen_close(struct join_screen *screen)
{
    if (screen->is_silent && is_in_front()) {
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &screen->modes);
    }
    *screen = (struct join_screen){.is_on = false};
}
