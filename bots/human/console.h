/* console.h - the terminal of the person who plays: lines in, text out.
 *
 * Lines are edited by libedit (editor.h), or, in plain mode and on terminals that cannot do that,
 * by the terminal itself, which stays in its usual mode: screen readers follow it.
 */
#ifndef BOTS_HUMAN_CONSOLE_H
#define BOTS_HUMAN_CONSOLE_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

#include "editor.h"

enum { CONSOLE_LINE = EDITOR_LINE, CONSOLE_PROMPT = 256 };

struct console {
    int fd;
    struct editor *editor;       /* NULL: plain lines */
    char prompt[CONSOLE_PROMPT]; /* the question */
    bool is_shown;               /* it is the last text on the terminal */
    size_t size;                 /* bytes read of the next line */
    char text[CONSOLE_LINE];     /* these bytes */
    bool is_too_long;            /* the next line did not fit; its rest is dropped */
};

enum console_news {
    CONSOLE_LINE_READ, /* line has it, without its end */
    CONSOLE_OTHER,     /* the other descriptor is readable */
    CONSOLE_END,       /* the person has ended the input (Ctrl-D) */
    CONSOLE_GONE       /* the terminal is gone */
};

/* Opens the terminal with this path. BG_E_ARGUMENT: the text says why not. */
enum bg_status console_open(struct console *console, const char *path, struct bg_error *err);
/* From now on lines are edited, if the terminal can do that. */
void console_edit(struct console *console, editor_complete_fn complete, void *user);
void console_close(struct console *console);

/* Forgets what was typed and not read yet: it was not meant for what is asked next. */
void console_forget(struct console *console);

/* Returns the terminal's width now; 80 if it does not say. */
size_t console_columns(const struct console *console);

/* Sets the question that console_wait shows. */
void console_ask(struct console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Shows the question and waits for a line, or until other is readable. A line that is too long is
 * read as "". */
enum console_news console_wait(char line[CONSOLE_LINE], struct console *console, int other);

void console_say(struct console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
