/* Forms of events: worked examples, meeting by meeting. */
#include "support/suite.h"

#include "season/circle.h"
#include "season/knockout.h"
#include "season/ladder.h"
#include "season/league.h"
#include "season/swiss.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64, ROOM = 512 };

/* An event with entrants A, B, ... and its progress. */
static struct event {
    struct entrant entrant[MOST];
    struct meeting meeting[ROOM];
    struct history history;
    uint64_t results;
    const char *upsets; /* "DA CB": D beats A, C beats B; otherwise the earlier letter wins */
    bool surprise;      /* the later letter wins round 1 of the final */
    char text[1024];
} event;

static void begin(int entrants, const char *upsets)
{
    memset(&event, 0, sizeof event);
    event.history = (struct history){entrants, event.entrant, 0, event.meeting};
    event.upsets = upsets;
}

static void say(const char *format, ...)
{
    size_t used = strlen(event.text);
    va_list args;

    va_start(args, format);
    vsnprintf(event.text + used, sizeof event.text - used, format, args);
    va_end(args);
}

static bool wins(int a, int b)
{
    char upset[3] = {(char)('A' + b), (char)('A' + a), 0}, fact[3] = {upset[1], upset[0], 0};

    return strstr(event.upsets, fact) != NULL || (a < b && strstr(event.upsets, upset) == NULL);
}

static void end(struct meeting *meeting)
{
    if (meeting->kind == MEETING_PLAYED) {
        meeting->score_a = wins(meeting->a, meeting->b) ? 1 : 0;
    }
    if (event.surprise && meeting->part == PART_FINAL && meeting->round == 1) {
        meeting->score_a = 1 - meeting->score_a;
    }
    meeting->ended = ++event.results;
}

/* Writes a meeting as "AD" or "bye G" and appends it, with its result. */
static void add(const struct meeting *meeting, bool with_winner)
{
    struct meeting *row = &event.meeting[event.history.meetings++];

    *row = *meeting;
    end(row);
    if (row->kind == MEETING_BYE) {
        say(" bye %c", 'A' + row->a);
    } else {
        say(" %c%c", 'A' + row->a, 'A' + row->b);
    }
    if (row->kind == MEETING_WALKOVER || row->kind == MEETING_ABSENT) {
        say(row->kind == MEETING_ABSENT ? "--" : "+-");
    } else if (with_winner) {
        say(" %c", 'A' + (row->score_a > 0.5 ? row->a : row->b));
    }
}

TEST(circle_method)
{
    static const char *const want[] = {" AD BC", " AC DB", " AB CD", " AD BC"};
    struct meeting out[2];

    begin(4, "");
    for (int round = 1; round <= 4; round++) {
        event.text[0] = 0;
        circle_round(out, 4, round, CIRCLE_SEEDS);
        add(&out[0], false);
        add(&out[1], false);
        ck_assert_str_eq(event.text, want[round - 1]);
    }
    ck_assert_int_eq(circle_rounds(4, 2), 6);
    ck_assert_int_eq(circle_rounds(5, 1), 5);
}

/* FIDE's Berger table for 5 or 6, and its first rounds for 3 or 4. */
TEST(berger_tables)
{
    static const char *const want[] = {" AF BE CD", " FD EC AB", " BF CA DE", " FE AD BC",
                                       " CF DB EA"};
    struct meeting out[3];

    begin(6, "");
    for (int round = 1; round <= 5; round++) {
        event.text[0] = 0;
        circle_round(out, 6, round, CIRCLE_BERGER);
        for (int line = 0; line < 3; line++) {
            add(&out[line], false);
        }
        ck_assert_str_eq(event.text, want[round - 1]);
    }
    event.text[0] = 0;
    circle_round(out, 4, 2, CIRCLE_BERGER);
    add(&out[0], false);
    add(&out[1], false);
    ck_assert_str_eq(event.text, " DC AB");
}

TEST(gauntlet)
{
    const int heroes[] = {0, 3}, challengers[] = {1, 2, 4};
    struct meeting out[2];

    begin(5, "");
    for (int round = 1; round <= 3; round++) {
        ck_assert_int_eq(gauntlet_round(out, heroes, 2, challengers, 3, round), 2);
        add(&out[0], false);
        add(&out[1], false);
    }
    ck_assert_str_eq(event.text, " AB DC AC DE AE DB");
}

