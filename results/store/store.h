/* store.h - the interface of a results store, which keeps an event's records.
 *
 * One store is one results set of one event. Writes go through a queue to the store's own thread,
 * which commits in groups; a game is final once it is durable. Readers open the same database
 * read-only; this is safe while a referee writes. One thread uses a store (besides the store's
 * own); it reads what it has put. Implementation: store_sqlite.c (SQLite, WAL, synchronous FULL).
 */
#ifndef RESULTS_STORE_STORE_H
#define RESULTS_STORE_STORE_H

#include <stddef.h>

#include "act.h"
#include "judgement.h"
#include "encounter.h"
#include "record/duration_histogram.h"
#include "record/game_id.h"
#include "record/record.h"

struct run; /* store/run.h */
struct store_fault;

/* One finished game. A and B are the pair's bots, A < B by bytes; seats: in leg 0, A has seat 0. */
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
    enum bg_fault fault;      /* if end is BG_END_FAULT: the loser's fault */
    int turns;                /* turns played by both sides */
    int64_t score_a, score_b; /* match score after this game; money: this game's */
    bool match_over;          /* this game ended the match (money: always true) */
    int match_winner;         /* 0 A, 1 B, -1 */
    int64_t left_ns[2];       /* clocks of A and B after the game */
    int64_t at_s; /* when it ended: seconds since 1970, UTC; 0 unknown. Not part of the record. Read
                     only with the record */
    char hash[RECORD_HASH];
    char *text; /* the record; owned */
    size_t text_size;
    struct store_fault *evidence; /* the fault that ended it; NULL if none, and when read; owned */
};

/* Frees the game (from calloc) and its strings. Accepts NULL; the same below. */
void store_game_destroy(struct store_game *game);

/* Sets the fields that follow from the match behind the game: winner, points, level, end, fault,
 * turns, score, match. leg: decides the seats. The caller sets ids, clocks, hash and text. */
void store_game_result(struct store_game *game, const struct bg_match *match, int leg);

/* Evidence of a fault. Strings may be NULL. */
struct store_fault {
    char *game_id; /* NULL: outside a game */
    char *bot;
    enum bg_fault fault;
    uint64_t decision;
    char *rule; /* number of the broken rule */
    char *position_id, *xgid, *dice, *reply, *stderr_tail, *legal, *story;
    char *reproduce; /* commands, one per line: first shows the rules' verdict, then runs the bot
                        itself */
    uint64_t number; /* from 1, in order of arrival; set when read */
};

void store_fault_destroy(struct store_fault *fault);

/* A pair that has got other dice: its earlier games are set aside and do not count, or a game of it
 * was cut off and is played again. Lent. */
struct store_attempt {
    char *a, *b; /* A < B by bytes */
    uint64_t pair;
    uint64_t attempt; /* the attempt that began, from 1 */
    uint64_t games;   /* games set aside, from the attempt before; 0: a game was cut off */
    char *reason;
    char *at; /* UTC, "2026-11-22T08:30:00Z" */
};

/* What happened in an unfinished game since its last decision. */
struct store_steps {
    struct game_id game;
    int first;           /* how many steps of the game came before these; 0 without lines: it has
                            begun */
    char *lines;         /* the steps (record_timed_write), each ended by LF; owned */
    int64_t left_ns[2];  /* after them: the reserves of seats 0 and 1 ... */
    int64_t delay_ns[2]; /* ... and what is left of the delays (record/clock.h) */
    int on_clock;        /* the seat whose turn on the clock goes on; -1 none */
};

/* From calloc. Accepts NULL. */
void store_steps_destroy(struct store_steps *steps);

struct store;

/* A setting of the event or of the run; both lent. */
struct store_setting {
    const char *key, *value;
};

/* A fixture that will not be played; lent. bot: the reason; NULL none. */
struct store_unplayed {
    const char *fixture, *bot, *why;
};

