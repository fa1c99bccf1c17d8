/* What a process is told when it begins. The order matters at the gateway alone: it is told all
 * its bots, their limits and bans before `listen`, or the first connections would be refused as
 * of unknown keys. */
#include "door_workers.h"

#include <signal.h>
#include <stdio.h>

#include "doorman.h"
#include "gateway.h"
#include "tcp_listen.h"

#define SECOND_NS INT64_C(1000000000)

/* Its end is then reported as that of any other. */
static void on_stuck(void *user)
{
    const struct door_worker *worker = user;

    /* A process that does not read for so long may be stopped or loop; nothing else ends it
     * surely. */
    kill(worker->child.pid, SIGKILL);
}

static void open_queue(struct door_worker *worker)
{
    inside_open(&worker->out, worker->child.fd, worker->door->setup.loop);
    worker->out.stuck = on_stuck;
    worker->out.user = worker;
}

static enum bg_status start_doorman(struct door_worker *worker, struct bg_error *err)
{
    static char name[] = DOORMAN_NAME, given[] = TCP_LISTEN_GIVEN;
    struct door *door = worker->door;
    char path[LINK_ENDPOINT], per_address[16], connections[16];
    char *words[] = {name,        door->setup.listener > 0 ? given : door->listen,
                     path,        per_address,
                     connections, NULL};
    enum bg_status status;

    /* Values as words, since the doorman opens no file and has no one to ask. */
    snprintf(path, sizeof path, "%s", folder_path_of(door->endpoint));
    snprintf(per_address, sizeof per_address, "%d", door->setup.per_address);
    snprintf(connections, sizeof connections, "%d", door->setup.connections);
    status = child_start(&worker->child, words, door->setup.listener, err);
    if (status == BG_OK) {
        open_queue(worker);
    }
    return status;
}

void door_worker_tell_bot(struct door_worker *gateway, const struct competitor *bot)
{
    Inside__Message message = INSIDE__MESSAGE__INIT;
    char from[ENTRY_TEXT];

    entry_limits_write_from(from, &bot->limits, " ");
    message.kind = INSIDE__KIND__ALLOW;
    message.bot = inside_lent(bot->name);
    message.text = inside_lent(bot->key);
    message.number = entry_limits_starts(&bot->limits);
    message.place = from;
    inside_put(&gateway->out, &message);
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
    status = child_start(&worker->child, words, 0, err);
    if (status == BG_OK) {
        open_queue(worker);
    }
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
        setup->lending->gateway(setup->lending->user, worker->child.pid);
    }
    if (status == BG_OK) {
        inside_send(&worker->out, INSIDE__KIND__LISTEN, NULL, 0, NULL);
    }
    return status;
}

void door_tell_end(struct door *door)
{
    if (door->ends[0] != '\0') {
        inside_send(door_to_gateway(door), INSIDE__KIND__ENDS, NULL, door->back_s, door->ends);
    }
}

void door_tell_gate(struct door *door)
{
    gate_watch_tell_gateway(&door->gate, door_to_gateway(door));
    gate_watch_tell_doorman(&door->gate, &door->workers[DOORMAN].out);
}

enum bg_status door_worker_start(struct door_worker *worker, struct bg_error *err)
{
    enum bg_status status =
        door_worker_is_gateway(worker) ? start_gateway(worker, err) : start_doorman(worker, err);

    if (status == BG_OK) {
        door_tell_gate(worker->door);
        door_tell_end(worker->door);
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
    if (worker->child.fd >= 0) {
        loop_unwatch(worker->door->setup.loop, worker->child.fd);
    }
    inside_close(&worker->out);
    child_end(&worker->child, patience_ms);
    worker->is_bound = false;
}
