/* The order is: make all finished games durable, decide, write the answer, store the act, follow
 * it. Until the act is stored nothing of the run has changed, so a refusal or a full disk leaves
 * the event as it was. After that a failure ends the run: it would play on by other books than
 * the stored ones, and the next run takes up the stored ones.
 *
 * The line server has looked at who connects, and lets in this user only, so the number of the user
 * is not looked at again. Each line is one act: a desk that ends after it has sent one leaves
 * nothing half done here. */
#define _GNU_SOURCE /* open_memstream */
#include "live_desk.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "../log.h"
#include "proof/desk.h"
#include "season/act_words.h"

/* A wish while it is decided and followed. */
struct live_desk_wish {
    struct live_desk *desk;
    const struct desk_wish *asked;
    struct act act; /* as asked, of the name that the bot plays under */
    enum act_kind kind;
    int bot;                   /* of the event file; -1 none */
    char name[NAME_SIZE];      /* of the subject; "" none */
    char key[KEY_FILE_DIGITS]; /* likewise */
    struct desk books;         /* what decides */
    struct desk_deed *deed;    /* owned */
};

/* ------------------------------------------------------------------ deciding */

static bool enters(enum act_kind kind)
{
    return kind == ACT_ENTER || kind == ACT_LATE_ENTER;
}

static bool brings_in(enum act_kind kind)
{
    return enters(kind) || kind == ACT_REINSTATE || kind == ACT_ACCEPT;
}

/* Whether the bot's processes have to be started for it. */
static bool has_to_start(const struct live_desk_wish *wish)
{
    const struct entrants_bot *entrant = &wish->desk->offences->entrants->list[wish->bot];

    return entrant->quarantined || entrant->absent || entrant->rests;
}

/* What this run can follow. */
static enum bg_status check_run(const struct live_desk_wish *wish, struct bg_error *err)
{
    const struct live_desk *desk = wish->desk;
    const char *kind = wish->asked->act.kind;
    const bool is_hosted = desk->offences->event->door.bans[0] != '\0';

    if (brings_in(wish->kind) && wish->bot < 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s %s: the event file of this run does not name it; %s; bots with "
                            "'late: yes' there can enter while the event runs",
                            kind, wish->name,
                            is_hosted ? "pause the event, add the bot to its file, resume it, and "
                                        "take the act then"
                                      : "end the run (Ctrl-C), take the act, and start the event "
                                        "again with the bot in its list");
    }
    if (brings_in(wish->kind) && has_to_start(wish) && desk->places->is_closed) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s %s: this run is ending and starts no program; take the act when "
                            "this run has ended, and start the event again",
                            kind, wish->name);
    }
    if (desk->offences->event->sprt.on && wish->kind != ACT_NOTE) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            "%s: a running test has counted the pairs so far; %s, take the act, and start the "
            "event again; allowed now is note",
            kind, is_hosted ? "pause the event" : "end the run (Ctrl-C)");
    }
    if (wish->kind == ACT_ACCEPT && desk->offences->entrants->list[wish->bot].quarantined) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "accept %s: it is quarantined; reinstate comes first", wish->name);
    }
    if (wish->kind == ACT_ACCEPT) {
        return absences_accept(desk->offences->absences, wish->bot, wish->key, true, err);
    }
    if (!director_pairs(desk->director) && wish->kind == ACT_CLOSE) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "close: the event is running; close it when this run has ended");
    }
    return BG_OK;
}

static enum bg_status open_books(struct live_desk_wish *wish, struct bg_error *err)
{
    const struct live_desk *desk = wish->desk;
    const struct entrants_bot *entrant =
        wish->bot < 0 ? NULL : &desk->offences->entrants->list[wish->bot];

    wish->books.store = ledger_store(desk->offences->ledger);
    wish->books.is_running = true;
    wish->books.out = entrant != NULL && entrant->absent && !entrant->recalled ? wish->name : NULL;
    return director_books(&wish->books.season, desk->director, err);
}

static enum bg_status decide(struct live_desk_wish *wish, struct bg_error *err)
{
    const struct config_event *event = wish->desk->offences->event;
    enum bg_status status;

