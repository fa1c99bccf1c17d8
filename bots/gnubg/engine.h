/* engine.h - one gnubg process that answers question lines on a private socket.
 *
 * gnubg runs in its own empty folder as home, so that it does not read or write the user's settings
 * or databases; the folder is removed once the connection is made. gnubg ends with the thread that
 * started it. Its answers depend only on the question: no cache, repeatable noise.
 *
 * Questions may wait at gnubg, which then goes on without waiting for the bridge:
 *
 *     engine_add(engine, line, &err);     up to engine_depth questions
 *     engine_send(engine, &err);          all of them in one write
 *     engine_take(reply, sizeof reply, engine, true, &err);    in the order of the questions
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
};

struct engine;

enum {
    ENGINE_DEPTH = 64,    /* questions open at once */
    ENGINE_QUESTION = 254 /* longest question in bytes, without line end */
};

/* Starts gnubg and connects to it. BG_E_START: there is no such program, or gnubg ended (the
 * message has its last output); BG_E_TIMEOUT: it did not serve in time; BG_E_SYSTEM: no
 * temporary folder, no process. */
enum bg_status engine_start(struct engine **out, const struct engine_settings *settings,
                            struct bg_error *err);

/* Returns how many questions may be open at once: ENGINE_DEPTH, or 1 for a gnubg that drops what
 * waits behind a question. */
int engine_depth(const struct engine *engine);

/* Adds a question to those that engine_send sends. The caller has fewer than engine_depth open.
 * BG_E_ARGUMENT: longer than ENGINE_QUESTION. */
enum bg_status engine_add(struct engine *engine, const char *line, struct bg_error *err);

/* Sends the added questions. Does not wait for gnubg. BG_E_CLOSED: gnubg has ended, the message has
 * its last output. After a failure the engine can only be stopped. */
enum bg_status engine_send(struct engine *engine, struct bg_error *err);

/* Takes the line that answers the oldest open question, without its line end. Without wait only
 * from what an earlier wait has read: BG_E_TIMEOUT, without a message, if that is used up.
 * BG_E_CLOSED: as above; BG_E_FORMAT: a line that no question asked for, or longer than size. After
 * another failure than BG_E_TIMEOUT the engine can only be stopped. */
enum bg_status engine_take(char *reply, size_t size, struct engine *engine, bool wait,
                           struct bg_error *err);

/* Sends one question and waits for its answer; no other question is open. Statuses as above. */
enum bg_status engine_ask(char *reply, size_t size, struct engine *engine, const char *line,
                          struct bg_error *err);

/* Kills and reaps gnubg, frees. NULL is fine. */
void engine_stop(struct engine *engine);

#endif
