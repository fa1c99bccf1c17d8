/* gnubg as a bot: the referee's decisions become questions to an unmodified GNU Backgammon.
 *
 * Options: Plies, CubePlies, Noise, Program. Every answer depends on its Ask and these options
 * alone, so results repeat at any concurrency and after any restart. It never offers to resign.
 */
#define _GNU_SOURCE /* prctl */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <sys/prctl.h>

#include <bgref/bot.h>

#include "engine.h"
#include "query.h"
#include "values.h"

enum {
    IN_FLIGHT = 16, /* hides the wire at 0-ply; at 3-ply all of them take a few seconds */
    BATCH = 8       /* answers held back at 0-ply, where eight take about a millisecond */
};

static const struct bg_option options[] = {
    {"Plies", BG_OPTION_INTEGER, "0", "0", "3", NULL, "look-ahead of checker plays"},
    {"CubePlies", BG_OPTION_INTEGER, "-1", "-1", "3", NULL,
     "look-ahead of cube decisions and resignations; -1: as Plies"},
    {"Noise", BG_OPTION_REAL, "0", "0", "1", NULL,
     "standard deviation of repeatable noise on equities"},
    {"Program", BG_OPTION_STRING, "gnubg", NULL, NULL, NULL, "GNU Backgammon's program"},
};

struct bridge {
    struct bg_bot *bot;
    struct engine_settings settings;
    struct query_strength strength;
    struct engine *engine; /* NULL: to be started */
    int unsent;
};

/* Does not check ranges: bg_bot_open has checked the values of options. */
static void read_options(struct bridge *bridge, const struct bg_bot *bot)
{
    struct engine_settings *settings = &bridge->settings;

    settings->plies = (int)strtol(bg_bot_option(bot, "Plies"), NULL, 10);
    settings->cube_plies = (int)strtol(bg_bot_option(bot, "CubePlies"), NULL, 10);
    if (settings->cube_plies < 0) {
        settings->cube_plies = settings->plies;
    }
    settings->noise = strtod(bg_bot_option(bot, "Noise"), NULL);
    settings->program = bg_bot_option(bot, "Program");
    bridge->strength = (struct query_strength){settings->cube_plies, settings->noise};
}

/* Returns the engine for these rules. Within an event the rules never change, so the engine stays
 * the same. */
static enum bg_status engine_for(struct bridge *bridge, const struct bg_rules *rules,
                                 struct bg_error *err)
{
    bool beavers = rules->beavers && rules->length_points == 0;

    if (rules->cube != bridge->settings.cubeful || beavers != bridge->settings.beavers) {
        engine_stop(bridge->engine);
        bridge->engine = NULL;
        bridge->settings.cubeful = rules->cube;
        bridge->settings.beavers = beavers;
    }
    return bridge->engine != NULL ? BG_OK : engine_start(&bridge->engine, &bridge->settings, err);
}

static enum bg_status ask_gnubg(struct bg_answer *out, struct bridge *bridge,
                                const struct bg_ask *ask, const char *line, struct bg_error *err)
{
    char reply[QUERY_LINE];
    enum bg_status status = engine_for(bridge, &ask->rules, err);

    if (status == BG_OK) {
        status = engine_ask(reply, sizeof reply, bridge->engine, line, err);
    }
    return status == BG_OK ? query_read(out, ask, reply, err) : status;
}

/* Restarts gnubg once if it died or sent an invalid reply; a second failure is returned. */
static enum bg_status decide(struct bg_answer *out, struct bridge *bridge, const struct bg_ask *ask,
                             struct bg_error *err)
{
    char line[QUERY_LINE];
    enum bg_status status = query_write(line, ask, &bridge->strength, err);

    if (status != BG_OK) {
        return status;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        status = ask_gnubg(out, bridge, ask, line, err);
        if (status == BG_OK) {
            return status;
        }
        fprintf(stderr, "gnubg: game %s: %s (asked: %s)%s\n", ask->game, err->text, line,
                attempt == 0 ? "; starting it again" : "");
        engine_stop(bridge->engine);
        bridge->engine = NULL;
    }
    return status;
}

