/* Points, histories and joint ratings of several events. Text and JSON call the same functions
 * for what is computed (score_of, each_history) and only print apart, so a column cannot exist
 * in one of them with other numbers. */
#include "circuit_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include <store/entry.h>
#include <sums/summary.h>

#include "base/memory.h"
#include "document/json_value.h"
#include "page.h"
#include "event_table.h"

enum { DAY = 16, NAME = 24, EVENT_COLUMNS = 20, TITLE = 512 };

/* UTC, "2026-11-22"; "-" unknown. gmtime_r, not localtime: the same circuit must print the same
 * day on every machine. */
static void day_of(char out[DAY], int64_t seconds)
{
    time_t when = (time_t)seconds;
    struct tm tm;

    if (seconds < 1 || gmtime_r(&when, &tm) == NULL || strftime(out, DAY, "%Y-%m-%d", &tm) == 0) {
        snprintf(out, DAY, "-");
    }
}

/* -------------------------------------------------------------------- computed tables */

/* A competitor's places and points in every event. */
struct circuit_score {
    int *rank;     /* owned; [competitor * events + event]; 0: no place */
    double *worth; /* owned; the same shape */
    double *total; /* owned; by competitor */
    int *order;    /* owned; competitors, most points first, else in their order */
    int *place;    /* owned; by competitor: from 1; shared: 1, 1, 3 */
};

static void score_deinit(struct circuit_score *score)
{
    free(score->rank);
    free(score->worth);
    free(score->total);
    free(score->order);
    free(score->place);
}

/* By the table of all games; who has not played has no place. */
static enum bg_status rank_by_games(int *rank, const struct circuit_event *event,
                                    struct bg_error *err)
{
    struct report_options table = event_results_options(&event->results);
    struct summary_options settings = report_summary_options(&table);
    struct summary summary = {0};
    enum bg_status status = summary_of(&summary, &event->results.tally, &settings, err);

    for (int i = 0; status == BG_OK && i < summary.standings; i++) {
        const struct standings_row *row = &summary.standing[i];

        rank[row->player] = summary.bot[row->player].sum.legs > 0 ? row->rank : 0;
    }
    summary_deinit(&summary);
    return status;
}

static enum bg_status score_event(struct circuit_score *out, const struct circuit *circuit,
                                  int number, const struct points_table *points,
                                  struct bg_error *err)
{
    const struct circuit_event *event = &circuit->event[number];
    size_t bots = (size_t)event->results.tally.bots;
    int *rank = memory_zeroed(bots, sizeof *rank);
    double *worth = memory_zeroed(bots, sizeof *worth);
    enum bg_status status = BG_OK;

    if (event->results.place != NULL) {
        memcpy(rank, event->results.place, bots * sizeof *rank);
    } else {
        status = rank_by_games(rank, event, err);
    }
    if (status == BG_OK) {
        points_share(worth, points, rank, bots);
        for (size_t bot = 0; bot < bots; bot++) {
            size_t at = (size_t)event->competitor[bot] * (size_t)circuit->events + (size_t)number;

            out->rank[at] = rank[bot];
            out->worth[at] = worth[bot];
            out->total[event->competitor[bot]] += worth[bot];
        }
    }
    free(rank);
    free(worth);
    return status;
}

/* An insertion sort because it keeps the order of equal sums; qsort does not promise that. */
static void score_order(struct circuit_score *out, int competitors)
{
    for (int i = 0; i < competitors; i++) {
        int place = i;

        while (place > 0 && out->total[out->order[place - 1]] < out->total[i]) {
            out->order[place] = out->order[place - 1];
            place--;
        }
        out->order[place] = i;
    }
    for (int i = 0; i < competitors; i++) {
        /* Shares of points are sums of fractions, so equal totals may differ in their last
         * digits. */
        bool shared = i > 0 && out->total[out->order[i]] >= out->total[out->order[i - 1]] - 1e-9;

        out->place[out->order[i]] = shared ? out->place[out->order[i - 1]] : i + 1;
    }
}

