/* plays_board.h - a position as bgref plays --board shows it. */
#ifndef RESULTS_CMD_PLAYS_BOARD_H
#define RESULTS_CMD_PLAYS_BOARD_H

#include <stdio.h>

#include <bgref/error.h>

/* Prints a position of backgammon: the drawing, then each notation. Returns the exit status. */
int board_show(const char *text);

/* Prints the drawing of a position of another game. Returns the exit status. */
int board_show_of(const char *game, const char *text);

/* Prints what a Position ID and a Match ID say (a position_row of format/positions.h). */
enum bg_status board_row(char **column, int columns, FILE *out, struct bg_error *err);

#endif
