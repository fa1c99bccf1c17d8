/* question.h - one thing that a judge is asked about a game. For questions*.c alone. */
#ifndef REFEREE_JUDGE_QUESTION_H
#define REFEREE_JUDGE_QUESTION_H

#include "questions.h"

enum question_kind { QUESTION_OPENING, QUESTION_ROLL, QUESTION_DOUBLE, QUESTION_TAKE };

/* What the opening dice leave to the starter. */
enum question_opening {
    OPENING_PLAYS, /* it plays them */
    OPENING_KEEPS, /* it plays them or rolls anew, as it likes */
    OPENING_ROLLS  /* it rolls anew */
};

struct question {
    enum question_kind kind;
    int seat, step; /* who rolled or chose; the step of the record */
    size_t ask;     /* its values; TAKE: those of the double */
    size_t other;   /* OPENING: had the other side begun */
    enum question_opening opening;
    struct bg_roll roll;    /* OPENING, ROLL */
    int play_step;          /* of the roll's play; -1: none was made, or errors are not asked for */
    size_t choices;         /* distinct results of the roll */
    enum bg_step_kind done; /* DOUBLE: DOUBLE or ROLL; TAKE: TAKE, PASS or RAISE */
    bool may_raise;         /* DOUBLE, TAKE: the double can be beavered */
};

#endif
