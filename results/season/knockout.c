/* A bracket is not stored: it is played through from the seeds, asking the history at each
 * place. So a walkover, or a result that is decided anew, needs no repair of a tree. */
#include "knockout.h"

#include <stdlib.h>

#include "base/memory.h"

/* A side of a meeting is an entrant, FORMS_NOBODY (a bye, or no entrant came through), or this: an
 * earlier meeting has no result yet. */
#define BRACKET_UNKNOWN (-2)

/* Collects the meetings that can be paired now. */
struct bracket {
    const struct history *history;
    struct meeting *out; /* the caller's; NULL: only counts */
    int count;
};

/* The result of a meeting. gone: both were absent; winner and loser are then FORMS_NOBODY. */
struct bracket_sides {
    int winner, loser;
    const struct meeting *gone;
};

/* ------------------------------------------------------------------ the bracket */

/* Returns the lines of round 1: the number of entrants rounded up to a power of two, at least 1. */
static int bracket_lines(int entrants)
{
    int lines = 1;

    while (lines < entrants) {
        lines *= 2;
    }
    return lines;
}

/* Fills seed[0..lines - 1]: the entrant of each line in round 1, FORMS_NOBODY for a bye. The usual
 * order, made by doubling: the best two can only meet in the final, the best four only from the
 * semifinals on. */
static void bracket_seeds(int *seed, int entrants)
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

/* Returns the winner and the loser of a meeting between two sides. If the history does not have the
 * meeting, adds it to the bracket's meetings, as a walkover if one side has left; its sides are
 * then unknown. */
static struct bracket_sides bracket_meet(struct bracket *bracket, enum meeting_part part, int round,
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

/* ------------------------------------------------------------------ single elimination */

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

/* ------------------------------------------------------------------ double elimination */

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
