/* A standing is collected from lines that may come in any order and twice, and printed when it
 * is whole. Texts are clean already (status_line.h), so they are printed as they are. */
#include "join_standing.h"

#include <inttypes.h>
#include <string.h>

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
        if (i < JOIN_STANDING_EVENTS) {
            standing->events[i] = status.event;
            standing->event_count += i == standing->event_count;
        }
        break;
    case STATUS_NONE:
        break;
    }
    return status.kind;
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
