#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <numbers/summary.h>

void progress_duration(char out[32], double seconds)
{
    if (!(seconds >= 0) || seconds > 1e9) {
        strcpy(out, "-");
        return;
    }

    long long s = (long long)(seconds + 0.5);

    if (s >= 3600) {
        snprintf(out, 32, "%lldh %02lldm", s / 3600, s / 60 % 60);
    } else if (s >= 60) {
        snprintf(out, 32, "%lldm %02llds", s / 60, s % 60);
    } else {
        snprintf(out, 32, "%llds", s);
    }
}

/* The bot with most net points or match points; with equal ones the better average leads. */
static int leading_bot(const struct tally *tally)
{
    int best = -1;
    double best_score = 0, best_mean = 0;

    for (int i = 0; i < tally->bots; i++) {
        struct tally_sum sum;
        double score = 0, mean = 0;

        tally_sum(&sum, tally, i, -1);
        if (sum.legs == 0) {
            continue;
        }
        score = tally->length_points == 0 ? (double)sum.points : (double)sum.legs_won;
        mean = score / (double)sum.legs;
        if (best < 0 || score > best_score || (score == best_score && mean > best_mean)) {
            best = i;
            best_score = score;
            best_mean = mean;
        }
    }
    return best;
}

void progress_leader(char out[PROGRESS_TEXT], const struct tally *tally)
{
    int leader = leading_bot(tally);
    char value[64], bar[48] = "";

    out[0] = '\0';
    if (leader < 0) {
        return;
    }
    if (tally->length_points == 0) {
        struct tally_sum sum;
        struct ppg ppg;

        tally_sum(&sum, tally, leader, -1);
        summary_ppg_of(&ppg, tally, &sum);
        if (isfinite(ppg.se)) {
            snprintf(bar, sizeof bar, " ± %.3f", STAT_Z95 * ppg.se);
        }
        snprintf(value, sizeof value, "%+.3f%s ppg", ppg.ppg, bar);
    } else {
        struct tally_sum sum;
        struct winrate rate;

        tally_sum(&sum, tally, leader, -1);
        summary_winrate_of(&rate, &sum);
        if (isfinite(rate.wilson[0])) {
            snprintf(bar, sizeof bar, " ± %.1f", 50 * (rate.wilson[1] - rate.wilson[0]));
        }
        snprintf(value, sizeof value, "%.1f%s %% won", isfinite(rate.rate) ? 100 * rate.rate : 0,
                 bar);
    }
    snprintf(out, PROGRESS_TEXT, "%s %s", tally->bot[leader].name, value);
}

/* Cuts text to this many characters, never inside one. */
static void cut(char *text, int columns)
{
    for (char *at = text; *at != '\0'; at++) {
        if (((unsigned char)*at & 0xC0) != 0x80 && columns-- == 0) {
            *at = '\0';
            return;
        }
    }
}

void progress_format(char out[PROGRESS_TEXT], const struct progress *progress)
{
    char count[64], ahead[48];
    char left[32], elapsed[32], leader[PROGRESS_TEXT] = "", faults[48] = "";
    double fresh = (double)(progress->done - progress->done_before);
    double rate = progress->elapsed_s > 0 ? (double)progress->games / progress->elapsed_s : 0;
    double fixtures = (double)(progress->total - progress->done);
    double percent =
        progress->total > 0 ? 100 * (double)progress->done / (double)progress->total : 100;

    progress_duration(left, fresh > 0 ? fixtures * progress->elapsed_s / fresh : -1);
    progress_duration(elapsed, progress->elapsed_s);
    if (progress->tally != NULL) {
        progress_leader(leader, progress->tally);
    }
    if (progress->faults > 0) {
        snprintf(faults, sizeof faults, "  faults %" PRIu64, progress->faults);
    }
    if (progress->end == PROGRESS_DECIDED) {
        snprintf(count, sizeof count, "%" PRIu64, progress->done);
        snprintf(ahead, sizeof ahead, "the test is decided");
    } else {
        snprintf(count, sizeof count, "%" PRIu64 "/%" PRIu64 " (%.1f%%)", progress->done,
                 progress->total, percent);
        snprintf(ahead, sizeof ahead, "left %s%s", progress->end == PROGRESS_TEST ? "at most " : "",
                 left);
    }
    snprintf(out, PROGRESS_TEXT, "%s%s%s  %.1f games/s  elapsed %s  %s%s%s%.96s", count,
             progress->test == NULL ? "" : "  ", progress->test == NULL ? "" : progress->test, rate,
             elapsed, ahead, faults, leader[0] == '\0' ? "" : "  leader ", leader);
    if (progress->columns > 0) {
        cut(out, progress->columns);
    }
}
