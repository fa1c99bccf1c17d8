#include "host_monitor.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"
#include "door/door.h"
#include "door/door_counts.h"
#include "base/plain_file.h"
#include "door/tcp_listen.h"
#include "loop/health_checks.h"
#include "loop/metrics_merge.h"
#include "loop/metrics_text.h"
#include "loop/socket_file.h"
#include "loop/web.h"

#define BEAT_NS INT64_C(500000000)

enum {
    EVENT_BYTES = 1 << 20, /* more is no file of an event of ours */
    LINES_SHOWN = 100,
    WAITING = 128 /* connections that the kernel keeps until the loop turns */
};

/* ------------------------------------------------------------------ what events have written */

/* Adds the file; one that is not there yet has nothing. */
static void add_file(struct metrics_merge *merge, const char *path)
{
    FILE *in;

    if (plain_file_open(&in, path, PLAIN_FILE_ANY) == NULL) {
        char *text = memory_zeroed(EVENT_BYTES + 1, 1);

        text[fread(text, 1, EVENT_BYTES, in)] = '\0';
        metrics_merge_add(merge, text);
        free(text);
        fclose(in);
    }
}

/* Calls for every instance whose state says that it runs. */
static void gather(struct metrics_merge *merge, const struct host *host, int *down)
{
    *down = 0;
    for (int i = 0; i < host->agenda.count; i++) {
        const struct agenda_event *event = &host->agenda.events[i];

        for (int k = 0; k < event->count; k++) {
            const char *name = event->list[k].name, *wait;

            if (runs_pid(&host->runs, name, &wait) > 0) {
                add_file(merge, runs_metrics(&host->runs, name));
            } else if (event->list[k].life == LIFE_RUNNING && host->phase == HOST_UP) {
                (*down)++;
            }
        }
    }
}

int host_monitor_held(const struct host *host, const char *instance)
{
    struct metrics_merge *merge = metrics_merge_create();
    double held;

    add_file(merge, runs_metrics(&host->runs, instance));
    held = metrics_merge_sum(merge, "bgref_games_held");
    metrics_merge_destroy(merge);
    return (int)held;
}

/* ------------------------------------------------------------------ /metrics */

static void put_one(FILE *out, const char *name, enum metrics_kind kind, const char *help,
                    double value)
{
    metrics_family(out, name, kind, help);
    metrics_number(out, name, NULL, 0, value);
}

static void put_states(FILE *out, const struct host *host)
{
    static const char name[] = "bgref_host_events";
    int count[LIFE_STATES] = {0};

    for (int i = 0; i < host->agenda.count; i++) {
        for (int k = 0; k < host->agenda.events[i].count; k++) {
            count[host->agenda.events[i].list[k].life]++;
        }
    }
    metrics_family(out, name, METRICS_GAUGE,
                   "Events (each instance of a repeated event), by state.");
    for (int i = 0; i < LIFE_STATES; i++) {
        metrics_number(out, name, &(struct metrics_label){"state", life_words[i]}, 1, count[i]);
    }
}

/* Of the bots whose lines have been measured. */
static void put_lines(FILE *out, const struct door *door)
{
    static const char name[] = "bgref_host_line_seconds";
    int shown = 0;

    metrics_family(out, name, METRICS_GAUGE,
                   "Time of a message to a bot's machine and back, of at most 100 bots.");
    for (int bot = 0; door_bot_name(door, bot) != NULL && shown < LINES_SHOWN; bot++) {
        if (door_trip_us(door, bot) > 0) {
            metrics_number(out, name, &(struct metrics_label){"bot", door_bot_name(door, bot)}, 1,
                           (double)door_trip_us(door, bot) / 1e6);
            shown++;
        }
    }
}

static void put_doors(FILE *out, const struct host *host)
{
    const struct door *door = host_door_inside(host->door);

    if (door != NULL) {
        const struct door_counts counts = door_counts(door);

        door_counts_write(out, NULL, &counts);
        put_lines(out, door);
    }
}

