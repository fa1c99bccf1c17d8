/* join_screen.h - a block of lines at a terminal that is drawn again in its place. */
#ifndef REFEREE_DOOR_JOIN_SCREEN_H
#define REFEREE_DOOR_JOIN_SCREEN_H

#include <stdbool.h>
#include <termios.h>

#include "join_view.h"

struct join_screen {
    bool is_on;
    bool has_colour; /* unless NO_COLOR is set */
    int drawn;       /* lines of the block above the cursor */
    int columns;     /* when it was drawn */
    bool is_silent;  /* what is typed is not shown: restored at the end */
    struct termios modes;
};

/* Whether standard output is a terminal that can do it: TERM is set, and not "dumb". */
bool join_screen_is_possible(void);

void join_screen_open(struct join_screen *screen);
void join_screen_draw(struct join_screen *screen, const struct join_view *view, int64_t now_ns);
/* Other text may follow; the next drawing is below it. */
void join_screen_break(struct join_screen *screen);
/* Leaves the last drawing, and the terminal as it was. Fine if it is not open. */
void join_screen_close(struct join_screen *screen);

#endif