static void swiss(int number)
{
    struct meeting out[MOST];
    int count;

    event.text[0] = 0;
    count = swiss_round(out, &event.history, SWISS_LATE_NOTHING);
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(out[i].round, number);
        ck_assert_int_eq(out[i].line, i);
        add(&out[i], false);
    }
}

static void swiss_order(void)
{
    struct standings_row rows[MOST];

    event.text[0] = 0;
    swiss_standing(rows, &event.history, SWISS_LATE_NOTHING);
    for (int i = 0; i < event.history.entrants; i++) {
        say(" %c(%g,%g)%s", 'A' + rows[i].player, rows[i].score, rows[i].buchholz,
            rows[i].shared ? "=" : "");
    }
}

TEST(swiss_of_seven)
{
    begin(7, "DA CB GF");
    swiss(1);
    ck_assert_str_eq(event.text, " AD BE CF bye G");
    swiss(2);
    ck_assert_str_eq(event.text, " BC DG AE bye F");
    swiss(3);
    ck_assert_str_eq(event.text, " CD AB FG bye E");
    swiss(4);
    ck_assert_str_eq(event.text, " CA DF GE bye B");
}

/* The fourth round's results as in the example: A beats C, D beats F, E beats G. */
TEST(swiss_of_seven_at_its_end)
{
    begin(7, "DA CB GF");
    for (int round = 1; round <= 3; round++) {
        swiss(round);
    }
    event.upsets = "DA CB GF AC EG";
    swiss(4);
    swiss_order();
    ck_assert_str_eq(event.text, " A(3,10) C(3,9) D(3,9) B(2,8) E(2,7) G(2,6) F(1,8)");
}

TEST(swiss_rounds_and_last_round_to_enter)
{
    ck_assert_int_eq(swiss_rounds(2), 1);
    ck_assert_int_eq(swiss_rounds(3), 3);
    ck_assert_int_eq(swiss_rounds(4), 3);
    ck_assert_int_eq(swiss_rounds(7), 4);
    ck_assert_int_eq(swiss_rounds(8), 4);
    ck_assert_int_eq(swiss_rounds(9), 5);
    ck_assert(swiss_may_enter(7, 3));
    ck_assert(!swiss_may_enter(7, 4));
    ck_assert(swiss_may_enter(8, 4)); /* half of the rounds */
    ck_assert(!swiss_may_enter(8, 5));
}

/* Three entrants have met after three rounds: the fourth needs a rematch, the oldest one. */
TEST(swiss_allows_the_oldest_unavoidable_rematch)
{
    begin(4, "");
    for (int round = 1; round <= 3; round++) {
        swiss(round);
    }
    swiss(4);
    ck_assert_str_eq(event.text, " AC BD"); /* as in round 1 */
}

TEST(swiss_late_and_leaving_entrants)
{
    struct standings_row rows[MOST];

    begin(4, "");
    swiss(1);
    event.entrant[1].left = true;
    event.entrant[4].rounds_missed = 1;
    event.history.entrants = 5;
    swiss(2);
    ck_assert_str_eq(event.text, " AD CE");
    swiss_standing(rows, &event.history, SWISS_LATE_HALF);
    for (int i = 0; i < 5; i++) {
        if (rows[i].player == 4) {
            ck_assert_double_eq(rows[i].score, 0.5);
        }
    }
}

/* E has won by a walkover in round 1 and F had the bye of round 2: the next one from below is D. */
TEST(swiss_gives_no_bye_after_a_walkover)
{
    begin(6, "");
    swiss(1);
    ck_assert_str_eq(event.text, " AD BE CF");
    event.meeting[1].kind = MEETING_WALKOVER;
    event.meeting[1].a = 4;
    event.meeting[1].b = 1;
    event.entrant[1].left = true;
    swiss(2);
    ck_assert_str_eq(event.text, " AC ED bye F");
    swiss(3);
    ck_assert_str_eq(event.text, " AF CE bye D");
}

