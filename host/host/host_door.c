/* One door, many events: the door knows a place for each bot where its next connection goes, and
 * the broker decides whose place that is (broker.h). Everything that may change the answer ends in
 * settle_bot(), which asks the broker, and tells the gateway only what is different from what it
 * was told (spots[].told).
 *
 * Three things stand in the way of a simple answer. An event that begins has not asked for all
 * its bots yet: until it is ready (or READY_NS is over) nobody is lent anew. An event that has
 * lost a bot wants it back: for OWED_NS it is asked first. And a bot that is held (quarantine) goes
 * nowhere, or only back. */
#include "host_door_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config/allow.h"
#include "log.h"
#include "base/memory.h"

static const char NEXT[] = "next: "; /* what comes before it in host_door_listener.next's text */

/* An event that says nothing for this long, such as one that only judges, does not hold up the
 * others. */
static const int64_t SECOND_NS = INT64_C(1000000000), READY_NS = INT64_C(10000000000);
/* An event that has lost a bot says within this time whether it waits for it again (lent_door.c).
 */
static const int64_t OWED_NS = INT64_C(1000000000);

static struct event_key *find_key(const struct event_keys *keys, int bot)
{
    for (int i = 0; i < keys->count; i++) {
        if (keys->list[i].bot == bot) {
            return &keys->list[i];
        }
    }
    return NULL;
}

/* The event has this bot under this key and no other one. */
static void event_keys_set(struct event_keys *keys, int bot, const char *key)
{
    struct event_key *at = find_key(keys, bot);

    if (at == NULL) {
        keys->list = memory_list(keys->list, &keys->room, (size_t)keys->count + 1, sizeof *at);
        at = &keys->list[keys->count++];
        at->bot = bot;
    }
    snprintf(at->key, sizeof at->key, "%s", key);
}

/* Returns NULL if the bot's key has not changed since the event began; lent until the next set. */
static const char *event_keys_find(const struct event_keys *keys, int bot)
{
    const struct event_key *at = find_key(keys, bot);

    return at == NULL ? NULL : at->key;
}

static void event_keys_deinit(struct event_keys *keys)
{
    free(keys->list);
    *keys = (struct event_keys){.count = 0};
}

static bool all_are_ready(const struct host_door *door)
{
    for (const struct borrower *at = door->borrowers; at != NULL; at = at->next) {
        if (!at->is_ready && at->fd >= 0) {
            return false;
        }
    }
    return true;
}

/* Tells an author whose connections wait when another limit is the reason. */
static void note_limit(struct host_door *door, int bot)
{
    char text[INSIDE_TEXT / 2] = "";
    bool is_limited = host_door_limit(text, sizeof text, door, bot);

    /* Once for each reason: settle_bot is called often, and each note is a message to the
     * author. */
    if (is_limited && strncmp(door->spots[bot].noted, text, NOTED - 1) != 0) {
        door_note(door->door, bot, text);
    }
    snprintf(door->spots[bot].noted, NOTED, "%s", text);
}

/* Tells the gateway where this bot's next connection goes, and the events who gets it not. */
static void settle_bot(struct host_door *door, int bot)
{
    const struct session_door *gateway = door_of_sessions(door->door);
    const struct broker_want *next = broker_next(&door->broker, bot, loop_now(door->loop));
    const char *endpoint;

    if (next != NULL &&
        /* A bot that goes back to its event needs no agreement with those that begin. */
        (!host_door_may_go(door, bot, next) || (!next->again && !all_are_ready(door)))) {
        next = NULL;
    }
    note_limit(door, bot);
    host_door_tell_kept(door, bot);
    endpoint = next == NULL ? "" : next->endpoint;
    if (strcmp(door->spots[bot].told, endpoint) == 0) {
        return;
    }
    snprintf(door->spots[bot].told, LINK_ENDPOINT, "%s", endpoint);
    if (next == NULL) {
        gateway->closed(gateway->user, bot);
    } else {
        gateway->opened(gateway->user, bot, endpoint, next->again);
    }
}

/* ------------------------------------------------------------------ from the gateway */

