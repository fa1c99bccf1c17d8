/* console.h - the terminal of the person who plays: lines in, text out.
 *
 * The terminal stays in its usual mode, so it edits the line itself, screen readers follow it, and
 * it is in order however the program ends.
 */
#ifndef BOTS_HUMAN_CONSOLE_H
#define BOTS_HUMAN_CONSOLE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

enum { CONSOLE_LINE = 256 };

struct console {
    int fd;
    size_t size;             /* bytes read of the next line */
    char text[CONSOLE_LINE]; /* these bytes */
    bool is_too_long;        /* the next line did not fit; its rest is dropped */
};

enum console_news {
    CONSOLE_LINE_READ, /* line has it, without its end */
    CONSOLE_OTHER,     /* the other descriptor is readable */
    CONSOLE_END        /* the terminal is gone, or the person has ended its input (Ctrl-D) */
};

/* Opens the terminal with this path. BG_E_ARGUMENT: the text says why not. */
enum bg_status console_open(struct console *console, const char *path, struct bg_error *err);
void console_close(struct console *console);

/* Forgets what was typed and not read yet: it was not meant for what is asked next. */
void console_forget(struct console *console);

/* Waits for a line, or until other is readable. A line that is too long is read as "". */
enum console_news console_wait(char line[CONSOLE_LINE], struct console *console, int other);

void console_say(const struct console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
