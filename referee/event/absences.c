/* A try starts one process of the bot, its first; the others follow when that one is ready. So a
 * program that does not start costs one start at a time, however many instances it has. A bot
 * that is back was passed over by the queue meanwhile: come_back() rewinds it, and the games
 * that are played or over are told apart there. */
#include "absences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "../loop/loop.h"
#include "log.h"
#include "store/entry.h"

#define SECOND_NS    INT64_C(1000000000)
#define WAIT_NS      (5 * SECOND_NS)
#define WAIT_MOST_NS (300 * SECOND_NS)
#define SOON_NS      (SECOND_NS / 20) /* the games and sessions of this round are cleared away */
enum { REFUSALS_MOST = 3 };

#define ASKS_NS (10 * SECOND_NS) /* the desk asks ten times a second */

static void wait_again(const struct absences *absences, int bot, int64_t wait_ns)
{
    struct entrants_bot *entrant = &absences->entrants->list[bot];
    /* A try of a remote bot's start only waits for it to join. */
    bool is_remote = absences->entrants->event->bots[bot].remote;

    entrant->trying = false;
    entrant->wait_ns = is_remote && wait_ns > WAIT_NS ? WAIT_NS
                       : wait_ns < WAIT_MOST_NS       ? wait_ns
                                                      : WAIT_MOST_NS;
    entrant->try_ns = loop_now(absences->loop) + entrant->wait_ns;
}

static int64_t longer(int64_t wait_ns)
{
    /* Trying does not mend a program, and each try costs the running games some of the machine. */
    return wait_ns < WAIT_NS ? WAIT_NS : 2 * wait_ns;
}

void absences_begin(const struct absences *absences, int bot, const char *why)
{
    struct entrants_bot *entrant = &absences->entrants->list[bot];

    entrant->absent = true;
    entrant->failing_ns = 0;
    snprintf(entrant->absent_why, sizeof entrant->absent_why, "%s", why);
    /* A bot that has played may be back at any moment, and may have a match to lose (forfeits.h).
     */
    wait_again(absences, bot,
               absences->entrants->event->bots[bot].remote && entrant->was_ready ? SOON_NS
                                                                                 : WAIT_NS);
}

void absences_recall(const struct absences *absences, int bot)
{
    struct entrants_bot *entrant = &absences->entrants->list[bot];
    bool has_left = entrant->absent || entrant->quarantined || entrant->rests;

    entrants_open(absences->entrants, bot);
    if (!has_left) {
        return;
    }
    entrant->quarantined = entrant->rests = false;
    entrant->failing_ns = 0;
    entrant->absent_why[0] = '\0';
    entrant->wait_ns = WAIT_NS;
    entrant->try_ns = loop_now(absences->loop);
    entrant->absent = entrant->recalled = true;
}

void absences_recall_needed(const struct absences *absences)
{
    int bots = absences->entrants->event->bot_count;
    bool *needed = memory_zeroed((size_t)bots, sizeof *needed);

    fixture_queue_open(needed, absences->queue);
    for (int i = 0; i < bots; i++) {
        if (needed[i] && absences->entrants->list[i].rests) {
            absences_recall(absences, i);
        }
    }
    free(needed);
}

void absences_try(const struct absences *absences, int bot)
{
    struct entrants_bot *entrant = &absences->entrants->list[bot];

    if (!entrant->is_candidate) {
        absences_recall(absences, bot);
        log_warn("event", "bot=%s is started: the desk wants to enter it",
                 absences->entrants->names[bot]);
    }
    entrant->is_candidate = true;
    entrant->asked_ns = loop_now(absences->loop);
}

/* It is as before the desk asked for it. */
static void drop_candidate(struct entrants_bot *entrant)
{
    entrant->is_candidate = entrant->absent = entrant->recalled = entrant->trying = false;
    entrant->rests = true;
    entrant->try_ns = 0;
}

static void refuse_candidate(struct entrants_bot *entrant, const char *why)
{
    drop_candidate(entrant);
    entrant->was_refused = true;
    snprintf(entrant->absent_why, sizeof entrant->absent_why, "%.199s", why);
}

/* The desk's command has ended without the act: the event no longer waits for this bot. */
static void give_up_candidate(const struct absences *absences, int bot)
{
    struct entrants_bot *entrant = &absences->entrants->list[bot];

    log_warn("event", "bot=%s is not entered: nobody asks for it any more",
             absences->entrants->names[bot]);
    drop_candidate(entrant);
    for (int i = 0; i < entrant->session_count; i++) {
        session_close(entrant->sessions[i], "it is not entered");
    }
}

