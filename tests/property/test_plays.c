/* Laws of checker play on random positions, with the plain enumeration as the oracle. */
#include <bgref/notation.h>
#include <bgref/play.h>
#include <bgref/variant.h>

#include <stdio.h>
#include <string.h>

#include "support/plays_plain.h"
#include "support/suite.h"

enum { POSITIONS = 120 / TEST_PART, SEEDS = 4 };

static const struct bg_variant *variant;
static struct bg_play_list list;
static struct plain_list plain;
static struct plain_game game;
static uint64_t state;

static void setup(void)
{
    variant = bg_variant_find("backgammon");
    ck_assert(plain_game_read(&game, "backgammon"));
}

static void enumerate(const struct bg_board *board, int seat, int a, int b)
{
    const struct plain_stage stage = plain_stage_roll(&game, a, b, 0);

    plays_plain(&plain, &game, board, seat, &stage);
}

/* splitmix64 */
static uint64_t random_bits(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int below(int limit)
{
    return (int)(random_bits() % (uint64_t)limit);
}

/* Both sides anywhere, often concentrated at home, on the bar, or nearly borne off. */
static struct bg_board random_board(void)
{
    struct bg_board board = {0};

    for (int seat = 0; seat < 2; seat++) {
        const int reach = below(3) == 0 ? 6 : below(4) == 0 ? 12 : 24;
        const int on = below(4) == 0 ? 1 + below(4) : 1 + below(15);

        for (int i = 0; i < on; i++) {
            const int slot = below(16) == 0 ? BG_BAR : 1 + below(reach);

            if (slot == BG_BAR || board.at[1 - seat][25 - slot] == 0) {
                board.at[seat][slot]++;
            }
        }
        if (bg_board_count(&board, seat) == 0) {
            board.at[seat][BG_BAR] = 1;
        }
        board.at[seat][BG_OFF] = (uint8_t)(15 - bg_board_count(&board, seat));
    }
    return board;
}

static struct bg_stage stage_of(int a, int b)
{
    return bg_stage_of_roll(variant, (struct bg_roll){{(uint8_t)a, (uint8_t)b, 0}});
}

static const char *situation(const struct bg_board *board, int seat, int a, int b)
{
    static char text[64];
    char id[BG_POSITION_ID];

    bg_position_id_write(id, board, seat);
    snprintf(text, sizeof text, "seat %d, %s, %d%d", seat, id, a, b);
    return text;
}

typedef void law(const struct bg_board *board, int seat, int a, int b);

static void for_random_positions(int seed, law *holds)
{
    state = (uint64_t)seed;
    for (int i = 0; i < POSITIONS; i++) {
        const struct bg_board board = random_board();

        for (int roll = 0; roll < 36; roll++) {
            if (roll % 6 <= roll / 6) {
                holds(&board, i & 1, roll / 6 + 1, roll % 6 + 1);
            }
        }
    }
}

static void same_results(const struct bg_board *board, int seat, int a, int b)
{
    const struct bg_stage stage = stage_of(a, b);

    enumerate(board, seat, a, b);
    bg_play_list(&list, variant, board, seat, &stage);
    ck_assert_msg((int)list.count == plain.count, "%s: %zu plays, plain %d",
                  situation(board, seat, a, b), list.count, plain.count);
    for (size_t i = 0; i < list.count; i++) {
        struct bg_board after;

        bg_play_make(&after, variant, board, seat, &list.play[i]);
        ck_assert_msg(plain_has(&plain, &after), "%s: play %zu", situation(board, seat, a, b), i);
        for (int side = 0; side < 2; side++) {
            ck_assert_msg(bg_board_count(&after, side) == 15, "%s: checkers lost",
                          situation(board, seat, a, b));
        }
    }
    ck_assert_msg(bg_play_exists(variant, board, seat, &stage) == (plain.count > 0), "%s: exists",
                  situation(board, seat, a, b));
}

TEST_LOOP(generator_agrees_with_plain_enumeration, 0, SEEDS)
{
    for_random_positions(_i + 1, same_results);
}

static void same_for_swapped(const struct bg_board *board, int seat, int a, int b)
{
    static struct bg_play_list other;
    const struct bg_stage stage = stage_of(a, b);
    struct bg_board swapped;

    bg_board_swap(&swapped, board);
    bg_play_list(&list, variant, board, seat, &stage);
    bg_play_list(&other, variant, &swapped, 1 - seat, &stage);
    ck_assert_msg(list.count == other.count, "%s", situation(board, seat, a, b));
    for (size_t i = 0; i < list.count; i++) {
        ck_assert_msg(memcmp(&list.play[i], &other.play[i], sizeof list.play[i]) == 0,
                      "%s play %zu", situation(board, seat, a, b), i);
    }
}

TEST_LOOP(swapping_seats_mirrors_every_play, 0, SEEDS)
{
    for_random_positions(_i + 1, same_for_swapped);
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

static void accepts_its_plays(const struct bg_board *board, int seat, int a, int b)
{
    const struct bg_stage stage = stage_of(a, b);

    bg_play_list(&list, variant, board, seat, &stage);
    for (size_t i = 0; i < list.count; i++) {
        struct bg_play play = list.play[i], found;
        struct bg_board after, judged;
        char text[BG_PLAY_TEXT];

        bg_play_make(&after, variant, board, seat, &play);
        ck_assert_int_eq(bg_play_check_result(&found, variant, board, seat, &stage, &after),
                         BG_RULE_NONE);
        ck_assert_mem_eq(&found, &play, sizeof play);
        bg_play_write(text, variant, board, seat, &play);
        ck_assert_int_eq(bg_play_read(&found, text, NULL), BG_OK);
        ck_assert_msg(memcmp(&found, &play, sizeof play) == 0, "%s: %s",
                      situation(board, seat, a, b), text);
        shuffle(&play);
        ck_assert_msg(bg_play_check(&judged, variant, board, seat, &stage, &play) == BG_RULE_NONE,
                      "%s: %s", situation(board, seat, a, b), text);
        ck_assert_msg(bg_board_equal(&judged, &after), "%s: %s", situation(board, seat, a, b),
                      text);
    }
}

TEST_LOOP(every_listed_play_is_accepted_in_any_order, 0, SEEDS)
{
    for_random_positions(_i + 1, accepts_its_plays);
}

/* Every accepted play must be a legal result, whatever its moves are. */
static void accepts_nothing_else(const struct bg_board *board, int seat, int a, int b)
{
    const struct bg_stage stage = stage_of(a, b);

    enumerate(board, seat, a, b);
    for (int i = 0; i < 20; i++) {
        struct bg_play play = {.moves = (uint8_t)below(5)};
        struct bg_board result;
        enum bg_rule rule;

        for (int j = 0; j < play.moves; j++) {
            const int from = below(40) == 0 ? 31 : below(26), pips = below(3) == 0   ? a + b
                                                                     : below(2) == 0 ? a
                                                                                     : b;

            play.move[j] =
                (struct bg_move){(uint8_t)from, (uint8_t)(from > pips ? from - pips : 0)};
        }
        rule = bg_play_check(&result, variant, board, seat, &stage, &play);
        ck_assert_int_ge((int)rule, 0);
        ck_assert_int_lt((int)rule, BG_RULE_COUNT);
        if (rule == BG_RULE_NONE) {
            ck_assert_msg(plain.count == 0 ? play.moves == 0 : plain_has(&plain, &result), "%s",
                          situation(board, seat, a, b));
        } else if (play.moves == 0) {
            ck_assert_msg(rule == BG_RULE_MOST, "%s: empty play", situation(board, seat, a, b));
        }
    }
}

TEST_LOOP(only_legal_results_are_accepted, 0, SEEDS)
{
    for_random_positions(_i + 1, accepts_nothing_else);
}

static void refuses_other_results(const struct bg_board *board, int seat, int a, int b)
{
    const struct bg_stage stage = stage_of(a, b), other = stage_of(a % 6 + 1, b);

    enumerate(board, seat, a, b);
    bg_play_list(&list, variant, board, seat, &other);
    for (size_t i = 0; i < list.count; i++) {
        struct bg_board after;

        bg_play_make(&after, variant, board, seat, &list.play[i]);
        ck_assert_msg((bg_play_check_result(NULL, variant, board, seat, &stage, &after) ==
                       BG_RULE_NONE) == plain_has(&plain, &after),
                      "%s", situation(board, seat, a, b));
    }
}

TEST_LOOP(results_of_another_roll_are_refused, 0, SEEDS)
{
    for_random_positions(_i + 1, refuses_other_results);
}

static void round_trips(const struct bg_board *board, int seat, int a, int b)
{
    struct bg_match_id id = {.cube_log2 = below(16),
                             .cube_owner = below(3) - 1,
                             .move = seat,
                             .turn = seat,
                             .length = below(2) * below(32768),
                             .score = {below(32768), below(32768)},
                             .dice = {a, b},
                             .state = 1};
    struct bg_match_id read_id;
    struct bg_board read;
    char text[BG_XGID], again[BG_XGID];

    id.crawford = id.length > 0 && below(2);
    id.jacoby = id.length == 0 && below(2);
    bg_position_id_write(text, board, seat);
    ck_assert_int_eq(bg_position_id_read(&read, text, seat, NULL), BG_OK);
    ck_assert(bg_board_equal(&read, board));
    ck_assert_int_eq(bg_match_id_write(text, &id, NULL), BG_OK);
    ck_assert_int_eq(bg_match_id_read(&read_id, text, NULL), BG_OK);
    ck_assert_mem_eq(&read_id, &id, sizeof id);
    id.beavers = id.length == 0 && below(2);
    if (below(3) == 0) {
        id.doubled = 1;
        id.turn = 1 - seat;
        id.dice[0] = id.dice[1] = 0;
    }
    ck_assert_int_eq(bg_xgid_write(text, board, &id, NULL), BG_OK);
    ck_assert_int_eq(bg_xgid_read(&read, &read_id, text, NULL), BG_OK);
    ck_assert_mem_eq(&read_id, &id, sizeof id);
    ck_assert(bg_board_equal(&read, board));
    ck_assert_int_eq(bg_xgid_write(again, &read, &read_id, NULL), BG_OK);
    ck_assert_str_eq(again, text);
}

TEST_LOOP(notations_round_trip, 0, SEEDS)
{
    for_random_positions(_i + 1, round_trips);
}

void suite_begin(TCase *tests)
{
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_set_timeout(tests, 0);
}
