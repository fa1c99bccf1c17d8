#include "door_workers.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "front/gateway.h"
#include "log.h"
#include "front/tcp_listen.h"
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

static void on_gate(void *user)
{
    door_tell_gate(user);
}

/* ------------------------------------------------------------------------ their messages */

const char *door_address(const struct door *door)
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

static enum bg_status take_bound(struct door_worker *worker, char *rest, struct bg_error *err)
{
    struct door *door = worker->door;
    const char *word = control_word(&rest);

    worker->is_bound = true;
    worker->wait_ns = WAIT_NS;
    if (door_worker_is_gateway(worker)) {
        snprintf(door->hex, sizeof door->hex, "%s", word);
    } else {
        snprintf(door->listen, sizeof door->listen, "%s", word);
    }
    for (int i = 0; i < door->setup.bot_count && door_worker_is_gateway(worker); i++) {
        if (door->places[i].endpoint[0] != '\0') {
            control_queue_send(&worker->out, "open %s %s", door->setup.bots[i].name,
                               door->places[i].endpoint);
        }
    }
    return door->is_written || door_worker_is_gateway(worker) ? BG_OK : write_host_file(door, err);
}

static int find_place_of(const struct door *door, const char *name)
{
    for (int bot = 0; bot < door->setup.bot_count; bot++) {
        if (strcmp(door->setup.bots[bot].name, name) == 0) {
            return bot;
        }
    }
    return -1;
}

/* What a host that lends needs to know. */
static void take_lending(struct door *door, const char *word, const char *name, const char *rest)
{
    const struct door_lending *lending = door->setup.lending;
    int bot = find_place_of(door, name);

    if (lending == NULL || bot < 0) {
        return;
    }
    if (strcmp(word, "came") == 0) {
        lending->came(lending->user, bot);
    } else if (strcmp(word, "lent") == 0) {
        if (strcmp(door->places[bot].endpoint, rest) == 0) {
            door->places[bot].endpoint[0] = '\0';
        }
        lending->lent(lending->user, bot, rest);
    } else if (strcmp(word, "left") == 0) {
        lending->left(lending->user, bot, rest);
    }
}

/* Two programs use the key of a bot. rest: seconds and an address. */
static void take_twice(struct door *door, const char *name, char *rest)
{
    const struct door_lending *lending = door->setup.lending;
    int seconds = (int)strtol(control_word(&rest), NULL, 10);
    int bot = find_place_of(door, name);

    log_warn("door",
             "bot=%s key in use twice: connections of several programs took each other's place, "
             "the last one from %s; both are dropped, and the key waits %d s",
             name, rest == NULL ? "?" : log_address(rest), seconds);
    if (bot >= 0) {
        door->places[bot].twice_ns = loop_now(door->setup.loop) + seconds * SECOND_NS;
    }
    if (lending != NULL && bot >= 0) {
        lending->twice(lending->user, bot, seconds);
    }
}

static void take_large(struct door *door, const char *name, char *rest)
{
    const char *bytes = control_word(&rest);

    if (door->counts.results[DOOR_RESULT_LARGE_HELLO]++ == 0) {
        log_warn("door",
                 "bot=%s a Hello of %s bytes from %s was refused: " GATEWAY_HELLO
                 " (further ones are only counted)",
                 name, bytes, rest == NULL ? "?" : log_address(rest));
    }
}

