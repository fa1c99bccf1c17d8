/* ubgi as a bot: the referee's decisions become commands to an engine that speaks UBGI.
 *
 *     bgref-ubgi ./myengine --its-arguments       or option Engine
 *
 * Engines speak one of two families. A refused question is asked in the other form; the form that
 * the engine answers is kept. For decisions without a UBGI command the bridge has fixed rules: For
 * an engine that refuses cube questions it never doubles and takes every double. An engine that
 * answers them is also asked `take` (as in `bgref serve`), unless option Takes changes that. The
 * bridge accepts the opponent's beaver and makes none. It accepts a resignation that pays at least
 * the game's present value, and offers none. It keeps the opening numbers.
 */
#define _GNU_SOURCE /* prctl */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/prctl.h>

#include <bgref/bot.h>

#include "../common/notice.h"
#include "engine.h"
#include "words.h"

static const struct bg_option options[] = {
    {"Engine", BG_OPTION_STRING, "", NULL, NULL, NULL,
     "command that starts the engine, as a shell reads it (or words after the bridge's own name)"},
    {"Set", BG_OPTION_STRING, "", NULL, NULL, NULL,
     "settings of the engine: NAME=VALUE, several separated by ';'"},
    {"MoveTime", BG_OPTION_INTEGER, "0", "0", "3600000", NULL,
     "time per move for the engine in milliseconds (`movetime`); 0: not sent"},
    {"Cube", BG_OPTION_FLAG, "true", NULL, NULL, NULL,
     "false: never ask the engine for cube decisions"},
    {"Takes", BG_OPTION_CHOICE, "ask", NULL, NULL, "ask|always|never",
     "ask: by the engine where it knows the cube and the word `take`, else always"},
    {"StartTime", BG_OPTION_INTEGER, "20", "1", "3600", NULL,
     "seconds the engine may take to get ready"},
};

struct main_bridge {
    struct bg_bot *bot;
    char **arguments; /* the bridge's; the engine's command unless option Engine is given */
    const char *command;
    struct engine *engine; /* NULL: not started */
    bool has_keys;         /* accepts `set` */
    bool is_newer;         /* the form of its questions */
    bool is_sure;          /* it has answered in that form */
    bool asks_cube, asks_take, always_takes;
    bool knows_cube;   /* it has answered a question about the cube */
    bool told_context; /* has logged that the engine refuses match, score or cube */
    int64_t start_ms;
    int64_t patience_ms; /* after this time a decision is logged as late on standard error */
    char limits[40];     /* the limits of `go`; "" if there are none, or it refuses them */
    char refusal[128];   /* from the last question that was refused */
    char variant[24];    /* the game that was last sent to the engine */
    char game[BG_GAME_ID];
    char context[WORDS_CONTEXT]; /* the match, score and cube that were last sent to the engine */
};

/* ---- talking to the engine ---- */

/* Reads the next line with content. Logs a decision close to its time limit, so that
 * the reason is known when the referee ends the bot. */
static enum bg_status next_word(struct word *out, const char **line, struct main_bridge *bridge,
                                struct bg_error *err)
{
    enum bg_status status = engine_line(line, bridge->engine, bridge->patience_ms, err);

    if (status == BG_E_TIMEOUT) {
        fprintf(stderr, "bgref-ubgi: %s (waited %lld ms)\n", err->text,
                (long long)bridge->patience_ms);
        status = engine_line(line, bridge->engine, -1, err);
    }
    if (status == BG_OK) {
        words_read(out, *line);
    }
    return status;
}

static enum bg_status nonsense(const char *line, const char *asked, struct bg_error *err)
{
    return bg_error_set(err, BG_E_FORMAT, "the engine answers '%.120s' to: %.*s", line,
                        (int)strcspn(asked, "\n"), asked);
}

/* Sends commands that succeed without an answer, and waits until the engine has read them. refusal
 * gets the first error, or "". Answers to an earlier question may still come first: an engine may
 * print bestmove and bestmoveid. */
