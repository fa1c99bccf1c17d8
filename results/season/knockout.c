#include "knockout.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bracket.h"

int knockout_rounds(int entrants)
{
    int rounds = 0;

    for (int lines = bracket_lines(entrants); lines > 1; lines /= 2) {
        rounds++;
    }
    return rounds;
}

static void set_place(int *place, int entrant, int value)
{
    if (place != NULL && entrant >= 0) {
        place[entrant] = value;
    }
}

static void set_gone(int *place, const struct meeting *gone, int value)
{
    if (gone != NULL) {
        set_place(place, gone->a, value);
        set_place(place, gone->b, value);
    }
}

/* Plays the rounds; side[] has the entrant of each line, and at the end the winner. */
static void play_rounds(struct bracket *bracket, int *side, int *place, bool third_place)
{
    int lines = bracket_lines(bracket->history->entrants), round = 1;
    int third[2] = {FORMS_NOBODY, FORMS_NOBODY};
    struct bracket_sides last;

    for (; lines > 1; lines /= 2, round++) {
        for (int line = 0; line < lines / 2; line++) {
            struct bracket_sides sides =
                bracket_meet(bracket, PART_MAIN, round, line, side[2 * line], side[2 * line + 1]);

            side[line] = sides.winner;
            /* Four lines are the semifinals: their losers are the ones who play for third place. */
            if (lines == 4) {
                third[line] = sides.loser;
            }
            if (lines != 4 || !third_place) {
                set_place(place, sides.loser, lines / 2 + 1);
            }
            set_gone(place, sides.gone, lines / 2 + 1);
        }
    }
    set_place(place, side[0], 1);
    if (third_place) {
        last = bracket_meet(bracket, PART_THIRD, round - 1, 0, third[0], third[1]);
        set_place(place, last.winner, 3);
        set_place(place, last.loser, 4);
        set_gone(place, last.gone, 3);
    }
}

int knockout_next(struct meeting *out, int *place, const struct history *history, bool third_place)
{
    struct bracket bracket = {history, out, 0};
    int *side = memory_zeroed((size_t)bracket_lines(history->entrants), sizeof *side);

    for (int i = 0; place != NULL && i < history->entrants; i++) {
        place[i] = 0;
    }
    bracket_seeds(side, history->entrants);
    play_rounds(&bracket, side, place, third_place);
    free(side);
    return bracket.count;
}
