/* ledger.h - the results of one event across runs: settings, key, what is played already.
 *
 * Opening compares the event with what the results were begun with (event_settings.h) and changes
 * nothing; ledger_begin keeps settings, key and the pairs begun anew, when the bots have started.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <bgref/dice.h>

#include "tally/tally.h"
#include "store/store.h"
#include "record/record_times.h"
#include "finished.h"
#include "program.h"
#include "schedule.h"

#include "config/config.h"

struct ledger;

/* Creates or continues event->results. confined: bots run in a sandbox. programs: by bot, as they
 * are now; NULL: not compared. BG_E_CONFIG: a setting or a bot changed, or trust that cannot be;
 * BG_E_BUSY, BG_E_STORE, BG_E_SYSTEM (key file). event and programs are lent. */
enum bg_status ledger_open(struct ledger **out, const struct config_event *event, bool confined,
                           const struct program *programs, struct bg_error *err);
/* Before the first game, once, and in one transaction: settings, programs and the digest of a new
 * key are stored, planned pairs are set aside, and a published root is withdrawn. versions: as in
 * event_settings_store; NULL: everything is played already, and nothing but settings and planned
 * pairs is stored. now_s: since 1970. BG_E_CONFIG: a bot has another version than before;
 * BG_E_STORE, BG_E_SYSTEM. */
enum bg_status ledger_begin(struct ledger *ledger, const char *const *versions, int64_t now_s,
                            struct bg_error *err);
/* Waits for nothing: call store->ops->flush first. NULL is fine. */
void ledger_close(struct ledger *ledger);

struct store *ledger_store(struct ledger *ledger);
const struct bg_dice_key *ledger_key(const struct ledger *ledger);
/* The trust that holds in this event, and its name: "own", "strangers". */
bool ledger_has_strangers(const struct ledger *ledger);
const char *ledger_trust(const struct ledger *ledger);
const char *ledger_dice(const struct ledger *ledger); /* "keyed", "reproducible", "committed" */
/* The one that the event began with, when it was published and extended since. */
const struct bg_dice_key *ledger_first_key(const struct ledger *ledger);
bool ledger_has_later_key(const struct ledger *ledger); /* than that one */
int ledger_key_number(const struct ledger *ledger);     /* of the one in force, from 1 */
/* The key in force is published, and everybody can compute its dice: nothing may be played. */
bool ledger_key_is_public(const struct ledger *ledger);
void ledger_key_digest(char out[BG_KEY_HEX], const struct ledger *ledger);

/* A fixture that needs no more play: over, or marked unplayed. */
bool ledger_is_settled(const struct ledger *ledger, const struct fixture *fixture);
/* A fixture of which games are stored from before this run: its table has to be rebuilt. */
bool ledger_is_begun(const struct ledger *ledger, const struct fixture *fixture);
/* A leg of the game's pair is still to be played in this event. */
bool ledger_is_pair_open(const struct ledger *ledger, const struct store_game *game);
/* How often the pair was begun anew, a plan included. */
uint64_t ledger_attempt(const struct ledger *ledger, const struct fixture *fixture);
/* The pair of this fixture is to be begun anew: ledger_begin sets aside what is stored of it. Pairs
 * come in the order of the schedule. BG_E_MEMORY. */
enum bg_status ledger_plan_anew(struct ledger *ledger, const struct fixture *pair,
                                struct bg_error *err);
/* Pairs were planned: reads what is there once more, their games left out, as they are in all that
 * is told of past games. Before the first game. */
enum bg_status ledger_look_anew(struct ledger *ledger, struct bg_error *err);
/* Each pair that ledger_begin has set aside, by their numbers; returns how many. */
uint64_t ledger_each_anew(struct ledger *ledger,
                          void (*fn)(void *user, const struct store_attempt *attempt), void *user);
void ledger_settle(struct ledger *ledger, const struct fixture *fixture);
uint64_t ledger_settled(const struct ledger *ledger);
/* The same for one that is marked unplayed, and how many of the settled ones are. */
void ledger_give_up(struct ledger *ledger, const struct fixture *fixture);
uint64_t ledger_unplayed(const struct ledger *ledger);

/* Faults that a bot (by its index) was charged with before this run, failed starts left out. */
int ledger_faults(const struct ledger *ledger, int bot);

/* The games of pairs below `pairs` as a tally of the caller's. BG_E_STORE, BG_E_FORMAT,
 * BG_E_MEMORY.
 */
enum bg_status ledger_counted(struct tally *out, const struct ledger *ledger, uint64_t pairs,
                              struct bg_error *err);

/* The tally of durable games, and the lock under which the store's thread feeds it. */
const struct tally *ledger_lock_tally(struct ledger *ledger);
void ledger_unlock_tally(struct ledger *ledger);

/* From now on games that become durable are kept for ledger_take. Before the first game. */
void ledger_watch(struct ledger *ledger, bool thinking);
/* Those since the last call, once each, in the order in which they became durable. */
void ledger_take(struct ledger *ledger, ledger_game_fn fn, void *user);
/* Those of earlier runs, sorted as in the store. Before the first game. */
enum bg_status ledger_past(struct ledger *ledger, ledger_game_fn fn, void *user,
                           struct bg_error *err);
/* From now on judgements that become durable are kept for ledger_take_judged. */
void ledger_watch_judged(struct ledger *ledger);
/* As ledger_take; their games have been there before them. */
void ledger_take_judged(struct ledger *ledger, ledger_judged_fn fn, void *user);
/* What this judge said before, sorted as games in the store. */
enum bg_status ledger_past_judged(struct ledger *ledger, const char *judge, ledger_judged_fn fn,
                                  void *user, struct bg_error *err);

/* The fixtures that earlier runs have marked unplayed. */
enum bg_status ledger_past_unplayed(struct ledger *ledger,
                                    void (*fn)(void *user, const struct fixture *fixture,
                                               const char *bot, const char *why),
                                    void *user, struct bg_error *err);

/* The event has ended: the key and the root over all games are published in the results, and the
 * file of the key is removed. */
enum bg_status ledger_publish(char root[RECORD_HASH], struct ledger *ledger, struct bg_error *err);
/* Where the run fails: the file of the key is made again, if it went with the results. */
enum bg_status ledger_keep_key(struct ledger *ledger, struct bg_error *err);
/* Before it, when a test has ended the event before every fixture was played. */
enum bg_status ledger_decide(struct ledger *ledger, struct bg_error *err);

#endif
