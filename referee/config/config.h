/* config.h - event and bots files, and the settings of a run.
 *
 * The event file is YAML with one table of keys (config/keys.c); every message names file:line:key.
 * Command line flags override the file, the file overrides defaults.
 */
#ifndef REFEREE_CONFIG_CONFIG_H
#define REFEREE_CONFIG_CONFIG_H

#include <bgref/match.h>

#include <stdbool.h>
#include <stdint.h>

#include "record/clock.h"
#include "bot/competitor.h"
#include "season/plan.h"
#include "season/terms.h"
#include "store/entry.h"
#include "affinity.h"

/* Whether bots are confined (sandbox.h). */
enum config_sandbox {
    CONFIG_SANDBOX_OFF,
    CONFIG_SANDBOX_AUTO, /* if it works */
    CONFIG_SANDBOX_ON,   /* otherwise nothing starts */
    CONFIG_SANDBOX_COUNT
};

/* What spectators see of games, and when (besides the rules of duplicate pairs). */
enum config_broadcast {
    CONFIG_BROADCAST_MOVES,   /* running games, step by step */
    CONFIG_BROADCAST_GAMES,   /* games that have ended */
    CONFIG_BROADCAST_RESULTS, /* no games, only what follows from them */
    CONFIG_BROADCAST_COUNT
};

/* How the event's bots relate to each other: whether a process may play both legs of a pair, and
 * so know its opponent's rolls of the second leg. */
enum config_trust {
    CONFIG_TRUST_AUTO,      /* strangers if bots are confined or dice are committed, else own */
    CONFIG_TRUST_OWN,       /* one author's bots: it may */
    CONFIG_TRUST_STRANGERS, /* single games: no process meets dice twice */
    CONFIG_TRUST_COUNT
};

/* A sequential test of a duel: h0 and h1 are the first bot's results against the second. */
enum config_sprt_unit {
    CONFIG_SPRT_PPG,        /* points a game, in money play */
    CONFIG_SPRT_FIBS,       /* FIBS points: rating differences at the length of the matches */
    CONFIG_SPRT_CHESS,      /* chess Elo of the share of matches won: 400 points a decade */
    CONFIG_SPRT_NORMALISED, /* normalised Elo: 800/ln 10 times mean / deviation of a game */
    CONFIG_SPRT_UNITS
};
enum config_sprt_model {
    CONFIG_SPRT_AUTO, /* depends on what is played (feed/sequential.h) */
    CONFIG_SPRT_NORMAL,
    CONFIG_SPRT_BINOMIAL,
    CONFIG_SPRT_MULTINOMIAL
};

struct config_sprt {
    bool on;
    enum config_sprt_unit unit; /* of h0 and h1 */
    double h0, h1;              /* h0 < h1 */
    double alpha, beta;
    enum config_sprt_model model;
    bool luck;             /* uses luck-adjusted results */
    uint64_t min_clusters; /* before the first test */
};

/* Positions from which pairs begin (config/openings.h). */
enum config_openings_format {
    CONFIG_OPENINGS_AUTO, /* recognised for each line */
    CONFIG_OPENINGS_XGID,
    CONFIG_OPENINGS_POSITION /* Position IDs, or the notation of every game */
};

struct config_openings {
    char file[900]; /* "": none, games begin from the set-up */
    enum config_openings_format format;
    bool random;    /* in an order from the event's key, else in the file's */
    bool skips_bad; /* lines that cannot be read are left out, else they are an error */
    uint64_t start; /* number of positions to skip first */
};

/* What happens to a bot whose program or version is another one than at its last game. */
enum config_revisions {
    CONFIG_REVISIONS_FREEZE, /* it is refused */
    CONFIG_REVISIONS_SAME,   /* it goes on under its name, and is marked */
    CONFIG_REVISIONS_COUNT
};

/* How remote bots reach the event (config/door_value.h). */
struct config_door {
    char listen[200],
        address[200];            /* "tcp://ADDRESS:PORT"; listen "": no door; address "": the same
                                  */
    char key[1000], allow[1000]; /* files: the host's secret key, the bots' public keys */
    char file[1024];             /* HOST.bgref, which is written */
    char bans[1024];   /* who is kept out (door/ban_list.h); "" none; of the command line */
    int lender;        /* descriptor of a host that lends its door; -1: not open yet; 0:
                        * none, as bans */
    int64_t appear_ns; /* most time for a bot to appear, or to come back */
    int64_t grace_ns;  /* ... to come back while it plays and owes no answer */
    int64_t back_ns;   /* an event that a signal ends is expected to go on so soon */
    int per_address, connections; /* most TCP connections of one address, and in all; 0: default */
};

/* The most games of a sequential test, unless the event sets another limit. */
#define CONFIG_SPRT_GAMES UINT64_C(200000)

