/* Scores are filled from the end of the match backwards: each needs only those in which fewer
 * points are missing. Half of the table is the other half seen from the other side, and equal
 * scores are even without a computation. */
#define _GNU_SOURCE
#include "met.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The model's five numbers. */
static const double GAMMONS = 0.27;         /* share of won games, including backgammons */
static const double BACKGAMMONS = 0.012;    /* share of won games */
static const double TRAILER_GAMMONS = 0.29; /* share of games won by a trailer, leader 1-away */
static const double LIVE = 0.80; /* cube efficiency: 0 is a dead cube, 1 a fully live one */
static const double SPREAD =
    0.033; /* standard deviation of the winning chance when the trailer doubles post-Crawford */

enum { HALVINGS = 60 };

/* --- post-Crawford and Crawford ----------------------------------------------------------- */

static double normal_density(double z)
{
    return exp(-z * z / 2) / sqrt(2 * acos(-1));
}

static double normal_above(double z)
{
    return 0.5 * erfc(z / sqrt(2));
}

static double post_of(const struct met *met, int away)
{
    return away <= 0 ? 1 : met->post[away - 1];
}

/* The trailer doubles at once; the leader drops if the game has begun badly. */
static void fill_post(struct met *met)
{
    met->post[0] = 0.5;
    for (int k = 2; k <= met->away; k++) {
        double won = (1 - TRAILER_GAMMONS) * post_of(met, k - 2) +
                     (TRAILER_GAMMONS - BACKGAMMONS) * post_of(met, k - 4) +
                     BACKGAMMONS * post_of(met, k - 6);
        double dropped = post_of(met, k - 1);
        double z = (dropped / won - 0.5) / SPREAD;

        met->post[k - 1] = won / 2 - won * SPREAD * (normal_density(z) - z * normal_above(z));
    }
}

static double *cell(const struct met *met, int i, int j)
{
    return &met->game[(size_t)(i - 1) * (size_t)met->away + (size_t)(j - 1)];
}

/* One game without cube; if the trailer loses it, the match is over. */
static void fill_crawford(struct met *met)
{
    *cell(met, 1, 1) = 0.5;
    for (int k = 2; k <= met->away; k++) {
        *cell(met, k, 1) = 0.5 * ((1 - TRAILER_GAMMONS) * post_of(met, k - 1) +
                                  (TRAILER_GAMMONS - BACKGAMMONS) * post_of(met, k - 2) +
                                  BACKGAMMONS * post_of(met, k - 3));
        *cell(met, 1, k) = 1 - *cell(met, k, 1);
    }
}

/* --- normal scores ------------------------------------------------------------------------ */

static double before_game(const struct met *met, int i, int j)
{
    return i <= 0 ? 1 : j <= 0 ? 0 : *cell(met, i, j);
}

/* MWC of the side that needs i, after it wins or loses a game at cube value v. */
static double after_win(const struct met *met, int i, int j, int v)
{
    return (1 - GAMMONS) * before_game(met, i - v, j) +
           (GAMMONS - BACKGAMMONS) * before_game(met, i - 2 * v, j) +
           BACKGAMMONS * before_game(met, i - 3 * v, j);
}

static double after_loss(const struct met *met, int i, int j, int v)
{
    return (1 - GAMMONS) * before_game(met, i, j - v) +
           (GAMMONS - BACKGAMMONS) * before_game(met, i, j - 2 * v) +
           BACKGAMMONS * before_game(met, i, j - 3 * v);
}

/* An owned cube at one value; after a redouble the other side owns the next level. */
struct owned {
    bool dead; /* redoubling is useless to the owner */
    double win, loss;
    double cash;       /* MWC when the other side drops */
    double cash_point; /* winning chance from which the other side drops */
};

enum { LEVELS_MAX = 10 }; /* from cube 2 to beyond MET_AWAY_MAX */

