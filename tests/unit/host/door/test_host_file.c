/* The file for authors: what is written is read again, and what no referee wrote is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "door/host_file.h"
#include "support/suite.h"

#define KEY  "key: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'\n"
#define HERE "endpoint: tcp://127.0.0.1:5555\n"

static char path[] = "/tmp/bgref-unit-XXXXXX";
static struct host_file host;

static void set_up(void)
{
    int fd;

    memset(path + strlen(path) - 6, 'X', 6);
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void tear_down(void)
{
    unlink(path);
}

static const char *const names[] = {
    "spring",   "Club: spring", "a test", "- z",   "-",           "[q", "'q' and ''", "x #y",
    "\"club\"", "true",         "%club",  "@club", "two\\nlines", "*",  "{",          "ends:"};

TEST_ROWS(a_host_of_any_name_is_read_again, names)
{
    struct host_file written = {.endpoint = "tcp://bg.example.org:5555"};

    strcpy(written.name, names[_i]);
    memset(written.key, 0xa5, sizeof written.key);
    assert_ok(host_file_write(&written, path, &error));
    assert_ok(host_file_read(&host, path, &error));
    ck_assert_str_eq(host.name, written.name);
    ck_assert_str_eq(host.endpoint, written.endpoint);
    ck_assert_mem_eq(host.key, written.key, sizeof host.key);
}

static const struct {
    const char *text, *message; /* after the file's name */
} bad[] = {
    {"[spring]\n", ":1: not a host file; the host's referee writes it: HOST.bgref"},
    {"host: spring\n" KEY, ":1: endpoint: is missing; the host's referee writes this file"},
    {"host: spring\n" HERE KEY KEY, ":1: key: given twice; the host's referee writes this file"},
    {"host: spring\nendpoint: bg.example.org:5555\n" KEY,
     ":1: endpoint: 'bg.example.org:5555' is not an address like tcp://bg.example.org:5555, with "
     "a port up to 65535"},
    {"host: spring\n" HERE "key: abc\n", ":1: key: 64 hexadecimal digits are needed"},
};

TEST_ROWS(what_no_referee_wrote_is_refused, bad)
{
    FILE *out = fopen(path, "w");

    ck_assert_ptr_nonnull(out);
    ck_assert_int_ge(fputs(bad[_i].text, out), 0);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(host_file_read(&host, path, &error), BG_E_CONFIG);
    ck_assert_str_eq(error.text + strlen(path), bad[_i].message);
}

SUITE_FIXTURE(set_up, tear_down)
