/* Memory that is there, or ends the program with one line and a status. */
#include "support/suite.h"

#include <base/memory.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/exit_status.h>

TEST(a_list_grows_and_keeps_its_elements)
{
    size_t room = 0;
    int *list = NULL;

    for (int i = 0; i < 10000; i++) {
        size_t before = room;

        list = memory_list(list, &room, (size_t)i + 1, sizeof *list);
        ck_assert_uint_gt(room, (size_t)i);
        ck_assert(room == before || room >= 2 * before);
        list[i] = i;
    }
    for (int i = 0; i < 10000; i++) {
        ck_assert_int_eq(list[i], i);
    }
    free(list);
}

TEST(zeroed_memory_is_zero_also_where_it_is_large)
{
    enum { LARGE = 9 << 20 };
    char *none = memory_zeroed(0, 8), *large = memory_zeroed(LARGE, 1);
    int others = 0;

    ck_assert_ptr_nonnull(none);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(none[i], 0);
    }
    for (int i = 0; i < LARGE; i++) {
        others += large[i] != 0;
    }
    ck_assert_int_eq(others, 0);
    free(none);
    free(large);
}

TEST(texts_are_copied_and_printed)
{
    char *copy = memory_text("gnubg"), *part = memory_text_of("gnubg", 3);
    char *printed = memory_print("%s-%d", "gnubg", 2);

    ck_assert_str_eq(copy, "gnubg");
    ck_assert_str_eq(part, "gnu");
    ck_assert_str_eq(printed, "gnubg-2");
    ck_assert_ptr_null(memory_text(NULL));
    free(copy);
    free(part);
    free(printed);
}

TEST(a_stream_becomes_a_text)
{
    size_t size;
    char *text;
    FILE *stream = memory_stream(&text, &size);

    for (int i = 0; i < 10000; i++) {
        fprintf(stream, "%d\n", i % 10);
    }
    memory_stream_close(stream);
    ck_assert_uint_eq(size, 20000);
    ck_assert_uint_eq(strlen(text), size);
    ck_assert_str_eq(text + size - 4, "8\n9\n");
    free(text);
}

/* More than any machine has, and sizes whose product does not fit. */
static void ask_for_too_much(int how)
{
    size_t room = SIZE_MAX / 4;

    switch (how) {
    case 0:
        free(memory_zeroed(SIZE_MAX / 2, 1));
        break;
    case 1:
        free(memory_zeroed(SIZE_MAX, 1));
        break;
    case 2:
        free(memory_zeroed(SIZE_MAX / 8, 16));
        break;
    default:
        free(memory_list(NULL, &room, SIZE_MAX / 4, 16));
    }
}

TEST_LOOP(without_memory_the_program_ends_with_one_line, 0, 4)
{
    char said[8000] = ""; /* sanitizers have lines of their own before it */
    size_t length = 0;
    const char *line;
    int pipe_end[2], status = 0;
    ssize_t got;
    pid_t child;

    ck_assert_int_eq(pipe(pipe_end), 0);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(pipe_end[1], STDERR_FILENO);
        ask_for_too_much(_i);
        _exit(0);
    }
    close(pipe_end[1]);
    while ((got = read(pipe_end[0], said + length, sizeof said - 1 - length)) > 0) {
        length += (size_t)got;
    }
    close(pipe_end[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SURROUNDINGS);
    line = strstr(said, "bgref: no memory for ");
    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_eq(strchr(line, '\n'), said + length - 1);
}
