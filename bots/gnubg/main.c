/* gnubg as a bot: the referee's decisions become questions to an unmodified GNU Backgammon.
 *
 * Options: Plies, CubePlies, Noise, Tell, Program. Every answer depends on its Ask and these
 * options alone, so results repeat at any concurrency and after any restart. It never offers to
 * resign.
 */
#define _GNU_SOURCE /* prctl */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/prctl.h>

#include <bgref/bot.h>

#include "../common/notice.h"
#include "bridge.h"

static const struct bg_option options[] = {
    {"Plies", BG_OPTION_INTEGER, "0", "0", "3", NULL, "look-ahead of checker plays"},
    {"CubePlies", BG_OPTION_INTEGER, "-1", "-1", "3", NULL,
     "look-ahead of cube decisions and resignations; -1: as Plies"},
    {"Noise", BG_OPTION_REAL, "0", "0", "1", NULL,
     "standard deviation of repeatable noise on equities"},
    {"Tell", BG_OPTION_FLAG, "false", NULL, NULL, NULL,
     "whether it tells its chances, which costs another question a decision, on its clock"},
    {"Program", BG_OPTION_STRING, "gnubg", NULL, NULL, NULL, "GNU Backgammon's program"},
};

/* Does not check ranges: bg_bot_open has checked the values of options. */
static void read_strength(struct bridge *bridge, const struct bg_bot *bot)
{
    struct engine_settings *settings = &bridge->settings;

    settings->plies = (int)strtol(bg_bot_option(bot, "Plies"), NULL, 10);
    settings->cube_plies = (int)strtol(bg_bot_option(bot, "CubePlies"), NULL, 10);
    if (settings->cube_plies < 0) {
        settings->cube_plies = settings->plies;
    }
    settings->noise = strtod(bg_bot_option(bot, "Noise"), NULL);
    bridge->tells = strcmp(bg_bot_option(bot, "Tell"), "true") == 0 && bg_bot_wants_thoughts(bot);
    settings->program = bg_bot_option(bot, "Program");
    bridge->strength = (struct query_strength){settings->cube_plies, settings->noise};
}

/* Starts gnubg before Ready: if it is missing the bot does not start, and no clock runs during
 * its start. */
static enum bg_status prepare_bridge(void *user, const struct bg_bot *bot, struct bg_error *err)
{
    read_strength(user, bot);
    return bridge_start(user, err);
}

int main(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    static struct bridge bridge;
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
    info.max_in_flight = ENGINE_DEPTH;
    info.evaluates = true;
    info.prepare = prepare_bridge;
    info.user = &bridge;
    info.notice = notice_print;
    status = bg_bot_open(&bridge.bot, &info, &err);
    if (status == BG_OK) {
        status = bridge_serve(&bridge, &err);
    }
    bridge_end(&bridge);
    bg_bot_close(bridge.bot);
    if (status != BG_OK && status != BG_E_CLOSED) {
        fprintf(stderr, "bgref-gnubg: %s\n", err.text);
        return 1;
    }
    return 0;
}