static void put_host(FILE *out, const struct host *host)
{
    struct statvfs disk;

    metrics_family(out, "bgref_host_info", METRICS_GAUGE,
                   "The host, and the version of bgref that runs it.");
    metrics_number(
        out, "bgref_host_info",
        (const struct metrics_label[]){{"name", host->config.name}, {"version", BG_VERSION}}, 2, 1);
    put_one(out, "bgref_host_start_time_seconds", METRICS_GAUGE, "When the host was started.",
            (double)host->since_s);
    put_one(out, "bgref_host_draining", METRICS_GAUGE, "1 while the host drains and ends, else 0.",
            host->phase != HOST_UP);
    put_states(out, host);
    put_doors(out, host);
    if (statvfs(host->config.folder, &disk) == 0) {
        put_one(out, "bgref_host_disk_free_bytes", METRICS_GAUGE,
                "Free space on the disk of the host's folder.",
                (double)disk.f_bavail * (double)disk.f_frsize);
    }
}

static void add_host(struct metrics_merge *merge, const struct host *host)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);

    put_host(out, host);
    memory_stream_close(out);
    metrics_merge_add(merge, text);
    free(text);
}

static int write_metrics(FILE *out, const struct host *host)
{
    struct metrics_merge *merge = metrics_merge_create();
    int down;

    add_host(merge, host); /* an event with a door of its own has families of the host's, too */
    gather(merge, host, &down);
    metrics_merge_write(out, merge);
    metrics_merge_destroy(merge);
    return 200;
}

/* ------------------------------------------------------------------ /healthz */

static void add_child(struct health_facts *facts, const char *name, bool alive, const char *found)
{
    facts->children[facts->child_count].name = name;
    facts->children[facts->child_count].alive = alive;
    facts->children[facts->child_count++].found = found;
}

static void add_doors(struct health_facts *facts, const struct host *host)
{
    const struct door *door = host_door_inside(host->door);

    if (door != NULL) {
        add_child(facts, "gateway", door_counts(door).has_gateway, NULL);
        add_child(facts, "doorman", door_counts(door).has_doorman, NULL);
    }
}

static void add_events(struct health_facts *facts, const struct host *host)
{
    struct metrics_merge *merge = metrics_merge_create();
    int down;
    bool waits;

    gather(merge, host, &down);
    waits = metrics_merge_sum(merge, "bgref_store_waits") > 0;
    metrics_merge_destroy(merge);
    add_child(facts, "events", down == 0,
              down == 0 ? "every running event has its process"
                        : "a running event has no process; status says why");
    add_child(facts, "stores", !waits,
              waits ? "an event cannot write its results" : "events write their results");
}

static int make_checks(struct health_check checks[HEALTH_CHECKS_MOST], const struct host *host)
{
    /* After a stop the loop turns again before it can answer: the stop is told until the next beat.
     */
    int64_t now_ns = loop_now(host->loop), age_ns = now_ns - host->beat.turned_ns;
    struct health_facts facts = {
        .now_ns = now_ns,
        .turned_ns = now_ns - (age_ns > host->beat.late_ns ? age_ns : host->beat.late_ns),
        .waits_ns = host->unsaved_ns};
    struct statvfs disk;

    if (statvfs(host->config.folder, &disk) == 0) {
        facts.disk_free = (uint64_t)disk.f_bavail * disk.f_frsize;
        facts.disk_bytes = (uint64_t)disk.f_blocks * disk.f_frsize;
    }
    add_doors(&facts, host);
    add_events(&facts, host);
    return health_checks_make(checks, &facts);
}

void host_monitor_status(FILE *out, const struct host *host)
{
    struct health_check checks[HEALTH_CHECKS_MOST];
    const int count = make_checks(checks, host);

    for (int i = 0; i < count; i++) {
        const char *name = checks[i].name;

        if (!checks[i].fine && strcmp(name, "loop") != 0) {
            fprintf(out, "not well: %s: %s\n", name, checks[i].text);
        }
    }
}

