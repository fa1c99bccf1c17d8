/* plan_text.h - a question of how many games, and its answer for people and programs.
 */
#ifndef RESULTS_TABLES_PLAN_TEXT_H
#define RESULTS_TABLES_PLAN_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <bgref/ask.h>
#include <bgref/error.h>

#include <numbers/plan.h>
#include <numbers/sprt.h>

/* One of ppg, elo and games is above 0; none: only the results are shown. */
struct plan_question {
    double ppg, elo, games;
    double length_points; /* with elo */
    double sd;            /* of a game; 0: the usual ones of each method */
    int method;           /* only this one; -1 all */
    double power, confidence;
    double alpha, beta;

    /* From results (plan_question_read). */
    double seen_games; /* 0: no results */
    double seen_sd;    /* effective, a game: of pairs where pairs were played; also in sd */
    double seen_ppg, seen_se;
    /* Of those that a judge has valued, without luck; judged 0: too few. Money: points a game;
     * match play: MWC a match. */
    double judged, judged_sd;
    double judged_mean, judged_se; /* NaN where there are more than two bots; se without a spread */
    char judge[200];
    char first[BG_GAME_ID]; /* of two bots the one entered first: both means are its own */
};

#define PLAN_QUESTION_INIT                                                                         \
    {                                                                                              \
        .length_points = 7, .method = -1, .power = 0.8, .confidence = 0.95, .alpha = 0.05,         \
        .beta = 0.05                                                                               \
    }

/* Takes standard deviations from a results database, plain of money games, luck-adjusted of what is
 * judged: all encounters together, each about its own mean. BG_E_ARGUMENT: no such database, fewer
 * than two pairs, or match play where --elo is not asked or nothing is judged. */
enum bg_status plan_question_read(struct plan_question *question, const char *path,
                                  struct bg_error *err);

/* What is not asked is NaN. */
struct plan_row {
    const char *words; /* the method */
    double sd;
    double interval, power;  /* games */
    double sprt_end;         /* games on average when 0 or D is true */
    double sprt_between;     /* games on average halfway: the longest */
    double shows, will_show; /* --games: difference at the interval, with power */
};

struct plan_answer {
    struct plan_question question;
    struct plan_row row[PLAN_METHODS];
    int rows;
};

void plan_answer_of(struct plan_answer *out, const struct plan_question *question);

enum bg_status plan_text(FILE *out, const struct plan_answer *answer);
/* BG_E_MEMORY, BG_E_SYSTEM. */
enum bg_status plan_json(FILE *out, const struct plan_answer *answer, struct bg_error *err);

#endif
