/* Laws of checker play in every game and with every option that affects a stage. The slow
 * enumeration of support/plays_plain.h is the oracle, on positions from random games and on random
 * positions. An argument multiplies the number of positions. */
#include <bgref/notation.h>
#include <bgref/play.h>
#include <bgref/variant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/match_laws.h"
#include "support/random_board.h"
#include "support/suite.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

enum { WALKS = 1, PLAYS_TRIED = 24, NONSENSE = 8 };
enum { WALK_STAGES = 100 / TEST_PART, STREWN = 50 / TEST_PART };

static const char *const games[] = {
    "backgammon",
    "nackgammon",
    "hypergammon",
    "long-nardi",
    "long-nardi:head=any",
    "long-nardi:head=need",
    "long-nardi:block=end",
    "long-nardi:block=all,head=any",
    "short-nardi",
    "portes",
    "portes:hit-run=off",
    "plakoto",
    "plakoto:bear-pinned=on,mother=3",
    "fevga",
    "fevga:quarter=both",
    "moultezim",
    "moultezim:first=outer",
    "moultezim:quarter=home",
    "gul",
    "gulbara",
    "gulbara:block=nardi,head=1",
    "gulbara:bear=exact,grace=none",
    "tapa",
    "tapa:mother=2",
    "tavla",
    "tavla:hit-run=on",
    "acey-deucey",
    "asodio",
    "asodio:gate=always",
    "russian",
    "russian:enter-all=on",
    "old-english",
    "old-english:free=stop",
    "misere",
    "tabula",
    "tabula:way=common",
    "tabula:enter-all=half",
    "tabula:enter-all=half,way=common",
    "irish",
    "dutch",
    "dutch:hit-right=present",
    "shuanglu",
    "kiz-tavlasi",
    "hoyle-1870",
    "xii-scripta",
    "nard",
    "nard:way=parallel",
};

/* One game under test and its description for the oracle. */
static struct {
    const struct bg_variant *variant;
    struct plain_game game;
    uint64_t random;
} now;

static struct bg_play_list list;
static struct plain_list plain;

static int below(int limit)
{
    return laws_below(&now.random, limit);
}

/* The numbers in the contract's order: different ones, high first. */
static struct bg_stage stage_of(const struct plain_stage *plain_stage)
{
    struct bg_stage stage = {0};

    for (int number = 6; number >= 1; number--) {
        int times = 0;

        for (int i = 0; i < plain_stage->count; i++) {
            times += plain_stage->number[i] == number;
        }
        if (times > 0) {
            stage.part[stage.parts].number = (uint8_t)number;
            stage.part[stage.parts++].times = (uint8_t)times;
        }
    }
    return stage;
}

/* For messages: a line that `bgref plays --variant` takes. */
static const char *situation(const struct bg_board *board, int seat, const struct bg_stage *stage)
{
    static char text[BG_POSITION_TEXT + BG_STAGE_TEXT + 64];
    char position[BG_POSITION_TEXT], numbers[BG_STAGE_TEXT];

    bg_position_text_write(position, now.variant, board, seat);
    bg_stage_write(numbers, stage);
    snprintf(text, sizeof text, "%s '%s' %s", bg_variant_id(now.variant), position, numbers);
    return text;
}

static void same_results(const struct bg_board *board, int seat, const struct bg_stage *stage)
{
    static bool seen[PLAIN_MAX];

    bg_play_list(&list, now.variant, board, seat, stage);
    ck_assert_msg((int)list.count == plain.count, "%s: %zu plays, plain %d",
                  situation(board, seat, stage), list.count, plain.count);
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < list.count; i++) {
        struct bg_board after;
        int at = 0;

        bg_play_make(&after, now.variant, board, seat, &list.play[i]);
        while (at < plain.count && !bg_board_equal(&plain.result[at], &after)) {
            at++;
        }
        ck_assert_msg(at < plain.count, "%s: play %zu is not legal", situation(board, seat, stage),
                      i);
        ck_assert_msg(!seen[at], "%s: play %zu comes again", situation(board, seat, stage), i);
        seen[at] = true;
        for (int side = 0; side < 2; side++) {
            ck_assert_msg(bg_board_count(&after, side) == now.game.checkers, "%s: checkers lost",
                          situation(board, seat, stage));
        }
    }
    ck_assert_msg(bg_play_exists(now.variant, board, seat, stage) == (plain.count > 0),
                  "%s: exists", situation(board, seat, stage));
}

static void shuffle(struct bg_play *play)
{
    for (int i = play->moves - 1; i > 0; i--) {
        const int j = below(i + 1);
        const struct bg_move move = play->move[i];

        play->move[i] = play->move[j];
        play->move[j] = move;
    }
}

