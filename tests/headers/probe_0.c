/* A bot as authors wrote it for libbgref.so.0 (its headers are in soname-0.tar.xz): bg_bot_next
 * filled the ask on its stack. Kept unchanged; check_soname.sh builds it with those headers. */
#include <bgref/bot.h>

#include <stdio.h>

int main(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_bot *bot = NULL;
    struct bg_error err = {0};
    enum bg_status status;

    info.name = "probe-0";
    status = bg_bot_open(&bot, &info, &err);
    while (status == BG_OK) {
        static struct bg_play_list plays;
        struct bg_ask ask;

        status = bg_bot_next(&ask, bot, -1, &err);
        if (status != BG_OK) {
            break;
        }
        switch (ask.kind) {
        case BG_DECIDE_PLAY:
            bg_ask_plays(&plays, &ask);
            status = bg_bot_answer_play(bot, &ask, &plays.play[0], &err);
            break;
        case BG_DECIDE_DOUBLE:
            status = bg_bot_answer(bot, &ask, BG_ANSWER_ROLL, &err);
            break;
        case BG_DECIDE_RESIGNATION:
            status = bg_bot_answer(bot, &ask, BG_ANSWER_REFUSE, &err);
            break;
        default:
            status = bg_bot_answer(bot, &ask, BG_ANSWER_TAKE, &err);
            break;
        }
    }
    bg_bot_close(bot);
    if (status != BG_E_CLOSED) {
        fprintf(stderr, "probe-0: %s\n", err.text);
        return 1;
    }
    return 0;
}