/* The owner's MWC if its winning chance in this game is p. */
static double owned_value(const struct owned *level, double p)
{
    double dead = level->loss + (level->win - level->loss) * p, live, now;

    if (level->dead) {
        return dead;
    }
    /* The other side always drops; below, it would be divided by. */
    if (level->cash_point < 1e-12) {
        return level->cash;
    }
    live = p <= level->cash_point
               ? level->loss + (level->cash - level->loss) * p / level->cash_point
               : level->cash +
                     (level->win - level->cash) * (p - level->cash_point) / (1 - level->cash_point);
    now = fmin(1 - owned_value(level + 1, 1 - p), level->cash);
    return fmax(LIVE * live + (1 - LIVE) * dead, now);
}

/* Returns the smallest winning chance at which the owner has at least this MWC. */
static double point_of(const struct owned *level, double mwc)
{
    double low = 0, high = 1;

    for (int step = 0; step < HALVINGS; step++) {
        /* Halving and not Newton: the value has kinks where a redouble begins. */
        double middle = (low + high) / 2;

        if (owned_value(level, middle) >= mwc) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/* Fills in the cube at 2 owned by the side that needs i, and all later redoubles. */
static void fill_owned(struct owned level[LEVELS_MAX], const struct met *met, int i, int j)
{
    int last = 0;

    for (int own = i, other = j, v = 2;; v *= 2) {
        int swap = own;

        assert(last < LEVELS_MAX);
        level[last] = (struct owned){.dead = own <= v,
                                     .win = after_win(met, own, other, v),
                                     .loss = after_loss(met, own, other, v),
                                     .cash = before_game(met, own - v, other)};
        if (level[last].dead) {
            break;
        }
        last++;
        own = other;
        other = swap;
    }
    while (last-- > 0) {
        level[last].cash_point = 1 - point_of(&level[last + 1], 1 - level[last].cash);
    }
}

static double centred(const struct met *met, int i, int j)
{
    struct owned ours[LEVELS_MAX], theirs[LEVELS_MAX];
    double up = before_game(met, i - 1, j), down = before_game(met, i, j - 1);
    double cash = 0, take = 0, live = 0;

    fill_owned(ours, met, i, j);
    fill_owned(theirs, met, j, i);
    cash = 1 - point_of(theirs, 1 - up);
    take = point_of(ours, down);
    live = down + (up - down) * (0.5 - take) / (cash - take);
    return LIVE * live + (1 - LIVE) * (after_win(met, i, j, 1) + after_loss(met, i, j, 1)) / 2;
}

static void fill_normal(struct met *met)
{
    for (int sum = 4; sum <= 2 * met->away; sum++) {
        int least = sum - met->away > 2 ? sum - met->away : 2;

        for (int i = least; 2 * i < sum; i++) {
            *cell(met, i, sum - i) = centred(met, i, sum - i);
            *cell(met, sum - i, i) = 1 - *cell(met, i, sum - i);
        }
        if (sum % 2 == 0) {
            *cell(met, sum / 2, sum / 2) = 0.5;
        }
    }
}

/* Allocates a table with all chances 0; the caller fills them in. */
static void met_init(struct met *out, int away)
{
    size_t n = (size_t)away;

    *out = (struct met){.away = away};
    out->game = memory_zeroed(n * n, sizeof *out->game);
    out->post = memory_zeroed(n, sizeof *out->post);
}

enum bg_status met_model(struct met *out, int away, struct bg_error *err)
{
    if (away < 1 || away > MET_AWAY_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "match equity table: %d points away: 1 to %d", away,
                            MET_AWAY_MAX);
    }
    met_init(out, away);
    fill_post(out);
    fill_crawford(out);
    fill_normal(out);
    return BG_OK;
}

void met_deinit(struct met *met)
{
    free(met->game);
    free(met->post);
    *met = (struct met){0};
}

/* --- use ---------------------------------------------------------------------------------- */

double met_chance(const struct met *met, int away, int other, enum met_phase phase)
{
    if (away <= 0) {
        return 1;
    }
    if (other <= 0) {
        return 0;
    }
    assert(away <= met->away && other <= met->away);
    if (phase == MET_POST && other == 1) {
        return met->post[away - 1];
    }
    if (phase == MET_POST && away == 1) {
        return 1 - met->post[other - 1];
    }
    return *cell(met, away, other);
}

double met_chance_after(const struct met *met, const struct met_score *score, int side, int winner,
                        int points)
{
    int away[2] = {score->away[0], score->away[1]};

    away[winner] -= points;
    return met_chance(met, away[side], away[1 - side],
                      score->crawford || score->crawford_done ? MET_POST : MET_NORMAL);
}

double met_stake(const struct met *met, const struct met_score *score, int side, int value)
{
    return met_chance_after(met, score, side, side, value) -
           met_chance_after(met, score, side, 1 - side, value);
}

static const double SUM_TOLERANCE = 1e-9;
static const char BLANKS[] = " \t,\r\n";

/* --- the laws of a table ------------------------------------------------------------------ */

/* Whether x is not a number between 0 and 1; NaN is not such a number either. */
static bool is_chance(double x)
{
    return x >= 0 && x <= 1;
}

static enum bg_status check_cell(const struct met *met, int i, int j, struct bg_error *err)
{
    double here = met_chance(met, i, j, MET_NORMAL), mirror = met_chance(met, j, i, MET_NORMAL);

    if (!is_chance(here)) {
        return bg_error_set(err, BG_E_FORMAT, "%d-away %d-away: %g is not a chance between 0 and 1",
                            i, j, here);
    }
    /* written so that NaN fails too */
    if (!(fabs(here + mirror - 1) <= SUM_TOLERANCE)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%d-away %d-away: %.9g and its mirror %.9g sum to %.9g, not to 1", i, j,
                            here, mirror, here + mirror);
    }
    if (i > 1 && here > met_chance(met, i - 1, j, MET_NORMAL)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%d-away %d-away: %.9g is more than with 1 point fewer to go, %.9g", i,
                            j, here, met_chance(met, i - 1, j, MET_NORMAL));
    }
    if (j > 1 && here < met_chance(met, i, j - 1, MET_NORMAL)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%d-away %d-away: %.9g is less than against 1 point fewer, %.9g", i, j,
                            here, met_chance(met, i, j - 1, MET_NORMAL));
    }
    return BG_OK;
}

