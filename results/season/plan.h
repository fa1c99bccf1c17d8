/* plan.h - the form of an event as one line of text: the stages, and what is played in each
 * meeting.
 *
 *     swiss rounds=5 pairs=10 then knockout take=4 best_of=5
 *
 * A stage is a form, then options "word=value" in any order. Stages are joined by "then"; each
 * later stage takes the best of the one before (of each group of it). docs/running.md has the table
 * of forms and options. The text is the setting "event.schedule"; seeds, tie and conditions are
 * settings of their own.
 */
#ifndef RESULTS_SEASON_PLAN_H
#define RESULTS_SEASON_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/error.h>

#include "circle.h"
#include "swiss.h"

enum plan_form {
    PLAN_CIRCLE, /* "circle": rounds of a round robin; table=circle|berger */
    PLAN_GAUNTLET,
    PLAN_SWISS,
    PLAN_KNOCKOUT,
    PLAN_DOUBLE, /* "double-elimination" */
    PLAN_LADDER,
    PLAN_LEAGUE,
    PLAN_FORMS
};

/* What two entrants play when they meet. A unit is one pair number of these two. */
enum plan_terms {
    PLAN_PAIRS,   /* pairs=m: m units at once, each with the legs of the event; net points decide in
                     money play, matches won in match play */
    PLAN_MATCH,   /* match=n: one match to n points, one leg */
    PLAN_BEST_OF, /* best_of=k: matches (money: games), one leg each, until one has more than k / 2
                   */
    PLAN_POINTS   /* points=k: k games of one leg, points added (a rubber) */
};

enum plan_tie { PLAN_TIE_SHARED, PLAN_TIE_PLAYOFF };

enum {
    PLAN_STAGES = 8,
    PLAN_HEROES = 16,
    PLAN_ANCHORS = 16,
    PLAN_NAME = 65,
    PLAN_TEXT = 2048,
    PLAN_EXTRA = 10 /* most further units when money units are exactly level */
};

struct plan_stage {
    enum plan_form form;
    enum plan_terms terms;
    int count;    /* m, n or k of the terms */
    int length;   /* points of its matches; 0: the event's, or match=n */
    int groups;   /* 1: all together; else dealt to groups in the order of the seeds, snake-wise */
    int take;     /* from the stage before: entrants of each group; 0 in the first stage: all */
    int rounds;   /* swiss; 0: swiss_rounds */
    int meetings; /* ladder, league: ends after so many meetings; 0: when the desk closes it */
    int cycles;   /* circle, gauntlet */
    enum circle_table table;
    enum swiss_late late;
    bool third_place;
    int reach;  /* ladder */
    bool swap;  /* ladder */
    int window; /* league */
    bool anchor_pairs;
    char hero[PLAN_HEROES][PLAN_NAME]; /* gauntlet */
    int heroes;
    char anchor[PLAN_ANCHORS][PLAN_NAME]; /* league */
    int anchors;
    enum plan_tie tie;  /* a shared first place at the end of this stage */
    int playoff;        /* best_of of the play-off, odd */
    int playoff_length; /* points of its matches; 0: as in the stage */
};

struct plan {
    int stages; /* 0: a plain round robin by the event file, without rounds */
    struct plan_stage stage[PLAN_STAGES];
};

/* Reads the text. "round-robin" (the default) has no stages. pairs: the event's, for stages without
 * terms. BG_E_ARGUMENT: the message has the word, why it is wrong, and the nearest right one. */
enum bg_status plan_read(struct plan *out, const char *text, uint64_t pairs, struct bg_error *err);

/* Writes the text in one way for equal plans; out has PLAN_TEXT bytes. */
void plan_write(char *out, const struct plan *plan);

/* Compares a plan with the event's entrants: enough of them, heroes and anchors among them, ... */
enum bg_status plan_check(const struct plan *plan, const char *const *names, int entrants,
                          struct bg_error *err);

/* "swiss", ...; "a Swiss of 5 rounds" for people, in out of `room` bytes. */
const char *plan_form_name(enum plan_form form);
void plan_stage_text(char *out, size_t room, const struct plan_stage *stage);

/* The points of a stage's matches, or of its play-off's; event: the event's, 0 money. */
int plan_length(const struct plan_stage *stage, bool is_playoff, int event);

/* Whether who loses is out; whether it has no rounds, and ends by itself only where the plan says
 * when.
 */
static inline bool plan_is_elimination(enum plan_form form)
{
    return form == PLAN_KNOCKOUT || form == PLAN_DOUBLE;
}

static inline bool plan_is_endless(enum plan_form form)
{
    return form == PLAN_LADDER || form == PLAN_LEAGUE;
}

#endif
