/* Each time the whole file is written beside the old one and renamed over it (base/output.h): a
 * reader never finds half of it. A series for each bot is written for small events only, because
 * a monitor keeps every series that it has ever seen. */
#include "metrics.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "../log.h"
#include "loop/metrics_text.h"
#include "door/door_counts.h"
#include "base/output.h"
#include "record/record_text.h"

struct metrics_sheet {
    FILE *out;
    const struct metrics *metrics;
    struct metrics_label label[2]; /* the event, and another */
};

static void put_one(const struct metrics_sheet *sheet, const char *name, enum metrics_kind kind,
                    const char *help, double value)
{
    metrics_family(sheet->out, name, kind, help);
    metrics_number(sheet->out, name, sheet->label, 1, value);
}

static void put_durations(const struct metrics_sheet *sheet, const char *name, const char *help,
                          const struct duration_histogram *durations)
{
    metrics_family(sheet->out, name, METRICS_HISTOGRAM, help);
    metrics_durations(sheet->out, name, sheet->label, 1, durations);
}

static void put_faults(struct metrics_sheet *sheet)
{
    static const char name[] = "bgref_faults_total";

    metrics_family(sheet->out, name, METRICS_COUNTER, "Faults that were charged to a bot.");
    for (int i = 0; i < BG_FAULT_COUNT; i++) {
        sheet->label[1] = (struct metrics_label){"kind", bg_fault_name((enum bg_fault)i)};
        if (sheet->metrics->from.faults[i] > 0) {
            metrics_number(sheet->out, name, sheet->label, 2,
                           (double)sheet->metrics->from.faults[i]);
        }
    }
}

static void put_bots(struct metrics_sheet *sheet)
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
    metrics_family(sheet->out, name, METRICS_GAUGE, "Bots of the event, by state.");
    for (int i = 0; i < STATES; i++) {
        sheet->label[1] = (struct metrics_label){"state", words[i]};
        metrics_number(sheet->out, name, sheet->label, 2, count[i]);
    }
}

static void put_games(struct metrics_sheet *sheet)
{
    static const char name[] = "bgref_games_total";

    metrics_family(sheet->out, name, METRICS_COUNTER, "Games that have ended, by their end.");
    for (int i = BG_END_NONE + 1; i < BG_END_COUNT; i++) {
        sheet->label[1] = (struct metrics_label){"end", record_end_word((enum bg_end)i)};
        metrics_number(sheet->out, name, sheet->label, 2,
                       (double)sheet->metrics->from.places->games_by_end[i]);
    }
}

enum session_word { CLOSED, STARTING, AWAY, GREETING, READY, PLAYING, ENDING, SESSION_WORDS };

/* A session of a remote bot that starts waits for the bot to join. */
static enum session_word word_of(struct session *session, const struct config_event *event)
{
    switch (session_state(session)) {
    case SESSION_STARTING:
        return event->bots[session_bot_index(session)].remote ? AWAY : STARTING;
    case SESSION_GREETED:
        return GREETING;
    case SESSION_READY:
        return *session_tables(session) > 0 ? PLAYING : READY;
    case SESSION_ENDING:
        return ENDING;
    case SESSION_DOWN:
    case SESSION_STATE_COUNT:
        break;
    }
    return CLOSED;
}

static void put_sessions(struct metrics_sheet *sheet)
{
    static const char name[] = "bgref_sessions";
    static const char *const words[SESSION_WORDS] = {"closed", "starting", "away",  "greeting",
                                                     "ready",  "playing",  "ending"};
    const struct roster *roster = sheet->metrics->from.roster;
    int count[SESSION_WORDS] = {0};

    for (int i = 0; i < roster->count; i++) {
        count[word_of(roster->sessions[i], sheet->metrics->from.event)]++;
    }
    metrics_family(sheet->out, name, METRICS_GAUGE,
                   "Processes and remote connections of bots, by state.");
    for (int i = 0; i < SESSION_WORDS; i++) {
        sheet->label[1] = (struct metrics_label){"state", words[i]};
        metrics_number(sheet->out, name, sheet->label, 2, count[i]);
    }
}

static double decisions_of(const struct entrants_bot *bot)
{
    return (double)entrants_decisions_of(bot);
}

static double dropped_of(const struct entrants_bot *bot)
{
    return (double)entrants_dropped_thoughts_of(bot);
}

static double faults_of(const struct entrants_bot *bot)
{
    return bot->faults;
}

static void put_each(struct metrics_sheet *sheet, const char *name,
                     double (*value)(const struct entrants_bot *))
{
    const struct entrants *entrants = sheet->metrics->from.entrants;

    for (int i = 0; i < entrants->event->bot_count; i++) {
        sheet->label[1] = (struct metrics_label){"bot", entrants->event->bots[i].name};
        metrics_number(sheet->out, name, sheet->label, 2, value(&entrants->list[i]));
    }
}

