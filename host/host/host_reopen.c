/* Two different things are called "reopen". Without a bot the event's process is started once more:
 * what was never given up is open by itself. With a bot its given-up games become open again by an
 * act of the desk (reinstate), which takes back the published root. Both are refused where nothing
 * would be played, since the process would end at once, and its director would wait.
 *
 * The results are opened here as by the process itself, alone: nobody else acts on them at the
 * same time. */
#include "host_reopen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proof/desk.h"
#include "season/season_store.h"
#include "proof/signature.h"
#include "proof/published.h"
#include "sums/results_set.h"
#include "base/memory.h"
#include "base/plural.h"
#include "base/utc.h"

enum { OUT_MOST = 8 /* bots that a refusal names */ };

/* ------------------------------------------------------------------ what is left */

/* The bots because of which fixtures were given up. */
struct left {
    struct {
        char bot[NAME_SIZE];
        uint64_t fixtures;
    } list[OUT_MOST];
    int count;
};

static void take_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    struct left *left = user;
    int at = 0;

    (void)fixture;
    (void)why;
    while (at < left->count && strcmp(left->list[at].bot, bot) != 0) {
        at++;
    }
    /* The names are for a sentence; more would not fit into it. */
    if (at == OUT_MOST) {
        return;
    }
    if (at == left->count) {
        snprintf(left->list[left->count++].bot, NAME_SIZE, "%s", bot);
    }
    left->list[at].fixtures++;
}

const char *host_reopen_left(const char *results)
{
    const char *text = "some games were not played; 'reopen' says which can be";
    struct left left = {.count = 0};
    struct withdrawn published;
    struct store *store = NULL;

    if (event_store_open(&store, results, NULL) == BG_OK &&
        withdrawn_find(&published, store, NULL) == BG_OK &&
        store_all_unplayed(store, take_unplayed, &left, NULL) == BG_OK) {
        /* Without a root the end was not complete: some games are open, not given up. */
        text = published.root[0] == '\0'
                   ? "some games were not played: their bots were absent; 'reopen' plays those "
                     "that are still open"
               : left.count > 0 ? "some games were not played: they were given up; 'reopen EVENT "
                                  "BOT' lets a bot play its own"
                                : "walkovers of absent bots stand; 'replay' of 'bgref desk' has "
                                  "one played, and then 'reopen' is possible";
    }
    store_destroy(store);
    return text;
}

/* Everything is played or given up: says whose games could be opened again. */
static enum bg_status refuse_complete(struct store *store, const struct reopen_wish *wish,
                                      const char *results, struct bg_error *err)
{
    const char *name = wish->instance->name;
    struct left left = {.count = 0};
    char bots[300] = "";
    size_t used = 0;
    enum bg_status status = store_all_unplayed(store, take_unplayed, &left, err);

    if (status != BG_OK) {
        return status;
    }
    for (int i = 0; i < left.count && used < sizeof bots; i++) {
        used += (size_t)snprintf(bots + used, sizeof bots - used, "%s%.64s (%" PRIu64 " %s)",
                                 i == 0 ? "" : ", ", left.list[i].bot, left.list[i].fixtures,
                                 plural(left.list[i].fixtures, "match", "matches"));
    }
    return left.count > 0
               ? bg_error_set(err, BG_E_ARGUMENT,
                              "%s has no open games; given up were those of %s: 'reopen %s BOT "
                              "--reason TEXT' reinstates one",
                              name, bots, name)
               : bg_error_set(err, BG_E_ARGUMENT,
                              "%s has nothing left to play; 'bgref desk %.200s' has a meeting "
                              "played again (replay), and then it can be reopened",
                              name, results);
}

/* ------------------------------------------------------------------ the bot */

/* Who cannot come would be absent at once. */
static enum bg_status bot_check(const struct host *host, const char *bot, struct bg_error *err)
{
    const struct quarantine *rest = quarantines_find(&host->quarantines, bot);
    const struct ban *ban = ban_list_find(&host->bans, bot, host_door_key(host->door, bot));
    char until[UTC_TEXT];

    if (rest != NULL) {
        utc_write(until, rest->until_s);
        return bg_error_set(err, BG_E_ARGUMENT, "%s is in quarantine until %s; 'unban %s' ends it",
                            bot, until, bot);
    }
    return ban == NULL ? BG_OK
                       : bg_error_set(err, BG_E_ARGUMENT,
                                      "%s is banned (%s); 'unban %s' comes "
                                      "first",
                                      bot, ban->reason, ban->what);
}

static enum bg_status check_signed(struct store *store, const struct reopen_wish *wish,
                                   struct bg_error *err)
{
    char *by = NULL;
    enum bg_status status = signatures_told(&by, store, false, err);

    if (status == BG_OK && by != NULL && !wish->is_signed_too) {
        status =
            bg_error_set(err, BG_E_ARGUMENT,
                         "the end of %s is signed by %.300s; with --signed it is reopened, and "
                         "has to be signed again when it has ended",
                         wish->instance->name, by);
    }
    free(by);
    return status;
}

static enum bg_status preview(char **answer, const struct desk_deed *deed, const struct desk *desk,
                              const struct reopen_wish *wish, struct bg_error *err)
{
    size_t size = 0;
    FILE *out = memory_stream(answer, &size);
    enum bg_status status;

    fprintf(out, "%s %s\n", wish->instance->name, life_words[LIFE_RUNNING]);
    status = desk_write(out, deed, desk, false, err);
    memory_stream_close(out);
    return status;
}

/* First the state, then the act: a host that is killed between them finds an event that runs, has
 * nothing to play, and ends again. */
