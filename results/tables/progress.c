/* The line is made as text of a fixed size, so that the loop that prints it allocates nothing
 * while an event runs; names are cut by the caller's columns because a line that wraps cannot be
 * overwritten by the next one. */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Written so that NaN also prints as "-". */
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

void progress_leader(char out[PROGRESS_TEXT], const struct summary *summary)
{
    int leader = summary->standings > 0 ? summary->standing[0].player : -1;
    const struct summary_bot *bot = leader < 0 ? NULL : &summary->bot[leader];
    char value[64], bar[64] = "";

    out[0] = '\0';
    if (bot == NULL || bot->sum.legs == 0) {
        return;
    }
    if (summary->money) {
        double half = summary_bar(bot->ppg.se, bot->ppg_df);

        if (isfinite(half)) {
            snprintf(bar, sizeof bar, " ± %.3f", half);
        }
        snprintf(value, sizeof value, "%+.3f%.40s ppg", bot->ppg.ppg, bar);
    } else {
        if (isfinite(bot->winrate.wilson[0])) {
            snprintf(bar, sizeof bar, " (95 %%: %.1f to %.1f)", 100 * bot->winrate.wilson[0],
                     100 * bot->winrate.wilson[1]);
        }
        snprintf(value, sizeof value, "%.1f %% won%.40s", 100 * tally_share(&bot->sum), bar);
    }
    snprintf(out, PROGRESS_TEXT, "%s %s", summary->tally->bot[leader].name, value);
}

/* Cuts the text to this many characters, never inside one. By characters: a byte 10xxxxxx goes
 * on with the one before it, and half a character would spoil the terminal. */
static void cut_columns(char *text, int columns)
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
    char count[96], ahead[48], unplayed[40] = "";
    char left[32], elapsed[32], faults[48] = "";
    const char *leader = progress->leader == NULL ? "" : progress->leader;
    /* What an earlier run has played took none of this run's time, so it must not speed up the
     * estimate. */
    double fresh = (double)(progress->done - progress->done_before);
    double rate = progress->elapsed_s > 0 ? (double)progress->games / progress->elapsed_s : 0;
    double fixtures = (double)(progress->total - progress->done - progress->unplayed);
    double percent =
        progress->total > 0 ? 100 * (double)progress->done / (double)progress->total : 100;

    progress_duration(left, fresh > 0 ? fixtures * progress->elapsed_s / fresh : -1);
    progress_duration(elapsed, progress->elapsed_s);
    if (progress->faults > 0) {
        snprintf(faults, sizeof faults, "  faults %" PRIu64, progress->faults);
    }
    if (progress->end == PROGRESS_DECIDED) {
        snprintf(count, sizeof count, "%" PRIu64, progress->done);
        snprintf(ahead, sizeof ahead, "the test is decided");
    } else {
        if (progress->unplayed > 0) {
            snprintf(unplayed, sizeof unplayed, "  unplayed %" PRIu64, progress->unplayed);
        }
        snprintf(count, sizeof count, "%" PRIu64 "/%" PRIu64 " (%.1f%%)%s", progress->done,
                 progress->total, percent, unplayed);
        snprintf(ahead, sizeof ahead, "left %s%s", progress->end == PROGRESS_TEST ? "at most " : "",
                 left);
    }
    if (progress->round != NULL) { /* the total grows with every round */
        snprintf(count, sizeof count, "%" PRIu64 "/%" PRIu64, progress->done, progress->total);
        snprintf(ahead, sizeof ahead, "%.47s", progress->round);
    }
    snprintf(out, PROGRESS_TEXT, "%s%s%s  %.1f games/s  elapsed %s  %s%s%s%.96s", count,
             progress->test == NULL ? "" : "  ", progress->test == NULL ? "" : progress->test, rate,
             elapsed, ahead, faults, leader[0] == '\0' ? "" : "  leader ", leader);
    if (progress->columns > 0) {
        cut_columns(out, progress->columns);
    }
}

void progress_judging(char out[PROGRESS_TEXT], const struct progress_judging *judging)
{
    uint64_t total = judging->total > judging->done ? judging->total : judging->done;
    double rate = judging->elapsed_s > 0 ? (double)judging->done / judging->elapsed_s : 0;
    char elapsed[32], left[32];

    progress_duration(elapsed, judging->elapsed_s);
    progress_duration(left, rate > 0 ? (double)(total - judging->done) / rate : -1);
    snprintf(out, PROGRESS_TEXT,
             "judged %" PRIu64 "/%" PRIu64 " (%.1f%%)  %.1f games/s  elapsed %s  left %s",
             judging->done, total, total > 0 ? 100 * (double)judging->done / (double)total : 100,
             rate, elapsed, left);
    if (judging->columns > 0) {
        cut_columns(out, judging->columns);
    }
}
