/* foreign_play.h - reads moves as people and programs write them, and finds the play they mean. */
#ifndef RESULTS_FORMAT_FOREIGN_PLAY_H
#define RESULTS_FORMAT_FOREIGN_PLAY_H

#include <bgref/match.h>
#include <bgref/notation.h>

/* Moves as written. */
struct foreign_moves {
    struct bg_play play;
    int hits;      /* marked hits */
    bool capitals; /* "Bar/23", "6/Off" */
};

/* Reads "24/18* 13/8", "Bar/20(2)", "6/Off", separated by blanks or commas. BG_E_FORMAT. */
enum bg_status foreign_moves_read(struct foreign_moves *out, const char *text,
                                  struct bg_error *err);

/* How a play was found. */
enum foreign_reading {
    FOREIGN_AS_WRITTEN,
    FOREIGN_BY_HITS,    /* several readings: the only one with the marked number of hits */
    FOREIGN_BY_POSITION /* steps of a checker that bears off: the legal play with the same final
                           position */
};

/* Finds the play that the moves mean, in a match that waits for a play. If no legal play fits, *out
 * has the moves as written, so that the rules can report the error. Pure. */
enum foreign_reading foreign_play_find(struct bg_play *out, const struct bg_match *match,
                                       const struct foreign_moves *moves);

#endif
