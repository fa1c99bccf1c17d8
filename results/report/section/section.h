/* section.h - the sections of a report: each turns what was gathered into one part of the document.
 *
 * A section without content adds nothing, or one note on how to get the content. Trouble is
 * kept in report->status; building goes on harmlessly.
 */
#ifndef RESULTS_REPORT_SECTION_SECTION_H
#define RESULTS_REPORT_SECTION_SECTION_H

#include "document/document.h"
#include "gather/gather.h"

struct report {
    struct doc *doc;
    const struct gather *gather;
    const int *order; /* bots in rank order */
    int count;
    bool money;
    enum bg_status status;
    struct bg_error *err;
};

enum { SECTION_MATRIX_BOTS = 64 /* most bots of a crosstable */ };

void section_event(struct report *report);
void section_standings(struct report *report);
void section_crosstable(struct report *report);
void section_ratings(struct report *report); /* the plot, within the standings */
void section_sequential(struct report *report);
void section_luck(struct report *report);
void section_health(struct report *report);
void section_errors(struct report *report);
void section_blunders(struct report *report);
void section_fibs(struct report *report);
void section_clocks(struct report *report);
void section_faults(struct report *report);
void section_bots(struct report *report);
void section_host(struct report *report);

/* What sections share. */
const char *section_bot(const struct report *report, int bot);   /* its name, for cells */
const char *section_shown(const struct report *report, int bot); /* for sentences */
/* Half the width of the 95 % interval of a standard error with these degrees of freedom. */
double section_bar(double se, double df);
double section_percent(double part, double whole);
/* Whether so few clusters make the error bar rough. */
bool section_is_small(double clusters);
/* note_fns for what explains and for what is so in this event; user is the report's document. */
void section_note(void *user, bool part, const char *text);
void section_tell(void *user, bool part, const char *text);

#endif