/* The source of a key's value: config_event.given. */
enum { CONFIG_DEFAULT = 0, CONFIG_FLAG = -1 /* or the line of the file, from 1 */ };
enum {
    CONFIG_KEYS_MAX = 72,
    CONFIG_SEEDS = 2048,
};

/* Pair numbers of two bots are below this in an event that is paired while it runs. */
#define CONFIG_PAIRS_MOST (UINT64_C(1) << 24)

/* Checks a user's text for a judge. BG_E_ARGUMENT: the text of err has the error. */
typedef enum bg_status (*config_judge_fn)(const char *text, struct bg_error *err);

struct config_event {
    char name[NAME_SIZE];
    struct about about;      /* what people read above its tables */
    char file[1024];         /* the event file, "" none */
    char results[1024];      /* path of the database */
    struct competitor *bots; /* owned */
    int bot_count;
    size_t bot_room;
    struct bg_rules rules;
    uint64_t pairs; /* for each pairing; with a schedule, where it does not say what is played */
    char schedule[PLAN_TEXT];      /* the form of the event; "": a round robin without rounds */
    char conditions[CONFIG_SEEDS]; /* by pairing, "A,B cube=off; ..." (season/terms.h); "" none */
    char seeds[CONFIG_SEEDS];      /* "lot", "entry", "rating=FILE.db", or names with commas */
    char
        *rated; /* owned; seeds rating=FILE.db: its names, best first, with commas; NULL not read */
    bool duplicate; /* duplicate pairs (default of own bots), or single games */
    struct clock_control clock;
    int64_t margin_ns;
    int64_t ceiling_ns;       /* 60 s */
    int64_t start_ns;         /* 30 s */
    int64_t new_game_ns;      /* 5 s */
    int64_t store_wait_ns;    /* 10 min */
    int concurrency;          /* tables at once; default cores */
    int instances;            /* processes a bot; default min(concurrency, cores) */
    struct affinity affinity; /* cores of the bots' processes; off */
    int quarantine;           /* faults after which a bot is quarantined; 5 */
    bool strict;              /* stop at the first fault, exit 4 */
    bool absent_unplayed; /* a bot that never starts leaves its fixtures unplayed; false: exit 3 */
    enum config_revisions revisions; /* of programs */
    int open_files;                  /* most open files of a bot's process; 0 DESCRIPTORS_BOT */
    uint64_t memory_bytes;           /* memory limit for a bot's processes together, 0 no limit */
    bool drop_thoughts;              /* what bots tell of their thoughts is not stored */
    bool durable_decision; /* every decision survives a kill; false: every finished game */
    bool commit;           /* dice to which both bots contribute */
    bool manual_dice;      /* people roll at a board, and both operators say the dice */
    enum config_sandbox sandbox;
    enum config_trust trust; /* as requested; the ledger has what is in force */
    char key_file[1024];     /* file with 32 bytes that a new event uses as its key; "" random */
    bool fresh;              /* old results are kept under another name; the event begins again */
    bool accept_changed;     /* a bot that changed since its last game may continue, and is
                              * marked */
    bool has_seed;
    uint64_t seed;
    enum config_sandbox judge_sandbox; /* of the judge; CONFIG_SANDBOX_AUTO */
    char judge[1024];                  /* judge of the games during play (judge.h), "" none */
    /* Checks a judge's value (judge_check, which lies in a higher room). Set after
     * config_event_init, before anything is read; NULL: any text is accepted. */
    config_judge_fn judge_check;
    int rating_interval_s;     /* seconds between table prints, 0: none */
    uint64_t rating_interval;  /* chess lines: games between ratings, 0: none */
    uint64_t score_interval;   /* likewise scores */
    uint64_t outcome_interval; /* likewise outcomes */
    bool chess_lines;          /* prints lines on stdout for scripts of chess harnesses */
    char metrics[1024];        /* file of numbers for monitoring; "" none */
    char events[1024];         /* target of the event stream: file, fd:N, -; "" none */
    char gallery[1024];      /* socket file of a host's pages, if it has none of its own; "" none */
    char page[1024];         /* "tcp://ADDRESS:PORT" of its pages; "" none */
    char *const *page_words; /* more words of their command, a NULL at the end; lent; NULL */
    bool browser;            /* opens them in this desktop's browser */
    int64_t broadcast_delay_ns;      /* nothing younger is shown */
    enum config_broadcast broadcast; /* what is shown */
    int broadcast_spectators;        /* streams at once */
    char broadcast_proxy[1024];      /* a network whose word for an address counts; "" none */
    struct config_sprt sprt;         /* of a duel */
    struct config_openings openings;
    struct openings *positions; /* owned; the positions of `openings`, NULL before
                                 * config_event_load */
    struct config_door door;
    bool exit_verdict;          /* its outcome is the exit status */
    int given[CONFIG_KEYS_MAX]; /* by row of the table of keys (config/keys.c) */
};

