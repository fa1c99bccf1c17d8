/* memory.h - memory that is there, or the program ends.
 *
 * Without memory nothing sensible is left to do: one line on standard error, and exit status 5.
 * What is stored stays stored, and the same command goes on from there, as after a kill. So no
 * caller has a branch for it. What foreign bytes make the program hold is limited before it is
 * asked for here. All results are freed with free.
 */
#ifndef RESULTS_BASE_MEMORY_H
#define RESULTS_BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* `count` zeroed elements, also 0. Large ones lie in large pages where the kernel can: fewer page
 * faults. */
void *memory_zeroed(size_t count, size_t size);

/* Returns the list with room for `count` elements; *room: for how many it has room. It at least
 * doubles when it moves, and the new elements are not zeroed. How it grows does not depend on the
 * size of an element: lists that grow together may share their room (each with a copy of it). */
void *memory_list(void *list, size_t *room, size_t count, size_t size);

/* Copies of a text; NULL stays NULL. The second one copies at most `size` bytes of it. */
char *memory_text(const char *text);
char *memory_text_of(const char *text, size_t size);

/* As sprintf, into new memory. */
char *memory_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A stream into a new text, which the caller frees after memory_stream_close. Writing to it does
 * not fail. */
FILE *memory_stream(char **text, size_t *size);
void memory_stream_close(FILE *stream);

/* What all of these do without memory; for those that get it from elsewhere. */
void memory_none(size_t size) __attribute__((noreturn));

#endif
