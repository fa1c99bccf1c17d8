/* random - plays any legal play with equal chance, in every game the SDK knows.
 *
 * Its random numbers depend only on bot_seed and the board, so the same question always gets the
 * same answer: a repeated event gives the same games, at any concurrency and after any
 * interruption. Never doubles, always takes, accepts a resignation that pays at least the game's
 * present value (bg_bot_run's own answers).
 */
#include <bgref/run.h>

#include <stdio.h>

#include "../common/notice.h"
#include "../common/variants.h"

/* One step of splitmix64: every bit of the result depends on every bit of state and value. */
static uint64_t mix_word(uint64_t state, uint64_t value)
{
    state = (state ^ value) + 0x9e3779b97f4a7c15u;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}

static uint64_t mix_side(uint64_t state, const uint8_t at[BG_SLOTS])
{
    for (int slot = 0; slot < BG_SLOTS; slot += 13) { /* 39 slots, 13 times 4 bits in a word */
        uint64_t word = 0;

        for (int i = 0; i < 13; i++) {
            word = word << 4 | at[slot + i];
        }
        state = mix_word(state, word);
    }
    return state;
}

/* Does not use the decision number or the clock: they differ when the same question comes again. */
static uint64_t chance(const struct bg_ask *ask)
{
    uint64_t state = mix_word(ask->bot_seed, (uint64_t)ask->turn << 1 | (uint64_t)ask->seat);

    state = mix_side(state, ask->board.at[0]);
    state = mix_side(state, ask->board.at[1]);
    for (int i = 0; i < ask->stage.parts; i++) {
        state =
            mix_word(state, (uint64_t)ask->stage.part[i].number << 8 | ask->stage.part[i].times);
    }
    return state;
}

static void play_any(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    static struct bg_play_list plays;

    (void)user;
    bg_ask_plays(&plays, ask);
    /* A product instead of a remainder: with 32 bits and few plays no play is noticeably
     * likelier. */
    *out = plays.play[(chance(ask) >> 32) * plays.count >> 32];
}

int main(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks, .play = play_any};
    struct bg_error err = {0};

    info.name = "random";
    info.version = BG_VERSION;
    info.variants = variants_all();
    info.max_in_flight = 1024;
    info.notice = notice_print;
    if (bg_bot_run(&info, &callbacks, NULL, &err) != BG_OK) {
        fprintf(stderr, "random: %s\n", err.text);
        return 1;
    }
    return 0;
}
