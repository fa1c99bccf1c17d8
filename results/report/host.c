/* Runs of the referee and of its machine. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "section.h"

enum {
    NUMBER,
    BEGUN,
    SECONDS,
    FRAMES,
    LAG_MEAN,
    LAG_P99,
    LAG_MOST,
    STALLED,
    CREDITED,
    GIVEN_UP,
    EXIT,
    DURABLE,
    BGREF,
    SYSTEM,
    COLUMNS
};

static const struct doc_column columns[COLUMNS] = {
    [NUMBER] = {.key = "run", .title = "Run"},
    [BEGUN] = {.key = "begun", .title = "Begun", .unit = "UTC"},
    [SECONDS] = {.key = "seconds", .title = "Took", .unit = "s", .decimals = 1},
    [FRAMES] = {.key = "frames", .title = "Messages", .unit = "from bots"},
    [LAG_MEAN] = {.key = "lag_mean_us", .title = "Lag, mean", .unit = "\u00b5s", .decimals = 1},
    [LAG_P99] = {.key = "lag_p99_us", .title = "Lag, 99 %", .unit = "\u00b5s", .decimals = 1},
    [LAG_MOST] = {.key = "lag_most_us", .title = "Lag, longest", .unit = "\u00b5s", .decimals = 1},
    [STALLED] = {.key = "stalled_ms", .title = "Held up", .unit = "ms", .decimals = 1},
    [CREDITED] = {.key = "credited_ms", .title = "Credited", .unit = "ms, all bots", .decimals = 1},
    [GIVEN_UP] = {.key = "given_up", .title = "Given up", .unit = "games"},
    [EXIT] = {.key = "exit", .title = "Exit", .unit = "status"},
    [DURABLE] = {.key = "durable", .title = "Durable", .unit = "each"},
    [BGREF] = {.key = "bgref", .title = "bgref"},
    [SYSTEM] = {.key = "system", .title = "System"},
};

static void put_time(struct doc_table *table, double since_1970_s)
{
    struct tm utc;
    time_t time;
    char text[32];

    /* A conversion to time_t is undefined for what does not fit, and accounts of killed runs
     * have NaN. */
    if (!(since_1970_s >= 0 && since_1970_s < 1e11)) {
        return;
    }
    time = (time_t)since_1970_s;
    if (gmtime_r(&time, &utc) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc) > 0) {
        doc_text(table, BEGUN, text);
    }
}

static void run_row(struct doc_table *table, const struct gather_run *run, int number)
{
    doc_row(table);
    doc_number(table, NUMBER, number);
    put_time(table, run->begun_s);
    doc_number(table, SECONDS, run->seconds);
    doc_number(table, FRAMES, run->frames);
    doc_number(table, LAG_MEAN, run->lag_mean_us);
    doc_number(table, LAG_P99, run->lag_p99_us);
    doc_number(table, LAG_MOST, run->lag_most_us);
    doc_number(table, STALLED, run->stalled_ms);
    doc_number(table, CREDITED, run->credited_ms);
    doc_number(table, GIVEN_UP, run->given_up);
    doc_number(table, EXIT, run->exit);
    doc_text(table, DURABLE, run->durable == NULL ? "game" : run->durable);
    doc_text(table, BGREF, run->bgref);
    doc_text(table, SYSTEM, run->system);
}

void section_host(struct report *report)
{
    const struct gather *gather = report->gather;
    struct doc_table *table;

    doc_section(report->doc, "host", "Referee");
    table = doc_facts(report->doc, "host", "The referee");
    doc_fact(table, "bgref", "This report by", "bgref %s", BG_VERSION);
    if (gather->host != NULL && gather->host[0] != '\0') {
        doc_fact(table, "host", "Bots ran with", "%s", gather->host);
    }
    if (gather->runs == 0) {
        return;
    }
    table = doc_table(report->doc, "runs", "Runs of the referee", columns, COLUMNS);
    for (int i = 0; i < gather->runs; i++) {
        run_row(table, &gather->run[i], i + 1);
    }
    doc_note(report->doc,
             "Lag: how long the referee was busy before it read a message. Held up: the machine "
             "stopped the referee for far too long; no clock ran. Credited: the part of both that "
             "was deducted from bots' times. Given up: games not finished when the run ended or "
             "when their bot was quarantined; they are void and are played again with the same "
             "dice. Durable: what survives the end of the referee; with decision a game that "
             "was cut off goes on at its open decision, and no dice are seen twice. A run without "
             "numbers was cut off, or is not over.");
}
