#include "gallery_metrics.h"

#include <string.h>

#include "loop/metrics_text.h"

static void write_refusals(FILE *out, const struct web_counts *counts)
{
    const struct {
        const char *why;
        uint64_t count;
    } rows[] = {{"address", counts->refused_address}, {"spectators", counts->refused_full}};

    metrics_family(out, "bgref_gallery_refused_total", METRICS_COUNTER,
                   "Connections of an address that had too many; streams beyond --spectators.");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct metrics_label label = {"why", rows[i].why};

        metrics_number(out, "bgref_gallery_refused_total", &label, 1, (double)rows[i].count);
    }
}

static void write_metrics(FILE *out, const struct web_counts *counts)
{
    const size_t statuses = sizeof counts->answers / sizeof *counts->answers;

    metrics_family(out, "bgref_gallery_spectators", METRICS_GAUGE, "Open streams.");
    metrics_number(out, "bgref_gallery_spectators", NULL, 0, counts->streams);
    metrics_family(out, "bgref_gallery_connections", METRICS_GAUGE,
                   "Open connections without streams.");
    metrics_number(out, "bgref_gallery_connections", NULL, 0, counts->pages);
    metrics_family(out, "bgref_gallery_streams_total", METRICS_COUNTER, "Streams ever opened.");
    metrics_number(out, "bgref_gallery_streams_total", NULL, 0, (double)counts->streams_total);
    metrics_family(out, "bgref_gallery_dropped_spectators_total", METRICS_COUNTER,
                   "Streams closed because their reader was too far behind.");
    metrics_number(out, "bgref_gallery_dropped_spectators_total", NULL, 0,
                   (double)counts->dropped_lag);
    write_refusals(out, counts);
    metrics_family(out, "bgref_gallery_requests_total", METRICS_COUNTER, "Answers by status.");
    for (size_t status = 0; status < statuses; status++) {
        char text[4];
        const struct metrics_label label = {"status", text};

        snprintf(text, sizeof text, "%zu", status);
        if (counts->answers[status] > 0) {
            metrics_number(out, "bgref_gallery_requests_total", &label, 1,
                           (double)counts->answers[status]);
        }
    }
}

bool gallery_metrics_page(int *status, FILE *out, struct web_answer *answer, const struct web *web,
                          const struct web_request *request)
{
    const bool is_near = !request->is_forwarded && (strncmp(request->from, "127.", 4) == 0 ||
                                                    strcmp(request->from, "::1") == 0);

    *status = 200;
    if (strcmp(request->path, "/healthz") == 0 || strcmp(request->path, "/readyz") == 0) {
        fputs("ready\n", out);
    } else if (strcmp(request->path, "/metrics") == 0 && is_near) {
        answer->type = "text/plain; version=0.0.4; charset=utf-8";
        write_metrics(out, web_counts(web));
    } else {
        return false;
    }
    return true;
}