/* The author of a bot asks for its standing. */
static void take_question(struct door *door, const char *name)
{
    const struct door_lending *lending = door->setup.lending;
    struct status_host about = {.events = 0};
    char line[STATUS_LINE];
    int bot = find_place_of(door, name);

    if (bot < 0) {
        return;
    }
    if (lending != NULL) {
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

/* Returns false if the word is another one. */
static bool take_count(struct door *door, const char *word, char *rest)
{
    if (strcmp(word, "refused") == 0 || strcmp(word, "dismissed") == 0) {
        enum door_result result = door_result_find(control_word(&rest));

        door->refused += word[0] == 'r';
        if (result < DOOR_RESULTS) {
            door->counts.results[result]++;
        }
    } else if (strcmp(word, "turned") == 0) {
        if (door->turned++ == 0) {
            log_warn("door",
                     "a connection from %s was refused: its key is not in the list or is banned, "
                     "or it does not speak ZeroMQ's CURVE (further ones are only counted)",
                     rest == NULL ? "?" : log_address(rest));
        }
    } else if (strcmp(word, "counts") == 0 && rest != NULL) {
        (void)door_counts_read(&door->counts.connections, door->doorman, rest);
    } else if (strcmp(word, "limited") == 0) {
        const char *address = control_word(&rest);

        log_warn("door", "a connection from %s was refused: %s (said once for each reason)",
                 log_address(address), rest == NULL ? "?" : rest);
    } else {
        return false;
    }
    return true;
}

static void note_trip(struct door *door, const char *name, int64_t trip_us)
{
    int bot = find_place_of(door, name);

    if (bot >= 0) {
        door->places[bot].trip_us = trip_us;
    }
}

/* Foreign text in it is an address that libc wrote; it is cleaned when logged. */
static void take_worker_news(struct door *door, const char *word, char *rest)
{
    if (strcmp(word, "came") == 0) {
        const char *name = control_word(&rest);

        door->counts.results[DOOR_RESULT_CAME]++;
        log_info("door", "bot=%s has connected from %s", name,
                 rest == NULL ? "?" : log_address(rest));
        take_lending(door, word, name, rest);
    } else if (strcmp(word, "lent") == 0) {
        const char *name = control_word(&rest);

        take_lending(door, word, name, rest == NULL ? "" : rest);
    } else if (strcmp(word, "left") == 0) {
        const char *name = control_word(&rest), *endpoint = control_word(&rest);

        log_info("door", "bot=%s is away: %s", name, rest == NULL ? "?" : rest);
        note_trip(door, name, 0);
        take_lending(door, word, name, endpoint);
    } else if (strcmp(word, "trip") == 0) {
        const char *name = control_word(&rest);

        note_trip(door, name, strtoll(control_word(&rest), NULL, 10));
    } else if (strcmp(word, "asks") == 0) {
        take_question(door, control_word(&rest));
    } else if (strcmp(word, "twice") == 0) {
        const char *name = control_word(&rest);

        take_twice(door, name, rest);
    } else if (strcmp(word, "large") == 0) {
        const char *name = control_word(&rest);

        take_large(door, name, rest);
    } else if (strcmp(word, "lowered") == 0) {
        const char *most = control_word(&rest);

        log_warn("door",
                 "at most %s connections at once, not %s: raise the limit of open files (ulimit "
                 "-n, LimitNOFILE)",
                 most, rest == NULL ? "?" : rest);
    }
}

/* Takes the next message. BG_E_TIMEOUT: there is none; BG_E_CLOSED: the process has ended. */
static enum bg_status take_one(struct door_worker *worker, struct bg_error *err)
{
    char text[CONTROL_TEXT];
    char *rest = text;
    const char *word;
    enum control_got got = control_take(text, worker->child.fd);

    if (got == CONTROL_NOTHING) {
        return BG_E_TIMEOUT;
    }
    if (got == CONTROL_ENDED) {
        return bg_error_set(err, BG_E_CLOSED, "the %s has ended", worker_name(worker));
    }
    word = control_word(&rest);
    if (strcmp(word, "failed") == 0) {
        return bg_error_set(err, BG_E_CONFIG, "door: %s", rest == NULL ? "?" : rest);
    }
    if (strcmp(word, "bound") == 0) {
        return take_bound(worker, rest, err);
    }
    if (strcmp(word, "marked") == 0) {
        worker->marked = (unsigned)strtoul(control_word(&rest), NULL, 10);
    } else if (!take_count(worker->door, word, rest)) {
        take_worker_news(worker->door, word, rest);
    }
    return BG_OK;
}

/* ------------------------------------------------------------------------ starting again */

static void start_again(void *user, int64_t now_ns);

static void plan_start(struct door_worker *worker)
{
    loop_after(worker->door->setup.loop, worker->wait_ns, start_again, worker);
    worker->wait_ns = 2 * worker->wait_ns < LONGEST_NS ? 2 * worker->wait_ns : LONGEST_NS;
}

static void on_news(void *user)
{
    struct door_worker *worker = user;
    struct door *door = worker->door;
    struct bg_error err = {.text = ""};
    enum bg_status status;

    do {
        status = take_one(worker, &err);
    } while (status == BG_OK);
    if (status != BG_E_TIMEOUT) {
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
        loop_watch(worker->door->setup.loop, worker->child.fd, on_news, worker, &err) != BG_OK) {
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
    if (door_gateway_fd(door) >= 0) {
        control_queue_send(door_to_gateway(door), "open %s %s", door->setup.bots[bot].name,
                           endpoint);
    }
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

    if (door->places[bot].endpoint[0] != '\0' && door_gateway_fd(door) >= 0) {
        control_queue_send(door_to_gateway(door), "shut %s", door->setup.bots[bot].name);
    }
    door->places[bot].endpoint[0] = '\0';
}

static bool owns_gateway(void *user, pid_t pid)
{
    const struct door *door = user;

    return pid > 0 && pid == door->workers[GATEWAY].child.pid;
}

static bool is_down(void *user, int bot)
{
    const struct door *door = user;
    bool down = door->places[bot].has_failed;

    for (int i = 0; i < WORKERS; i++) {
        int fd = door->workers[i].child.fd;

        down = down || fd < 0 || control_has_ended(fd);
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

    if (gateway->child.fd < 0 || !bot->remote ||
        (before != NULL && (strcmp(before->key, bot->key) == 0 &&
                            entry_limits_are_same(&before->limits, &bot->limits)))) {
        return; /* the next gateway is told all */
    }
    if (bot->key[0] != '\0') {
        door_worker_tell_bot(gateway, bot);
    } else if (before != NULL) {
        control_queue_send(&gateway->out, "forget %s", bot->name);
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
    door->setup.bots = door->gate.bots = bots;
    door->setup.bot_count = door->gate.bot_count = bot_count;
    door_tell_gate(door); /* a new one may be banned */
}

/* Returns false when the time is over. One that has ended is told all when it is started again. */
static bool await_mark(struct door_worker *worker, int64_t until_ns)
{
    const struct door *door = worker->door;
    enum bg_status status = BG_OK;
    int64_t left_ns = until_ns - loop_now(door->setup.loop);
    struct bg_error err;

    while (worker->child.fd >= 0 && worker->marked != door->mark && left_ns > 0 &&
           (status == BG_OK || status == BG_E_TIMEOUT)) {
        struct pollfd wait = {worker->child.fd, POLLIN, 0};

        if (!control_queue_flush(&worker->out)) {
            return false;
        }
        (void)poll(&wait, 1,
                   control_queue_waits(&worker->out) ? LOOK_MS : (int)(left_ns / 1000000) + 1);
        status = take_one(worker, &err);
        left_ns = until_ns - loop_now(door->setup.loop);
    }
    return left_ns > 0;
}

bool door_settle(struct door *door, int64_t most_ns)
{
    const int64_t until_ns = loop_now(door->setup.loop) + most_ns;
    bool have_taken = true;

    gate_watch_refresh(&door->gate);
    door->mark++;
    for (int i = 0; i < WORKERS; i++) {
        control_queue_send(&door->workers[i].out, "mark %u", door->mark);
    }
    for (int i = 0; i < WORKERS; i++) {
        have_taken = await_mark(&door->workers[i], until_ns) && have_taken;
    }
    return have_taken;
}

void door_tell(struct door *door, int bot, const char *line)
{
    if (door_gateway_fd(door) >= 0) {
        control_queue_send(door_to_gateway(door), "status %s %s", door->setup.bots[bot].name, line);
    }
}

void door_note(struct door *door, int bot, const char *text)
{
    if (door_gateway_fd(door) >= 0) {
        control_queue_send(door_to_gateway(door), "note %s %s", door->setup.bots[bot].name, text);
    }
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
        struct pollfd wait = {worker->child.fd, POLLIN, 0};

        control_queue_finish(&worker->out, START_MS);
        status =
            poll(&wait, 1, START_MS) <= 0
                ? bg_error_set(err, BG_E_SYSTEM, "door: the %s does not start", worker_name(worker))
                : take_one(worker, err);
    }
    if (status == BG_OK) {
        status = loop_watch(worker->door->setup.loop, worker->child.fd, on_news, worker, err);
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
    door->gate = (struct gate_watch){.path = setup->gate,
                                     .loop = setup->loop,
                                     .bots = setup->bots,
                                     .bot_count = setup->bot_count,
                                     .changed = on_gate,
                                     .user = door};
    snprintf(door->listen, sizeof door->listen, "%s", setup->listen);
    for (int i = 0; i < setup->bot_count && setup->waits_s != NULL; i++) {
        door->places[i].twice_ns = loop_now(setup->loop) + setup->waits_s[i] * SECOND_NS;
    }
    for (int i = 0; i < WORKERS; i++) {
        door->workers[i] =
            (struct door_worker){.door = door, .child.fd = -1, .out.fd = -1, .wait_ns = WAIT_NS};
    }
    status = gate_watch_open(&door->gate, &why);
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
        control_queue_finish(&door->workers[i].out, LAST_MS);
        door_worker_end(&door->workers[i], END_MS);
    }
    if (door->turned > 1) {
        log_warn("door",
                 "%" PRIu64 " connections ended before they were let in, %" PRIu64
                 " of them because their key is not in the list or is banned",
                 door->turned, door->refused);
    }
    gate_watch_close(&door->gate);
    pulse_close(door->pulse);
    folder_close(&door->folder);
    free(door->places);
    free(door);
}
