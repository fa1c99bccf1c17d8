#include "double_knockout.h"

#include <stdlib.h>

#include "base/memory.h"
#include "bracket.h"

struct brackets {
    struct bracket bracket;
    int *winners;  /* [line]: entrants of the winners' bracket in this round */
    int *dropped;  /* [line]: the losers of this round */
    int *survivor; /* in the losers' bracket, [0..survivors - 1] */
    int survivors;
    int round;   /* last round played in the losers' bracket */
    int *out_in; /* [entrant]: the round of the losers' bracket that it lost; 0: not out */
};

/* Notes the entrants that are out after a losers' round. */
static void note_out(struct brackets *b, const struct bracket_sides *result, int round)
{
    if (result->loser >= 0) {
        b->out_in[result->loser] = round;
    }
    if (result->gone != NULL) {
        b->out_in[result->gone->a] = round;
        b->out_in[result->gone->b] = round;
    }
}

/* Plays one round of the winners' bracket with `lines` lines; its losers go to dropped[]. */
static void play_winners(struct brackets *b, int round, int lines)
{
    for (int line = 0; line < lines / 2; line++) {
        struct bracket_sides sides = bracket_meet(&b->bracket, PART_MAIN, round, line,
                                                  b->winners[2 * line], b->winners[2 * line + 1]);

        b->winners[line] = sides.winner;
        b->dropped[line] = sides.loser;
        if (sides.gone != NULL) { /* placed with the losers of that round */
            note_out(b, &sides, round == 1 ? 1 : 2 * round - 2);
        }
    }
}

/* Plays meetings between neighbours in side[]; the winners are the survivors. */
static void play_neighbours(struct brackets *b, const int *side, int sides)
{
    b->round++;
    b->survivors = sides / 2;
    for (int line = 0; line < sides / 2; line++) {
        struct bracket_sides result = bracket_meet(&b->bracket, PART_LOSERS, b->round, line,
                                                   side[2 * line], side[2 * line + 1]);

        b->survivor[line] = result.winner;
        note_out(b, &result, b->round);
    }
}

/* Plays meetings between survivors and the losers of the winners' round r. */
static void play_drops(struct brackets *b, int r)
{
    int n = b->survivors;

    b->round++;
    for (int line = 0; line < n; line++) {
        /* Losers drop in crosswise, so that two who have just met do not meet again at once. */
        int from = r % 2 == 0 ? n - 1 - line : (line + n / 2) % n;
        struct bracket_sides result = bracket_meet(&b->bracket, PART_LOSERS, b->round, line,
                                                   b->survivor[line], b->dropped[from]);

        b->survivor[line] = result.winner;
        note_out(b, &result, b->round);
    }
}

static void play_finals(struct brackets *b, int *first, int *second)
{
    int one = b->winners[0], two = b->survivor[0];
    struct bracket_sides result = bracket_meet(&b->bracket, PART_FINAL, 1, 0, one, two);

    /* The first loss of the winners' side: both have lost once, and a second final decides. */
    if (result.winner == two && result.loser == one && one >= 0) {
        result = bracket_meet(&b->bracket, PART_FINAL, 2, 0, one, two);
    }
    *first = result.winner;
    *second = result.loser;
    if (result.gone != NULL) {
        note_out(b, &result, b->round + 1);
    }
}

static void play_both(struct brackets *b, int *first, int *second)
{
    int lines = bracket_lines(b->bracket.history->entrants);

    b->survivors = 1;
    b->survivor[0] = FORMS_NOBODY;
    for (int r = 1; lines > 1; lines /= 2, r++) {
        play_winners(b, r, lines);
        if (r == 1 && lines == 2) { /* two entrants: the loser has no opponent */
            b->survivor[0] = b->dropped[0];
        } else if (r == 1) {
            play_neighbours(b, b->dropped, lines / 2);
        } else {
            play_drops(b, r);
            if (b->survivors > 1) {
                play_neighbours(b, b->survivor, b->survivors);
            }
        }
    }
    play_finals(b, first, second);
}

/* An entrant that was out in a later round has a better place; one still in has no place yet. */
static void fill_places(int *place, const struct brackets *b, int first, int second)
{
    int entrants = b->bracket.history->entrants;

    for (int i = 0; i < entrants; i++) {
        int better = 0;

        for (int j = 0; j < entrants; j++) {
            better += b->out_in[j] == 0 || b->out_in[j] > b->out_in[i];
        }
        place[i] = b->out_in[i] == 0 ? 0 : better + 1;
    }
    if (first >= 0) {
        place[first] = 1;
    }
    if (first >= 0 && second >= 0) {
        place[second] = 2;
    }
}

int double_knockout_next(struct meeting *out, int *place, const struct history *history)
{
    size_t lines = (size_t)bracket_lines(history->entrants);
    int *room = memory_zeroed(3 * lines + (size_t)history->entrants, sizeof *room);
    struct brackets b = {.bracket = {history, out, 0},
                         .winners = room,
                         .dropped = room + lines,
                         .survivor = room + 2 * lines,
                         .out_in = room + 3 * lines};
    int first, second;

    bracket_seeds(b.winners, history->entrants);
    play_both(&b, &first, &second);
    if (place != NULL) {
        fill_places(place, &b, first, second);
    }
    free(room);
    return b.bracket.count;
}
