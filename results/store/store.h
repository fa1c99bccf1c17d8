/* store.h - where records live.
 *
 * One store is one results set of one event. Writing goes through a queue to the store's own
 * thread, which commits in groups; a game counts as final once it is durable. Reading opens the
 * same database read-only and is safe while a referee writes. A store is used by one thread (beside
 * its own); what that thread has put, it reads.
 * Implementations: store_sqlite.c (SQLite, WAL, synchronous FULL), tests/support/store_memory.c.
 */
#ifndef RESULTS_STORE_STORE_H
#define RESULTS_STORE_STORE_H

#include <stddef.h>

#include "judgement.h"
#include "encounter.h"
#include "record/record.h"

struct game_id;
struct run; /* store/run.h */
struct store_fault;

/* One finished game. A and B are the pair's bots, A < B by bytes; seats: leg 0 has A on seat 0. */
struct store_game {
    char *id;    /* "A|B|pair|leg|game"; owned */
    char *a, *b; /* owned */
    uint64_t pair;
    int leg, game;
    int length_points; /* 0 money */
    int winner;        /* 0 A, 1 B, -1 drawn */
    int64_t points;    /* won by winner */
    int level;
    enum bg_end end;
    enum bg_fault fault;      /* when end is BG_END_FAULT: by the loser */
    int turns;                /* turns played, both sides */
    int64_t score_a, score_b; /* after this game, in the match; money: this game's */
    bool match_over;          /* this game ended the match (money: always true) */
    int match_winner;         /* 0 A, 1 B, -1 */
    int64_t left_ns[2];       /* clocks of A and B after the game */
    char hash[RECORD_HASH];
    char *text; /* the record; owned */
    size_t text_size;
    struct store_fault *evidence; /* of the fault that ended it; NULL none, and when read; owned */
};

/* Frees the game (from calloc), its strings included. NULL is fine; so below. */
void store_game_destroy(struct store_game *game);

/* Sets what follows from the match behind the game: winner, points, level, end, fault, turns,
 * score, match. leg: who sits where. Ids, clocks, hash and text are the caller's. */
void store_game_result(struct store_game *game, const struct bg_match *match, int leg);

/* Evidence of a fault. Strings may be NULL. */
struct store_fault {
    char *game_id; /* NULL: outside a game */
    char *bot;
    enum bg_fault fault;
    uint64_t decision;
    char *rule; /* number of the broken rule */
    char *position_id, *xgid, *dice, *reply, *stderr_tail, *legal, *story;
    char *reproduce; /* commands, one a line: the verdict of the rules, then the bot itself */
    uint64_t number; /* from 1, in the order of coming; set when read */
};

void store_fault_destroy(struct store_fault *fault);

/* A whole pair was begun anew: its games until then are set aside and count for nothing. Lent. */
struct store_attempt {
    char *a, *b; /* A < B by bytes */
    uint64_t pair;
    uint64_t attempt; /* that began with it, from 1 */
    uint64_t games;   /* set aside by it, of the attempt before */
    char *reason;
    char *at; /* UTC, "2026-11-22T08:30:00Z" */
};

struct store;

/* A setting of the event or of the run; both lent. */
struct store_setting {
    const char *key, *value;
};

/* What is stored at once; all lent. */
struct store_change {
    const struct store_setting *settings;
    size_t setting_count;
    const struct game_id *pairs; /* that are set aside, as by set_aside */
    size_t pair_count;
    const char *reason, *at; /* of these */
    const char *reinstated;  /* a bot: what was given up for its sake is open again; NULL none */
};

/* Called for each stored game by the readers below; the game is lent. Return false to stop. */
typedef bool (*store_game_fn)(void *user, const struct store_game *game);

/* The same for a game that was set aside, with the attempt in which it was played, from 0. */
typedef bool (*store_aside_fn)(void *user, const struct store_game *game, uint64_t attempt);

/* The same with what a judge said of the game; text is NULL. Both are lent. */
typedef bool (*store_judgement_fn)(void *user, const struct store_game *game,
                                   const struct judgement *judgement);

/* What two bots have played, A < B by bytes; all lent. Return false to stop. */
typedef bool (*store_encounter_fn)(void *user, const char *a, const char *b, int length_points,
                                   const struct encounter *total);

/* What two bots have played of a few pairs; it is lent. Return false to stop. */
typedef bool (*store_run_fn)(void *user, const struct run *run);

