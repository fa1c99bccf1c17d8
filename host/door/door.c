/* A door outlives its two processes. Everything they have to know is kept here too, and told again
 * to the next one: bots and their limits (setup.bots), where a session waits (places[].endpoint),
 * who has to wait (places[].twice_ns), how the host ends. What only the lost process knew, its
 * connections, is nobody's fault: places[].has_failed excuses the bots until their sessions wait
 * for them anew.
 *
 * All counters add up over the processes; a doorman's own counts begin again at 0 with each
 * start, so they are kept apart and added when it ends (keep_refusals). */
#include "door_workers.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "gateway.h"
#include "log.h"
#include "tcp_listen.h"
#include "base/memory.h"

#define SECOND_NS  INT64_C(1000000000)
#define WAIT_NS    (SECOND_NS / 10)
#define GRACE_NS   (SECOND_NS / 20) /* descriptors of an ending process close one by one */
#define LONGEST_NS (10 * SECOND_NS)

enum { START_MS = 10000, END_MS = 1500, LAST_MS = 500, LOOK_MS = 10 };

static const char *worker_name(const struct door_worker *worker)
{
    return door_worker_is_gateway(worker) ? "gateway" : "doorman";
}

static void on_bans(void *user)
{
    door_tell_bans(user);
}

/* ------------------------------------------------------------------------ their messages */

/* Where others reach it; lent. */
static const char *door_address(const struct door *door)
{
    return door->setup.address[0] != '\0' ? door->setup.address : door->listen;
}

static enum bg_status write_host_file(struct door *door, struct bg_error *err)
{
    struct host_file host = {.name = ""};
    char fingerprint[KEY_FILE_PRINT];
    enum bg_status status = BG_OK;

    if (!key_read_hex(host.key, door->hex)) {
        return bg_error_set(err, BG_E_SYSTEM, "door: the gateway tells no key");
    }
    snprintf(host.name, sizeof host.name, "%s", door->setup.name);
    snprintf(host.endpoint, sizeof host.endpoint, "%s", door_address(door));
    status = host_file_write(&host, door->setup.file, err);
    if (status == BG_OK) {
        key_fingerprint(fingerprint, host.key);
        fprintf(stderr, "door: %s, fingerprint %s; authors need %s\n", host.endpoint, fingerprint,
                door->setup.file);
        if (host_endpoint_is_any(host.endpoint)) {
            fprintf(stderr,
                    "warning: authors on other machines cannot use %s; say where they reach this "
                    "machine (door: address, of a host bots: door_address)\n",
                    host.endpoint);
        }
        door->is_written = true;
    }
    return status;
}

static enum bg_status take_bound(struct door_worker *worker, const char *text, struct bg_error *err)
{
    struct door *door = worker->door;

    worker->is_bound = true;
    /* Only a process that listens has started well: the delay of the next start does not shrink
     * for one that ends again at once. */
    worker->wait_ns = WAIT_NS;
    if (door_worker_is_gateway(worker)) {
        snprintf(door->hex, sizeof door->hex, "%s", text);
    } else {
        snprintf(door->listen, sizeof door->listen, "%s", text);
    }
    /* Sessions that have waited since before: the new gateway has not heard of them. */
    for (int i = 0; i < door->setup.bot_count && door_worker_is_gateway(worker); i++) {
        if (door->places[i].endpoint[0] != '\0') {
            inside_send(&worker->out, INSIDE__KIND__OPEN, door->setup.bots[i].name, 0,
                        door->places[i].endpoint);
        }
    }
    /* The doorman is started last, so its `bound` says that both stand: the key is known by
     * then, and an author who gets the file can come at once. */
    return door->is_written || door_worker_is_gateway(worker) ? BG_OK : write_host_file(door, err);
}

/* Two programs use the key of a bot. */
static void take_twice(struct door *door, int bot, const Inside__Message *news)
{
    const struct door_lending *lending = door->setup.lending;
    int seconds = (int)news->number;

    log_warn("door",
             "bot=%s key in use twice: connections of several programs took each other's place, "
             "the last one from %s; both are dropped, and the key waits %d s",
             news->bot, log_address(news->text), seconds);
    door->places[bot].twice_ns = loop_now(door->setup.loop) + seconds * SECOND_NS;
    if (lending != NULL) {
        lending->twice(lending->user, bot, seconds);
    }
}