/* An unsupported question is reported; a second failure of gnubg ends the bridge, as above. */
static enum bg_status value(struct bridge *bridge, const struct bg_ask *ask, struct bg_error *err)
{
    struct query_strength strength = bridge->strength;
    struct bg_value value = BG_VALUE_INIT;
    enum bg_status status = BG_OK;

    if (ask->kind == BG_VALUE_ROLLS) {
        strength.plies = bridge->settings.plies;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        status = engine_for(bridge, &ask->rules, err);
        if (status == BG_OK) {
            status = values_find(&value, ask, bridge->engine, &strength, err);
        }
        if (status == BG_OK || status == BG_E_ARGUMENT) {
            break;
        }
        fprintf(stderr, "gnubg: position to be valued: %s%s\n", err->text,
                attempt == 0 ? "; starting it again" : "");
        engine_stop(bridge->engine);
        bridge->engine = NULL;
    }
    if (status == BG_E_ARGUMENT) {
        return bg_bot_answer_cannot(bridge->bot, ask, err->text, err);
    }
    return status != BG_OK ? status : bg_bot_answer_value(bridge->bot, ask, &value, err);
}

static enum bg_status answer(struct bridge *bridge, const struct bg_ask *ask, struct bg_error *err)
{
    struct bg_answer answer;
    enum bg_status status;

    if (ask->kind >= BG_VALUE_POSITION) {
        return value(bridge, ask, err);
    }
    /* Backgammon's own opening leaves nothing to keep; gnubg has no such decision either. */
    if (ask->kind == BG_DECIDE_KEEP) {
        return bg_bot_answer(bridge->bot, ask, BG_ANSWER_KEEP, err);
    }
    status = decide(&answer, bridge, ask, err);
    if (status != BG_OK) {
        return status;
    }
    if (answer.kind == BG_ANSWER_MOVES) {
        return bg_bot_answer_play(bridge->bot, ask, &answer.play, err);
    }
    return bg_bot_answer(bridge->bot, ask, answer.kind, err);
}

/* Sends answers that are ready, so that the referee does not wait for them while a long question
 * runs. */
static enum bg_status send_ready(struct bridge *bridge, struct bg_error *err)
{
    int hold = bridge->settings.plies > 0 || bridge->settings.cube_plies > 0 ? 1 : BATCH;

    if (++bridge->unsent < hold || bg_bot_waiting(bridge->bot) == 0) {
        return BG_OK; /* if no decision waits, bg_bot_next sends them */
    }
    bridge->unsent = 0;
    return bg_bot_flush(bridge->bot, err);
}

/* Starts gnubg before Ready: if it is missing the bot does not start, and no clock runs during
 * its start. */
static enum bg_status prepare(void *user, const struct bg_bot *bot, struct bg_error *err)
{
    struct bridge *bridge = user;
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);

    read_options(bridge, bot);
    return engine_for(bridge, &rules, err);
}

static enum bg_status serve(struct bridge *bridge, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    const struct bg_ask *ask = NULL;

    while (status == BG_OK) {
        status = bg_bot_next(&ask, bridge->bot, -1, err);
        if (status == BG_OK) {
            status = answer(bridge, ask, err);
        }
        if (status == BG_OK) {
            status = send_ready(bridge, err);
        }
    }
    return status;
}

int main(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bridge bridge = {0};
    struct bg_error err = {0};
    enum bg_status status;

    /* Without the referee the bridge must end; gnubg then ends too. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    info.name = "gnubg";
    info.version = BG_VERSION;
    info.author = "bgref; gnubg by its authors";
    info.variants = "backgammon nackgammon short-nardi"; /* one game, two set-ups */
    info.options = options;
    info.option_count = sizeof options / sizeof *options;
    info.max_in_flight = IN_FLIGHT;
    info.evaluates = true;
    info.prepare = prepare;
    info.user = &bridge;
    status = bg_bot_open(&bridge.bot, &info, &err);
    if (status == BG_OK) {
        status = serve(&bridge, &err);
    }
    engine_stop(bridge.engine);
    bg_bot_close(bridge.bot);
    if (status != BG_OK && status != BG_E_CLOSED) {
        fprintf(stderr, "bgref-gnubg: %s\n", err.text);
        return 1;
    }
    return 0;
}
