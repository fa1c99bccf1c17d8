/* Scripts for chess engines read these lines by pattern, so their forms follow those harnesses
 * to the blank. Scores are kept for the bot that comes first in the event file, while a fixture
 * has the smaller name first; `flip` turns one into the other. */
#include "feed_chess.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "numbers/significance.h"
#include "base/plural.h"

#define RULER "--------------------------------------------------"

enum { LINE_ROOM = 1024 };

/* Longest wait at the end for a reader that still reads. */
#define CLOSE_WAIT_NS INT64_C(2000000000)

enum bg_status chess_open(struct chess *out, const struct config_event *event,
                          const struct source *source, struct bg_error *err)
{
    size_t bots = (size_t)event->bot_count;

    *out = (struct chess){.event = event, .source = source};
    if (!event->chess_lines) {
        return BG_OK;
    }
    if (strcmp(event->events, "-") == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "chess_lines: standard output is taken by the events; give --events a "
                            "file or fd:N");
    }
    out->scores = memory_zeroed(bots * bots, sizeof *out->scores);
    return stream_open(&out->out, "-", err);
}

void chess_close(struct chess *chess)
{
    stream_close(chess->out, CLOSE_WAIT_NS);
    free(chess->scores);
    *chess = (struct chess){.event = NULL};
}

static void emit(struct chess *chess, const char *format, ...) BG_PRINTF(2, 3);

static void emit(struct chess *chess, const char *format, ...)
{
    char line[LINE_ROOM];
    va_list list;
    int size;

    va_start(list, format);
    size = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    stream_put(chess->out, line, size < LINE_ROOM ? (size_t)size : LINE_ROOM - 1);
}

static const char *name_of(const struct chess *chess, int bot)
{
    return chess->event->bots[bot].name;
}

/* Returns the first of a fixture's bots in entry order. */
static int first_of(const struct fixture *fixture)
{
    return fixture->a < fixture->b ? fixture->a : fixture->b;
}

static struct chess_score *score_of(const struct chess *chess, const struct fixture *fixture)
{
    int x = first_of(fixture), y = fixture->a + fixture->b - x;

    return &chess->scores[(size_t)x * (size_t)chess->event->bot_count + (size_t)y];
}

/* ---- games */

static uint64_t game_number(const struct chess *chess, const struct fixture *fixture)
{
    /* Harnesses count from 1. */
    return chess->source->ops->number(chess->source, fixture) + 1;
}

void chess_started(struct chess *chess, const struct fixture *fixture)
{
    if (chess_is_open(chess)) {
        emit(chess, "Started game %" PRIu64 " of %" PRIu64 " (%s vs %s)",
             game_number(chess, fixture), source_total(chess->source),
             name_of(chess, fixture_bot(fixture, 0)), name_of(chess, fixture_bot(fixture, 1)));
    }
}

/* Returns the words that chess scripts look for at a fault. */
static const char *fault_words(enum bg_fault fault)
{
    switch (fault) {
    case BG_FAULT_LATE:
    case BG_FAULT_SILENT:
        return "loses on time";
    case BG_FAULT_ILLEGAL:
    case BG_FAULT_AMBIGUOUS:
        return "makes an illegal move";
    case BG_FAULT_CRASH:
    case BG_FAULT_GONE:
        return "disconnects";
    default:
        return "breaks the protocol";
    }
}

