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

#define OF(member) DOC_SOURCE(struct gather_run, member, 1)

static const struct doc_column columns[COLUMNS] = {
    [NUMBER] = {"run", .title = "Run"},
    [BEGUN] = {"begun", "Begun", .unit = "UTC"},
    [SECONDS] = {"seconds", "Took", "s", .decimals = 1, .from = OF(seconds)},
    [FRAMES] = {"frames", "Messages", .unit = "from bots", .from = OF(frames)},
    [LAG_MEAN] = {"lag_mean_us", "Lag, mean", "\u00b5s", .decimals = 1, .from = OF(lag_mean_us)},
    [LAG_P99] = {"lag_p99_us", "Lag, 99 %", "\u00b5s", .decimals = 1, .from = OF(lag_p99_us)},
    [LAG_MOST] = {"lag_most_us", "Lag, longest", "\u00b5s", .decimals = 1, .from = OF(lag_most_us)},
    [STALLED] = {"stalled_ms", "Held up", "ms", .decimals = 1, .from = OF(stalled_ms)},
    [CREDITED] = {"credited_ms", "Credited", "ms, all bots", .decimals = 1,
                  .from = OF(credited_ms)},
    [GIVEN_UP] = {"given_up", "Given up", .unit = "games", .from = OF(given_up)},
    [EXIT] = {"exit", "Exit", .unit = "status", .from = OF(exit)},
    [DURABLE] = {"durable", "Durable", .unit = "each", .from = OF(durable)},
    [BGREF] = {"bgref", .title = "bgref", .from = OF(bgref)},
    [SYSTEM] = {"system", .title = "System", .from = OF(system)},
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
    doc_fill(table, run);
    doc_number(table, NUMBER, number);
    put_time(table, run->begun_s);
    if (run->durable == NULL) {
        doc_text(table, DURABLE, "game");
    }
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
