#include "revisions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../log.h"
#include "desk/desk.h"
#include "fixtures/program.h"
#include "journal/season_store.h"
#include "record/game_id.h"
#include "store/continued.h"
#include "store/editions.h"

/* ------------------------------------------------------------------ the acts */

enum { ROOM = 131072 };

/* Acts that are tried one after the other, and then stored in this order. */
struct taking {
    const struct revisions_setup *setup;
    struct season *season;   /* owned: as stored */
    struct desk_deed **deed; /* owned array, owned each */
    struct desk *books;      /* owned array: what each of them was decided by */
    int count;
};

static int index_of(const struct config_event *event, const char *name)
{
    for (int i = 0; i < event->bot_count; i++) {
        if (strcmp(event->bots[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Says why the plan or its faults keep a bot from it; NULL: nothing does. */
static const char *obstacle(const struct revisions_setup *setup, int before)
{
    const char *name = setup->event->bots[before].name;
    const struct plan_stage *stage = setup->plan == NULL ? NULL : &setup->plan->stage[0];

    if (ledger_faults(setup->ledger, before) >= setup->event->quarantine) {
        return "it is quarantined, which a new program does not end; 'bgref reinstate' does";
    }
    if (stage == NULL) {
        return NULL;
    }
    if (stage->form == PLAN_SWISS && stage->late == SWISS_LATE_HALF) {
        return "this Swiss gives late entrants half of the points of the rounds before "
               "(late=half), so a change could be worth points";
    }
    for (int i = 0; i < stage->heroes; i++) {
        if (strcmp(stage->hero[i], name) == 0) {
            return "the schedule names it";
        }
    }
    for (int i = 0; i < stage->anchors; i++) {
        if (strcmp(stage->anchor[i], name) == 0) {
            return "the schedule names it";
        }
    }
    return NULL;
}

enum bg_status revisions_refuse(const char *name, const char *next, const char *why,
                                struct bg_error *err)
{
    return bg_error_set(err, BG_E_CONFIG,
                        "%s changed since its last game, and cannot go on as %s: %.300s; "
                        "--accept-changed goes on under the old name and marks it, --fresh begins "
                        "again and keeps the old results",
                        name, next, why);
}

/* What a bot says of itself is foreign text; it was cleaned when it came. */
static enum bg_status write_reason(struct act *wish, const struct revisions_setup *setup,
                                   const struct competitor *next, struct bg_error *err)
{
    const struct entry_wish *said =
        setup->wishes == NULL ? NULL : entry_wishes_find(setup->wishes, next->continues);
    struct store *store = ledger_store(setup->ledger);
    struct edition last = {.version = "-"};
    struct program program;
    char key[EDITIONS_KEY], *text = malloc(ROOM);
    bool found;
    enum bg_status status = BG_OK;

    if (text == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "programs of the bots");
    }
    if (said == NULL) {
        program_of(&program, next);
        snprintf(wish->reason, sizeof wish->reason,
                 "its program changed (%.*s then, %.*s now), and it goes on as %s", EDITION_SHORT,
                 setup->event->bots[index_of(setup->event, next->continues)].replaced,
                 EDITION_SHORT, program.digest, next->name);
    } else {
        editions_key(key, next->continues);
        status = store->ops->meta_get(store, key, text, ROOM, &found, err);
        (void)(status == BG_OK && found && edition_last(&last, text));
        snprintf(wish->reason, sizeof wish->reason,
                 "its version changed (%.60s then, %.60s now), and it goes on as %s", last.version,
                 said->version, next->name);
    }
    free(text);
    return status;
}

/* Whether the matches that it has begun are lost, not unplayed (forfeits.h). */
static bool loses_begun(const struct revisions_setup *setup, int before)
{
    return setup->plan == NULL && !setup->event->manual_dice && setup->event->bots[before].remote &&
           setup->event->rules.length_points > 1;
}

static enum bg_status prepare(struct taking *taking, int bot, struct bg_error *err)
{
    const struct revisions_setup *setup = taking->setup;
    const struct competitor *next = &setup->event->bots[bot];
    int before = index_of(setup->event, next->continues);
    const char *why = obstacle(setup, before);
    struct act wish = {.kind = "withdraw"};
    struct desk *books = &taking->books[taking->count];
    struct bg_error said = {.text = ""};
    enum bg_status status;

    if (why != NULL) {
        return revisions_refuse(next->continues, next->name, why, err);
    }
    *books = (struct desk){.store = ledger_store(setup->ledger),
                           .spares_begun = loses_begun(setup, before),
                           .season = taking->count == 0
                                         ? taking->season
                                         : desk_deed_season(taking->deed[taking->count - 1])};
    desk_sign_act(&wish);
    snprintf(wish.subject, sizeof wish.subject, "bot=%s", next->continues);
    status = write_reason(&wish, setup, next, err);
    if (status != BG_OK) {
        return status;
    }
    status = desk_prepare_next(&taking->deed[taking->count], books, &wish, next->name, &said);
    if (status == BG_OK) {
        taking->count++;
        return BG_OK;
    }
    return status == BG_E_ARGUMENT ? revisions_refuse(next->continues, next->name, said.text, err)
                                   : bg_error_set(err, status, "%s", said.text);
}

enum bg_status revisions_check(const struct revisions_setup *setup, int before, const char *next,
                               struct bg_error *err)
{
    const char *why = obstacle(setup, before);
    struct act wish = {.kind = "withdraw", .reason = "it goes on under another name"};
    struct desk books = {.store = ledger_store(setup->ledger)};
    struct season *season = NULL;
    enum bg_status status;

    if (why != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s", why);
    }
    status = season_load(&season, books.store, err);
    if (status == BG_OK) {
        books.season = season;
        desk_sign_act(&wish);
        snprintf(wish.subject, sizeof wish.subject, "bot=%s", setup->event->bots[before].name);
        status = desk_check_next(&books, &wish, next, err);
    }
    season_destroy(season);
    return status;
}

/* Whether the results do not know this successor yet. */
static enum bg_status is_new(bool *out, const struct revisions_setup *setup, int bot,
                             struct bg_error *err)
{
    const struct competitor *next = &setup->event->bots[bot];
    char before[CONTINUED_NAME] = "";
    enum bg_status status = BG_OK;

    *out = false;
    if (next->continues[0] != '\0') {
        status = continued_before(before, ledger_store(setup->ledger), next->name, err);
        *out = status == BG_OK && before[0] == '\0';
    }
    return status;
}

static enum bg_status store_all(const struct taking *taking, struct bg_error *err)
{
    struct store *store = ledger_store(taking->setup->ledger);
    enum bg_status status = BG_OK;

    for (int i = 0; i < taking->count && status == BG_OK; i++) {
        size_t count;
        const struct act *acts = desk_deed_acts(&count, taking->deed[i]);

        status = desk_store(taking->deed[i], &taking->books[i], err);
        if (status == BG_OK) {
            log_warn("event", "%s %s", acts[count - 1].subject, acts[count - 1].reason);
        }
    }
    if (status == BG_OK) {
        status = store->ops->flush(store, err);
    }
    return status == BG_OK ? ledger_recount(taking->setup->ledger, NULL, err) : status;
}

enum bg_status revisions_take(const struct revisions_setup *setup, struct bg_error *err)
{
    size_t bots = (size_t)setup->event->bot_count;
    struct taking taking = {.setup = setup,
                            .deed = calloc(bots, sizeof *taking.deed),
                            .books = calloc(bots, sizeof *taking.books)};
    enum bg_status status = taking.deed == NULL || taking.books == NULL
                                ? bg_error_set(err, BG_E_MEMORY, "bots of the event")
                                : BG_OK;

    for (int i = 0; i < setup->event->bot_count && status == BG_OK; i++) {
        bool new = false;

        status = is_new(&new, setup, i, err);
        if (status == BG_OK && new &&taking.season == NULL) {
            status = season_load(&taking.season, ledger_store(setup->ledger), err);
        }
        if (status == BG_OK && new) {
            status = prepare(&taking, i, err);
        }
    }
    if (status == BG_OK && taking.count > 0) {
        status = store_all(&taking, err);
    }
    for (int i = 0; i < taking.count; i++) {
        desk_deed_destroy(taking.deed[i]);
    }
    season_destroy(taking.season);
    free(taking.deed);
    free(taking.books);
    return status;
}

/* ------------------------------------------------------------------ a plain round robin */

#define UNPLAYED "withdrawn: it goes on under another name"

int revisions_replaced(const struct config_event *event, const struct fixture *fixture)
{
    return event->bots[fixture->a].replaced[0] != '\0'   ? fixture->a
           : event->bots[fixture->b].replaced[0] != '\0' ? fixture->b
                                                         : -1;
}

static bool is_anyone_replaced(const struct config_event *event)
{
    for (int i = 0; i < event->bot_count; i++) {
        if (event->bots[i].replaced[0] != '\0') {
            return true;
        }
    }
    return false;
}

static enum bg_status add(struct revisions_list *list, uint64_t number, struct bg_error *err)
{
    /* room for a power of two */
    bool is_full = (list->count & (list->count - 1)) == 0;
    uint64_t *more =
        is_full ? realloc(list->number, (2 * list->count + 1) * sizeof *more) : list->number;

    if (more == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "fixtures");
    }
    list->number = more;
    more[list->count++] = number;
    return BG_OK;
}

static bool note_game(void *user, const struct store_game *game)
{
    (void)game;
    *(bool *)user = true;
    return false;
}

/* Whether a remote bot has left the fixture between two games of a match. */
static enum bg_status is_left(bool *out, const struct revisions_setup *setup,
                              const struct fixture *fixture, struct bg_error *err)
{
    struct store *store = ledger_store(setup->ledger);

    *out = false;
    if (!loses_begun(setup, revisions_replaced(setup->event, fixture)) ||
        !ledger_is_begun(setup->ledger, fixture)) {
        return BG_OK;
    }
    return store->ops->leg_games(store, setup->names[fixture->a], setup->names[fixture->b],
                                 fixture->pair, fixture->leg, note_game, out, err);
}

/* An open fixture of a withdrawn name. */
static enum bg_status take_open(struct revisions_open *open, const struct revisions_setup *setup,
                                uint64_t number, struct bg_error *err)
{
    struct fixture fixture;
    bool left;
    enum bg_status status;

    setup->source->ops->fixture(&fixture, setup->source, number);
    status = is_left(&left, setup, &fixture, err);
    if (status != BG_OK) {
        return status;
    }
    if (left) {
        ledger_settle(setup->ledger, &fixture);
    } else {
        ledger_give_up(setup->ledger, &fixture);
    }
    return add(left ? &open->left : &open->unplayed, number, err);
}

enum bg_status revisions_find(struct revisions_open *open, const struct revisions_setup *setup,
                              struct bg_error *err)
{
    const struct source *source = setup->source;
    enum bg_status status = BG_OK;
    bool more;
    uint64_t known = source->ops->known(source, &more);

    if (setup->plan != NULL || !is_anyone_replaced(setup->event)) {
        return BG_OK;
    }
    for (uint64_t i = 0; i < known && status == BG_OK; i++) {
        struct fixture fixture;

        source->ops->fixture(&fixture, source, i);
        if (revisions_replaced(setup->event, &fixture) >= 0 &&
            !ledger_is_settled(setup->ledger, &fixture)) {
            status = take_open(open, setup, i, err);
        }
    }
    return status;
}

void revisions_open_deinit(struct revisions_open *open)
{
    free(open->unplayed.number);
    free(open->left.number);
    *open = (struct revisions_open){.left = {.count = 0}};
}

enum bg_status revisions_close(const struct revisions_open *open,
                               const struct revisions_setup *setup, struct bg_error *err)
{
    struct store *store = ledger_store(setup->ledger);
    enum bg_status status = BG_OK;

    for (size_t i = 0; i < open->unplayed.count && status == BG_OK; i++) {
        struct fixture fixture;
        struct game_id game;
        char id[BG_GAME_ID];
        int out;

        setup->source->ops->fixture(&fixture, setup->source, open->unplayed.number[i]);
        out = revisions_replaced(setup->event, &fixture);
        game = schedule_game_id(setup->names, &fixture);
        game_id_write_leg(id, &game);
        status = store->ops->put_unplayed(store, id, setup->names[out], UNPLAYED, err);
        if (status == BG_OK) {
            status = feed_unplayed(setup->feed, &fixture, out, UNPLAYED, err);
        }
    }
    return status;
}
