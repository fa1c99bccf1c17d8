#include "attempts.h"

#include <string.h>

#include "record/record_peek.h"

/* One pair while its games are looked at. */
struct looking {
    const char *digest; /* of the key in force */
    bool shown;         /* a game of it has dice of another key */
};

static bool look_at(void *user, const struct store_game *game)
{
    struct looking *looking = user;
    size_t size = 0;
    const char *digest =
        game->text == NULL ? NULL : peek_value(&size, game->text, game->text_size, "key");

    /* Records from before there was such a line have dice of the first key. */
    looking->shown = digest == NULL || size != strlen(looking->digest) ||
                     memcmp(digest, looking->digest, size) != 0;
    return !looking->shown;
}

static bool is_open(bool *begun, const struct ledger *ledger, const struct fixture *pair, int legs)
{
    struct fixture fixture = *pair;
    bool open = false;

    *begun = false;
    for (fixture.leg = 0; fixture.leg < legs; fixture.leg++) {
        open = open || !ledger_is_settled(ledger, &fixture);
        *begun = *begun || ledger_is_begun(ledger, &fixture);
    }
    return open;
}

/* *shown: the pair is unfinished, and people can compute its dice. */
static enum bg_status find_shown(bool *shown, struct ledger *ledger,
                                 const struct schedule *schedule, const struct fixture *pair,
                                 struct bg_error *err)
{
    struct store *store = ledger_store(ledger);
    char digest[BG_KEY_HEX];
    struct looking looking = {digest, false};
    enum bg_status status = BG_OK;
    bool begun;

    *shown = false;
    if (!is_open(&begun, ledger, pair, schedule->legs) || !begun) {
        return BG_OK;
    }
    ledger_key_digest(digest, ledger);
    for (int leg = 0; leg < schedule->legs && status == BG_OK && !looking.shown; leg++) {
        status = store->ops->leg_games(store, schedule->names[pair->a], schedule->names[pair->b],
                                       pair->pair, leg, look_at, &looking, err);
    }
    *shown = looking.shown;
    return status;
}

enum bg_status attempts_find_shown(struct ledger *ledger, const struct schedule *schedule,
                                   struct bg_error *err)
{
    uint64_t count = ledger_has_later_key(ledger) ? schedule_count(schedule) : 0;
    enum bg_status status = BG_OK;
    bool any = false;

    for (uint64_t i = 0; i < count && status == BG_OK; i += (uint64_t)schedule->legs) {
        struct fixture fixture;
        bool shown;

        schedule_fixture(&fixture, schedule, i);
        status = find_shown(&shown, ledger, schedule, &fixture, err);
        if (status == BG_OK && shown) {
            status = ledger_plan_anew(ledger, &fixture, err);
            any = true;
        }
    }
    return status == BG_OK && any ? ledger_look_anew(ledger, err) : status;
}
