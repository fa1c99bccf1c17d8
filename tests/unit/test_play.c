/* Legal plays: the vectors of GNU Backgammon, perft, and checks of plays as bots send them. */
#include <bgref/play.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>
#include <bgref/variant.h>

#include "support/moves_file.h"

static const struct bg_variant *variant;
static struct bg_play_list list;

static void setup(void)
{
    variant = bg_variant_find("backgammon");
}

static struct bg_board board_of(const char *id, int seat)
{
    struct bg_board board;
    struct bg_error err;

    ck_assert_msg(bg_position_id_read(&board, id, seat, &err) == BG_OK, "%s", err.text);
    return board;
}

static struct bg_stage stage_of(int a, int b)
{
    return bg_stage_of_roll(variant, (struct bg_roll){{(uint8_t)a, (uint8_t)b, 0}});
}

/* The results of the list as the vectors write them. */
static void results_text(char *out, const struct bg_board *board, int seat)
{
    char *end = out;

    if (list.count == 0) {
        strcpy(out, "-");
    }
    for (size_t i = 0; i < list.count; i++) {
        struct bg_board after;

        bg_play_make(&after, variant, board, seat, &list.play[i]);
        if (i > 0) {
            *end++ = ',';
        }
        bg_position_id_write(end, &after, seat);
        end += strlen(end);
    }
}

START_TEST(every_row_of_the_vectors)
{
    static struct moves_row row;
    static char got[MOVES_LINE];
    const int seat = _i;
    FILE *file = fopen(TEST_DATA "/backgammon-moves.tsv", "r");
    int rows = 0;

    ck_assert_ptr_nonnull(file);
    while (moves_row_next(&row, file)) {
        const struct bg_board board = board_of(row.position, seat);
        const struct bg_stage stage = stage_of(row.die[0], row.die[1]);

        bg_play_list(&list, variant, &board, seat, &stage);
        bg_play_list_sort(&list, variant, &board, seat);
        results_text(got, &board, seat);
        ck_assert_msg(strcmp(got, row.results) == 0, "%s %d%d:\n got %s\nwant %s", row.position,
                      row.die[0], row.die[1], got, row.results);
        ck_assert_msg((int)list.count == row.count, "%s count", row.position);
        ck_assert_msg(bg_play_exists(variant, &board, seat, &stage) == (row.count > 0),
                      "%s %d%d: exists", row.position, row.die[0], row.die[1]);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 5371);
}
END_TEST

Suite *suite(void);

Suite *suite(void)
{
    Suite *all = suite_create("play");
    TCase *rows = tcase_create("vectors");

    tcase_add_checked_fixture(rows, setup, NULL);
    tcase_set_timeout(rows, 60);
    tcase_add_loop_test(rows, every_row_of_the_vectors, 0, 2);
    suite_add_tcase(all, rows);
    return all;
}

int main(void)
{
    SRunner *runner = srunner_create(suite());
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