bool absences_recalling(const struct absences *absences)
{
    bool any = false;

    for (int i = 0; i < absences->entrants->event->bot_count; i++) {
        const struct entrants_bot *entrant = &absences->entrants->list[i];

        any = any || entrant->recalled;
    }
    return any;
}

/* Returns true if all its processes are gone and none of its games is running. */
static bool is_idle(const struct entrants_bot *entrant)
{
    bool idle = entrant->session_count > 0;

    for (int i = 0; i < entrant->session_count; i++) {
        idle = idle && session_state(entrant->sessions[i]) == SESSION_DOWN &&
               *session_tables(entrant->sessions[i]) == 0;
    }
    return idle;
}

/* A host lets a bot rest whose author starts it again and again with what is refused. */
static void tell_refusals(const struct absences *absences, int bot)
{
    const struct entrants_bot *entrant = &absences->entrants->list[bot];
    const struct session_door *door = absences->entrants->setup.door;

    if (door == NULL || door->put_out == NULL || !absences->entrants->event->bots[bot].remote) {
        return;
    }
    for (int i = 0; i < entrant->session_count; i++) {
        if (session_take_refusals(entrant->sessions[i], REFUSALS_MOST)) {
            door->put_out(door->user, bot, 0);
        }
    }
}

/* For the desk, which asks the director, and for the host's status. version "": it is over. */
static void tell_version(const struct absences *absences, int bot, const char *version)
{
    struct entrants_bot *entrant = &absences->entrants->list[bot];
    const struct config_event *event = absences->entrants->event;
    const struct session_door *door = absences->entrants->setup.door;
    const char *name = absences->entrants->names[bot];
    struct store *store = ledger_store(absences->ledger);
    struct bg_error err = {.text = ""};
    char key[ENTRY_KEY];

    snprintf(entrant->told_refused, sizeof entrant->told_refused, "%s", version);
    editions_refused_key(key, name);
    if (store_meta_set(store, key, version, &err) != BG_OK) {
        log_error("event", "bot=%s %s", name, err.text);
    }
    if (version[0] != '\0') {
        log_warn("event",
                 "bot=%s came as %s, another version than at its last game, and was refused; "
                 "'accept' of the desk takes it",
                 name, version);
    }
    if (door != NULL && door->refused != NULL && event->bots[bot].remote) {
        door->refused(door->user, bot, version);
    }
}

/* A version that was refused is told once, until the bot plays again. */
static void look_for_refused(const struct absences *absences, int bot)
{
    const struct entrants_bot *entrant = &absences->entrants->list[bot];
    const char *version = entrant->changed_to;
    bool is_here = false;

    for (int i = 0; i < entrant->session_count; i++) {
        enum session_state state = session_state(entrant->sessions[i]);
        const char *refused = session_greeting(entrant->sessions[i])->refused;

        is_here = is_here || state == SESSION_READY;
        version = version[0] == '\0' ? refused : version;
    }
    if (is_here ? entrant->told_refused[0] != '\0'
                : version[0] != '\0' && strcmp(version, entrant->told_refused) != 0) {
        tell_version(absences, bot, is_here ? "" : version);
    }
}

void absences_sweep(const struct absences *absences, int64_t now_ns)
{
    for (int i = 0; i < absences->entrants->event->bot_count; i++) {
        struct entrants_bot *entrant = &absences->entrants->list[i];

        tell_refusals(absences, i);
        look_for_refused(absences, i);
        if (entrant->is_candidate && now_ns - entrant->asked_ns > ASKS_NS) {
            give_up_candidate(absences, i);
        }
        if (entrant->absent && !entrant->quarantined && !entrant->trying && entrant->try_ns > 0 &&
            now_ns >= entrant->try_ns && is_idle(entrant)) {
            entrant->trying = true;
            session_reopen(entrant->sessions[0]);
        }
    }
}

void absences_failed(const struct absences *absences, struct session *session, const char *why)
{
    struct entrants_bot *entrant = &absences->entrants->list[session_bot_index(session)];

    if (entrant->is_candidate) {
        refuse_candidate(entrant, why);
    }
    if (entrant->recalled) {
        entrant->recalled = false;
        snprintf(entrant->absent_why, sizeof entrant->absent_why, "%.199s", why);
    }
    if (entrant->trying) {
        wait_again(absences, session_bot_index(session), longer(entrant->wait_ns));
    }
    session_close(session, "it does not start");
}

static void accept_now(const struct absences *absences, int bot)
{
    if (absences->entrants->list[bot].is_accepted) {
        ledger_accept(absences->ledger, bot);
        absences->entrants->list[bot].is_accepted = false;
    }
}

