/* record_text.h - the parts of a record's text, shared by its writer and its reader.
 *
 * put functions write to a large enough place and return the end. read functions take any text and
 * are exact: what they accept, put writes again in the same bytes.
 */
#ifndef RESULTS_RECORD_RECORD_TEXT_H
#define RESULTS_RECORD_RECORD_TEXT_H

#include "record_line.h"
#include "record.h"

#define RECORD_MAGIC  "bgref-record 1"
#define RECORD_THINKS "thought" /* word of the line after a step */

/* Makes room for `more` bytes and a terminator after record->size. */
void record_reserve(struct record *record, size_t more);

void record_hash_text(char hash[RECORD_HASH], const char *text, size_t size);

/* The step with its time. */
char *record_put_timed(char *at, const struct bg_step *step, const struct record_time *time);
/* The moves of a play, each with `before` before it; and back, at least one move up to the end of
 * scan, into a play without moves. */
char *record_put_moves(char *at, const struct bg_play *play, char before);
bool record_read_moves(struct bg_play *out, struct scan *scan, const char *between);
char *record_put_start(char *at, const struct bg_match *start);
char *record_put_board(char *at, const struct bg_board *board, int seat);
char *record_put_end(char *at, const struct bg_result *result);

/* Return false if the text is not a step (a word, ...); *out is then undefined. */
bool record_read_timed(struct bg_step *out, struct record_time *time, const char *text,
                       size_t size);
bool record_read_board(struct bg_board *out, int seat, const char *text, size_t size);
bool record_read_end(struct bg_result *out, bool *has_left, int64_t left_ns[2], const char *text,
                     size_t size);

/* The word for an end ("off", "pass", ...), and back; BG_END_NONE for an unknown word. */
const char *record_end_word(enum bg_end end);
enum bg_end record_end_find(const char *word);

/* Sets those fields of *out that record_put_start writes: game, score, cube_log2, cube_owner,
 * crawford_game, crawford_done, last_winner, drawn_games, on_roll, set_position. */
bool record_read_start(struct bg_match *out, const char *text, size_t size);

#endif