/* How many games a bot lost by a fault; likewise. */
typedef bool (*store_lost_fn)(void *user, const char *bot, enum bg_fault fault, uint64_t games);

/* Called for each game that has become durable, on the store's thread; the game is lent. */
typedef void (*store_durable_fn)(void *user, const struct store_game *game);

/* Called for each judgement that has become durable, on the store's thread; it is lent. */
typedef void (*store_judged_fn)(void *user, const struct judgement *judgement);

struct store_ops {
    void (*destroy)(struct store *store);

    /* Settings of the event and of the run, as text. get copies into out ("" and BG_OK with
     * *found false when there is none). set is durable on return. */
    enum bg_status (*meta_get)(struct store *store, const char *key, char *out, size_t room,
                               bool *found, struct bg_error *err);
    enum bg_status (*meta_set)(struct store *store, const char *key, const char *value,
                               struct bg_error *err);
    /* Stores all of it or, on failure, none; durable on return. */
    enum bg_status (*change_all)(struct store *store, const struct store_change *change,
                                 struct bg_error *err);
    /* All keys with this prefix in order. */
    enum bg_status (*meta_each)(struct store *store, const char *prefix,
                                void (*fn)(void *user, const char *key, const char *value),
                                void *user, struct bg_error *err);

    /* Queues a finished game (takes it, also on failure). A game id that is already there with the
     * same hash is ignored; with another it is an error that `settled` returns. Its evidence
     * becomes durable with it: a game that is lost and played again leaves none behind. */
    enum bg_status (*put_game)(struct store *store, struct store_game *take, struct bg_error *err);
    /* For what is charged outside of games. */
    enum bg_status (*put_fault)(struct store *store, struct store_fault *take,
                                struct bg_error *err);
    /* Marks a fixture "A|B|pair|leg" unplayed, with the reason and the bot. */
    enum bg_status (*put_unplayed)(struct store *store, const char *fixture, const char *bot,
                                   const char *why, struct bg_error *err);

    /* Sets a pair "A|B|pair" aside as a whole: what is stored of it, with its evidence, leaves the
     * games and the tally, its judgements go, and its next attempt begins. All or nothing, durable
     * on return. What is marked unplayed stays so. at: as in struct store_attempt. */
    enum bg_status (*set_aside)(struct store *store, const char *pair, const char *reason,
                                const char *at, struct bg_error *err);

    /* Queues a judgement (takes it, also on failure). It replaces the same judge's earlier
     * judgement of the same record. Judgements change nothing else. */
    enum bg_status (*put_judgement)(struct store *store, struct judgement *take,
                                    struct bg_error *err);

    /* Has fn called once for every game that is newly durable (not for ids that were there before),
     * on the store's thread, before settled and flush report it. Set before the first put; the
     * user guards its own data. */
    void (*on_durable)(struct store *store, store_durable_fn fn, void *user);

    /* Has fn called once for every judgement that is put and durable, likewise. */
    void (*on_judged)(struct store *store, store_judged_fn fn, void *user);

    /* A descriptor readable when queued work has become durable (or failed), for a poll loop; -1
     * when none. settled clears it and returns how many games are durable since the store was
     * opened and whether writing failed. BG_E_TIMEOUT: it failed for want of space or access; all
     * stays queued and is tried again each second and on flush. BG_E_STORE is for good: a game id
     * met with another hash; a database that is damaged, or was removed or replaced (settled looks,
     * so it is called now and then). */
    int (*settled_fd)(struct store *store);
    enum bg_status (*settled)(struct store *store, uint64_t *durable_games, struct bg_error *err);

    /* Waits until everything queued is durable or an attempt has failed; statuses as settled. */
    enum bg_status (*flush)(struct store *store, struct bg_error *err);