static void on_came(void *user, int bot)
{
    struct host_door *door = user;
    const struct broker_want *next = broker_next(&door->broker, bot, loop_now(door->loop));
    char text[INSIDE_TEXT / 2] = "";

    /* It is lent at once; nothing is to be explained. */
    if (next != NULL && host_door_may_go(door, bot, next)) {
        return;
    }
    if (!host_door_limit(text, sizeof text, door, bot)) {
        door->listener.next(door->listener.user, text, sizeof text, door->allowed.bots[bot].name);
    }
    door_note(door->door, bot, text);
}

static void on_lent(void *user, int bot, const char *endpoint)
{
    struct host_door *door = user;
    const char *event = broker_lent(&door->broker, bot, endpoint);

    if (event != NULL) {
        log_info("door", "bot=%s is lent to %s", door->allowed.bots[bot].name, event);
    }
    if (strcmp(door->spots[bot].told, endpoint) == 0) {
        door->spots[bot].told[0] = '\0';
    }
    settle_bot(door, bot);
}

static void settle_all(struct host_door *door)
{
    for (int i = 0; i < door->allowed.bot_count; i++) {
        settle_bot(door, i);
    }
}

static void on_owed_over(void *user, int64_t now_ns)
{
    (void)now_ns;
    settle_all(user);
}

/* Until when the events that have lost a bot are asked first. */
static int64_t owe(struct host_door *door)
{
    /* A nanosecond later, so that the broker's time is over when the loop calls. */
    loop_after(door->loop, OWED_NS + 1, on_owed_over, door);
    return loop_now(door->loop) + OWED_NS;
}

static void on_left(void *user, int bot, const char *endpoint, bool is_unheard)
{
    struct host_door *door = user;

    if (is_unheard ? broker_unheard(&door->broker, bot, endpoint)
                   : broker_lost(&door->broker, bot, endpoint, owe(door))) {
        settle_bot(door, bot);
    }
}

static void on_gateway(void *user, pid_t pid)
{
    struct host_door *door = user;

    door->gateway = pid;
    for (struct borrower *at = door->borrowers; at != NULL; at = at->next) {
        inside_send(&at->out, INSIDE__KIND__GATEWAY, NULL, pid, NULL);
    }
}

static void on_front_failed(void *user)
{
    struct host_door *door = user;

    /* Before the events are told: their answers (`open ... again`) have to find their bots lost. */
    broker_lost_all(&door->broker, owe(door));
    settle_all(door);
    for (struct borrower *at = door->borrowers; at != NULL; at = at->next) {
        inside_send(&at->out, INSIDE__KIND__FAILED, NULL, 0, NULL);
    }
}

static void on_twice(void *user, int bot, int seconds)
{
    struct host_door *door = user;
    int64_t now_s = loop_calendar();
    struct bg_error err;

    door->spots[bot].twice_ns = loop_now(door->loop) + seconds * SECOND_NS;
    key_waits_set(&door->waits, door->allowed.bots[bot].name, now_s + seconds);
    if (key_waits_save(&door->waits, door->waits_file, now_s, &err) != BG_OK) {
        log_error("door", "%s; a new start of the host would not know that this key waits",
                  err.text);
    }
}

/* ------------------------------------------------------------------ from the events */

/* An event that knows the bot is asked too: its answer comes as a line of its own. */
static int ask_events(const struct host_door *door, int bot)
{
    const struct broker_bot *of = &door->broker.bots[bot];
    int count = 0;

    for (struct borrower *at = door->borrowers; at != NULL; at = at->next) {
        for (int i = 0; i < of->count; i++) {
            count +=
                at->fd >= 0 && strcmp(of->wants[i].event, at->event) == 0 &&
                inside_send(&at->out, INSIDE__KIND__ASKS, door->allowed.bots[bot].name, 0, NULL);
        }
    }
    return count;
}

