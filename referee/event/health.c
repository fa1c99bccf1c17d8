/* The line of a run is stored at its begin, and replaced at its end by one with more words. So a
 * run that was killed is seen by the words that are missing, and no count of runs can be wrong.
 * A line that cannot be stored is a warning: the games are worth more than their account. */
#define _GNU_SOURCE
#include "health.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <base/foreign.h>

#include "base/plural.h"

#include "../log.h"

enum { ACCOUNT = 1024 };

static void count_run(void *user, const char *key, const char *value)
{
    (void)key;
    (void)value;
    ++*(int *)user;
}

static void put(const struct run_health *health, const char *words)
{
    struct utsname about;
    char text[ACCOUNT];
    struct bg_error err;

    if (uname(&about) != 0) {
        memset(&about, 0, sizeof about);
    }
    snprintf(text, sizeof text,
             "begun=%" PRId64 " bgref=" BG_VERSION "%s%s system=%s %s %s, %ld cores",
             health->begun_s, health->durable_decision ? " durable=decision" : "", words,
             about.sysname, about.release, about.machine, sysconf(_SC_NPROCESSORS_ONLN));
    if (store_meta_set(health->store, health->key, text, &err) != BG_OK) {
        log_warn("event", "the account of this run is not kept: %s", err.text);
    }
}

/* Leaves out folder names, because reports are published. */
static void put_command(const struct run_health *health, const char *command)
{
    char key[32], *words = foreign_public(command);
    struct bg_error err;

    snprintf(key, sizeof key, "command.%s", health->key + strlen("run."));
    if (words != NULL && store_meta_set(health->store, key, words, &err) != BG_OK) {
        log_warn("event", "the command of this run is not kept: %s", err.text);
    }
    free(words);
}

void health_conditions(const struct run_health *health, const char *conditions)
{
    char key[40];
    struct bg_error err;

    snprintf(key, sizeof key, "conditions.%s", health->key + strlen("run."));
    if (health->store != NULL && store_meta_set(health->store, key, conditions, &err) != BG_OK) {
        log_warn("event", "the conditions of this run are not kept: %s", err.text);
    }
}

void health_begin(struct run_health *health, struct store *store, const char *command,
                  int64_t now_s, int64_t now_ns)
{
    struct bg_error err;
    int runs = 0;

    *health = (struct run_health){.durable_decision = health->durable_decision,
                                  .store = store,
                                  .begun_s = now_s,
                                  .begun_ns = now_ns};
    if (store_meta_each(store, "run.", count_run, &runs, &err) != BG_OK) {
        log_warn("event", "the account of this run is not kept: %s", err.text);
        health->store = NULL;
        return;
    }
    snprintf(health->key, sizeof health->key, "run.%06d", runs);
    put(health, "");
    put_command(health, command);
}

void health_frame(struct run_health *health, int64_t lag_ns)
{
    histogram_add(&health->lag, lag_ns);
}

static void credit(struct run_health *health, const char *bot, const struct credit *credit)
{
    char key[160], value[64];
    struct bg_error err;

    health->credited_ns += credit->given_ns;
    if (health->store == NULL || credit->given_ns + credit->waited_ns == 0) {
        return;
    }
    snprintf(key, sizeof key, "credit.%s.%.100s", health->key + strlen("run."), bot);
    snprintf(value, sizeof value, "%" PRId64 " %" PRId64, credit->given_ns, credit->waited_ns);
    if (store_meta_set(health->store, key, value, &err) != BG_OK) {
        log_warn("event", "bot=%s its credited time could not be stored: %s", bot, err.text);
    }
}

void health_credits(struct run_health *health, const struct entrants *entrants)
{
    for (int i = 0; i < entrants->event->bot_count; i++) {
        credit(health, entrants->names[i], &entrants->list[i].credit);
    }
}

void health_left(int processes)
{
    if (processes > 0) {
        log_warn("event", "ended=%d %s that bots of a killed referee had left", processes,
                 plural((uint64_t)processes, "process", "processes"));
    }
}

/* Returns microseconds; 0 if there were no frames. */
static double micro(double seconds)
{
    return seconds > 0 ? 1e6 * seconds : 0;
}

void health_end(struct run_health *health, int64_t stalled_ns, int64_t now_ns, int exit_status)
{
    char words[ACCOUNT / 2];

    if (health->store == NULL) {
        return;
    }
    snprintf(words, sizeof words,
             " seconds=%.3f frames=%" PRIu64 " lag_mean_us=%.1f lag_p99_us=%.1f lag_most_us=%.1f"
             " stalled_ms=%.1f credited_ms=%.1f given_up=%" PRIu64 " exit=%d",
             (double)(now_ns - health->begun_ns) / 1e9, health->lag.count,
             micro(histogram_mean(&health->lag)), micro(histogram_quantile(&health->lag, 0.99)),
             micro(histogram_most(&health->lag)), (double)stalled_ns / 1e6,
             (double)health->credited_ns / 1e6, health->given_up, exit_status);
    put(health, words);
}
