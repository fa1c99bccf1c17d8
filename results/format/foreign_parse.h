/* foreign_parse.h - the readers behind foreign_read, one for each kind of file. Private to it. */
#ifndef RESULTS_FORMAT_FOREIGN_PARSE_H
#define RESULTS_FORMAT_FOREIGN_PARSE_H

#include "foreign_game.h"

/* How to read a file, passed from the first try to the second. */
struct foreign_try {
    bool jacoby;      /* assumed where the file does not say */
    bool goes_on;     /* behind a bad match, or a bad money game */
    bool has_assumed; /* out: it was assumed for a money session */
};

/* Each reads all of text (UTF-8 or bytes) into reader->out. */
enum bg_status mat_parse(struct foreign_reader *reader, struct foreign_try *try_, const char *text,
                         size_t size);
enum bg_status sgf_parse(struct foreign_reader *reader, const struct foreign_try *try_,
                         const char *text, size_t size);

#endif
