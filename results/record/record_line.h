/* record_line.h - the small parts of record lines: writing without printf, scanning of untrusted
 * bytes.
 *
 * Writers take a place in a buffer that is large enough and return the place behind what they
 * wrote. Scanners take a struct scan over bytes of any origin; a failed scan leaves it untouched.
 */
#ifndef RESULTS_RECORD_RECORD_LINE_H
#define RESULTS_RECORD_RECORD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Running check of a record (CRC-16, polynomial 0x1021 reflected, start LINE_CHECK_START): any
 * single changed byte changes it, for certain. */
enum { LINE_CHECK_START = 0xffff, LINE_CHECK_TEXT = 6 /* " #a1b2" */ };

uint16_t line_check(uint16_t check, const char *text, size_t size);

/* Terminates too, behind the place it returns. */
char *line_put(char *at, const char *text);
char *line_put_int(char *at, int64_t value);
char *line_put_check(char *at, uint16_t check); /* " #a1b2" */

/* Text of foreign origin, cleaned (rules/clean.h): a value never breaks its line. It takes up to
 * CLEAN_GROWTH times its length. Terminated. */
char *line_put_value(char *at, const char *text);

/* A slot by name: "off", "bar", "hand", points "1".."36". */
char *line_put_slot(char *at, int slot);

/* What is left to read of a line. */
struct scan {
    const char *at, *end;
};

bool scan_text(struct scan *scan, const char *text); /* exactly this text comes next */
bool scan_int(struct scan *scan, int64_t low, int64_t high, int64_t *out); /* canonical decimal */
bool scan_slot(struct scan *scan, int *slot);
bool scan_is_done(const struct scan *scan);

/* The next word up to a space or the end, its length in *size; steps over the space behind it.
 * False at the end, at a second space, and for a space that ends the line. */
bool scan_word(struct scan *scan, const char **word, size_t *size);

#endif