static void on_asked(void *user, int bot)
{
    struct host_door *door = user;
    const struct competitor *of = &door->allowed.bots[bot];
    struct status_host about = {.line_us = door_trip_us(door->door, bot),
                                .tables = of->limits.tables,
                                .starts_an_hour = entry_limits_starts(&of->limits)};
    char line[STATUS_LINE], text[INSIDE_TEXT / 2] = "";
    const char *next;

    snprintf(about.name, sizeof about.name, "%s", door->name);
    if (host_door_limit(text, sizeof text, door, bot)) {
        snprintf(about.limit, sizeof about.limit, "%.230s", text);
    }
    door->listener.next(door->listener.user, text, sizeof text, of->name);
    next = strstr(text, NEXT);
    if (next != NULL) {
        snprintf(about.next, sizeof about.next, "%.230s", next + strlen(NEXT));
    }
    about.events = ask_events(door, bot);
    door_status_end(&about, door->door);
    if (status_write_host(line, &about)) {
        door_tell(door->door, bot, line);
    }
}

/* Whether the event has the bot under another key: it began with that, or its desk accepted it. */
static bool is_of_old_key(const struct borrower *borrower, int bot)
{
    const char *key = event_keys_find(&borrower->keys, bot);

    /* A new key may mean a new author; an event's games of a bot are those of one. */
    return key != NULL && strcmp(key, borrower->door->spots[bot].key) != 0;
}

/* Settles whether an event may have a bot: its entry may be for others, and a bot's record in an
 * event is that of one key. */
static void settle_want(struct host_door *door, int bot, const struct borrower *borrower)
{
    const struct competitor *of = &door->allowed.bots[bot];

    broker_refuse(&door->broker, bot, borrower->event,
                  !entry_limits_have_event(&of->limits, borrower->event) ||
                      is_of_old_key(borrower, bot));
}

/* ------------------------------------------------------------------ tables at once */

static void tell_tables(struct borrower *borrower, int bot)
{
    inside_send(&borrower->out, INSIDE__KIND__TABLES, borrower->door->allowed.bots[bot].name,
                borrower->door->spots[bot].tables, NULL);
}

/* What an event has to know before it begins; the gateway comes last, it waits for that. */
static void tell_beginning(struct borrower *borrower)
{
    const struct host_door *door = borrower->door;

    for (int bot = 0; bot < door->allowed.bot_count; bot++) {
        if (door->spots[bot].tables > 0) {
            tell_tables(borrower, bot);
        }
    }
    inside_send(&borrower->out, INSIDE__KIND__PULSE, NULL, 0, door_gateway_endpoint(door->door));
    inside_send(&borrower->out, INSIDE__KIND__GATEWAY, NULL, door->gateway, NULL);
}

static void take_tables(struct host_door *door, int bot)
{
    int tables = door->allowed.bots[bot].limits.tables;

    if (door->spots[bot].tables != tables) {
        door->spots[bot].tables = tables;
        for (struct borrower *at = door->borrowers; at != NULL; at = at->next) {
            tell_tables(at, bot);
        }
    }
}

static void take_of_event(void *user, const Inside__Message *news)
{
    struct borrower *borrower = user;
    struct host_door *door = borrower->door;
    int bot = competitor_find(door->allowed.bots, door->allowed.bot_count, news->bot);

    if (news->kind == INSIDE__KIND__READY) {
        borrower->is_ready = true;
        settle_all(door);
        return;
    }
    /* The event has read the same list, which may have changed since. */
    if (bot < 0) {
        log_error("door", "%s waits for %s, which is not in the file allow of the host",
                  borrower->event, news->bot);
        return;
    }
    switch (news->kind) {
    case INSIDE__KIND__OPEN:
        broker_open(&door->broker, bot, borrower->event, news->text,
                    news->number == INSIDE__HOW__BEGUN);
        if (news->number == INSIDE__HOW__AGAIN) {
            broker_note_back(&door->broker, bot, borrower->event);
        }
        settle_want(door, bot, borrower);
        break;
    case INSIDE__KIND__STATUS:
        door_tell(door->door, bot, news->text);
        return;
    case INSIDE__KIND__SHUT:
        broker_shut(&door->broker, bot, borrower->event);
        break;
    case INSIDE__KIND__VERSION:
        host_door_note_refused(door, bot, borrower->event, news->text);
        return;
    case INSIDE__KIND__OUT:
        door->listener.out(door->listener.user, news->bot, borrower->event, (int)news->number);
        break;
    default:
        break;
    }
    settle_bot(door, bot);
}

