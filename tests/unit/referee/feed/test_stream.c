/* Lines for readers that are fast, slow, late or closed; and move times from records, summed. */
#include "feed/stream.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "record/record_times.h"

#include "support/suite.h"
#include "support/test_folder.h"

#define SECOND INT64_C(1000000000)

static void begin(void)
{
    folder_make();
    log_open("none", NULL);
    signal(SIGPIPE, SIG_IGN); /* like in a run */
}

static struct stream *to_fd(int fd)
{
    struct stream *stream = NULL;
    char target[32];

    snprintf(target, sizeof target, "fd:%d", fd);
    ck_assert_int_eq(stream_open(&stream, target, NULL), BG_OK);
    return stream;
}

static void put_number(struct stream *stream, int number)
{
    char line[256];
    int size = snprintf(line, sizeof line, "{\"n\":%d,\"pad\":\"%0150d\"}", number, 0);

    stream_put(stream, line, (size_t)size);
}

/* Reads the available data; returns the number of complete lines, which must be numbered from
 * *next. */
static void take(FILE *in, int *next)
{
    char line[512];

    while (fgets(line, sizeof line, in) != NULL) {
        int number = -1;

        ck_assert_int_eq(sscanf(line, "{\"n\":%d,", &number), 1);
        ck_assert_int_eq(number, (*next)++);
        ck_assert_ptr_nonnull(strchr(line, '\n'));
    }
}

TEST(a_slow_reader_gets_every_line)
{
    enum { LINES = 20000 }; /* more than a pipe holds, less than the limit of waiting data */
    int ends[2], next = 0;
    struct stream *stream;
    FILE *in;

    ck_assert_int_eq(pipe(ends), 0);
    stream = to_fd(ends[1]);
    for (int i = 0; i < LINES; i++) {
        put_number(stream, i);
    }
    ck_assert(stream_is_open(stream));
    in = fdopen(ends[0], "r");
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    while (next < LINES) {
        char line[512];

        stream_pump(stream);
        while (fgets(line, sizeof line, in) != NULL) {
            if (strchr(line, '\n') != NULL) { /* else the middle of a line, at the pipe's end */
                next++;
            }
        }
        clearerr(in);
    }
    ck_assert_int_eq(next, LINES);
    stream_close(stream, SECOND);
    fclose(in);
    close(ends[1]);
}

/* Nothing is read: the limit ends the stream, and no call has blocked (otherwise the test would
 * hang). */
TEST(a_blocked_reader_ends_the_stream)
{
    int ends[2];
    struct stream *stream;

    ck_assert_int_eq(pipe(ends), 0);
    stream = to_fd(ends[1]);
    for (int i = 0; stream_is_open(stream); i++) {
        ck_assert_int_lt(i, 2 * STREAM_WAITING_BYTES / 150);
        put_number(stream, i);
    }
    put_number(stream, 0); /* and nothing else happens */
    stream_close(stream, SECOND);
    close(ends[0]);
    close(ends[1]);
}

TEST(a_closed_reader_ends_the_stream)
{
    int ends[2];
    struct stream *stream;

    ck_assert_int_eq(pipe(ends), 0);
    stream = to_fd(ends[1]);
    put_number(stream, 0);
    ck_assert(stream_is_open(stream));
    close(ends[0]);
    put_number(stream, 1);
    ck_assert(!stream_is_open(stream));
    stream_close(stream, SECOND);
    close(ends[1]);
}

TEST(a_fifo_waits_for_its_reader)
{
    struct stream *stream = NULL;
    int next = 0, fd;
    FILE *in;

    ck_assert_int_eq(mkfifo(path_of("fifo"), 0600), 0);
    ck_assert_int_eq(stream_open(&stream, path_of("fifo"), NULL), BG_OK);
    put_number(stream, 0);
    put_number(stream, 1);
    fd = open(path_of("fifo"), O_RDONLY | O_NONBLOCK);
    put_number(stream, 2);
    stream_close(stream, SECOND);
    in = fdopen(fd, "r");
    take(in, &next);
    ck_assert_int_eq(next, 3);
    fclose(in);
}

TEST(a_fifo_without_a_reader_is_given_up)
{
    struct stream *stream = NULL;

    ck_assert_int_eq(mkfifo(path_of("fifo"), 0600), 0);
    ck_assert_int_eq(stream_open(&stream, path_of("fifo"), NULL), BG_OK);
    put_number(stream, 0);
    stream_close(stream, SECOND / 10);
}

TEST(a_file_is_replaced_only_when_it_is_ours)
{
    static const char *const good[] = {"", "{\"schema\":\"bgref-events\",\"version\":1}\n"};
    static const char *const bad[] = {"x", "{\"schema\":\"other\"}\n", "{\"schema\":\"bgref-event"};
    struct stream *stream = NULL;
    struct stat stat_of;

    for (int i = 0; i < 2; i++) {
        write_file("file", good[i]);
        ck_assert_int_eq(stream_open(&stream, path_of("file"), NULL), BG_OK);
        put_number(stream, 0);
        stream_close(stream, SECOND);
        ck_assert_int_eq(stat(path_of("file"), &stat_of), 0);
        ck_assert_int_eq(stat_of.st_size, (off_t)strlen("{\"n\":0,\"pad\":\"\"}\n") + 150);
    }
    for (int i = 0; i < 3; i++) {
        write_file("file", bad[i]);
        ck_assert_int_eq(stream_open(&stream, path_of("file"), &error), BG_E_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(error.text, "holds something else"));
        ck_assert_int_eq(stat(path_of("file"), &stat_of), 0);
        ck_assert_int_eq(stat_of.st_size, (off_t)strlen(bad[i]));
    }
}

TEST_IN(times, move_times_are_summed_by_seat)
{
    static const char record[] = "bgref-record 1 #b2b9\n"
                                 "seat0 0 tricky @99 #8e9b\n"
                                 "steps #fbcd\n"
                                 "open 31 #c3a4\n"
                                 "0 play 8/5 6/5 @1200450 #5aa4\n"
                                 "1 double @88012 #7304\n"
                                 "0 take @702 #20c0\n"
                                 "1 roll 21 @0 #2cef\n"
                                 "1 play 8/5 #1234\n"
                                 "end off winner=1 level=1 points=2 #f663\n"
                                 "hash a1390512d78e6d22\n";
    struct move_times times;

    move_times_of_record(&times, record, sizeof record - 1);
    ck_assert_int_eq(times.spent_ns[0], 1200450 + 702);
    ck_assert_int_eq(times.spent_ns[1], 88012);
    ck_assert_uint_eq(times.decisions[0], 2);
    ck_assert_uint_eq(times.decisions[1], 2);
    for (size_t size = 0; size < sizeof record; size++) { /* may be cut anywhere */
        move_times_of_record(&times, record, size);
    }
}

SUITE_FIXTURE(begin, folder_remove)
