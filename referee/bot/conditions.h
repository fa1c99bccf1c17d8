/* conditions.h - under which conditions a bot's games repeat with the same seed, and which of them
 * hold on this machine. Results keep them, because a digest of results from another machine may
 * differ for no other reason. */
#ifndef REFEREE_BOT_CONDITIONS_H
#define REFEREE_BOT_CONDITIONS_H

#include <stdbool.h>

/* Returns when the bundled program of this command plays the same games again, in a word or two:
 * "anywhere"; "same libm" (it calls the C library's exp, whose last bit may depend on processor and
 * version); "same gnubg" (its package, its data files and the make of processor: Debian's gnubg is
 * built with approximations that differ between makes); "no". "?" for other programs. */
const char *conditions_repeat(const char *cmd);

/* Returns true if the text names GNU Backgammon: a bot's command, or a judge. */
bool conditions_need_gnubg(const char *text);

/* Writes this machine's conditions: make of processor and C library; with gnubg, also its package
 * and its data files, by digest. "none" stands for a data file that is missing. */
enum { CONDITIONS_TEXT = 512 };
void conditions_here(char out[CONDITIONS_TEXT], bool gnubg);

#endif
