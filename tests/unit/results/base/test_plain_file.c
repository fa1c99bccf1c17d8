/* What stands in the place of a file: only a plain one of bounded size is opened, at once. */
#define _GNU_SOURCE /* mkdtemp */
#include "base/plain_file.h"
#include "support/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[] = "/tmp/test-plain-XXXXXX";
static char path[sizeof folder + 8];

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
}

static void remove_folder(void)
{
    remove(path);
    rmdir(folder);
}

static void make_nothing(void)
{
}

static void make_fifo(void)
{
    ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void make_link_to_fifo(void)
{
    char fifo[sizeof folder + 8];

    snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    ck_assert_int_eq(symlink("fifo", path), 0);
}

static void make_device(void)
{
    ck_assert_int_eq(symlink("/dev/zero", path), 0);
}

static void make_inner_folder(void)
{
    ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void make_socket(void)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(place.sun_path, sizeof place.sun_path, "%s", path);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&place, sizeof place), 0);
    close(fd);
}

static void make_size(off_t size)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(ftruncate(fileno(file), size), 0);
    fclose(file);
}

static void make_huge(void)
{
    make_size((off_t)1 << 40);
}

static void make_loop(void)
{
    ck_assert_int_eq(symlink("file", path), 0);
}

static const struct {
    const char *name, *why;
    void (*make)(void);
    int error;
} refused[] = {
    {"nothing", "No such file or directory", make_nothing, ENOENT},
    {"a FIFO without a writer", "a pipe, not a plain file", make_fifo, 0},
    {"a link to a FIFO", "a pipe, not a plain file", make_link_to_fifo, 0},
    {"a device that never ends", "a device, not a plain file", make_device, 0},
    {"a folder", "a folder; name a file in it", make_inner_folder, 0},
    {"a socket", "a socket, not a plain file", make_socket, 0},
    {"a sparse file of a terabyte", "larger than 1024 KiB, the most that is read", make_huge, 0},
    {"a link to itself", "Too many levels of symbolic links", make_loop, ELOOP},
};

TEST_ROWS(only_a_plain_file_is_opened, refused)
{
    FILE *file = stdin;

    refused[_i].make();
    const char *why = plain_file_open(&file, path, 1 << 20);
    const int code = errno;

    ck_assert_msg(why != NULL && strcmp(why, refused[_i].why) == 0, "%s: %s", refused[_i].name,
                  why == NULL ? "opened" : why);
    ck_assert_int_eq(code, refused[_i].error);
    ck_assert_ptr_null(file);
    unlink(path);
    snprintf(path, sizeof path, "%s/fifo", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/file", folder);
}

TEST(a_file_of_the_largest_size_is_opened)
{
    FILE *file = NULL;

    make_size(1 << 20);
    ck_assert_ptr_null(plain_file_open(&file, path, 1 << 20));
    ck_assert_int_eq(fgetc(file), 0);
    fclose(file);
    make_size(5);
    ck_assert_str_eq(plain_file_open(&file, path, 4), "larger than 4 bytes, the most that is read");
}

void suite_begin(TCase *tests)
{
    tcase_set_timeout(tests, 5); /* opening a FIFO in the usual way waits for ever */
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
}