/* Everything that is stored at once; all lent. */
struct store_change {
    const struct store_setting *settings;
    size_t setting_count;
    /* Pairs to set aside: their games and evidence leave the games and the tally, their judgements
     * are deleted, and their next attempt begins. Fixtures marked unplayed stay so. */
    const struct game_id *pairs;
    size_t pair_count;
    const struct game_id *again; /* a pair that gets other dice, and keeps its games; NULL none */
    const char *reason, *at;     /* for these pairs, and that one; at: as in struct store_attempt */
    const char *reinstated;      /* a bot: reopens the fixtures given up because of it; NULL none */
    const struct act *acts;      /* rows of the journal */
    size_t act_count;
    const struct store_unplayed *unplayed;
    size_t unplayed_count;
};

/* Called by the readers below for each stored game; the game is lent. Return false to stop. */
typedef bool (*store_game_fn)(void *user, const struct store_game *game);

/* Called for a row of the journal, which is lent. Return false to stop. */
typedef bool (*store_act_fn)(void *user, const struct act *act);

/* The same for a game that was set aside; attempt: in which it was played, from 0. */
typedef bool (*store_aside_fn)(void *user, const struct store_game *game, uint64_t attempt);

/* The same with the judge's judgement of the game; text is NULL. Both are lent. */
typedef bool (*store_judgement_fn)(void *user, const struct store_game *game,
                                   const struct judgement *judgement);

/* The sums of two bots' games, A < B by bytes; all lent. Return false to stop. */
typedef bool (*store_encounter_fn)(void *user, const char *a, const char *b, int length_points,
                                   const struct encounter *total);

/* A run of two bots' games; it is lent. Return false to stop. */
typedef bool (*store_run_fn)(void *user, const struct run *run);

/* Steps of an unfinished game, lent. Return false to stop. */
typedef bool (*store_steps_fn)(void *user, const struct store_steps *steps);

/* When a leg's last game ended (at_s of struct store_game); lent. Return false to stop. */
typedef bool (*store_date_fn)(void *user, const struct game_id *leg, int64_t at_s);

/* How many games a bot lost by a fault. Return false to stop. */
typedef bool (*store_lost_fn)(void *user, const char *bot, enum bg_fault fault, uint64_t games);

/* The name of a judge, and how many games it has judged. */
typedef void (*store_judge_fn)(void *user, const char *judge, uint64_t games);

typedef void (*store_setting_fn)(void *user, const char *key, const char *value);
typedef void (*store_unplayed_fn)(void *user, const char *fixture, const char *bot,
                                  const char *why);
typedef void (*store_fault_fn)(void *user, const struct store_fault *fault);
typedef void (*store_attempt_fn)(void *user, const struct store_attempt *attempt);

/* Called on the store's thread for each game that has become durable; the game is lent. */
typedef void (*store_durable_fn)(void *user, const struct store_game *game);

/* Called on the store's thread for each judgement that has become durable; it is lent. */
typedef void (*store_judged_fn)(void *user, const struct judgement *judgement);

/* What `each` reads, and the order of its rows. */
enum store_rows {
    STORE_SETTINGS,   /* whose keys begin with name; by key */
    STORE_GAMES,      /* by (a, b, pair, leg, game). of: those of this leg, with records; with a
                         limit: at most so many games of its two bots that come after it (leg -1:
                         from leg 0 on). full: with records */
    STORE_SET_ASIDE,  /* the games that were set aside, by (a, b, pair, attempt, leg, game), with
                         records. Other readers skip them */
    STORE_ATTEMPTS,   /* restarted pairs, by (a, b, pair, attempt) */
    STORE_UNPLAYED,   /* fixtures marked so, by (a, b, pair, leg) */
    STORE_FAULTS,     /* in order of arrival, without the evidence of games that were set aside */
    STORE_ACTS,       /* the journal, by number */
    STORE_STEPS,      /* of unfinished games, by game and first. of: of this game */
    STORE_DATES,      /* when legs ended, by (a, b, pair, leg): limit 0: of every leg; else of the
                         first leg of a pair, with at least so many pairs between two of one
                         encounter left out. A row costs a search, not a read of the games */
    STORE_JUDGES,     /* by name */
    STORE_JUDGEMENTS, /* of the judge `name`, as games. of: of this leg's games */
    /* Durable games with records, at most `limit`, that the judge `name` has not judged (full: or
     * only without choices) and that come after *cursor. *cursor begins at 0 and moves behind each
     * game before fn is called, so fn may keep that place; later games come after it. name NULL:
     * every game. Never waits for the queue. */
    STORE_UNJUDGED,
    /* Every game in short form, sorted as games; kept with them, and built from them if they are
     * missing or were changed by another program. full: with the sums of the records. BG_E_FORMAT:
     * a game that a run cannot hold. */
    STORE_RUNS,
    /* The tally kept with the games in the same transactions: every encounter by (a, b), then every
     * bot's faults (lost). *kept is false, and nothing is called, if the tally was changed by
     * another program: then count the games. */
    STORE_TALLY,
    STORE_ROWS
};

