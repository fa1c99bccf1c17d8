/* rollout_table.h - the result of a rollout, for people. */
#ifndef REFEREE_CMD_ROLLOUT_TABLE_H
#define REFEREE_CMD_ROLLOUT_TABLE_H

#include <stdio.h>

#include <bgref/notation.h>

#include "judge/rollout.h"

struct rollout_row {
    char label[BG_PLAY_TEXT]; /* a play, or a cube action */
    double own;               /* the bot's own value of it; NAN: not known */
};

struct rollout_table {
    const struct rollout *rollout; /* finished */
    const struct rollout_row *row; /* one for each line */
    const char *what;              /* "PLAY", "ACTION" */
    bool is_match;                 /* values are chances to win the match, else points */
};

/* Prints one row for each line, best first, with its distance to the best. */
void rollout_table_print(FILE *out, const struct rollout_table *table);

#endif
