/* Who is registered at a host: names, keys, tokens, and what is too old or too much. */
#include <host/people.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DAY_S INT64_C(86400)

static struct people people; /* large */
static char why[200];

static void setup(void)
{
    people = (struct people){.known = NULL};
}

static void teardown(void)
{
    people_deinit(&people);
}

/* The key of a number, as text. */
static const char *key_of(int number)
{
    static char text[2][KEY_FILE_DIGITS];
    static int turn;

    turn = 1 - turn;
    snprintf(text[turn], sizeof text[turn], "%064x", (unsigned)number);
    return text[turn];
}

static const unsigned char *hash_of(int number)
{
    static unsigned char hash[PEOPLE_HASH];

    memset(hash, number, sizeof hash);
    return hash;
}

static void invite(const char *name, int hash, int64_t until_s)
{
    struct invitation invitation = {.until_s = until_s};

    snprintf(invitation.name, sizeof invitation.name, "%s", name);
    memcpy(invitation.hash, hash_of(hash), PEOPLE_HASH);
    ck_assert_int_eq(people_invite(&people, &invitation, NULL), BG_OK);
}

/* hash 0: no token. */
static enum people_verdict ask(enum people_policy policy, const char *name, int key, int hash,
                               int64_t now_s)
{
    const struct people_ask asked = {
        .name = name, .key = key_of(key), .contact = "c", .hash = hash == 0 ? NULL : hash_of(hash)};

    why[0] = '\0';
    return people_take(&people, policy, &asked, false, now_s, why);
}

START_TEST(a_token_is_used_once_for_its_name_and_in_its_days)
{
    invite("anna", 1, 100);
    invite("bert", 2, 100);
    ck_assert_int_eq(ask(PEOPLE_INVITE, "anna", 1, 3, 50), PEOPLE_REFUSED); /* wrong */
    ck_assert_int_eq(ask(PEOPLE_INVITE, "anna", 1, 2, 50), PEOPLE_REFUSED); /* another's */
    ck_assert_int_eq(ask(PEOPLE_INVITE, "anna", 1, 0, 50), PEOPLE_REFUSED); /* none */
    ck_assert_int_eq(people.known_count, 0);
    ck_assert_int_eq(ask(PEOPLE_INVITE, "anna", 1, 1, 99), PEOPLE_REGISTERED);
    ck_assert_int_eq(ask(PEOPLE_INVITE, "anna", 2, 1, 99), PEOPLE_REFUSED); /* twice */
    ck_assert_str_eq(why, "the name belongs to another key");
    ck_assert_int_eq(ask(PEOPLE_INVITE, "carl", 3, 1, 99), PEOPLE_REFUSED);
    ck_assert_int_eq(ask(PEOPLE_INVITE, "bert", 2, 2, 100), PEOPLE_REFUSED); /* too late */
    ck_assert_int_eq(people.known_count, 1);
    ck_assert_int_eq(people.invited_count, 0);
    ck_assert_str_eq(people_find(&people, "anna")->key, key_of(1));
}
END_TEST

START_TEST(a_name_belongs_to_one_key_and_a_key_to_one_name)
{
    invite("anna", 1, 100);
    invite("bert", 2, 100);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 1, 1, 1), PEOPLE_REGISTERED);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "bert", 1, 2, 2), PEOPLE_REFUSED);
    ck_assert_str_eq(why, "the key has another name here");
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 2, 0, 3), PEOPLE_REFUSED);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 1, 0, 4), PEOPLE_REGISTERED);
    ck_assert_int_eq(ask(PEOPLE_CLOSED, "anna", 1, 0, 4), PEOPLE_REFUSED);
    ck_assert_int_eq(people_invite(&people, &(struct invitation){.name = "anna"}, NULL),
                     BG_E_ARGUMENT);
}
END_TEST

START_TEST(capital_letters_make_no_other_name)
{
    invite("anna", 1, 100);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 1, 1, 1), PEOPLE_REGISTERED);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "Anna", 2, 0, 2), PEOPLE_REFUSED);
    ck_assert_str_eq(why, "the name is in use at this host, with other capital letters");
    ck_assert_int_eq(people_invite(&people, &(struct invitation){.name = "ANNA"}, NULL),
                     BG_E_ARGUMENT);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna2", 2, 0, 3), PEOPLE_WAITS);
}
END_TEST

