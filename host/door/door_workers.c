/* What a process is told when it begins. The order matters at the gateway alone: it is told all
 * its bots, their limits and bans before `listen`, or the first connections would be refused as
 * of unknown keys.
 *
 * posix_spawn and not fork: the referee may have the store's thread, and between fork and exec
 * of a process with threads only async-signal-safe calls are allowed. The program is
 * /proc/self/exe, so that the two processes are of the same build as their referee also after an
 * upgrade has replaced the file. They get an empty environment: nothing of the operator's
 * reaches what talks to strangers. */
#define _GNU_SOURCE
#include "door_workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doorman.h"
#include "gateway.h"
#include "process/orphans.h"
#include "tcp_listen.h"

#define SECOND_NS INT64_C(1000000000)

enum { LOOK_MS = 10 };

/* Its end is then reported as that of any other. */
static void on_stuck(void *user)
{
    const struct door_worker *worker = user;

    /* A process that does not read for so long may be stopped or loop; nothing else ends it
     * surely. */
    kill(worker->pid, SIGKILL);
}

static void open_queue(struct door_worker *worker)
{
    inside_open(&worker->out, worker->fd, worker->door->setup.loop);
    worker->out.stuck = on_stuck;
    worker->out.user = worker;
}

/* The process keeps none of our descriptors but its socket and standard error (it closes the others
 * itself), none of our blocked signals, and a process group of its own: signals of the terminal are
 * for the referee. */
static int spawn(pid_t *pid, int socket, int given, char **words)
{
    static char *const environment[] = {NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    int error;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    /* The loop reads signals from a descriptor and has blocked them; exec keeps a mask. */
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, socket, INSIDE_FD);
    if (given >= 0) {
        posix_spawn_file_actions_adddup2(&files, given, INSIDE_FD + 1);
    }
    /* Everything above is an instruction for the new process, carried out in this order; the
     * caller's own descriptors stay as they are. */
    error = posix_spawn(pid, "/proc/self/exe", &files, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* A copy whose number is none of those that the process gets: dup2 to the same number would leave
 * it to be closed at exec, and one dup2 could close what the next one needs. */
static int copy_above(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, INSIDE_FD + 2);
}

/* Starts a process. words: its arguments with its name, NULL at the end. given: a descriptor that
 * it inherits as number INSIDE_FD + 1; 0: none. */
static enum bg_status start_process(struct door_worker *worker, char **words, int given,
                                    struct bg_error *err)
{
    int ends[2], socket, copy, error;
    pid_t pid = 0;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "start the %s: %s", words[0], strerror(errno));
    }
    socket = copy_above(ends[1]);
    copy = given > 0 && socket >= 0 ? copy_above(given) : -1;
    error = socket < 0 || (given > 0 && copy < 0) ? errno : spawn(&pid, socket, copy, words);
    if (copy >= 0) {
        close(copy);
    }
    /* In any case: while a copy of the other end is open here, its end would never be seen. */
    close(ends[1]);
    if (socket >= 0) {
        close(socket);
    }
    if (error != 0) {
        close(ends[0]);
        return bg_error_set(err, BG_E_SYSTEM, "start the %s: %s", words[0], strerror(error));
    }
    worker->pid = pid;
    worker->fd = ends[0];
    open_queue(worker);
    /* The referee ends processes that were orphaned below it; this one is no orphan. */
    orphans_except(pid);
    return BG_OK;
}

static enum bg_status start_doorman(struct door_worker *worker, struct bg_error *err)
{
    static char name[] = DOORMAN_NAME, given[] = TCP_LISTEN_GIVEN;
    struct door *door = worker->door;
    char path[LINK_ENDPOINT], per_address[16], connections[16];
    char *words[] = {name,        door->setup.listener > 0 ? given : door->listen,
                     path,        per_address,
                     connections, NULL};

    /* Values as words, since the doorman opens no file and has no one to ask. */
    snprintf(path, sizeof path, "%s", folder_path_of(door->endpoint));
    snprintf(per_address, sizeof per_address, "%d", door->setup.per_address);
    snprintf(connections, sizeof connections, "%d", door->setup.connections);
    return start_process(worker, words, door->setup.listener, err);
}

void door_worker_tell_bot(struct door_worker *gateway, const struct competitor *bot)
{
    char from[ENTRY_TEXT];

    _Static_assert(ENTRY_NETWORKS * CIDR_TEXT <= INSIDE_PLACE, "all its networks have room");
    entry_limits_write_from(from, &bot->limits, " ");
    inside_send_place(&gateway->out, INSIDE__KIND__ALLOW, bot->name,
                      entry_limits_starts(&bot->limits), bot->key, from);
}

