#include "join_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rules/clean.h>

#include "words/plural.h"

#define SECOND_NS INT64_C(1000000000)

/* The longest time in which a host is expected back. */
enum { LONGEST_S = 366 * 86400 };

/* ------------------------------------------------------------------------ taking */

enum status_kind join_standing_take(struct join_standing *standing, const char *line, size_t size)
{
    struct status status;
    int i = 0;

    switch (status_read(&status, line, size)) {
    case STATUS_HOST:
        standing->host = status.host;
        standing->event_count = 0;
        break;
    case STATUS_EVENT:
        while (i < standing->event_count &&
               strcmp(standing->events[i].event, status.event.event) != 0) {
            i++;
        }
        if (i < JOIN_VIEW_EVENTS) {
            standing->events[i] = status.event;
            standing->event_count += i == standing->event_count;
        }
        break;
    case STATUS_NONE:
        break;
    }
    return status.kind;
}

void join_view_line(struct join_view *view, int64_t now_ns, const char *text)
{
    if (strcmp(view->line, text) != 0) {
        snprintf(view->line, sizeof view->line, "%s", text);
        view->since_ns = now_ns;
    }
}

void join_view_say(struct join_view *view, int64_t now_s, const char *text)
{
    uint64_t place = view->said_count++ % JOIN_VIEW_SAID;

    view->said[place].at_s = now_s;
    snprintf(view->said[place].text, sizeof view->said[place].text, "%s", text);
}

void join_view_end(struct join_view *view, int64_t now_ns, int64_t seconds, const char *text)
{
    snprintf(view->ends, sizeof view->ends, "%s", text);
    view->back_ns = seconds > 0 && seconds <= LONGEST_S ? now_ns + seconds * SECOND_NS : 0;
}

/* ------------------------------------------------------------------------ writing */

/* Whole lines of a limited width. */
struct page {
    char *out;
    size_t used;
    int columns, rows;
    bool has_colour;
};

/* The bytes of the first `columns` characters of clean text. */
static size_t measure(const char *text, int columns)
{
    size_t size = strlen(text), used = 0;

    for (uint32_t character; used < size && columns > 0; columns--) {
        size_t bytes = clean_character(&character, text + used, size - used);

        used += bytes == 0 ? 1 : bytes;
    }
    return used;
}

/* The bytes of the next line of a text, broken at a space if there is one. */
static size_t measure_line(const char *text, int columns)
{
    size_t size = measure(text, columns), at = size;

    if (text[size] == '\0') {
        return size;
    }
    while (at > 0 && text[at] != ' ') {
        at--;
    }
    return at > 0 ? at : size;
}

enum { LABEL = 11, CODES = 32 /* bytes of a line besides its text */ };

/* One line. */
static void add_row(struct page *page, const char *label, const char *text, size_t size,
                    bool bright)
{
    char padded[LABEL + 1];
    const char *codes[3] = {"", "", ""};

    if (page->rows == JOIN_VIEW_ROWS || page->used + LABEL + size + CODES >= JOIN_VIEW_TEXT) {
        return;
    }
    if (page->has_colour) {
        codes[0] = "\033[2m";
        codes[1] = bright ? "\033[0;1m" : "\033[0m";
        codes[2] = "\033[0m";
    }
    snprintf(padded, sizeof padded, "%-*s", LABEL, label);
    page->used +=
        (size_t)snprintf(page->out + page->used, JOIN_VIEW_TEXT - page->used, "%s%s%s%.*s%s\n",
                         codes[0], padded, codes[1], (int)size, text, codes[2]);
    page->rows++;
}

/* A label, and a text that is cleaned and may need several lines. bright: it needs to be seen. */
static void add(struct page *page, const char *label, const char *text, bool bright)
{
    char clean[1024];
    const char *at = clean;

    clean_write(clean, sizeof clean, text, strlen(text), CLEAN_LINE);
    do {
        size_t size = measure_line(at, page->columns - LABEL);

        add_row(page, label, at, size, bright);
        at += size;
        at += *at == ' ';
        label = "";
    } while (*at != '\0');
}

