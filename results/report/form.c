/* The sheet of an event that has a form or a journal. The same parts as of `bgref report --sheet`,
 * built into the report's document, so the two cannot differ. */
#include "section.h"
#include "report/sheet.h"

void section_form(struct report *report)
{
    struct sheet_source *source = NULL;

    if (report->status == BG_OK) {
        report->status = sheet_source_read(&source, report->gather->results.store, report->err);
    }
    if (source != NULL) {
        report->status = sheet_build(report->doc, source, NULL, 0, report->err);
    }
    sheet_source_destroy(source);
}
