/* The door's side of its two processes. Both are this test: each is the other end of a socket. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "door/door_workers.h"
#include "support/suite.h"

#define SECOND_NS INT64_C(1000000000)

static char base[64], file[80];
static int ends[WORKERS], failures;
static struct loop *loop;
static struct door *door;

static void say(int worker, Inside__Kind kind, int64_t number, const char *text)
{
    struct inside_queue queue;

    inside_open(&queue, ends[worker], NULL);
    ck_assert(inside_send(&queue, kind, NULL, number, text));
}

enum bg_status door_worker_start(struct door_worker *worker, struct bg_error *err)
{
    bool is_gateway = door_worker_is_gateway(worker);
    int pair[2], which = is_gateway ? GATEWAY : DOORMAN;
    char key[KEY_FILE_DIGITS] = "";

    memset(key, 'a', sizeof key - 1);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    worker->fd = pair[0];
    ends[which] = pair[1];
    inside_open(&worker->out, worker->fd, worker->door->setup.loop);
    say(which, INSIDE__KIND__BOUND, 0, is_gateway ? key : "tcp://127.0.0.1:5555");
    return BG_OK;
}

void door_worker_end(struct door_worker *worker, int patience_ms)
{
    loop_unwatch(worker->door->setup.loop, worker->fd);
    inside_close(&worker->out);
    close(worker->fd);
    worker->fd = -1;
}

void door_worker_tell_bot(struct door_worker *gateway, const struct competitor *bot)
{
}

void door_tell_end(struct door *of)
{
}

void door_tell_bans(struct door *of)
{
}

static void on_failed(void *user)
{
    failures++;
}

static void set_up(void)
{
    static const struct door_lending lending = {.failed = on_failed};
    static struct competitor bot;

    strcpy(base, "/tmp/bgref-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    snprintf(file, sizeof file, "%s/host.bgref", base);
    failures = 0;
    assert_ok(loop_create(&loop, &error));
    const struct door_setup setup = {.name = "spring",
                                     .listen = "tcp://127.0.0.1:0",
                                     .address = "",
                                     .key = "",
                                     .file = file,
                                     .bans = "",
                                     .bots = &bot,
                                     .bot_count = 1,
                                     .loop = loop,
                                     .lending = &lending};
    assert_ok(door_open(&door, &setup, &error));
}

static void tear_down(void)
{
    door_close(door);
    loop_destroy(loop);
    close(ends[GATEWAY]);
    close(ends[DOORMAN]);
    ck_assert_int_eq(unlink(file), 0);
    ck_assert_int_eq(rmdir(base), 0);
}

/* Settles the door, and returns whether it has; out: what was logged. */
static bool settle(char *out, size_t size, int64_t most_ns)
{
    FILE *log = tmpfile();
    int kept = dup(STDERR_FILENO);
    bool has_settled;

    ck_assert(log != NULL && kept >= 0 && dup2(fileno(log), STDERR_FILENO) >= 0);
    has_settled = door_settle(door, most_ns);
    ck_assert_int_ge(dup2(kept, STDERR_FILENO), 0);
    close(kept);
    rewind(log);
    out[fread(out, 1, size - 1, log)] = '\0';
    fclose(log);
    return has_settled;
}

static const struct {
    const char *last, *said; /* the last words of the doorman, and of the log */
} failing[] = {
    {"bind tcp://127.0.0.1:5555: address in use",
     "door: bind tcp://127.0.0.1:5555: address in use; it is started again"},
    {NULL, "the doorman has ended; it is started again"},
};

/* It is told all when it is started again, so what it was told is in force. */
TEST_ROWS(a_process_that_ends_while_the_door_settles_is_reported_with_its_reason, failing)
{
    char said[400];

    say(GATEWAY, INSIDE__KIND__MARKED, 1, NULL);
    if (failing[_i].last != NULL) {
        say(DOORMAN, INSIDE__KIND__FAILED, 0, failing[_i].last);
    } else {
        close(ends[DOORMAN]);
        ends[DOORMAN] = -1;
    }
    ck_assert(settle(said, sizeof said, 20 * SECOND_NS));
    ck_assert_msg(strstr(said, failing[_i].said) != NULL, "%s", said);
    ck_assert_int_eq(failures, 1);
}

TEST(a_process_that_does_not_read_is_not_waited_for_without_end)
{
    char said[400];

    say(GATEWAY, INSIDE__KIND__MARKED, 1, NULL);
    ck_assert(!settle(said, sizeof said, SECOND_NS / 5));
    ck_assert_int_eq(failures, 0);
}

SUITE_FIXTURE(set_up, tear_down)