    wish->act = wish->asked->act;
    wish->kind = act_kind_read(wish->asked->act.kind);
    if (act_word(wish->name, sizeof wish->name, wish->asked->act.subject, "bot")) {
        wish->bot = competitor_find(event->bots, event->bot_count, wish->name);
    }
    act_word(wish->key, sizeof wish->key, wish->asked->act.subject, "key");
    status = open_books(wish, err);
    if (status == BG_OK) {
        status = desk_prepare(&wish->deed, &wish->books, &wish->act, err);
    }
    return status == BG_OK ? check_run(wish, err) : status;
}

/* A new entrant has to start before its act is taken: the first wish starts it, and the desk asks
 * again until it is known whether it starts. BG_E_TIMEOUT: not yet. */
static enum bg_status check_first_start(const struct live_desk_wish *wish, struct bg_error *err)
{
    const struct live_desk *desk = wish->desk;
    struct entrants_bot *entrant;

    if (!enters(wish->kind) || wish->asked->dry_run || !has_to_start(wish)) {
        return BG_OK;
    }
    entrant = &desk->offences->entrants->list[wish->bot];
    if (entrant->was_refused) {
        entrant->was_refused = false; /* the next wish starts it again */
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s %s: it does not start: %.200s; the event is as it was",
                            wish->asked->act.kind, wish->name, entrant->absent_why);
    }
    absences_try(desk->offences->absences, wish->bot);
    return bg_error_set(
        err, BG_E_TIMEOUT, "%s %s: it is being started%s; try again, it enters when it is ready",
        wish->asked->act.kind, wish->name,
        desk->offences->event->bots[wish->bot].remote ? " (its author has to run 'bgref join')"
                                                      : "");
}

/* ------------------------------------------------------------------ following */

static bool changes_results(const struct live_desk_wish *wish, const struct feed_change *change)
{
    return change->pair_count > 0 || change->fixture_count > 0 || wish->kind == ACT_REINSTATE;
}

/* Counts again what the act has changed in the results. */
static enum bg_status recount(const struct live_desk_wish *wish, struct bg_error *err)
{
    const struct live_desk *desk = wish->desk;
    struct feed_change change = {.bot = wish->name[0] == '\0' ? "-" : wish->name,
                                 .back = wish->kind == ACT_REINSTATE ? wish->name : NULL};
    enum bg_status status;

    change.pairs = desk_deed_pairs(&change.pair_count, wish->deed);
    change.fixtures = desk_deed_fixtures(&change.fixture_count, &change.reason, wish->deed);
    if (!changes_results(wish, &change)) {
        return BG_OK;
    }
    status = ledger_recount(
        desk->offences->ledger,
        &(struct ledger_change){.pairs = change.pairs, .pair_count = change.pair_count}, err);
    if (status == BG_OK) {
        status = feed_recount(desk->offences->feed, &change, err);
    }
    if (status == BG_OK) {
        display_recount(desk->offences->display);
    }
    for (int i = 0; i < desk->offences->event->bot_count && status == BG_OK; i++) {
        int faults = ledger_faults(desk->offences->ledger, i);
        struct entrants_bot *entrant = &desk->offences->entrants->list[i];

        entrant->faults = faults < entrant->faults ? faults : entrant->faults;
    }
    return status;
}

static enum bg_status follow(const struct live_desk_wish *wish, struct bg_error *err)
{
    const struct live_desk *desk = wish->desk;
    size_t count;
    const struct act *acts = desk_deed_acts(&count, wish->deed);
    enum bg_status status = director_take(desk->director, acts, count, err);

    if (status == BG_OK) {
        status = recount(wish, err);
    }
    if (status == BG_OK && wish->kind == ACT_ACCEPT) {
        status = absences_accept(desk->offences->absences, wish->bot, wish->key, false, err);
    }
    if (status == BG_OK && brings_in(wish->kind) && has_to_start(wish)) {
        absences_recall(desk->offences->absences, wish->bot);
    }
    if (status == BG_OK && enters(wish->kind)) {
        desk->offences->entrants->list[wish->bot].is_candidate = false;
    }
    if (status == BG_OK && (wish->kind == ACT_REINSTATE || wish->kind == ACT_REPLAY)) {
        fixture_queue_rewind(desk->offences->absences->queue);
    }
    return status;
}

