/* foreign_game.h - the game that is being read from a foreign file: from its players to its record.
 *
 * A reader of a format (mat_read.c, sgf_read.c) passes on what the file contains. This module plays
 * it by the rules, finds what the file leaves out, and makes records of finished games. Every
 * function that can fail names file, line and game in the message.
 */
#ifndef RESULTS_FORMAT_FOREIGN_GAME_H
#define RESULTS_FORMAT_FOREIGN_GAME_H

#include "foreign.h"

/* The place in a game to which a resignation out of turn is moved back. */
struct foreign_place {
    bool known;
    struct bg_match match;
    int steps;
};

struct foreign_reader {
    struct foreign_file *out;
    const struct foreign_user *user; /* lent */
    const char *name;                /* of the file, lent */
    struct bg_error *err;
    int line;

    char event[128];
    struct bg_rules rules;           /* of the match; set before foreign_match_begin */
    struct foreign_match *match_out; /* NULL: between matches */

    int number; /* of the game, as the file has it; 0 outside */
    bool in_game;
    int64_t score[2];      /* as the file has it before the game */
    struct bg_match start; /* of the game */
    struct bg_match match; /* now */
    struct bg_step *step;  /* of the game; owned */
    int steps, room;
    struct foreign_place own_turn[2]; /* by seat: before its last play */
    bool unplayed;                    /* the last roll has no moves */
};

/* Frees what the reader owns; *out is the caller's. */
void foreign_reader_deinit(struct foreign_reader *reader);

enum bg_status foreign_fail(struct foreign_reader *reader, enum bg_status status,
                            const char *format, ...) BG_PRINTF(3, 4);

/* Counts a note and hands it to the user. seat -1: about neither player. */
void foreign_note(struct foreign_reader *reader, enum foreign_note note, int seat);

/* A match between these two, by reader->rules. A match without a game is dropped at the end. */
enum bg_status foreign_match_begin(struct foreign_reader *reader,
                                   const char display[2][FOREIGN_NAME]);
void foreign_match_end(struct foreign_reader *reader);

/* Whether a reader may leave out the part that failed with this status, and go on. */
bool foreign_is_bad(enum bg_status status);

/* The open match is bad, or the open game of a money session: it is dropped and counted, and
 * reader->err is passed to the user. */
void foreign_leave_out(struct foreign_reader *reader, enum bg_status status);

/* The next game, at reader->score. In a match behind its first game score and Crawford are those of
 * the games before it. */
enum bg_status foreign_game_begin(struct foreign_reader *reader);

/* Instead, or while nothing has happened in the game: from this start. Score and number are set
 * here. */
enum bg_status foreign_game_begin_at(struct foreign_reader *reader, const struct bg_start *start);

/* One action each. part: its text in the file, for messages. */
enum bg_status foreign_roll(struct foreign_reader *reader, int seat, const int dice[2],
                            const char *part);
enum bg_status foreign_moves(struct foreign_reader *reader, int seat, const char *part,
                             const char *moves); /* "": none; perhaps given up, perhaps forced */
enum bg_status foreign_double(struct foreign_reader *reader, int seat, int64_t value,
                              const char *part); /* or a raise; value 0: not given */
enum bg_status foreign_simple(struct foreign_reader *reader, enum bg_step_kind kind, int seat,
                              const char *part);

/* The file gives winner and points: resigns for the loser if the game is not over, and keeps the
 * game. */
enum bg_status foreign_wins(struct foreign_reader *reader, int winner, int64_t points);

/* The game's text ends: the game is kept if it is over, else left out. */
enum bg_status foreign_game_end(struct foreign_reader *reader);

#endif
