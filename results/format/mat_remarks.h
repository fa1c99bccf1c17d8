/* mat_remarks.h - the comments before a match of a .mat file that say how it was played, like
 * "; [Jacoby "On"]".
 */
#ifndef RESULTS_FORMAT_MAT_REMARKS_H
#define RESULTS_FORMAT_MAT_REMARKS_H

#include "foreign_game.h"

/* What the comments before a match contain. */
struct mat_remarks {
    bool has_jacoby, jacoby, has_crawford, crawford, no_cube;
    const struct bg_variant *variant; /* NULL: not given */
    char strange_variant[64];         /* given, but unknown to us */
};

/* Reads one comment line; unknown ones are skipped. event: replaced if the line names one. */
void mat_remark_read(struct mat_remarks *remarks, char event[FOREIGN_EVENT], const char *line);

#endif
