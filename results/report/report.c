#include "report.h"

#include "section/section.h"

/* Sections in order of importance: results first, checks and details last. */
static void (*const sections[])(struct report *report) = {
    section_standings, section_form,     section_sequential, section_crosstable, section_luck,
    section_errors,    section_blunders, section_health,     section_fibs,       section_clocks,
    section_faults,    section_bots,     section_event,      section_host,
};

/* Sets the display names of imported players. */
static void set_aliases(struct doc *doc, const struct tally *tally)
{
    struct doc_alias *alias = doc_array(doc, (size_t)tally->bots, sizeof *alias);
    int count = 0;

    for (int i = 0; alias != NULL && i < tally->bots; i++) {
        const struct tally_bot *bot = &tally->bot[tally->by_name[i]];

        if (bot->display != NULL) {
            alias[count++] =
                (struct doc_alias){doc_copy(doc, bot->name), doc_copy(doc, bot->display)};
        }
    }
    doc_set_aliases(doc, alias, count);
}

static enum bg_status build(struct doc **out, const struct gather *gather, struct bg_error *err)
{
    struct report report = {
        .doc = doc_create(gather->results.name), .gather = gather, .status = BG_OK, .err = err};
    int *order = doc_array(report.doc, (size_t)gather->results.tally.bots, sizeof *order);

    if (order != NULL) {
        report.order = order;
        report.count = summary_order(order, &gather->summary);
        report.money = gather->summary.money;
        set_aliases(report.doc, &gather->results.tally);
        for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
            sections[i](&report);
        }
    }
    if (report.status == BG_OK) {
        report.status = doc_status(report.doc, err);
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
