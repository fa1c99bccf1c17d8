/* json_input.h - results given as JSON: {"kind": ..., "input": {...}} (docs/statistics.md).
 *
 * Reading checks everything; what is read are the plain arrays that the formula families take.
 */
#ifndef JSON_INPUT_H
#define JSON_INPUT_H

#include <numbers/ppg.h>
#include <numbers/rating.h>
#include <numbers/standings.h>

struct json_t; /* jansson's */

enum json_kind {
    JSON_RATINGS,
    JSON_MONEY,
    JSON_INTERVAL,
    JSON_PPG_TABLE,
    JSON_STANDINGS,
    JSON_KIND_COUNT
};

/* Fixed opponents of one performance rating. */
struct json_performance {
    struct rating_opponent *opponent; /* owned */
    size_t count;
};

struct json_interval {
    bool paired;
    double wins, matches;
    double pairs[3];
};

/* One file. Only the members of its kind are filled. */
struct json_input {
    enum json_kind kind;
    char *title;  /* "name" of the file, or its path; owned */
    char **names; /* RATINGS, PPG_TABLE, STANDINGS: players in the order given; owned */
    int players;
    struct json_t *index; /* name -> number, for reading; owned */

    struct rating_row *rating; /* RATINGS; owned */
    struct rating_options options;
    bool has_performance;
    struct json_performance *performance; /* owned */
    size_t performances;

    double *points, *games; /* MONEY: by cluster; owned */
    double *game_points;    /* every game; owned */
    size_t game_count;

    struct json_interval *interval;        /* INTERVAL; owned */
    struct ppg_encounter *ppg;             /* PPG_TABLE; owned */
    struct standings_encounter *standings; /* STANDINGS; owned */

    size_t count; /* rows, clusters or encounters of the kind */
};

/* path "-": standard input. BG_E_FORMAT: the story is file:line:column for text that is no JSON,
 * file: field path for a field that is missing or wrong; BG_E_SYSTEM: cannot be read; BG_E_MEMORY.
 */
enum bg_status json_input_read(struct json_input *out, const char *path, struct bg_error *err);
void json_input_deinit(struct json_input *input); /* also of a zeroed one */

#endif