static enum bg_status tell_engine(char *refusal, size_t size, struct main_bridge *bridge,
                                  const char *commands, struct bg_error *err)
{
    struct word word = {.kind = WORD_TALK};
    char text[WORDS_CONTEXT + 64];
    enum bg_status status;

    refusal[0] = '\0';
    snprintf(text, sizeof text, "%sisready\n", commands);
    status = engine_send(bridge->engine, text, commands[0] == '\0' ? "isready" : commands, err);
    while (status == BG_OK && word.kind != WORD_READY) {
        const char *line;

        status = next_word(&word, &line, bridge, err);
        if (status == BG_OK && word.kind == WORD_NONSENSE) {
            status = nonsense(line, commands[0] == '\0' ? "isready" : commands, err);
        } else if (status == BG_OK && refusal[0] == '\0' &&
                   (word.kind == WORD_CANNOT || word.kind == WORD_ERROR)) {
            snprintf(refusal, size, "%.120s", line);
        }
    }
    return status;
}

/* Asks one question in one form. WORD_CANNOT: it is refused. */
static enum bg_status ask_once(struct word *out, struct main_bridge *bridge, const char *command,
                               struct bg_error *err)
{
    const char *line;
    enum bg_status status = engine_send(bridge->engine, command, command, err);

    while (status == BG_OK) {
        status = next_word(out, &line, bridge, err);
        if (status != BG_OK ||
            (out->kind != WORD_TALK && out->kind != WORD_KEYS && out->kind != WORD_PROTO)) {
            break;
        }
    }
    if (status == BG_OK && (out->kind == WORD_CANNOT || out->kind == WORD_ERROR)) {
        out->kind = WORD_CANNOT;
        snprintf(bridge->refusal, sizeof bridge->refusal, "%.120s", line);
    } else if (status == BG_OK &&
               (out->kind == WORD_NONSENSE || out->kind == WORD_HELLO || out->kind == WORD_READY)) {
        status = nonsense(line, command, err);
    }
    return status;
}

/* Asks again, with the dice: a refused question may have removed them. */
static enum bg_status ask_again(struct word *out, struct main_bridge *bridge, const char *command,
                                const char *position, struct bg_error *err)
{
    char refusal[128];
    enum bg_status status = tell_engine(refusal, sizeof refusal, bridge, position, err);

    return status == BG_OK ? ask_once(out, bridge, command, err) : status;
}

/* Asks in the form that the engine is known or assumed to speak. If it refuses: without the time
 * limit, and in the other form unless this one is known to work. Keeps the form that was
 * answered. */
static enum bg_status ask_engine(struct word *out, struct main_bridge *bridge, const char *role,
                                 const char *position, struct bg_error *err)
{
    bool form = bridge->is_newer, first = true;
    enum bg_status status = BG_OK;

    for (int other = 0; other < (bridge->is_sure ? 1 : 2); other++) {
        for (int bare = bridge->limits[0] == '\0'; bare < 2; bare++) {
            char command[WORDS_GO];

            words_go(command, role, form != (other == 1), bare ? "" : bridge->limits);
            status = first ? ask_once(out, bridge, command, err)
                           : ask_again(out, bridge, command, position, err);
            first = false;
            if (status != BG_OK) {
                return status;
            }
            if (out->kind != WORD_CANNOT) {
                bridge->is_newer = form != (other == 1);
                bridge->is_sure = true;
                if (bare && bridge->limits[0] != '\0') {
                    fprintf(stderr, "bgref-ubgi: the engine refuses the time limit, which is left "
                                    "out\n");
                    bridge->limits[0] = '\0';
                }
                return BG_OK;
            }
        }
    }
    return BG_OK;
}

/* ---- starting ---- */

static enum bg_status send_settings(struct main_bridge *bridge, const char *settings,
                                    struct bg_error *err)
{
    enum bg_status status = BG_OK;

    while (status == BG_OK && *settings != '\0') {
        size_t length = strcspn(settings, ";");
        char command[WORDS_SETTING], refusal[128];

        status = words_setting(command, settings, length, bridge->has_keys, err);
        if (status == BG_OK) {
            status = tell_engine(refusal, sizeof refusal, bridge, command, err);
        }
        if (status == BG_OK && refusal[0] != '\0') {
            status = bg_error_set(err, BG_E_ARGUMENT, "the engine refuses '%.*s': %s", (int)length,
                                  settings, refusal);
        }
        settings += length + (settings[length] == ';' ? 1 : 0);
    }
    return status;
}

