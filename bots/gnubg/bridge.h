/* bridge.h - decisions of the referee become questions that wait at gnubg, answers return in order.
 *
 *     struct bridge bridge = {.settings = {...}, .strength = {...}};
 *     bridge_start(&bridge, &err);                 gnubg runs
 *     bridge.bot = bot;
 *     status = bridge_serve(&bridge, &err);        BG_E_CLOSED: the referee said goodbye
 *     bridge_end(&bridge);
 */
#ifndef BOTS_GNUBG_BRIDGE_H
#define BOTS_GNUBG_BRIDGE_H

#include <bgref/bot.h>

#include "engine.h"
#include "pace.h"
#include "query.h"

/* A decision that waits for gnubg's answer. */
struct bridge_open {
    struct bg_ask ask; /* a copy */
    char line[QUERY_LINE];
};

struct bridge {
    struct bg_bot *bot;              /* lent */
    struct engine_settings settings; /* the engine's, as last asked for */
    struct query_strength strength;
    bool tells; /* asks a second question for what it thought; then one decision waits at gnubg */
    struct engine *engines[2]; /* owned; for games without and with a cube; NULL: to be started */
    struct pace pace;
    int64_t since_ns; /* last answers, or the question after which gnubg had none before */
    bool has_failed;  /* gnubg was started again and has not answered since */
    unsigned first;   /* index of the oldest open decision */
    int count;        /* open decisions */
    int asked;        /* the oldest of them, whose questions are at gnubg */
    struct bridge_open open[ENGINE_DEPTH];
};

/* Starts gnubg twice, for games with a cube and without: a bot learns the rules with its first
 * question, when its clock runs, and gnubg takes a second to start. Statuses as engine_start. */
enum bg_status bridge_start(struct bridge *bridge, struct bg_error *err);

/* Answers decisions until an error. gnubg is started again if it dies or sends an invalid reply;
 * if it then fails at the same question, that is the error. */
enum bg_status bridge_serve(struct bridge *bridge, struct bg_error *err);

/* Stops gnubg. */
void bridge_end(struct bridge *bridge);

#endif