static void write_span(char *out, size_t size, int64_t ns)
{
    int64_t s = ns < 0 ? 0 : ns / SECOND_NS;

    if (s >= 3600) {
        snprintf(out, size, "%" PRId64 "h %02" PRId64 "m", s / 3600, s / 60 % 60);
    } else {
        snprintf(out, size, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
    }
}

static void add_line(struct page *page, const struct join_view *view, int64_t now_ns)
{
    char text[320], since[32], ping[32] = "";

    write_span(since, sizeof since, now_ns - view->since_ns);
    if (view->ping_ns > 0) {
        snprintf(ping, sizeof ping, ", ping %.1f ms", (double)view->ping_ns / 1e6);
    }
    snprintf(text, sizeof text, "%s, for %s%s", view->line, since, ping);
    add(page, "line", text, false);
}

static void add_end(struct page *page, const struct join_view *view, int64_t now_ns)
{
    char text[280], left[32];

    if (view->ends[0] == '\0') {
        return;
    }
    write_span(left, sizeof left, view->back_ns - now_ns);
    if (view->back_ns == 0) {
        snprintf(text, sizeof text, "%s", view->ends);
    } else if (view->back_ns > now_ns) {
        snprintf(text, sizeof text, "%s: %s left", view->ends, left);
    } else {
        snprintf(text, sizeof text, "%s: it is late", view->ends);
    }
    add(page, "host", text, true);
}

/* The clock of the side that thinks has run since the decision came. */
static void write_clocks(char *out, size_t size, const struct join_view *view, int64_t now_ns)
{
    char own[32], opponent[32];
    int64_t run_ns = view->is_answered ? 0 : now_ns - view->asked_ns - view->ask.delay_ns[0];
    int64_t own_ns = view->ask.left_ns[0] - (run_ns > 0 ? run_ns : 0);

    out[0] = '\0';
    if (view->ask.has_clock) {
        write_span(own, sizeof own, own_ns);
        write_span(opponent, sizeof opponent, view->ask.left_ns[1]);
        snprintf(out, size, ", clocks %s and %s", own, opponent);
    }
}

static void add_game(struct page *page, const struct join_view *view, int64_t now_ns)
{
    const struct bg_ask *ask = &view->ask;
    char text[1024], score[96] = "", clocks[96], span[32];

    if (view->event[0] == '\0' || ask->game[0] == '\0') {
        add(page, "plays", view->event[0] == '\0' ? "nothing now" : view->event, false);
        return;
    }
    if (ask->rules.length_points > 0) {
        snprintf(score, sizeof score, ", %" PRId64 "-%" PRId64 " to %d", ask->score[0],
                 ask->score[1], ask->rules.length_points);
    }
    write_clocks(clocks, sizeof clocks, view, now_ns);
    snprintf(text, sizeof text, "%s: game %" PRIu64 " against %s%s%s", view->event, view->games,
             ask->opponent[0] == '\0' ? "a bot that is not named" : ask->opponent, score, clocks);
    add(page, "plays", text, true);
    write_span(span, sizeof span, now_ns - view->asked_ns);
    snprintf(text, sizeof text, "%" PRIu64 " decision%s; %s for %s", view->decisions,
             plural_s(view->decisions), view->is_answered ? "the opponent's turn" : "thinking",
             span);
    add(page, "", text, false);
}

static void write_rank(char *out, size_t size, const struct status_event *event)
{
    if (event->rank > 0) {
        snprintf(out, size, "rank %d%s of %d", event->rank, event->shared ? "=" : "", event->of);
    } else {
        snprintf(out, size, "no rank yet");
    }
}

static void add_standing(struct page *page, const struct status_event *event)
{
    char text[512], rank[64], matches[96] = "";

    if (event->as[0] != '\0') {
        snprintf(text, sizeof text, "you play as %s in %s", event->as, event->event);
        add(page, "name", text, true);
    }
    write_rank(rank, sizeof rank, event);
    if (!event->money) {
        snprintf(matches, sizeof matches, "; matches %" PRId64 " won, %" PRId64 " lost",
                 event->matches_won, event->matches_lost);
    }
    snprintf(text, sizeof text,
             "%s: %s%s; games %" PRId64 " won, %" PRId64 " lost; points %+" PRId64, event->event,
             rank, matches, event->games_won, event->games_lost, event->points);
    add(page, "standing", text, false);
}

static void write_faults(char *out, size_t size, const struct status_event *event)
{
    size_t used =
        (size_t)snprintf(out, size, "%" PRId64 " of %" PRId64, event->faults, event->faults_most);
    const char *between = "; games lost by ";

    for (int fault = 0; fault < BG_FAULT_COUNT && used < size; fault++) {
        if (event->lost_by[fault] > 0) {
            used += (size_t)snprintf(out + used, size - used, "%s%s %" PRId64, between,
                                     bg_fault_name((enum bg_fault)fault), event->lost_by[fault]);
            between = ", ";
        }
    }
}

static void add_faults(struct page *page, const struct status_event *event)
{
    char text[640], list[320];
    bool is_out = strcmp(event->state, "quarantined") == 0 || strcmp(event->state, "absent") == 0;

    write_faults(list, sizeof list, event);
    snprintf(text, sizeof text, "%s: %s%s%s", event->event, list, is_out ? " - " : "",
             is_out ? event->state : "");
    add(page, "faults", text, event->faults > 0);
    if (event->last_fault[0] != '\0') {
        snprintf(text, sizeof text, "last: %s", event->last_fault);
        add(page, "", text, true);
    }
}

static void add_held(struct page *page, const struct status_event *event)
{
    char text[STATUS_TEXT + 80];

    if (event->held[0] != '\0') {
        snprintf(text, sizeof text, "%s: no agreement on a roll; the director has to look",
                 event->held);
        add(page, "held", text, true);
    }
}

static void add_host(struct page *page, const struct status_host *host)
{
    char text[320];

    if (host->limit[0] != '\0') {
        add(page, "limit", host->limit, true);
    }
    if (host->tables > 0) {
        snprintf(text, sizeof text, "%d tables at once", host->tables);
        add(page, "limit", text, false);
    }
    if (host->next[0] != '\0') {
        add(page, "next", host->next, false);
    }
}

static void add_said(struct page *page, const struct join_view *view)
{
    uint64_t first = view->said_count > JOIN_VIEW_SAID ? view->said_count - JOIN_VIEW_SAID : 0;

    for (uint64_t i = first; i < view->said_count; i++) {
        time_t at = (time_t)view->said[i % JOIN_VIEW_SAID].at_s;
        struct tm utc;
        char label[16] = "";

        if (gmtime_r(&at, &utc) != NULL) {
            (void)strftime(label, sizeof label, "%H:%M:%S", &utc);
        }
        add(page, label, view->said[i % JOIN_VIEW_SAID].text, false);
    }
}

int join_view_write(char out[JOIN_VIEW_TEXT], const struct join_view *view, int columns,
                    bool has_colour, int64_t now_ns)
{
    struct page page = {.out = out, .columns = columns, .has_colour = has_colour};
    char text[512], fingerprint[KEY_FILE_PRINT];

    out[0] = '\0';
    key_fingerprint(fingerprint, view->host->key);
    snprintf(text, sizeof text, "%s at %s, %s", view->bot, view->host->name, view->host->endpoint);
    add(&page, "bot", text, true);
    add(&page, "host key", fingerprint, false);
    add_line(&page, view, now_ns);
    add_end(&page, view, now_ns);
    if (view->limits[0] != '\0') {
        add(&page, "limits", view->limits + strlen("limits: "), false);
    }
    add_game(&page, view, now_ns);
    for (int i = 0; i < view->shown.event_count; i++) {
        add_standing(&page, &view->shown.events[i]);
        add_faults(&page, &view->shown.events[i]);
        add_held(&page, &view->shown.events[i]);
    }
    add_host(&page, &view->shown.host);
    add_said(&page, view);
    return page.rows;
}

/* ------------------------------------------------------------------------ the table */

static void print_event(FILE *out, const struct status_event *event)
{
    char rank[48] = "-", matches[48] = "-", games[48], list[320];

    if (event->rank > 0) {
        snprintf(rank, sizeof rank, "%d%s of %d", event->rank, event->shared ? "=" : "", event->of);
    }
    if (!event->money) {
        snprintf(matches, sizeof matches, "%" PRId64 "-%" PRId64, event->matches_won,
                 event->matches_lost);
    }
    snprintf(games, sizeof games, "%" PRId64 "-%" PRId64, event->games_won, event->games_lost);
    fprintf(out, "%-16s %-11s %-9s %8s %9s %+7" PRId64 " %7" PRId64 "\n", event->event,
            event->state, rank, matches, games, event->points, event->faults);
    if (event->as[0] != '\0') {
        fprintf(out, "  you play as %s\n", event->as);
    }
    if (event->faults > 0 || event->last_fault[0] != '\0') {
        write_faults(list, sizeof list, event);
        fprintf(out, "  faults: %s\n", list);
    }
    if (event->last_fault[0] != '\0') {
        fprintf(out, "  last fault: %s\n", event->last_fault);
    }
    if (event->held[0] != '\0') {
        fprintf(out, "  held: %s: the operators do not agree on a roll; the director has to look\n",
                event->held);
    }
}

void join_standing_print(FILE *out, const struct join_standing *standing, const char *bot)
{
    fprintf(out, "%s at %s\n", bot, standing->host.name);
    if (standing->host.ends[0] != '\0') {
        fprintf(out, "host: %s\n", standing->host.ends);
    }
    if (standing->host.line_us > 0) {
        fprintf(out, "line: %.1f ms to the bot and back\n", (double)standing->host.line_us / 1e3);
    }
    if (standing->host.limit[0] != '\0') {
        fprintf(out, "limit: %s\n", standing->host.limit);
    }
    if (standing->host.tables > 0) {
        fprintf(out, "limit: %d tables at once\n", standing->host.tables);
    }
    if (standing->host.games_a_day > 0) {
        fprintf(out, "limit: %d games a day\n", standing->host.games_a_day);
    }
    if (standing->host.starts_an_hour > 0) {
        fprintf(out, "limit: %d starts an hour\n", standing->host.starts_an_hour);
    }
    if (standing->host.next[0] != '\0') {
        fprintf(out, "next: %s\n", standing->host.next);
    }
    if (standing->event_count == 0) {
        fprintf(out, "it plays in no event now\n");
        return;
    }
    fprintf(out, "%-16s %-11s %-9s %8s %9s %7s %7s\n", "event", "state", "rank", "matches", "games",
            "points", "faults");
    for (int i = 0; i < standing->event_count; i++) {
        print_event(out, &standing->events[i]);
    }
}
