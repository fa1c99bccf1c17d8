/* foreign.h - reads other programs' matches as records: .mat files as written by GNU Backgammon,
 * Snowie, XG, servers and people, and .sgf files of GNU Backgammon.
 *
 * Every roll, play and cube action goes through bg_match_step, so the records are legal. The player
 * on the left (.sgf: White) has seat 0. Where a file differs from the rules, the reader follows the
 * file's intention and counts a note of that kind.
 */
#ifndef RESULTS_FORMAT_FOREIGN_H
#define RESULTS_FORMAT_FOREIGN_H

#include <bgref/ask.h>
#include <record/record.h>

enum { FOREIGN_NAME = 128 /* bytes of a display name in UTF-8, including the terminator */ };

/* Kinds of notes: where the reading differs from the file's text. */
enum foreign_note {
    FOREIGN_OUT_OF_TURN, /* resigns out of turn: moved back before the player's last own play */
    FOREIGN_FORCED,      /* a roll without moves although it has one legal play: read as played */
    FOREIGN_LOSES,       /* the loser's column has "Losses" */
    FOREIGN_CAPPED,      /* points reduced to what the match needed */
    FOREIGN_CAPITALS,    /* "Bar/23", "6/Off" */
    FOREIGN_CONCEDES,    /* "Concedes": a resignation */
    FOREIGN_NO_HIT,      /* merged moves with several readings: took the one with the marked hits */
    FOREIGN_STEPS,       /* steps that are impossible one by one: took the play with the same final
                            position */
    FOREIGN_LATIN1,      /* not UTF-8, read as Windows-1252; or UTF-16 */
    FOREIGN_NAMELESS,    /* a player without a name */
    FOREIGN_NO_JACOBY,   /* money: the points are possible only without Jacoby's rule */
    FOREIGN_BY_SCORE,    /* the winner is missing: taken from the next game's score */
    FOREIGN_UNFINISHED,  /* a game without an end was left out */
    FOREIGN_SKIPPED,     /* ignored a line outside of games */
    FOREIGN_SECOND_LINE, /* .sgf: variations were left out */
    FOREIGN_POINTS,      /* the rules count other points than the file */
    FOREIGN_WINNER,      /* the game is over, and not for the player whom the file names */
    FOREIGN_MATCH_GIVEN, /* the loser gives up the match, not a game */
    FOREIGN_BEFORE_ROLL, /* a result before the first roll: the loser gives up on roll */
    FOREIGN_LEFT_TURN,   /* "00: ????": a turn in which a server let the time run out */
    FOREIGN_MID_MATCH,   /* begins in mid-match: cube and Crawford follow from the score */
    FOREIGN_CRAWFORD,    /* the same, and one player is one point away: taken as Crawford's game */
    FOREIGN_AFTER_CRAWFORD, /* a double there: taken as a game after Crawford's */
    FOREIGN_NEW_PART,       /* the score does not follow: a part begins with it */
    FOREIGN_NOTES
};

/* Returns a note's text without the player: "points capped at what the match needed". Static. */
const char *foreign_note_text(enum foreign_note note);

/* A finished game. */
struct foreign_game {
    char id[BG_GAME_ID]; /* as in struct store_game; leg 1 if the left name comes later in byte
                            order */
    uint64_t pair;       /* the pair number in id */
    char hash[RECORD_HASH];
    struct record record; /* owned */
    struct bg_match end;  /* after the last step */
};

struct foreign_match {
    char display[2][FOREIGN_NAME]; /* left, right: the file's names, in UTF-8 */
    char name[2][65];              /* converted to names of bots: letters, digits, . _ + - */
    uint64_t pair;                 /* of the match, or of a money session's first game */
    int length_points;             /* 0: money, each game is independent */
    struct foreign_game *game;     /* owned; in the file's order */
    int games;
    size_t room;
};

/* What people call the player of a seat: the file's name, or the bot's if the file has none. */
const char *foreign_match_name(const struct foreign_match *match, int seat);

struct foreign_file {
    struct foreign_match *match; /* owned; each has at least one game */
    int matches;
    size_t room;
    int notes[FOREIGN_NOTES]; /* number of notes by kind */
    int left_out;             /* games, or matches without players, that break a rule or cannot be
                                 read */
};

/* Callbacks of the reader; all fields may be NULL. */
struct foreign_user {
    void *user;
    /* A note, as a sentence with file, line and game. */
    void (*noted)(void *user, enum foreign_note note, const char *sentence);
    /* Called when the players of a match, or of a part of one, are known: name[] has bots' names
     * made from display[], pair is 0. May change both; the names must stay different. before:
     * matches already read from the file. */
    void (*placed)(void *user, struct foreign_match *match, const struct foreign_file *before);
    /* Called for a game that breaks a rule (BG_E_MISMATCH) or cannot be read (BG_E_FORMAT). The
     * reader leaves it out and continues. why: the error message. Not called if nothing in the file
     * is good: that is an error. NULL: the first bad game is an error. */
    void (*left_out)(void *user, enum bg_status status, const char *why);
};

/* Reads a whole file; detects its format from the text. name: the file's name for messages.
 * BG_E_FORMAT: a line cannot be read; BG_E_MISMATCH: a step breaks a rule, or the score or points
 * do not match the games; both messages have line, game and part. BG_E_MEMORY: more games,
 * matches or steps than a file may have. */
enum bg_status foreign_read(struct foreign_file *out, const char *text, size_t size,
                            const char *name, const struct foreign_user *user,
                            struct bg_error *err);

/* The same for a path; "-" is standard input. Also BG_E_ARGUMENT: cannot be opened; BG_E_SYSTEM:
 * cannot be read. */
enum bg_status foreign_read_file(struct foreign_file *out, const char *path,
                                 const struct foreign_user *user, struct bg_error *err);

void foreign_file_deinit(struct foreign_file *file); /* accepts a zeroed struct */

#endif
