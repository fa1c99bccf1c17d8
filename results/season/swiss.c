/* The pairing is that of docs/running.md, found with a maximum matching: pairing from the top
 * down, as by hand, may leave the last ones with nobody they have not met. Each pairing is only
 * taken if the rest can still be paired. */
#include "swiss.h"

#include <stdlib.h>

#include "base/memory.h"
#include "matching.h"

int swiss_rounds(int entrants)
{
    int rounds = 1, most = entrants % 2 == 0 ? entrants - 1 : entrants;

    for (int reached = 1; reached < entrants; reached *= 2) {
        rounds++;
    }
    return entrants < 2 ? 0 : rounds < most ? rounds : most;
}

bool swiss_may_enter(int rounds, int paired)
{
    return 2 * paired <= rounds;
}

/* The entrants paired in a round; place 0 is the first in the order. */
struct round {
    const struct history *history;
    int places;
    int *entrant; /* [place] */
    int *latest;  /* [place * places + place]: round of their latest meeting, 0 none */
    bool *taken;  /* [place]: already paired */
    bool *spare;  /* [place]: could be the one without an opponent */
    struct matching matching;
    struct meeting *out;
    int number, count;
};

static int seeds(struct round *round)
{
    int count = 0;

    for (int i = 0; i < round->history->entrants; i++) {
        if (!round->history->entrant[i].left) {
            round->entrant[count++] = i;
        }
    }
    return count;
}

/* Sorts for the next round: score, Buchholz, seed. */
static void by_score(struct round *round, enum swiss_late late)
{
    const struct history *history = round->history;
    struct standings_row *rows = memory_zeroed((size_t)history->entrants, sizeof *rows);
    int count = 0;

    swiss_standing(rows, history, late);
    for (int i = 0; i < history->entrants; i++) {
        int at;

        if (history->entrant[rows[i].player].left) {
            continue;
        }
        /* with equal score and Buchholz sort by seed; later criteria do not apply */
        for (at = count++; at > 0; at--) {
            const struct standings_row *above = &rows[round->entrant[at - 1]];

            /* Scores are sums of halves, which compare exactly. */
            if (above->score != rows[i].score || above->buchholz != rows[i].buchholz ||
                above->player < rows[i].player) {
                break;
            }
            round->entrant[at] = round->entrant[at - 1];
        }
        round->entrant[at] = i;
    }
    for (int i = 0; i < count; i++) {
        round->entrant[i] = rows[round->entrant[i]].player;
    }
    free(rows);
}

/* Notes all earlier meetings, and allows the other pairs. */
static void note_meetings(struct round *round)
{
    const struct history *history = round->history;
    int n = round->places;

    for (size_t k = 0; k < history->meetings; k++) {
        const struct meeting *meeting = &history->meeting[k];
        int one = -1, two = -1;

        for (int i = 0; meeting->kind == MEETING_PLAYED && i < n; i++) {
            one = round->entrant[i] == meeting->a ? i : one;
            two = round->entrant[i] == meeting->b ? i : two;
        }
        if (one >= 0 && two >= 0) {
            round->latest[one * n + two] = meeting->round;
            round->latest[two * n + one] = meeting->round;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            matching_allow(&round->matching, i, j, round->latest[i * n + j] == 0);
        }
    }
}

static void put_meeting(struct round *round, int one, int two, enum meeting_kind kind)
{
    round->out[round->count] = (struct meeting){.kind = kind,
                                                .round = round->number,
                                                .line = round->count,
                                                .a = round->entrant[one],
                                                .b = two < 0 ? FORMS_NOBODY : round->entrant[two]};
    round->count++;
    round->taken[one] = true;
    if (two >= 0) {
        round->taken[two] = true;
    }
}

/* Returns the byes of an entrant; with_walkovers: also walkovers it won. */
static int byes(const struct round *round, int place, bool with_walkovers)
{
    const struct history *history = round->history;
    int count = 0;

    for (size_t k = 0; k < history->meetings; k++) {
        const struct meeting *meeting = &history->meeting[k];

        if (meeting->a == round->entrant[place] &&
            (meeting->kind == MEETING_BYE ||
             (with_walkovers && meeting->kind == MEETING_WALKOVER))) {
            count++;
        }
    }
    return count;
}

/* Returns the place of the entrant that has the bye in this round. From the last place up, and
 * only where the others can be paired without that entrant. */
static int place_of_bye(struct round *round)
{
    int fewest = 0;

    for (int i = round->places - 1; i >= 0; i--) {
        bool complete;

        if (byes(round, i, true) > 0) {
            continue;
        }
        matching_remove(&round->matching, i, true);
        complete = matching_grow(&round->matching) == 0;
        matching_remove(&round->matching, i, false);
        if (complete) {
            return i;
        }
    }
    for (int i = 1; i < round->places; i++) {
        if (byes(round, i, false) <= byes(round, fewest, false)) {
            fewest = i;
        }
    }
    return fewest;
}

/* Whether the rematch one-two is better than the best so far: longer ago; or as long ago, and its
 * upper entrant, then its lower one, has a lower place. */
static bool is_before(const struct round *round, int one, int two, int found_one, int found_two)
{
    int n = round->places;
    int now = round->latest[one * n + two], then = round->latest[found_one * n + found_two];

    return now != then ? now < then : one != found_one ? one > found_one : two > found_two;
}

