/* foreign_parse.h - the readers behind foreign_read, one for each file format. Private to
 * foreign_read.
 */
#ifndef RESULTS_FORMAT_FOREIGN_PARSE_H
#define RESULTS_FORMAT_FOREIGN_PARSE_H

#include "foreign_game.h"

/* How to read a file; passed from the first try to the second. */
struct foreign_try {
    bool jacoby;      /* assumed if the file does not give it */
    bool goes_on;     /* continue after a bad match, or a bad money game */
    bool has_assumed; /* out: jacoby was assumed for a money session */
};

/* Each reads all of text (UTF-8 or bytes) into reader->out. */
enum bg_status mat_parse(struct foreign_reader *reader, struct foreign_try *try_, const char *text,
                         size_t size);
enum bg_status sgf_parse(struct foreign_reader *reader, const struct foreign_try *try_,
                         const char *text, size_t size);

#endif