/* The author of a bot asks for its standing. */
static void take_question(struct door *door, int bot)
{
    const struct door_lending *lending = door->setup.lending;
    struct status_host about = {.events = 0};
    char line[STATUS_LINE];

    if (lending != NULL) {
        /* A host with several events knows more than this door, and answers with door_tell. */
        lending->asked(lending->user, bot);
        return;
    }
    snprintf(about.name, sizeof about.name, "%s", door->setup.name);
    about.events = door->setup.status != NULL;
    about.tables = door->setup.bots[bot].limits.tables;
    about.line_us = door->places[bot].trip_us;
    about.starts_an_hour = entry_limits_starts(&door->setup.bots[bot].limits);
    door_status_end(&about, door);
    if (status_write_host(line, &about)) {
        door_tell(door, bot, line);
    }
    if (door->setup.status != NULL) {
        door->setup.status(door->setup.status_user, bot, line);
        door_tell(door, bot, line);
    }
}

static void take_left(struct door *door, int bot, const Inside__Message *news)
{
    const struct door_lending *lending = door->setup.lending;

    log_info("door", "bot=%s is away: %s", news->bot, news->text);
    door->places[bot].trip_us = 0;
    if (lending != NULL) {
        lending->left(lending->user, bot, news->place, news->number != 0);
    }
}

/* What a host that lends needs to know. */
static void take_lent(struct door *door, int bot, const char *endpoint)
{
    const struct door_lending *lending = door->setup.lending;

    if (lending != NULL) {
        if (strcmp(door->places[bot].endpoint, endpoint) == 0) {
            door->places[bot].endpoint[0] = '\0';
        }
        lending->lent(lending->user, bot, endpoint);
    }
}

static void take_came(struct door *door, int bot, const Inside__Message *news)
{
    const struct door_lending *lending = door->setup.lending;

    door->counts.results[DOOR_RESULT_CAME]++;
    log_info("door", "bot=%s has connected from %s", news->bot, log_address(news->text));
    if (lending != NULL) {
        lending->came(lending->user, bot);
    }
}

/* What is said of one bot. */
static void take_of_bot(struct door *door, int bot, const Inside__Message *news)
{
    switch (news->kind) {
    case INSIDE__KIND__CAME:
        take_came(door, bot, news);
        break;
    case INSIDE__KIND__LENT:
        take_lent(door, bot, news->text);
        break;
    case INSIDE__KIND__LEFT:
        take_left(door, bot, news);
        break;
    case INSIDE__KIND__TRIP:
        door->places[bot].trip_us = news->number;
        break;
    case INSIDE__KIND__ASKS:
        take_question(door, bot);
        break;
    case INSIDE__KIND__TWICE:
        take_twice(door, bot, news);
        break;
    case INSIDE__KIND__LARGE:
        /* Strangers decide how often this happens; they must not decide how long the log is. */
        if (door->counts.results[DOOR_RESULT_LARGE_HELLO]++ == 0) {
            log_warn("door",
                     "bot=%s a Hello of %" PRId64 " bytes from %s was refused: " GATEWAY_HELLO
                     " (further ones are only counted)",
                     news->bot, news->number, log_address(news->text));
        }
        break;
    default:
        break;
    }
}

static void take_worker_news(struct door_worker *worker, const Inside__Message *news)
{
    struct door *door = worker->door;
    int bot;

    switch (news->kind) {
    case INSIDE__KIND__MARKED:
        worker->marked = news->number;
        break;
    case INSIDE__KIND__REFUSED:
    case INSIDE__KIND__DISMISSED:
        door->refused += news->kind == INSIDE__KIND__REFUSED;
        if (news->number >= 0 && news->number < DOOR_RESULTS) {
            door->counts.results[news->number]++;
        }
        break;
    case INSIDE__KIND__TURNED:
        if (door->turned++ == 0) {
            log_warn("door",
                     "a connection from %s was refused: its key is not in the list or is banned, "
                     "or it does not speak ZeroMQ's CURVE (further ones are only counted)",
                     log_address(news->text));
        }
        break;
    case INSIDE__KIND__COUNTS:
        if (news->n_counts == 1 + DOOR_WHYS) {
            door->counts.connections = (int)news->counts[0];
            memcpy(door->doorman, news->counts + 1, sizeof door->doorman);
        }
        break;
    case INSIDE__KIND__LIMITED:
        log_warn("door", "a connection from %s was refused: %s (said once for each reason)",
                 log_address(news->place), news->text);
        break;
    case INSIDE__KIND__LOWERED:
        log_warn("door",
                 "at most %" PRId64 " connections at once, not %d: raise the limit of open files "
                 "(ulimit -n, LimitNOFILE)",
                 news->number, door->setup.connections);
        break;
    default:
        /* Not before: strangers cause most of the messages above, and a list of many keys is long.
         */
        bot = competitor_find(door->setup.bots, door->setup.bot_count, news->bot);
        if (bot >= 0) {
            take_of_bot(door, bot, news);
        }
    }
}

