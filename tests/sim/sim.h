/* sim.h - whole tournaments in memory: link, processes, disk, bots and time are doubles.
 *
 * The real tournament_run is linked against the doubles of this folder instead of link_zmtp.c and
 * launcher.c, clock_gettime is wrapped, and so is the opening of the store, so everything between
 * them is the real referee. A world is one seed: delays, lies, deaths and failing writes depend on
 * it and on the question, never on the order of events. So the same seed gives the same games at
 * any concurrency and after any number of interruptions.
 */
#ifndef SIM_H
#define SIM_H

#include <bgref/ask.h>

#include <store/store.h>

#include "loop/link.h"

/* The kind of a bot; its name in the event begins with one of these words. */
enum sim_kind {
    SIM_HONEST,  /* random legal play, cube and resignations included */
    SIM_CHEAT,   /* sometimes an illegal play */
    SIM_MUDDLED, /* sometimes an answer of the wrong kind, or a repeated one */
    SIM_SLOW,    /* sometimes later than its clock */
    SIM_MUTE,    /* sometimes no answer */
    SIM_NOISY,   /* sometimes bytes that are not a message */
    SIM_FRAIL,   /* sometimes its process ends */
    SIM_SEVERED, /* sometimes its connection ends for good */
    SIM_FICKLE,  /* ... and reconnects from another address, with its token and answer */
    SIM_BULKY,   /* sometimes a message so large that the link drops the connection */
    SIM_EXACT,   /* honest; every decision takes exactly plan->exact_ns */
    SIM_ABSENT,  /* never says Hello */
    SIM_UNREADY, /* says Hello, but is never ready */
    SIM_KINDS
};

extern const char *const sim_kind_names[SIM_KINDS];
enum sim_kind sim_kind_of(const char *bot);

/* A number from the world's seed and the question. Equal questions get equal numbers. */
uint64_t sim_chance(const char *bot, const struct bg_ask *ask, uint64_t purpose);

/* ---- the world */

#define SIM_LINK_NS INT64_C(20000) /* a frame's way between referee and bot */

struct sim_plan {
    uint64_t seed;
    int64_t interrupt_every_ns; /* mean virtual time between interruptions, 0: none */
    int machine_dies_every;     /* one interruption in this many is a machine's death, 0: none */
    int64_t sync_ns;            /* time until a stored item is durable */
    int store_fails_every;      /* one put in this many fails, 0: none */
    int acts_fail_every; /* after this many, storing acts fails: before it, then after it; 0: never
                          */
    int rate;            /* one question in this many gets a bot's misdeed */
    int stumble;         /* one restart in this many of a dishonest bot fails, 0: none */
    int64_t late_ns;     /* the delay of SIM_SLOW in that case */
    int64_t exact_ns;    /* SIM_EXACT's time, including the frames' way */
    uint64_t exact_dies_at;           /* SIM_EXACTs' process ends at this question, 0: never */
    int64_t lag_ns;                   /* the referee's work before it takes each frame */
    int64_t stops_every_ns, stops_ns; /* how often the machine is stopped, and for how long */
    bool hangs; /* a silent SIM_MUTE stays silent until its process is ended: with a clock it would
                   lose all decisions asked meanwhile, in no fixed order */
};

/* How often each planned event happened in a world. */
struct sim_counts {
    uint64_t misdeeds[SIM_KINDS];         /* by kind of bot */
    uint64_t exact_asked;                 /* questions to SIM_EXACT */
    uint64_t stops;                       /* how often the machine was stopped */
    uint64_t stumbles;                    /* restarts that failed */
    uint64_t plugs, machines, full_disks; /* ends of runs: interrupted, killed, no space */
    uint64_t flushes;                     /* for which a run waited */
    uint64_t acts_refused, acts_torn; /* ... and: acts were not stored; stored, but it died then */
    uint64_t games_put, games_lost, games_twice; /* put again although not lost */
    uint64_t faults_lost, unplayed_lost;         /* put, and lost with the machine */
};

struct sim_counts *sim_counts(void);

void sim_begin(const struct sim_plan *plan);
/* Forgets the previous run's processes and frames; time continues. A run may be interrupted. */
void sim_new_run(bool may_be_interrupted);
void sim_end(void);

/* Discards a run's table, which goes to standard output. speak takes hush's return value. */
int sim_hush(void);
void sim_speak(int hushed);

/* Between hush and speak: from now on standard output is kept. Returns its text; the caller frees
 * it. */
void sim_hear(void);
char *sim_heard(void);

int64_t sim_now(void);
const struct sim_plan *sim_plan(void);

/* The store that store_sqlite_open lends in this world, to examine it afterwards. */
struct store *sim_store(void);
void sim_store_forget(void);
/* With the real store: sets the store that sim_store returns. */
void sim_store_read(const char *path);

/* The time set by sim_settle_after has come. */
void sim_store_settle(void);

/* Calls fn for every game that was put and lost with a machine. */
void sim_store_each_lost(void (*fn)(void *user, const struct store_game *game), void *user);

/* The machine dies: of the stored items that are not durable, the first `survive` parts in 2^64
 * reach the disk, the rest is lost. Nothing more is stored until the next opening.
 */
void sim_store_die(uint64_t survive);

/* ---- inside */

struct sim_bot;
struct sim_bot *sim_bot_create(const char *name, const char *token);
void sim_bot_destroy(struct sim_bot *bot);

/* A bot's reaction to a frame; replies go through these functions. */
struct sim_replies {
    void *world;
    int process;
};
void sim_reply(const struct sim_replies *replies, const void *data, size_t size, int64_t after_ns);
/* The bot is asked in this game. */
void sim_note_ask(const struct sim_replies *replies, const char *game);
void sim_die(const struct sim_replies *replies, int64_t after_ns);
/* The referee ends the connection because the link refuses the input. Frames on the way to the bot
 * are lost, and the bot sends later ones over another connection, for which there is no door. */
void sim_lose(const struct sim_replies *replies, bool by_us, int64_t after_ns);

/* What the store put is on its way to the disk, for this long. */
void sim_settle_after(int64_t after_ns);
/* fd: an eventfd that the loop watches. */
void sim_make_readable(int fd);

/* fails its greeting */
void sim_bot_start(struct sim_bot *bot, const struct sim_replies *replies, bool stumbles);
void sim_bot_lost(struct sim_bot *bot, const struct sim_replies *replies);
void sim_bot_frame(struct sim_bot *bot, const struct sim_replies *replies, const void *data,
                   size_t size);

#endif
