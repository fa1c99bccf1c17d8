/* The agenda says what should run, and runs_follow() compares it with what does: after any change,
 * as often as wanted. So no act starts or ends a process itself, and an act that comes twice, or
 * while a process is just ending, needs no case of its own.
 *
 * A process is asked to end in steps that only rise (enum asked). It is killed when it has not
 * ended KILL_NS after the last of them: a host that ends must end. */
#include "runs.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event_child.h"
#include "door/ban_list.h"
#include "event/tournament.h"
#include "base/exit_status.h"
#include "base/memory.h"
#include "base/plain_file.h"
#include "host_door.h"
#include "host_reopen.h"
#include "rules/clean.h"

#define FIRST_WAIT_NS   INT64_C(1000000000)
#define LONGEST_WAIT_NS INT64_C(300000000000)
#define LIVED_NS        INT64_C(60000000000)
#define KILL_NS         INT64_C(10000000000)

/* How far a process has been asked to end. */
enum asked { ASKED_NOTHING, ASKED_TO_FINISH, ASKED_TO_END, ASKED_AT_ONCE, ASKED_KILLED };

enum { SAID = 640, WAIT_TEXT = AGENDA_WHY + SAID + 32 };

struct run {
    struct runs *runs;
    char instance[AGENDA_NAME];
    /* A run that goes on after HOST.yaml was read again has to find the results that it began
     * with. */
    char file[HOST_PATH], results[HOST_PATH], log[HOST_PATH]; /* kept when HOST.yaml changes */
    char bans[HOST_PATH], metrics[HOST_PATH];
    char door[HOST_DOOR];      /* how it borrows the host's door; "" it does not */
    struct borrower *borrower; /* NULL: none */
    bool parks; /* its games go on at their open decisions when it is started again */
    int nice;
    struct event_child *child; /* NULL: there is none */
    enum asked asked;
    int failures; /* in a row */
    int64_t started_ns;
    bool waits; /* for its next start */
    char wait[WAIT_TEXT];
    struct run *next;
};

/* ------------------------------------------------------------------ what to start */

/* A step of niceness is a factor of about 1.25 in processor time. */
static int nice_of(const struct host_config *config, const struct host_event *event)
{
    /* The largest share has niceness 0: only root could make one more urgent than that. */
    int most = event->share;
    double steps;

    for (int i = 0; i < config->rules.count; i++) {
        most = config->events[i].share > most ? config->events[i].share : most;
    }
    steps = log((double)most / event->share) / log(1.25);
    return steps > 19 ? 19 : (int)lround(steps);
}

static void on_end(void *user, struct event_child *child, int state);

/* The bots that the event has borrowed are free. */
static void give_back(struct run *run)
{
    host_door_return(run->borrower);
    run->borrower = NULL;
}

static enum bg_status launch(struct run *run, const struct instance *instance, struct bg_error *err)
{
    enum { FIRST = 12, DOOR = 4, GALLERY = 2 };
    const char *words[FIRST + DOOR + GALLERY + 2 * AGENDA_BOTS] = {
        "bgref",      "tournament", run->file, "--event", run->instance, "--results",
        run->results, "--quiet",    "--gate",  run->bans, "--metrics",   run->metrics};
    struct event_child_setup setup = {
        .words = words, .count = FIRST, .log = run->log, .lent = -1, .nice = run->nice};
    char lender[16];
    enum bg_status status = BG_OK;

    for (int i = 0; i < instance->bot_count; i++) {
        words[setup.count++] = "-engine";
        words[setup.count++] = instance->bots[i];
    }
    if (run->runs->gallery != NULL) {
        words[setup.count++] = "--gallery";
        words[setup.count++] = run->runs->gallery;
    }
    if (run->door[0] != '\0') {
        status = host_door_lend(&run->borrower, &setup.lent, run->runs->door, run->instance, err);
        snprintf(lender, sizeof lender, "%d", setup.lent);
        words[setup.count++] = "-door";
        words[setup.count++] = run->door;
        words[setup.count++] = "--lender";
        words[setup.count++] = lender;
    }
    /* Its numbers would be shown as those of the new one until it writes its own. */
    (void)unlink(run->metrics); /* of an earlier process */
    run->asked = ASKED_NOTHING;
    run->started_ns = loop_now(run->runs->loop);
    if (status == BG_OK) {
        status = event_child_start(&run->child, &setup, run->runs->loop, on_end, run, err);
    }
    /* The child has its copy; while ours is open the child's end would never be seen. */
    if (setup.lent >= 0) {
        close(setup.lent);
    }
    if (status != BG_OK) {
        give_back(run);
    }
    return status;
}

/* ------------------------------------------------------------------ starting again */

