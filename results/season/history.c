#include "history.h"

double meeting_score(const struct meeting *meeting, int entrant)
{
    double score = meeting->kind == MEETING_PLAYED   ? meeting->score_a
                   : meeting->kind == MEETING_ABSENT ? 0
                                                     : 1;

    if (meeting->ended == 0 || !meeting_has(meeting, entrant) || meeting->kind == MEETING_ABSENT) {
        return 0;
    }
    return meeting->a == entrant ? score : 1 - score;
}

int history_round(const struct history *history)
{
    int last = 0;

    for (size_t i = 0; i < history->meetings; i++) {
        if (history->meeting[i].round > last) {
            last = history->meeting[i].round;
        }
    }
    return last;
}

bool history_is_open(const struct history *history)
{
    for (size_t i = 0; i < history->meetings; i++) {
        if (history->meeting[i].ended == 0) {
            return true;
        }
    }
    return false;
}