static enum bg_status score_of(struct circuit_score *out, const struct circuit *circuit,
                               const struct points_table *points, struct bg_error *err)
{
    size_t all = (size_t)circuit->competitors, cells = all * (size_t)circuit->events;
    enum bg_status status = BG_OK;

    *out = (struct circuit_score){.rank = memory_zeroed(cells, sizeof *out->rank),
                                  .worth = memory_zeroed(cells, sizeof *out->worth),
                                  .total = memory_zeroed(all, sizeof *out->total),
                                  .order = memory_zeroed(all, sizeof *out->order),
                                  .place = memory_zeroed(all, sizeof *out->place)};
    for (int i = 0; i < circuit->events && status == BG_OK; i++) {
        status = score_event(out, circuit, i, points, err);
    }
    if (status == BG_OK) {
        score_order(out, circuit->competitors);
    }
    return status;
}

/* Called for each event with the joint rating of all events until then. */
typedef enum bg_status history_fn(void *user, const struct circuit *circuit, int event,
                                  const struct summary *summary, struct bg_error *err);

/* Every event's ratings are fitted anew from all games until then: maximum likelihood has no
 * update from one event to the next. */
static enum bg_status each_history(const struct circuit *circuit,
                                   const struct circuit_options *options, history_fn *fn,
                                   void *user, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < circuit->events && status == BG_OK; i++) {
        struct summary_options settings = {.rating = options->rating};
        struct summary summary = {0};
        struct tally tally;

        status = circuit_tally(&tally, circuit, i + 1, err);
        if (status != BG_OK) {
            break;
        }
        /* Before its first event the anchor has no number; the mean stands in for it. */
        settings.rating.anchor = options->anchor == NULL ? -1 : tally_find(&tally, options->anchor);
        status = summary_of(&summary, &tally, &settings, err);
        if (status == BG_OK) {
            status = fn(user, circuit, i, &summary, err);
        }
        summary_deinit(&summary);
        tally_deinit(&tally);
    }
    return status;
}

/* ------------------------------------------------------------------------------ text */

static void print_events(FILE *out, const struct circuit *circuit)
{
    fprintf(out, "\nEvents\n%-10s  %-*s  %10s  %6s  %5s\n", "Ended", NAME, "Event", "Played to",
            "Games", "Bots");
    for (int i = 0; i < circuit->events; i++) {
        const struct circuit_event *event = &circuit->event[i];
        const struct tally *tally = &event->results.tally;
        char day[DAY], length[24] = "money";

        day_of(day, event->ended_s);
        if (tally->length_points > 0 && tally->length_most > tally->length_points) {
            snprintf(length, sizeof length, "%d to %d", tally->length_points, tally->length_most);
        } else if (tally->length_points > 0) {
            snprintf(length, sizeof length, "%d", tally->length_points);
        }
        fprintf(out, "%-10s  ", day);
        page_name(out, NAME, event->file);
        fprintf(out, "  %10s  %6llu  %5d\n", length, (unsigned long long)tally->games, tally->bots);
    }
}

/* Lists the competitors that had several names. */
static void print_names(FILE *out, const struct circuit *circuit)
{
    for (int i = 0; i < circuit->events; i++) {
        const struct circuit_event *event = &circuit->event[i];

        for (int bot = 0; bot < event->results.tally.bots; bot++) {
            const char *was = tally_shown(&event->results.tally, bot);
            const char *is = circuit->name[event->competitor[bot]];

            if (strcmp(was, is) != 0) {
                page_wrap(out, 4, "* %s is %s in %s.", is, was, event->file);
            }
        }
    }
}

