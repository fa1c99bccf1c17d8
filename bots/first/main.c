/* first - the smallest bot: makes the legal play that moves its rearmost checker farthest. */
#include <bgref/run.h>
#include <stdio.h>

static int rearmost_after(const struct bg_ask *ask, const struct bg_play *play)
{
    int slot = BG_BAR;
    struct bg_board after;
    bg_play_make(&after, ask->rules.variant, &ask->board, 0, play);
    while (slot > BG_OFF && after.at[0][slot] == 0) {
        slot--;
    }
    return slot;
}

static void play(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    static struct bg_play_list plays; /* too large for the stacks of some systems */
    bg_ask_plays(&plays, ask);
    *out = plays.play[0];
    for (size_t i = 1; i < plays.count; i++) {
        if (rearmost_after(ask, &plays.play[i]) < rearmost_after(ask, out)) {
            *out = plays.play[i];
        }
    }
    (void)user;
}

static void notice(void *user, const char *text)
{
    fprintf(stderr, "%s\n", text);
    (void)user;
}

int main(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks, .play = play};
    struct bg_error err = {0};
    info.name = "first";
    info.notice = notice;
    if (bg_bot_run(&info, &callbacks, NULL, &err) == BG_OK) {
        return 0;
    }
    fprintf(stderr, "first: %s\n", err.text);
    return 1;
}
