/* Sections in order of importance: results first, checks and details last. One document for all
 * forms: HTML, text and JSON are written from the same cells. */
#include "report.h"

#include "report/sheet.h"
#include "section.h"
#include "tables/crosstable.h"

const char *section_bot(const struct report *report, int bot)
{
    return report->gather->results.tally.bot[bot].name;
}

const char *section_shown(const struct report *report, int bot)
{
    return tally_shown(&report->gather->results.tally, bot);
}

/* Read when it is first asked for: a page of a site has a single section, which may not need it. */
const struct sheet_source *section_sheet(struct report *report)
{
    if (!report->sheet_is_read && report->status == BG_OK) {
        report->status =
            sheet_source_read(&report->sheet, report->gather->results.store, report->err);
        report->sheet_is_read = true;
    }
    return report->sheet;
}

/* The same parts as of `bgref report --sheet`, built into the report's document, so the two cannot
 * differ. */
void section_form(struct report *report)
{
    const struct sheet_source *sheet = section_sheet(report);

    if (sheet != NULL && report->status == BG_OK) {
        report->status = sheet_build(report->doc, sheet, NULL, 0, report->err);
    }
}

void section_against(struct report *report)
{
    const struct gather *gather = report->gather;
    int *order = doc_array(report->doc, (size_t)gather->results.tally.bots, sizeof *order);
    const struct crosstable cross = {.doc = report->doc,
                                     .summary = &gather->summary,
                                     .judged =
                                         gather->judged.judge == NULL ? NULL : &gather->judged,
                                     .order = order,
                                     .count = summary_order(order, &gather->summary)};

    doc_section(report->doc, "against", "By opponent");
    crosstable_against(&cross, report->whom->bot, report->whom->opponent);
}

static const section_fn sections[] = {
    section_standings,  section_certain, section_sequential, section_form,
    section_crosstable, section_ties,    section_luck,       section_errors,
    section_blunders,   section_health,  section_course,     section_calibration,
    section_clocks,     section_faults,  section_bots,       section_event,
    section_host,
};

enum bg_status report_build(struct doc **out, const struct gather *gather,
                            const section_fn *section, size_t count, const struct report_whom *whom,
                            struct bg_error *err)
{
    const section_fn *list = count == 0 ? sections : section;
    struct report report = {.doc = standing_doc(gather->results.name, &gather->results.tally),
                            .gather = gather,
                            .whom = whom,
                            .status = BG_OK,
                            .err = err};
    int *order = doc_array(report.doc, (size_t)gather->results.tally.bots, sizeof *order);

    report.order = order;
    report.count = summary_order(order, &gather->summary);
    report.money = gather->summary.money;
    if (whom != NULL) {
        order[0] = whom->bot;
        report.count = 1;
    }
    count = count == 0 ? sizeof sections / sizeof *sections : count;
    for (size_t i = 0; i < count; i++) {
        list[i](&report);
    }
    if (report.status == BG_OK && report.doc->first != NULL) {
        report.status = sheet_about(report.doc, gather->results.store, section_days(&report), err);
    }
    sheet_source_destroy(report.sheet);
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
        status = report_build(out, &gather, NULL, 0, NULL, err);
        gather_close(&gather);
    }
    return status;
}