/* Pairs one rematch so that the remaining entrants leave `alone` - 2 without opponent. one is above
 * two. */
static void pair_rematch(struct round *round, int alone)
{
    int n = round->places;
    int last_one = -1, last_two = -1;

    matching_spare(round->spare, &round->matching);
    for (;;) {
        int one = -1, two = -1;

        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                bool open = round->spare[i] && round->spare[j] && round->latest[i * n + j] > 0;
                bool later = last_one < 0 || is_before(round, last_one, last_two, i, j);

                if (open && later && (one < 0 || is_before(round, i, j, one, two))) {
                    one = i;
                    two = j;
                }
            }
        }
        if (one < 0) {
            return;
        }
        if (matching_take(&round->matching, one, two, alone - 2)) {
            put_meeting(round, one, two, MEETING_PLAYED);
            return;
        }
        last_one = one;
        last_two = two;
    }
}

/* Pairs the others, each with the nearest below that allows a complete pairing of the rest. */
static void pair_rest(struct round *round)
{
    for (int i = 0; i < round->places; i++) {
        for (int j = i + 1; !round->taken[i] && j < round->places; j++) {
            if (!round->taken[j] && round->latest[i * round->places + j] == 0 &&
                matching_take(&round->matching, i, j, 0)) {
                put_meeting(round, i, j, MEETING_PLAYED);
            }
        }
    }
}

static void pair_later_round(struct round *round)
{
    int bye = round->places % 2 == 0 ? -1 : place_of_bye(round);
    int alone;

    if (bye >= 0) {
        matching_remove(&round->matching, bye, true);
        round->taken[bye] = true;
    }
    alone = matching_grow(&round->matching);
    for (; alone > 0; alone -= 2) {
        pair_rematch(round, alone);
    }
    pair_rest(round);
    if (bye >= 0) {
        put_meeting(round, bye, -1, MEETING_BYE);
    }
}

static void pair_first_round(struct round *round)
{
    int half = round->places / 2;

    for (int i = 0; i < half; i++) {
        put_meeting(round, i, i + half, MEETING_PLAYED);
    }
    if (round->places % 2 == 1) {
        put_meeting(round, round->places - 1, -1, MEETING_BYE);
    }
}

static int compare_meetings(const void *x, const void *y)
{
    const struct meeting *a = x, *b = y;

    return (a->line > b->line) - (a->line < b->line);
}

/* Numbers the meetings by the place of their first entrant, the bye last. */
static void sort_lines(struct round *round)
{
    for (int i = 0, line = 0; i < round->places; i++) {
        for (int k = 0; k < round->count; k++) {
            if (round->out[k].a == round->entrant[i] && round->out[k].kind == MEETING_PLAYED) {
                round->out[k].line = line++;
            }
        }
    }
    for (int k = 0; k < round->count; k++) {
        if (round->out[k].kind == MEETING_BYE) {
            round->out[k].line = round->count - 1;
        }
    }
    qsort(round->out, (size_t)round->count, sizeof *round->out, compare_meetings);
}

int swiss_round(struct meeting *out, const struct history *history, enum swiss_late late)
{
    size_t n = (size_t)history->entrants;
    struct round round = {.history = history,
                          .entrant = memory_zeroed(n, sizeof(int)),
                          .latest = memory_zeroed(n * n, sizeof(int)),
                          .taken = memory_zeroed(n, sizeof(bool)),
                          .spare = memory_zeroed(n, sizeof(bool)),
                          .out = out,
                          .number = history_round(history) + 1};

    round.places = seeds(&round);
    if (round.places >= 2 && !history_is_open(history)) {
        matching_init(&round.matching, round.places);
        if (round.number == 1) {
            pair_first_round(&round);
        } else {
            by_score(&round, late);
            note_meetings(&round);
            pair_later_round(&round);
        }
        sort_lines(&round);
    }
    matching_deinit(&round.matching);
    free(round.entrant);
    free(round.latest);
    free(round.taken);
    free(round.spare);
    return round.count;
}

void swiss_standing(struct standings_row *rows, const struct history *history, enum swiss_late late)
{
    size_t count = 0;
    struct standings_encounter *encounters = memory_zeroed(history->meetings, sizeof *encounters);
    double *granted = memory_zeroed((size_t)history->entrants, sizeof *granted);

    for (int i = 0; i < history->entrants; i++) {
        granted[i] = late == SWISS_LATE_HALF ? history->entrant[i].rounds_missed / 2.0 : 0;
    }
    for (size_t k = 0; k < history->meetings; k++) {
        const struct meeting *meeting = &history->meeting[k];

        if (meeting->ended == 0) {
            continue;
        }
        if (meeting->kind == MEETING_PLAYED) {
            encounters[count++] =
                (struct standings_encounter){.a = meeting->a,
                                             .b = meeting->b,
                                             .score_a = meeting->score_a,
                                             .score_b = 1 - meeting->score_a,
                                             .difference = 2 * meeting->score_a - 1};
        } else {
            granted[meeting->a] += meeting_score(meeting, meeting->a);
        }
    }
    standings_in_order(rows, history->entrants, encounters, count, granted, &standings_swiss);
    free(encounters);
    free(granted);
}
