/* match_script.h - matches written in short words, so that a case is one line of a table.
 *
 * Rules:  "money", "match=5", then options by name: jacoby=0 cube=0 beavers raises=1 auto=3
 *         crawford=0 holland single faultmatch cap=2 opening=reroll|choice|sumreroll|sumplay|winner
 *         game=hypergammon|gulbara:grace=none|tavli (options and rotations too) next=same|winner|
 *         hoyle|alternate; the values that a game sets itself are applied after it.
 * Start:  "on=0 score=3-2 cube=4@1 crawford post game=3 x=6:2,0:13 y=24:1,0:14"; x and y are the
 *         checkers of seat 0 and seat 1 as slot:count; without them the set-up. "at=POSITION" is
 *         the notation of the game, with who is on roll. "bynext": on_roll begins by rules.next.
 *         pin=24 counted=1 right=1 stacked=2: flags of seat 0.
 * Steps:  o31    opening dice            0r63   seat 0 rolls          0m8/5,6/5  seat 0 plays
 *         0*     any legal play          0d 1t 1p 1b  double, take, pass, raise (beaver, ...)
 *         0R2 1a 1x  resign at 2, accept, refuse      0k 0K  keep, reroll    0n3  name
 *         0Flate fault                   N      next game
 *         A step followed by !C3 must break that rule and leave the match as it was.
 * Checks: ?play0 what is owed (name, then the seat if not the host);  =key:value with the keys of
 *         the table in match_script.c.
 */
#ifndef SUPPORT_MATCH_SCRIPT_H
#define SUPPORT_MATCH_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/match.h>

/* Returns false with the message (which word, what was expected) if a word fails or cannot be
 * read. */
bool script_rules(struct bg_rules *rules, const char *text, char *message, size_t room);

/* start NULL: from the set-up. */
bool script_begin(struct bg_match *match, const char *rules, const char *start, char *message,
                  size_t room);

bool script_run(struct bg_match *match, const char *script, char *message, size_t room);

#endif
