/* editor.h - lines that can be edited, recalled and completed, by libedit.
 *
 * The terminal is in libedit's mode only while a line is read. A line that is interrupted by other
 * news is kept and shown again by the next read.
 */
#ifndef BOTS_HUMAN_EDITOR_H
#define BOTS_HUMAN_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "complete.h"

enum { EDITOR_LINE = 256 };

struct editor;

typedef void (*editor_complete_fn)(void *user, struct completion *out, const char *line);

enum editor_news { EDITOR_LINE_READ, EDITOR_OTHER, EDITOR_END };

/* Returns NULL if the terminal cannot be edited on, or memory is short. complete is called when the
 * person asks for completion (Tab). */
struct editor *editor_open(int terminal, editor_complete_fn complete, void *user);
/* NULL is fine. */
void editor_close(struct editor *editor);

/* A line was interrupted, and something was typed in it. */
bool editor_has_text(const struct editor *editor);
/* Forgets such a line. */
void editor_forget(struct editor *editor);

/* Shows prompt and reads a line without its end, or returns when other is readable. END: the person
 * has ended the input (Ctrl-D), or the terminal is gone. */
enum editor_news editor_read(struct editor *editor, char line[EDITOR_LINE], const char *prompt,
                             int other);

#endif