enum bg_status met_check(const struct met *met, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 1; status == BG_OK && i <= met->away; i++) {
        for (int j = 1; status == BG_OK && j <= met->away; j++) {
            status = check_cell(met, i, j, err);
        }
    }
    for (int k = 1; status == BG_OK && k <= met->away; k++) {
        double here = met->post[k - 1], before = k > 1 ? met->post[k - 2] : here;

        if (!is_chance(here) || here > before) {
            status =
                bg_error_set(err, BG_E_FORMAT,
                             "post-Crawford %d-away: %.9g is not a chance, or is above %.9g with "
                             "1 point fewer to go",
                             k, here, before);
        }
    }
    if (status == BG_OK && !(fabs(met->post[0] - 0.5) <= SUM_TOLERANCE / 2)) {
        status = bg_error_set(err, BG_E_FORMAT, "post-Crawford 1-away: %.9g, not one half",
                              met->post[0]);
    }
    return status;
}

/* --- reading ------------------------------------------------------------------------------ */

struct met_text_reader {
    FILE *in;
    const char *file;
    char *text; /* the line's text, owned */
    size_t room;
    int line;
    char *rest; /* what strtok has not read yet */
    struct bg_error *err;
};

static enum bg_status wrong_met(const struct met_text_reader *reader, const char *what)
{
    return bg_error_set(reader->err, BG_E_FORMAT, "%s:%d: %s", reader->file, reader->line, what);
}

