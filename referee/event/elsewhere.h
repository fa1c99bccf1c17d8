/* elsewhere.h - where an event's fixtures are played in the place of tables here: on other
 * machines.
 *
 * It gets fixtures as tables do (places.h) and returns their games, which go through the same
 * store, ledger and director. The bots of the event are started here as well, for their names and
 * versions. Implementation: tests/unit/referee/event/test_places.c.
 */
#ifndef REFEREE_EVENT_ELSEWHERE_H
#define REFEREE_EVENT_ELSEWHERE_H

#include "../loop/loop.h"
#include "fixtures/ledger.h"
#include "table/table.h"

struct elsewhere_listener {
    /* Takes a finished game, which was checked, also on failure; evidence in it charges the bot.
     * message: of that fault, "" none. Its fixture is then settled if the game ended the leg. */
    enum bg_status (*game)(void *user, const struct fixture *fixture, struct store_game *take,
                           const char *message, struct bg_error *err);
    /* The fixture cannot be played anywhere, as why says: it stays unplayed. */
    void (*unplayable)(void *user, const struct fixture *fixture, const char *why);
    /* The run must stop. */
    void (*broken)(void *user, const struct bg_error *err);
};

/* All lent. */
struct elsewhere_setup {
    const struct config_event *event;
    struct loop *loop;
    struct ledger *ledger;
    const char *const *names, *const *programs; /* by bot of the event */
    const struct elsewhere_listener *listener;
    void *user;
};

struct elsewhere_ops {
    /* The settings are stored, and play begins. Errors end the run. */
    enum bg_status (*open)(void *self, const struct elsewhere_setup *setup, struct bg_error *err);
    /* Returns how many more fixtures it takes now. */
    int (*room)(void *self);
    /* Takes a fixture; what the setup lends is lent for the call. */
    void (*play)(void *self, const struct table_setup *setup);
    /* After the last play of a round: it hands out what it has. */
    void (*flush)(void *self);
    bool (*has)(void *self, const struct fixture *fixture);
    /* How many fixtures it has. */
    int (*count)(void *self);
    /* Drops each fixture of which keep returns false. */
    void (*review)(void *self, bool (*keep)(void *user, const struct fixture *fixture), void *user);
    /* durable: how many of the store's puts are durable. */
    void (*durable)(void *self, uint64_t durable);
    /* Writes the director's line: workers, games a second, what is silent. */
    void (*tell)(void *self, FILE *out);
    /* Closes. is_over: nothing of the event is left to be played. */
    void (*close)(void *self, bool is_over);
};

/* NULL ops: every fixture is played here. */
struct elsewhere {
    const struct elsewhere_ops *ops;
    void *self; /* lent */
};

#endif
