#include "metrics.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "../log.h"
#include "../service/metrics_text.h"
#include "output.h"

struct sheet {
    FILE *out;
    const struct metrics *metrics;
    struct metrics_label label[2]; /* the event, and another */
};

static void put_one(const struct sheet *sheet, const char *name, enum metrics_kind kind,
                    const char *help, double value)
{
    metrics_family(sheet->out, name, kind, help);
    metrics_number(sheet->out, name, sheet->label, 1, value);
}

static void put_durations(const struct sheet *sheet, const char *name, const char *help,
                          const struct duration_histogram *durations)
{
    metrics_family(sheet->out, name, METRICS_HISTOGRAM, help);
    metrics_durations(sheet->out, name, sheet->label, 1, durations);
}

static void put_faults(struct sheet *sheet)
{
    static const char name[] = "bgref_faults_total";

    metrics_family(sheet->out, name, METRICS_COUNTER, "Faults that were charged to a bot.");
    for (int i = 0; i < BG_FAULT_COUNT; i++) {
        sheet->label[1] = (struct metrics_label){"fault", bg_fault_name((enum bg_fault)i)};
        if (sheet->metrics->from.faults[i] > 0) {
            metrics_number(sheet->out, name, sheet->label, 2,
                           (double)sheet->metrics->from.faults[i]);
        }
    }
}

static void put_bots(struct sheet *sheet)
{
    static const char name[] = "bgref_bots";
    enum { PLAYS, ABSENT, QUARANTINED, STATES };
    static const char *const words[STATES] = {"plays", "absent", "quarantined"};
    const struct entrants *entrants = sheet->metrics->from.entrants;
    int count[STATES] = {0};

    for (int i = 0; i < entrants->event->bot_count; i++) {
        const struct entrants_bot *bot = &entrants->list[i];

        count[bot->quarantined ? QUARANTINED : bot->absent ? ABSENT : PLAYS]++;
    }
    metrics_family(sheet->out, name, METRICS_GAUGE, "Bots of the event by state.");
    for (int i = 0; i < STATES; i++) {
        sheet->label[1] = (struct metrics_label){"state", words[i]};
        metrics_number(sheet->out, name, sheet->label, 2, count[i]);
    }
}

static void put_info(struct sheet *sheet)
{
    metrics_family(sheet->out, "bgref_event_info", METRICS_GAUGE, "The event, and who runs it.");
    sheet->label[1] = (struct metrics_label){"version", BG_VERSION};
    metrics_number(sheet->out, "bgref_event_info", sheet->label, 2, 1);
}

/* Database and log. */
static double store_bytes(const char *results)
{
    char log[1100];
    struct stat about;
    double bytes = stat(results, &about) == 0 ? (double)about.st_size : 0;

    snprintf(log, sizeof log, "%s-wal", results);
    return stat(log, &about) == 0 ? bytes + (double)about.st_size : bytes;
}

static void put_store(const struct sheet *sheet, struct store *store)
{
    struct duration_histogram commits = {0};

    if (store->ops->commits != NULL) {
        store->ops->commits(store, &commits);
    }
    put_durations(sheet, "bgref_commit_seconds", "Time to make a group of results durable.",
                  &commits);
    put_one(sheet, "bgref_store_bytes", METRICS_GAUGE, "Size of the results and their log.",
            store_bytes(sheet->metrics->from.event->results));
    put_one(sheet, "bgref_store_waits", METRICS_GAUGE, "1 while results cannot be written, else 0.",
            sheet->metrics->from.holding->on);
}

static void put_all(struct sheet *sheet, struct store *store, int64_t stalled_ns)
{
    const struct metrics *metrics = sheet->metrics;

    put_info(sheet);
    put_one(sheet, "bgref_games_total", METRICS_COUNTER, "Games that are stored durably.",
            (double)metrics->games);
    put_one(sheet, "bgref_decisions_total", METRICS_COUNTER, "Decisions that bots have answered.",
            (double)metrics->decisions.count);
    put_durations(sheet, "bgref_decision_seconds", "Time of a bot for a decision.",
                  &metrics->decisions);
    put_faults(sheet);
    put_bots(sheet);
    put_one(sheet, "bgref_tables", METRICS_GAUGE, "Tables at which is played.",
            metrics->from.places->live);
    put_durations(sheet, "bgref_loop_lag_seconds", "Delay of a frame by the referee itself.",
                  metrics->from.lag);
    put_one(sheet, "bgref_loop_stalled_seconds_total", METRICS_COUNTER,
            "Time in which the referee was held up from outside.", (double)stalled_ns / 1e9);
    put_store(sheet, store);
    put_one(sheet, "bgref_written_timestamp_seconds", METRICS_GAUGE, "When this was written.",
            (double)time(NULL));
}

static void write_file(struct metrics *metrics, struct store *store, int64_t stalled_ns)
{
    struct sheet sheet = {.metrics = metrics, .label = {{"event", metrics->from.event->name}}};
    struct output output;
    struct bg_error err;
    enum bg_status status = output_open(&output, metrics->from.event->metrics, &err);

    if (status == BG_OK) {
        sheet.out = output.file;
        put_all(&sheet, store, stalled_ns);
        status = output_close(&output, &err);
    }
    if (status != BG_OK && !metrics->failed) {
        log_warn("metrics", "%s", err.text);
    }
    metrics->failed = status != BG_OK;
}

void metrics_tick(struct metrics *metrics, struct store *store, const struct loop *loop,
                  int64_t now_ns)
{
    if (metrics->from.event->metrics[0] != '\0' && now_ns >= metrics->next_ns) {
        metrics->next_ns = now_ns + METRICS_INTERVAL_NS;
        write_file(metrics, store, loop_stalled(loop, now_ns));
    }
}

void metrics_end(struct metrics *metrics, struct store *store, const struct loop *loop)
{
    if (metrics->from.event->metrics[0] != '\0') {
        /* An error of the store is reported by the end of the run. */
        (void)store->ops->settled(store, &metrics->games, NULL);
        write_file(metrics, store, loop_stalled(loop, loop_now(loop)));
    }
}
