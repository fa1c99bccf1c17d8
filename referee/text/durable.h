/* durable.h - a small file of text that is replaced as a whole: after a power cut it is the old or
 * the new one. */
#ifndef REFEREE_TEXT_DURABLE_H
#define REFEREE_TEXT_DURABLE_H

#include <bgref/error.h>

#include <stdio.h>

/* Writes the content; errors of out are noticed by the caller. */
typedef void (*durable_fn)(FILE *out, const void *user);

/* Writes PATH.new (mode 0600) and renames it. BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status durable_write(const char *path, durable_fn fn, const void *user,
                             struct bg_error *err);

#endif