/* All lent; fields that the rows do not name are not used. */
struct store_query {
    enum store_rows rows;
    const struct game_id *of; /* NULL: all */
    const char *name;
    bool full;
    int64_t *cursor;
    int limit;
    bool *kept;
    union {
        store_setting_fn setting;
        store_game_fn game; /* also of unjudged games */
        store_aside_fn aside;
        store_attempt_fn attempt;
        store_unplayed_fn unplayed;
        store_fault_fn fault;
        store_act_fn act;
        store_steps_fn steps;
        store_date_fn date;
        store_judge_fn judge;
        store_judgement_fn judgement;
        store_run_fn run;
        store_encounter_fn encounter;
    } fn;
    store_lost_fn lost;
    void *user;
};

/* What is written. */
enum store_item_kind {
    /* A known game id with the same hash is ignored; with a different hash it is an error that
     * `settled` returns. The game's evidence becomes durable together with the game, so a game that
     * is lost and played again leaves none. */
    STORE_ITEM_GAME,
    STORE_ITEM_FAULT, /* outside of games */
    /* Replaces the same judge's earlier judgement of the same record. Changes nothing else. */
    STORE_ITEM_JUDGEMENT,
    STORE_ITEM_META,
    STORE_ITEM_UNPLAYED, /* marks a fixture "A|B|pair|leg", with the bot and the reason */
    STORE_ITEM_ASIDE,
    STORE_ITEM_AGAIN,
    STORE_ITEM_REOPEN,
    STORE_ITEM_ACT,
    /* Steps of a game that is being played, committed as soon as possible. The game itself deletes
     * them when it is put, and so does setting its pair aside; NULL deletes the steps of all games.
     * Not part of root, seal or exports. */
    STORE_ITEM_STEPS
};

/* One item to write. */
struct store_item {
    enum store_item_kind kind;
    bool is_new; /* game: its id was not stored before; set while writing */
    union {
        struct store_game *game;
        struct store_fault *fault;
        struct judgement *judgement;
        struct act *act;
        struct store_steps *steps;
        struct {
            /* meta: key, value; unplayed: fixture, bot, why; aside: pair, reason, time;
             * reopen: bot */
            char *first, *second, *third;
        } text;
    } as;
};

/* Frees the item's contents. */
void store_item_free(struct store_item *item);

/* The items that a store has yet to write, in order. Not thread safe: the caller locks. */
struct store_queue {
    struct store_item *item;
    size_t count, room;
};

/* Frees the items and keeps the memory. */
void store_queue_clear(struct store_queue *queue);
void store_queue_deinit(struct store_queue *queue);

/* Copies *item to the end and takes its contents. */
void store_queue_add(struct store_queue *queue, const struct store_item *item);

/* Who hears of what becomes durable, on the store's thread, before settled and flush report it. */
struct store_listener {
    store_durable_fn game;  /* once for every new game, not for ids that were there before */
    store_judged_fn judged; /* for every judgement that was put */
    void *user;
};

struct store_ops {
    void (*destroy)(struct store *store);

