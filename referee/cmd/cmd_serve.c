/* cmd_serve.c - bgref serve: a bot of bgref as a UBGI engine on standard input and output, or with
 * --port for GNU Backgammon (serve_gnubg.h). Lines
 * are answered in their order, each before the next one is read: UBGI has no ids by which a
 * later answer could be told from an earlier one. */
#define _GNU_SOURCE
#include "referee_commands.h"
#include "serve_gnubg.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/exit_status.h>

#include "base/memory.h"
#include "log.h"
#include "check/player.h"
#include "check/ubgi.h"
#include "cmd/command.h"

#define NO_PORT UINT64_MAX
#define CEILING_NS                                                                                 \
    INT64_C(3600000000000) /* the caller sets its own limit; one hour counts as a hang */

struct arguments {
    struct command_words words; /* the bot's */
    struct serve_place place;   /* port NO_PORT: UBGI */
};

static const struct command_row options[] = {
    {"port", .value = "PORT",
     .help = "Let GNU Backgammon play against the bot: 'set player 0 external localhost:PORT' "
             "there, then 'new match 5'. 0 takes a free port; the first line on standard output "
             "has its number",
     COMMAND_COUNT(place.port), .most = 65535},
    {"bind", .value = "ADDRESS",
     .help = "Listen on this IPv4 address (default 127.0.0.1, this machine only; everyone who can "
             "reach the port can use the bot)",
     COMMAND_TEXT(place.bind), .needs = "port"},
    {"quiet", .help = "Do not print connections", COMMAND_FLAG(place.quiet), .needs = "port"},
    {0}};

static const struct command_row words[] = {{"bot", COMMAND_LIST(words), .is_needed = true}, {0}};

static const struct command command = {
    .usage = "BOT [option.NAME=VALUE...]\n-- COMMAND [ARGUMENT...]",
    .help =
        "Presents one of our bots as a UBGI engine: commands on standard input, answers on "
        "standard "
        "output, until quit or the end of input. The name 'bgref serve BOT' is what a UBGI program "
        "is "
        "given as its engine. With --port GNU Backgammon plays against the bot.\v"
        "Spoken is version 0.2, and setoption of 0.1. Known are ubgi, isready, keys, get, set, "
        "newgame, newsession, setscore, setcube, setturn, position gnubgid, dice, go, go chequer, "
        "go "
        "cube, go turn, the same as go role chequer and so on, quit; and, beyond the drafts, go "
        "take, "
        "where p1 has doubled: answered by "
        "bestcube take or bestcube pass. p0 is always the side that decides. A resignation has no "
        "words there: one that the bot offers is refused in its name, and it decides again. With "
        "--port one connection is served at a time, one after another, until SIGINT or SIGTERM: "
        "gnubg rolls the dice and keeps the score, never shows a resignation to an external "
        "player, and asks for doubles only when the bot has the cube. Options stand before the "
        "bot. Exit status: 0 quit or ended by a signal, 1 the bot was at fault in its last "
        "decision, 2 misuse, 3 the bot does not start, 5 the port cannot be had.",
    .options = options,
    .words = words,
    .missing = "which bot? 'bgref serve greedy', 'bgref serve ./mybot', or 'bgref serve -- ./mybot "
               "--fast'",
    .in_order = true,
};

/* Decides, and refuses the bot's offers to resign until it offers no more. */
static enum bg_status decide(enum ubgi_action *action, struct ubgi *ubgi, struct player *player,
                             struct bg_error *err)
{
    struct bg_step step;
    struct bg_step refusal = {.kind = BG_STEP_REFUSE, .seat = 1};
    bool rolls;
    enum bg_status status;

    do {
        status = player_decide(&step, &rolls, player, &ubgi->match, err);
    } while (status == BG_OK && !rolls && step.kind == BG_STEP_RESIGN &&
             bg_match_step(&ubgi->match, &step) == BG_RULE_NONE &&
             bg_match_step(&ubgi->match, &refusal) == BG_RULE_NONE);
    if (status == BG_OK) {
        *action = ubgi_answer(ubgi, &step, rolls);
    }
    return status;
}

/* Reports a bot's fault and continues with the next question, because the caller decides the
 * penalty. */
static enum bg_status serve_ubgi(struct player *player, const char *name, struct bg_error *err)
{
    static struct ubgi ubgi;
    enum ubgi_action action = UBGI_SAY;
    enum bg_status status = BG_OK;
    char *line = NULL;
    size_t size = 0;

    ubgi_init(&ubgi, name);
    for (int i = 0; i < UBGI_GAMES; i++) {
        ubgi.plays[i] = player_plays(player, bg_variant_find(ubgi_game(i)));
    }
    while ((status == BG_OK || status == BG_E_MISMATCH) && action != UBGI_QUIT &&
           getline(&line, &size, stdin) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        action = ubgi_obey(&ubgi, line);
        if (action == UBGI_NEW_GAME) {
            player_new_game(player);
        }
        while (action == UBGI_ASK) {
            status = decide(&action, &ubgi, player, err);
            if (status != BG_OK) {
                command_say(err->text);
                ubgi_fail(&ubgi, "bot");
                action = UBGI_SAY;
            }
        }
        /* Into a pipe libc would hold the answer back until its buffer is full; the program
         * waits for it. */
        fputs(ubgi.text, stdout);
        fflush(stdout);
    }
    free(line);
    return status;
}

/* What a bot does wrong is said where it is asked; here only why there was nobody to ask. */
static enum bg_status run_ubgi(const struct competitor *bot, struct bg_error *err)
{
    struct player *player = NULL;
    enum bg_status status = player_open(&player, bot, "ubgi", CEILING_NS, err);

    if (status == BG_OK) {
        status = serve_ubgi(player, bot->name, err);
        err->text[0] = '\0';
    }
    player_close(player);
    return status;
}

int cmd_serve(int argc, char **argv)
{
    struct arguments arguments = {.place = {.bind = "127.0.0.1", .port = NO_PORT}};
    struct competitor bot;
    struct bg_error err = {.text = ""};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = log_open(NULL, &err);
    if (status == BG_OK) {
        status = player_find(&bot, arguments.words.word, arguments.words.count,
                             arguments.words.is_quoted, &err);
    }
    if (status == BG_OK) {
        status = arguments.place.port == NO_PORT ? run_ubgi(&bot, &err)
                                                 : serve_gnubg(&bot, &arguments.place, &err);
    }
    if (status != BG_OK && err.text[0] != '\0') {
        command_say(err.text);
    }
    return exit_status_of(status);
}
