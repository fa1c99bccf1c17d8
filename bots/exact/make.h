/* make.h - the command that solves a game and keeps the result in the cache folder. */
#ifndef BOTS_EXACT_MAKE_H
#define BOTS_EXACT_MAKE_H

/* word[0..words-1]: solve hypergammon [--checkers N] [--threads N] [--output
 * FILE]. Prints what it does; returns the exit status, 2 for a wrong command.
 */
int make_command(int words, char **word);

#endif
