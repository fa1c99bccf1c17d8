/* json_input.h - results given as JSON: {"kind": ..., "input": {...}} (docs/statistics.md).
 *
 * Reading checks everything and fills plain arrays for the functions of results/numbers.
 */
#ifndef RESULTS_TABLES_JSON_INPUT_H
#define RESULTS_TABLES_JSON_INPUT_H

#include <numbers/errors.h>
#include <numbers/rating.h>
#include <numbers/luck.h>
#include <numbers/ppg.h>
#include <numbers/sprt.h>
#include <numbers/standings.h>

struct json_t; /* jansson's */

enum json_kind {
    JSON_RATINGS,
    JSON_MONEY,
    JSON_INTERVAL,
    JSON_PPG_TABLE,
    JSON_STANDINGS,
    JSON_SPRT,
    JSON_FIBS,
    JSON_ERRORS,
    JSON_LUCK,
    JSON_KIND_COUNT
};

/* The fixed opponents of one performance rating. */
struct json_performance {
    struct rating_opponent *opponent; /* owned */
    size_t count;
};

struct json_interval {
    bool paired;
    double wins, matches;
    double pairs[3];
};

/* One sequential test, reduced to what its likelihood ratio needs. */
struct json_test_row {
    double length_points, won, lost;
};

struct json_test {
    enum sprt_model model;
    double h0, h1; /* MULTINOMIAL: always mean scores, also if the file has rating differences */
    double alpha, beta, min_clusters;
    double clusters;
    double mean, variance;     /* NORMAL */
    struct json_test_row *row; /* BINOMIAL; owned */
    size_t rows;
    double counts[SPRT_OUTCOMES_MAX]; /* MULTINOMIAL */
    int outcomes;
};

struct json_match {
    int winner, loser;
    double length_points;
};

/* side: 0 A, 1 B. */
struct json_roll {
    int side;
    struct luck_roll roll;
};

struct json_decision {
    int side;
    struct errors_decision as;
};

/* One file. Only the fields of its kind are filled. */
struct json_input {
    enum json_kind kind;
    char *title;  /* the file's "name", or its path; owned */
    char **names; /* RATINGS, PPG_TABLE, STANDINGS, FIBS: players in input order; owned */
    int players;
    struct json_t *index; /* name -> number, used while reading; owned */

    struct rating_row *rating; /* RATINGS; owned */
    struct rating_options options;
    bool table; /* RATINGS: answer as for a table of results (strength.h), not by the plain formulas
                 */
    bool has_performance;
    struct json_performance *performance; /* owned */
    size_t performances;

    double *points, *games; /* MONEY: one per cluster; owned */
    double *game_points;    /* one per game; owned */
    size_t game_count;

    struct json_interval *interval;        /* INTERVAL; owned */
    struct ppg_encounter *ppg;             /* PPG_TABLE; owned */
    struct standings_encounter *standings; /* STANDINGS; owned */

    struct json_test *test; /* SPRT; owned */

    struct json_match *match; /* FIBS; owned */
    struct fibs_options fibs;

    struct json_decision *decision; /* ERRORS; owned */

    struct json_roll *roll; /* LUCK; owned */
    enum luck_unit unit;
    double result_a;

    size_t count; /* number of the kind's rows, clusters, encounters, tests, matches ... */
};

/* path "-": standard input. BG_E_FORMAT: file:line:column for text that is not JSON, file: field
 * path for a missing or wrong field; BG_E_SYSTEM: reading failed. */
enum bg_status json_input_read(struct json_input *out, const char *path, struct bg_error *err);

void json_input_deinit(struct json_input *input); /* accepts a zeroed struct */

#endif
