/* season_state.h - the inside of a season, for the files season*.c.
 *
 * Entrants have two numbers: in the event (season_entrant), and in the group of a stage, where the
 * first seed of the group is 0. The forms know only the second one.
 */
#ifndef RESULTS_SEASON_SEASON_STATE_H
#define RESULTS_SEASON_SEASON_STATE_H

#include "act_words.h"
#include "season.h"
#include "terms.h"

/* ------------------------------------------------------------------ names, legs, couples */

/* Names by number; entrants and bots of games alike. */
struct name_table {
    char **name; /* owned; by number from 0 */
    uint32_t count;
    size_t room;
    uint32_t *slot; /* owned; by hash: number + 1, 0 empty */
    uint32_t slots;
};

/* A leg that was played, or is void. An event has a million of them. */
struct leg_known {
    uint64_t at;    /* 2 * pair + leg */
    int64_t points; /* won by the winner */
    int8_t winner;
    bool is_played, is_void;
    bool is_dropped; /* void because it was open when its meeting was decided */
};

/* Two bots, and what is known of the legs between them. */
struct couple {
    uint32_t a, b;   /* names' numbers, in the order of the names */
    size_t allotted; /* their last allotment + 1; 0 none */
    uint64_t next;   /* their next unused pair number; legs of later pairs wait to be allotted */
    struct leg_known *legs; /* owned; sorted */
    size_t leg_count, leg_room;
};

struct couple_table {
    struct couple *couple; /* owned */
    uint32_t count;
    size_t room;
    uint32_t *slot; /* owned; by hash: number + 1, 0 empty */
    uint32_t slots;
};

/* Pairs that one row allotted to a meeting. Its fixtures are numbered from `first` on, pair by
 * pair, those of the next allotment after them: fixtures are computed from this list. */
struct allotment {
    uint64_t first;
    uint64_t meeting;
    struct season_units units;
    int legs; /* of a pair */
    uint32_t couple;
    size_t before; /* the one before it of the same couple + 1; 0 none */
    uint64_t voids;
};

/* An allotted leg. */
struct leg_at {
    const struct allotment *of;
    uint64_t fixture;
    const struct leg_known *leg; /* lent until a leg is played or void; never NULL */
};

/* ------------------------------------------------------------------ stages */

/* Meetings with the entrants' numbers in their group. */
struct heat {
    struct meeting *meeting; /* owned */
    size_t count, room;
};

/* The ratings that a league pairs by, kept until they change. */
struct snapshot {
    size_t results;    /* over so many */
    uint64_t revision; /* of the group */
    int entrants;
    double rating[]; /* by number in the group */
};

struct season_group {
    int *member;             /* owned; the event's number of each entrant */
    struct entrant *entrant; /* owned; by number in the group */
    int entrants;
    size_t room;
    int regular; /* entrants from the start; the others came late */
    int rounds;  /* paired so far */
    struct heat main, playoff;
    bool is_played_off;        /* the play-off was paired */
    size_t results;            /* of its games, without the play-off's */
    uint64_t revision;         /* counts results that were taken back */
    struct snapshot *snapshot; /* owned; NULL: none yet */
};

struct stage {
    bool is_begun, is_over;
    bool is_ending; /* closed by the desk: no new meetings */
    int rounds;     /* rows "round" so far */
    int groups;
    struct season_group *group; /* owned */
    size_t meetings, open;
};

struct season_entry {
    struct season_entrant seen;
    uint32_t name;
    int group[PLAN_STAGES]; /* -1: not in this stage */
    int local[PLAN_STAGES]; /* number in its group */
};

struct match_up {
    struct season_meeting seen;
    bool is_playoff;
    size_t at;      /* in its heat */
    int row_round;  /* the stage's rounds when it was paired */
    int legs_open;  /* allotted, not void, not played */
    uint64_t units; /* allotted and not void */
    int extra;      /* further units because of a level score */
    int wins_a, wins_b;
};

/* A meeting that belongs to the round being paired. */
struct pending {
    int group;
    bool is_playoff;
    struct meeting meeting;
};

struct pending_list {
    struct pending *item; /* owned */
    size_t count, room, next;
    int stage;
};

