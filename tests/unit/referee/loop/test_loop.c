/* One loop and any number of links: none, one, several, links that come and go while it runs. */
#include "support/suite.h"

#include <loop/loop.h>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

/* A link with this many frames; its descriptor is readable while it has any. */
struct box {
    struct link base;
    int fd;
    int frames;
    int asked; /* for frames */
    int got;   /* by the user */
    int last_of_other;
    int64_t look_ns; /* where the last frame's lag starts */
    int looks;       /* different ones */
};

static struct loop *loop;
static struct box first, second;
static int waits, waits_at_put; /* of the loop in a link */
static int wanted;              /* the loop stops after this many frames in all; 0: no limit */

static void box_put(struct box *box, int frames)
{
    uint64_t one = 1;

    box->frames += frames;
    ck_assert_int_eq(write(box->fd, &one, sizeof one), sizeof one);
}

static enum bg_status box_receive(struct link_frame *out, struct link *base, int64_t now_ns,
                                  struct bg_error *err)
{
    struct box *box = (struct box *)base;
    uint64_t count;

    box->asked++;
    if (box->frames == 0) {
        (void)!read(box->fd, &count, sizeof count);
        return BG_E_TIMEOUT;
    }
    box->frames--;
    *out = (struct link_frame){.what = LINK_MESSAGE, .user = box};
    return BG_OK;
}

static enum bg_status box_wait(struct link_woken *out, struct link *base, int fd,
                               int64_t timeout_ns, struct bg_error *err)
{
    struct pollfd fds[] = {{((struct box *)base)->fd, POLLIN, 0}, {fd, POLLIN, 0}};

    waits++;
    poll(fds, 2, timeout_ns < 0 ? -1 : (int)((timeout_ns + 999999) / 1000000));
    *out = (struct link_woken){fds[1].revents != 0, true};
    return BG_OK;
}

static int box_frame_fd(const struct link *base)
{
    return ((const struct box *)base)->fd;
}

static const struct link_ops box_ops = {
    .receive = box_receive, .wait = box_wait, .frame_fd = box_frame_fd};

static void box_init(struct box *box)
{
    *box = (struct box){.base.ops = &box_ops, .fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    ck_assert_int_ge(box->fd, 0);
}

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    struct box *box = user;

    ck_assert_ptr_eq(frame->user, box); /* each user gets the frames of its own link */
    ck_assert_int_ge(lag_ns, 0);
    ck_assert_int_le(received_ns, loop_now(loop));
    box->looks += received_ns - lag_ns != box->look_ns;
    box->look_ns = received_ns - lag_ns;
    box->got++;
    box->last_of_other = (box == &first ? &second : &first)->got;
    if (first.got + second.got == wanted) {
        loop_stop(loop);
    }
}

static void add(struct box *box)
{
    assert_ok(loop_add_link(loop, &box->base, on_frame, box, &error));
}

static void too_long(void *user, int64_t now_ns)
{
    ck_abort_msg("the loop was not stopped within thirty seconds");
}

static void run(void)
{
    loop_after(loop, 30 * SECOND_NS, too_long, &wanted);
    assert_ok(loop_run(loop, &error));
    loop_forget(loop, &wanted);
}

static void set_up(void)
{
    wanted = 0;
    box_init(&first);
    box_init(&second);
    assert_ok(loop_create(&loop, &error));
}

static void tear_down(void)
{
    loop_destroy(loop);
    close(first.fd);
    close(second.fd);
}

static void stop(void *user, int64_t now_ns)
{
    ++*(int *)user;
    loop_stop(loop);
}

static int pipe_fds[2];

static void on_pipe(void *user)
{
    char byte;

    ck_assert_int_eq(read(pipe_fds[0], &byte, 1), 1);
    ++*(int *)user;
    loop_stop(loop);
}

TEST(deadlines_and_descriptors_work_without_links)
{
    int deadlines = 0, bytes = 0;
    int64_t before_ns = loop_now(loop);

    loop_after(loop, SECOND_NS / 50, stop, &deadlines);
    run();
    ck_assert_int_eq(deadlines, 1);
    ck_assert_int_ge(loop_now(loop) - before_ns, SECOND_NS / 50);
    ck_assert_int_eq(pipe(pipe_fds), 0);
    assert_ok(loop_watch(loop, pipe_fds[0], on_pipe, &bytes, &error));
    ck_assert_int_eq(write(pipe_fds[1], "a", 1), 1);
    run();
    ck_assert_int_eq(bytes, 1);
    close(pipe_fds[0]);
    close(pipe_fds[1]);
}