static enum bg_status write_answer(const struct live_desk_wish *wish, char **answer,
                                   struct bg_error *err)
{
    size_t size = 0;
    FILE *out = memory_stream(answer, &size);
    bool dry = wish->asked->dry_run;
    enum bg_status status;

    status = wish->asked->json ? desk_write_json(out, wish->deed, &wish->books, dry, err)
                               : desk_write(out, wish->deed, &wish->books, dry, err);
    if (status == BG_OK && !wish->asked->json && brings_in(wish->kind) && has_to_start(wish)) {
        fprintf(out, "  %s %s started; if that fails, it is %s\n", wish->name,
                dry ? "would be" : "is being", enters(wish->kind) ? "refused" : "absent");
    }
    memory_stream_close(out);
    return status;
}

/* Makes every finished game durable and counted. */
static enum bg_status settle_acts(const struct live_desk *desk, struct bg_error *err)
{
    struct offences *offences = desk->offences;
    struct store *store = ledger_store(offences->ledger);
    enum bg_status status;

    if (!*desk->has_begun || offences->is_over) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            offences->is_over ? "the run is ending; take the act when it has ended"
                                              : "the event is just beginning; try again");
    }
    if (desk->holding->on) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "results %s cannot be written now; try again when they can",
                            desk->holding->results);
    }
    status = store->ops->flush(store, err);
    if (status == BG_OK) {
        feed_take(offences->feed);
        status = director_settle(desk->director, loop_calendar(), err);
    }
    return status;
}

/* At once: no game of a voided pair may end. */
static void clear(const struct live_desk *desk)
{
    places_clear(desk->places, PLACES_LEFT);
    fixture_queue_leave_out(desk->places->queue);
    desk->offences->has_changed = true;
}

enum bg_status live_desk_act(struct live_desk *desk, const struct desk_wish *asked, char **answer,
                             struct bg_error *err)
{
    struct live_desk_wish wish = {.desk = desk, .asked = asked, .bot = -1};
    enum bg_status status = settle_acts(desk, err);

    *answer = NULL;
    if (status == BG_OK) {
        status = decide(&wish, err);
    }
    if (status == BG_OK) {
        status = check_first_start(&wish, err);
    }
    if (status == BG_OK) {
        status = write_answer(&wish, answer, err);
    }
    if (status == BG_OK && !asked->dry_run) {
        status = desk_store(wish.deed, &wish.books, err);
        if (status == BG_E_TIMEOUT) { /* it waits in the store's queue, and has its number */
            status = holding_flush(desk->holding, wish.books.store, desk->signals, err);
        }
        if (status == BG_OK) {
            status = follow(&wish, err);
        }
        if (status != BG_OK) { /* what is stored may not be what this run plays by */
            desk->broken(desk->user, err);
        } else {
            clear(desk);
        }
    }
    if (status != BG_OK) {
        free(*answer);
        *answer = NULL;
    }
    desk_deed_destroy(wish.deed);
    director_close_books(desk->director);
    return status;
}

/* ------------------------------------------------------------------ the socket */

static enum bg_status on_desk_line(void *user, char *line, unsigned uid, char **answer,
                                   struct bg_error *err)
{
    struct desk_wish wish;

    (void)uid;
    if (!desk_line_read(&wish, line)) {
        return bg_error_set(err, BG_E_FORMAT, "not a line of bgref desk");
    }
    if (wish.has_asker) {
        desk_sign_act_as(&wish.act, wish.asker);
    } else {
        desk_sign_act(&wish.act);
    }
    return live_desk_act(user, &wish, answer, err);
}

void live_desk_open(struct live_desk *desk, struct loop *loop, const char *results)
{
    char *path = memory_print("%s.desk", results);
    const struct line_server_setup setup = {.loop = loop,
                                            .path = path,
                                            .whose = "the desk's socket",
                                            .longest = DESK_LINE,
                                            .fn = on_desk_line,
                                            .user = desk};
    struct bg_error err;

    if (line_server_open(&desk->server, &setup, &err) != BG_OK) {
        log_warn("event", "bgref desk cannot act while the event runs: %s", err.text);
    }
    free(path);
}

void live_desk_close(struct live_desk *desk)
{
    if (desk->server != NULL) {
        line_server_close(desk->server);
        desk->server = NULL;
    }
}
