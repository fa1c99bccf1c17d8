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

static void take_begun(void *user, const char *name, const struct day_games *begun)
{
    const struct allowance *allowance = user;

    for (int i = 0; i < allowance->entrants->event->bot_count; i++) {
        if (strcmp(allowance->entrants->names[i], name) == 0) {
            allowance->bots[i].day = begun->day;
            allowance->bots[i].begun = begun->begun;
        }
    }
}

static enum bg_status open_book(struct allowance *allowance, int64_t now_s, struct bg_error *err)
{
    char path[PATH];

    if (snprintf(path, sizeof path, "%s.begun", allowance->entrants->event->results) >= PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "results: too long a name");
    }
    return day_book_open(&allowance->book, path, now_s, take_begun, allowance, err);
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
    if (allowance->any && !host_counts(allowance)) {
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
    allowance->bots = NULL;
    allowance->is_told = NULL;
    allowance->any = false;
}

static void keep(const struct allowance *allowance, int bot)
{
    const char *name = allowance->entrants->names[bot];
    struct bg_error err;

    if (day_book_add(&allowance->book, name, &allowance->bots[bot], &err) != BG_OK) {
        log_warn("event", "bot=%s %s", name, err.text);
    }
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

/* Notes whether new fixtures of the bot may begin. */
static void settle(struct allowance *allowance, int bot, int64_t now_s)
{
    struct entrants_bot *entrant = &allowance->entrants->list[bot];
    bool was_spent = entrant->is_spent;

    entrant->is_spent = day_games_are_over(&allowance->bots[bot], now_s);
    if (was_spent && !entrant->is_spent) {
        log_warn("event", "bot=%s may begin games again", allowance->entrants->names[bot]);
        allowance->is_told[bot] = false;
        fixture_queue_rewind(allowance->queue);
    }
    if (entrant->is_spent && entrant->was_ready && !allowance->is_told[bot]) {
        allowance->is_told[bot] = true;
        tell(allowance, bot, now_s);
    }
}

void allowance_begin(struct allowance *allowance, const struct fixture *fixture, int64_t now_s)
{
    const struct session_door *door = door_of(allowance);

    for (int seat = 0; seat < 2 && allowance->any; seat++) {
        int bot = fixture_bot(fixture, seat);

        if (allowance->bots[bot].most > 0) {
            day_games_begin(&allowance->bots[bot], now_s);
            if (host_counts(allowance)) {
                door->began(door->user, bot);
            } else {
                keep(allowance, bot);
            }
            settle(allowance, bot, now_s);
        }
    }
}

static void take(struct allowance *allowance, bool all, int64_t now_s)
{
    const struct session_door *door = door_of(allowance);

    for (int i = 0; i < allowance->entrants->event->bot_count && allowance->any; i++) {
        if (host_counts(allowance) && (all || allowance->bots[i].most > 0)) {
            door->games(door->user, i, &allowance->bots[i]);
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
