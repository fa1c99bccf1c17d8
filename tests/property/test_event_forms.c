/* Forms of events under random results, with entrants that leave, come back and enter late: no
 * avoidable rematches, fair byes, brackets that end, ladders that keep their reach. Small Swiss
 * rounds are compared with a plain search through all pairings. */
#include "season/circle.h"
#include "season/knockout.h"
#include "season/ladder.h"
#include "season/league.h"
#include "season/swiss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

enum { MOST = 200, ROOM = 60000 };

static struct event {
    struct entrant entrant[MOST];
    struct meeting meeting[ROOM];
    struct history history;
    uint64_t results, state;
} event;

static uint32_t draw(uint32_t below)
{
    event.state = event.state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(event.state >> 33) % below;
}

static void begin(int entrants, uint64_t seed)
{
    memset(event.entrant, 0, sizeof event.entrant);
    event.history = (struct history){entrants, event.entrant, 0, event.meeting};
    event.results = 0;
    event.state = seed * 0x9e3779b97f4a7c15u + (uint64_t)entrants;
}

static void append(const struct meeting *meeting)
{
    ck_assert_uint_lt(event.history.meetings, ROOM);
    event.meeting[event.history.meetings++] = *meeting;
}

/* Ends all open meetings in a random order; draws: if the form allows them. */
static void end_all(bool draws)
{
    size_t n = event.history.meetings, start = n == 0 ? 0 : draw((uint32_t)n);

    for (size_t i = 0; i < n; i++) {
        struct meeting *meeting = &event.meeting[(start + i) % n];

        if (meeting->ended == 0) {
            meeting->ended = ++event.results;
            meeting->score_a = draw(2);
            if (draws && draw(5) == 0) {
                meeting->score_a = 0.5;
            }
        }
    }
}

static int times_met(int a, int b)
{
    int count = 0;

    for (size_t i = 0; i < event.history.meetings; i++) {
        const struct meeting *meeting = &event.meeting[i];

        count +=
            meeting->kind == MEETING_PLAYED && meeting_has(meeting, a) && meeting_has(meeting, b);
    }
    return count;
}

static const int sizes[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11,  12,  13,  15,
                            16, 17, 20, 31, 32, 33, 50, 64, 65, 101, 128, 199, 200};

#define SIZES ((int)(sizeof sizes / sizeof sizes[0]))

/* Every entrant meets every other once per cycle, and at most one opponent per round. */
TEST_LOOP(round_robins_are_complete, 0, 2 * SIZES)
{
    static int met[MOST][MOST];
    struct meeting out[MOST];
    int n = sizes[_i / 2], rests[MOST] = {0};
    enum circle_table table = _i % 2 == 0 ? CIRCLE_SEEDS : CIRCLE_BERGER;

    memset(met, 0, sizeof met);
    for (int round = 1; round <= circle_rounds(n, 1); round++) {
        int seen[MOST] = {0};

        circle_round(out, n, round, table);
        for (int line = 0; line < circle_lines(n); line++) {
            seen[out[line].a]++;
            if (out[line].kind == MEETING_BYE) {
                rests[out[line].a]++;
                continue;
            }
            seen[out[line].b]++;
            met[out[line].a][out[line].b]++;
            met[out[line].b][out[line].a]++;
        }
        for (int i = 0; i < n; i++) {
            ck_assert_int_eq(seen[i], 1);
        }
    }
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(rests[i], n % 2);
        for (int j = 0; j < n; j++) {
            ck_assert_int_eq(met[i][j], i != j);
        }
    }
}

/* A plain search: the first complete pairing in lexicographic order, or none. */
static bool search(const int *order, int count, bool *taken, int *mate)
{
    int i = 0;

    while (i < count && taken[i]) {
        i++;
    }
    if (i == count) {
        return true;
    }
    taken[i] = true;
    for (int j = i + 1; j < count; j++) {
        if (!taken[j] && times_met(order[i], order[j]) == 0) {
            taken[j] = true;
            mate[i] = j;
            mate[j] = i;
            if (search(order, count, taken, mate)) {
                return true;
            }
            taken[j] = false;
        }
    }
    taken[i] = false;
    return false;
}