TEST(swiss_waits_for_open_meetings)
{
    begin(4, "");
    swiss(1);
    event.meeting[1].ended = 0;
    swiss(2);
    ck_assert_str_eq(event.text, "");
}

/* Pairs the bracket's meetings until there are no more. */
static void bracket(bool twice, bool third)
{
    static const char parts[] = "WLFT";
    struct meeting out[MOST];
    int count = 1;

    while (count > 0) {
        int place[MOST], part = -1, round = -1;

        count = twice ? double_knockout_next(out, place, &event.history)
                      : knockout_next(out, place, &event.history, third);
        for (int i = 0; i < count; i++) {
            if ((int)out[i].part != part || out[i].round != round) {
                part = (int)out[i].part;
                round = out[i].round;
                say("%s%c%d:", event.text[0] == 0 ? "" : " | ", parts[part], round);
            }
            add(&out[i], true);
        }
        if (count == 0) {
            say(" |");
            for (int i = 0; i < event.history.entrants; i++) {
                say(" %c%d", 'A' + i, place[i]);
            }
        }
    }
}

TEST(knockout_of_six)
{
    begin(6, "");
    bracket(false, true);
    ck_assert_str_eq(event.text, "W1: DE D CF C | W2: AD A BC B | W3: AB A | T3: DC C |"
                                 " A1 B2 C3 D4 E5 F5");
}

TEST(knockout_of_eight_has_the_usual_lines)
{
    begin(8, "");
    bracket(false, false);
    ck_assert_str_eq(event.text, "W1: AH A DE D BG B CF C | W2: AD A BC B | W3: AB A |"
                                 " A1 B2 C3 D3 E5 F5 G5 H5");
}

TEST(absent_opponents_advance_nobody)
{
    begin(4, "");
    event.entrant[1].left = true;
    event.entrant[2].left = true;
    event.entrant[3].left = true;
    bracket(false, false);
    ck_assert_str_eq(event.text, "W1: AD+- BC-- | A1 B3 C3 D3");
}

TEST(double_knockout_of_six)
{
    begin(6, "DA CB");
    bracket(true, false);
    ck_assert_str_eq(event.text, "W1: DE D CF C | W2: AD D BC C | L2: EB B FA A | W3: DC C |"
                                 " L3: BA A | L4: AD D | F1: CD C | A3 B4 C1 D2 E5 F5");
}

/* The winner of the losers' bracket wins the first final: a second one decides. */
TEST(double_knockout_has_a_second_final)
{
    begin(4, "");
    event.surprise = true;
    bracket(true, false);
    ck_assert_str_eq(event.text, "W1: AD A BC B | L1: DC C | W2: AB A | L2: CB B | F1: AB B |"
                                 " F2: AB A | A1 B2 C3 D4");
}

/* 16 entrants: the losers of W2 meet the survivors in reversed order. */
TEST(double_knockout_of_sixteen)
{
    begin(16, "");
    bracket(true, false);
    ck_assert_ptr_nonnull(strstr(event.text, "L1: PI I ML L OJ J NK K"));
    ck_assert_ptr_nonnull(strstr(event.text, "L2: IF F LG G JE E KH H"));
    ck_assert_ptr_nonnull(strstr(event.text, "L3: FG F EH E"));
    ck_assert_ptr_nonnull(strstr(event.text, "L4: FC C ED D"));
}

TEST(double_knockout_of_two)
{
    begin(2, "");
    bracket(true, false);
    ck_assert_str_eq(event.text, "W1: AB A | F1: AB A | A1 B2");
    begin(2, "");
    event.upsets = "BA";
    bracket(true, false);
    ck_assert_str_eq(event.text, "W1: AB B | F1: BA B | A2 B1");
}