START_TEST(who_waits_is_approved_by_what_is_known_then)
{
    struct people_ask next = {.name = "carl", .contact = ""};
    char own[KEY_FILE_DIGITS], other[KEY_FILE_DIGITS];
    struct bg_error err;

    ck_assert_int_eq(ask(PEOPLE_OPEN, "bert", 1, 0, 1), PEOPLE_WAITS);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "Bert", 2, 0, 2), PEOPLE_WAITS);
    ck_assert_int_eq(people_approve(&people, "bert", 3, NULL), BG_OK);
    ck_assert_int_eq(people_approve(&people, "Bert", 4, &err), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "bert"));
    /* a key that waits gets another's name, which is handed on to it */
    ck_assert_int_eq(ask(PEOPLE_OPEN, "carl", 3, 0, 5), PEOPLE_WAITS);
    ck_assert_int_eq(people_approve(&people, "carl", 6, NULL), BG_OK);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "dora", 4, 0, 7), PEOPLE_WAITS);
    snprintf(own, sizeof own, "%s", key_of(3));
    snprintf(other, sizeof other, "%s", key_of(4));
    next.key = own;
    next.next = other;
    ck_assert_int_eq(people_take(&people, PEOPLE_OPEN, &next, false, 8, why), PEOPLE_REGISTERED);
    ck_assert_int_eq(people_approve(&people, "dora", 9, &err), BG_E_ARGUMENT);
    ck_assert_int_eq(people.known_count, 2);
}
END_TEST

START_TEST(what_the_operator_has_listed_is_taken)
{
    const struct people_ask asked = {.name = "anna", .key = key_of(1), .contact = ""};

    ck_assert_int_eq(people_take(&people, PEOPLE_OPEN, &asked, true, 1, why), PEOPLE_REFUSED);
    ck_assert_int_eq(people.waiting_count, 0);
}
END_TEST

START_TEST(at_most_a_hundred_wait_and_not_for_ever)
{
    char name[16];

    for (int i = 0; i < PEOPLE_WAITING; i++) {
        snprintf(name, sizeof name, "bot%d", i);
        ck_assert_int_eq(ask(PEOPLE_OPEN, name, 100 + i, 0, i), PEOPLE_WAITS);
    }
    ck_assert_int_eq(ask(PEOPLE_OPEN, "late", 1, 0, 200), PEOPLE_REFUSED);
    ck_assert_ptr_nonnull(strstr(why, "too many"));
    ck_assert_int_eq(ask(PEOPLE_OPEN, "bot7", 107, 0, 200), PEOPLE_WAITS); /* asks again */
    ck_assert_int_eq(people.waiting_count, PEOPLE_WAITING);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "late", 1, 0, PEOPLE_DAYS * DAY_S), PEOPLE_REFUSED);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "late", 1, 0, PEOPLE_DAYS * DAY_S + 1), PEOPLE_WAITS);
    ck_assert_int_eq(people.waiting_count, PEOPLE_WAITING); /* bot0 was dropped */
    ck_assert_int_eq(people_approve(&people, "bot0", 1, NULL), BG_E_ARGUMENT);
    ck_assert_int_eq(people_approve(&people, "bot1", 1, NULL), BG_OK);
    ck_assert_int_eq(people_refuse(&people, "bot2", NULL), BG_OK);
    ck_assert_int_eq(people.waiting_count, PEOPLE_WAITING - 2);
    ck_assert_str_eq(people_find(&people, "bot1")->key, key_of(101));
    ck_assert_ptr_null(people_find(&people, "bot2"));
}
END_TEST

START_TEST(one_waits_for_a_name_and_with_a_key)
{
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 1, 0, 1), PEOPLE_WAITS);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 2, 0, 2), PEOPLE_REFUSED);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "bert", 1, 0, 3), PEOPLE_REFUSED);
    invite("anna", 1, 100); /* the operator invites another one for the name */
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 3, 1, 4), PEOPLE_REGISTERED);
    ck_assert_int_eq(people.waiting_count, 0);
}
END_TEST

