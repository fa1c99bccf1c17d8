/* What a service manager hears from us, by a socket of this test, and the sockets that it passes.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop/listen_fds.h"
#include "loop/notify.h"

#include "support/suite.h"

#define S_NS INT64_C(1000000000)

static char folder[64], path[96], text[600];
static int manager = -1;
static struct notify notify;

static void listen_at(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));

    memcpy(address.sun_path, name, strlen(name));
    if (name[0] == '@') {
        address.sun_path[0] = '\0';
    }
    manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(manager, (const struct sockaddr *)&address, size), 0);
    setenv("NOTIFY_SOCKET", name, 1);
}

static void set_up(void)
{
    strcpy(folder, "/tmp/bgref-notify-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

static void tear_down(void)
{
    notify_close(&notify);
    close(manager);
    unlink(path);
    rmdir(folder);
}

/* The next message, "" if there is none. */
static const char *heard(void)
{
    ssize_t size = recv(manager, text, sizeof text - 1, 0);

    text[size > 0 ? size : 0] = '\0';
    return text;
}

TEST(every_state_is_a_message_to_the_named_socket)
{
    listen_at(path);
    notify_open(&notify);
    ck_assert_ptr_null(getenv("NOTIFY_SOCKET"));
    ck_assert_str_eq(heard(), "");
    notify_ready(&notify, "2 events");
    ck_assert_str_eq(heard(), "READY=1\nSTATUS=2 events");
    notify_status(&notify, "one\nREADY=0\x7f more");
    ck_assert_str_eq(heard(), "STATUS=oneREADY=0 more");
    notify_reloading(&notify, 12345678);
    ck_assert_str_eq(heard(), "RELOADING=1\nMONOTONIC_USEC=12345");
    notify_stopping(&notify, "draining");
    ck_assert_str_eq(heard(), "STOPPING=1\nSTATUS=draining");
    notify_watchdog(&notify, S_NS);
    ck_assert_str_eq(heard(), "");
    ck_assert_int_eq(fcntl(notify.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(an_abstract_socket_is_found_by_its_name)
{
    char name[64];

    snprintf(name, sizeof name, "@bgref-test-%ld", (long)getpid());
    listen_at(name);
    notify_open(&notify);
    notify_ready(&notify, "");
    ck_assert_str_eq(heard(), "READY=1\nSTATUS=");
}

TEST(a_long_status_is_cut)
{
    char status[2000];

    memset(status, 'x', sizeof status - 1);
    status[sizeof status - 1] = '\0';
    listen_at(path);
    notify_open(&notify);
    notify_status(&notify, status);
    ck_assert_uint_eq(strspn(heard() + strlen("STATUS="), "x"), strlen(text) - strlen("STATUS="));
    ck_assert_uint_gt(strlen(text), 400);
}

TEST(signs_of_life_come_three_times_in_an_interval)
{
    int64_t now_ns = S_NS;
    int signs = 0;

    listen_at(path);
    setenv("WATCHDOG_USEC", "30000000", 1);
    notify_open(&notify);
    ck_assert_ptr_null(getenv("WATCHDOG_USEC"));
    for (int i = 0; i < 3000; i++, now_ns += S_NS / 100) { /* 30 s, each 10 ms */
        notify_watchdog(&notify, now_ns);
        if (heard()[0] != '\0') {
            ck_assert_str_eq(text, "WATCHDOG=1");
            signs++;
        }
    }
    ck_assert_int_eq(signs, 3);
}

TEST(the_watchdog_of_another_process_is_not_ours)
{
    listen_at(path);
    setenv("WATCHDOG_USEC", "30000000", 1);
    setenv("WATCHDOG_PID", "1", 1);
    notify_open(&notify);
    notify_watchdog(&notify, S_NS);
    ck_assert_str_eq(heard(), "");
}

TEST(no_manager_a_dead_one_and_a_deaf_one_are_no_error)
{
    static const char *const names[] = {"", "relative", "@", "vsock:2:1234"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        setenv("NOTIFY_SOCKET", names[i], 1);
        notify_open(&notify);
        ck_assert_int_eq(notify.fd, -1);
        notify_ready(&notify, "x");
    }
    notify_open(&notify);
    ck_assert_int_eq(notify.fd, -1);
    listen_at(path);
    notify_open(&notify);
    for (int i = 0; i < 10000; i++) { /* more than the socket holds */
        notify_status(&notify, "x");
    }
    close(manager);
    notify_status(&notify, "x");
}

/* ---- passed sockets: in a process of its own, whose descriptors 3 and 4 they are ---- */

enum { LISTENS = 1, STREAM = 2, CLOSED = 4 };

/* What a passed process finds; 0: all as expected. */
static int take_in_child(const char *pid, const char *fds, const char *names, int kind,
                         const char *first, const char *second)
{
    struct sockaddr_un any = {.sun_family = AF_UNIX};
    char own[16];
    struct listen_fd found[LISTEN_FDS_MOST];
    int count, wanted = (first != NULL) + (second != NULL);

    snprintf(own, sizeof own, "%ld", (long)getpid());
    for (int fd = LISTEN_FDS_FIRST; fd < LISTEN_FDS_FIRST + 2; fd++) {
        int made = socket(AF_UNIX, (kind & STREAM) != 0 ? SOCK_STREAM : SOCK_DGRAM, 0);

        dup2(made, fd);
        if ((kind & LISTENS) != 0 &&
            (bind(fd, (struct sockaddr *)&any, sizeof any.sun_family) != 0 || listen(fd, 1) != 0)) {
            return 10;
        }
    }
    if ((kind & CLOSED) != 0) {
        close(LISTEN_FDS_FIRST + 1);
    }
    setenv("LISTEN_PID", strcmp(pid, "own") == 0 ? own : pid, 1);
    setenv("LISTEN_FDS", fds, 1);
    if (names != NULL) {
        setenv("LISTEN_FDNAMES", names, 1);
    }
    enum bg_status status = listen_fds_take(found, &count, &error);

    if (getenv("LISTEN_PID") != NULL || getenv("LISTEN_FDS") != NULL ||
        getenv("LISTEN_FDNAMES") != NULL) {
        return 11;
    }
    if (status != BG_OK) {
        return count == 0 && error.text[0] != '\0' ? 100 + (int)status : 12;
    }
    if (count != wanted) {
        return 13;
    }
    for (int i = 0; i < count; i++) {
        if (found[i].fd != LISTEN_FDS_FIRST + i ||
            strcmp(found[i].name, i == 0 ? first : second) != 0 ||
            (fcntl(found[i].fd, F_GETFD) & FD_CLOEXEC) == 0) {
            return 14;
        }
        if (listen_fds_check(&found[i], &error) != BG_OK) {
            return 15;
        }
    }
    return 0;
}

static int taken(const char *pid, const char *fds, const char *names, int kind, const char *first,
                 const char *second)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        _exit(take_in_child(pid, fds, names, kind, first, second));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

TEST_IN(sockets, passed_sockets_are_taken_with_their_names)
{
    const int good = LISTENS | STREAM;

    ck_assert_int_eq(taken("own", "2", "door:admin", good, "door", "admin"), 0);
    ck_assert_int_eq(taken("own", "2", "door", good, "door", "unknown"), 0);
    ck_assert_int_eq(taken("own", "2", ":admin", good, "unknown", "admin"), 0);
    ck_assert_int_eq(taken("own", "1", NULL, good, "unknown", NULL), 0);
    ck_assert_int_eq(taken("own", "0", "", good, NULL, NULL), 0);
    ck_assert_int_eq(taken("1", "2", "door:admin", good, NULL, NULL), 0); /* another process's */
}

TEST_IN(sockets, wrong_variables_and_sockets_are_refused)
{
    const int good = LISTENS | STREAM, argument = 100 + (int)BG_E_ARGUMENT;

    ck_assert_int_eq(taken("own", "two", "", good, NULL, NULL), argument);
    ck_assert_int_eq(taken("own", "-1", "", good, NULL, NULL), argument);
    ck_assert_int_eq(taken("own", "", "", good, NULL, NULL), argument);
    ck_assert_int_eq(taken("0x1", "1", "", good, NULL, NULL), argument);
    ck_assert_int_eq(taken("own", "17", "", good, NULL, NULL), argument);
    ck_assert_int_eq(taken("own", "2", "", good | CLOSED, NULL, NULL), 100 + (int)BG_E_SYSTEM);
    ck_assert_int_eq(taken("own", "1", "x", STREAM, "x", NULL), 15); /* does not listen */
    ck_assert_int_eq(taken("own", "1", "x", 0, "x", NULL), 15);      /* datagrams */
}

SUITE_FIXTURE(set_up, tear_down)