bool host_door_settle(struct host_door *door, int64_t most_ns)
{
    return door == NULL || door_settle(door->door, most_ns);
}

void host_door_hold(struct host_door *door, const char *bot, const char *why, bool may_return)
{
    int found =
        door == NULL ? -1 : competitor_find(door->allowed.bots, door->allowed.bot_count, bot);

    if (found >= 0) {
        /* One that an event has put out may still go back where it plays: quarantine keeps it
         * from new games, and the event decides about those it has. */
        door->spots[found].may_return = may_return;
        snprintf(door->spots[found].held, HELD, "%s", why);
        settle_bot(door, found);
    }
}

void host_door_ends(struct host_door *door, int64_t back_s, const char *text)
{
    if (door != NULL) {
        door_ends(door->door, back_s, text);
        for (struct borrower *at = door->borrowers; at != NULL; at = at->next) {
            inside_send(&at->out, INSIDE__KIND__ENDS, NULL, 0, text);
        }
    }
}

const char *host_door_key(const struct host_door *door, const char *bot)
{
    int found =
        door == NULL ? -1 : competitor_find(door->allowed.bots, door->allowed.bot_count, bot);

    return found < 0 ? "" : door->allowed.bots[found].key;
}

void host_door_accept(struct host_door *door, const char *event, const char *bot, const char *key)
{
    int found =
        door == NULL ? -1 : competitor_find(door->allowed.bots, door->allowed.bot_count, bot);

    for (struct borrower *at = found < 0 ? NULL : door->borrowers; at != NULL; at = at->next) {
        if (strcmp(at->event, event) == 0 && at->fd >= 0) {
            event_keys_set(&at->keys, found, key);
            settle_want(door, found, at);
            settle_bot(door, found);
            host_door_note_refused(door, found, event, "");
        }
    }
}

static void leave(struct borrower *borrower)
{
    struct host_door *door = borrower->door;

    if (borrower->fd < 0) {
        return;
    }
    inside_close(&borrower->out);
    loop_unwatch(door->loop, borrower->fd);
    close(borrower->fd);
    borrower->fd = -1;
    /* Its process is gone or going: whatever it had is free. */
    broker_leave(&door->broker, borrower->event);
    settle_all(door);
}

static void on_event_line(void *user)
{
    struct borrower *borrower = user;

    if (!inside_each(borrower->fd, borrower->event, take_of_event, borrower)) {
        leave(borrower);
    }
}

static void on_stuck(void *user)
{
    const struct borrower *borrower = user;

    borrower->door->listener.stuck(borrower->door->listener.user, borrower->event);
}

static void on_late(void *user, int64_t now_ns)
{
    struct borrower *borrower = user;

    (void)now_ns;
    borrower->is_ready = true;
    settle_all(borrower->door);
}

enum bg_status host_door_lend(struct borrower **out, int *fd, struct host_door *door,
                              const char *event, struct bg_error *err)
{
    struct borrower *borrower;
    int ends[2];
    enum bg_status status;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "door: %s", strerror(errno));
    }
    borrower = memory_zeroed(1, sizeof *borrower);
    *borrower = (struct borrower){.door = door, .fd = ends[0], .next = door->borrowers};
    snprintf(borrower->event, sizeof borrower->event, "%s", event);
    /* The other end has no reader yet; what is told below waits in the socket for the process. */
    status = loop_watch(door->loop, borrower->fd, on_event_line, borrower, err);
    if (status != BG_OK) {
        close(ends[0]);
        close(ends[1]);
        free(borrower);
        return status;
    }
    inside_open(&borrower->out, borrower->fd, door->loop);
    borrower->out.stuck = on_stuck;
    borrower->out.user = borrower;
    tell_beginning(borrower);
    loop_after(door->loop, READY_NS, on_late, borrower);
    door->borrowers = borrower;
    *out = borrower;
    *fd = ends[1];
    return BG_OK;
}

