/* export.h - writes a results database's games in a format, into a file or a folder of files. */
#ifndef RESULTS_FORMAT_EXPORT_H
#define RESULTS_FORMAT_EXPORT_H

#include <format/format.h>

struct export_request {
    const struct format *format;
    /* NULL or "-": standard output. For a list: a file, or an existing folder, where it is called
     * games.NAME. For matches: a file if it ends in .NAME, else a folder, created if missing, with
     * one file for each match, "A,B,PAIR,LEG.NAME", or money session, "A,B.NAME". */
    const char *output;
    const char *const *wanted; /* game ids "A|B|pair|leg|game", or beginnings of ids; none: all */
    int wanteds;
    bool set_aside; /* exports games that were set aside instead; only for list formats */
    void (*refused)(const char *message); /* called for each game that the format cannot express */
};

struct export_count {
    int files, games; /* number written */
    int refused;      /* matches, or single games of a list or session, left out */
};

/* Exports the wanted games. Files appear complete or not at all. If the format cannot express a
 * game, its match is left out (in a money session only that game); the others are written.
 * BG_E_ARGUMENT: a game that does not exist, or an output that does not fit; BG_E_MISMATCH: a
 * record is damaged; BG_E_SYSTEM, BG_E_STORE. */
enum bg_status export_write(struct export_count *count, struct store *store,
                            const struct export_request *request, struct bg_error *err);

#endif