static void accepts_play(const struct bg_board *board, int seat, const struct bg_stage *stage,
                         const struct bg_play *listed)
{
    struct bg_play play = *listed, found;
    struct bg_board after, judged;
    char text[BG_PLAY_TEXT];

    bg_play_make(&after, now.variant, board, seat, &play);
    ck_assert_msg(bg_play_check_result(&found, now.variant, board, seat, stage, &after) ==
                      BG_RULE_NONE,
                  "%s: result", situation(board, seat, stage));
    bg_play_make(&judged, now.variant, board, seat, &found);
    ck_assert_msg(bg_board_equal(&judged, &after), "%s: found", situation(board, seat, stage));
    bg_play_write(text, now.variant, below(2) ? board : NULL, seat, &play);
    ck_assert_msg(
        now.game.points > 24 || /* the notation has no place for points beyond 24 */
            (bg_play_read(&found, text, NULL) == BG_OK && memcmp(&found, &play, sizeof play) == 0),
        "%s: %s", situation(board, seat, stage), text);
    ck_assert_msg(bg_play_check(&judged, now.variant, board, seat, stage, &play) == BG_RULE_NONE,
                  "%s: %s", situation(board, seat, stage), text);
    ck_assert_msg(bg_board_equal(&judged, &after), "%s: %s", situation(board, seat, stage), text);
    shuffle(&play);
    ck_assert_msg(bg_play_check(&judged, now.variant, board, seat, stage, &play) == BG_RULE_NONE,
                  "%s: %s in another order", situation(board, seat, stage), text);
    ck_assert_msg(bg_board_equal(&judged, &after), "%s: %s in another order",
                  situation(board, seat, stage), text);
}

static void accepts_its_plays(const struct bg_board *board, int seat, const struct bg_stage *stage)
{
    const int step = (int)list.count / PLAYS_TRIED + 1;

    for (int i = below(step); i < (int)list.count; i += step) {
        accepts_play(board, seat, stage, &list.play[i]);
    }
}

/* From a point with a checker to where a number of the stage leads; sometimes not. */
static struct bg_move random_move(const struct bg_stage *stage)
{
    static const int places[] = {BG_BAR, BG_HAND, BG_OFF, 27, 38, 39, 255};
    const int from = below(4) == 0 ? places[below(COUNT(places))] : 1 + below(now.game.points);
    const int walked = from == BG_BAR || from == BG_HAND ? now.game.points + 1 : from;
    const int number = stage->part[below(stage->parts)].number * (1 + (below(4) == 0));
    const int to = walked > number ? walked - number : 0;

    if (now.game.contact == PLAIN_PILES && below(2) == 0) { /* lowered */
        return (struct bg_move){(uint8_t)from, (uint8_t)from};
    }
    return (struct bg_move){(uint8_t)(from > 24 && from < 27    ? from
                                      : from > 24 && from <= 36 ? from + 2
                                                                : from),
                            (uint8_t)(to > 24 ? to + 2 : to)};
}

/* Every accepted play must be a legal result, whatever its moves are. */
static void accepts_nothing_else(const struct bg_board *board, int seat,
                                 const struct bg_stage *stage)
{
    for (int i = 0; i < NONSENSE; i++) {
        struct bg_play play = {.moves = (uint8_t)below(6)};
        struct bg_board result;
        enum bg_rule rule;

        for (int j = 0; j < play.moves && j < BG_MOVES_MAX; j++) {
            play.move[j] = random_move(stage);
        }
        if (list.count > 0 && below(2) == 0) { /* nearly legal */
            play = list.play[below((int)list.count)];
            if (below(2) == 0) {
                play.move[below(BG_MOVES_MAX)] = random_move(stage);
            } else {
                play.moves--;
            }
        }
        rule = bg_play_check(&result, now.variant, board, seat, stage, &play);
        ck_assert(rule >= BG_RULE_NONE && rule < BG_RULE_COUNT);
        ck_assert_msg(rule != BG_RULE_NONE ||
                          (plain.count == 0 ? play.moves == 0 : plain_has(&plain, &result)),
                      "%s: %d moves, %d/%d %d/%d are accepted", situation(board, seat, stage),
                      play.moves, play.move[0].from, play.move[0].to, play.move[1].from,
                      play.move[1].to);
    }
}