void host_door_leave(struct borrower *borrower, const char *text)
{
    if (borrower != NULL && borrower->fd >= 0) {
        inside_send(&borrower->out, INSIDE__KIND__ENDS, NULL, 0, text);
    }
}

void host_door_return(struct borrower *borrower)
{
    if (borrower != NULL) {
        struct borrower **at = &borrower->door->borrowers;

        /* It is in the list: only host_door_lend makes one. */
        while (*at != borrower) {
            at = &(*at)->next;
        }
        *at = borrower->next;
        loop_forget(borrower->door->loop, borrower);
        leave(borrower);
        event_keys_deinit(&borrower->keys);
        free(borrower);
    }
}

/* ------------------------------------------------------------------ opening and closing */

static void take_entry(struct competitor *bot, const struct allow_entry *entry)
{
    bot->remote = true;
    snprintf(bot->name, sizeof bot->name, "%s", entry->name);
    snprintf(bot->key, sizeof bot->key, "%s", entry->key);
    bot->limits = entry->limits;
}

/* Makes the bots that follow from the list: those there were, in their places, and the new ones. */
static void make_bots(struct known *out, const struct host_door *door,
                      const struct allow_list *list)
{
    int known = door->allowed.bot_count;
    bool *taken = memory_zeroed((size_t)list->count, sizeof *taken);

    *out = (struct known){.bot_count = known};
    out->bots = memory_zeroed((size_t)known + (size_t)list->count, sizeof *out->bots);
    for (int i = 0; i < known; i++) { /* without a key, unless the list has one */
        /* A bot's number is its place in many lists (broker, gateway, events' sockets), so bots
         * keep theirs and are never taken out; without a key one cannot come. */
        const struct allow_entry *entry = allow_find(list, door->allowed.bots[i].name);

        out->bots[i].remote = true;
        snprintf(out->bots[i].name, NAME_SIZE, "%s", door->allowed.bots[i].name);
        if (entry != NULL) {
            take_entry(&out->bots[i], entry);
            taken[entry - list->entries] = true;
        }
    }
    for (int i = 0; i < list->count; i++) {
        if (!taken[i]) {
            take_entry(&out->bots[out->bot_count++], &list->entries[i]);
        }
    }
    free(taken);
}

static void grow(struct host_door *door, int bot_count)
{
    door->spots =
        memory_list(door->spots, &door->spot_room, (size_t)bot_count + 1, sizeof *door->spots);
    for (int bot = door->allowed.bot_count; bot < bot_count; bot++) {
        door->spots[bot] = (struct spot){.told = ""};
    }
    broker_grow(&door->broker, bot_count);
}

static void settle_wants(struct host_door *door)
{
    for (int bot = 0; bot < door->allowed.bot_count; bot++) {
        door->broker.bots[bot].most = door->allowed.bots[bot].limits.tables;
        take_tables(door, bot);
        for (const struct borrower *at = door->borrowers; at != NULL; at = at->next) {
            settle_want(door, bot, at);
        }
    }
}

/* Running events keep the keys that they have, of the bots whose keys change now. */
static void keep_keys(const struct host_door *door, const struct known *next)
{
    for (int bot = 0; bot < next->bot_count; bot++) {
        const char *key = door->spots[bot].key, *now = next->bots[bot].key;
        bool changes = key[0] != '\0' && now[0] != '\0' && strcmp(key, now) != 0;

        for (struct borrower *at = door->borrowers; changes && at != NULL; at = at->next) {
            if (event_keys_find(&at->keys, bot) == NULL) {
                event_keys_set(&at->keys, bot, key);
            }
        }
    }
}

/* Reads the keys; door->door is NULL when it opens. */
static enum bg_status take_keys(struct host_door *door, struct bg_error *err)
{
    struct known bots, before = door->allowed;
    struct allow_list list = {.count = 0};
    enum bg_status status = allow_load(&list, door->settings.allow, err);