/* All words in force for two bots since this row. */
struct condition {
    uint32_t a, b; /* names' numbers, in any order */
    uint64_t act;  /* 0: from the event file */
    struct terms terms;
    char text[TERMS_TEXT];
};

/* A pair that a decision of the desk voided. */
struct void_pair {
    uint32_t a, b; /* names' numbers */
    uint64_t pair;
    bool is_replayed;
};

struct season {
    char *event;
    struct plan plan;
    int legs, length_points, tables;
    uint64_t pairs;
    bool is_trusted, is_cubeless;

    struct name_table names;
    int *entrant_of; /* by name's number; -1 none */
    size_t entrant_of_room;
    struct couple_table couples;

    struct season_entry *entry;
    int entrants;
    size_t entry_room;
    struct match_up *match_up;
    size_t meetings, meeting_room;
    size_t *open; /* meetings without a result, in their order */
    size_t open_count, open_room;
    struct allotment *allotment;
    size_t allotments, allotment_room;
    uint64_t fixtures;
    struct condition *condition;
    size_t conditions, condition_room;
    struct void_pair *voided;
    size_t voids, void_room;

    struct stage stage[PLAN_STAGES];
    int present; /* stage */
    struct pending_list pending;
    bool is_closing, is_closed;
    const char *held;          /* as act_held */
    char (*signer)[PLAN_NAME]; /* owned */
    size_t signers, signer_room;

    uint64_t acts;
    char head[RECORD_HASH];
};

/* A copy of `count` elements with room for `room`; NULL for NULL. */
void *array_copy(const void *from, size_t room, size_t count, size_t size);

/* ------------------------------------------------------------------ season_games.c */

uint32_t name_add(struct season *season, const char *name); /* its number, also if it was there */
int64_t name_find(const struct season *season, const char *name); /* -1: unknown */
/* Returns false if the leg was never allotted. */
bool leg_find(struct leg_at *out, const struct season *season, uint32_t a, uint32_t b,
              uint64_t pair, int leg);
bool leg_of_names(struct leg_at *out, const struct season *season, const struct season_leg *leg);
struct leg_at leg_of_fixture(const struct season *season, uint64_t i);
void couples_clear(struct couple_table *table);
void couples_copy(struct couple_table *out, const struct couple_table *table);
uint64_t couple_next(const struct season *season, int a, int b);

/* Allots the next unused pairs of its two entrants to a meeting. */
void units_allot(struct season *season, uint64_t meeting, uint64_t count);

/* Voids legs of a meeting; only_open: only those not played. */
void meeting_void_legs(struct season *season, struct match_up *match_up, bool only_open);
/* Voids one pair of two entrants. */
void pair_void(struct season *season, uint32_t a, uint32_t b, uint64_t pair);

/* ------------------------------------------------------------------ terms.c */

/* Adds what holds between two names from now on; words of an earlier condition that `terms` does
 * not name stay. */
void condition_add(struct season *season, uint32_t a, uint32_t b, const struct terms *terms,
                   uint64_t act);
/* Those of the event file. BG_E_ARGUMENT. */
enum bg_status conditions_begin(struct season *season, const char *conditions,
                                struct bg_error *err);

enum verdict_state { VERDICT_WAIT, VERDICT_MORE, VERDICT_OVER };

/* What the games say of an open meeting. */
struct season_verdict {
    enum verdict_state state;
    double score; /* OVER: of a */
    bool by_seed;
    uint64_t units; /* MORE: further units */
};

struct season_verdict meeting_verdict(const struct season *season, const struct match_up *match_up);

/* The terms of a meeting, and the units it begins with. */
enum plan_terms meeting_terms(int *count, const struct season *season,
                              const struct match_up *match_up);
uint64_t first_units(enum plan_terms terms, int count);
bool is_elimination(const struct season *season, const struct match_up *match_up);
struct meeting *meeting_local(const struct season *season, const struct match_up *match_up);

/* ------------------------------------------------------------------ act_words.c: words of a
 * subject as values, with sentences for what is wrong */

/* Finds the meeting of "meeting=N"; NULL: none. */
struct match_up *meeting_of(const struct season *season, const struct act *act);

/* The same with a sentence. BG_E_ARGUMENT. */
enum bg_status read_meeting(struct match_up **out, const struct season *season,
                            const struct act *act, struct bg_error *err);

