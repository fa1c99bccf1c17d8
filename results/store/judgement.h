/* judgement.h - a judge's result for one finished game: the luck of its rolls, the errors of its
 * decisions.
 *
 * Judgements are computed from records, are kept in the store beside the games, one for each record
 * and judge, and can always be computed again. They never change a result. Numbers are in raw
 * units: money: points (including the cube's value); match: match-winning chance 0..1. Viewpoint: a
 * roll's luck and a choice's error belong to the bot that rolled or chose; bots are 0 A, 1 B as in
 * struct store_game.
 */
#ifndef RESULTS_STORE_JUDGEMENT_H
#define RESULTS_STORE_JUDGEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/error.h>

enum judged_kind {
    JUDGED_PLAY,   /* a play: error against the best play */
    JUDGED_DOUBLE, /* doubled, or rolled although a double was allowed */
    JUDGED_TAKE    /* took, passed or raised */
};

/* The luck of one roll, including the opening roll (docs/statistics.md, option `first`). */
struct judged_roll {
    int step; /* index of the roll's step in the record */
    int bot;
    double luck; /* raw; above 0 is good luck for bot */
    double se;   /* standard error of luck, if the judge's values are means of random trials (a
                    rollout); else 0 */
};

enum { JUDGED_BEST = 48 };

/* One decision. */
struct judged_choice {
    int step; /* index of the chosen step */
    int bot;
    enum judged_kind kind;
    bool counted; /* counts in the number of decisions of error rate and PR */
    double error; /* equity lost, normalised (EMG), 0 or more */
    double loss;  /* the same in raw units */
    /* The judge's choice, in a step's words: "8/5 6/5", "double", "roll", "take", "pass"; ""
     * unknown. */
    char best[JUDGED_BEST];
};

struct judgement {
    char *game_id;            /* owned */
    char *judge;              /* owned; who judged, with its settings: "gnubg 1.07.001 plies=0" */
    char *hash;               /* owned; chain hash of the judged record */
    struct judged_roll *roll; /* owned; in order of step */
    size_t rolls;
    struct judged_choice *choice; /* owned; in order of step; empty when only luck was requested */
    size_t choices;
    bool has_choices;
    double luck[2]; /* sum over A's rolls and over B's */
    int64_t cpu_ns; /* the judge's processor time for this game; -1 unknown */
};

/* Frees a judgement allocated with calloc and everything it owns. Accepts NULL. */
void judgement_destroy(struct judgement *judgement);

/* Returns a deep copy. */
struct judgement *judgement_copy(const struct judgement *judgement);

/* Rolls as text, one line `STEP BOT LUCK` or `STEP BOT LUCK SE` each, and
 * choices, one line `STEP BOT KIND COUNTED ERROR
 * LOSS BEST` each (kind `play`, `double`, `take`; counted 0 or 1; best to the end of the line), as
 * stored. Owned by the caller. */
char *judgement_rolls_text(const struct judgement *judgement);
char *judgement_choices_text(const struct judgement *judgement);

/* Reads the same text into *out and replaces its list. BG_E_FORMAT: the message has the line; the
 * list is then empty. */
enum bg_status judgement_read_rolls(struct judgement *out, const char *text, struct bg_error *err);
enum bg_status judgement_read_choices(struct judgement *out, const char *text,
                                      struct bg_error *err);

#endif