    if (status == BG_OK) {
        make_bots(&bots, door, &list);
    }
    allow_deinit(&list);
    if (status != BG_OK) {
        return status;
    }
    grow(door, bots.bot_count);
    keep_keys(door, &bots);
    if (door->door != NULL) {
        door_take_bots(door->door, bots.bots, bots.bot_count);
    }
    for (int i = 0; i < bots.bot_count; i++) {
        if (bots.bots[i].key[0] != '\0') {
            /* A key that was taken out stays here: if it comes back it is no other key. */
            snprintf(door->spots[i].key, KEY_FILE_DIGITS, "%s", bots.bots[i].key);
        }
    }
    /* Only now the old list may go: door_take_bots has compared both. */
    door->allowed = bots;
    free(before.bots);
    settle_wants(door);
    return BG_OK;
}

enum bg_status host_door_refresh(struct host_door *door, struct bg_error *err)
{
    enum bg_status status = door == NULL ? BG_OK : take_keys(door, err);

    if (status == BG_OK && door != NULL) {
        settle_all(door);
    }
    return status;
}

/* Keys that had to wait when an earlier host ended wait on. */
static enum bg_status read_waits(int **out, struct host_door *door, struct bg_error *err)
{
    enum bg_status status = key_waits_load(&door->waits, door->waits_file, err);

    *out = memory_zeroed((size_t)door->allowed.bot_count, sizeof **out);
    for (int bot = 0; bot < door->allowed.bot_count && status == BG_OK; bot++) {
        (*out)[bot] = key_waits_left_s(&door->waits, door->allowed.bots[bot].name, loop_calendar());
        door->spots[bot].twice_ns = loop_now(door->loop) + (*out)[bot] * SECOND_NS;
    }
    return status;
}

static enum bg_status open_inside(struct host_door *door, struct bg_error *err)
{
    const struct config_door *settings = &door->settings;
    int *waits_s;
    enum bg_status status = read_waits(&waits_s, door, err);
    const struct door_setup setup = {.name = door->name,
                                     .listen = settings->listen,
                                     .listener = door->socket,
                                     .address = settings->address,
                                     .key = settings->key,
                                     .file = settings->file,
                                     .bans = door->bans,
                                     .per_address = settings->per_address,
                                     .connections = settings->connections,
                                     .bots = door->allowed.bots,
                                     .bot_count = door->allowed.bot_count,
                                     .waits_s = waits_s,
                                     .loop = door->loop,
                                     .lending = &door->lending};

    status = status == BG_OK ? door_open(&door->door, &setup, err) : status;
    free(waits_s);
    return status;
}

enum bg_status host_door_open(struct host_door **out, const struct host_door_setup *setup,
                              const struct host_door_listener *listener, struct bg_error *err)
{
    const struct host_config *config = setup->config;
    struct host_door *door;
    enum bg_status status;

    *out = NULL;
    if (config->door.listen[0] == '\0') {
        return BG_OK;
    }
    door = memory_zeroed(1, sizeof *door);
    door->settings = config->door;
    door->loop = setup->loop;
    door->socket = setup->listener;
    door->listener = *listener;
    door->lending = (struct door_lending){on_came,         on_lent,  on_left,  on_gateway,
                                          on_front_failed, on_twice, on_asked, door};
    snprintf(door->name, sizeof door->name, "%s", config->name);
    snprintf(door->bans, sizeof door->bans, "%s", setup->bans);
    snprintf(door->waits_file, sizeof door->waits_file, "%s/" KEY_WAITS_OF_HOST, config->folder);
    broker_init(&door->broker, 0);
    /* Before the door is opened: it begins with all bots. */
    status = take_keys(door, err);
    if (status == BG_OK) {
        status = open_inside(door, err);
    }
    if (status != BG_OK) {
        host_door_close(door);
        return status;
    }
    *out = door;
    return BG_OK;
}

void host_door_close(struct host_door *door)
{
    if (door == NULL) {
        return;
    }
    loop_forget(door->loop, door);
    door_close(door->door);
    key_waits_deinit(&door->waits);
    broker_deinit(&door->broker);
    free(door->allowed.bots);
    free(door->spots);
    free(door);
}

const struct door *host_door_inside(const struct host_door *door)
{
    return door == NULL ? NULL : door->door;
}
