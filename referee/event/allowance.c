#include "allowance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

enum { PATH = 1100 };

static const struct session_door *door_of(const struct allowance *allowance)
{
    return allowance->entrants->setup.door;
}

static bool host_counts(const struct allowance *allowance)
{
    return door_of(allowance) != NULL && door_of(allowance)->games != NULL;
}

/* The name under which it is counted: that of the event file, whatever it plays as. */
static const char *name_of(const struct allowance *allowance, int bot)
{
    const struct entrants *entrants = allowance->entrants;

    return entrants->names[bot];
}

/* The places of a fixture that has not begun. */
struct allowance_place {
    struct fixture fixture;
    bool has[2]; /* by seat */
};

/* The event is a child of the host then, which says where its own files are. */
static enum bg_status open_book(struct allowance *allowance, int64_t now_s, struct bg_error *err)
{
    const struct config_event *event = allowance->entrants->event;
    const char *slash = strrchr(event->door.gate, '/');
    int folder = slash == NULL ? 0 : (int)(slash - event->door.gate) + 1;
    bool is_hosts = host_counts(allowance);
    char path[PATH], damage[DAY_BOOK_DAMAGE] = "";
    enum bg_status status;
    int size =
        is_hosts ? snprintf(path, sizeof path, "%.*s%s", folder, event->door.gate, DAY_BOOK_OF_HOST)
                 : snprintf(path, sizeof path, "%s.begun", event->results);

    if (size >= PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "results: too long a name");
    }
    status = is_hosts ? day_book_join(&allowance->book, path, event->name, err)
                      : day_book_open(&allowance->book, path, now_s, damage, err);
    if (damage[0] != '\0') {
        log_error("event", "%s", damage);
    }
    return status;
}

enum bg_status allowance_open(struct allowance *allowance, int64_t now_s, struct bg_error *err)
{
    const struct config_event *event = allowance->entrants->event;
    enum bg_status status = BG_OK;

    allowance->book.fd = -1;
    allowance->bots = calloc((size_t)event->bot_count + 1, sizeof *allowance->bots);
    allowance->is_told = calloc((size_t)event->bot_count + 1, sizeof *allowance->is_told);
    if (allowance->bots == NULL || allowance->is_told == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "bots");
    }
    allowance->any = host_counts(allowance);
    for (int i = 0; i < event->bot_count && !host_counts(allowance); i++) {
        allowance->bots[i].most = event->bots[i].remote ? event->bots[i].limits.games_a_day : 0;
        allowance->any = allowance->any || allowance->bots[i].most > 0;
    }
    if (allowance->any) {
        status = open_book(allowance, now_s, err);
    }
    if (status == BG_OK) {
        allowance_sweep(allowance, now_s);
    }
    return status;
}

void allowance_close(struct allowance *allowance)
{
    if (allowance->bots != NULL) {
        day_book_close(&allowance->book);
    }
    free(allowance->bots);
    free(allowance->is_told);
    free(allowance->places);
    allowance->places = NULL;
    allowance->place_count = 0;
    allowance->bots = NULL;
    allowance->is_told = NULL;
    allowance->any = false;
}

static void warn(const char *name, const struct bg_error *err)
{
    log_warn("event", "bot=%s %s", name, err->text);
}

/* Its author reads it; a host tells that itself. */
static void tell(const struct allowance *allowance, int bot, int64_t now_s)
{
    const struct session_door *door = door_of(allowance);
    char text[DAY_GAMES_TEXT];

    day_games_write(text, &allowance->bots[bot], allowance->entrants->names[bot], now_s);
    log_warn("event", "%s", text);
    if (door != NULL && door->say != NULL) {
        door->say(door->user, bot, text);
    }
}

/* Also while fixtures that are about to begin have taken its last places. */
static bool is_spent(const struct allowance *allowance, int bot, int64_t now_s)
{
    const struct day_games *games = &allowance->bots[bot];

    return games->most > 0 && day_games_begun(games, now_s) +
                                      day_book_places(&allowance->book, name_of(allowance, bot)) >=
                                  games->most;
}

/* Notes whether new fixtures of the bot may begin. */
static void settle(struct allowance *allowance, int bot, int64_t now_s)
{
    struct entrants_bot *entrant = &allowance->entrants->list[bot];
    bool was_spent = entrant->is_spent;

    entrant->is_spent = is_spent(allowance, bot, now_s);
    if (was_spent && !entrant->is_spent) {
        log_warn("event", "bot=%s may begin games again", allowance->entrants->names[bot]);
        allowance->is_told[bot] = false;
        fixture_queue_rewind(allowance->queue);
    }
    if (day_games_are_over(&allowance->bots[bot], now_s) && entrant->was_ready &&
        !allowance->is_told[bot]) {
        allowance->is_told[bot] = true;
        tell(allowance, bot, now_s);
    }
}