static enum bg_status store_both(struct host *host, struct desk_deed *deed, const struct desk *desk,
                                 const struct reopen_wish *wish, struct bg_error *err)
{
    enum bg_status status =
        agenda_reopen(wish->event, wish->instance, wish->reason, host_now(), err);

    if (status == BG_OK) {
        status = host_save(host, err);
    }
    if (status == BG_OK) {
        status = desk_store(deed, desk, err);
        host->is_unsaved = status != BG_OK; /* the state is taken back */
    }
    return status;
}

static enum bg_status reinstate(struct host *host, const struct desk *desk,
                                const struct reopen_wish *wish, char **answer, struct bg_error *err)
{
    struct act act = {.kind = "reinstate"};
    struct desk_deed *deed = NULL;
    enum bg_status status = check_signed(desk->store, wish, err);

    snprintf(act.subject, sizeof act.subject, "bot=%s", wish->bot);
    snprintf(act.reason, sizeof act.reason, "%s", wish->reason);
    desk_sign_act(&act);
    if (status == BG_OK) {
        status = desk_prepare(&deed, desk, &act, err);
    }
    /* In a form with stages (a knockout) the meeting has its winner: reinstating the bot would
     * not open it. */
    if (status == BG_OK && season_plan(desk->season)->stages > 0 &&
        season_is_over(desk_deed_season(deed))) {
        status =
            bg_error_set(err, BG_E_ARGUMENT,
                         "%s would have nothing to play in %s: walkovers stand, until 'replay' "
                         "of 'bgref desk' has the meeting played again",
                         wish->bot, wish->instance->name);
    }
    if (status == BG_OK) {
        /* Written before the store changes: the deed describes what it is about to do. */
        status = preview(answer, deed, desk, wish, err);
    }
    if (status == BG_OK) {
        status = store_both(host, deed, desk, wish, err);
    }
    desk_deed_destroy(deed);
    return status;
}

static enum bg_status reopen_with(struct host *host, struct store *store,
                                  const struct reopen_wish *wish, char **answer,
                                  struct bg_error *err)
{
    struct season *season = NULL;
    enum bg_status status = season_load(&season, store, err);

    if (status == BG_OK) {
        const struct desk desk = {.store = store, .season = season};

        status = reinstate(host, &desk, wish, answer, err);
    }
    season_destroy(season);
    return status;
}

/* ------------------------------------------------------------------ without a bot */

static enum bg_status reopen_plain(struct store *store, const char *results,
                                   const struct reopen_wish *wish, char **answer,
                                   struct bg_error *err)
{
    struct withdrawn published;
    enum bg_status status = withdrawn_find(&published, store, err);

    if (status == BG_OK && published.root[0] != '\0') {
        return refuse_complete(store, wish, results, err);
    }
    if (status == BG_OK) {
        status = agenda_reopen(wish->event, wish->instance, wish->reason, host_now(), err);
    }
    if (status == BG_OK) {
        *answer = memory_print("%s %s: what is open is played if its bots are there\n",
                               wish->instance->name, life_words[LIFE_RUNNING]);
    }
    return status;
}

/* As its process will: nobody else may use the results. BG_E_BUSY would say that no host runs. */
static enum bg_status open_alone(struct store **out, const char *results, struct bg_error *err)
{
    struct bg_error why;
    enum bg_status status = store_sqlite_open(out, results, &why);

    if (status == BG_E_BUSY) { /* a cancelled event's process may still be ending */
        return bg_error_set(err, BG_E_ARGUMENT, "%s; reopen when that has ended", why.text);
    }
    return status == BG_OK ? status : bg_error_set(err, status, "%s", why.text);
}

/* What was cancelled before its begin has nothing that could go on. */
static enum bg_status check_begun(const struct host *host, const struct reopen_wish *wish,
                                  struct bg_error *err)
{
    char results[HOST_PATH];

    if (wish->instance->life != LIFE_CANCELLED ||
        !runs_results_of(results, &host->runs, wish->event->name, wish->instance->name) ||
        access(results, F_OK) == 0) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "%s is cancelled, and had not begun: nothing of it can go on",
                        wish->instance->name);
}

enum bg_status host_reopen(struct host *host, const struct reopen_wish *wish, char **answer,
                           struct bg_error *err)
{
    char results[HOST_PATH];
    struct store *store = NULL;
    enum bg_status status = check_begun(host, wish, err);

    if (status == BG_OK) {
        status = agenda_may_reopen(wish->event, wish->instance, err);
    }
    if (status == BG_OK && wish->bot != NULL && wish->reason[0] == '\0') {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "reopen with a bot needs --reason TEXT; it is published");
    }
    if (status == BG_OK && strlen(wish->reason) >= ACT_REASON) {
        status =
            bg_error_set(err, BG_E_ARGUMENT, "the reason has at most %d bytes", ACT_REASON - 1);
    }
    if (status == BG_OK && wish->bot != NULL) {
        status = name_is_valid(wish->bot)
                     ? bot_check(host, wish->bot, err)
                     : bg_error_set(err, BG_E_ARGUMENT, "'%.60s' is not a bot's name", wish->bot);
    }
    if (status == BG_OK &&
        !runs_results_of(results, &host->runs, wish->event->name, wish->instance->name)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    if (status == BG_OK) { /* opened for reading first, so that no file is made */
        status = event_store_open(&store, results, err);
    }
    if (status == BG_OK) {
        store_destroy(store);
        store = NULL;
        status = open_alone(&store, results, err);
    }
    if (status == BG_OK) {
        status = wish->bot == NULL ? reopen_plain(store, results, wish, answer, err)
                                   : reopen_with(host, store, wish, answer, err);
    }
    store_destroy(store);
    return status;
}