struct hearing {
    struct door_worker *worker;
    enum bg_status status; /* of the first message that fails; those behind it are dropped */
    struct bg_error *err;
};

static void take_news(void *user, const Inside__Message *news)
{
    struct hearing *hearing = user;

    if (hearing->status != BG_OK) {
        return;
    }
    if (news->kind == INSIDE__KIND__FAILED) {
        hearing->status = bg_error_set(hearing->err, BG_E_CONFIG, "door: %s", news->text);
    } else if (news->kind == INSIDE__KIND__BOUND) {
        hearing->status = take_bound(hearing->worker, news->text, hearing->err);
    } else {
        take_worker_news(hearing->worker, news);
    }
}

/* Takes what a process has sent, in one turn no more than inside_each does: the gateway meets
 * strangers, and even one that was taken over must not hold the clocks of the games. BG_E_CLOSED:
 * the process has ended. Foreign text in it is an address that libc wrote; it is cleaned when
 * logged. */
static enum bg_status hear(struct door_worker *worker, struct bg_error *err)
{
    struct hearing hearing = {worker, BG_OK, err};

    if (!inside_each(worker->fd, worker_name(worker), take_news, &hearing) &&
        hearing.status == BG_OK) {
        return bg_error_set(err, BG_E_CLOSED, "the %s has ended", worker_name(worker));
    }
    return hearing.status;
}

/* ------------------------------------------------------------------------ starting again */

static void start_again(void *user, int64_t now_ns);

static void plan_start(struct door_worker *worker)
{
    loop_after(worker->door->setup.loop, worker->wait_ns, start_again, worker);
    /* Longer each time: a process that cannot live must not cost the games a core. */
    worker->wait_ns = 2 * worker->wait_ns < LONGEST_NS ? 2 * worker->wait_ns : LONGEST_NS;
}

static void on_news(void *user)
{
    struct door_worker *worker = user;
    struct door *door = worker->door;
    struct bg_error err = {.text = ""};

    if (hear(worker, &err) != BG_OK) {
        /* The failure is noted before the process is ended: sessions that see their connections
         * break ask is_down() first, and have to find it there. */
        log_warn("door", "%s; it is started again, and remote bots can join then", err.text);
        for (int i = 0; i < door->setup.bot_count; i++) {
            door->places[i].has_failed = true;
        }
        if (door->setup.lending != NULL) {
            door->setup.lending->failed(door->setup.lending->user);
        }
        door_worker_end(worker, 0);
        plan_start(worker);
    }
}

static void start_again(void *user, int64_t now_ns)
{
    struct door_worker *worker = user;
    struct bg_error err;

    (void)now_ns;
    if (door_worker_start(worker, &err) != BG_OK ||
        loop_watch(worker->door->setup.loop, worker->fd, on_news, worker, &err) != BG_OK) {
        log_error("door", "%s", err.text);
        door_worker_end(worker, 0);
        plan_start(worker);
    }
}

/* ------------------------------------------------------------------------ for sessions */

static void opened(void *user, int bot, const char *endpoint, bool again)
{
    struct door *door = user;

    (void)again;
    snprintf(door->places[bot].endpoint, LINK_ENDPOINT, "%s", endpoint);
    door->places[bot].has_failed = false;
    inside_send(door_to_gateway(door), INSIDE__KIND__OPEN, door->setup.bots[bot].name, 0, endpoint);
}

/* What failed while it was away does not excuse what it does now. */
static void came(void *user, int bot)
{
    struct door *door = user;

    door->places[bot].has_failed = false;
}

static void closed(void *user, int bot)
{
    struct door *door = user;

    if (door->places[bot].endpoint[0] != '\0') {
        inside_send(door_to_gateway(door), INSIDE__KIND__SHUT, door->setup.bots[bot].name, 0, NULL);
    }
    door->places[bot].endpoint[0] = '\0';
}

static bool owns_gateway(void *user, pid_t pid)
{
    const struct door *door = user;

    return pid > 0 && pid == door->workers[GATEWAY].pid;
}

static bool is_down(void *user, int bot)
{
    const struct door *door = user;
    bool down = door->places[bot].has_failed;

    for (int i = 0; i < WORKERS; i++) {
        int fd = door->workers[i].fd;

        down = down || fd < 0 || inside_has_ended(fd);
    }
    return down || pulse_was_long(door->pulse, loop_now(door->setup.loop));
}