static void print_notes(FILE *out, const struct circuit *circuit)
{
    const char *text = circuit->notes == NULL ? "" : circuit->notes;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        page_wrap(out, 4, "* %.*s", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_points(FILE *out, const struct circuit *circuit,
                         const struct circuit_score *score)
{
    fprintf(out, "\nPoints of the circuit\n%5s  %-*s  %8s   Places\n", "Place", NAME, "Bot",
            "Points");
    for (int i = 0; i < circuit->competitors; i++) {
        int competitor = score->order[i];

        fprintf(out, "%5d  ", score->place[competitor]);
        page_name(out, NAME, circuit->name[competitor]);
        fprintf(out, "  %8.2f  ", score->total[competitor]);
        for (int event = 0; event < circuit->events; event++) {
            int rank = score->rank[(size_t)competitor * (size_t)circuit->events + (size_t)event];

            if (rank > 0) {
                fprintf(out, " %d", rank);
            } else {
                fprintf(out, " -");
            }
        }
        fputc('\n', out);
    }
    page_wrap(
        out, 4,
        "* Places are in the order of the events above, by each event's own standing (of its form, "
        "stage by stage; of a plain round robin, its table); bots that share places share "
        "their points.");
}

static enum bg_status print_after(void *user, const struct circuit *circuit, int event,
                                  const struct summary *summary, struct bg_error *err)
{
    FILE *out = user;
    char day[DAY];

    (void)err;
    day_of(day, circuit->event[event].ended_s);
    for (int bot = 0; bot < summary->tally->bots; bot++) {
        const struct strength_bot *known = &summary->strength.bot[bot];

        if (summary->strength.bots <= bot) {
            continue; /* nothing could be rated */
        }
        fprintf(out, "%-10s  ", day);
        page_name(out, EVENT_COLUMNS, circuit->event[event].file);
        fprintf(out, "  ");
        page_name(out, NAME, summary->tally->bot[bot].name);
        page_number(out, 11, summary->money ? 4 : 1, known->rating);
        page_number(out, 9, summary->money ? 4 : 1, known->bar);
        page_count(out, 9, (double)summary->bot[bot].sum.legs);
        fputc('\n', out);
    }
    return BG_OK;
}

static void history_head(FILE *out, bool money)
{
    fprintf(out, "\nRatings after each event\n%-10s  %-*s  %-*s   %8s        ±  %7s\n", "Ended",
            EVENT_COLUMNS, "Event", NAME, "Bot", "Rating", money ? "Games" : "Matches");
}

/* Half of the room is for the last name, which may be long; many events are only counted. */
static void title_of(char out[TITLE], const struct circuit *circuit)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < circuit->events && used < TITLE / 2; i++) {
        used += (size_t)snprintf(out + used, TITLE - used, "%s%s", i > 0 ? " + " : "",
                                 circuit->event[i].file);
    }
    if (used >= TITLE / 2) {
        snprintf(out, TITLE, "%d events", circuit->events);
    }
}

static struct report_options table_of(const struct circuit *circuit,
                                      const struct circuit_options *options,
                                      const struct tally *tally, const char *title)
{
    struct report_options table = REPORT_OPTIONS_INIT;

    table.title = title;
    table.brief = !options->explain;
    for (int i = 0; i < circuit->events; i++) {
        table.decided = table.decided || circuit->event[i].results.counted != UINT64_MAX;
    }
    table.rating = options->rating;
    table.rating.anchor = options->anchor == NULL ? -1 : tally_find(tally, options->anchor);
    return table;
}

enum bg_status circuit_text(FILE *out, const struct circuit *circuit,
                            const struct circuit_options *options, struct bg_error *err)
{
    struct tally tally;
    struct report_options table;
    struct circuit_score score = {0};
    char title[TITLE];
    enum bg_status status = circuit_tally(&tally, circuit, circuit->events, err);

    if (status != BG_OK) {
        return status;
    }
    title_of(title, circuit);
    table = table_of(circuit, options, &tally, title);
    status = report_table(out, &tally, &table, err);
    if (status == BG_OK) {
        print_events(out, circuit);
        print_names(out, circuit);
        print_notes(out, circuit);
    }
    if (status == BG_OK && options->points != NULL) {
        status = score_of(&score, circuit, options->points, err);
        if (status == BG_OK) {
            print_points(out, circuit, &score);
        }
    }
    if (status == BG_OK && options->history) {
        history_head(out, tally.length_points == 0);
        status = each_history(circuit, options, print_after, out, err);
    }
    score_deinit(&score);
    tally_deinit(&tally);
    return status;
}

/* ------------------------------------------------------------------------------ JSON */

static json_t *day_json(int64_t seconds)
{
    char day[DAY];

    day_of(day, seconds);
    return seconds < 1 ? json_null() : json_string(day);
}

static json_t *bots_json(const struct circuit *circuit, const struct circuit_event *event)
{
    json_t *out = json_array();

    for (int bot = 0; bot < event->results.tally.bots; bot++) {
        const struct tally_bot *known = &event->results.tally.bot[bot];
        struct edition last;
        bool has = known->editions != NULL && edition_last(&last, known->editions) &&
                   strcmp(last.digest, "-") != 0;

        json_array_append_new(out, json_pack("{s:s, s:s, s:s?}", "bot", known->name, "competitor",
                                             circuit->name[event->competitor[bot]], "program",
                                             has ? last.digest : NULL));
    }
    return out;
}

