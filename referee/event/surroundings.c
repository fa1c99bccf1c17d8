/* What this machine can do is tried, not looked up: sandbox_works() starts a process in a
 * sandbox. Whether descriptors suffice is asked before the first bot is started, since a limit
 * that is met in the middle of an event looks like a bot's failure.
 *
 * Whether strangers compete is decided when the results are open, but how many games the event has
 * is needed before that. So the results are looked at once here, for reading only, by the same
 * rules (trust_follows). */
#include "surroundings.h"

#include <stdio.h>

#include "../log.h"
#include "../process/cores.h"
#include "../process/descriptors.h"
#include "../process/sandbox.h"
#include "fixtures/anything.h"
#include "fixtures/trust.h"

enum bg_status surroundings_choose(struct surroundings *out, const struct config_event *event,
                                   struct bg_error *err)
{
    char why[200] = "";

    out->confined = event->sandbox != CONFIG_SANDBOX_OFF && sandbox_works(why, sizeof why);
    snprintf(out->host, sizeof out->host, "sandbox=%s", out->confined ? sandbox_name() : "off");
    if (event->sandbox == CONFIG_SANDBOX_ON && !out->confined) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "sandbox: on, but bots cannot be confined here: %.150s; 'bgref doctor' "
                            "says more",
                            why);
    }
    if (event->sandbox == CONFIG_SANDBOX_AUTO && !out->confined) {
        log_warn("event", "sandbox=off bots run unconfined: %s", why);
    }
    return event->judge[0] == '\0'
               ? BG_OK
               : confinement_of(&out->judge, event->judge_sandbox, "judge_sandbox", err);
}

enum bg_status surroundings_check_judge(const struct config_event *event,
                                        const struct ledger *ledger, struct bg_error *err)
{
    return event->judge[0] != '\0' && event->judge_sandbox == CONFIG_SANDBOX_OFF &&
                   ledger_has_strangers(ledger)
               ? bg_error_set(err, BG_E_ARGUMENT,
                              "judge_sandbox: off, but strangers compete here: a judge that is not "
                              "confined can read the key of the dice; leave it out, or give "
                              "trust=own")
               : BG_OK;
}

enum bg_status surroundings_suffice(const struct config_event *event, struct bg_error *err)
{
    int seats = 0;

    for (int i = 0; i < event->bot_count; i++) {
        seats += event->bots[i].instances > 0 ? event->bots[i].instances : event->instances;
    }
    return descriptors_suffice(seats, event->judge[0] == '\0' ? 0 : config_cores(), err);
}

void surroundings_gather(struct surroundings *surroundings, const struct config_event *event,
                         const struct ledger *ledger)
{
    /* With one table the referee and its two bots take turns, and on one core a turn costs no
     * wake-up of another. */
    if (event->affinity.kind == AFFINITY_AUTO && event->concurrency == 1 &&
        !ledger_has_strangers(ledger)) {
        surroundings->pin = 1 + cores_bind();
    }
}

void surroundings_leave(struct surroundings *surroundings)
{
    cores_release();
    surroundings->pin = 0;
}

/* Errors are met again when the results are opened for writing. */
static bool foresee(const struct config_event *event, bool confined)
{
    bool before = false, found = false, played = false;
    struct store *store = NULL;

    if (event->trust == CONFIG_TRUST_AUTO && !event->fresh &&
        store_sqlite_open_read(&store, event->results, NULL) == BG_OK &&
        anything_played(&played, store, NULL) == BG_OK) {
        (void)trust_stored(&before, &found, store, played, NULL);
    }
    store_destroy(store);
    return trust_follows(event, found, before, confined);
}

void surroundings_settle(struct config_event *event)
{
    char why[200];
    bool confined = event->sandbox == CONFIG_SANDBOX_ON ||
                    (event->sandbox == CONFIG_SANDBOX_AUTO && sandbox_works(why, sizeof why));

    if (event->duplicate && foresee(event, confined)) {
        config_event_play_single(event);
    }
}