/* Accepts everything before ubgiok: banners, warnings. Some engines send only readyok. */
static enum bg_status greet_engine(struct main_bridge *bridge, struct bg_error *err)
{
    struct word word = {.kind = WORD_TALK};
    char refusal[128];
    enum bg_status status = engine_send(bridge->engine, "ubgi\n", "ubgi", err);

    while (status == BG_OK && word.kind != WORD_HELLO && word.kind != WORD_READY) {
        const char *line;

        status = engine_line(&line, bridge->engine, bridge->start_ms, err);
        if (status == BG_OK) {
            words_read(&word, line);
            bridge->has_keys =
                bridge->has_keys || word.kind == WORD_KEYS || word.kind == WORD_PROTO;
            bridge->is_newer = bridge->is_newer || word.kind == WORD_KEYS;
        }
    }
    if (status == BG_OK) {
        status = tell_engine(refusal, sizeof refusal, bridge, "", err);
    }
    return status;
}

static enum bg_status start_engine(struct main_bridge *bridge, struct bg_error *err)
{
    static char shell[] = "/bin/sh", dash_c[] = "-c";
    char command[300];
    char *by_shell[] = {shell, dash_c, command, NULL};

    if (bridge->command[0] != '\0' && bridge->arguments[0] != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "option Engine and words after the bridge's name exclude each other");
    }
    if (bridge->command[0] == '\0' && bridge->arguments[0] == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "no engine given: use option.Engine=\"./myengine\"");
    }
    snprintf(command, sizeof command, "exec %s", bridge->command);
    return engine_start(&bridge->engine, bridge->command[0] != '\0' ? by_shell : bridge->arguments,
                        err);
}

/* Does not check ranges: bg_bot_open has checked the values of options. */
static void read_bot_options(struct main_bridge *bridge, const struct bg_bot *bot)
{
    const char *takes = bg_bot_option(bot, "Takes");
    long think_ms = strtol(bg_bot_option(bot, "MoveTime"), NULL, 10);

    bridge->command = bg_bot_option(bot, "Engine");
    bridge->asks_cube = strcmp(bg_bot_option(bot, "Cube"), "true") == 0;
    bridge->asks_take = bridge->asks_cube && strcmp(takes, "ask") == 0;
    bridge->always_takes = strcmp(takes, "never") != 0;
    bridge->start_ms = 1000 * strtol(bg_bot_option(bot, "StartTime"), NULL, 10);
    if (think_ms > 0) {
        snprintf(bridge->limits, sizeof bridge->limits, " movetime %ld", think_ms);
    }
}

/* Starts the engine before Ready: if it is missing the bot does not start, and no clock runs
 * during its start. */
static enum bg_status prepare_engine(void *user, const struct bg_bot *bot, struct bg_error *err)
{
    struct main_bridge *bridge = user;
    enum bg_status status;

    read_bot_options(bridge, bot);
    bridge->patience_ms = bridge->start_ms;
    status = start_engine(bridge, err);
    if (status == BG_OK) {
        status = greet_engine(bridge, err);
    }
    if (status == BG_OK) {
        status = send_settings(bridge, bg_bot_option(bot, "Set"), err);
    }
    if (status != BG_OK && bridge->engine != NULL) {
        struct bg_error why = *err;

        status = bg_error_set(err, BG_E_START, "%.120s: %s", /* its end here is not a goodbye */
                              bridge->command[0] != '\0' ? bridge->command : bridge->arguments[0],
                              why.text);
    }
    return status;
}

/* ---- deciding ---- */

/* Sends match, score and cube, if the engine does not know them yet; newgame may delete them. */
static enum bg_status put_context(struct main_bridge *bridge, const struct bg_ask *ask,
                                  struct bg_error *err)
{
    char context[WORDS_CONTEXT], commands[WORDS_CONTEXT + 16], refusal[128];
    bool is_new = strcmp(bridge->game, ask->game) != 0;
    enum bg_status status;

    words_context(context, ask);
    if (!is_new && strcmp(context, bridge->context) == 0) {
        return BG_OK;
    }
    snprintf(commands, sizeof commands, "%s%s", is_new ? "newgame\n" : "", context);
    status = tell_engine(refusal, sizeof refusal, bridge, commands, err);
    if (status == BG_OK && refusal[0] != '\0' && !bridge->told_context) {
        fprintf(stderr, "bgref-ubgi: the engine does not take match, score or cube: %s\n", refusal);
        bridge->told_context = true;
    }
    snprintf(bridge->game, sizeof bridge->game, "%s", ask->game);
    snprintf(bridge->context, sizeof bridge->context, "%s", context);
    return status;
}

