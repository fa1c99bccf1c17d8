/* sim.h - whole tournaments in memory: link, processes, store, bots and time are doubles.
 *
 * The real tournament_run is linked against the doubles of this folder instead of link_zmtp.c,
 * launcher.c and store_sqlite.c, and clock_gettime is wrapped, so everything between them is the
 * referee as it ships. A world is one seed: delays, lies, deaths and failing writes follow from it
 * and from what is asked, never from the order of things; so the same seed gives the same games at
 * any concurrency and after any number of interruptions.
 */
#ifndef SIM_H
#define SIM_H

#include <bgref/ask.h>

#include <store/store.h>

#include "loop/link.h"

/* What a bot is; its name in the event begins with one of these words. */
enum sim_kind {
    SIM_HONEST,  /* legal play by chance, cube and resignations included */
    SIM_CHEAT,   /* now and then an illegal play */
    SIM_MUDDLED, /* now and then an answer of the wrong kind, or one twice */
    SIM_SLOW,    /* now and then later than its clock */
    SIM_MUTE,    /* now and then no answer at all */
    SIM_NOISY,   /* now and then bytes that are not a message */
    SIM_FRAIL,   /* now and then its process ends */
    SIM_SEVERED, /* now and then its connection ends, and it never comes back */
    SIM_FICKLE,  /* ... and it comes back under another address, with its token and its answer */
    SIM_BULKY,   /* now and then a message so large that the link drops the connection */
    SIM_EXACT,   /* honest, and every decision is measured as plan->exact_ns to the nanosecond */
    SIM_ABSENT,  /* never says Hello */
    SIM_UNREADY, /* says Hello, and never that it is ready */
    SIM_KINDS
};

extern const char *const sim_kind_names[SIM_KINDS];
enum sim_kind sim_kind_of(const char *bot);

/* A number from the world's seed and what is asked. Equal questions get equal numbers. */
uint64_t sim_chance(const char *bot, const struct bg_ask *ask, uint64_t purpose);

/* ---- the world */

#define SIM_LINK_NS INT64_C(20000) /* a frame's way between referee and bot */

struct sim_plan {
    uint64_t seed;
    int64_t interrupt_every_ns; /* mean virtual time between interruptions, 0 none */
    int machine_dies_every;     /* one interruption in so many is the end of the machine, 0 none */
    int64_t sync_ns;            /* how long what was put waits until it is durable */
    int store_fails_every;      /* one put in so many fails, 0 none */
    int rate;                   /* one question in so many is a bot's misdeed */
    int stumble;            /* one restart in so many of a bot that is not honest fails, 0 none */
    int64_t late_ns;        /* how late SIM_SLOW is then */
    int64_t exact_ns;       /* what SIM_EXACT takes, the ways of the frames included */
    uint64_t exact_dies_at; /* the process ends at so many-th question of all SIM_EXACTs, 0 never */
    int64_t lag_ns;         /* how long the referee is at work before it takes each frame */
    int64_t stops_every_ns, stops_ns; /* how often the machine is stopped, how long */
    bool hangs; /* a silent SIM_MUTE stays so until its process is ended: with a clock
                   it would lose whatever is asked meanwhile, in no fixed order */
};

/* What happened in a world, of what its plan asked for. */
struct sim_counts {
    uint64_t misdeeds[SIM_KINDS];                /* by kind of bot */
    uint64_t exact_asked;                        /* questions that SIM_EXACT was asked */
    uint64_t stops;                              /* times that the machine stood still */
    uint64_t stumbles;                           /* restarts that failed */
    uint64_t plugs, machines, full_disks;        /* ends of runs: interrupted, killed, no space */
    uint64_t games_put, games_lost, games_twice; /* twice: put again though it was not lost */
    uint64_t faults_lost, unplayed_lost;         /* put, and lost with the machine */
};

struct sim_counts *sim_counts(void);

void sim_begin(const struct sim_plan *plan);
/* Forgets processes and frames of the run before; time goes on. A run may be interrupted. */
void sim_new_run(bool may_be_interrupted);
void sim_end(void);

/* The table of a run goes to standard output; here nobody reads it. speak takes what hush gave. */
int sim_hush(void);
void sim_speak(int hushed);

/* Between hush and speak: from now on what is said is kept; the text of it, for the caller to free.
 */
void sim_hear(void);
char *sim_heard(void);

int64_t sim_now(void);
const struct sim_plan *sim_plan(void);

/* The store that store_sqlite_open lends out in this world, for looking at it afterwards. */
struct store *sim_store(void);
void sim_store_forget(void);
/* With the real store instead: what sim_store is to look at. */
void sim_store_read(const char *path);

/* Calls fn for every game that was put and lost with a machine. */
void sim_store_each_lost(void (*fn)(void *user, const struct store_game *game), void *user);

/* The machine dies: of what was put and is not durable, the first `survive` parts in 2^64 were on
 * their way to the disk and are there, the rest is lost. Until the next opening nothing is stored.
 */
void sim_store_die(uint64_t survive);

/* ---- inside */

struct sim_bot;
struct sim_bot *sim_bot_create(const char *name, const char *token);
void sim_bot_destroy(struct sim_bot *bot);

/* What a bot does with a frame: replies go through these. */
struct sim_replies {
    void *world;
    int process;
};
void sim_reply(const struct sim_replies *replies, const void *data, size_t size, int64_t after_ns);
/* It is asked in this game. */
void sim_note_ask(const struct sim_replies *replies, const char *game);
void sim_die(const struct sim_replies *replies, int64_t after_ns);
/* The connection ends, by us: the link refuses what came. What is under way to the bot is lost with
 * it, and what it sends from then on comes by another connection, for which there is no door. */
void sim_lose(const struct sim_replies *replies, bool by_us, int64_t after_ns);

/* stumbles: it does not get through its greeting. */
void sim_bot_start(struct sim_bot *bot, const struct sim_replies *replies, bool stumbles);
void sim_bot_lost(struct sim_bot *bot, const struct sim_replies *replies);
void sim_bot_frame(struct sim_bot *bot, const struct sim_replies *replies, const void *data,
                   size_t size);

#endif
