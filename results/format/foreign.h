/* foreign.h - matches of other programs: .mat files as GNU Backgammon, Snowie, XG, servers and
 * people write them, and .sgf files of GNU Backgammon, made records.
 *
 * Every roll, play and word about the cube goes through bg_match_step, so what a reader of records
 * sees has been legal. The player on the left (.sgf: White) has seat 0. Where a
 * file differs from the rules, its meaning is read, and the difference is noted by kind.
 */
#ifndef RESULTS_FORMAT_FOREIGN_H
#define RESULTS_FORMAT_FOREIGN_H

#include <bgref/ask.h>
#include <record/record.h>

enum { FOREIGN_NAME = 128 /* bytes of a display name in UTF-8, with the terminator */ };

/* Kinds of notes: where the reading differs from the text of the file. */
enum foreign_note {
    FOREIGN_OUT_OF_TURN, /* resigns out of turn: moved to before the player's last own play */
    FOREIGN_FORCED,    /* a roll without moves that has one legal play, which is taken as played */
    FOREIGN_LOSES,     /* the loser's column has "Losses" */
    FOREIGN_CAPPED,    /* points capped at what the match needed */
    FOREIGN_CAPITALS,  /* "Bar/23", "6/Off" */
    FOREIGN_CONCEDES,  /* "Concedes": a resignation */
    FOREIGN_NO_HIT,    /* merged moves with several readings: the one that hits as marked */
    FOREIGN_STEPS,     /* steps that cannot be made one by one: judged by the position after them */
    FOREIGN_LATIN1,    /* not UTF-8, read as Windows-1252; or UTF-16 */
    FOREIGN_NAMELESS,  /* a player without a name */
    FOREIGN_NO_JACOBY, /* money: the points fit only without Jacoby's rule */
    FOREIGN_BY_SCORE,  /* no winner is given: taken from the score of the next game */
    FOREIGN_UNFINISHED,  /* a game without an end is left out */
    FOREIGN_SKIPPED,     /* a line outside of games without meaning for us */
    FOREIGN_SECOND_LINE, /* .sgf: variations beside the game are left out */
    FOREIGN_NOTES
};

/* The text of a note, without the player: "points capped at what the match needed". Static. */
const char *foreign_note_text(enum foreign_note note);

/* A finished game. */
struct foreign_game {
    char id[BG_GAME_ID]; /* as in struct store_game; leg 1 when the left name is the later one */
    uint64_t pair;       /* the same as in the id */
    char hash[RECORD_HASH];
    struct record record; /* owned */
    struct bg_match end;  /* after its last step */
};

struct foreign_match {
    char display[2][FOREIGN_NAME]; /* left, right: as the file has them, in UTF-8 */
    char name[2][65];              /* made names of bots: letters, digits, . _ + - */
    uint64_t pair;                 /* of the match, or of the first game of a money session */
    int length_points;             /* 0: money, every game stands alone */
    struct foreign_game *game;     /* owned, in the order of the file */
    int games;
};

struct foreign_file {
    struct foreign_match *match; /* owned; each has a game */
    int matches;
    int notes[FOREIGN_NOTES]; /* how many of each kind */
    int left_out;             /* matches and money games that break a rule or cannot be read */
};

/* Callbacks of the reader; all members may be NULL. */
struct foreign_user {
    void *user;
    /* A note, as a sentence with file, line and game. */
    void (*noted)(void *user, enum foreign_note note, const char *sentence);
    /* The players of a match are known: name[] are names for bots made of display[], pair is 0.
     * May change both; names have to stay different. before: matches of the file that are read. */
    enum bg_status (*placed)(void *user, struct foreign_match *match,
                             const struct foreign_file *before, struct bg_error *err);
    /* A match that breaks a rule (BG_E_MISMATCH) or cannot be read (BG_E_FORMAT) is left out, of a
     * money session that game, and the file is read on. why: as the error would say it. Not called
     * for a file in which nothing is good: that is an error. NULL: the first bad match is one. */
    void (*left_out)(void *user, enum bg_status status, const char *why);
};

/* Reads a whole file, of the kind that its text shows. name stands before the line in messages.
 * BG_E_FORMAT: a line cannot be read; BG_E_MISMATCH: a step breaks a rule, or score or points are
 * not those of the games; both name line, game and part. BG_E_MEMORY. What `placed` returns. */
enum bg_status foreign_read(struct foreign_file *out, const char *text, size_t size,
                            const char *name, const struct foreign_user *user,
                            struct bg_error *err);

/* The same for a file, "-" is standard input. Also BG_E_ARGUMENT: it cannot be opened; BG_E_SYSTEM:
 * it cannot be read. */
enum bg_status foreign_read_file(struct foreign_file *out, const char *path,
                                 const struct foreign_user *user, struct bg_error *err);

void foreign_file_deinit(struct foreign_file *file); /* also a zeroed one */

#endif
