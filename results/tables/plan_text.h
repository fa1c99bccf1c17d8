/* plan_text.h - computes how many games a question needs, and prints the answer as text and JSON.
 */
#ifndef RESULTS_TABLES_PLAN_TEXT_H
#define RESULTS_TABLES_PLAN_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <bgref/ask.h>
#include <bgref/error.h>

#include <numbers/plan.h>
#include <numbers/sprt.h>

/* One of ppg, elo and games is above 0; if none is, only the results are printed. */
struct plan_question {
    double ppg, elo, games;
    double length_points; /* used with elo */
    double sd;            /* standard deviation of a game; 0: each method's usual one */
    int method;           /* index of one method; -1 all */
    double power, confidence;
    double alpha, beta;

    /* From results (plan_question_read). */
    double seen_games; /* 0: no results */
    double seen_sd;    /* effective value per game: from pairs if pairs were played; also in sd */
    double seen_ppg, seen_se;
    /* Luck-adjusted, from the judged games; judged 0: too few. Money: points per game; match play:
     * MWC per match. */
    double judged, judged_sd;
    double judged_mean, judged_se; /* NaN with more than two bots; se is NaN without a spread */
    char judge[200];
    char first[BG_GAME_ID]; /* with two bots the one entered first: both means are from its view */
};

#define PLAN_QUESTION_INIT                                                                         \
    {                                                                                              \
        .length_points = 7, .method = -1, .power = 0.8, .confidence = 0.95, .alpha = 0.05,         \
        .beta = 0.05                                                                               \
    }

/* Reads standard deviations from a results database: plain for money games, luck-adjusted for
 * judged ones; over all encounters, each about its own mean. BG_E_ARGUMENT: no such database, fewer
 * than two pairs, or match play without --elo and without judgements. */
enum bg_status plan_question_read(struct plan_question *question, const char *path,
                                  struct bg_error *err);

/* Values that were not requested are NaN. */
struct plan_row {
    const char *words; /* the method's name */
    double sd;
    double interval, power;  /* games */
    double sprt_end;         /* average number of games if the true value is 0 or D */
    double sprt_between;     /* average number of games if it is halfway: the longest */
    double shows, will_show; /* --games: difference found at the interval, and with power */
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