static void challenge(const char *want_pair, bool challenger_wins, const char *want_order)
{
    const struct ladder_options options = {.reach = 2};
    struct meeting meeting;
    int order[MOST];
    char pair[3], got[MOST + 1] = "";
    bool found;

    found = ladder_next(&meeting, &event.history, NULL, &options);
    ck_assert(found);
    snprintf(pair, sizeof pair, "%c%c", 'A' + meeting.a, 'A' + meeting.b);
    ck_assert_str_eq(pair, want_pair);
    meeting.ended = ++event.results;
    meeting.score_a = challenger_wins;
    event.meeting[event.history.meetings++] = meeting;
    ladder_order(order, &event.history, &options);
    for (int i = 0; i < event.history.entrants; i++) {
        got[i] = (char)('A' + order[i]);
    }
    ck_assert_str_eq(got, want_order);
}

TEST(ladder_of_five)
{
    begin(5, "");
    challenge("EC", true, "ABECD");
    challenge("DE", false, "ABECD");
    challenge("BA", true, "BAECD");
    challenge("DC", false, "BAECD");
    challenge("CA", true, "BCAED");
    challenge("DA", true, "BCDAE");
}

TEST(ladder_swaps_if_requested)
{
    const struct ladder_options options = {.reach = 2, .swap = true};
    int order[MOST];

    begin(4, "");
    event.meeting[0] = (struct meeting){.a = 3, .b = 1, .score_a = 1, .ended = 1};
    event.history.meetings = 1;
    ladder_order(order, &event.history, &options);
    ck_assert_int_eq(order[1], 3);
    ck_assert_int_eq(order[2], 2);
    ck_assert_int_eq(order[3], 1);
}

static void met(int a, int b, int times)
{
    for (int i = 0; i < times; i++) {
        event.meeting[event.history.meetings++] =
            (struct meeting){.a = a, .b = b, .score_a = 1, .ended = ++event.results};
    }
}

/* ann, bob, cid, dan, eve of the example; fay has left, so that cid has its four meetings. */
TEST(league_of_five)
{
    enum { ANN, BOB, CID, DAN, EVE, FAY };
    static const char *const names[] = {"ann", "bob", "cid", "dan", "eve", "fay"};
    const double ratings[] = {1500, 1620, 1810, 1500, 1450, 1500};
    const struct league_field field = {names, ratings, NULL, NULL};
    const struct league_options options = {.window = 200, .length_points = 5};
    struct meeting next;
    bool found;

    begin(6, "");
    event.entrant[FAY].left = true;
    met(CID, FAY, 2);
    met(DAN, EVE, 1);
    met(BOB, EVE, 1);
    met(ANN, EVE, 1);
    met(BOB, CID, 1);
    met(ANN, CID, 1);
    met(ANN, BOB, 2);
    found = league_next(&next, &event.history, &field, &options);
    ck_assert(found);
    ck_assert_int_eq(next.a, DAN);
    ck_assert_int_eq(next.b, ANN);
    event.meeting[event.history.meetings++] = next;
    found = league_next(&next, &event.history, &field, &options);
    ck_assert(found);
    ck_assert_int_eq(next.a, EVE);
    ck_assert_int_eq(next.b, CID);
    event.meeting[event.history.meetings++] = next;
    found = league_next(&next, &event.history, &field, &options);
    ck_assert(!found); /* bob waits */
}

/* Two anchors never meet; a newcomer's fifth meeting is against an anchor. */
TEST(league_anchors)
{
    static const char *const names[] = {"new", "old", "far", "rock"};
    const double ratings[] = {1500, 1500, 1900, 1900};
    const bool anchor[] = {false, false, true, true};
    const struct league_field field = {names, ratings, anchor, NULL};
    const struct league_options options = {.window = 200, .length_points = 5};
    struct meeting next;
    bool found;

    begin(4, "");
    event.entrant[1].left = true;
    event.entrant[0].left = true;
    found = league_next(&next, &event.history, &field, &options);
    ck_assert(!found);
    event.entrant[1].left = false;
    event.entrant[0].left = false;
    met(0, 2, 1);
    met(0, 3, 1);
    met(0, 2, 1);
    met(0, 1, 1);
    met(1, 3, 4);
    found = league_next(&next, &event.history, &field, &options);
    ck_assert(found);
    ck_assert_int_eq(next.a, 0);
    ck_assert(anchor[next.b]);
    ck_assert_int_eq(next.b, 3); /* met once, the other one twice */
}