static void put_each_bot(struct metrics_sheet *sheet)
{
    static const char decisions[] = "bgref_bot_decisions_total", faults[] = "bgref_bot_faults",
                      dropped[] = "bgref_bot_dropped_thoughts_total";

    if (sheet->metrics->from.event->bot_count <= METRICS_BOTS) {
        metrics_family(sheet->out, decisions, METRICS_COUNTER,
                       "Decisions that a bot has answered.");
        put_each(sheet, decisions, decisions_of);
        metrics_family(sheet->out, dropped, METRICS_COUNTER,
                       "Thoughts of a bot that were dropped, because they cannot be.");
        put_each(sheet, dropped, dropped_of);
        metrics_family(sheet->out, faults, METRICS_GAUGE,
                       "Faults of a bot in all runs; too many quarantine it.");
        put_each(sheet, faults, faults_of);
    }
}

/* The host counts at a door that several events share. */
static void put_door(const struct metrics_sheet *sheet)
{
    const struct door *door = *sheet->metrics->from.door;

    if (door != NULL) {
        const struct door_counts counts = door_counts(door);

        door_counts_write(sheet->out, sheet->metrics->from.event->name, &counts);
    }
}

static void put_info(struct metrics_sheet *sheet)
{
    metrics_family(sheet->out, "bgref_event_info", METRICS_GAUGE,
                   "The event, and the version of bgref that runs it.");
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

static void put_store(const struct metrics_sheet *sheet, struct store *store)
{
    struct duration_histogram commits = {0};

    store->ops->progress(store, NULL, NULL, &commits);
    put_durations(sheet, "bgref_commit_seconds", "Time to make a group of results durable.",
                  &commits);
    put_one(sheet, "bgref_store_bytes", METRICS_GAUGE, "Size of the results and their log.",
            store_bytes(sheet->metrics->from.event->results));
    put_one(sheet, "bgref_store_waits", METRICS_GAUGE, "1 while results cannot be written, else 0.",
            sheet->metrics->from.holding->on);
}

static void put_all(struct metrics_sheet *sheet, struct store *store, int64_t stalled_ns)
{
    const struct metrics *metrics = sheet->metrics;

    put_info(sheet);
    put_games(sheet);
    put_one(sheet, "bgref_games_stored_total", METRICS_COUNTER,
            "Games that are stored on the disk.", (double)metrics->games);
    put_one(sheet, "bgref_decisions_total", METRICS_COUNTER, "Decisions that bots have answered.",
            (double)metrics->decisions.count);
    put_durations(sheet, "bgref_decision_seconds", "Time that bots took for a decision.",
                  &metrics->decisions);
    put_faults(sheet);
    put_bots(sheet);
    put_each_bot(sheet);
    put_sessions(sheet);
    put_door(sheet);
    put_one(sheet, "bgref_tables", METRICS_GAUGE, "Tables at which a match is played now.",
            metrics->from.places->live);
    put_one(sheet, "bgref_games_held", METRICS_GAUGE,
            "Games that wait for the director: their operators do not agree on a roll.",
            places_held(metrics->from.places));
    put_durations(sheet, "bgref_loop_lag_seconds",
                  "Time that a message waited until the referee read it.", metrics->from.lag);
    put_one(sheet, "bgref_loop_stalled_seconds_total", METRICS_COUNTER,
            "Time in which the referee was held up from outside.", (double)stalled_ns / 1e9);
    put_store(sheet, store);
    put_one(sheet, "bgref_written_timestamp_seconds", METRICS_GAUGE, "When this was written.",
            (double)time(NULL));
}

static void write_sheet(struct metrics *metrics, struct store *store, int64_t stalled_ns)
{
    struct metrics_sheet sheet = {.metrics = metrics,
                                  .label = {{"event", metrics->from.event->name}}};
    struct output output;
    struct bg_error err;
    enum bg_status status = output_open(&output, metrics->from.event->metrics, &err);

    if (status == BG_OK) {
        sheet.out = output.file;
        put_all(&sheet, store, stalled_ns);
        status = output_close(&output, &err);
    }
    /* Said once, until it works again: it is tried every few seconds. */
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
        write_sheet(metrics, store, loop_stalled(loop, now_ns));
    }
}

void metrics_end(struct metrics *metrics, struct store *store, const struct loop *loop)
{
    if (metrics->from.event->metrics[0] != '\0') {
        /* An error of the store is reported by the end of the run. */
        (void)store->ops->settled(store, &metrics->games, NULL);
        write_sheet(metrics, store, loop_stalled(loop, loop_now(loop)));
    }
}
