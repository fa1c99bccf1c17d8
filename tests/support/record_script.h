/* record_script.h - records of games written as lines, for tests of readers of records. */
#ifndef SUPPORT_RECORD_SCRIPT_H
#define SUPPORT_RECORD_SCRIPT_H

#include <record/record.h>

/* Writes the record of game id ("alice|bob|0|0|0"), alice on seat 0. rules and start as in
 * match_script.h; steps as in docs/record.md, separated by ", ": "open 31, 0 play 8/5 6/5". A game
 * that the steps do not end is ended in its last state. Aborts with the message if a step is not
 * legal. */
void record_script(struct record *out, const char *id, const char *rules, const char *start,
                   const char *steps);

/* The record of game "alice|bob|0|0|0", read back. */
struct record_view *record_script_view(const char *rules, const char *start, const char *steps);

#endif
