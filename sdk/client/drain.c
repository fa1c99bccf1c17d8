/* For bots that think for longer than the kernel's buffer lasts: a referee that cannot send for a
 * second takes the bot for one that does not read. The thread looks every LOOK_MS and takes what is
 * there; it understands nothing of it. While the caller reads itself (drain_hold) it stays away, so
 * bytes keep their order, and a bot in the fast path never waits for it.
 *
 * Two blocks change roles (kept, lent): the caller works on one while the thread fills the
 * other, and no byte is copied. */
#include "drain.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    LOOK_MS = 300,        /* the referee tolerates one second */
    PIECE = 64 * 1024,    /* room for one read */
    KEPT_MOST = 256 << 20 /* far more than all open decisions; only a faulty peer sends more */
};

struct bytes {
    uint8_t *data; /* owned */
    size_t size, room;
};

struct drain {
    int fd;
    pthread_t thread;
    bool runs;
    pthread_mutex_t reading; /* held while fd is read and while kept is used */
    struct bytes kept, lent; /* lent: used only by the caller */
    atomic_bool has_bytes;   /* kept is not empty */
    pthread_mutex_t ending;
    pthread_cond_t ended;
    bool is_over; /* protected by ending */
};

static bool has_room(struct bytes *bytes)
{
    size_t room = bytes->room == 0 ? 2 * PIECE : 2 * bytes->room;
    uint8_t *data;

    if (bytes->room - bytes->size >= PIECE) {
        return true;
    }
    /* Without room the rest stays in the kernel: then the referee sees a bot that does not read,
     * which is true. */
    data = bytes->size < KEPT_MOST ? realloc(bytes->data, room) : NULL;
    if (data == NULL) {
        return false;
    }
    bytes->data = data;
    bytes->room = room;
    return true;
}

/* Reads all available bytes. Leaves an end or an error to the caller, whose own read finds it. */
static void read_leftover(struct drain *drain)
{
    struct bytes *kept = &drain->kept;
    ssize_t count = 1;

    while (count > 0 && has_room(kept)) {
        count = recv(drain->fd, kept->data + kept->size, PIECE, MSG_DONTWAIT);
        kept->size += count > 0 ? (size_t)count : 0;
        /* Atomic, since drain_has_bytes is asked without the lock. */
        atomic_store(&drain->has_bytes, kept->size > 0);
    }
}

/* Sleeps. Returns false when the thread has to end. */
static bool sleep_on(struct drain *drain)
{
    struct timespec until;
    bool goes_on;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&drain->ending);
    /* A wait may end for no reason; only the time or is_over counts. */
    while (!drain->is_over && pthread_cond_timedwait(&drain->ended, &drain->ending, &until) == 0) {
    }
    goes_on = !drain->is_over;
    pthread_mutex_unlock(&drain->ending);
    return goes_on;
}

static void *work(void *user)
{
    struct drain *drain = user;

    while (sleep_on(drain)) {
        if (pthread_mutex_trylock(&drain->reading) == 0) { /* otherwise the caller is reading */
            read_leftover(drain);
            pthread_mutex_unlock(&drain->reading);
        }
    }
    return NULL;
}

/* Blocks signals in the thread: the program's own threads handle them. */
static int start_thread(struct drain *drain)
{
    sigset_t all, before;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&drain->thread, NULL, work, drain);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

enum bg_status drain_start(struct drain **out, int fd, struct bg_error *err)
{
    struct drain *drain = calloc(1, sizeof *drain);
    pthread_condattr_t monotonic;
    int error;

    if (drain == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "reader of the connection");
    }
    drain->fd = fd;
    pthread_mutex_init(&drain->reading, NULL);
    pthread_mutex_init(&drain->ending, NULL);
    pthread_condattr_init(&monotonic);
    /* A condition waits by the time of day unless told otherwise: a clock that is set would stop
     * the looking. */
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&drain->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    error = start_thread(drain);
    drain->runs = error == 0;
    if (error != 0) {
        drain_destroy(drain);
        return bg_error_set(err, BG_E_SYSTEM, "thread: %s", strerror(error));
    }
    *out = drain;
    return BG_OK;
}

void drain_stop(struct drain *drain)
{
    if (drain == NULL || !drain->runs) {
        return;
    }
    pthread_mutex_lock(&drain->ending);
    drain->is_over = true;
    pthread_cond_signal(&drain->ended);
    pthread_mutex_unlock(&drain->ending);
    pthread_join(drain->thread, NULL);
    drain->runs = false;
}

void drain_destroy(struct drain *drain)
{
    if (drain == NULL) {
        return;
    }
    drain_stop(drain);
    pthread_cond_destroy(&drain->ended);
    pthread_mutex_destroy(&drain->ending);
    pthread_mutex_destroy(&drain->reading);
    free(drain->kept.data);
    free(drain->lent.data);
    free(drain);
}

void drain_hold(struct drain *drain)
{
    pthread_mutex_lock(&drain->reading);
}

void drain_release(struct drain *drain)
{
    pthread_mutex_unlock(&drain->reading);
}

size_t drain_take(const uint8_t **out, struct drain *drain)
{
    struct bytes taken = drain->kept;

    drain->kept = drain->lent;
    drain->kept.size = 0;
    drain->lent = taken;
    atomic_store(&drain->has_bytes, false);
    *out = taken.data;
    return taken.size;
}

bool drain_has_bytes(const struct drain *drain)
{
    return atomic_load(&drain->has_bytes);
}