/* Writes how the game ended, in braces: "A wins gammon, 2 points", "B loses on time, 1 point". */
static void reason_write(char out[256], const struct chess *chess, const struct fixture *fixture,
                         const struct store_game *game)
{
    static const char *const levels[] = {"game", "single game", "gammon", "backgammon"};
    int level = game->level < 0 || game->level > 3 ? 0 : game->level;
    int winner = game->winner == 0 ? fixture->a : fixture->b;
    int loser = fixture->a + fixture->b - winner;

    if (game->winner < 0) {
        snprintf(out, 256, game->length_points > 0 ? "Match drawn, %s" : "Draw, %s",
                 bg_end_name(game->end));
    } else if (game->length_points > 0) {
        snprintf(out, 256, "%s wins the match %" PRId64 "-%" PRId64 "%s%s",
                 name_of(chess, game->match_winner == 0 ? fixture->a : fixture->b),
                 game->match_winner == 0 ? game->score_a : game->score_b,
                 game->match_winner == 0 ? game->score_b : game->score_a,
                 game->end == BG_END_FAULT ? ", opponent " : "",
                 game->end == BG_END_FAULT ? fault_words(game->fault) : "");
    } else if (game->end == BG_END_FAULT) {
        snprintf(out, 256, "%s %s, %" PRId64 " point%s", name_of(chess, loser),
                 fault_words(game->fault), game->points, plural_s((uint64_t)game->points));
    } else {
        snprintf(out, 256, "%s wins %s, %" PRId64 " point%s", name_of(chess, winner), levels[level],
                 game->points, plural_s((uint64_t)game->points));
    }
}

static void count_game(struct chess_score *score, bool flip, const struct store_game *game)
{
    int level = game->level < 0 || game->level > 3 ? 0 : game->level;
    int winner = game->match_winner < 0 ? -1 : (game->match_winner == 0) != flip ? 0 : 1;

    score->games++;
    score->ends[game->end]++;
    if (game->winner >= 0) {
        score->levels[(game->winner == 0) != flip ? 0 : 1][level]++;
    }
    if (game->match_over) {
        score->count.won += winner == 0;
        score->count.lost += winner == 1;
        score->count.drawn += winner < 0;
    }
}

void chess_game(struct chess *chess, const struct fixture *fixture, const struct store_game *game,
                bool stored)
{
    char reason[256];
    int winner = game->match_winner < 0 ? -1 : game->match_winner == 0 ? fixture->a : fixture->b;

    if (!chess_is_open(chess)) {
        return;
    }
    count_game(score_of(chess, fixture), first_of(fixture) != fixture->a, game);
    if (stored || !game->match_over) {
        return;
    }
    chess->finished++;
    reason_write(reason, chess, fixture, game);
    emit(chess, "Finished game %" PRIu64 " (%s vs %s): %s {%s}", game_number(chess, fixture),
         name_of(chess, fixture_bot(fixture, 0)), name_of(chess, fixture_bot(fixture, 1)),
         winner < 0                          ? "1/2-1/2"
         : winner == fixture_bot(fixture, 0) ? "1-0"
                                             : "0-1",
         reason);
}

void chess_pair(struct chess *chess, const struct pairs_cluster *pair)
{
    struct chess_score *score;
    bool flip = first_of(&pair->fixture) != pair->fixture.a;
    const struct pair_sum sum = pair_sum_of(&pair->pair);
    int half_wins = pair_half_wins(&sum);
    double points;

    if (!chess_is_open(chess) || pairs_is_broken(pair)) {
        return;
    }
    score = score_of(chess, &pair->fixture);
    points = (double)sum.net / pair->legs * (flip ? -1 : 1);
    score->clusters++;
    score->points += points;
    score->squares += points * points;
    /* The five counts of pairs (Ptnml) are of two games each. */
    if (pair->legs == 2) {
        score->count.pairs[flip ? 4 - half_wins : half_wins]++;
    }
}

void chess_fault(struct chess *chess, int bot, enum bg_fault fault, const char *reply)
{
    if (!chess_is_open(chess)) {
        return;
    }
    if (fault == BG_FAULT_ILLEGAL || fault == BG_FAULT_AMBIGUOUS) {
        emit(chess, "Warning; Illegal move %s played by %s", reply == NULL ? "" : reply,
             name_of(chess, bot));
    } else {
        emit(chess, "Warning; Engine %s %s", name_of(chess, bot), fault_words(fault));
    }
}

/* ---- how it stands */

