/* What a process is told when it begins. The order matters at the gateway alone: it is told all
 * its bots, their limits and bans before `listen`, or the first connections would be refused as
 * of unknown keys. They get an empty environment: nothing of the operator's reaches what talks to
 * strangers. */
#include "door_workers.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doorman.h"
#include "gateway.h"
#include "stranger_process.h"
#include "tcp_listen.h"

#define SECOND_NS INT64_C(1000000000)

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

static enum bg_status start_process(struct door_worker *worker, char **words, int given,
                                    struct bg_error *err)
{
    static char *const environment[] = {NULL};
    const struct stranger_start start = {words, environment, given};
    enum bg_status status = stranger_process_start(&worker->pid, &worker->fd, &start, err);

    if (status == BG_OK) {
        open_queue(worker);
    }
    return status;
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
        stranger_process_end(worker->pid, patience_ms);
    }
    worker->fd = -1;
    worker->pid = 0;
    worker->is_bound = false;
}
