/* agenda_file.h - the states of a host's instances as a file, so that a new host goes on.
 *
 * Text: the line "bgref-host-state 1", then for each event "event TAB NAME TAB SEEN", and below it
 * for each of its instances "instance TAB NAME TAB STATE TAB START TAB SINCE TAB BOTS TAB WHY";
 * times in seconds since 1970, BOTS with commas. Settings are HOST.yaml's and not in it.
 */
#ifndef HOST_CALENDAR_AGENDA_FILE_H
#define HOST_CALENDAR_AGENDA_FILE_H

#include <stdio.h>

#include "agenda.h"

void agenda_write(FILE *out, const struct agenda *agenda);
/* Reads the text into an empty agenda, whose events are all gone until agenda_take. where: the
 * file's name in messages. BG_E_FORMAT: where, line and the mistake; BG_E_ARGUMENT. */
enum bg_status agenda_read(struct agenda *out, FILE *in, const char *where, struct bg_error *err);

/* Replaces the file at once, and durably: after a crash it is the old one or the new one.
 * BG_E_SYSTEM. */
enum bg_status agenda_save(const struct agenda *agenda, const char *path, struct bg_error *err);
/* No file: an empty agenda. */
enum bg_status agenda_load(struct agenda *out, const char *path, struct bg_error *err);

#endif