static int compare_rows(const void *x, const void *y)
{
    const struct standings_row *a = x, *b = y;

    if (a->score != b->score) {
        return a->score > b->score ? -1 : 1;
    }
    if (a->buchholz != b->buchholz) {
        return a->buchholz > b->buchholz ? -1 : 1;
    }
    return a->player - b->player;
}

/* Byes and won walkovers, or only byes. */
static int free_points(int entrant, bool walkovers)
{
    int count = 0;

    for (size_t i = 0; i < event.history.meetings; i++) {
        const struct meeting *meeting = &event.meeting[i];

        count += meeting->a == entrant &&
                 (meeting->kind == MEETING_BYE || (walkovers && meeting->kind == MEETING_WALKOVER));
    }
    return count;
}

/* Whether the round is the plain search's, if that finds a pairing without a rematch. */
static void compare_with_search(const struct meeting *out, int count, enum swiss_late late)
{
    struct standings_row rows[MOST];
    int order[MOST], mate[MOST], present = 0, bye = -1;
    bool taken[MOST] = {0};

    swiss_standing(rows, &event.history, late);
    qsort(rows, (size_t)event.history.entrants, sizeof rows[0], compare_rows);
    for (int i = 0; i < event.history.entrants; i++) {
        if (!event.entrant[rows[i].player].left) {
            order[present++] = rows[i].player;
        }
    }
    for (int i = present - 1; present % 2 == 1 && bye < 0 && i >= 0; i--) {
        memset(taken, 0, sizeof taken);
        taken[i] = true;
        if (free_points(order[i], true) == 0 && search(order, present, taken, mate)) {
            bye = i;
        }
    }
    if (present % 2 == 1 && bye < 0) {
        return; /* fewest byes, perhaps rematches */
    }
    memset(taken, 0, sizeof taken);
    if (bye >= 0) {
        taken[bye] = true;
        ck_assert_int_eq(out[count - 1].kind, MEETING_BYE);
        ck_assert_int_eq(out[count - 1].a, order[bye]);
    }
    if (!search(order, present, taken, mate)) {
        return;
    }
    for (int i = 0, line = 0; i < present; i++) {
        if (i != bye && mate[i] > i) {
            ck_assert_int_eq(out[line].a, order[i]);
            ck_assert_int_eq(out[line].b, order[mate[i]]);
            line++;
        }
    }
}

/* Whether each present entrant is paired once, and the number of rematches. */
static int check_round(const struct meeting *out, int count)
{
    int seen[MOST] = {0}, rematches = 0, byes = 0;

    for (int i = 0; i < count; i++) {
        seen[out[i].a]++;
        if (out[i].kind == MEETING_BYE) {
            byes++;
            continue;
        }
        seen[out[i].b]++;
        rematches += times_met(out[i].a, out[i].b) > 0;
    }
    ck_assert_int_le(byes, 1);
    for (int i = 0; i < event.history.entrants; i++) {
        ck_assert_int_eq(seen[i], !event.entrant[i].left);
    }
    return rematches;
}

static void play_swiss(int n, uint64_t seed, bool come_and_go)
{
    struct meeting out[MOST];
    enum swiss_late late = seed % 2 == 0 ? SWISS_LATE_HALF : SWISS_LATE_NOTHING;
    int rounds = swiss_rounds(n), room = come_and_go && n + 2 <= MOST ? n + 2 : n;

    begin(n, seed);
    for (int round = 1; round <= rounds; round++) {
        int count, rematches;

        count = swiss_round(out, &event.history, late);
        rematches = count == 0 ? 0 : check_round(out, count);
        ck_assert_msg(come_and_go || 2 * round > n || rematches == 0,
                      "%d entrants, seed %d, round %d: %d rematches", n, (int)seed, round,
                      rematches);
        if (round > 1 && event.history.entrants <= 10 && count > 0) {
            compare_with_search(out, count, late);
        }
        for (int i = 0; i < count; i++) {
            if (come_and_go && out[i].kind == MEETING_PLAYED && draw(12) == 0) {
                out[i].kind = draw(3) == 0 ? MEETING_ABSENT : MEETING_WALKOVER;
            }
            append(&out[i]);
        }
        end_all(true);
        if (come_and_go) {
            int who = (int)draw((uint32_t)event.history.entrants);

            event.entrant[who].left = draw(3) > 0;
        }
        if (swiss_may_enter(rounds, round) && event.history.entrants < room && draw(2) == 0) {
            event.entrant[event.history.entrants++] = (struct entrant){.rounds_missed = round};
        }
    }
}

