/* text.h - writes text that grows in memory; the caller checks for failure once at the end. */
#ifndef RESULTS_FORMAT_TEXT_H
#define RESULTS_FORMAT_TEXT_H

#include <record/record.h>

/* Initialise the first three fields; read text and status after all writes. */
struct text {
    struct record *out;    /* appended to; stays terminated */
    enum bg_status status; /* BG_OK until a write fails; then later writes do nothing */
    struct bg_error *err;  /* the message of that failure; may be NULL */
};

void text_put(struct text *text, const char *format, ...) BG_PRINTF(2, 3);

/* Writes the bytes of value, with `mark` before each byte that is in `marked`. */
void text_put_marked(struct text *text, const char *value, const char *marked, char mark);

/* Removes everything written after size. */
void text_cut(struct text *text, size_t size);

#endif