/* Writes a number with its error bar, or "n/a" if it does not exist. */
static void number_write(char out[64], double value, double error)
{
    if (!isfinite(value)) {
        snprintf(out, 64, "n/a");
    } else if (!isfinite(error)) {
        snprintf(out, 64, "%.2f +/- n/a", value);
    } else {
        snprintf(out, 64, "%.2f +/- %.2f", value, error);
    }
}

static double played_of(const struct chess_score *score)
{
    return (double)(score->count.won + score->count.lost + score->count.drawn);
}

static void elo_line(struct chess *chess, const struct chess_score *score,
                     const struct winrate_stats *stats)
{
    struct winrate_elo number = winrate_elo_of(stats, played_of(score));
    char elo[64], nelo[64];

    if (number.side != 0) {
        snprintf(elo, sizeof elo, "%s%.2f", number.side > 0 ? ">= " : "<= ", number.elo);
    } else {
        number_write(elo, number.elo, number.elo_bar);
    }
    number_write(nelo, number.nelo, number.nelo_bar);
    emit(chess, "Elo: %s, nElo: %s", elo, nelo);
}

static void ratio_write(char out[32], double part, double rest, double scale, const char *unit)
{
    if (rest > 0) {
        snprintf(out, 32, "%.2f%s", scale * part / rest, unit);
    } else {
        snprintf(out, 32, "n/a");
    }
}

static void los_line(struct chess *chess, const struct chess_score *score,
                     const struct winrate_stats *stats)
{
    const uint64_t *p = score->count.pairs;
    double pairs = (double)(p[0] + p[1] + p[2] + p[3] + p[4]);
    double los = winrate_los(stats, (double)score->clusters);
    char likelihood[32], draws[32], ratio[32];

    ratio_write(likelihood, los, isfinite(los) ? 1 : 0, 100, " %");
    ratio_write(draws, (double)p[2], pairs, 100, " %");
    ratio_write(ratio, (double)(p[3] + p[4]), (double)(p[0] + p[1]), 1, "");
    emit(chess, "LOS: %s, DrawRatio: %s, PairsRatio: %s", likelihood, draws, ratio);
}

static void points_line(struct chess *chess, const struct chess_score *score)
{
    double m = (double)score->clusters, mean = score->points / m;
    /* Rounding may make the sum of squares smaller than that of the mean. */
    double se = m >= 2 ? sqrt(fmax(0, score->squares - m * mean * mean) / (m - 1) / m) : NAN;

    if (chess->event->rules.length_points != 0 || score->clusters == 0) {
        return;
    }
    if (se > 0) {
        emit(chess, "Ppg: %+.4f +/- %.4f", mean, STAT_Z95 * se);
    } else {
        emit(chess, "Ppg: %+.4f +/- n/a", mean);
    }
}

static void results(struct chess *chess, int first, int second, const struct chess_score *score,
                    const struct sequential *sequential)
{
    const struct config_event *event = chess->event;
    uint64_t n = score->count.won + score->count.lost + score->count.drawn;
    struct winrate_stats stats = winrate_stats_of(&score->count, event->duplicate);
    const uint64_t *p = score->count.pairs;
    char llr[SEQUENTIAL_LINE], clock[128], played[32];

    if (n == 0) {
        return;
    }
    chess->shown = chess->finished;
    clock_control_write(clock, sizeof clock, &event->clock);
    snprintf(played, sizeof played, "%s%.0d",
             event->rules.length_points == 0 ? "money" : "matches to ", event->rules.length_points);
    emit(chess, RULER);
    emit(chess, "Results of %s vs %s (%s, %s, clock %s%s):", name_of(chess, first),
         name_of(chess, second), bg_variant_id(event->rules.variant), played, clock,
         event->duplicate ? ", duplicate pairs" : "");
    elo_line(chess, score, &stats);
    los_line(chess, score, &stats);
    emit(chess,
         "Games: %" PRIu64 ", Wins: %" PRIu64 ", Losses: %" PRIu64 ", Draws: %" PRIu64
         ", Points: %.1f (%.2f %%)",
         n, score->count.won, score->count.lost, score->count.drawn,
         (double)score->count.won + 0.5 * (double)score->count.drawn, 100 * stats.share);
    if (event->duplicate) {
        emit(chess, "Ptnml(0-2): [%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "]",
             p[0], p[1], p[2], p[3], p[4]);
    }
    points_line(chess, score);
    if (sequential != NULL) {
        sequential_line(llr, sequential);
        emit(chess, "%s", llr);
    }
    emit(chess, RULER);
}