/* Results of another stage are judged separately. */
static void judges_results(const struct bg_board *board, int seat, const struct bg_stage *stage)
{
    const struct plain_stage other = random_stage(&now.game, &now.random);
    const struct bg_stage other_stage = stage_of(&other);
    const int step = 1 + (int)list.count / PLAYS_TRIED;

    bg_play_list(&list, now.variant, board, seat, &other_stage);
    for (int i = 0; i < (int)list.count; i += step) {
        struct bg_board after;

        bg_play_make(&after, now.variant, board, seat, &list.play[i]);
        ck_assert_msg(
            (bg_play_check_result(NULL, now.variant, board, seat, stage, &after) == BG_RULE_NONE) ==
                (plain.count > 0 ? plain_has(&plain, &after) : bg_board_equal(&after, board)),
            "%s: a result of another stage", situation(board, seat, stage));
    }
}

static void swapped_seats_play_alike(const struct bg_board *board, int seat,
                                     const struct bg_stage *stage)
{
    static struct bg_play_list other;
    struct bg_board swapped;

    bg_board_swap(&swapped, board);
    bg_play_list(&other, now.variant, &swapped, 1 - seat, stage);
    ck_assert_msg(list.count == other.count, "%s: swapped", situation(board, seat, stage));
    for (size_t i = 0; i < list.count; i++) {
        ck_assert_msg(memcmp(&list.play[i], &other.play[i], sizeof list.play[i]) == 0,
                      "%s: swapped, play %zu", situation(board, seat, stage), i);
    }
}

/* Leaves the legal results in plain. */
static void laws_hold(const struct bg_board *board, int seat, const struct plain_stage *numbers)
{
    const struct bg_stage stage = stage_of(numbers);

    plays_plain(&plain, &now.game, board, seat, numbers);
    same_results(board, seat, &stage);
    swapped_seats_play_alike(board, seat, &stage);
    accepts_its_plays(board, seat, &stage);
    accepts_nothing_else(board, seat, &stage);
    judges_results(board, seat, &stage);
}

static void begin(int i)
{
    now.random = (uint64_t)i + 1;
    ck_assert_msg(plain_game_read(&now.game, games[i]), "%s", games[i]);
    assert_ok(bg_variant_read(&now.variant, games[i], &error));
}

TEST(every_game_is_tested)
{
    const struct bg_variant *variant;

    for (int game = 0; (variant = bg_variant_at(game)) != NULL; game++) {
        bool found = false;

        for (int i = 0; i < COUNT(games); i++) {
            found = found || strcmp(games[i], bg_variant_id(variant)) == 0;
        }
        ck_assert_msg(found, "%s has no row here", bg_variant_id(variant));
    }
}

/* From the set-up by random plays, first through all rolls; the walk continues if both sides
 * pass. */
TEST_ROWS(laws_hold_in_random_games, games)
{
    begin(_i);
    for (int walk = 0; walk < WALKS * suite_factor(); walk++) {
        struct bg_board board, setup;
        int seat = walk & 1;

        plain_setup(&board, &now.game);
        bg_variant_setup(&setup, now.variant);
        ck_assert_msg(bg_board_equal(&setup, &board), "%s: set-up", games[_i]);
        for (int i = 0; i < WALK_STAGES && !plain_over(&now.game, &board); i++) {
            const struct plain_stage stage = random_stage(&now.game, &now.random);

            laws_hold(&board, seat, &stage);
            if (plain.count > 0) {
                board = plain.result[below(plain.count)];
            }
            seat = 1 - seat;
        }
    }
}

TEST_ROWS(laws_hold_on_the_first_turns, games)
{
    begin(_i);
    for (int roll = 0; roll < 36; roll++) {
        const struct plain_stage stage =
            plain_stage_roll(&now.game, 1 + roll / 6, 1 + roll % 6, 1 + below(6));
        struct bg_board board;

        plain_setup(&board, &now.game);
        laws_hold(&board, 0, &stage);
        for (int tries = 0; tries < suite_factor() && plain.count > 0; tries++) {
            const struct plain_stage second = random_stage(&now.game, &now.random);

            plays_plain(&plain, &now.game, &board, 0, &stage);
            board = plain.result[below(plain.count)];
            laws_hold(&board, 1, &second);
            plain_setup(&board, &now.game);
        }
    }
}

TEST_ROWS(laws_hold_on_random_positions, games)
{
    begin(_i);
    for (int i = 0; i < STREWN * suite_factor(); i++) {
        const struct plain_stage stage = random_stage(&now.game, &now.random);
        struct bg_board board;

        random_board(&board, &now.game, &now.random);
        laws_hold(&board, i & 1, &stage);
    }
}

void suite_begin(TCase *tests)
{
    tcase_set_timeout(tests, 0);
}
