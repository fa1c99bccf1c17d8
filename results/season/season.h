/* season.h - an event as a pure function of its plan, its journal and its games.
 *
 * One object is used while an event runs, by the desk, by reports and by `bgref verify`. It takes
 * the acts of the journal one after another, and the results of the games. It returns the acts that
 * follow from the form. No clock, no store, no random numbers: times come with the acts.
 *
 *     season_take(season, &act, &err)     every row of the journal, old or new
 *     season_leg(season, &leg)            every finished leg that counts, in any order
 *     season_follow(season, &acts, &err)  what has to be appended now: results of meetings whose
 *                                         games are over, further pairs, rounds, fixtures, byes
 *
 * season_take checks each act: one that is not allowed now is refused with a sentence that says
 * what is. So the same function judges the desk's wishes, and every row in `verify`. An act that
 * follows from the form (who "bgref") must be the one that season_follow gives at this place.
 *
 * A plan without stages is a plain round robin: all fixtures are open from the begin, computed from
 * entrants and pairs (circle.h), and none is ever void here. It has no meetings, nothing follows
 * from its games, and its journal has only entrants, notes and decisions.
 */
#ifndef RESULTS_SEASON_SEASON_H
#define RESULTS_SEASON_SEASON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history.h"
#include "plan.h"
#include "terms.h"
#include "store/act.h"

struct season;

/* Strings are lent until season_destroy. */
struct season_setup {
    const char *event;        /* its name, for the order by lot */
    struct plan plan;         /* 0 stages: a plain round robin, see below */
    const char *const *seeds; /* first seed first; the entrants of the event file */
    int entrants;
    int legs;          /* of a pair in this event: 1 or 2 */
    int length_points; /* 0 money */
    uint64_t pairs;    /* of a plain round robin */
    int tables; /* ladder, league: most open meetings; 0: no limit. Only season_follow uses it */
    const char *conditions; /* of the event file (terms.h); NULL or "": none */
    bool is_cubeless;       /* a rotation of games: no condition can have a cube */
    bool is_trusted;        /* the journal was checked before: pairings are not computed again */
};

enum season_state { SEASON_IN, SEASON_ABSENT, SEASON_WITHDRAWN };

struct season_entrant {
    const char *name;
    enum season_state state;
    bool late;    /* entered after the first round */
    uint64_t act; /* the row of its last change; 0 none */
    int meetings, byes;
};

/* How a meeting ended. */
enum season_end {
    SEASON_OPEN,
    SEASON_PLAYED, /* by its games */
    SEASON_BYE,
    SEASON_WALKOVER,    /* a or b was absent; winner FORMS_NOBODY: both */
    SEASON_ADJUDICATED, /* by decision of the desk */
    SEASON_VOID         /* it counts for nobody */
};

struct season_units {
    uint64_t from, count; /* pair numbers of these two */
};

enum { SEASON_UNITS = 24 };

struct season_meeting {
    uint64_t number;        /* from 1, in the order of the journal */
    int stage;              /* from 0 */
    int group;              /* from 0 */
    struct meeting meeting; /* entrants are those of season_entrant(), in the order of the row; kind
                               is PLAYED or BYE; score_a if ended, also of a walkover; both absent
                               or void: 0 */
    enum season_end end;
    int winner;   /* an entrant; FORMS_NOBODY: open, drawn, void, both absent */
    bool by_seed; /* level games, decided by the seed number (knockout) */
    bool by_desk; /* the desk ended it; else the form: by games, or by who was out */
    struct season_units units[SEASON_UNITS]; /* allotted, in order */
    int unit_rows;
    int64_t points_a, points_b; /* of its games that count: points, or matches won */
    uint64_t paired, result;    /* rows of the journal; 0 none yet */
    char paired_at[ACT_AT], ended_at[ACT_AT];
};

/* A finished leg. */
struct season_leg {
    const char *a, *b; /* a < b by bytes */
    uint64_t pair;
    int leg;
    int winner;     /* 0 a, 1 b, -1 drawn */
    int64_t points; /* won by the winner; in match play 1 */
};

/* A leg to play: the source of an event's fixtures. */
struct season_fixture {
    int a, b; /* entrants; name of a < name of b */
    uint64_t pair;
    int leg;
    uint64_t meeting;
};

struct season_acts {
    struct act *acts; /* the caller frees it with free() */
    size_t count;     /* 0: nothing to do now */
};

/* BG_E_ARGUMENT as plan_check. */
enum bg_status season_create(struct season **out, const struct season_setup *setup,
                             struct bg_error *err);
struct season *season_clone(const struct season *season); /* to try an act */
void season_destroy(struct season *season);               /* NULL is fine */

/* Appends a row. The act's number and hash must follow. BG_E_ARGUMENT: not allowed now, nothing
 * changed; BG_E_MISMATCH: the row does not follow (number, hash, pairing). */
