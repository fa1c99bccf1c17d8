/* A bracket is not stored: it is played through from the seeds, asking the history at each
 * place. So a walkover, or a result that is decided anew, needs no repair of a tree. */
#include "bracket.h"

int bracket_lines(int entrants)
{
    int lines = 1;

    while (lines < entrants) {
        lines *= 2;
    }
    return lines;
}

/* The usual order, made by doubling: the best two can only meet in the final, the best four only
 * from the semifinals on. */
void bracket_seeds(int *seed, int entrants)
{
    int lines = bracket_lines(entrants);

    seed[0] = 0;
    for (int known = 1; known < lines; known *= 2) {
        for (int i = known - 1; i >= 0; i--) { /* replaces each x by x and its opponent */
            seed[2 * i + 1] = 2 * known - 1 - seed[i];
            seed[2 * i] = seed[i];
        }
    }
    for (int i = 0; i < lines; i++) {
        seed[i] = seed[i] < entrants ? seed[i] : FORMS_NOBODY;
    }
}

static const struct meeting *find_meeting(const struct history *history, enum meeting_part part,
                                          int round, int line)
{
    for (size_t i = 0; i < history->meetings; i++) {
        const struct meeting *meeting = &history->meeting[i];

        if (meeting->part == part && meeting->round == round && meeting->line == line) {
            return meeting;
        }
    }
    return NULL;
}

static void add_meeting(struct bracket *bracket, struct meeting meeting)
{
    bool a_left = bracket->history->entrant[meeting.a].left;
    bool b_left = bracket->history->entrant[meeting.b].left;

    if (a_left || b_left) {
        meeting.kind = a_left && b_left ? MEETING_ABSENT : MEETING_WALKOVER;
    }
    if (a_left && !b_left) { /* the remaining entrant comes first */
        int swap = meeting.a;

        meeting.a = meeting.b;
        meeting.b = swap;
    }
    if (bracket->out != NULL) {
        bracket->out[bracket->count] = meeting;
    }
    bracket->count++;
}

static struct bracket_sides ended(const struct meeting *meeting)
{
    bool first_wins = meeting->kind == MEETING_WALKOVER || meeting->score_a > 0.5 ||
                      (meeting->score_a == 0.5 && meeting->a < meeting->b);

    if (meeting->kind == MEETING_ABSENT) {
        return (struct bracket_sides){FORMS_NOBODY, FORMS_NOBODY, meeting};
    }
    return first_wins ? (struct bracket_sides){meeting->a, meeting->b, NULL}
                      : (struct bracket_sides){meeting->b, meeting->a, NULL};
}

struct bracket_sides bracket_meet(struct bracket *bracket, enum meeting_part part, int round,
                                  int line, int one, int two)
{
    struct bracket_sides unknown = {BRACKET_UNKNOWN, BRACKET_UNKNOWN, NULL};
    const struct meeting *meeting;

    if (one == BRACKET_UNKNOWN || two == BRACKET_UNKNOWN) {
        return unknown;
    }
    if (one == FORMS_NOBODY || two == FORMS_NOBODY) {
        return (struct bracket_sides){one == FORMS_NOBODY ? two : one, FORMS_NOBODY, NULL};
    }
    meeting = find_meeting(bracket->history, part, round, line);
    if (meeting == NULL) {
        add_meeting(bracket, (struct meeting){
                                 .part = part, .round = round, .line = line, .a = one, .b = two});
        return unknown;
    }
    return meeting->ended == 0 ? unknown : ended(meeting);
}
