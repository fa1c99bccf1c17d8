/* record_line.h - the small parts of record lines: writing without printf, scanning of untrusted
 * bytes.
 *
 * Writers get a place in a large enough buffer and return the end of what they wrote. Scanners take
 * a struct scan over any bytes; a failed scan leaves it unchanged.
 */
#ifndef RESULTS_RECORD_RECORD_LINE_H
#define RESULTS_RECORD_RECORD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Running check of a record (CRC-16, polynomial 0x1021 reflected, start LINE_CHECK_START): detects
 * every change of a single byte. */
enum { LINE_CHECK_START = 0xffff, LINE_CHECK_TEXT = 6 /* " #a1b2" */ };

uint16_t line_check(uint16_t check, const char *text, size_t size);

/* Also writes a terminator after the returned place. */
char *line_put(char *at, const char *text);
char *line_put_int(char *at, int64_t value);
char *line_put_check(char *at, uint16_t check); /* " #a1b2" */

/* Writes foreign text, cleaned (rules/clean.h), so that a value never breaks its line. Needs up to
 * CLEAN_GROWTH times its length. Terminates it. */
char *line_put_value(char *at, const char *text);

/* Writes a slot's name: "off", "bar", "hand", points "1".."36". */
char *line_put_slot(char *at, int slot);

/* The rest of a line. */
struct scan {
    const char *at, *end;
};

bool scan_text(struct scan *scan, const char *text); /* exactly this text is next */
bool scan_int(struct scan *scan, int64_t low, int64_t high, int64_t *out); /* canonical decimal */
bool scan_slot(struct scan *scan, int *slot);
bool scan_is_done(const struct scan *scan);

/* Reads the next word up to a space or the end, with its length in *size, and skips the space after
 * it. Returns false at the end, at a second space, and for a space at the end of the line. */
bool scan_word(struct scan *scan, const char **word, size_t *size);

#endif