    /* Games of one leg in order of `game`, records included. */
    enum bg_status (*leg_games)(struct store *store, const char *a, const char *b, uint64_t pair,
                                int leg, store_game_fn fn, void *user, struct bg_error *err);
    /* Every game sorted by (a, b, pair, leg, game); text NULL unless with_text. */
    enum bg_status (*all_games)(struct store *store, bool with_text, store_game_fn fn, void *user,
                                struct bg_error *err);
    /* The tally that is kept with the games, in the same transactions: every encounter sorted by
     * (a, b), then every fault of every bot. *kept is false, and nothing is called, where none is
     * kept (a database from before there was one, opened for reading) or it is not the one that was
     * written (somebody changed it): count the games. */
    enum bg_status (*tally)(struct store *store, bool *kept, store_encounter_fn encounter_fn,
                            store_lost_fn lost_fn, void *user, struct bg_error *err);
    /* The runs that are kept with the games, likewise: every game in short, sorted as all_games.
     * They are made of the games where none are kept, or others than were written. with_sums: with
     * what the records say. BG_E_FORMAT: a game that no run can hold. */
    enum bg_status (*all_runs)(struct store *store, bool with_sums, store_run_fn fn, void *user,
                               struct bg_error *err);
    /* Fixtures marked unplayed, sorted. */
    enum bg_status (*all_unplayed)(struct store *store,
                                   void (*fn)(void *user, const char *fixture, const char *bot,
                                              const char *why),
                                   void *user, struct bg_error *err);
    /* Without the evidence of games that were set aside. */
    enum bg_status (*all_faults)(struct store *store,
                                 void (*fn)(void *user, const struct store_fault *fault),
                                 void *user, struct bg_error *err);

    /* Every pair that was begun anew, sorted by (a, b, pair, attempt). */
    enum bg_status (*all_attempts)(struct store *store,
                                   void (*fn)(void *user, const struct store_attempt *attempt),
                                   void *user, struct bg_error *err);
    /* The games that were set aside, sorted by (a, b, pair, attempt, leg, game), records included.
     * No other reader shows them. */
    enum bg_status (*all_set_aside)(struct store *store, store_aside_fn fn, void *user,
                                    struct bg_error *err);

    /* What this judge said, with the games, sorted as all_games. */
    enum bg_status (*each_judgement)(struct store *store, const char *judge, store_judgement_fn fn,
                                     void *user, struct bg_error *err);
    /* Who has judged, by name, and how many games each. */
    enum bg_status (*each_judge)(struct store *store,
                                 void (*fn)(void *user, const char *judge, uint64_t games),
                                 void *user, struct bg_error *err);
    /* At most `limit` durable games, records included, that this judge has not judged
     * (with_choices: or without choices) and that come behind *cursor, which moves behind those it
     * has shown; it begins at 0, and games that become durable later come behind it. fn finds it
     * moved behind the game it is shown, and may keep that place. judge NULL: every game. Never
     * waits for what is queued. */
    enum bg_status (*unjudged)(struct store *store, const char *judge, bool with_choices,
                               int64_t *cursor, int limit, store_game_fn fn, void *user,
                               struct bg_error *err);

    /* Until it is switched off, all readers see the store as it is now. */
    enum bg_status (*snapshot)(struct store *store, bool on, struct bg_error *err);
    /* Checks the store itself, not the content of its rows. BG_E_MISMATCH names the fault.
     * check_whole: nothing is damaged. check_seal: each row is one that this program wrote, none is
     * missing; *sealed false: it is from before rows were sealed. */
    enum bg_status (*check_whole)(struct store *store, struct bg_error *err);
    enum bg_status (*check_seal)(struct store *store, bool *sealed, struct bg_error *err);
};

struct store {
    const struct store_ops *ops;
};

static inline void store_destroy(struct store *store)
{
    if (store != NULL) {
        store->ops->destroy(store);
    }
}

/* In meta while the database is open for writing, and after a kill. */
#define STORE_OPEN "store.open"
/* In meta when a log was missing at an opening: "new", and "told" once a person knows. */
#define STORE_LOG_LOST "store.log_lost"

/* In meta before a pair's name: digests that A and B bound themselves to for committed dice, a line
 * each time; dice of more than one line were drawn again. */
#define COMMIT_BOUND "bound."

/* Opens for writing, creating file and folders when needed. One writer at a time: BG_E_BUSY names
 * the process that has it, if it does so under this name. BG_E_ARGUMENT: a folder, a file that is
 * not ours or from a newer version; BG_E_STORE: damaged, or a file of several names. */
enum bg_status store_sqlite_open(struct store **out, const char *path, struct bg_error *err);

/* Opens an existing database for reading only. BG_E_ARGUMENT: there is no such file; BG_E_STORE as
 * above. */
enum bg_status store_sqlite_open_read(struct store **out, const char *path, struct bg_error *err);

#endif
