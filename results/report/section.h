/* section.h - the sections of a report: each turns a part of the gathered data into one part of the
 * document.
 *
 * A section without content adds nothing, or one note on how to get the content. Errors are kept in
 * report->status; building may continue after one.
 */
#ifndef RESULTS_REPORT_SECTION_H
#define RESULTS_REPORT_SECTION_H

#include "document/document.h"
#include "sheet.h"
#include "sums/gather.h"
#include "tables/standing.h"

/* The bots that a report is about: one, or one against one. */
struct report_whom {
    int bot, opponent; /* -1: all */
};

struct report {
    struct doc *doc;
    const struct gather *gather;
    struct sheet_source *sheet; /* owned; section_sheet */
    bool sheet_is_read;
    const int *order; /* bots in rank order */
    int count;
    bool money;
    const struct report_whom *whom; /* NULL: everybody */
    struct doc_table *standings;    /* set by section_standings */
    enum bg_status status;
    struct bg_error *err;
};

enum { SECTION_MATRIX_BOTS = 64 /* largest crosstable */ };

void section_event(struct report *report);
void section_standings(struct report *report);
void section_ties(struct report *report); /* after section_standings */
void section_certain(struct report *report);
void section_crosstable(struct report *report);
void section_form(struct report *report); /* nothing without a form and a journal */
void section_sequential(struct report *report);
void section_luck(struct report *report);
void section_health(struct report *report);
void section_errors(struct report *report);
void section_blunders(struct report *report);
void section_course(struct report *report);
void section_calibration(struct report *report); /* where bots told their chances */
void section_clocks(struct report *report);
void section_faults(struct report *report);
void section_bots(struct report *report);
void section_against(struct report *report); /* of `whom`: its results by opponent */
void section_host(struct report *report);

typedef void (*section_fn)(struct report *report);

/* Builds a document of gathered data with these sections, count 0: all. whom: only the rows of this
 * bot, and its results; NULL: of every bot. The caller destroys it. */
enum bg_status report_build(struct doc **out, const struct gather *gather,
                            const section_fn *section, size_t count, const struct report_whom *whom,
                            struct bg_error *err);

/* Shared by the sections. */
const char *section_verdict(struct report *report); /* of its sequential test, as a sentence */
const char *section_days(struct report *report);    /* "2026-11-22 to 2026-11-24"; "" unknown */
/* The event's sheet; NULL: it has neither form nor journal. */
const struct sheet_source *section_sheet(struct report *report);
const char *section_bot(const struct report *report, int bot);   /* its name, for cells */
const char *section_shown(const struct report *report, int bot); /* display name, for sentences */

#endif
