/* The rules of a meeting: read, written, laid over each other, and applied to the event's. */
#include "support/suite.h"

#include "season/terms.h"

#include <string.h>

static const struct {
    const char *text;
    int length;
    const char *want; /* as written */
    const char *because;
} read_rows[] = {
    {"length=7 cube=off", 5, "cube=off length=7", NULL},
    {"crawford=no", 5, "crawford=off", NULL},
    {" jacoby=on  beavers=off ", 0, "jacoby=on beavers=off", NULL},
    {"cube=on", 0, "cube=on", NULL},
    {"", 5, NULL, "no condition is given"},
    {"cube", 5, NULL, "'cube' is not a condition like cube=off"},
    {"lenght=7", 5, NULL, "unknown condition 'lenght' (perhaps length?)"},
    {"colour=red", 5, NULL, "unknown condition 'colour'; known are cube, length"},
    {"cube=off cube=on", 5, NULL, "cube is given twice"},
    {"cube=maybe", 5, NULL, "cube=maybe: not on or off"},
    {"length=0", 5, NULL, "no common table with money games; play two events"},
    {"length=money", 5, NULL, "length=money: the event plays matches"},
    {"length=-3", 5, NULL, "not a whole number from 1 to 10000"},
    {"length=10001", 5, NULL, "not a whole number from 1 to 10000"},
    {"length=7", 0, NULL,
     "length=7: the event plays money games, and they have no common table with "
     "matches; give the event a length, or play two events"},
    {"crawford=off", 0, NULL, "only matches have it"},
    {"jacoby=off", 5, NULL, "only money games have it"},
    {"beavers=on", 5, NULL, "only money games have it"},
};

TEST_ROWS(words_are_read_or_refused, read_rows)
{
    struct terms terms;
    char text[TERMS_TEXT];
    enum bg_status status = terms_read(&terms, read_rows[_i].text, read_rows[_i].length, &error);

    if (read_rows[_i].because == NULL) {
        ck_assert_msg(status == BG_OK, "%s: %s", read_rows[_i].text, error.text);
        ck_assert_str_eq(terms_write(text, &terms), read_rows[_i].want);
    } else {
        ck_assert_int_eq(status, BG_E_ARGUMENT);
        ck_assert_msg(strstr(error.text, read_rows[_i].because) != NULL, "%s: %s",
                      read_rows[_i].text, error.text);
    }
}

static struct terms of(const char *text, int length)
{
    struct terms terms;

    ck_assert_int_eq(terms_read(&terms, text, length, NULL), BG_OK);
    return terms;
}

TEST(a_later_word_replaces_an_earlier_one)
{
    struct terms stage = of("length=9", 5), pair = of("cube=off length=7", 5);
    struct terms none = terms_none(), both = terms_over(&stage, &pair);
    char text[TERMS_TEXT];

    ck_assert_str_eq(terms_write(text, &both), "cube=off length=7");
    both = terms_over(&pair, &stage);
    ck_assert_str_eq(terms_write(text, &both), "cube=off length=9");
    both = terms_over(&stage, &none);
    ck_assert_str_eq(terms_write(text, &both), "length=9");
    ck_assert(terms_are_none(&none));
    ck_assert(!terms_are_none(&both));
}

TEST(rules_and_settings_agree)
{
    struct bg_rules match = bg_rules_default(bg_variant_find("backgammon"), 5), rules;
    struct bg_rules money = bg_rules_default(bg_variant_find("backgammon"), 0);
    struct terms terms = of("cube=off length=7 crawford=off", 5);
    char text[TERMS_TEXT];

    match.holland = true;
    rules = terms_rules(&match, &terms);
    ck_assert_int_eq(bg_rules_check(&rules, NULL), BG_OK);
    ck_assert_int_eq(rules.length_points, 7);
    ck_assert(!rules.cube && !rules.crawford && !rules.holland);
    ck_assert_str_eq(terms_setting(text, &terms, "length"), "7");
    ck_assert_str_eq(terms_setting(text, &terms, "cube"), "off");
    ck_assert_str_eq(terms_setting(text, &terms, "holland"), "off");
    ck_assert_ptr_null(terms_setting(text, &terms, "raises"));
    ck_assert_ptr_null(terms_setting(text, &terms, "variant"));

    money.beavers = true;
    money.raises = 3;
    terms = of("beavers=off jacoby=off", 0);
    rules = terms_rules(&money, &terms);
    ck_assert_int_eq(bg_rules_check(&rules, NULL), BG_OK);
    ck_assert(!rules.beavers && !rules.jacoby && rules.raises == 0);
    ck_assert_str_eq(terms_setting(text, &terms, "raises"), "0");

    terms = terms_none();
    rules = terms_rules(&match, &terms);
    ck_assert(rules.length_points == 5 && rules.cube && rules.crawford && rules.holland);
}

static const struct {
    const char *conditions, *because;
} check_rows[] = {
    {"ann,bob cube=off; cy,ann length=7", NULL},
    {"", NULL},
    {"ann,bop cube=off", "between bop: the event has no bot with this name (perhaps bob?)"},
    {"ann,ann cube=off", "between ann and itself"},
    {"ann,bob cube=off; cy,bob cube=off; bob,ann length=7", "given twice"},
    {"ann cube=off", "a condition is like 'ann,bob cube=off length=7'"},
    {"ann,bob,cy cube=off", "a condition is like"},
    {"ann,bob", "between ann and bob: no condition is given"},
    {"ann,bob cube=off; ann,cy kube=off",
     "between ann and cy: unknown condition 'kube' (perhaps cube?)"},
};

TEST_ROWS(conditions_are_checked_with_the_bots, check_rows)
{
    static const char *const names[] = {"ann", "bob", "cy"};
    enum bg_status status = terms_check(check_rows[_i].conditions, names, 3, 5, &error);

    if (check_rows[_i].because == NULL) {
        ck_assert_msg(status == BG_OK, "%s: %s", check_rows[_i].conditions, error.text);
    } else {
        ck_assert_int_eq(status, BG_E_ARGUMENT);
        ck_assert_msg(strstr(error.text, check_rows[_i].because) != NULL, "%s: %s",
                      check_rows[_i].conditions, error.text);
    }
}
