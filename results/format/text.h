/* text.h - writes text that grows in memory. */
#ifndef RESULTS_FORMAT_TEXT_H
#define RESULTS_FORMAT_TEXT_H

#include <record/record.h>

struct text {
    struct record *out; /* appended to; stays terminated */
};

void text_put(struct text *text, const char *format, ...) BG_PRINTF(2, 3);

/* Writes the bytes of value, with `mark` before each byte that is in `marked`. */
void text_put_marked(struct text *text, const char *value, const char *marked, char mark);

/* Removes everything written after size. */
void text_cut(struct text *text, size_t size);

#endif
