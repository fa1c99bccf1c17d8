/* mat_read.h - somebody else's matches: .mat files as GNU Backgammon, Snowie, XG and people write
 * them, made records.
 *
 * Every roll, play and word about the cube goes through bg_match_step, so what a reader of records
 * sees has been legal. The player on the left has seat 0. A file does not say who resigned when:
 * one who gave up while it was not his turn does so here before his last play, and is noted.
 */
#ifndef FORMAT_MAT_READ_H
#define FORMAT_MAT_READ_H

#include <bgref/ask.h>
#include <record/record.h>

/* A finished game. */
struct mat_game {
    char id[BG_GAME_ID]; /* as in struct store_game; leg 1 when the left name is the later one */
    char hash[RECORD_HASH];
    struct record record; /* owned */
    struct bg_match end;  /* after its last step */
};

struct mat_match {
    char name[2][65];      /* left, right; made names of bots: letters, digits, . _ + - */
    int length_points;     /* 0: money, every game stands alone */
    struct mat_game *game; /* owned, in the order of the file */
    int games;
    bool unfinished; /* the file ends within a game, which is left out */
};

/* Reads a whole file. name stands before the line in stories. pair numbers the match, or the first
 * game of a money session. noted (may be NULL) is told what was read otherwise than it is written.
 * BG_E_FORMAT: a line cannot be read; BG_E_MISMATCH: a step breaks a rule, or score or points are
 * not those of the games; both name line, game and part. BG_E_MEMORY. */
enum bg_status mat_read(struct mat_match *out, const char *text, size_t size, const char *name,
                        uint64_t pair, void (*noted)(const char *story), struct bg_error *err);

/* The same for a file, "-" is standard input. Also BG_E_ARGUMENT: it cannot be opened; BG_E_SYSTEM:
 * it cannot be read. */
enum bg_status mat_read_file(struct mat_match *out, const char *path, uint64_t pair,
                             void (*noted)(const char *story), struct bg_error *err);

void mat_match_deinit(struct mat_match *match); /* also a zeroed one */

#endif