static void on_wait(void *user, int64_t now_ns)
{
    struct run *run = user;

    (void)now_ns;
    run->waits = false;
    runs_follow(run->runs);
}

static void start_later(struct run *run, const char *why)
{
    int64_t lived_ns = loop_now(run->runs->loop) - run->started_ns, wait_ns = FIRST_WAIT_NS;

    /* One that lived for long has had another failure than the last time. */
    run->failures = lived_ns > LIVED_NS ? 1 : run->failures + 1;
    for (int i = 1; i < run->failures && wait_ns < LONGEST_WAIT_NS; i++) {
        wait_ns *= 2;
    }
    wait_ns = wait_ns > LONGEST_WAIT_NS ? LONGEST_WAIT_NS : wait_ns;
    snprintf(run->wait, sizeof run->wait, "%s; again in %d s", why, (int)(wait_ns / FIRST_WAIT_NS));
    run->runs->say(run->runs->user, run->instance, run->wait);
    loop_after(run->runs->loop, wait_ns, on_wait, run);
    run->waits = true;
}

static void try_start(struct run *run)
{
    struct agenda_event *event;
    const struct instance *instance = agenda_instance(run->runs->agenda, run->instance, &event);
    struct bg_error err = {.text = ""};

    if (launch(run, instance, &err) != BG_OK) {
        start_later(run, err.text);
    }
}

/* ------------------------------------------------------------------ ending */

static void on_kill(void *user, int64_t now_ns)
{
    struct run *run = user;

    (void)now_ns;
    if (run->child != NULL) {
        run->asked = ASKED_KILLED;
        /* Games that park at their decisions lose nothing by it. */
        run->runs->lost = run->runs->lost || !run->parks;
        event_child_signal(run->child, SIGKILL);
    }
}

/* Two signals of different kinds, since equal ones that wait are one. */
static void ask_to_end(struct run *run, enum asked asked)
{
    if (run->child == NULL || run->asked >= asked) {
        return;
    }
    if (asked == ASKED_TO_FINISH) {
        event_child_signal(run->child, TOURNAMENT_FINISH);
    } else if (run->asked < ASKED_TO_END) {
        event_child_signal(run->child, SIGTERM);
    }
    run->asked = asked;
    if (asked == ASKED_AT_ONCE) {
        event_child_signal(run->child, SIGINT);
        loop_after(run->runs->loop, KILL_NS, on_kill, run);
    }
}

/* What an event's process has said last, with the way out: its director reads the status, not the
 * log. Returns false if that was nothing. */
static bool read_last_words(char out[SAID], const char *log)
{
    static const char prefix[] = "bgref tournament: ";
    char text[2 * SAID + 1];
    FILE *in;
    char *line = text, *last = NULL, *end;
    size_t size;

    if (plain_file_open(&in, log, PLAIN_FILE_ANY) != NULL) {
        return false;
    }
    /* A log that is shorter than that. */
    if (fseek(in, -(long)(sizeof text - 1), SEEK_END) != 0) {
        rewind(in);
    }
    size = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[size] = '\0';
    for (; line != NULL; line = end == NULL ? NULL : end + 1) {
        end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        last = strncmp(line, prefix, strlen(prefix)) == 0 ? line + strlen(prefix) : last;
    }
    if (last != NULL) {
        clean_write(out, SAID, last, strlen(last), CLEAN_LINE);
    }
    return last != NULL;
}

/* By an act of the admin: authors of remote bots read what it was, and with the host's one door
 * also its reason. The process of a cancelled event has a moment to tell them. */
static void ask_to_leave(struct run *run, const struct instance *instance)
{
    bool is_cancelled = instance->life == LIFE_CANCELLED;
    enum asked asked = is_cancelled ? ASKED_AT_ONCE : ASKED_TO_END;
    char text[AGENDA_NAME + AGENDA_WHY + 32];

    if (run->child == NULL || run->asked >= asked) {
        return;
    }
    snprintf(text, sizeof text, "%s is %s%s%s%s", instance->name, life_words[instance->life],
             instance->why[0] == '\0' ? "" : " (", instance->why,
             instance->why[0] == '\0' ? "" : ")");
    host_door_leave(run->borrower, text);
    event_child_end(run->child, is_cancelled ? TOURNAMENT_CANCELLED : TOURNAMENT_PAUSED);
    run->asked = asked;
    if (is_cancelled) {
        loop_after(run->runs->loop, KILL_NS, on_kill, run);
    }
}

/* The state that follows when a process has ended by itself; LIFE_RUNNING: it failed. An event that
 * runs again for games of absent bots only ends again if they do not start, or if it cannot go on,
 * as with a file that was changed after its end: else only `cancel` would be left. */
