/* Every text is formatted twice: once for its length, then into the room that it needs, so that
 * no name and no note is ever cut. The buffer is the record's, which grows by itself. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <record/record_text.h>

void text_put(struct text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return;
    }
    record_reserve(text->out, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text->out->text + text->out->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->out->size += (size_t)length;
}

void text_put_marked(struct text *text, const char *value, const char *marked, char mark)
{
    char *at;

    record_reserve(text->out, 2 * strlen(value) + 1);
    at = text->out->text + text->out->size;
    for (const char *from = value; *from != '\0'; from++) {
        if (strchr(marked, *from) != NULL) {
            *at++ = mark;
        }
        *at++ = *from;
    }
    *at = '\0';
    text->out->size = (size_t)(at - text->out->text);
}

void text_cut(struct text *text, size_t size)
{
    /* Nothing put yet: there is no buffer to end. */
    if (text->out->text != NULL) {
        text->out->size = size;
        text->out->text[size] = '\0';
    }
}