/* Who waits for a key in use twice goes on to wait under the next gateway: else the end of a
 * gateway would let both programs begin again at once. */
static void tell_holds(struct door_worker *gateway)
{
    const struct door *door = gateway->door;
    int64_t now_ns = loop_now(door->setup.loop);

    for (int i = 0; i < door->setup.bot_count; i++) {
        if (door->places[i].twice_ns > now_ns) {
            inside_send(&gateway->out, INSIDE__KIND__WAIT, door->setup.bots[i].name,
                        1 + (door->places[i].twice_ns - now_ns) / SECOND_NS, NULL);
        }
    }
}

static enum bg_status start_gateway(struct door_worker *worker, struct bg_error *err)
{
    static char gateway[] = GATEWAY_NAME;
    const struct door_setup *setup = &worker->door->setup;
    char key[1024];
    char *words[] = {gateway, worker->door->endpoint, key, NULL};
    enum bg_status status;

    /* The name of the key file, not the key: words of a process can be read in /proc. */
    snprintf(key, sizeof key, "%s", setup->key);
    status = start_process(worker, words, 0, err);
    for (int i = 0; i < setup->bot_count && status == BG_OK; i++) {
        if (setup->bots[i].remote && setup->bots[i].key[0] != '\0') {
            door_worker_tell_bot(worker, &setup->bots[i]);
        }
    }
    if (status == BG_OK) {
        tell_holds(worker);
    }
    /* The events have to know the process before it can connect to them: they accept connections
     * of this process only (session_door.owns). */
    if (status == BG_OK && setup->lending != NULL) {
        inside_send(&worker->out, INSIDE__KIND__LENDS, NULL, 0, NULL);
        setup->lending->gateway(setup->lending->user, worker->pid);
    }
    return status;
}

void door_tell_end(struct door *door)
{
    if (door->ends[0] != '\0') {
        inside_send(door_to_gateway(door), INSIDE__KIND__ENDS, NULL, door->back_s, door->ends);
    }
}

void door_tell_bans(struct door *door)
{
    ban_watch_tell_gateway(&door->bans, door_to_gateway(door));
    ban_watch_tell_doorman(&door->bans, &door->workers[DOORMAN].out);
}

enum bg_status door_worker_start(struct door_worker *worker, struct bg_error *err)
{
    enum bg_status status =
        door_worker_is_gateway(worker) ? start_gateway(worker, err) : start_doorman(worker, err);

    if (status == BG_OK) {
        door_tell_bans(worker->door);
        door_tell_end(worker->door);
    }
    if (status == BG_OK && door_worker_is_gateway(worker)) {
        inside_send(&worker->out, INSIDE__KIND__LISTEN, NULL, 0, NULL);
    }
    return status;
}

/* The next doorman counts from 0 on. */
static void keep_refusals(struct door *door)
{
    for (int i = 0; i < DOOR_WHYS; i++) {
        door->counts.refused[i] += door->doorman[i];
        door->doorman[i] = 0;
    }
    door->counts.connections = 0;
}

/* Ends the process if it has not ended within patience_ms. Its number is free once it was waited
 * for, so it is not killed then. */
static void reap(pid_t pid, int patience_ms)
{
    pid_t ended = waitpid(pid, NULL, WNOHANG);

    for (int waited_ms = 0; ended == 0 && waited_ms < patience_ms; waited_ms += LOOK_MS) {
        poll(NULL, 0, LOOK_MS);
        ended = waitpid(pid, NULL, WNOHANG);
    }
    if (ended == 0) {
        /* No grace by SIGTERM before: the closed socket was the request to end. */
        kill(pid, SIGKILL);
        (void)waitpid(pid, NULL, 0);
    }
}

void door_worker_end(struct door_worker *worker, int patience_ms)
{
    if (!door_worker_is_gateway(worker)) {
        keep_refusals(worker->door);
    }
    if (worker->fd >= 0) {
        loop_unwatch(worker->door->setup.loop, worker->fd);
    }
    inside_close(&worker->out);
    /* The closed socket ends the process. */
    if (worker->fd >= 0) {
        close(worker->fd);
    }
    if (worker->pid > 0) {
        reap(worker->pid, patience_ms);
        orphans_forget(worker->pid);
    }
    worker->fd = -1;
    worker->pid = 0;
    worker->is_bound = false;
}