static void score_line(struct chess *chess, int first, int second, const struct chess_score *score)
{
    uint64_t n = score->count.won + score->count.lost + score->count.drawn;

    if (n > 0) {
        emit(chess, "Score of %s vs %s: %" PRIu64 " - %" PRIu64 " - %" PRIu64 "  [%.3f] %" PRIu64,
             name_of(chess, first), name_of(chess, second), score->count.won, score->count.lost,
             score->count.drawn,
             ((double)score->count.won + 0.5 * (double)score->count.drawn) / (double)n, n);
    }
}

static void outcome_line(struct chess *chess, int first, int second,
                         const struct chess_score *score)
{
    char ends[256] = "";
    size_t used = 0;

    for (int end = 1; end < BG_END_COUNT; end++) {
        if (score->ends[end] > 0) {
            used += (size_t)snprintf(ends + used, sizeof ends - used, "%s%s %" PRIu64,
                                     used > 0 ? ", " : "", bg_end_name((enum bg_end)end),
                                     score->ends[end]);
        }
    }
    emit(chess,
         "Outcomes of %s vs %s: single %" PRIu64 " - %" PRIu64 ", gammon %" PRIu64 " - %" PRIu64
         ", backgammon %" PRIu64 " - %" PRIu64 "; ended by %s",
         name_of(chess, first), name_of(chess, second), score->levels[0][1], score->levels[1][1],
         score->levels[0][2], score->levels[1][2], score->levels[0][3], score->levels[1][3], ends);
}

static bool is_due(uint64_t finished, uint64_t interval)
{
    return interval > 0 && finished > 0 && finished % interval == 0;
}

void chess_intervals(struct chess *chess, const struct fixture *fixture,
                     const struct sequential *sequential)
{
    const struct config_event *event = chess->event;
    int first = first_of(fixture), second = fixture->a + fixture->b - first;
    const struct chess_score *score;

    if (!chess_is_open(chess)) {
        return;
    }
    score = score_of(chess, fixture);
    if (is_due(chess->finished, event->score_interval)) {
        score_line(chess, first, second, score);
    }
    if (is_due(chess->finished, event->outcome_interval)) {
        outcome_line(chess, first, second, score);
    }
    if (is_due(chess->finished, event->rating_interval)) {
        results(chess, first, second, score, sequential);
    }
}

void chess_forget(struct chess *chess)
{
    size_t bots = chess_is_open(chess) ? (size_t)chess->event->bot_count : 0;

    for (size_t i = 0; i < bots * bots; i++) {
        chess->scores[i] = (struct chess_score){.games = 0};
    }
    chess->anew = true;
}

void chess_final(struct chess *chess, const struct sequential *sequential)
{
    const struct fixture fixture = {.a = 0, .b = 1};

    if (!chess_is_open(chess) || chess->event->bot_count != 2) {
        return;
    }
    if (chess->anew && chess->event->score_interval > 0) {
        score_line(chess, 0, 1, score_of(chess, &fixture));
    }
    if (chess->anew && chess->event->outcome_interval > 0) {
        outcome_line(chess, 0, 1, score_of(chess, &fixture));
    }
    /* The last interval may have shown the same. */
    if (chess->anew || chess->finished == 0 || chess->shown != chess->finished) {
        results(chess, 0, 1, score_of(chess, &fixture), sequential);
    }
}