static enum life life_after(int state, const struct run *run, bool is_reopened, char *why,
                            size_t size)
{
    const char *instance = run->instance;
    int code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;

    why[0] = '\0';
    /* It was reopened for bots that were absent, and they are absent again: that is an end, no
     * failure. */
    code = code == EXIT_START && is_reopened ? EXIT_UNPLAYED : code;
    if (code == EXIT_MISUSE && is_reopened) {
        snprintf(why, size, "it could not go on, %.80s.log says why; 'reopen' tries it again",
                 instance);
        return LIFE_ENDED;
    }
    switch (code) {
    case EXIT_DONE:
        return LIFE_ENDED;
    case EXIT_UNPLAYED:
        snprintf(why, size, "%s", host_reopen_left(run->results));
        return LIFE_ENDED;
    case EXIT_H1:
        snprintf(why, size, "the sequential test accepted H1");
        return LIFE_ENDED;
    case EXIT_H0:
        snprintf(why, size, "the sequential test accepted H0");
        return LIFE_ENDED;
    case EXIT_UNDECIDED:
        snprintf(why, size, "the sequential test was not decided");
        return LIFE_ENDED;
    case EXIT_FAULT:
        snprintf(why, size, "stopped by a bot's fault (strict)");
        return LIFE_PAUSED;
    case EXIT_START:
        snprintf(why, size, "a bot did not start or come; %.80s.log says which", instance);
        return LIFE_RUNNING;
    default:
        if (code >= 0) {
            snprintf(why, size, "its process ended with status %d; %.80s.log says why", code,
                     instance);
        } else {
            snprintf(why, size, "its process was killed by signal %d", WTERMSIG(state));
        }
        return LIFE_RUNNING;
    }
}

static bool is_empty(const struct runs *runs)
{
    for (const struct run *run = runs->first; run != NULL; run = run->next) {
        if (run->child != NULL) {
            return false;
        }
    }
    return true;
}

static void on_end(void *user, struct event_child *child, int state)
{
    struct run *run = user;
    struct runs *runs = run->runs;
    struct agenda_event *event;
    const struct instance *instance = agenda_instance(runs->agenda, run->instance, &event);
    char why[AGENDA_WHY];
    enum life next = life_after(state, run, instance->is_reopened, why, sizeof why);
    enum asked asked = run->asked;

    /* First: below the same run may be started again. */
    event_child_close(child);
    run->child = NULL;
    give_back(run);
    loop_forget(runs->loop, run);
    runs->lost = runs->lost || (runs->draining && asked >= ASKED_AT_ONCE && !run->parks);
    if (instance->life == LIFE_RUNNING && next != LIFE_RUNNING) {
        runs->over(runs->user, run->instance, next, why);
    } else if (asked == ASKED_NOTHING && !runs->draining) {
        char text[AGENDA_WHY + SAID], said[SAID];
        bool has_said = WIFEXITED(state) && read_last_words(said, run->log);

        snprintf(text, sizeof text, "%s%s%s", why, has_said ? ": " : "", has_said ? said : "");
        start_later(run, text);
    }
    if (runs->draining) {
        if (is_empty(runs)) {
            runs->empty(runs->user);
        }
    } else {
        runs_follow(runs);
    }
}

/* ------------------------------------------------------------------ all of them */

static struct run *find_run(const struct runs *runs, const char *instance)
{
    struct run *run = runs->first;

    while (run != NULL && strcmp(run->instance, instance) != 0) {
        run = run->next;
    }
    return run;
}

/* Sets where an instance is read from and written to; false: too long names. */
static bool set_paths(struct run *run, const struct host_event *event, const char *folder)
{
    bool own = event->results[0] != '\0';

    run->parks = event->parks;
    snprintf(run->file, sizeof run->file, "%s", event->file);
    snprintf(run->door, sizeof run->door, "%s", event->door);
    return snprintf(run->results, sizeof run->results, "%s%s%s%s", own ? event->results : folder,
                    own ? "" : "/", own ? "" : run->instance, own ? "" : ".db") < HOST_PATH &&
           snprintf(run->bans, sizeof run->bans, "%s/%s", folder, BAN_LIST_OF_HOST) < HOST_PATH &&
           snprintf(run->metrics, sizeof run->metrics, "%s%s%s%s",
                    event->metrics[0] != '\0' ? event->metrics : folder,
                    event->metrics[0] != '\0' ? "" : "/",
                    event->metrics[0] != '\0' ? "" : run->instance,
                    event->metrics[0] != '\0' ? "" : ".prom") < HOST_PATH &&
           snprintf(run->log, sizeof run->log, "%s/%s.log", folder, run->instance) < HOST_PATH;
}

