/* engine.h - the process of a UBGI engine: lines to its standard input, lines from its standard
 * output. Its standard error is the bridge's. It ends with the thread that started it, and gets
 * nothing from the referee's environment. */
#ifndef BOTS_UBGI_ENGINE_H
#define BOTS_UBGI_ENGINE_H

#include <bgref/error.h>

#include <stdint.h>

#include "words.h"

struct engine;

/* Starts the program argv[0] (NULL-terminated; looked for in PATH unless it has a '/'). BG_E_START:
 * it cannot be started. */
enum bg_status engine_start(struct engine **out, char *const argv[], struct bg_error *err);

/* Sends text, whole lines. asked: the question, for messages; lent until the next call.
 * BG_E_CLOSED: the engine has ended; the message names how. */
enum bg_status engine_send(struct engine *engine, const char *text, const char *asked,
                           struct bg_error *err);

/* Waits for the next line, without its end, lent until the next call. patience_ms: longest wait,
 * -1: no limit. BG_E_TIMEOUT; BG_E_CLOSED as above; BG_E_FORMAT: longer than WORDS_LINE or with a
 * NUL in it. */
enum bg_status engine_line(const char **out, struct engine *engine, int64_t patience_ms,
                           struct bg_error *err);

/* Sends quit, and kills the engine if it is still running a moment later. NULL is fine. */
void engine_stop(struct engine *engine);

#endif
