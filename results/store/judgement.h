/* judgement.h - what a judge said of one finished game: the luck of its rolls, the errors of its
 * decisions.
 *
 * Judgements are computed from records, kept in the store beside the games, one for each record and
 * judge, and can always be computed again. They never change a result. Numbers are in raw units:
 * money: points (the cube's value included); match: match-winning chance 0..1. Viewpoint: a
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
    JUDGED_PLAY,   /* a play: error against the best one */
    JUDGED_DOUBLE, /* doubled, or rolled when a double was allowed */
    JUDGED_TAKE    /* took, passed or raised */
};

/* The luck of one roll, opening roll included (docs/statistics.md, option `first`). */
struct judged_roll {
    int step; /* index of the roll's step in the record */
    int bot;
    double luck; /* raw; positive is lucky for bot */
};

enum { JUDGED_BEST = 48 };

/* One decision. */
struct judged_choice {
    int step; /* index of the step that was chosen */
    int bot;
    enum judged_kind kind;
    bool counted; /* enters the number of decisions of error rate and PR */
    double error; /* normalised equity (EMG) given away, 0 or more */
    double loss;  /* the same in raw units */
    /* What the judge would have chosen, as a step's words: "8/5 6/5", "double", "roll", "take",
     * "pass"; "" unknown. */
    char best[JUDGED_BEST];
};

struct judgement {
    char *game_id; /* owned */
    char *judge;   /* owned; what valued the game: "gnubg 1.07.001 plies=0", names its settings */
    char *hash;    /* owned; chain hash of the record that was judged */
    struct judged_roll *roll; /* owned; in order of step */
    size_t rolls;
    struct judged_choice *choice; /* owned; in order of step; none when only luck was asked for */
    size_t choices;
    bool has_choices;
    double luck[2]; /* sum over the rolls of A, of B */
    int64_t cpu_ns; /* processor time the judge took for this game, -1 unknown */
};

/* Frees a judgement from calloc and what it owns. NULL is fine. */
void judgement_destroy(struct judgement *judgement);

/* A copy of it all from calloc; NULL without memory. */
struct judgement *judgement_copy(const struct judgement *judgement);

/* Rolls as text, a line `STEP BOT LUCK` each, and choices as `STEP BOT KIND COUNTED ERROR LOSS
 * BEST` (kind `play`, `double`, `take`; counted 0 or 1; best to the end of the line), as the store
 * keeps them. From malloc, the caller's; NULL without memory. */
char *judgement_rolls_text(const struct judgement *judgement);
char *judgement_choices_text(const struct judgement *judgement);

/* Reads them back into *out, replacing what is there. BG_E_FORMAT names the line; then the list is
 * empty. */
enum bg_status judgement_read_rolls(struct judgement *out, const char *text, struct bg_error *err);
enum bg_status judgement_read_choices(struct judgement *out, const char *text,
                                      struct bg_error *err);

#endif
