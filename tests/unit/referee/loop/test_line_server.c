/* Answers of a socket file: small ones, ones larger than a socket holds, and readers that are slow
 * or gone. */
#include "support/suite.h"

#include <loop/line_server.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_NS INT64_C(5000000)

enum { LARGE = 3 << 20, WRONG = 9 };

static struct loop *loop;
static struct line_server *server;
static char folder[] = "/tmp/bgref-line-XXXXXX", path[64];
static pid_t asker;
static int asked, state;

/* "large" has a large answer. */
static enum bg_status answer(void *user, char *line, unsigned uid, char **out, struct bg_error *err)
{
    asked++;
    if (strcmp(line, "large\n") != 0) {
        *out = strdup("small");
        return BG_OK;
    }
    *out = malloc(LARGE + 1);
    memset(*out, 'x', LARGE);
    (*out)[LARGE] = '\0';
    return BG_OK;
}

static int ask(const char *line)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    memcpy(address.sun_path, path, strlen(path));
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        write(fd, line, strlen(line)) != (ssize_t)strlen(line)) {
        _exit(WRONG);
    }
    return fd;
}

static size_t read_all(int fd)
{
    char part[1 << 16];
    size_t size = 0;
    ssize_t got;

    while ((got = read(fd, part, sizeof part)) > 0) {
        size += (size_t)got;
    }
    close(fd);
    return size;
}

/* In the asking process: exit 0 when all is as it should be. */
static void ask_slowly(void)
{
    int large = ask("large\n"), small;
    char one;

    if (read(large, &one, 1) != 1) { /* its answer has begun */
        _exit(WRONG);
    }
    small = ask("small\n");
    if (read_all(small) != strlen("ok\nsmall")) {
        _exit(1);
    }
    _exit(read_all(large) == strlen("ok\n") + LARGE - 1 ? 0 : 2);
}

/* Four that never read, and one more. */
static void ask_and_never_read(void)
{
    enum { DEAF = 4 };
    int deaf[DEAF];
    char one;

    for (int i = 0; i < DEAF; i++) {
        deaf[i] = ask("large\n");
        if (read(deaf[i], &one, 1) != 1) {
            _exit(WRONG);
        }
    }
    _exit(read_all(ask("small\n")) == strlen("ok\nsmall") ? 0 : 1);
}

static void ask_and_go(void)
{
    char one;

    for (int i = 0; i < 20; i++) {
        int fd = ask("large\n");

        if (read(fd, &one, 1) != 1) {
            _exit(WRONG);
        }
        close(fd);
    }
    _exit(0);
}

static void look(void *user, int64_t now_ns)
{
    if (waitpid(asker, &state, WNOHANG) == asker) {
        loop_stop(loop);
    } else {
        loop_after(loop, LOOK_NS, look, NULL);
    }
}

/* Serves one asking process until it ends. */
static void serve(void (*ask_fn)(void))
{
    struct line_server_setup setup = {
        .path = path, .whose = "the test's socket", .longest = LINE_SERVER_LINE, .fn = answer};

    asked = 0;
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    assert_ok(loop_create(&loop, &error));
    setup.loop = loop;
    assert_ok(line_server_open(&server, &setup, &error));
    asker = fork();
    if (asker == 0) {
        ask_fn();
    }
    look(NULL, 0);
    assert_ok(loop_run(loop, &error));
    line_server_close(server);
    loop_destroy(loop);
    rmdir(folder);
    ck_assert(WIFEXITED(state));
    ck_assert_int_eq(WEXITSTATUS(state), 0);
}

TEST(a_large_answer_is_whole_and_holds_up_nobody)
{
    serve(ask_slowly);
    ck_assert_int_eq(asked, 2);
}

TEST(who_never_reads_gives_way_to_the_next)
{
    serve(ask_and_never_read);
    ck_assert_int_eq(asked, 5);
}

TEST(who_goes_in_the_middle_of_an_answer_is_forgotten)
{
    serve(ask_and_go);
    ck_assert_int_eq(asked, 20);
}