    /* Copies a setting of the event or of the run into out ("" and BG_OK with *found false if there
     * is none). */
    enum bg_status (*meta_get)(struct store *store, const char *key, char *out, size_t room,
                               bool *found, struct bg_error *err);
    /* Calls the query's function for its rows. */
    enum bg_status (*each)(struct store *store, const struct store_query *query,
                           struct bg_error *err);

    /* Queues a game, a fault, a judgement, an unplayed fixture or steps; takes what is in the item,
     * also on failure. */
    enum bg_status (*put)(struct store *store, struct store_item *item, struct bg_error *err);
    /* Stores everything or, on failure, nothing; durable on return. BG_E_MISMATCH: the number of an
     * act does not follow the last row's. BG_E_TIMEOUT: it stays queued, as everything does. The
     * hashes of acts are the caller's. */
    enum bg_status (*change)(struct store *store, const struct store_change *change,
                             struct bg_error *err);

    /* Sets the one listener, which is copied, before the first put; NULL: none. The user guards its
     * own data. */
    void (*listen)(struct store *store, const struct store_listener *listener);
    /* Counts what was put since the store was opened, and how much of it is durable: the first
     * ones, since everything becomes durable in the order in which it was put. commits: how long
     * the commits of this run took. Each may be NULL. */
    void (*progress)(struct store *store, uint64_t *put, uint64_t *durable,
                     struct duration_histogram *commits);
    /* settled_fd: a descriptor for a poll loop, readable when queued work has become durable (or
     * failed); -1 if none. settled clears it, and returns the number of games durable since the
     * store was opened and whether writing failed. BG_E_TIMEOUT: no space or no access; everything
     * stays queued and is tried again each second and on flush. BG_E_STORE is final: a game id with
     * a different hash, or a database that is damaged, removed or replaced (settled checks this, so
     * call it now and then). */
    int (*settled_fd)(struct store *store);
    enum bg_status (*settled)(struct store *store, uint64_t *durable_games, struct bg_error *err);
    /* Waits until everything queued is durable or an attempt has failed; statuses as for
     * settled. */
    enum bg_status (*flush)(struct store *store, struct bg_error *err);

