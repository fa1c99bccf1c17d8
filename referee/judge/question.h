/* question.h - one question to a judge about a game. For questions*.c only. */
#ifndef REFEREE_JUDGE_QUESTION_H
#define REFEREE_JUDGE_QUESTION_H

#include "questions.h"

enum question_kind { QUESTION_OPENING, QUESTION_ROLL, QUESTION_DOUBLE, QUESTION_TAKE };

/* What the starter does with the opening dice. */
enum question_opening {
    OPENING_PLAYS, /* it plays them */
    OPENING_KEEPS, /* it may play them or roll again */
    OPENING_ROLLS  /* it rolls again */
};

struct question {
    enum question_kind kind;
    int seat, step; /* who rolled or chose; the step of the record */
    size_t ask;     /* index of its ask; TAKE: the double's ask */
    size_t other;   /* OPENING: index of the ask if the other side had begun */
    enum question_opening opening;
    struct bg_roll roll; /* OPENING, ROLL */
    int play_step;  /* step of the roll's play; -1: none was made, or errors are not asked for */
    size_t choices; /* number of the roll's distinct results */
    enum bg_step_kind done; /* DOUBLE: DOUBLE or ROLL; TAKE: TAKE, PASS or RAISE */
    bool may_raise;         /* DOUBLE, TAKE: the double can be beavered */
};

#endif