/* Returns the first word of the next line that is not empty or a comment; NULL at the end. */
static char *next_met_line(struct met_text_reader *reader)
{
    while (getline(&reader->text, &reader->room, reader->in) >= 0) {
        char *word = NULL;

        reader->line++;
        word = strtok_r(reader->text, BLANKS, &reader->rest);
        if (word != NULL && word[0] != '#') {
            return word;
        }
    }
    return NULL;
}

static char *next_word(struct met_text_reader *reader)
{
    return strtok_r(NULL, BLANKS, &reader->rest);
}

/* Reads the first line: away 1 2 ... n. */
static enum bg_status read_away_head(int *away, struct met_text_reader *reader)
{
    const char *word = next_met_line(reader);
    char expected[16];

    if (word == NULL || strcmp(word, "away") != 0) {
        return wrong_met(reader, "needs the line: away 1 2 3 ...");
    }
    *away = 0;
    while ((word = next_word(reader)) != NULL) {
        snprintf(expected, sizeof expected, "%d", *away + 1);
        if (*away == MET_AWAY_MAX || strcmp(word, expected) != 0) {
            return wrong_met(reader, "after away needs 1 2 3 ..., at most to 128");
        }
        ++*away;
    }
    return *away > 0 ? BG_OK : wrong_met(reader, "after away needs 1 2 3 ...");
}

static enum bg_status read_chances(double *out, int count, struct met_text_reader *reader)
{
    char what[96];

    for (int j = 0; j < count; j++) {
        const char *word = next_word(reader);
        char *end = NULL;

        out[j] = word == NULL ? NAN : strtod(word, &end);
        if (word == NULL || *end != '\0' || !isfinite(out[j])) {
            snprintf(what, sizeof what, "needs %d chances, number %d is '%.30s'", count, j + 1,
                     word == NULL ? "missing" : word);
            return wrong_met(reader, what);
        }
    }
    return next_word(reader) == NULL ? BG_OK : wrong_met(reader, "has more chances than the head");
}

static enum bg_status read_rows(struct met *met, struct met_text_reader *reader)
{
    enum bg_status status = BG_OK;
    const char *word = NULL;
    char expected[16];

    for (int i = 1; status == BG_OK && i <= met->away; i++) {
        word = next_met_line(reader);
        snprintf(expected, sizeof expected, "%d", i);
        status = word != NULL && strcmp(word, expected) == 0
                     ? read_chances(&met->game[(i - 1) * met->away], met->away, reader)
                     : wrong_met(reader, "rows need to be 1, 2, 3 ... as in the head");
    }
    if (status != BG_OK) {
        return status;
    }
    word = next_met_line(reader);
    if (word == NULL) {
        /* A file without this row has its own scores only: those of the model are better than
         * none. */
        struct met model;

        status = met_model(&model, met->away, reader->err);
        if (status == BG_OK) {
            memcpy(met->post, model.post, (size_t)met->away * sizeof *met->post);
            met_deinit(&model);
        }
        return status;
    }
    if (strcmp(word, "post") != 0) {
        return wrong_met(reader, "after the rows there may be a row post, nothing else");
    }
    status = read_chances(met->post, met->away, reader);
    return status == BG_OK && next_met_line(reader) != NULL
               ? wrong_met(reader, "post is the last row")
               : status;
}

enum bg_status met_read(struct met *out, FILE *in, const char *file, struct bg_error *err)
{
    struct met_text_reader reader = {.in = in, .file = file, .err = err};
    struct bg_error trouble = {0};
    int away = 0;
    enum bg_status status = read_away_head(&away, &reader);

    *out = (struct met){0};
    if (status == BG_OK) {
        met_init(out, away);
        status = read_rows(out, &reader);
    }
    if (ferror(in)) {
        status = bg_error_set(err, BG_E_SYSTEM, "read %s: %s", file, strerror(errno));
    } else if (status == BG_OK) {
        status = met_check(out, &trouble);
        if (status != BG_OK) {
            bg_error_set(err, status, "%s: %s", file, trouble.text);
        }
    }
    free(reader.text);
    if (status != BG_OK) {
        met_deinit(out);
    }
    return status;
}