enum bg_status absences_accept(const struct absences *absences, int bot, const char *key,
                               bool dry_run, struct bg_error *err)
{
    struct entrants_bot *entrant = &absences->entrants->list[bot];
    const char *known =
        entrant->key[0] == '\0' ? absences->entrants->event->bots[bot].key : entrant->key;
    const char *version = entrant->changed_to;
    bool has_key = key[0] != '\0' && strcmp(key, known) != 0;

    for (int i = 0; i < entrant->session_count && version[0] == '\0'; i++) {
        version = session_greeting(entrant->sessions[i])->refused;
    }
    if (version[0] == '\0' && !has_key && !entrant->is_changed) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "accept %s: it has not come with another program or key; allowed when "
                            "that was refused",
                            absences->entrants->names[bot]);
    }
    if (dry_run) {
        return BG_OK;
    }
    for (int i = 0; i < entrant->session_count; i++) {
        session_take_version(entrant->sessions[i], has_key ? "" : version);
    }
    if (has_key) {
        snprintf(entrant->key, sizeof entrant->key, "%s", key);
    }
    entrant->changed_to[0] = '\0';
    entrant->is_changed = false;
    entrant->is_accepted = true;
    return BG_OK;
}

/* Checks that the program is still the same; if not, the bot stays away for the rest of the run. */
static bool is_the_same(const struct absences *absences, struct session *session)
{
    int bot = session_bot_index(session);
    const char *name = absences->entrants->names[bot];
    struct entrants_bot *entrant = &absences->entrants->list[bot];
    const struct identity identity = session_identity(session);
    struct program now;
    struct bg_error err = {0};

    entrants_program(&now, absences->entrants, bot);
    if (entrant->was_ready && !entrant->is_accepted) {
        if (strcmp(now.digest, absences->entrants->program[bot].digest) != 0) {
            bg_error_set(&err, BG_E_CONFIG, "its program changed in this run");
        }
    } else {
        absences->entrants->program[bot] = now;
        accept_now(absences, bot);
        ledger_join(absences->ledger, bot, &identity, loop_calendar(), &err);
    }
    if (err.status == BG_OK) {
        return true;
    }
    if (entrant->is_candidate) {
        refuse_candidate(entrant, err.text);
        return false;
    }
    snprintf(entrant->absent_why, sizeof entrant->absent_why, "%.199s", err.text);
    log_warn("event", "bot=%s starts again, but stays out of this run: %s", name, err.text);
    entrant->recalled = false;
    wait_again(absences, bot, longer(entrant->wait_ns));
    if (err.status == BG_E_CONFIG) { /* other errors may come from the disk */
        entrant->try_ns = 0;
    }
    return false;
}

static void come_back(const struct absences *absences, struct entrants_bot *entrant)
{
    entrant->absent = entrant->trying = entrant->recalled = false;
    entrant->absent_why[0] = '\0';
    fixture_queue_rewind(absences->queue);
}

bool absences_ready(const struct absences *absences, struct session *session)
{
    int bot = session_bot_index(session);
    struct entrants_bot *entrant = &absences->entrants->list[bot];

    if (!entrant->trying || !is_the_same(absences, session)) {
        session_close(session, "it does not play in this run");
        return false;
    }
    if (!entrant->is_candidate) {
        log_warn("event", "bot=%s is back: it starts again", absences->entrants->names[bot]);
    }
    come_back(absences, entrant);
    for (int i = 0; i < entrant->session_count; i++) {
        if (entrant->sessions[i] != session) {
            session_reopen(entrant->sessions[i]);
        }
    }
    return true;
}

void absences_note_ready(const struct absences *absences, struct session *session, bool is_playing)
{
    int bot = session_bot_index(session);
    struct entrants_bot *entrant = &absences->entrants->list[bot];
    const struct identity identity = session_identity(session);
    struct bg_error err;

    if (is_playing && entrant->was_ready &&
        (entrant->is_accepted || (absences->entrants->event->revisions == CONFIG_REVISIONS_SAME &&
                                  strcmp(entrant->version, identity.version) != 0))) {
        log_warn("event", "bot=%s goes on as %s, before %s", absences->entrants->names[bot],
                 identity.version, entrant->version);
        entrants_program(&absences->entrants->program[bot], absences->entrants, bot);
        accept_now(absences, bot);
        if (ledger_join(absences->ledger, bot, &identity, loop_calendar(), &err) != BG_OK) {
            log_error("event", "bot=%s %s", absences->entrants->names[bot], err.text);
        }
    }
    entrant->was_ready = true;
    entrant->failing_ns = 0;
    snprintf(entrant->version, sizeof entrant->version, "%s", identity.version);
}