static void add_run(struct runs *runs, const struct host_event *event, const char *instance)
{
    struct run *run = memory_zeroed(1, sizeof *run);

    run->runs = runs;
    run->nice = nice_of(runs->config, event);
    snprintf(run->instance, sizeof run->instance, "%s", instance);
    if (!set_paths(run, event, runs->config->folder)) {
        runs->say(runs->user, instance, "host: folder: too long a name");
        free(run);
        return;
    }
    run->next = runs->first;
    runs->first = run;
}

/* Removes those that have no process and are not to run. */
static void sweep_runs(struct runs *runs)
{
    struct run **at = &runs->first;

    while (*at != NULL) {
        struct run *run = *at;
        struct agenda_event *event;
        const struct instance *instance = agenda_instance(runs->agenda, run->instance, &event);

        /* One with a process stays, whatever the agenda says: its end has to be awaited. */
        if (run->child == NULL && instance->life != LIFE_RUNNING) {
            *at = run->next;
            loop_forget(runs->loop, run);
            free(run);
        } else {
            at = &run->next;
        }
    }
}

void runs_follow(struct runs *runs)
{
    if (runs->draining) {
        return;
    }
    for (int i = 0; i < runs->agenda->count; i++) {
        const struct agenda_event *event = &runs->agenda->events[i];

        for (int k = 0; k < event->count; k++) {
            const struct host_event *found = host_config_find(runs->config, event->name);

            if (event->list[k].life == LIFE_RUNNING && found != NULL &&
                find_run(runs, event->list[k].name) == NULL) {
                add_run(runs, found, event->list[k].name);
            }
        }
    }
    sweep_runs(runs);
    for (struct run *run = runs->first; run != NULL; run = run->next) {
        struct agenda_event *event;
        const struct instance *instance = agenda_instance(runs->agenda, run->instance, &event);

        if (instance->life == LIFE_RUNNING && run->child == NULL && !run->waits) {
            try_start(run);
        } else if (instance->life != LIFE_RUNNING) {
            ask_to_leave(run, instance);
        }
    }
}

static enum asked asked_of(const struct run *run, enum runs_end how)
{
    return how == RUNS_FINISH                  ? ASKED_TO_FINISH
           : how == RUNS_AT_ONCE || run->parks ? ASKED_AT_ONCE
                                               : ASKED_TO_END;
}

bool runs_have_games(const struct runs *runs, enum runs_end how)
{
    for (const struct run *run = runs->first; run != NULL; run = run->next) {
        if (run->child != NULL && asked_of(run, how) < ASKED_AT_ONCE) {
            return true;
        }
    }
    return false;
}

void runs_drain(struct runs *runs, enum runs_end how)
{
    runs->draining = true;
    for (struct run *run = runs->first; run != NULL; run = run->next) {
        ask_to_end(run, asked_of(run, how));
    }
    if (is_empty(runs)) {
        runs->empty(runs->user);
    }
}

void runs_try_again(struct runs *runs, const char *instance)
{
    struct run *run = find_run(runs, instance);

    /* The cause is taken away, so the doubled wait is too. */
    if (run != NULL && run->waits) {
        loop_forget(runs->loop, run);
        run->waits = false;
        run->failures = 0;
        run->wait[0] = '\0';
        runs_follow(runs);
    }
}

void runs_kill(const struct runs *runs, const char *instance)
{
    const struct run *run = find_run(runs, instance);

    if (run != NULL && run->child != NULL) {
        event_child_signal(run->child, SIGKILL);
    }
}

void runs_deinit(struct runs *runs)
{
    while (runs->first != NULL) {
        struct run *run = runs->first;

        runs->first = run->next;
        loop_forget(runs->loop, run);
        event_child_close(run->child);
        give_back(run);
        free(run);
    }
}

int runs_pid(const struct runs *runs, const char *instance, const char **wait)
{
    const struct run *run = find_run(runs, instance);

    *wait = run != NULL && run->waits ? run->wait : "";
    return run == NULL || run->child == NULL ? 0 : (int)event_child_pid(run->child);
}

const char *runs_metrics(const struct runs *runs, const char *instance)
{
    return find_run(runs, instance)->metrics;
}

const char *runs_results(const struct runs *runs, const char *instance)
{
    const struct run *run = find_run(runs, instance);

    return run == NULL ? NULL : run->results;
}

bool runs_results_of(char out[HOST_PATH], const struct runs *runs, const char *event,
                     const char *instance)
{
    const struct host_event *found = host_config_find(runs->config, event);
    const char *own = runs_results(runs, instance);

    if (own == NULL && found != NULL && found->results[0] != '\0') {
        own = found->results;
    }
    return (own != NULL
                ? snprintf(out, HOST_PATH, "%s", own)
                : snprintf(out, HOST_PATH, "%s/%s.db", runs->config->folder, instance)) < HOST_PATH;
}
