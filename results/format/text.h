/* text.h - writing text that grows in memory, looking for failure once at the end. */
#ifndef RESULTS_FORMAT_TEXT_H
#define RESULTS_FORMAT_TEXT_H

#include <record/record.h>

/* Init with the three first fields; text and status are read when all is written. */
struct text {
    struct record *out;    /* appended to; stays terminated */
    enum bg_status status; /* BG_OK until a write fails; later writes then do nothing */
    struct bg_error *err;  /* the message of that failure; may be NULL */
};

void text_put(struct text *text, const char *format, ...) BG_PRINTF(2, 3);

/* The bytes of value, where each of the bytes in `marked` gets `mark` before it. */
void text_put_marked(struct text *text, const char *value, const char *marked, char mark);

/* Drops what was written behind size. */
void text_cut(struct text *text, size_t size);

#endif
