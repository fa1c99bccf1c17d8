/* The chain of the journal's rows, in a database and in an exported text: every changed byte is
 * found, with the row. */
#define _GNU_SOURCE
#include <proof/verify_journal.h>

#include <stdio.h>
#include <string.h>

#include "support/scratch_store.h"
#include "support/suite.h"

enum { ROWS = 4 };

static void make(struct act rows[ROWS])
{
    static const char *const subjects[ROWS] = {"bot=greedy", "pair=greedy|random|3", "-",
                                               "between=greedy,random cube=off"};
    static const char *const kinds[ROWS] = {"withdraw", "void", "close", "condition"};
    const char *before = ACT_ORIGIN;

    for (uint64_t i = 0; i < ROWS; i++) {
        rows[i] = (struct act){.number = i + 1, .at = "2026-11-22T08:30:00Z", .who = "ann@host"};
        snprintf(rows[i].kind, sizeof rows[i].kind, "%s", kinds[i]);
        snprintf(rows[i].subject, sizeof rows[i].subject, "%s", subjects[i]);
        snprintf(rows[i].reason, sizeof rows[i].reason, "%s", i == 2 ? "" : "a cause \xc3\xa0");
        act_seal(&rows[i], before);
        before = rows[i].hash;
    }
}

static enum bg_status verify_rows(struct verify_sum *sum, const struct act rows[ROWS],
                                  struct bg_error *err)
{
    struct store *store = scratch_store_create();
    enum bg_status status;

    ck_assert_int_eq(store_put_acts(store, rows, ROWS, NULL), BG_OK);
    status = verify_journal_of_store(sum, store, err);
    store_destroy(store);
    return status;
}

TEST(a_journal_that_follows_is_proved)
{
    struct act rows[ROWS];
    struct verify_sum sum = {.games = 0};

    make(rows);
    ck_assert_int_eq(verify_rows(&sum, rows, NULL), BG_OK);
    ck_assert_uint_eq(sum.acts, ROWS);
    ck_assert_str_eq(sum.journal, rows[ROWS - 1].hash);
    ck_assert_int_eq(verify_journal_of_head(&sum, NULL, NULL), BG_OK);
    ck_assert_uint_eq(sum.acts, 0);
    ck_assert_str_eq(sum.journal, ACT_ORIGIN);
}

TEST_LOOP(every_changed_byte_is_found_with_its_row, 0, ROWS)
{
    struct act rows[ROWS];
    struct verify_sum sum;
    char named[24];

    make(rows);
    snprintf(named, sizeof named, "journal: row %d ", _i + 1);

    char *const fields[] = {rows[_i].at,      rows[_i].who,    rows[_i].kind,
                            rows[_i].subject, rows[_i].reason, rows[_i].hash};

    for (size_t field = 0; field < sizeof fields / sizeof fields[0]; field++) {
        for (char *at = fields[field]; *at != '\0'; at++) {
            *at ^= 1;
            ck_assert_int_eq(verify_rows(&sum, rows, &error), BG_E_MISMATCH);
            ck_assert_msg(strstr(error.text, named) != NULL, "%s", error.text);
            *at ^= 1;
        }
    }
    assert_ok(verify_rows(&sum, rows, &error));
}

/* Rows whose hash fits their contents, but not the rows before. */
TEST(an_exchanged_row_is_found)
{
    struct act rows[ROWS], other;
    struct verify_sum sum;

    make(rows);
    other = rows[1];
    snprintf(other.reason, sizeof other.reason, "another cause");
    act_seal(&other, rows[0].hash);
    rows[1] = other;
    ck_assert_int_eq(verify_rows(&sum, rows, &error), BG_E_MISMATCH);
    ck_assert_msg(strstr(error.text, "journal: row 3 (close -) does not follow") != NULL, "%s",
                  error.text);
}

/* The head of an exported text: every byte of its journal counts. */
TEST(every_changed_byte_of_an_exported_journal_is_found)
{
    struct store *store = scratch_store_create();
    struct root_head head = {0};
    struct act rows[ROWS];
    struct verify_sum sum;
    char *journal;

    make(rows);
    ck_assert_int_eq(store_put_acts(store, rows, ROWS, NULL), BG_OK);
    ck_assert_int_eq(root_head_read(&head, store, NULL), BG_OK);
    ck_assert_int_eq(verify_journal_of_head(&sum, head.text, NULL), BG_OK);
    ck_assert_uint_eq(sum.acts, ROWS);
    journal = strstr(head.text, "\nact 1\t");
    ck_assert_ptr_nonnull(journal);
    for (char *at = journal + 1; *at != '\0'; at++) {
        *at ^= 1;
        ck_assert_msg(verify_journal_of_head(&sum, head.text, &error) == BG_E_MISMATCH, "%s", at);
        ck_assert_ptr_nonnull(strstr(error.text, "journal: "));
        *at ^= 1;
    }
    *strstr(journal, "acts ") = '\0';
    ck_assert_int_eq(verify_journal_of_head(&sum, head.text, &error), BG_E_MISMATCH);
    ck_assert_ptr_nonnull(strstr(error.text, "the line 'acts' after row 4 is missing"));
    root_head_free(&head);
    store_destroy(store);
}

/* Without a journal the head has no line of it, as before there were journals. */
TEST(a_journal_is_in_the_root_only_if_there_is_one)
{
    struct store *store = scratch_store_create();
    struct root_head head = {0};
    struct act rows[ROWS];
    char before[RECORD_HASH], after[RECORD_HASH];

    make(rows);
    ck_assert_int_eq(root_head_read(&head, store, NULL), BG_OK);
    ck_assert_ptr_null(strstr(head.text, "act"));
    root_head_free(&head);
    ck_assert_int_eq(root_of_store(before, store, NULL), BG_OK);
    ck_assert_int_eq(store_put_acts(store, rows, 1, NULL), BG_OK);
    ck_assert_int_eq(root_of_store(after, store, NULL), BG_OK);
    ck_assert_str_ne(before, after);
    store_destroy(store);
}