static json_t *events_json(const struct circuit *circuit)
{
    json_t *out = json_array();

    for (int i = 0; i < circuit->events; i++) {
        const struct circuit_event *event = &circuit->event[i];
        const struct tally *tally = &event->results.tally;

        json_array_append_new(
            out, json_pack("{s:s, s:s, s:o, s:o, s:i, s:i, s:I, s:o}", "file", event->file, "event",
                           event->results.name, "begun", day_json(event->begun_s), "ended",
                           day_json(event->ended_s), "length", tally->length_points, "length_most",
                           tally->length_most, "games", (json_int_t)tally->games, "bots",
                           bots_json(circuit, event)));
    }
    return out;
}

static json_t *points_json(const struct circuit *circuit, const struct circuit_score *score)
{
    json_t *out = json_array();

    for (int i = 0; i < circuit->competitors; i++) {
        int competitor = score->order[i];
        json_t *events = json_array();

        for (int event = 0; event < circuit->events; event++) {
            size_t at = (size_t)competitor * (size_t)circuit->events + (size_t)event;

            json_array_append_new(
                events, json_pack("{s:s, s:o, s:o}", "file", circuit->event[event].file, "rank",
                                  score->rank[at] > 0 ? json_integer(score->rank[at]) : json_null(),
                                  "circuit_points", json_of(score->worth[at])));
        }
        json_array_append_new(out,
                              json_pack("{s:i, s:s, s:o, s:o}", "rank", score->place[competitor],
                                        "bot", circuit->name[competitor], "circuit_points",
                                        json_of(score->total[competitor]), "joined", events));
    }
    return out;
}

static enum bg_status add_after(void *user, const struct circuit *circuit, int event,
                                const struct summary *summary, struct bg_error *err)
{
    json_t *out = user;

    (void)err;
    for (int bot = 0; bot < summary->strength.bots; bot++) {
        const struct strength_bot *known = &summary->strength.bot[bot];

        json_array_append_new(
            out, json_pack("{s:o, s:s, s:s, s:o, s:o, s:I}", "date",
                           day_json(circuit->event[event].ended_s), "file",
                           circuit->event[event].file, "bot", summary->tally->bot[bot].name,
                           "rating", json_of(known->rating), "rating_bar", json_of(known->bar),
                           "legs", (json_int_t)summary->bot[bot].sum.legs));
    }
    return BG_OK;
}

static json_t *notes_json(const struct circuit *circuit)
{
    json_t *out = json_array();
    const char *text = circuit->notes == NULL ? "" : circuit->notes;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        json_array_append_new(out, json_stringn(text, length));
        text += length + (text[length] == '\n');
    }
    return out;
}

enum bg_status circuit_json(FILE *out, const struct circuit *circuit,
                            const struct circuit_options *options, struct bg_error *err)
{
    struct tally tally;
    struct report_options table;
    struct circuit_score score = {0};
    json_t *json = NULL;
    char title[TITLE];
    enum bg_status status = circuit_tally(&tally, circuit, circuit->events, err);

    if (status != BG_OK) {
        return status;
    }
    title_of(title, circuit);
    table = table_of(circuit, options, &tally, title);
    status = table_json_of(&json, &tally, &table, err);
    if (status == BG_OK) {
        json_object_set_new(json, "joined", events_json(circuit));
        json_object_set_new(json, "notes", notes_json(circuit));
    }
    if (status == BG_OK && options->points != NULL) {
        status = score_of(&score, circuit, options->points, err);
        if (status == BG_OK) {
            json_object_set_new(json, "circuit", points_json(circuit, &score));
        }
    }
    if (status == BG_OK && options->history) {
        json_t *history = json_array();

        status = each_history(circuit, options, add_after, history, err);
        json_object_set_new(json, "history", history);
    }
    if (status == BG_OK) {
        status = json_line(out, json, err);
        json = NULL;
    }
    json_decref(json);
    score_deinit(&score);
    tally_deinit(&tally);
    return status;
}
