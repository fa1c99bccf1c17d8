/* Suite of results/record/game_id.c: only the one exact form is accepted. */
#include "record/game_id.h"
#include "support/suite.h"

#include <string.h>

#define NAME64 "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"

static const struct {
    const char *text;
    bool is_game, is_leg;
} forms[] = {
    {"a|b|0|0|0", true, false},
    {"a|b|0|0", false, true},
    {"A.b_c+d-e|b|12|1|34", true, false},
    {NAME64 "|o|999999999999999999|1|2147483647", true, false},
    {"a|" NAME64 "|999999999999999999|1", false, true},
    {"a|n" NAME64 "|0|0|0", false, false},         /* a name of 65 bytes */
    {"a|b|1000000000000000000|0|0", false, false}, /* 19 digits */
    {"a|b|0|0|2147483648", false, false},
    {"b|a|0|0|0", false, false}, /* A is the smaller name */
    {"a|a|0|0|0", false, false},
    {"|b|0|0|0", false, false},
    {"a||0|0|0", false, false},
    {"a|b||0|0", false, false},
    {"a|b|0|2|0", false, false},
    {"a|b|0|0|-1", false, false},
    {"a|b|-1|0|0", false, false},
    {"a|b|00|0|0", false, false},
    {"a|b|01|0|0", false, false},
    {"a|b|0|0|+1", false, false},
    {"a|b|0|0| 1", false, false},
    {"a|b|0|0|1 ", false, false},
    {"a|b|0|0|1|", false, false},
    {"a|b|0|0|1|2", false, false},
    {"a|b|0|0|", false, false},
    {"a|b|0|", false, false},
    {"a|b|0", false, false},
    {"a|b", false, false},
    {"", false, false},
    {"a\n|b|0|0|0", false, false},
    {"a|b|0x1|0|0", false, false},
};

TEST_ROWS(only_the_exact_form_is_accepted, forms)
{
    struct game_id id;

    ck_assert_msg(game_id_read(&id, forms[_i].text) == forms[_i].is_game, "game '%s'",
                  forms[_i].text);
    ck_assert_msg(game_id_read_leg(&id, forms[_i].text) == forms[_i].is_leg, "leg '%s'",
                  forms[_i].text);
}

TEST(game_ids_round_trip)
{
    char text[BG_GAME_ID];
    struct game_id id = game_id_of("alpha", "beta"), back;

    id.pair = 12;
    id.leg = 1;
    id.game = 3;
    game_id_write(text, &id);
    ck_assert_str_eq(text, "alpha|beta|12|1|3");
    ck_assert(game_id_read(&back, text));
    ck_assert_int_eq(back.game, 3);
    game_id_write_leg(text, &id);
    ck_assert_str_eq(text, "alpha|beta|12|1");
    ck_assert(game_id_read_leg(&back, text));
    ck_assert_int_eq(game_id_compare_leg(&id, &back), 0);
    ck_assert_int_eq(back.game, 0);
    game_id_write_pair(text, &id);
    ck_assert_str_eq(text, "alpha|beta|12");
}

TEST(bot_a_has_the_seat_named_by_the_leg)
{
    struct game_id id = game_id_of("a", "b");

    ck_assert_str_eq(game_id_bot(&id, 0), "a");
    ck_assert_str_eq(game_id_bot(&id, 1), "b");
    ck_assert_int_eq(game_id_seat_of(0, 0), 0);
    ck_assert_int_eq(game_id_seat_of(0, 1), 1);
    id.leg = 1;
    ck_assert_str_eq(game_id_bot(&id, 0), "b");
    ck_assert_str_eq(game_id_bot(&id, 1), "a");
    ck_assert_int_eq(game_id_seat_of(1, 0), 1);
    ck_assert_int_eq(game_id_seat_of(1, 1), 0);
    for (int leg = 0; leg < 2; leg++) {
        for (int seat = 0; seat < 2; seat++) {
            ck_assert_int_eq(game_id_seat_of(leg, game_id_bot_at(leg, seat)), seat);
        }
    }
}

TEST(a_leg_is_named_by_its_first_game)
{
    const struct game_id id = game_id_of_leg("a", "b", 7, 1);
    char text[BG_GAME_ID];

    game_id_write(text, &id);
    ck_assert_str_eq(text, "a|b|7|1|0");
}

TEST(numbers_are_sorted_as_numbers_and_names_by_bytes)
{
    static const char *const sorted[] = {"B|a|0|0|0",  "a|b|2|0|0",  "a|b|10|0|9",
                                         "a|b|10|1|0", "a|b2|0|0|0", "aa|b|0|0|0"};

    for (size_t i = 0; i + 1 < sizeof sorted / sizeof sorted[0]; i++) {
        struct game_id x, y;

        ck_assert(game_id_read(&x, sorted[i]) && game_id_read(&y, sorted[i + 1]));
        ck_assert_msg(game_id_compare_leg(&x, &y) < 0 && game_id_compare_leg(&y, &x) > 0,
                      "%s and %s", sorted[i], sorted[i + 1]);
    }
}

TEST(id_parts_are_separated_by_bars)
{
    ck_assert(game_id_is_part("a|b|1|0|0", "a|b"));
    ck_assert(game_id_is_part("a|b|1|0|0", "a|b|1"));
    ck_assert(game_id_is_part("a|b|1|0|0", "a|b|1|0|0"));
    ck_assert(!game_id_is_part("a|b|12|0|0", "a|b|1"));
    ck_assert(!game_id_is_part("a|b|1|0", "a|b|1|0|0"));
}

/* The alias of a pair that is played again does not follow from the first one's. */
TEST(every_attempt_has_its_own_alias)
{
    static const char *const names[] = {"a|b|1|0|2", "a|b|1|0|2|1", "a|b|1|0|2|2"};
    const struct bg_dice_key key = {.bytes = {7}};
    char alias[BG_ALIAS], want[BG_ALIAS];
    struct game_id id;

    ck_assert(game_id_read(&id, names[0]));
    for (uint64_t attempt = 0; attempt < 3; attempt++) {
        game_id_alias(alias, &id, attempt, &key);
        bg_dice_alias(want, &key, names[attempt]);
        ck_assert_str_eq(alias, want);
    }
}
