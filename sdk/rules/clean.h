/* clean.h - the one cleaner of foreign text: everything from bots, files, databases and networks
 * passes it before it reaches a terminal, a log, a page, a record or one of our messages.
 *
 *     clean_write(line, sizeof line, said, strlen(said), CLEAN_LINE);
 *     "a\x1b[31mb" -> `a\x1b[31mb` (visibly: backslash, x, 1, b), "caf\xe9" -> `caf\xe9`,
 *     a right-to-left override -> `<U+202E>`
 *
 * The result is always well-formed UTF-8 in which every character is visible or a space: no control
 * (C0, DEL, C1), nothing that turns the direction of writing, nothing invisible. What is not UTF-8
 * and ASCII is written as `\x1b`, other characters as `<U+202E>`. It is for reading, not for
 * reading back: a text may hold those letters itself. Clean text comes out as it went in, so
 * cleaning twice is cleaning once.
 *
 * It lies at the foot of the ladder, beside error.c, because the texts of errors are its first
 * user: whatever a bg_error_set quotes is clean from then on.
 */
#ifndef SDK_RULES_CLEAN_H
#define SDK_RULES_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum clean_kind {
    CLEAN_LINE, /* one line: a line feed becomes `\x0a`, a tab a space */
    CLEAN_TEXT, /* several lines: line feeds stay, a tab becomes a space */
};

enum {
    CLEAN_GROWTH = 4, /* a text grows at most so many times */
    CLEAN_PIECE = 16, /* the text for one character or byte, and a terminator */
};

/* The character at text[0..left-1], at least one byte: its length in bytes, or 0 when no
 * well-formed one (Unicode table 3-7) begins here. */
size_t clean_character(uint32_t *out, const char *text, size_t left);

/* Whether a character is visible, or a space, and does not change the text around it. False for
 * line feed and tab. */
bool clean_is_plain(uint32_t character);

/* Where the first byte that would change stands; size when the text is clean. */
size_t clean_find(const char *text, size_t size, enum clean_kind kind);

/* What stands for the first character or stray byte of text[0..left-1], left > 0, terminated; its
 * length. *used: how many bytes of text that was. */
size_t clean_piece(char piece[CLEAN_PIECE], size_t *used, const char *text, size_t left,
                   enum clean_kind kind);

/* Cleans text[0..size-1] (zero bytes become `\x00`) into out[0..room-1], room > 0, terminated. What
 * has no room is cut off between two characters. Returns the length. out and text do not overlap.
 */
size_t clean_write(char *out, size_t room, const char *text, size_t size, enum clean_kind kind);

/* The two that follow print and allocate: they are in wire/clean_out.c. */

/* The same to a stream; NULL is written as nothing. Errors stay with the stream. */
void clean_print(FILE *out, const char *text, enum clean_kind kind);

/* A clean copy for free(); NULL for NULL and when there is no memory. */
char *clean_copy(const char *text, enum clean_kind kind);

#endif
