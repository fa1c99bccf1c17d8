/* log.h - log lines for people, on standard error.
 *
 *     log_warn("session", "seat=%d fault=%s over_ms=%d", 1, "late", 40);
 *     12.031 warn session seat=1 fault=late over_ms=40
 *
 * What a line quotes of foreign text is cleaned (rules/clean.h).
 * Time is seconds since log_open. Programs read records, not logs; nothing decides by this clock.
 */
#ifndef REFEREE_LOG_H
#define REFEREE_LOG_H

#include <bgref/error.h>

#include <stdbool.h>

enum log_level { LOG_LEVEL_NONE, LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Sets the level from a flag's text, else from BGREF_LOG, else "warn". Log times start here.
 * BG_E_ARGUMENT: unknown level; the message lists the levels. */
enum bg_status log_open(const char *level, struct bg_error *err);

/* Returns the address of a stranger as a line may have it: itself, or "an address" if lines have
 * none: after log_hide_addresses(true), or with BGREF_LOG_ADDRESSES=no. Lent as text is. */
const char *log_address(const char *text);
void log_hide_addresses(bool hide);

void log_error(const char *module, const char *format, ...) BG_PRINTF(2, 3);
void log_warn(const char *module, const char *format, ...) BG_PRINTF(2, 3);
void log_info(const char *module, const char *format, ...) BG_PRINTF(2, 3);

#endif
