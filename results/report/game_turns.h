/* game_turns.h - the steps and turns of one game as tables, for its page (game.c). */
#ifndef RESULTS_REPORT_GAME_TURNS_H
#define RESULTS_REPORT_GAME_TURNS_H

#include "game.h"
#include "numbers/errors.h"
#include "record/clock.h"

enum { GAME_BLUNDERS = 6 /* positions drawn */ };

/* One side's sums, by seat. */
struct game_side {
    double luck, loss; /* raw */
    struct errors_sum errors;
    int blunders;
};

/* A judged choice with its position. */
struct game_fault {
    struct doc_board board;
    double error;
    int row;            /* of the table of steps */
    const char *played; /* "24/18 13/11", "roll" */
};

struct game_turns {
    struct doc *doc;
    const struct game_source *source;
    bool money;
    int leg;                  /* of the game: A's seat */
    double before;            /* seat 0's chance before the game; money: 0 points */
    struct game_side side[2]; /* by seat */
    struct clock clock[2];    /* after the last step */
    int on_clock;             /* the seat whose turn on the clock goes on; -1: none */
    bool has_clock;           /* there are reserves, which are shown */
    struct doc_table *steps;  /* every step */
    struct doc_table *turns;  /* one row a side's turn */
    struct doc_plot *plot;    /* NULL: not judged */
    struct doc_table *sides;
    struct doc_table *blunders;
    struct pos pos;   /* after the last step */
    const char *roll; /* words of the roll that waits for its play; NULL: none */
    int rolled;       /* its step */
    const char *roll_verdict;
    double roll_luck;
    size_t rolls, choices; /* how many of the judgement's were used */
    struct game_fault fault[GAME_BLUNDERS];
    int faults;
};

/* Fills in everything above but doc and source, whose game the page is about; adds the sections of
 * turns, of luck and of blunders, and the one of every step. *end: the match after the game. */
enum bg_status game_turns_add(struct game_turns *out, struct bg_match *end, struct bg_error *err);

/* Writes the steps as game_brief has them, and fills in only pos and the clocks. */
enum bg_status game_turns_write(struct game_turns *turns, FILE *out, struct bg_match *end,
                                struct bg_error *err);

/* "1:02:03", "0:07", of a clock. */
void game_clock_write(char out[32], int64_t left_ns);

#endif
