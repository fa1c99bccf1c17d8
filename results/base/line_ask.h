/* line_ask.h - one line to a running program by its socket file, and its answer.
 *
 * The answer is the line "ok", or the number of an enum bg_status, and then text to the end of the
 * stream.
 */
#ifndef RESULTS_BASE_LINE_ASK_H
#define RESULTS_BASE_LINE_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

/* Makes an unconnected socket and its address, also for a path longer than addresses are: *folder
 * is a descriptor that must stay open until bind or connect. BG_E_ARGUMENT, BG_E_SYSTEM. On failure
 * too the caller closes those that are not -1. */
struct sockaddr_un;
enum bg_status line_socket_make(int *fd, int *folder, struct sockaddr_un *address, int type,
                                const char *path, struct bg_error *err);

enum { LINE_ASK_PATIENCE_S = 60 /* for a person's command */ };

/* Sends the line with its LF and waits for the answer, at most patience_s seconds. silent: the
 * message when none comes (BG_E_SYSTEM). BG_E_BUSY: nobody is listening. BG_OK: *answer is its
 * text; the caller frees it. Else the program's refusal. */
enum bg_status line_ask(char **answer, const char *path, const char *line, const char *silent,
                        int patience_s, struct bg_error *err);

/* Whether to ask once more, after a moment: status is BG_E_TIMEOUT, which says that the program is
 * still finding out, and it was so for less than a minute. *times: 0 before the first answer. */
bool line_ask_again(enum bg_status status, int *times);

#endif
