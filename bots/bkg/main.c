/* bkg - a hand-made evaluator, after the idea of Hans Berliner's BKG 9.8 (1979).
 *
 * Values the position after every legal play by a few dozen terms that a player would name
 * (terms.c, gammons.c), each weighted by how much the position belongs to each class of positions
 * (facts.c, weights.c), and plays the best. The cube follows Janowski (cube.c). Looks no throw
 * ahead, keeps nothing between decisions and uses no random numbers. docs/bkg.md is its guide.
 */
#include <bgref/run.h>

#include <stdio.h>

#include "../common/notice.h"
#include "cube.h"
#include "values.h"

/* Contrary movement, hitting, one stage a turn: the games that are played like backgammon. */
static const char games[] = "backgammon:* nackgammon:* hypergammon:* short-nardi:* portes:* "
                            "tavla:* old-english:* irish:* shuanglu:* hoyle-1870:*";

/* Finds the best play of a stage and its value; without a legal play no moves. */
static double best_play(struct bg_play *out, const struct bg_ask *ask, const struct bg_stage *stage)
{
    static struct bg_play_list plays;
    double best = 0.0;

    out->moves = 0;
    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, stage);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board after;
        double worth;

        bg_play_make(&after, ask->rules.variant, &ask->board, 0, &plays.play[i]);
        worth = values_after(NULL, ask, &after);
        if (i == 0 || worth > best) {
            best = worth;
            *out = plays.play[i];
        }
    }
    return plays.count > 0 ? best : values_after(NULL, ask, &ask->board);
}

/* Its last play and what that is worth, for thinks. */
static struct bg_play last_play;
static double last_worth;

static void play_best(void *user, const struct bg_ask *ask, struct bg_play *out)
{
    (void)user;
    last_worth = best_play(out, ask, &ask->stage);
    last_play = *out;
}

static bool doubles(void *user, const struct bg_ask *ask)
{
    struct outlook outlook;

    (void)user;
    evaluate(&outlook, &weights, &ask->board, 0);
    return cube_doubles(ask, &outlook);
}

/* The other side is about to roll unless its raise of our double is to be answered. */
static enum bg_answer_kind answer_double(void *user, const struct bg_ask *ask)
{
    bool own_rolls = ask->kind == BG_DECIDE_RAISE && ask->raise % 2 == 1;
    struct outlook outlook;

    (void)user;
    evaluate(&outlook, &weights, &ask->board, own_rolls ? 0 : 1);
    return cube_answer(ask, &outlook);
}

/* Keeps the opening numbers if they are worth more than the mean of all throws. */
static bool keeps(void *user, const struct bg_ask *ask)
{
    struct bg_play play;
    double sum = 0.0;

    (void)user;
    for (int i = 0; i < BG_ROLLS; i++) {
        struct bg_stage stage = bg_stage_of_roll(ask->rules.variant, bg_roll_at(i));

        sum += bg_roll_weight(i) * best_play(&play, ask, &stage);
    }
    return best_play(&play, ask, &ask->stage) >= sum / 36.0;
}

/* Gives up a lost race, after its throw if it has one. While there is contact a shot may come. */
static int resigns(void *user, const struct bg_ask *ask)
{
    bool thrown = ask->kind == BG_DECIDE_PLAY;
    struct bg_board board = ask->board;
    struct outlook outlook;
    struct facts facts;

    (void)user;
    facts_find(&facts, &board, 0);
    if (facts.side[0].rear + facts.side[1].rear > BG_POINTS) {
        return 0;
    }
    if (thrown) {
        struct bg_play best;

        best_play(&best, ask, &ask->stage);
        bg_play_make(&board, ask->rules.variant, &board, 0, &best);
    }
    if (board.at[0][BG_OFF] == bg_board_count(&board, 0)) {
        return 0;
    }
    evaluate(&outlook, &weights, &board, thrown ? 1 : 0);
    return cube_resigns(ask, &outlook);
}

/* Accepts what is worth at least as much as playing on. */
static bool accepts(void *user, const struct bg_ask *ask)
{
    int most = cube_levels(ask, ask->cube_owner);
    struct outlook outlook;

    (void)user;
    evaluate(&outlook, &weights, &ask->board, 1);
    return cube_points(ask, ask->resign_level < most ? ask->resign_level : most) >=
           cube_value(ask, &outlook, (struct cube_at){0, ask->cube_owner});
}

/* The chances after a play, or as they are at a decision about the cube; the equity of a play. */
static void thinks(void *user, const struct bg_ask *ask, struct bg_thought *out)
{
    const bool played = ask->kind == BG_DECIDE_PLAY;
    struct bg_board board = ask->board;
    struct outlook outlook;

    (void)user;
    if (!played && ask->kind != BG_DECIDE_DOUBLE && ask->kind != BG_DECIDE_TAKE) {
        return;
    }
    if (played) {
        bg_play_make(&board, ask->rules.variant, &ask->board, 0, &last_play);
    }
    evaluate(&outlook, &weights, &board, ask->kind == BG_DECIDE_DOUBLE ? 0 : 1);
    out->has_chances = true;
    out->has_equity = played;
    out->unit = ask->rules.length_points > 0 ? BG_EQUITY_MATCH : BG_EQUITY_POINTS;
    out->chances =
        (struct bg_chances){outlook.win,         outlook.gammon,          outlook.backgammon,
                            outlook.lose_gammon, outlook.lose_backgammon, last_worth};
}

static void answer_value(void *user, const struct bg_ask *ask, struct bg_value *out)
{
    (void)user;
    values_find(out, ask);
}

int main(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks,
                                     .play = play_best,
                                     .doubles = doubles,
                                     .take = answer_double,
                                     .raise = answer_double,
                                     .keeps = keeps,
                                     .accepts = accepts,
                                     .resigns = resigns,
                                     .value = answer_value,
                                     .thinks = thinks};
    struct bg_error err = {0};

    info.name = "bkg";
    info.version = BG_VERSION;
    info.variants = games;
    info.max_in_flight = 256;
    info.evaluates = true;
    info.notice = notice_print;
    if (bg_bot_run(&info, &callbacks, NULL, &err) != BG_OK) {
        fprintf(stderr, "bkg: %s\n", err.text);
        return 1;
    }
    return 0;
}