struct registry;

/* "on", "off", "auto"; false: none of them. */
bool config_sandbox_read(enum config_sandbox *out, const char *text);

void config_event_init(struct config_event *event);      /* a tournament's defaults */
void config_event_init_duel(struct config_event *event); /* money, 200 pairs */
void config_event_deinit(struct config_event *event);

/* Reads EVENT.yaml; the registry resolves the bots named in it. BG_E_CONFIG: file:line: key and
 * the remedy, or why the file is unreadable. */
enum bg_status config_event_read(struct config_event *event, const char *path,
                                 const struct registry *registry, struct bg_error *err);

/* The same for bytes in memory; name stands for the file in messages. */
enum bg_status config_event_parse(struct config_event *event, const char *name, const void *bytes,
                                  size_t size, const struct registry *registry,
                                  struct bg_error *err);

/* Sets one key as a flag does; it overrides the file. BG_E_ARGUMENT names key and remedy. */
enum bg_status config_event_set(struct config_event *event, const char *key, const char *text,
                                struct bg_error *err);

/* Returns whether this key was given, in the file or by a flag. */
bool config_event_is_given(const struct config_event *event, const char *key);

/* Returns true if the cube is limited by default: in money play of games in which bots' cube
 * decisions are not sound. `cube_limit` overrides it, also with 0. */
bool config_event_limits_cube(const struct config_event *event);

/* Adds a copy of the bot. BG_E_ARGUMENT: too many bots, or the name is taken. */
enum bg_status config_event_add(struct config_event *event, const struct competitor *bot,
                                struct bg_error *err);

/* Sets settings that follow from others and were not given: rules by variant and length, the
 * event's name and results, instances. Call after reading file and flags, before the check. */
void config_event_settle(struct config_event *event);

/* No roll may be played a second time with exchanged sides: unless `duplicate` was given, m pairs
 * become 2m single games or matches. Call it again after config_event_settle where it turns out
 * that strangers compete. */
void config_event_play_single(struct config_event *event);

/* What strangers are refused: BG_E_ARGUMENT if the event plays pairs, with the reason. */
enum bg_status config_event_check_pairs(const struct config_event *event, struct bg_error *err);

/* Returns whether the event is paired by a form (`schedule`), with a journal. */
static inline bool config_event_has_form(const struct config_event *event)
{
    return event->schedule[0] != '\0';
}

/* Returns whether matches of this event may have several lengths: by stage or by pairing. */
static inline bool config_event_has_lengths(const struct config_event *event)
{
    return event->rules.length_points > 0 &&
           (config_event_has_form(event) || event->conditions[0] != '\0');
}

/* Returns whether a bot of this event is remote. */
bool config_event_has_remote(const struct config_event *event);

/* Returns the file of `seeds: rating=FILE.db`, or NULL. Lent. */
const char *config_seeds_are_rated(const struct config_event *event);

/* Pair numbers of two bots are below this. */
static inline uint64_t config_event_most_pairs(const struct config_event *event)
{
    return config_event_has_form(event) ? CONFIG_PAIRS_MOST : event->pairs;
}

/* Checks everything that can be checked before anything starts (unique names, rules, two bots,
 * numbers). */
enum bg_status config_event_check(const struct config_event *event, struct bg_error *err);

/* Reads the files that the event names, after the check: openings, keys of remote bots (a host
 * without a list may have taken its name out since: then none). BG_E_CONFIG: file:line and the
 * mistake; BG_E_ARGUMENT: an unreadable file. */
enum bg_status config_event_load(struct config_event *event, struct bg_error *err);

/* Calls fn with key and value of every setting that results depend on. The store keeps them and
 * compares a changed event with them. "bots" (names, sorted, with commas) and "pairs" may grow;
 * others may not change. "bot.NAME" holds one bot's program, arguments, options and clock, without
 * folders; "author.NAME", "operator.NAME" and "origins.NAME" what is declared of it, if it is. */
void config_event_each(const struct config_event *event,
                       void (*fn)(void *user, const char *key, const char *value), void *user);

/* A row of the table of keys as text: for flags, help and checks of the documents. */
enum { CONFIG_VALUE = 2100 };
struct config_key {
    const char *name, *help;  /* static */
    char value[CONFIG_VALUE]; /* present value */
    bool is_flag;             /* takes on or off as a value */
    bool is_alias;            /* another name of the previous row */
    bool is_result;           /* results depend on it */
};

/* Returns row i, or false if i is past the last row. */
bool config_key(struct config_key *out, const struct config_event *event, int i);

/* Returns the number of cores that this process may use; at least 1. */
int config_cores(void);

#endif
