#include "report.h"

#include "section.h"

/* Sections in order of importance: results first, checks and details last. */
static void (*const sections[])(struct report *report) = {
    section_standings, section_form,     section_sequential, section_crosstable, section_luck,
    section_errors,    section_blunders, section_health,     section_fibs,       section_clocks,
    section_faults,    section_bots,     section_event,      section_host,
};

/* One document for all forms: HTML, text and JSON are written from the same cells. */
static enum bg_status build(struct doc **out, const struct gather *gather, struct bg_error *err)
{
    struct report report = {.doc = standing_doc(gather->results.name, &gather->results.tally),
                            .gather = gather,
                            .status = BG_OK,
                            .err = err};
    int *order = doc_array(report.doc, (size_t)gather->results.tally.bots, sizeof *order);

    if (order != NULL) {
        report.order = order;
        report.count = summary_order(order, &gather->summary);
        report.money = gather->summary.money;
        for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
            sections[i](&report);
        }
    }
    if (report.status == BG_OK) {
        *out = report.doc;
    } else {
        doc_destroy(report.doc);
    }
    return report.status;
}

enum bg_status report_open(struct doc **out, const char *path, const char *judge, int bootstrap,
                           struct bg_error *err)
{
    struct gather gather;
    enum bg_status status = gather_open(&gather, path, judge, bootstrap, err);

    if (status == BG_OK) {
        status = build(out, &gather, err);
        gather_close(&gather);
    }
    return status;
}