static int64_t stalled(void *user, int64_t now_ns)
{
    const struct door *door = user;

    return pulse_stalled(door->pulse, now_ns);
}

const char *door_gateway_endpoint(const struct door *door)
{
    return door->endpoint;
}

struct door_counts door_counts(const struct door *door)
{
    struct door_counts counts = door->counts;

    for (int i = 0; i < DOOR_WHYS; i++) {
        counts.refused[i] += door->doorman[i];
    }
    counts.results[DOOR_RESULT_ENDED] =
        door->turned > door->refused ? door->turned - door->refused : 0;
    counts.has_gateway = door->workers[GATEWAY].is_bound;
    counts.has_doorman = door->workers[DOORMAN].is_bound;
    return counts;
}

int64_t door_trip_us(const struct door *door, int bot)
{
    return door->places[bot].trip_us;
}

const char *door_bot_name(const struct door *door, int bot)
{
    return bot < door->setup.bot_count ? door->setup.bots[bot].name : NULL;
}

const struct session_door *door_of_sessions(const struct door *door)
{
    return &door->of_sessions;
}

/* What is new of a bot; before: NULL if all is. */
static void tell_change(struct door *door, const struct competitor *bot,
                        const struct competitor *before)
{
    struct door_worker *gateway = &door->workers[GATEWAY];

    if (gateway->fd < 0 || !bot->remote ||
        (before != NULL && (strcmp(before->key, bot->key) == 0 &&
                            entry_limits_are_same(&before->limits, &bot->limits)))) {
        return; /* the next gateway is told all */
    }
    if (bot->key[0] != '\0') {
        door_worker_tell_bot(gateway, bot);
    } else if (before != NULL) {
        inside_send(&gateway->out, INSIDE__KIND__FORGET, bot->name, 0, NULL);
    }
}

void door_take_bots(struct door *door, const struct competitor *bots, int bot_count)
{
    struct door_place *places = memory_zeroed((size_t)bot_count, sizeof *places);

    memcpy(places, door->places, (size_t)door->setup.bot_count * sizeof *places);
    free(door->places);
    door->places = places;
    for (int i = 0; i < bot_count; i++) {
        tell_change(door, &bots[i], i < door->setup.bot_count ? &door->setup.bots[i] : NULL);
    }
    door->setup.bots = door->bans.bots = bots;
    door->setup.bot_count = door->bans.bot_count = bot_count;
    door_tell_bans(door); /* a new one may be banned */
}

/* Returns false when the time is over. One that ends meanwhile is told all when it is started
 * again, and what it said last is reported as at any other time. */
static bool await_mark(struct door_worker *worker, int64_t until_ns)
{
    const struct door *door = worker->door;
    int64_t left_ns = until_ns - loop_now(door->setup.loop);

    while (worker->fd >= 0 && worker->marked != door->mark && left_ns > 0) {
        struct pollfd wait = {worker->fd, POLLIN, 0};

        (void)inside_flush(&worker->out);
        (void)poll(&wait, 1, inside_waits(&worker->out) ? LOOK_MS : (int)(left_ns / 1000000) + 1);
        on_news(worker);
        left_ns = until_ns - loop_now(door->setup.loop);
    }
    return left_ns > 0;
}

bool door_settle(struct door *door, int64_t most_ns)
{
    const int64_t until_ns = loop_now(door->setup.loop) + most_ns;
    bool have_taken = true;

    /* The news of inotify may still be in the queue; the caller knows that the file is new. */
    ban_watch_refresh(&door->bans);
    /* The sockets keep their order, so who has answered this mark has taken all that was sent
     * before it. Both are asked first and then awaited, so the time is that of the slower one. */
    door->mark++;
    for (int i = 0; i < WORKERS; i++) {
        inside_send(&door->workers[i].out, INSIDE__KIND__MARK, NULL, door->mark, NULL);
    }
    for (int i = 0; i < WORKERS; i++) {
        have_taken = await_mark(&door->workers[i], until_ns) && have_taken;
    }
    return have_taken;
}

void door_tell(struct door *door, int bot, const char *line)
{
    inside_send(door_to_gateway(door), INSIDE__KIND__STATUS, door->setup.bots[bot].name, 0, line);
}

void door_note(struct door *door, int bot, const char *text)
{
    inside_send(door_to_gateway(door), INSIDE__KIND__NOTE, door->setup.bots[bot].name, 0, text);
}