START_TEST(only_the_present_key_hands_the_name_on)
{
    struct people_ask next = {.name = "anna", .contact = ""};
    char present[KEY_FILE_DIGITS], other[KEY_FILE_DIGITS];

    snprintf(present, sizeof present, "%s", key_of(1));
    snprintf(other, sizeof other, "%s", key_of(2));
    invite("anna", 1, 100);
    invite("bert", 2, 100);
    ck_assert_int_eq(ask(PEOPLE_INVITE, "anna", 1, 1, 1), PEOPLE_REGISTERED);
    ck_assert_int_eq(ask(PEOPLE_INVITE, "bert", 2, 2, 1), PEOPLE_REGISTERED);
    next.key = other;
    next.next = key_of(3);
    ck_assert_int_eq(people_take(&people, PEOPLE_INVITE, &next, false, 2, why), PEOPLE_REFUSED);
    next.key = present;
    next.next = other; /* bert's */
    ck_assert_int_eq(people_take(&people, PEOPLE_INVITE, &next, false, 2, why), PEOPLE_REFUSED);
    next.next = key_of(3);
    ck_assert_int_eq(people_take(&people, PEOPLE_INVITE, &next, false, 2, why), PEOPLE_REGISTERED);
    ck_assert_str_eq(people_find(&people, "anna")->key, key_of(3));
    ck_assert_ptr_null(people_by_key(&people, present));
    ck_assert_int_eq(people_take(&people, PEOPLE_INVITE, &next, false, 2, why), PEOPLE_REGISTERED);
    ck_assert_str_eq(why, "the next key holds the name already"); /* asked again */
    ck_assert_str_eq(people_find(&people, "anna")->key, key_of(3));
}
END_TEST

/* Writes the people to a file, and reads them again, as a new start of the host does. */
static void store_and_load(void)
{
    char folder[] = "/tmp/bgref-people-XXXXXX", path[64];
    struct people back;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/people", folder);
    ck_assert_int_eq(people_save(&people, path, NULL), BG_OK);
    ck_assert_int_eq(people_load(&back, path, NULL), BG_OK);
    people_deinit(&people);
    people = back;
    unlink(path);
    rmdir(folder);
}

static enum people_verdict hand_on(int key, int next, int64_t now_s)
{
    const struct people_ask asked = {
        .name = "anna", .contact = "", .key = key_of(key), .next = key_of(next)};

    return people_take(&people, PEOPLE_INVITE, &asked, false, now_s, why);
}

START_TEST(a_name_is_handed_on_five_times_a_day)
{
    invite("anna", 1, 100);
    ck_assert_int_eq(ask(PEOPLE_INVITE, "anna", 1, 1, 1), PEOPLE_REGISTERED);
    for (int key = 1; key <= PEOPLE_HANDED; key++) {
        ck_assert_int_eq(hand_on(key, key + 1, 60 * key), PEOPLE_REGISTERED);
        ck_assert_int_eq(hand_on(key, key + 1, 60 * key), PEOPLE_REGISTERED); /* asked again */
        store_and_load();
    }
    ck_assert_int_eq(hand_on(6, 7, DAY_S - 1), PEOPLE_REFUSED);
    ck_assert_ptr_nonnull(strstr(why, "handed on 5 times today"));
    ck_assert_str_eq(people_find(&people, "anna")->key, key_of(6));
    ck_assert_int_eq(hand_on(6, 7, DAY_S), PEOPLE_REGISTERED);
    for (int key = 7; key < 6 + PEOPLE_HANDED; key++) {
        ck_assert_int_eq(hand_on(key, key + 1, DAY_S + 1), PEOPLE_REGISTERED);
    }
    ck_assert_int_eq(hand_on(11, 12, DAY_S + 1), PEOPLE_REFUSED);
    ck_assert_int_eq(people_reassign(&people, "anna", key_of(20), NULL), BG_OK);
    ck_assert_int_eq(hand_on(20, 21, DAY_S + 1), PEOPLE_REGISTERED); /* another's */
}
END_TEST

