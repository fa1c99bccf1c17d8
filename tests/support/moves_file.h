/* moves_file.h - the rows of tests/vectors/backgammon-moves.tsv, for tests and benchmarks. */
#ifndef SUPPORT_MOVES_FILE_H
#define SUPPORT_MOVES_FILE_H

#include <stdio.h>

enum { MOVES_LINE = 65536 /* the longest row has 3,060 results of 15 bytes */ };

struct moves_row {
    char position[16];
    int die[2];
    int count;
    char *results; /* in line */
    char line[MOVES_LINE];
};

/* Reads the next row and skips comments. Returns 1, or 0 at the end; aborts if a row cannot be
 * read. */
int moves_row_next(struct moves_row *row, FILE *file);

#endif