void door_ends(struct door *door, int64_t back_s, const char *text)
{
    snprintf(door->ends, sizeof door->ends, "%s", text);
    door->back_s = back_s;
    door->ends_ns = loop_now(door->setup.loop);
    door_tell_end(door);
}

void door_status_end(struct status_host *out, const struct door *door)
{
    int64_t past_s = (loop_now(door->setup.loop) - door->ends_ns) / SECOND_NS;

    snprintf(out->ends, sizeof out->ends, "%.230s", door->ends);
    out->back_s = door->back_s > past_s ? door->back_s - past_s : 0;
}

/* ------------------------------------------------------------------------ opening and closing */

static enum bg_status open_worker(struct door_worker *worker, struct bg_error *err)
{
    enum bg_status status = door_worker_start(worker, err);

    while (status == BG_OK && !worker->is_bound) {
        struct pollfd wait = {worker->fd, POLLIN, 0};

        inside_finish(&worker->out, START_MS);
        status =
            poll(&wait, 1, START_MS) <= 0
                ? bg_error_set(err, BG_E_SYSTEM, "door: the %s does not start", worker_name(worker))
                : hear(worker, err);
    }
    if (status == BG_OK) {
        status = loop_watch(worker->door->setup.loop, worker->fd, on_news, worker, err);
    }
    return status == BG_E_CLOSED ? bg_error_set(err, BG_E_SYSTEM, "door: %s", err->text) : status;
}

enum bg_status door_open(struct door **out, const struct door_setup *setup, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    struct door *door = memory_zeroed(1, sizeof *door);
    enum bg_status status;

    door->places = memory_zeroed((size_t)setup->bot_count, sizeof *door->places);
    door->setup = *setup;
    door->of_sessions = (struct session_door){.opened = opened,
                                              .closed = closed,
                                              .came = came,
                                              .owns = owns_gateway,
                                              .is_down = is_down,
                                              .stalled = stalled,
                                              .user = door,
                                              .away_ns = setup->away_ns,
                                              .idle_ns = setup->idle_ns,
                                              .grace_ns = GRACE_NS};
    door->folder.lock_fd = -1;
    door->bans = (struct ban_watch){.path = setup->bans,
                                    .loop = setup->loop,
                                    .bots = setup->bots,
                                    .bot_count = setup->bot_count,
                                    .changed = on_bans,
                                    .user = door};
    snprintf(door->listen, sizeof door->listen, "%s", setup->listen);
    for (int i = 0; i < setup->bot_count && setup->waits_s != NULL; i++) {
        door->places[i].twice_ns = loop_now(setup->loop) + setup->waits_s[i] * SECOND_NS;
    }
    for (int i = 0; i < WORKERS; i++) {
        door->workers[i] =
            (struct door_worker){.door = door, .fd = -1, .out.fd = -1, .wait_ns = WAIT_NS};
    }
    /* Bans first: no process is there yet, so nobody is let in who is kept out. Then the folder
     * of the gateway's socket, then the pulse's page in it, which the gateway opens in its first
     * lines; gateway before doorman, which gives it connections. */
    status = ban_watch_open(&door->bans, &why);
    if (status == BG_OK) {
        status = folder_open(&door->folder, &why);
    }
    if (status == BG_OK) {
        status = folder_door(door->endpoint, &door->folder, &why);
    }
    if (status == BG_OK) {
        door->pulse = pulse_open(door->endpoint);
    }
    for (int i = 0; i < WORKERS && status == BG_OK; i++) {
        status = open_worker(&door->workers[i], &why);
    }
    if (status != BG_OK) {
        bg_error_set(err, status, "%s", why.text);
        door_close(door);
        return status;
    }
    *out = door;
    return BG_OK;
}

void door_close(struct door *door)
{
    if (door == NULL) {
        return;
    }
    for (int i = 0; i < WORKERS; i++) { /* the doorman passes on the gateway's last messages */
        loop_forget(door->setup.loop, &door->workers[i]);
        inside_finish(&door->workers[i].out, LAST_MS);
        door_worker_end(&door->workers[i], END_MS);
    }
    /* The first one was reported when it came. */
    if (door->turned > 1) {
        log_warn("door",
                 "%" PRIu64 " connections ended before they were let in, %" PRIu64
                 " of them because their key is not in the list or is banned",
                 door->turned, door->refused);
    }
    ban_watch_close(&door->bans);
    pulse_close(door->pulse);
    folder_close(&door->folder);
    free(door->places);
    free(door);
}
