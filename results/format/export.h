/* export.h - the games of a results database in a format, into a file or a folder of files.
 */
#ifndef RESULTS_FORMAT_EXPORT_H
#define RESULTS_FORMAT_EXPORT_H

#include <format/format.h>

struct export_request {
    const struct format *format;
    /* Where to. NULL or "-": standard output. A list: a file, or a folder that is there, in which
     * it is called games.NAME. Matches: a file when it ends in .NAME, else a folder, made when it
     * is missing, with a file for each match, "A,B,PAIR,LEG.NAME", or money session, "A,B.NAME". */
    const char *output;
    char *const *wanted; /* games, "A|B|pair|leg|game", or the beginning of it; none: all */
    int wanteds;
    bool set_aside; /* instead, games that were set aside; only for list formats */
    void (*refused)(const char *message); /* called for each game that the format cannot express */
};

struct export_count {
    int files, games; /* written */
    int refused;      /* matches, or single games of a list or session, that were left out */
};

/* Exports what is wanted. Files appear complete or not at all. If the format cannot express
 * a game, its match is left out (in a money session only that game); the others are written.
 * BG_E_ARGUMENT: a game that is not there, or an output that does not fit; BG_E_MISMATCH: a record
 * is damaged; BG_E_SYSTEM, BG_E_STORE, BG_E_MEMORY. */
enum bg_status export_write(struct export_count *count, struct store *store,
                            const struct export_request *request, struct bg_error *err);

#endif
