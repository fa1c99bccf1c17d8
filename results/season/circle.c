/* Both tables are formulas and not lists: any number of entrants has rounds, and round 7 is
 * found without the six before it. */
#include "circle.h"

int circle_lines(int entrants)
{
    return (entrants + 1) / 2;
}

int circle_rounds(int entrants, int cycles)
{
    return entrants < 2 ? 0 : (2 * circle_lines(entrants) - 1) * cycles;
}

/* Returns the entrant at a place of the circle, 0 <= place < places, in turn 0 <= turn < places -
 * 1. */
static int seated(int place, int turn, int places)
{
    int wheel = places - 1;

    return place == 0 ? 0 : 1 + (place - 1 + wheel - turn) % wheel;
}

/* Berger tables: adds half the places to every entrant of the previous table except the last
 * entrant, which changes sides. */
static void berger(int *a, int *b, int line, int turn, int places)
{
    int wheel = places - 1, step = places / 2;
    int one = (line + turn % wheel * step) % wheel;
    int two = (places - 1 - line + turn % wheel * step) % wheel;
    bool last_is_first = turn % 2 == 1;

    if (line == 0) {
        *a = last_is_first ? places - 1 : one;
        *b = last_is_first ? one : places - 1;
        return;
    }
    *a = one;
    *b = two;
}

void circle_round(struct meeting *out, int entrants, int round, enum circle_table table)
{
    int lines = circle_lines(entrants), places = 2 * lines;
    int turn = (round - 1) % (places - 1);

    for (int line = 0; line < lines; line++) {
        int a = seated(line, turn, places), b = seated(places - 1 - line, turn, places);

        if (table == CIRCLE_BERGER) {
            berger(&a, &b, line, turn, places);
        }
        if (a >= entrants) { /* with an odd number of entrants, the extra place is a bye */
            a = b;
            b = entrants;
        }
        out[line] = (struct meeting){.kind = b >= entrants ? MEETING_BYE : MEETING_PLAYED,
                                     .round = round,
                                     .line = line,
                                     .a = a,
                                     .b = b >= entrants ? FORMS_NOBODY : b};
    }
}

/* The circle method and not the order of the names, so that after each round every entrant has
 * played about as often as the others. They sit on a wheel with an odd number of places; with an
 * even number of entrants the last one is in the hub. In round r the places r + k and r - k meet;
 * place r itself meets the hub, or has a bye if the hub is empty. */
void circle_pairing(int *a, int *b, int entrants, uint64_t q)
{
    uint64_t wheel = (uint64_t)circle_rounds(entrants, 1), per_round = (uint64_t)entrants / 2;
    uint64_t round = q / per_round, k = q % per_round + (entrants % 2 == 0 ? 0 : 1);

    /* round and k are below wheel: a division less each, of millions. */
    *a = (int)(round + k < wheel ? round + k : round + k - wheel);
    *b = k == 0 ? entrants - 1 : (int)(round >= k ? round - k : round + wheel - k);
}

/* A pairing's round is the place in the middle between its two places. */
uint64_t circle_number(int entrants, int a, int b)
{
    uint64_t wheel = (uint64_t)circle_rounds(entrants, 1), per_round = (uint64_t)entrants / 2;
    uint64_t round, k;

    if (entrants % 2 == 0 && (a == entrants - 1 || b == entrants - 1)) {
        return (uint64_t)(a == entrants - 1 ? b : a) * per_round;
    }
    round = (uint64_t)(a + b) * ((wheel + 1) / 2) % wheel; /* half of the sum: wheel is odd */
    k = ((uint64_t)a + wheel - round) % wheel;
    k = k > wheel / 2 ? wheel - k : k;
    return round * per_round + k - (entrants % 2 == 0 ? 0 : 1);
}

/* Each hero begins one challenger later than the one before, so in a round no challenger meets
 * two heroes, as long as there are at least as many challengers. */
int gauntlet_round(struct meeting *out, const int *hero, int heroes, const int *challenger,
                   int challengers, int round)
{
    for (int h = 0; h < heroes; h++) {
        out[h] = (struct meeting){.round = round,
                                  .line = h,
                                  .a = hero[h],
                                  .b = challenger[(round - 1 + h) % challengers]};
    }
    return heroes;
}
