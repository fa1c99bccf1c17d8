/* Which names of an event are one bot, and under which name a changed bot goes on. */
#include "config/lineage.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/entry_wishes.h"
#include "store/continued.h"

static struct config_event event;
static struct competitor bots[16];
static const struct played nothing = {.is_read = true};

static void add(const char *name, const char *continues)
{
    struct competitor *bot = &bots[event.bot_count++];

    snprintf(bot->name, sizeof bot->name, "%s", name);
    snprintf(bot->continues, sizeof bot->continues, "%s", continues);
    for (int i = 0; i < event.bot_count; i++) {
        if (strcmp(bots[i].name, continues) == 0) {
            snprintf(bots[i].replaced, sizeof bots[i].replaced, "00");
        }
    }
}

static void set_up(void)
{
    memset(bots, 0, sizeof bots);
    event = (struct config_event){.bots = bots, .conditions = ""};
    add("anna", "");
    add("bert", "");
    add("carl", "");
    add("carl.2", "carl");
    add("anna.2", "anna");
    add("anna.3", "anna.2");
}

START_TEST(names_of_one_bot_have_its_first_and_its_last)
{
    static const int first[] = {0, 1, 2, 2, 0, 0}, last[] = {5, 1, 3, 3, 5, 5},
                     place[] = {1, 1, 1, 2, 2, 3};

    for (int i = 0; i < event.bot_count; i++) {
        ck_assert_int_eq(lineage_first(&event, i), first[i]);
        ck_assert_int_eq(lineage_last(&event, i), last[i]);
        ck_assert_int_eq(lineage_place(&event, i), place[i]);
    }
    ck_assert_int_eq(lineage_in_file(&event), 3);
}
END_TEST

START_TEST(the_next_name_counts_from_the_first_one)
{
    char next[NAME_SIZE];

    ck_assert_ptr_null(entry_obstacle(next, &event, 5, &nothing));
    ck_assert_str_eq(next, "anna.4");
    ck_assert_ptr_null(entry_obstacle(next, &event, 1, &nothing));
    ck_assert_str_eq(next, "bert.2");
    add("bert.2", "");
    ck_assert_str_eq(entry_obstacle(next, &event, 1, &nothing),
                     "the event has another bot with this name");
}
END_TEST

START_TEST(names_end)
{
    char name[NAME_SIZE], before[NAME_SIZE] = "anna.3", next[NAME_SIZE];

    for (int i = 4; i <= CONTINUED_MOST; i++) {
        ck_assert_ptr_null(entry_obstacle(next, &event, event.bot_count - 1, &nothing));
        snprintf(name, sizeof name, "anna.%d", i);
        ck_assert_str_eq(next, name);
        add(name, before);
        snprintf(before, sizeof before, "%s", name);
    }
    ck_assert_str_eq(entry_obstacle(next, &event, event.bot_count - 1, &nothing),
                     "it has the last name that it may have in an event");
}
END_TEST

START_TEST(a_wish_is_for_one_run)
{
    struct entry_wishes wishes = {.count = 0};
    struct entry_wish wish = {.name = "anna", .version = "2.0"};

    ck_assert_int_eq(entry_wishes_add(&wishes, &wish, NULL), BG_OK);
    entry_wishes_end(&wishes); /* of the run that it came in */
    ck_assert_int_eq(wishes.count, 1);
    entry_wishes_begin(&wishes);
    ck_assert(entry_wishes_find(&wishes, "anna")->is_old);
    snprintf(wish.name, sizeof wish.name, "bert");
    ck_assert_int_eq(entry_wishes_add(&wishes, &wish, NULL), BG_OK);
    entry_wishes_end(&wishes);
    ck_assert_int_eq(wishes.count, 1);
    ck_assert_str_eq(wishes.list[0].name, "bert");
    entry_wishes_deinit(&wishes);
}
END_TEST

START_TEST(a_wish_is_kept_once_and_refused_with_its_reason)
{
    struct entry_wishes wishes = {.count = 0};
    struct entry_wish wish = {.name = "anna", .version = "2.0"};

    ck_assert(!entry_wishes_refuse(&wishes, "none"));
    ck_assert_int_eq(entry_wishes_add(&wishes, &wish, NULL), BG_OK);
    snprintf(wish.version, sizeof wish.version, "3.0");
    ck_assert_int_eq(entry_wishes_add(&wishes, &wish, NULL), BG_OK);
    ck_assert_int_eq(wishes.count, 1);
    ck_assert_str_eq(entry_wishes_find(&wishes, "anna")->version, "3.0");
    ck_assert_ptr_null(entry_wishes_find(&wishes, "bert"));
    ck_assert(entry_wishes_refuse(&wishes, "the bracket is drawn"));
    ck_assert_str_eq(entry_wishes_find(&wishes, "anna")->refused, "the bracket is drawn");
    ck_assert(!entry_wishes_refuse(&wishes, "another reason"));
    ck_assert_str_eq(entry_wishes_find(&wishes, "anna")->refused, "the bracket is drawn");
    entry_wishes_begin(&wishes);
    entry_wishes_end(&wishes); /* a refusal stays */
    ck_assert_int_eq(wishes.count, 1);
    entry_wishes_deinit(&wishes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lineage");
    TCase *tcase = tcase_create("lineage");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, names_of_one_bot_have_its_first_and_its_last);
    tcase_add_test(tcase, the_next_name_counts_from_the_first_one);
    tcase_add_test(tcase, names_end);
    tcase_add_test(tcase, a_wish_is_for_one_run);
    tcase_add_test(tcase, a_wish_is_kept_once_and_refused_with_its_reason);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