static int write_health(FILE *out, const struct host *host)
{
    struct health_check checks[HEALTH_CHECKS_MOST];
    const int count = make_checks(checks, host);

    health_checks_json(out, checks, count);
    return health_checks_are_fine(checks, count) ? 200 : 503;
}

/* ------------------------------------------------------------------ pages */

static int write_page(void *user, const struct web_request *request, FILE *out,
                      struct web_answer *answer)
{
    const struct host *host = user;
    const char *path = request->path;

    if (strcmp(path, "/metrics") == 0) {
        answer->type = "text/plain; version=0.0.4; charset=utf-8";
        return write_metrics(out, host);
    }
    if (strcmp(path, "/healthz") == 0) {
        answer->type = "application/json";
        return write_health(out, host);
    }
    if (strcmp(path, "/readyz") == 0) {
        fputs(host->phase == HOST_UP ? "ready\n" : "drains\n", out);
        return host->phase == HOST_UP ? 200 : 503;
    }
    return 404;
}

/* Names of this machine only: a page of somebody else's in a browser here must not read ours by a
 * name of its own that leads to 127.0.0.1. */
static bool is_own_name(const char *host)
{
    static const char *const names[] = {"localhost", "[::1]"};
    const char *colon = strrchr(host, ':');
    size_t size =
        colon == NULL || strchr(colon, ']') != NULL ? strlen(host) : (size_t)(colon - host);

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (size == strlen(names[i]) && strncasecmp(host, names[i], size) == 0) {
            return true;
        }
    }
    return strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == size;
}

static int write_page_at_port(void *user, const struct web_request *request, FILE *out,
                              struct web_answer *answer)
{
    return request->host[0] == '\0' || is_own_name(request->host)
               ? write_page(user, request, out, answer)
               : 400;
}

/* While nothing happens the loop turns all the same, so that a check can see when it last did. */
static void on_beat(void *user, int64_t now_ns)
{
    struct host_beat *beat = user;

    beat->late_ns = beat->turned_ns == 0 ? 0 : now_ns - beat->turned_ns - BEAT_NS;
    beat->turned_ns = now_ns;
    loop_after(beat->loop, BEAT_NS, on_beat, beat);
}

static enum bg_status open_port(struct host *host, struct bg_error *err)
{
    const struct web_settings settings = {.fn = write_page_at_port, .user = host};
    char bound[TCP_LISTEN_TEXT];
    int fd;
    enum bg_status status = tcp_listen(&fd, bound, host->config.metrics, WAITING, err);

    if (status == BG_OK) {
        status = web_start(&host->pages_of_port, host->loop, fd, &settings, err);
    }
    if (status == BG_OK) {
        fprintf(stderr, "metrics: http%s/metrics\n", bound + strlen("tcp"));
    }
    return status;
}

enum bg_status host_monitor_open(struct host *host, struct bg_error *err)
{
    const struct web_settings settings = {.fn = write_page, .user = host};
    int fd;
    enum bg_status status;

    snprintf(host->pages_file, sizeof host->pages_file, "%s/metrics.sock", host->config.folder);
    host->beat.loop = host->loop; /* a timer of its own: the host's is forgotten when it settles */
    on_beat(&host->beat, loop_now(host->loop));
    status = socket_file_open(&fd, SOCK_STREAM, host->pages_file, "the socket for monitoring",
                              WAITING, err);
    if (status == BG_OK) {
        status = web_start(&host->pages_of_file, host->loop, fd, &settings, err);
    }
    return status == BG_OK && host->config.metrics[0] != '\0' ? open_port(host, err) : status;
}

void host_monitor_close(struct host *host)
{
    if (host->pages_of_file != NULL) {
        (void)unlink(host->pages_file);
    }
    web_stop(host->pages_of_file);
    web_stop(host->pages_of_port);
    host->pages_of_file = host->pages_of_port = NULL;
}