enum bg_status season_take(struct season *season, const struct act *act, struct bg_error *err);

/* Gives an act its number and its hash. A replay whose subject lacks pairs=FROM+COUNT gets them:
 * the next unused numbers. */
void season_seal(struct act *act, const struct season *season);

/* A leg that became final; again the same: ignored. Legs of pairs that were never allotted are kept
 * until they are. */
void season_leg(struct season *season, const struct season_leg *leg);

/* Takes the rows that follow now. They are sealed, and have to be stored before any of their
 * fixtures is played; at: their time. After an error the season is of no use any more.
 * BG_E_MISMATCH: a league has no finite ratings (numbers/rating.h). */
enum bg_status season_follow(struct season_acts *out, struct season *season, const char *at,
                             struct bg_error *err);

/* Whether the last stage has ended and nothing is open; whether the desk closed it. */
bool season_is_over(const struct season *season);
bool season_is_closed(const struct season *season);
/* "paused" or "cancelled" by a host's director, else "". */
const char *season_held(const struct season *season);
/* One word: closed, cancelled, over, paused or open. */
const char *season_phase(const struct season *season);

/* The rows taken: number of the last one, and its hash (ACT_ORIGIN: none). */
uint64_t season_acts_taken(const struct season *season);
const char *season_head(const struct season *season);

const struct plan *season_plan(const struct season *season);
/* Legs of a pair; pairs of two entrants of a plain round robin. */
int season_legs(const struct season *season);
uint64_t season_pairs(const struct season *season);

int season_entrants(const struct season *season);
const struct season_entrant *season_entrant(const struct season *season, int i);
int season_find(const struct season *season, const char *name); /* -1: no such entrant */

/* Returns false if the entrant gets no meeting any more unless the desk acts: withdrawn, not taken
 * into the present stage, or eliminated in the last one, or in a plain round robin. True where that
 * is not certain. */
bool season_may_play(const struct season *season, int entrant);

size_t season_meetings(const struct season *season);
const struct season_meeting *season_meeting(const struct season *season, size_t i);

/* Whether an open meeting has nothing to play: all its games are void. The desk decides. */
bool season_meeting_is_bare(const struct season *season, size_t i);

/* The legs to play, in a list that only grows; is_void: no longer to be played (walkover, void,
 * decided meetings, withdrawn entrants). */
uint64_t season_fixtures(const struct season *season);
void season_fixture(struct season_fixture *out, const struct season *season, uint64_t i);
/* The number of the fixture of a leg, by its names, pair and leg; false: it has none. */
bool season_find_fixture(uint64_t *i, const struct season *season, const struct season_leg *leg);
bool season_fixture_is_void(const struct season *season, uint64_t i);
/* The first void one from i on; season_fixtures: none. */
uint64_t season_next_void(const struct season *season, uint64_t i);
/* Of the void legs, those that were not played when their meeting was decided otherwise. */
bool season_fixture_is_dropped(const struct season *season, uint64_t i);

/* The rules of meeting i, of fixture i, and of a leg by the names of its bots (a < b by bytes),
 * where they differ from the event's: the length of its stage, and the conditions of the two that
 * were in force when they were paired. Of a leg without fixture: the conditions alone. */
struct terms season_meeting_terms(const struct season *season, size_t i);
struct terms season_fixture_terms(const struct season *season, uint64_t i);
struct terms season_leg_terms(const struct season *season, const struct season_leg *leg);

/* The present stage, from 0, and its round; the standing of a stage and group. */
int season_stage(const struct season *season);
int season_groups(const struct season *season, int stage);

struct season_place {
    int entrant;
    int place; /* from 1; shared: the same number */
    bool shared;
    double score;               /* wins 1, draws 0.5; Swiss: also byes and walkovers */
    double buchholz, sonneborn; /* NaN where the form has none */
    double rating;              /* league; NaN elsewhere */
    int played, won, drawn, lost, byes, walkovers, decided;
    int64_t points;       /* net, of its games */
    const char *tiebreak; /* the criterion that split it from the others: "direct", ..., "playoff",
                             "seed"; "" none */
};

/* Fills out, room for season_entrants; *count: the entrants of this group. BG_E_MISMATCH as
 * season_follow. */
enum bg_status season_standing(struct season_place *out, int *count, const struct season *season,
                               int stage, int group, struct bg_error *err);

/* Fills place, room for season_entrants: the place of each entrant in the whole event so far, from
 * 1; shared: 1, 1, 3; 0: in no stage. Who came into a later stage is before all others; within a
 * stage the place in its group counts, and equal places of several groups are shared.
 * BG_E_MISMATCH as season_follow. */
enum bg_status season_places(int *place, const struct season *season, struct bg_error *err);

#endif