/* Refuses words of the subject that are not in the list "meeting bot". BG_E_ARGUMENT. */
enum bg_status only_words(const struct act *act, const char *words, struct bg_error *err);

/* Reads bot=NAME; the entrant must exist. BG_E_ARGUMENT. */
enum bg_status read_entrant(int *out, const struct season *season, const struct act *act,
                            struct bg_error *err);

/* Reads the name of a new entrant. BG_E_ARGUMENT. */
enum bg_status read_new_name(char out[PLAN_NAME], const struct season *season,
                             const struct act *act, struct bg_error *err);

/* Reads pair=A|B|PAIR or game=A|B|PAIR|LEG|GAME: two entrants in the order of their names. */
enum bg_status read_pair(uint32_t names[2], uint64_t *pair, const struct season *season,
                         const struct act *act, struct bg_error *err);

enum { UNITS_MOST = 1000000000 };

/* Reads the COUNT of pairs=FROM+COUNT; 0 if it is missing, or more than an event can have. */
uint64_t read_units(const struct act *act);

/* Reads a ladder's or league's fixture row that was checked before. BG_E_MISMATCH. */
enum bg_status read_challenge(struct pending *out, const struct season *season,
                              const struct act *act, struct bg_error *err);

/* ------------------------------------------------------------------ season_pairing.c */

/* The next rows of a form. */
struct season_due {
    enum { DUE_NOTHING, DUE_ROUND, DUE_CHALLENGE } kind;
    int stage;
    bool begins;              /* a stage */
    struct pending_list list; /* of a begun stage; CHALLENGE: one */
};

/* Computes what the form pairs now. The caller frees due->list.item. */
enum bg_status season_due(struct season_due *out, const struct season *season,
                          struct bg_error *err);
/* Fills the first round of a stage that has just begun. */
void stage_round(struct pending_list *out, const struct season *season, int stage);
bool stage_is_endless(const struct season *season, int stage);
/* Sets is_over of the present stage. */
enum bg_status season_settle(struct season *season, struct bg_error *err);
/* The rounds of a Swiss stage. */
int swiss_rounds_of(const struct plan_stage *plan, const struct season_group *group);
/* The joint fit of a league over its first `results` results, by number in the group. */
enum bg_status league_ratings(double *rating, const struct season *season, int stage, int group,
                              size_t results, struct bg_error *err);

/* ------------------------------------------------------------------ season_state.c; changes come
 * after all checks */

/* Draws the entrants of a stage into its groups. */
enum bg_status stage_begin(struct season *season, int stage, struct bg_error *err);
void stage_clear(struct stage *stage);
void stage_copy(struct stage *out, const struct stage *stage);
void group_add(struct season *season, int stage, int group, int entrant, int rounds_missed);
struct history group_history(const struct season_group *group);

void meeting_add(struct season *season, const struct pending *pending, int stage,
                 const struct act *act);
void meeting_end(struct season *season, struct match_up *match_up, enum season_end end,
                 double score, const struct act *act);
void meeting_end_absent(struct season *season, struct match_up *match_up, const struct act *act);
/* Opens it again, with the units it then has. */
void meeting_reopen(struct season *season, struct match_up *match_up);
void entrant_enter_state(struct season *season, int entrant, enum season_state state, uint64_t act);
void entrant_add(struct season *season, const char *name, bool late, uint64_t act);

/* ------------------------------------------------------------------ season_form_acts.c,
 * season_desk_acts.c */

enum bg_status take_of_form(struct season *season, enum act_kind kind, const struct act *act,
                            struct bg_error *err);
enum bg_status take_of_desk(struct season *season, enum act_kind kind, const struct act *act,
                            struct bg_error *err);

/* season_decisions.c */
enum bg_status take_walkover(struct season *season, const struct act *act, struct bg_error *err);
enum bg_status take_void(struct season *season, const struct act *act, struct bg_error *err);
enum bg_status take_adjudicate(struct season *season, const struct act *act, struct bg_error *err);
enum bg_status take_replay(struct season *season, const struct act *act, struct bg_error *err);
/* Adds pairs=FROM+COUNT to the subject of a replay that lacks it. */
void replay_complete(struct act *act, const struct season *season);

#endif