START_TEST(the_operator_gives_a_registered_name_to_a_key_that_has_none)
{
    struct bg_error err = {.text = ""};

    invite("anna", 1, 100);
    invite("bert", 2, 100);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 1, 1, 1), PEOPLE_REGISTERED);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "bert", 2, 2, 1), PEOPLE_REGISTERED);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "carl", 3, 0, 1), PEOPLE_WAITS);
    ck_assert_int_eq(people_reassign(&people, "carl", key_of(4), &err), BG_E_ARGUMENT);
    ck_assert_int_eq(people_reassign(&people, "anna", key_of(2), &err), BG_E_ARGUMENT);
    ck_assert_str_eq(err.text, "this key is that of bert");
    ck_assert_int_eq(people_reassign(&people, "anna", key_of(1), &err), BG_E_ARGUMENT);
    ck_assert_int_eq(people.waiting_count, 1);
    ck_assert_int_eq(people_reassign(&people, "anna", key_of(3), &err), BG_OK);
    ck_assert_str_eq(people_find(&people, "anna")->key, key_of(3));
    ck_assert_ptr_null(people_by_key(&people, key_of(1)));
    ck_assert_int_eq(people.waiting_count, 0); /* a key has one name */
    ck_assert_int_eq(people.known_count, 2);
}
END_TEST

START_TEST(a_stored_list_is_read_back)
{
    invite("anna", 1, 100);
    invite("bert", 2, 300);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "anna", 1, 1, 1), PEOPLE_REGISTERED);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "carl", 3, 0, 2), PEOPLE_WAITS);
    store_and_load();
    ck_assert_int_eq(people.known_count, 1);
    ck_assert_str_eq(people_find(&people, "anna")->key, key_of(1));
    ck_assert_str_eq(people_find(&people, "anna")->contact, "c");
    ck_assert_int_eq(people.waiting_count, 1);
    ck_assert_int_eq((int)people.waiting[0].at_s, 2);
    ck_assert_int_eq(ask(PEOPLE_OPEN, "bert", 2, 2, 299), PEOPLE_REGISTERED);
}
END_TEST

static const char *const broken[] = {
    "bgref-people 2\n",
    "bgref-people 1\nknown\tanna\t12\t1\tc\n",
    "bgref-people 1\nknown\tanna\t%064d\t1\tc\nknown\tanna\t"
    "1111111111111111111111111111111111111111111111111111111111111111\t1\tc\n",
    "bgref-people 1\nknown\ta b\t%064d\t1\tc\n",
    "bgref-people 1\nfriend\tanna\t%064d\t1\tc\n",
    "bgref-people 1\nwaits\tanna\t%064d\tsoon\tc\n",
    "bgref-people 1\nhanded\tanna\t%064d\t1\t1\n",
    "bgref-people 1\nknown\tanna\t%064d\t1\tc\nhanded\tanna\t"
    "1111111111111111111111111111111111111111111111111111111111111111\t1\t6\n",
    "bgref-people 1\ninvited\tanna\t%064d\t1\n",
};

START_TEST(a_broken_list_is_refused)
{
    struct bg_error err = {.text = ""};
    char text[400];
    const char *digits = strstr(broken[_i], "%064d");
    FILE *in;

    snprintf(text, sizeof text, "%.*s%s%s",
             (int)(digits == NULL ? strlen(broken[_i]) : (size_t)(digits - broken[_i])), broken[_i],
             digits == NULL ? "" : key_of(0), digits == NULL ? "" : digits + strlen("%064d"));
    in = fmemopen(text, strlen(text), "r");
    ck_assert_msg(people_read(&people, in, "people", &err) == BG_E_FORMAT, "%s", text);
    ck_assert_ptr_nonnull(strstr(err.text, "people:"));
    fclose(in);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("people");
    TCase *laws = tcase_create("laws");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(laws, setup, teardown);
    tcase_add_test(laws, a_token_is_used_once_for_its_name_and_in_its_days);
    tcase_add_test(laws, a_name_belongs_to_one_key_and_a_key_to_one_name);
    tcase_add_test(laws, capital_letters_make_no_other_name);
    tcase_add_test(laws, who_waits_is_approved_by_what_is_known_then);
    tcase_add_test(laws, what_the_operator_has_listed_is_taken);
    tcase_add_test(laws, at_most_a_hundred_wait_and_not_for_ever);
    tcase_add_test(laws, one_waits_for_a_name_and_with_a_key);
    tcase_add_test(laws, only_the_present_key_hands_the_name_on);
    tcase_add_test(laws, a_name_is_handed_on_five_times_a_day);
    tcase_add_test(laws, the_operator_gives_a_registered_name_to_a_key_that_has_none);
    tcase_add_test(laws, a_stored_list_is_read_back);
    tcase_add_loop_test(laws, a_broken_list_is_refused, 0, (int)(sizeof broken / sizeof broken[0]));
    suite_add_tcase(suite, laws);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
