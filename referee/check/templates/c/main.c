/* @NAME@ - a bot for the backgammon referee bgref. */
#include <bgref/run.h>
#include <stdio.h>

/* What a play is worth to us: make this yours. Here: the rearmost checker should be far on its way.
 * In a board, at[0] is us and at[1] the opponent, each counted from its own side: slot 25 is the
 * bar, 24 to 1 are the points on the way home, 0 is borne off. */
static double worth(const struct bg_board *after)
{
    int slot = BG_BAR;

    while (slot > BG_OFF && after->at[0][slot] == 0) {
        slot--;
    }
    return -slot;
}

static void play(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    static struct bg_play_list plays; /* too large for some stacks */
    double best = 0;

    bg_ask_plays(&plays, ask); /* every legal play, at least one */
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;
        double value;

        bg_play_make(&after, ask->rules.variant, &ask->board, 0, &plays.play[i]);
        value = worth(&after);
        if (i == 0 || value > best) {
            best = value;
            *out = plays.play[i];
        }
    }
    (void)user;
}

/* If the bot joins a host on another machine by itself: that it waits, that it is connected. */
static void notice(void *user, const char *text)
{
    fprintf(stderr, "%s\n", text);
    (void)user;
}

/* What has no callback gets the plain answer: roll, take, keep, accept a resignation that is worth
 * what the board shows. The callbacks are in <bgref/run.h>; `thinks` tells people who look at the
 * game later what the bot thought: out->has_chances = true; out->chances.win = 0.62; */
int main(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks, .play = play};
    struct bg_error err = {0};

    info.name = "@NAME@";
    info.version = "0.1";
    info.notice = notice;
    info.max_in_flight = 64; /* with a slow engine: 1 */
    if (bg_bot_run(&info, &callbacks, NULL, &err) == BG_OK) {
        return 0;
    }
    fprintf(stderr, "@NAME@: %s\n", err.text);
    return 1;
}
