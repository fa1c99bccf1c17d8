#include "section.h"

#include <math.h>

#include <numbers/significance.h>

#include "tables/notes.h"

const char *section_bot(const struct report *report, int bot)
{
    return report->gather->results.tally.bot[bot].name;
}

const char *section_shown(const struct report *report, int bot)
{
    return tally_shown(&report->gather->results.tally, bot);
}

/* Student's factor and not 1.96, because reports are also read when few pairs are played. */
double section_bar(double se, double df)
{
    return student_t95(df) * se;
}

double section_percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

bool section_is_small(double clusters)
{
    return clusters < NOTES_SMALL_SAMPLE;
}