TEST_LOOP(swiss_rounds_pair_everybody_and_avoid_rematches, 0, SIZES)
{
    int n = sizes[_i], seeds = n <= 13 ? 40 : n <= 65 ? 6 : 1;

    for (int seed = 0; seed < seeds; seed++) {
        play_swiss(n, (uint64_t)seed, false);
        play_swiss(n, (uint64_t)seed, true);
    }
}

/* Far more than the usual rounds: as few rematches as in a complete search, for small events. */
static int fewest(const int *order, int count, bool *taken)
{
    int i = 0, best = MOST;

    while (i < count && taken[i]) {
        i++;
    }
    if (i == count) {
        return 0;
    }
    taken[i] = true;
    for (int j = i + 1; j < count; j++) {
        if (!taken[j]) {
            int more;

            taken[j] = true;
            more = (times_met(order[i], order[j]) > 0) + fewest(order, count, taken);
            best = more < best ? more : best;
            taken[j] = false;
        }
    }
    taken[i] = false;
    return best;
}

TEST_LOOP(rematches_are_as_few_as_possible, 0, 12)
{
    int n = 2 + 2 * (_i % 4);
    struct meeting out[MOST];

    begin(n, (uint64_t)_i);
    for (int round = 1; round <= 3 * n; round++) {
        int order[MOST], count;
        bool taken[MOST] = {0};

        count = swiss_round(out, &event.history, SWISS_LATE_NOTHING);
        for (int i = 0; i < n; i++) {
            order[i] = i;
        }
        ck_assert_int_eq(check_round(out, count), fewest(order, n, taken));
        for (int i = 0; i < count; i++) {
            append(&out[i]);
        }
        end_all(true);
    }
}

/* Pairs a bracket until it gives no more meetings; some entrants leave meanwhile. Returns the
 * number of meetings played. */
static int play_bracket(int n, bool twice, bool third, bool leave, int *place)
{
    struct meeting out[MOST];
    int count = 1, played = 0;

    for (int guard = 0; count > 0; guard++) {
        ck_assert_int_lt(guard, 64);
        count = twice ? double_knockout_next(out, place, &event.history)
                      : knockout_next(out, place, &event.history, third);
        for (int i = 0; i < count; i++) {
            ck_assert_int_ne(out[i].a, out[i].b);
            append(&out[i]);
            played += out[i].kind == MEETING_PLAYED;
        }
        end_all(false);
        if (leave && draw(2) == 0) {
            event.entrant[draw((uint32_t)n)].left = true;
        }
    }
    return played;
}

static int losses(int entrant)
{
    int count = 0;

    for (size_t i = 0; i < event.history.meetings; i++) {
        const struct meeting *meeting = &event.meeting[i];

        count += meeting_has(meeting, entrant) && meeting_score(meeting, entrant) == 0;
    }
    return count;
}

TEST_LOOP(brackets_end_with_a_winner, 0, SIZES)
{
    int n = sizes[_i];

    for (int seed = 0; seed < 20; seed++) {
        int place[MOST], played;

        begin(n, (uint64_t)seed);
        played = play_bracket(n, false, seed % 2 == 0, false, place);
        ck_assert_int_eq(played, n - 1 + (seed % 2 == 0 && n >= 4));
        for (int i = 0; i < n; i++) {
            ck_assert_int_ge(place[i], 1);
            ck_assert_int_eq(losses(i) == 0, place[i] == 1);
        }
        begin(n, (uint64_t)seed);
        played = play_bracket(n, true, false, false, place);
        for (int i = 0; i < n; i++) {
            ck_assert_msg(place[i] == 1 ? losses(i) <= 1 : losses(i) == 2,
                          "%d entrants, seed %d: place %d with %d losses", n, seed, place[i],
                          losses(i));
        }
        ck_assert(played == 2 * n - 2 || played == 2 * n - 1);
    }
}

