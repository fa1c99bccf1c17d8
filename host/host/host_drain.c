/* host_drain.c - how a host ends: its games, and what authors of bots elsewhere are told. */
#include <inttypes.h>
#include <stdio.h>

#include "host_inside.h"

#define SECOND_NS INT64_C(1000000000)

/* A service manager waits so much longer than games may take, and for the next sign meanwhile. */
#define SPARE_NS (30 * SECOND_NS)
#define SIGN_NS  (20 * SECOND_NS)

static void on_drained(void *user, int64_t now_ns)
{
    (void)now_ns;
    host_drain(user);
}

/* Running matches may take any time. */
static void on_finishing(void *user, int64_t now_ns)
{
    struct host *host = user;

    (void)now_ns;
    notify_extend(&host->notify, SIGN_NS + SPARE_NS);
    loop_after(host->loop, SIGN_NS, on_finishing, host);
}

/* What authors read while games end. */
static void tell_beginning(struct host *host)
{
    int64_t games_s = host->config.drain_ns / SECOND_NS, back_s = host->end.back_s;
    char text[200];

    if (back_s == DOOR_NEVER) {
        host_door_ends(host->door, back_s,
                       host->end.finishes
                           ? "the host ends for good when the running matches are over"
                           : "the host ends for good; running games end first");
    } else if (host->end.finishes) {
        snprintf(text, sizeof text,
                 "the host restarts when the running matches are over; expect it back %" PRId64
                 " s after that",
                 back_s);
        host_door_ends(host->door, DOOR_SOME_TIME, text);
    } else {
        snprintf(text, sizeof text,
                 "the host restarts; running games end first; expect it back in %" PRId64 " s",
                 games_s + back_s);
        host_door_ends(host->door, games_s + back_s, text);
    }
}

void host_take_leave(struct host *host)
{
    char text[200];

    if (host->end.has_left) {
        return;
    }
    host->end.has_left = true;
    /* No one has asked when it is back, so the file's usual time is told. */
    if (host->phase == HOST_UP) { /* it has failed, and is started again */
        host->end.back_s = host->config.back_ns / SECOND_NS;
    }
    snprintf(text, sizeof text, "the host restarts now; expect it back in %" PRId64 " s",
             host->end.back_s);
    host_door_ends(host->door, host->end.back_s,
                   host->end.back_s == DOOR_NEVER ? "the host has ended, and does not come back"
                                                  : text);
}

static void begin_drain(struct host *host)
{
    enum runs_end how = host->end.finishes ? RUNS_FINISH : RUNS_END;

    host->phase = HOST_DRAINS;
    if (!host->end.is_asked) {
        host->end.back_s = host->config.back_ns / SECOND_NS;
    }
    host_say(host, HOST_ITSELF, "drains",
             host->end.finishes ? "no new events; running matches end"
                                : "no new events; running games end");
    /* systemd ends a service that takes longer than its time, unless it says STOPPING and asks
     * for more. */
    notify_stopping(&host->notify, host->end.finishes ? "drains: running matches end"
                                                      : "drains: running games end");
    loop_forget(host->loop, host);
    if (host->end.finishes) {
        on_finishing(host, 0);
    } else {
        notify_extend(&host->notify, host->config.drain_ns + SPARE_NS);
        loop_after(host->loop, host->config.drain_ns, on_drained, host);
    }
    if (runs_have_games(&host->runs,
                        how)) { /* before the processes end: a bot may hear it only now */
        tell_beginning(host);
    } else {
        host_take_leave(host);
    }
    runs_drain(&host->runs, how);
}

static void hurry(struct host *host)
{
    host->phase = HOST_HURRIES;
    host_say(host, HOST_ITSELF, "ends at once", "");
    notify_stopping(&host->notify, "ends at once");
    loop_forget(host->loop, host);
    host_take_leave(host);
    runs_drain(&host->runs, RUNS_AT_ONCE);
}

void host_drain(struct host *host)
{
    if (host->phase == HOST_UP) {
        begin_drain(host);
    } else if (host->phase == HOST_DRAINS) {
        hurry(host);
    }
}