    /* While on, all readers see the store as it is at this call. */
    enum bg_status (*snapshot)(struct store *store, bool on, struct bg_error *err);
    /* Checks the store itself, not the contents of its rows. BG_E_MISMATCH: the message has the
     * defect. seals false: nothing is damaged; true: this program wrote every row, and none is
     * missing. */
    enum bg_status (*check)(struct store *store, bool seals, struct bg_error *err);
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

/* Queries, changes and items with few parts. leg_games: with records. */

enum bg_status store_meta_each(struct store *store, const char *prefix, store_setting_fn fn,
                               void *user, struct bg_error *err);
/* Reads one setting; "" if it is not set. */
enum bg_status store_meta_text(char *out, size_t room, struct store *store, const char *key,
                               struct bg_error *err);
enum bg_status store_leg_games(struct store *store, const char *a, const char *b, uint64_t pair,
                               int leg, store_game_fn fn, void *user, struct bg_error *err);
/* Calls fn for at most `limit` games of two bots that come after `after`. */
enum bg_status store_games_after(struct store *store, const struct game_id *after, int limit,
                                 bool with_text, store_game_fn fn, void *user,
                                 struct bg_error *err);
enum bg_status store_all_games(struct store *store, bool with_text, store_game_fn fn, void *user,
                               struct bg_error *err);
/* Adds the number of games to *count. */
enum bg_status store_count_games(uint64_t *count, struct store *store, struct bg_error *err);
enum bg_status store_all_set_aside(struct store *store, store_aside_fn fn, void *user,
                                   struct bg_error *err);
enum bg_status store_all_attempts(struct store *store, store_attempt_fn fn, void *user,
                                  struct bg_error *err);
enum bg_status store_all_unplayed(struct store *store, store_unplayed_fn fn, void *user,
                                  struct bg_error *err);
enum bg_status store_all_faults(struct store *store, store_fault_fn fn, void *user,
                                struct bg_error *err);
enum bg_status store_all_acts(struct store *store, store_act_fn fn, void *user,
                              struct bg_error *err);
enum bg_status store_each_steps(struct store *store, const struct game_id *game, store_steps_fn fn,
                                void *user, struct bg_error *err);
enum bg_status store_each_judge(struct store *store, store_judge_fn fn, void *user,
                                struct bg_error *err);
enum bg_status store_each_judgement(struct store *store, const char *judge, store_judgement_fn fn,
                                    void *user, struct bg_error *err);
/* The same of the games of one leg. */
enum bg_status store_leg_judgements(struct store *store, const struct game_id *leg,
                                    const char *judge, store_judgement_fn fn, void *user,
                                    struct bg_error *err);
enum bg_status store_each_date(struct store *store, int limit, store_date_fn fn, void *user,
                               struct bg_error *err);
enum bg_status store_all_runs(struct store *store, bool with_sums, store_run_fn fn, void *user,
                              struct bg_error *err);
enum bg_status store_tally(struct store *store, bool *kept, store_encounter_fn encounter_fn,
                           store_lost_fn lost_fn, void *user, struct bg_error *err);

enum bg_status store_put_game(struct store *store, struct store_game *take, struct bg_error *err);
enum bg_status store_put_fault(struct store *store, struct store_fault *take, struct bg_error *err);
enum bg_status store_put_judgement(struct store *store, struct judgement *take,
                                   struct bg_error *err);
enum bg_status store_put_steps(struct store *store, struct store_steps *take, struct bg_error *err);
enum bg_status store_put_unplayed(struct store *store, const char *fixture, const char *bot,
                                  const char *why, struct bg_error *err);
enum bg_status store_put_acts(struct store *store, const struct act *acts, size_t count,
                              struct bg_error *err);
enum bg_status store_meta_set(struct store *store, const char *key, const char *value,
                              struct bg_error *err);

/* In meta while the database is open for writing, and after a kill. */
#define STORE_OPEN "store.open"
/* In meta if a log was missing at an opening: "new", or "told" once a user was informed. */
#define STORE_LOG_LOST "store.log_lost"

/* In meta before a pair's name: A's and B's commitments for committed dice, one line per draw; more
 * than one line means that dice were drawn again. */
#define COMMIT_BOUND "bound."

/* Opens for writing; creates the file and its folders if needed. One writer at a time. BG_E_BUSY:
 * the message has the writing process, if it opened the file under this name. BG_E_ARGUMENT: a
 * folder, a foreign file, or a database of another schema version; BG_E_STORE: damaged, or a file
 * with several names. */
enum bg_status store_sqlite_open(struct store **out, const char *path, struct bg_error *err);

/* Opens an existing database for reading only. BG_E_ARGUMENT: no such file; BG_E_STORE as above. */
enum bg_status store_sqlite_open_read(struct store **out, const char *path, struct bg_error *err);

/* Readers that this process opens from now on wait for no lock and for no query longer; what takes
 * longer is BG_E_TIMEOUT. 0: as long as it takes, as at first. */
void store_sqlite_patience(int64_t query_ns);

/* Readers that this process opens from now on by this path see only what everybody may: games that
 * ended delay_s seconds ago, pairs of which both legs are over, and of a fault its kind. Sums over
 * games (runs, the tally) still have all. */
void store_sqlite_release(const char *path, int64_t delay_s);
bool store_sqlite_is_released(const char *path); /* whether that was said of it */

/* Copies a database while an event writes to it: as it is in the reader's snapshot, in one file
 * without a log and without the mark of being open (STORE_OPEN), so it can be used in the place of
 * the database at once. from: opened by store_sqlite_open_read, with its snapshot on; while the
 * copy is made, other processes read and write as usual. path: a new or empty file; it is
 * overwritten. Makes 256 pages at a time and pauses as long as they took, so that it uses at most
 * half of the disk's time. Not yet on the disk when it returns: call fsync. BG_E_STORE: the message
 * has the file. */
enum bg_status store_sqlite_copy(struct store *from, const char *path, struct bg_error *err);

#endif