TEST_LOOP(brackets_end_even_if_entrants_leave, 0, SIZES)
{
    int n = sizes[_i];

    for (int seed = 0; seed < 40; seed++) {
        int place[MOST];

        begin(n, (uint64_t)seed);
        (void)play_bracket(n, seed % 2 == 0, seed % 4 == 1, true, place);
        for (int i = 0; i < n; i++) {
            ck_assert_msg(place[i] >= 1, "%d entrants, seed %d: no place for %d", n, seed, i);
            ck_assert_int_le(place[i], n);
        }
    }
}

/* A challenge reaches as far as it may, and is not a rematch unless every challenge would be
 * one. */
static void check_challenge(const struct meeting *meeting, const struct ladder_options *options)
{
    int order[MOST], place_a = -1, place_b = -1;

    ladder_order(order, &event.history, options);
    for (int i = 0, place = 0; i < event.history.entrants; i++) {
        if (!event.entrant[order[i]].left) {
            place_a = order[i] == meeting->a ? place : place_a;
            place_b = order[i] == meeting->b ? place : place_b;
            place++;
        }
    }
    ck_assert_int_ge(place_b, 0);
    ck_assert_int_gt(place_a, place_b);
    ck_assert_int_le(place_a - place_b, options->reach);
}

TEST_LOOP(ladders_keep_their_reach, 0, 3 * SIZES)
{
    int n = sizes[_i % SIZES];
    struct ladder_options options = {.reach = 1 + _i % 3, .swap = _i % 2 == 0};

    begin(n, (uint64_t)_i);
    for (int turn = 0; turn < 200; turn++) {
        struct meeting meeting;
        bool found;
        int order[MOST], seen[MOST] = {0};

        found = ladder_next(&meeting, &event.history, NULL, &options);
        if (found) {
            check_challenge(&meeting, &options);
            append(&meeting);
        }
        if (!found || draw(3) == 0) {
            end_all(true);
        }
        if (draw(10) == 0) {
            event.entrant[draw((uint32_t)n)].left = draw(2) == 0;
        }
        ladder_order(order, &event.history, &options);
        for (int i = 0; i < n; i++) {
            ck_assert_int_eq(++seen[order[i]], 1);
        }
    }
}

/* Meetings stay spread: no entrant falls far behind, and none is in two meetings at a time. */
TEST_LOOP(leagues_spread_their_meetings, 0, SIZES)
{
    int n = sizes[_i], played[MOST] = {0}, least, most;
    char name[MOST][8];
    const char *names[MOST];
    double ratings[MOST];
    const struct league_field field = {names, ratings, NULL, NULL};
    const struct league_options options = {.window = 200, .length_points = 5};

    begin(n, 1);
    for (int i = 0; i < n; i++) {
        snprintf(name[i], sizeof name[i], "b%03d", i);
        names[i] = name[i];
        ratings[i] = 1400 + draw(300);
    }
    for (int turn = 0; turn < (n < 40 ? 10 * n : 3 * n); turn++) {
        struct meeting meeting;
        bool found;

        found = league_next(&meeting, &event.history, &field, &options);
        if (!found) {
            end_all(true);
            continue;
        }
        for (size_t k = 0; k < event.history.meetings; k++) {
            const struct meeting *other = &event.meeting[k];

            ck_assert(other->ended > 0 ||
                      !(meeting_has(other, meeting.a) || meeting_has(other, meeting.b)));
        }
        played[meeting.a]++;
        played[meeting.b]++;
        append(&meeting);
    }
    least = most = played[0];
    for (int i = 0; i < n; i++) {
        least = played[i] < least ? played[i] : least;
        most = played[i] > most ? played[i] : most;
    }
    ck_assert_msg(2 * least + 10 >= most, "%d entrants: from %d to %d meetings", n, least, most);
}