static void count(struct allowance *allowance, int bot)
{
    struct day_games begun = day_book_begun(&allowance->book, name_of(allowance, bot));

    allowance->bots[bot].day = begun.day;
    allowance->bots[bot].begun = begun.begun;
}

static void count_and_settle(struct allowance *allowance, const struct fixture *fixture,
                             int64_t now_s)
{
    for (int seat = 0; seat < 2; seat++) {
        count(allowance, fixture_bot(fixture, seat));
        settle(allowance, fixture_bot(fixture, seat), now_s);
    }
}

static bool is_same(const struct fixture *x, const struct fixture *y)
{
    return x->a == y->a && x->b == y->b && x->pair == y->pair && x->leg == y->leg;
}

/* Takes the places of this fixture out of the list. */
static struct allowance_place take_out(struct allowance *allowance, const struct fixture *fixture)
{
    struct allowance_place found = {.has = {false}};

    for (int i = 0; i < allowance->place_count; i++) {
        if (is_same(&allowance->places[i].fixture, fixture)) {
            found = allowance->places[i];
            allowance->places[i] = allowance->places[--allowance->place_count];
        }
    }
    return found;
}

static bool has_limit(const struct allowance *allowance, const struct fixture *fixture)
{
    return allowance->any &&
           (allowance->bots[fixture->a].most > 0 || allowance->bots[fixture->b].most > 0);
}

/* A book that cannot be written is no reason to let games wait. */
bool allowance_take(struct allowance *allowance, const struct fixture *fixture, int64_t now_s)
{
    struct allowance_place place = {.fixture = *fixture}, *grown;
    struct day_book_wish wishes[2];
    struct bg_error err;
    bool has_taken = false;
    int count = 0;

    if (!has_limit(allowance, fixture)) {
        return true;
    }
    grown = realloc(allowance->places, ((size_t)allowance->place_count + 1) * sizeof *grown);
    if (grown == NULL) {
        return true;
    }
    allowance->places = grown;
    for (int seat = 0; seat < 2; seat++) {
        int bot = fixture_bot(fixture, seat);

        place.has[seat] = allowance->bots[bot].most > 0;
        if (place.has[seat]) {
            wishes[count++] =
                (struct day_book_wish){name_of(allowance, bot), allowance->bots[bot].most};
        }
    }
    if (day_book_take(&has_taken, &allowance->book, wishes, count, now_s, &err) != BG_OK) {
        warn(wishes[0].name, &err);
        has_taken = true;
    }
    if (has_taken) {
        allowance->places[allowance->place_count++] = place;
    }
    count_and_settle(allowance, fixture, now_s);
    return has_taken;
}

void allowance_give_back(struct allowance *allowance, const struct fixture *fixture, int64_t now_s)
{
    struct allowance_place place = take_out(allowance, fixture);
    struct bg_error err;

    for (int seat = 0; seat < 2; seat++) {
        const char *name = name_of(allowance, fixture_bot(fixture, seat));

        if (place.has[seat] && day_book_give_back(&allowance->book, name, now_s, &err) != BG_OK) {
            warn(name, &err);
        }
    }
    if (place.has[0] || place.has[1]) {
        count_and_settle(allowance, fixture, now_s);
    }
}

void allowance_begin(struct allowance *allowance, const struct fixture *fixture, int64_t now_s)
{
    const struct session_door *door = door_of(allowance);
    struct allowance_place place = take_out(allowance, fixture);
    struct bg_error err;

    for (int seat = 0; seat < 2 && allowance->any; seat++) {
        int bot = fixture_bot(fixture, seat);
        const char *name = name_of(allowance, bot);

        if (allowance->bots[bot].most == 0 && !place.has[seat]) {
            continue;
        }
        if (day_book_begin(&allowance->book, name, place.has[seat], now_s, &err) != BG_OK) {
            warn(name, &err);
        }
        count(allowance, bot);
        if (host_counts(allowance)) {
            /* the host reads the book */
            door->began(door->user, bot);
        }
        settle(allowance, bot, now_s);
    }
}

static void take(struct allowance *allowance, bool all, int64_t now_s)
{
    const struct session_door *door = door_of(allowance);
    const struct config_event *event = allowance->entrants->event;
    struct bg_error err;
    bool has_news = false;

    if (allowance->any && day_book_read(&has_news, &allowance->book, &err) != BG_OK) {
        warn("-", &err);
    }
    for (int i = 0; i < event->bot_count && allowance->any; i++) {
        if (host_counts(allowance) && (all || allowance->bots[i].most > 0)) {
            door->games(door->user, i, &allowance->bots[i]);
        }
        if (allowance->bots[i].most > 0) {
            count(allowance, i);
        }
        settle(allowance, i, now_s);
    }
}

void allowance_look(struct allowance *allowance, int64_t now_s)
{
    if (allowance->any && host_counts(allowance)) {
        take(allowance, false, now_s);
    }
}

void allowance_sweep(struct allowance *allowance, int64_t now_s)
{
    take(allowance, true, now_s);
}
