/* engine.h - one gnubg process that answers question lines on a private socket.
 *
 * gnubg runs in its own empty folder as home, so that it does not read or write the user's settings
 * or databases; the folder is removed once the connection is made. gnubg ends with the thread that
 * started it. Its answers depend only on the question: no cache, repeatable noise.
 */
#ifndef BOTS_GNUBG_ENGINE_H
#define BOTS_GNUBG_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/error.h>

/* Settings of gnubg, sent before it serves; a change needs a new process. */
struct engine_settings {
    const char *program; /* path, or a name looked for in PATH and /usr/games; lent */
    int plies;           /* look-ahead of checker plays, 0..3 */
    int cube_plies;      /* of cube decisions and resignations, 0..3 */
    double noise;        /* standard deviation of the noise on equities, 0 none */
    bool cubeful;        /* use cubeful equities; false when the rules have no cube */
    bool beavers;        /* money play with beavers */
};

struct engine;

/* Starts gnubg and connects to it. BG_E_START: there is no such program, or gnubg ended (the
 * message has its last output); BG_E_TIMEOUT: it did not serve in time; BG_E_SYSTEM: no
 * temporary folder, no process. */
enum bg_status engine_start(struct engine **out, const struct engine_settings *settings,
                            struct bg_error *err);

/* Sends one question line and waits for the one line that answers it, without its line end.
 * BG_E_CLOSED: gnubg has ended, the message has its last output; BG_E_FORMAT: more than one
 * line, or a line longer than size. After a failure the engine can only be stopped. */
enum bg_status engine_ask(char *reply, size_t size, struct engine *engine, const char *line,
                          struct bg_error *err);

/* Kills and reaps gnubg, frees. NULL is fine. */
void engine_stop(struct engine *engine);

#endif