/* Names the game by its set-up: its moves are those of backgammon, so an engine that knows only
 * backgammon can play it by its own judgement. */
static enum bg_status put_variant(struct main_bridge *bridge, const struct bg_ask *ask,
                                  struct bg_error *err)
{
    const char *id = bg_variant_id(ask->rules.variant);
    char command[WORDS_SETTING], refusal[128];
    enum bg_status status;

    id = strcmp(id, "short-nardi") == 0 ? "backgammon" : id;
    if (strcmp(id, bridge->variant) == 0) {
        return BG_OK;
    }
    words_variant(command, id, bridge->has_keys);
    status = tell_engine(refusal, sizeof refusal, bridge, command, err);
    if (status == BG_OK && refusal[0] != '\0') {
        fprintf(stderr, "bgref-ubgi: the engine does not know %s, and plays it as backgammon: %s\n",
                id, refusal);
    }
    snprintf(bridge->variant, sizeof bridge->variant, "%s", id);
    return status;
}

static enum bg_status put_position(char commands[WORDS_POSITION], struct main_bridge *bridge,
                                   const struct bg_ask *ask, struct bg_error *err)
{
    char refusal[128];
    enum bg_status status = put_variant(bridge, ask, err);

    if (status == BG_OK) {
        status = put_context(bridge, ask, err);
    }
    if (status == BG_OK) {
        status = words_position(commands, ask, err);
    }
    if (status == BG_OK) {
        status = tell_engine(refusal, sizeof refusal, bridge, commands, err);
    }
    if (status == BG_OK && refusal[0] != '\0') {
        status = nonsense(refusal, commands, err);
    }
    return status;
}

static enum bg_status answer_play(struct main_bridge *bridge, const struct bg_ask *ask,
                                  struct bg_error *err)
{
    struct bg_board result;
    struct word word;
    char position[WORDS_POSITION];
    enum bg_status status = put_position(position, bridge, ask, err);

    if (status == BG_OK) {
        status = ask_engine(&word, bridge, "chequer", position, err);
    }
    if (status != BG_OK) {
        return status;
    }
    if (word.kind == WORD_PLAY) {
        return bg_bot_answer_play(bridge->bot, ask, &word.play, err);
    }
    if (word.kind != WORD_RESULT) {
        return bg_error_set(err, BG_E_FORMAT, "the engine has no answer to: go %schequer: %s",
                            bridge->is_newer ? "" : "role ", bridge->refusal);
    }
    status = words_result(&result, ask, word.position, err);
    return status == BG_OK ? bg_bot_answer_result(bridge->bot, ask, &result, err) : status;
}

/* Asks for a cube decision. *knows is false if the engine refuses, or answers with a play: then it
 * does not know such a question. */
static enum bg_status cube(bool *yes, bool *knows, struct main_bridge *bridge,
                           const struct bg_ask *ask, const char *role, struct bg_error *err)
{
    struct word word;
    char position[WORDS_POSITION];
    bool was_sure = bridge->is_sure, was_newer = bridge->is_newer;
    enum bg_status status = put_position(position, bridge, ask, err);

    if (status == BG_OK) {
        status = ask_engine(&word, bridge, role, position, err);
    }
    if (status != BG_OK) {
        return status;
    }
    *knows = word.kind == WORD_YES || word.kind == WORD_NO;
    *yes = word.kind == WORD_YES;
    if (!*knows) { /* such an answer says nothing about its form */
        bridge->is_sure = was_sure;
        bridge->is_newer = was_newer;
    }
    return BG_OK;
}

static enum bg_status double_or_roll(bool *yes, struct main_bridge *bridge,
                                     const struct bg_ask *ask, struct bg_error *err)
{
    bool knows = true;
    enum bg_status status = cube(yes, &knows, bridge, ask, "cube", err);

    bridge->knows_cube = knows;
    if (status == BG_OK && !knows) {
        fprintf(stderr, "bgref-ubgi: the engine has no answer about the cube: it never doubles%s\n",
                bridge->always_takes ? " and takes every double" : "");
        bridge->asks_cube = bridge->asks_take = false;
    }
    return status;
}