TEST(each_user_gets_the_frames_of_its_link)
{
    add(&first);
    add(&second);
    box_put(&first, 3);
    box_put(&second, 4);
    wanted = 7;
    run();
    ck_assert_int_eq(first.got, 3);
    ck_assert_int_eq(second.got, 4);
}

static void put_late(void *user, int64_t now_ns)
{
    waits_at_put = waits;
    box_put(user, 1);
}

/* An arriving frame ends the next wait, and is read after it, on any link. */
TEST_LOOP(a_frame_of_any_link_ends_the_wait, 0, 2)
{
    struct box *late = _i == 0 ? &first : &second;

    add(&first);
    add(&second);
    wanted = 1;
    loop_after(loop, SECOND_NS / 50, put_late, late);
    run();
    ck_assert_int_eq(late->got, 1);
    ck_assert_int_le(waits - waits_at_put, 1);
}

/* Ten thousand frames of one link do not delay a frame of the other. */
TEST_LOOP(a_flooded_link_does_not_delay_others, 0, 2)
{
    struct box *flooded = _i == 0 ? &first : &second;
    struct box *other = _i == 0 ? &second : &first;

    add(&first);
    add(&second);
    box_put(flooded, 10000);
    box_put(other, 1);
    wanted = 10001;
    run();
    ck_assert_int_eq(flooded->got, 10000);
    ck_assert_int_eq(other->got, 1);
    ck_assert_int_le(other->last_of_other, 1000);
}

static int ticks;

static void on_tick(void *user, int64_t now_ns)
{
    ticks++;
    if (second.asked >= 4) {
        loop_stop(loop);
    } else {
        loop_after(loop, SECOND_NS / 50, on_tick, user);
    }
}

/* Too old connections are found when a link is polled, so an idle link is polled regularly; it has
 * no other cost. */
TEST(an_idle_link_is_polled_regularly)
{
    add(&first);
    add(&second);
    on_tick(&ticks, 0);
    run();
    ck_assert_int_ge(ticks, second.asked);
}

static void on_remover(void *user, const struct link_frame *frame, int64_t received_ns,
                       int64_t lag_ns)
{
    on_frame(user, frame, received_ns, lag_ns);
    loop_remove_link(loop, &first.base);
    loop_remove_link(loop, &second.base);
}

TEST(a_link_removed_in_a_callback_delivers_no_more_frames)
{
    int stopped = 0;

    assert_ok(loop_add_link(loop, &first.base, on_remover, &first, &error));
    add(&second);
    box_put(&first, 5);
    box_put(&second, 5);
    loop_after(loop, SECOND_NS / 50, stop, &stopped);
    run();
    ck_assert_int_eq(first.got, 1);
    ck_assert_int_eq(second.got, 0);
}

static void add_second(void *user, int64_t now_ns)
{
    add(&second);
}

TEST(links_come_and_go_while_the_loop_runs)
{
    add(&first);
    box_put(&first, 2);
    box_put(&second, 2);
    loop_after(loop, SECOND_NS / 100, add_second, &second);
    wanted = 4;
    run();
    ck_assert_int_eq(second.got, 2);

    loop_remove_link(loop, &first.base); /* the one in which the loop waited */
    box_put(&second, 3);
    wanted = 7;
    run();
    ck_assert_int_eq(second.got, 5);

    loop_remove_link(loop, &second.base);
    loop_remove_link(loop, &second.base); /* any number of times is allowed */
    loop_remove_link(loop, NULL);
}

/* Frames that were present when the loop looked are credited from that look on, over any number of
 * rounds; so such frames are known for one round's share. */
TEST(the_lag_counts_from_the_last_look_at_the_link)
{
    add(&first);
    add(&second);
    box_put(&second, 600); /* more than two rounds' shares */
    wanted = 600;
    run();
    ck_assert_int_eq(second.looks, 1);
    box_put(&second, 1);
    wanted = 601;
    run();
    ck_assert_int_eq(second.looks, 2);
}

SUITE_FIXTURE(set_up, tear_down)
