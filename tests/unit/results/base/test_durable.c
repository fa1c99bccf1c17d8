/* Small files of lines that the program writes and reads itself. */
#include "support/suite.h"

#include <base/durable.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char taken[100];

static enum bg_status take(void *user, char *line, bool *is_known, struct bg_error *err)
{
    *is_known = strchr(line, '?') == NULL;
    strcat(taken, line);
    strcat(taken, ";");
    return BG_OK;
}

static const struct durable_reader reader = {"magic 1", "a test", take, NULL};

static const struct {
    const char *text;
    size_t size;
    const char *taken, *error; /* error NULL: it is read */
} files[] = {
    {"magic 1\none\ntwo\n", 16, "one;two;", NULL},
    {"magic 1\none", 11, "one;", NULL},
    {"magic 1\n", 8, "", NULL},
    {"", 0, "", "here: empty, as this program never writes it; restore it"},
    {"magic 2\none\n", 12, "", "here:1: not a line of a test; this program"},
    {"magic 1\r\none\n", 13, "", "here:1: not a line"},
    {"magic 1\none\n?\n", 14, "one;?;", "here:3: not a line"},
    {"magic 1\no\0e\n", 12, "", "here:2: not a line"},
    {"magic 1\0\none\n", 13, "", "here:1: not a line"},
};

TEST_ROWS(lines_are_read_strictly, files)
{
    FILE *in = tmpfile();
    enum bg_status status;

    ck_assert_ptr_nonnull(in);
    ck_assert_uint_eq(fwrite(files[_i].text, 1, files[_i].size, in), files[_i].size);
    rewind(in);
    taken[0] = '\0';
    status = durable_read(&reader, in, "here", &error);
    ck_assert_int_eq(status, files[_i].error == NULL ? BG_OK : BG_E_FORMAT);
    ck_assert_str_eq(taken, files[_i].taken);
    ck_assert_ptr_nonnull(strstr(error.text, files[_i].error == NULL ? "" : files[_i].error));
    fclose(in);
}

TEST(a_file_that_is_not_there_has_no_lines)
{
    taken[0] = '\0';
    assert_ok(durable_load(&reader, "/nowhere/at/all", &error));
    ck_assert_int_eq(durable_load(&reader, "/dev/null/file", &error), BG_E_SYSTEM);
    ck_assert_int_eq(durable_load(&reader, "/", &error), BG_E_SYSTEM); /* a folder */
    ck_assert_str_eq(taken, "");
}

static void write_word(FILE *out, const void *user)
{
    fputs(user, out);
}

TEST(a_file_that_cannot_be_written_leaves_no_draft)
{
    char folder[] = "/tmp/bgref-durable-XXXXXX", path[64], draft[64];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(draft, sizeof draft, "%s/file.new", folder);
    assert_ok(durable_write(path, write_word, "one\n", &error));
    ck_assert_int_eq(access(draft, F_OK), -1);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0); /* takes no file's name */
    ck_assert_int_eq(durable_write(path, write_word, "two\n", &error), BG_E_SYSTEM);
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_int_eq(access(draft, F_OK), -1);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