/* Asks about takes only engines that answer about doubling; no published text has a command for
 * takes. */
static enum bg_status take_or_pass(bool *yes, struct main_bridge *bridge, const struct bg_ask *ask,
                                   struct bg_error *err)
{
    bool knows = true, ignored = false;
    enum bg_status status = BG_OK;

    *yes = bridge->always_takes;
    if (bridge->asks_take && !bridge->knows_cube) {
        status = double_or_roll(&ignored, bridge, ask, err);
    }
    if (status == BG_OK && bridge->asks_take) {
        status = cube(yes, &knows, bridge, ask, "take", err);
    }
    if (status == BG_OK && !knows) {
        fprintf(stderr, "bgref-ubgi: the engine does not know the word take: it takes every "
                        "double\n");
        bridge->asks_take = false;
        *yes = bridge->always_takes;
    }
    return status;
}

/* As in bg_bot_run: at least the game's value if the board decided it now. */
static bool resignation_is_enough(const struct bg_ask *ask)
{
    int level = bg_variant_level(ask->rules.variant, &ask->board, 0);

    if (ask->rules.jacoby && ask->rules.cube && ask->rules.length_points == 0 &&
        ask->cube_owner == BG_CENTRED) {
        level = 1;
    }
    return ask->resign_level >= level;
}

static enum bg_status answer_ask(struct main_bridge *bridge, const struct bg_ask *ask,
                                 struct bg_error *err)
{
    enum bg_answer_kind kind = BG_ANSWER_KEEP;
    enum bg_status status = BG_OK;
    bool yes = false;

    bridge->patience_ms = ask->ceiling_ns / 10 * 9 / 1000000;
    switch (ask->kind) {
    case BG_DECIDE_PLAY:
        return answer_play(bridge, ask, err);
    case BG_DECIDE_DOUBLE:
        if (bridge->asks_cube) {
            status = double_or_roll(&yes, bridge, ask, err);
        }
        kind = yes ? BG_ANSWER_DOUBLE : BG_ANSWER_ROLL;
        break;
    case BG_DECIDE_TAKE:
        status = take_or_pass(&yes, bridge, ask, err);
        kind = yes ? BG_ANSWER_TAKE : BG_ANSWER_PASS;
        break;
    case BG_DECIDE_RAISE:
        kind = BG_ANSWER_TAKE;
        break;
    case BG_DECIDE_RESIGNATION:
        kind = resignation_is_enough(ask) ? BG_ANSWER_ACCEPT : BG_ANSWER_REFUSE;
        break;
    default:
        break; /* backgammon's opening leaves nothing to decide: KEEP */
    }
    return status == BG_OK ? bg_bot_answer(bridge->bot, ask, kind, err) : status;
}

static enum bg_status serve_engine(struct main_bridge *bridge, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    const struct bg_ask *ask = NULL;

    while (status == BG_OK) {
        status = bg_bot_next(&ask, bridge->bot, -1, err);
        if (status == BG_OK && (status = answer_ask(bridge, ask, err)) == BG_E_CLOSED) {
            status = BG_E_START; /* the engine is gone: not the referee's goodbye */
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct main_bridge bridge = {.arguments = argv + (argc > 0 ? 1 : 0), .variant = "backgammon"};
    struct bg_error err = {0};
    enum bg_status status;

    /* Without the referee the bridge must end; the engine then ends too. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    info.name = "ubgi";
    info.version = BG_VERSION;
    info.author = "bgref; the engine by its authors";
    info.variants = "backgammon nackgammon short-nardi hypergammon"; /* one game, three set-ups */
    info.options = options;
    info.option_count = sizeof options / sizeof *options;
    info.stateful = true; /* newgame starts a new game within the present one */
    info.prepare = prepare_engine;
    info.user = &bridge;
    info.notice = notice_print;
    status = bg_bot_open(&bridge.bot, &info, &err);
    if (status == BG_OK) {
        status = serve_engine(&bridge, &err);
    }
    engine_stop(bridge.engine);
    bg_bot_close(bridge.bot);
    if (status != BG_OK && status != BG_E_CLOSED) {
        fprintf(stderr, "bgref-ubgi: %s\n", err.text);
        return 1;
    }
    return 0;
}
