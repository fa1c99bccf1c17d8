/* exact - plays hypergammon as well as it can be played.
 *
 * Every position was solved before, by `bgref-exact solve hypergammon`; here it is only looked up.
 * Money play is perfect with every cube but for beavers; matches are played by exact chances and an
 * approximation of what points are worth. As a judge of money play it makes no mistakes.
 */
#include <bgref/run.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/notice.h"
#include "knowledge.h"
#include "make.h"

static double last_worth; /* of the last play */

static void play_solved(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    static struct bg_play_list plays;
    double best = 0.0;

    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &ask->stage);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;
        double value;

        bg_play_make(&after, ask->rules.variant, &ask->board, 0, &plays.play[i]);
        value = knowledge_after(user, ask, &after);
        if (i == 0 || value > best) {
            best = value;
            *out = plays.play[i];
        }
    }
    last_worth = best;
}

/* Values of plays; the chances behind them are not in the file. */
static void thinks(void *user, const struct bg_ask *ask, struct bg_thought *out)
{
    (void)user;
    out->has_equity = ask->kind == BG_DECIDE_PLAY;
    out->chances.equity = last_worth;
    out->unit = ask->rules.length_points > 0 ? BG_EQUITY_MATCH : BG_EQUITY_POINTS;
}

static bool doubles_solved(void *user, const struct bg_ask *ask)
{
    return knowledge_doubles(user, ask);
}

static enum bg_answer_kind takes_solved(void *user, const struct bg_ask *ask)
{
    return knowledge_takes(user, ask);
}

static void value_solved(void *user, const struct bg_ask *ask, struct bg_value *out)
{
    knowledge_value(out, user, ask);
}

/* The referee shows this line when the bot does not start. */
static void tell_remedy(const struct bg_error *err)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    self[length > 0 ? length : 0] = '\0';
    fprintf(stderr, "exact: %s; make this file once, in some minutes: %s solve hypergammon\n",
            err->text, length > 0 ? self : "bgref-exact");
}

int main(int argc, char **argv)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks,
                                     .play = play_solved,
                                     .doubles = doubles_solved,
                                     .take = takes_solved,
                                     .raise = takes_solved,
                                     .value = value_solved,
                                     .thinks = thinks};
    struct knowledge knowledge;
    struct bg_error err = {0};
    int exit_status = 0;

    if (argc > 1) {
        return make_command(argc - 1, argv + 1);
    }
    if (knowledge_open(&knowledge, &err) != BG_OK) {
        tell_remedy(&err);
        exit_status = 1;
        goto done;
    }
    info.name = "exact";
    info.version = BG_VERSION;
    info.variants = "hypergammon";
    info.max_in_flight = 256;
    info.evaluates = true;
    info.notice = notice_print;
    if (bg_bot_run(&info, &callbacks, &knowledge, &err) != BG_OK) {
        fprintf(stderr, "exact: %s\n", err.text);
        exit_status = 1;
    }
done:
    knowledge_close(&knowledge);
    return exit_status;
}
