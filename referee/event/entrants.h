/* entrants.h - the bots of an event: their processes, faults and quarantine.
 *
 * An entrant is one bot with its instances (sessions, owned by the roster). A table gets the
 * instance with the fewest tables; a stateful bot's instance takes one table at a time.
 */
#ifndef REFEREE_EVENT_ENTRANTS_H
#define REFEREE_EVENT_ENTRANTS_H

#include "config/config.h"
#include "../seat/roster.h"
#include "bot/program.h"
#include "fixtures/fixture.h"
#include "proof/key_pair.h"

/* Until when an absent remote bot may come back to its matches (forfeits.h). */
struct forfeits_clock {
    int64_t by_ns;    /* 0: not counted yet */
    int64_t tried_ns; /* end of the latest try of its start */
    bool was_trying;
    uint64_t lost_to; /* who was there when its matches were lost; 0: not yet */
};

/* One bot with its processes. */
struct entrants_bot {
    struct session **sessions; /* owned array; the sessions belong to the roster */
    int session_count;         /* 0: it has nothing left to play */
    bool was_ready;
    char version[sizeof((struct greeting *)NULL)->version]; /* of the latest that was ready */
    bool quarantined;                                       /* quarantined for its faults ... */
    bool absent;                /* ... or left out of this run because it does not start: */
    char absent_why[200];       /* the error of its last start */
    int64_t try_ns, wait_ns;    /* absent: time of the next try, 0 not in this run; and the delay
                                 * after that */
    bool trying;                /* absent: it is being started */
    struct forfeits_clock gone; /* absent: when it loses its matches */
    bool recalled; /* absent, but the event waits for its start: the desk brought it back, or it has
                    * something to play again */
    bool is_changed; /* it was left out, since its program is another one: of this version ... */
    char changed_to[sizeof((struct greeting *)NULL)->version];
    char told_refused[sizeof((struct greeting *)NULL)->version]; /* the director knows of it */
    bool is_accepted;          /* ... the desk takes its changed program when it is ready ... */
    char key[KEY_FILE_DIGITS]; /* ... and this key; "" that of the event */
    bool rests;                /* its processes were not started: it had nothing to play */
    bool is_candidate;     /* the desk wants to enter it: it is started before it is an entrant */
    int64_t asked_ns;      /* when the desk asked for the candidate, last time */
    bool was_refused;      /* a candidate that did not start; absent_why says why */
    int64_t failing_ns;    /* time of the first failed start in a row; 0: none */
    char last_fault[200];  /* the latest one of this run: its name and the reason; "" none */
    char held[BG_GAME_ID]; /* a game of it that is held; "" none */
    bool showed_words;     /* its last stderr lines were printed in this run */
    int faults;            /* in all runs of the event, without failed starts */
    struct credit credit;  /* of its time, in this run */
};

struct entrants {
    const struct config_event *event; /* lent */
    struct entrants_bot *list;        /* owned; event->bot_count of them */
    const char **names, **programs;   /* owned arrays, by index: names and digests, lent */
    struct program *program;          /* owned; by index, as they are now */
    bool tolerant;                    /* a bot that does not start is left out: no end of the run */
    struct session_setup setup;       /* of its sessions, set by entrants_start; its parts lent */
    struct roster *roster;            /* lent; set by entrants_start */
    int processes;                    /* created so far */
};

void entrants_init(struct entrants *entrants, const struct config_event *event);
void entrants_deinit(struct entrants *entrants);

/* Describes a bot's program as it is now. */
void entrants_program(struct program *out, const struct entrants *entrants, int bot);

/* Creates and starts the instances of every bot that is needed[]. setup holds the common
 * settings; its bot, bot_index and instance are filled here, and, unless it is set, pin, from the
 * event's affinity. Its door is for the remote bots only. Its parts, and roster, which gets the
 * sessions, are lent for the whole run. */
enum bg_status entrants_start(struct entrants *entrants, const bool *needed,
                              const struct session_setup *setup, struct roster *roster,
                              struct bg_error *err);

/* Creates the sessions of a bot that has none; none is started, they are closed. Call after
 * entrants_start. */
void entrants_open(struct entrants *entrants, int bot);

/* Returns true when every bot that plays and is not left out was ready at least once. */
bool entrants_were_ready(const struct entrants *entrants);

/* Returns the quarantined bot of a fixture, or -1 if both may play. */
int entrants_quarantined(const struct entrants *entrants, const struct fixture *fixture);

/* Returns the fixture's bot that is left out of this run, or -1. */
int entrants_absent(const struct entrants *entrants, const struct fixture *fixture);

/* Decides whether to give up a bot whose start has just failed (now_ns, within the sessions'
 * listener): if all its processes failed ENTRANTS_TRIES times in a row; or twice, if it never
 * was ready and the starts took longer than the start limit. A remote bot that has not joined in
 * time is given up at once. */
enum { ENTRANTS_TRIES = 5 };
bool entrants_give_up(struct entrants *entrants, int bot, int64_t now_ns);

/* Returns the instances that would play fixture now, on seats 0 and 1. Returns false if one is
 * full. */
bool entrants_seat(struct session *sessions[2], const struct entrants *entrants,
                   const struct fixture *fixture);

/* Returns the number of decisions that a bot's processes have answered in this run, or those of
 * all bots. */
uint64_t entrants_decisions_of(const struct entrants_bot *bot);
/* Thoughts of the bot in this run that could not be kept (seat/inbox.h). */
uint64_t entrants_dropped_thoughts_of(const struct entrants_bot *bot);
uint64_t entrants_decisions(const struct entrants *entrants);

#endif
