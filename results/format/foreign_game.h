/* foreign_game.h - the game being read from a foreign file: from its players to its record.
 *
 * A reader of a format (mat_read.c, sgf_read.c) passes on the file's contents. This module plays
 * them by the rules, adds what the file leaves out, and makes records of finished games. Error
 * messages have file, line and game.
 */
#ifndef RESULTS_FORMAT_FOREIGN_GAME_H
#define RESULTS_FORMAT_FOREIGN_GAME_H

#include "foreign.h"

enum { FOREIGN_EVENT = 128 };

/* The place in a game to which a resignation out of turn is moved back. */
struct foreign_place {
    bool known;
    struct bg_match match;
    int steps;
};

struct foreign_reader {
    struct foreign_file *out;
    const struct foreign_user *user; /* lent */
    const char *name;                /* the file's name, lent */
    struct bg_error *err;
    int line;

    char event[FOREIGN_EVENT];
    struct bg_rules rules;           /* the match's rules; set before foreign_match_begin */
    struct foreign_match *match_out; /* NULL: between matches */

    int number; /* the game's number in the file; 0 outside of games */
    bool in_game;
    int64_t score[2];      /* score before the game, from the file */
    struct bg_match start; /* at the start of the game */
    struct bg_match match; /* current state */
    struct bg_step *step;  /* the game's steps; owned */
    int steps;
    size_t room;
    struct foreign_place own_turn[2]; /* by seat: before the player's last play */
    bool unplayed;                    /* the last roll has no moves yet */
    int64_t won;                      /* the points of the last result line, as in the file */
    bool broken; /* a game of this match was left out: the next one begins at its own score */
    bool crawford_seen; /* a game of this match began with exactly one player one point away */
    bool from_score;    /* this game's start was made from the score alone */
};

/* Frees what the reader owns; *out stays the caller's. */
void foreign_reader_deinit(struct foreign_reader *reader);

enum bg_status foreign_fail(struct foreign_reader *reader, enum bg_status status,
                            const char *format, ...) BG_PRINTF(3, 4);

/* Counts a note and passes it to the user. seat -1: neither player. */
void foreign_note(struct foreign_reader *reader, enum foreign_note note, int seat);

/* Begins a match between these two, with reader->rules. A match without a game is dropped at its
 * end. */
enum bg_status foreign_match_begin(struct foreign_reader *reader,
                                   const char display[2][FOREIGN_NAME]);
void foreign_match_end(struct foreign_reader *reader);

/* Whether a reader may leave out the part that failed with this status, and continue. */
bool foreign_is_bad(enum bg_status status);

/* Drops and counts the open game, and passes reader->err to the user. The games before it are kept;
 * the match goes on as another one (a part) at the score that its next game gives. */
void foreign_leave_out(struct foreign_reader *reader, enum bg_status status);

/* Begins the next game, at reader->score. Where that does not follow from the games before (a game
 * was left out, or its points are not those of the rules), a part begins with it, with a note. */
enum bg_status foreign_game_begin(struct foreign_reader *reader);

/* Begins a game from this start; call it instead, or before the game's first step. Sets score and
 * number. */
enum bg_status foreign_game_begin_at(struct foreign_reader *reader, const struct bg_start *start);

/* Make one action each. part: its text in the file, for messages. */
enum bg_status foreign_roll(struct foreign_reader *reader, int seat, const int dice[2],
                            const char *part);
enum bg_status foreign_moves(struct foreign_reader *reader, int seat, const char *part,
                             const char *moves); /* "": none; possibly given up, possibly forced */
enum bg_status foreign_double(struct foreign_reader *reader, int seat, int64_t value,
                              const char *part); /* also a raise; value 0: not given */
enum bg_status foreign_simple(struct foreign_reader *reader, enum bg_step_kind kind, int seat,
                              const char *part);

/* For a file's line with winner and points: resigns for the loser if the game is not over, and
 * keeps the game. ends_match: the line says "and the match"; who gives up a match for more points
 * than a backgammon costs leaves it (a fault of the kind gone). Who wins a game that is over, and
 * how much, is decided by the rules; a difference is a note. */
enum bg_status foreign_wins(struct foreign_reader *reader, int winner, int64_t points,
                            bool ends_match);

/* At the end of the game's text: keeps the game if it is over, else leaves it out. */
enum bg_status foreign_game_end(struct foreign_reader *reader);

#endif
