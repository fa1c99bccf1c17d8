/* run.h - the loop of bot.h with callbacks, for short bots.
 *
 *     static void play(void *user, const struct bg_ask *ask, struct bg_play *out) { ... }
 *     int main(void) {
 *         struct bg_bot_info info = BG_BOT_INFO_INIT;
 *         struct bg_callbacks callbacks = {.size = sizeof callbacks, .play = play};
 *         info.name = "mine";
 *         return bg_bot_run(&info, &callbacks, NULL, NULL) == BG_OK ? 0 : 1;
 *     }
 *
 * Uses only public calls of bot.h. For a callback that is NULL the answer is: roll, take, keep,
 * accept a raise, accept a resignation of at least the level that the board shows, name 6, the
 * first legal play, and "cannot" for positions to value.
 */
#ifndef BGREF_RUN_H
#define BGREF_RUN_H

#include <bgref/bot.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows at its end: size is its size in the program's headers. */
struct bg_callbacks {
    size_t size;                                         /* sizeof (struct bg_callbacks) */
    void (*start)(void *user, const struct bg_bot *bot); /* after Welcome: read options here */
    void (*play)(void *user, const struct bg_ask *ask, struct bg_play *out);
    bool (*doubles)(void *user, const struct bg_ask *ask);
    enum bg_answer_kind (*take)(void *user, const struct bg_ask *ask);  /* TAKE, PASS, RAISE */
    enum bg_answer_kind (*raise)(void *user, const struct bg_ask *ask); /* the same */
    bool (*keeps)(void *user, const struct bg_ask *ask);
    int (*names)(void *user, const struct bg_ask *ask);
    bool (*accepts)(void *user, const struct bg_ask *ask);
    int (*resigns)(void *user, const struct bg_ask *ask); /* level, or 0: asked before each play
                                                             and double decision */
    /* For bots with info.evaluates: fills out->of for ask->kind, or sets out->cannot and out->why
     * (evaluate.h). The library provides out: size is set, everything else is 0. */
    void (*value)(void *user, const struct bg_ask *ask, struct bg_value *out);
    /* For bots with info.enters_dice, which need it: sets die[0 .. ask->dice - 1]. */
    void (*dice)(void *user, const struct bg_ask *ask, uint8_t *die);
    /* What the bot thought (thought.h) of the decision that the callback before has made: called
     * after each but resigns, only where the referee stores it. The library provides out: size is
     * set, everything else is 0, and what stays so is not sent. */
    void (*thinks)(void *user, const struct bg_ask *ask, struct bg_thought *out);
};

/* Opens the bot, answers until the referee sends Goodbye (returns BG_OK) or something fails
 * (returns its status), and closes the bot. */
BG_API enum bg_status bg_bot_run(const struct bg_bot_info *info,
                                 const struct bg_callbacks *callbacks, void *user,
                                 struct bg_error *err);

#ifdef __cplusplus
}
#endif
#endif
