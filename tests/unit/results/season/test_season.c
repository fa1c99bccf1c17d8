/* An event through its journal: worked examples, fixture by fixture; acts that are not allowed. */
#include "season/act_words.h"
#include "season/season.h"
#include "season/season_store.h"
#include <record/game_id.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/set_aside.h"
#include "support/scratch_store.h"
#include "support/suite.h"

#define AT "2026-11-22T08:30:00Z"

static struct season *season;
static char text[8192]; /* what happened */
static int tables;      /* most open meetings of a ladder or league; 0: no limit */

static void say(const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
}

/* Begins an event of n bots A, B, ... by a plan. */
static void begin(int n, const char *plan)
{
    static char name[64][PLAN_NAME];
    static const char *seeds[64];
    struct season_setup setup = {
        .event = "cup", .seeds = seeds, .entrants = n, .legs = 2, .tables = tables};

    for (int i = 0; i < n; i++) {
        snprintf(name[i], sizeof name[i], "%c", 'A' + i);
        seeds[i] = name[i];
    }
    text[0] = '\0';
    assert_ok(plan_read(&setup.plan, plan, 1, &error));
    assert_ok(season_create(&season, &setup, &error));
}

static void end(void)
{
    season_destroy(season);
    season = NULL;
    tables = 0;
}

static enum bg_status act(const char *who, const char *kind, const char *subject,
                          const char *reason)
{
    struct act row = {.at = AT};

    snprintf(row.who, sizeof row.who, "%s", who);
    snprintf(row.kind, sizeof row.kind, "%s", kind);
    snprintf(row.subject, sizeof row.subject, "%s", subject);
    snprintf(row.reason, sizeof row.reason, "%s", reason);
    season_seal(&row, season);
    return season_take(season, &row, &error);
}

static void desk(const char *kind, const char *subject)
{
    ck_assert_msg(act("ann@host", kind, subject, "so decided") == BG_OK, "%s", error.text);
}

/* Tries an act that is not allowed; the sentence must have these words, and nothing changes. */
static void refused(const char *kind, const char *subject, const char *words)
{
    char head[RECORD_HASH];

    memcpy(head, season_head(season), sizeof head);
    ck_assert_msg(act("ann@host", kind, subject, "so decided") == BG_E_ARGUMENT, "%s %s was taken",
                  kind, subject);
    ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
    ck_assert_str_eq(head, season_head(season));
}

/* Takes all rows that follow; notes pairings in text. */
static void follow(void)
{
    struct season_acts acts;

    assert_ok(season_follow(&acts, season, AT, &error));
    for (size_t i = 0; i < acts.count; i++) {
        const struct act *row = &acts.acts[i];
        char a[PLAN_NAME] = "", b[PLAN_NAME] = "", part[16] = "", round[8] = "";

        act_word(part, sizeof part, row->subject, "part");
        act_word(round, sizeof round, row->subject, "round");
        if (strcmp(row->kind, "round") == 0) {
            say("| ");
        } else if (strcmp(row->kind, "fixture") == 0 && part[0] != '\0') {
            act_word(a, sizeof a, row->subject, "a");
            act_word(b, sizeof b, row->subject, "b");
            say("%s%s%s%s ", strcmp(part, "main") == 0 ? "" : part,
                strcmp(part, "main") == 0 ? "" : ":", a, b);
        } else if (strcmp(row->kind, "bye") == 0) {
            act_word(a, sizeof a, row->subject, "bot");
            say("bye%s ", a);
        } else if (strcmp(row->kind, "walkover") == 0) {
            act_word(a, sizeof a, row->subject, "bot");
            say("wo%s ", a);
        }
    }
    free(acts.acts);
}

/* The earlier letter wins, except where "DA" says that D beats A. */
static bool wins(const char *a, const char *b, const char *upsets)
{
    char fact[3] = {a[0], b[0], 0}, upset[3] = {b[0], a[0], 0};

    return strstr(upsets, fact) != NULL || (a[0] < b[0] && strstr(upsets, upset) == NULL);
}

/* Plays legs that are due: all, or only those of one meeting. */
static void play(const char *upsets, uint64_t meeting)
{
    for (uint64_t i = 0; i < season_fixtures(season); i++) {
        struct season_fixture fixture;
        struct season_leg leg;

        season_fixture(&fixture, season, i);
        if (season_fixture_is_void(season, i) || (meeting != 0 && fixture.meeting != meeting)) {
            continue;
        }
        leg = (struct season_leg){.a = season_entrant(season, fixture.a)->name,
                                  .b = season_entrant(season, fixture.b)->name,
                                  .pair = fixture.pair,
                                  .leg = fixture.leg,
                                  .points = 2};
        leg.winner = wins(leg.a, leg.b, upsets) ? 0 : 1;
        season_leg(season, &leg);
    }
}

/* Plays on until nothing is to be played. */
static void play_all(const char *upsets)
{
    size_t before;

    follow();
    do {
        before = season_acts_taken(season);
        play(upsets, 0);
        follow();
    } while (season_acts_taken(season) > before);
}

static const char *standing(int stage, int group)
{
    static char out[1024];
    struct season_place place[64];
    int count;

    out[0] = '\0';
    assert_ok(season_standing(place, &count, season, stage, group, &error));
    for (int i = 0; i < count; i++) {
        snprintf(out + strlen(out), sizeof out - strlen(out), "%d%s(%g) ", place[i].place,
                 season_entrant(season, place[i].entrant)->name, place[i].score);
    }
    return out;
}

/* ------------------------------------------------------------------ forms */

TEST(circle_of_four)
{
    begin(4, "circle pairs=1");
    play_all("");
    ck_assert_str_eq(text, "| AD BC | AC DB | AB CD ");
    ck_assert_str_eq(standing(0, 0), "1A(3) 2B(2) 3C(1) 4D(0) ");
    ck_assert(season_is_over(season));
    end();
}

TEST(swiss_of_seven)
{
    begin(7, "swiss rounds=4 pairs=1");
    follow();
    play("DA CB", 0);
    follow();
    play("DA CB", 0);
    follow();
    play("DA CB GF", 0);
    follow();
    play("DA CB", 0);
    follow();
    ck_assert_str_eq(text, "| AD BE CF byeG | BC DG AE byeF | CD AB FG byeE | CA DF GE byeB ");
    ck_assert_str_eq(standing(0, 0), "1A(3) 2C(3) 3D(3) 4B(2) 5E(2) 6G(2) 7F(1) ");
    ck_assert(season_is_over(season));
    end();
}

TEST(knockout_of_six)
{
    begin(6, "knockout pairs=1 third_place=yes");
    play_all("DA CB");
    ck_assert_str_eq(text, "| DE CF | AD BC | DC third:AB ");
    ck_assert_str_eq(standing(0, 0), "1C(3) 2D(2) 3A(1) 4B(0) 5E(0) 5F(0) ");
    ck_assert(season_is_over(season));
    end();
}

/* The names of those who may still get a meeting. */
static const char *hopefuls(void)
{
    static char out[64];
    int count = 0;

    for (int i = 0; i < season_entrants(season); i++) {
        if (season_may_play(season, i)) {
            out[count++] = season_entrant(season, i)->name[0];
        }
    }
    out[count] = '\0';
    return out;
}

TEST(who_is_eliminated_may_not_play)
{
    begin(6, "knockout pairs=1 third_place=yes");
    ck_assert_str_eq(hopefuls(), "ABCDEF");
    follow(); /* DE CF */
    play("DA CB", 1);
    follow();
    ck_assert_str_eq(hopefuls(), "ABCDF");
    play("DA CB", 0);
    follow();
    ck_assert_str_eq(hopefuls(), "ABCD");
    play("DA CB", 0);
    follow(); /* DC, and AB for third place */
    ck_assert_str_eq(hopefuls(), "ABCD");
    play("", 6);
    follow();
    ck_assert_int_eq((int)strlen(hopefuls()), 2);
    play("DA CB", 0);
    follow();
    ck_assert_str_eq(hopefuls(), "");
    end();
    begin(4, "double-elimination match=5");
    follow();
    play("", 0);
    follow();
    ck_assert_str_eq(hopefuls(), "ABCD");
    play("", 0);
    follow();
    ck_assert_str_eq(hopefuls(), "ABC");
    end();
}

TEST(who_is_not_taken_into_a_stage_may_not_play)
{
    begin(4, "circle pairs=1 then knockout take=2 pairs=1");
    follow();
    play("", 0);
    follow();
    play("", 0);
    follow();
    ck_assert_str_eq(hopefuls(), "ABCD");
    play("", 0);
    follow();
    ck_assert_str_eq(hopefuls(), "AB");
    end();
}

TEST(double_elimination_of_six)
{
    begin(6, "double-elimination match=5");
    play_all("DA CB");
    ck_assert_str_eq(text, "| DE CF | AD BC | losers:EB losers:FA DC | losers:BA | losers:AD | "
                           "final:CD ");
    ck_assert_int_eq(strncmp(standing(0, 0), "1C(4) 2D(3) 3A(2) 4B(1) ", 24), 0);
    end();
}

TEST(ladder_of_five)
{
    tables = 1;
    begin(5, "ladder pairs=1 meetings=6");
    play_all("EC ED BA CA");
    ck_assert_str_eq(text, "| EC DE BA DC CA DA ");
    ck_assert_str_eq(standing(0, 0), "1B(1) 2C(2) 3A(1) 4E(2) 5D(0) ");
    ck_assert(season_is_over(season));
    end();
}

TEST(gauntlet_of_two_heroes)
{
    begin(5, "gauntlet heroes=A,D pairs=1");
    play_all("");
    ck_assert_str_eq(text, "| AB DC | AC DE | AE DB ");
    end();
}

TEST(league_of_five)
{
    tables = 1;
    begin(5, "league pairs=1 meetings=5 window=10");
    play_all("");
    ck_assert_str_eq(text, "| AB CD EA BC DE ");
    ck_assert(season_is_over(season));
    end();
}

TEST(groups_and_a_final)
{
    begin(6, "circle groups=2 pairs=1 then knockout take=2 best_of=3");
    play_all("");
    ck_assert_str_eq(text, "| byeA DE byeB CF | AE byeD BF byeC | AD byeE BC byeF | AC BD | AB ");
    ck_assert_str_eq(standing(0, 1), "1B(2) 2C(1) 3F(0) ");
    ck_assert_str_eq(standing(1, 0), "1A(2) 2B(1) 3D(0) 3C(0) ");
    ck_assert(season_is_over(season));
    end();
}

/* ------------------------------------------------------------------ what is played */

static char *units(size_t meeting)
{
    static char out[128];
    const struct season_meeting *seen = season_meeting(season, meeting);

    out[0] = '\0';
    for (int i = 0; i < seen->unit_rows; i++) {
        snprintf(out + strlen(out), sizeof out - strlen(out), "%d+%d ", (int)seen->units[i].from,
                 (int)seen->units[i].count);
    }
    return out;
}

/* Plays the legs that are due of a meeting of A and B: the winners as letters, - for none. */
static void play_as(const char *winners)
{
    static uint64_t next;

    next = *winners == '^' ? 0 : next;
    for (winners += *winners == '^'; *winners != '\0'; winners++, next++) {
        struct season_fixture fixture;
        struct season_leg leg = {.a = "A", .b = "B", .points = *winners == '-' ? 0 : 1};

        ck_assert_uint_lt(next, season_fixtures(season));
        season_fixture(&fixture, season, next);
        leg.pair = fixture.pair;
        leg.leg = fixture.leg;
        leg.winner = *winners == 'A' ? 0 : *winners == 'B' ? 1 : -1;
        season_leg(season, &leg);
    }
    follow();
}

TEST(a_best_of_five_ends_when_it_is_decided)
{
    begin(2, "knockout best_of=5");
    follow();
    ck_assert_uint_eq(season_fixtures(season), 3);
    play_as("^AB");
    ck_assert_uint_eq(season_fixtures(season), 3);
    play_as("A");
    ck_assert_uint_eq(season_fixtures(season), 4); /* 2:1, one more decides it or not */
    play_as("B");
    ck_assert_uint_eq(season_fixtures(season), 5);
    play_as("A");
    ck_assert(season_is_over(season));
    ck_assert_double_eq(season_meeting(season, 0)->meeting.score_a, 1);
    ck_assert_str_eq(units(0), "0+5 ");
    end();
}

/* 1:0 after three games, two of them without a winner. */
TEST(drawn_games_do_not_prolong_a_best_of_three)
{
    begin(2, "knockout best_of=3");
    follow();
    play_as("^A-");
    ck_assert(!season_is_over(season));
    play_as("-");
    ck_assert(season_is_over(season));
    ck_assert_double_eq(season_meeting(season, 0)->meeting.score_a, 1);
    ck_assert_uint_eq(season_fixtures(season), 3);
    end();
}

TEST(level_money_is_continued_ten_times)
{
    for (int form = 0; form < 2; form++) {
        begin(2, form == 0 ? "knockout pairs=1" : "circle pairs=1");
        follow();
        for (int i = 0; i < 11; i++) {
            ck_assert_uint_eq(season_fixtures(season), 2 * (unsigned)i + 2);
            play_as(i == 0 ? "^AB" : "BA");
        }
        ck_assert_uint_eq(season_fixtures(season), 22);
        ck_assert(season_is_over(season));
        ck_assert_double_eq(season_meeting(season, 0)->meeting.score_a, form == 0 ? 1 : 0.5);
        ck_assert(season_meeting(season, 0)->by_seed == (form == 0));
        end();
    }
}

/* All share the first place, or nobody does; by is what has split them. */
static void check_tie(int entrants, const char *by)
{
    struct season_place place[8];
    int count;

    assert_ok(season_standing(place, &count, season, 0, 0, &error));
    ck_assert_int_eq(count, entrants);
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(place[i].place, by[0] == '\0' ? 1 : i + 1);
        ck_assert(place[i].shared == (by[0] == '\0'));
        ck_assert_str_eq(place[i].tiebreak, by);
    }
}

TEST(a_play_off_names_itself_only_where_it_has_split)
{
    begin(2, "circle cycles=2 match=3 tie=playoff playoff=1");
    follow();
    play("", 1);
    follow();
    play("BA", 2); /* one each */
    follow();
    ck_assert_uint_eq(season_meetings(season), 3);
    play("", 3);
    follow();
    check_tie(2, "playoff");
    end();
}

TEST(a_shared_first_place_is_played_off)
{
    begin(3, "circle match=3 tie=playoff playoff=1");
    play_all("CA"); /* A beats B, B beats C, C beats A */
    ck_assert_str_eq(text, "| byeA BC | AC byeB | AB byeC | playoff:AB playoff:AC playoff:BC ");
    check_tie(3, ""); /* the same three results: level again */
    end();
}

/* ------------------------------------------------------------------ acts */

TEST(acts_that_are_not_allowed)
{
    begin(4, "swiss rounds=3 pairs=1");
    refused("late-enter", "bot=E", "use enter");
    desk("enter", "bot=E");
    refused("enter", "bot=E", "already an entrant");
    refused("withdraw", "bot=X", "not an entrant");
    follow();
    refused("enter", "bot=F", "late-enter");
    refused("walkover", "meeting=9 bot=A", "meetings 1 to 3");
    refused("walkover", "meeting=1 bot=E", "the winner of meeting 1");
    refused("walkover", "meeting=1 bott=A", "unknown word 'bott=A'");
    refused("reinstate", "bot=A",
            "A: it takes part; only an absent or withdrawn entrant can be reinstated");
    refused("close", "-", "not over");
    refused("sign", "signer=abc", "close comes first");
    refused("round", "stage=1 round=2", "follows from the form");
    refused("adjudicate", "meeting=3 score=1", "is a bye");
    desk("withdraw", "bot=B");
    refused("withdraw", "bot=B", "already");
    ck_assert_int_eq(act("ann@host", "withdraw", "bot=A", ""), BG_E_ARGUMENT);
    ck_assert_str_eq(error.text, "withdraw needs a reason");
    follow();
    refused("walkover", "meeting=2 bot=D", "has ended");
    end();
}

TEST(a_late_entrant_meets_everybody_in_further_rounds)
{
    begin(4, "circle match=3");
    follow();
    desk("late-enter", "bot=E");
    play_all("");
    ck_assert_str_eq(text, "| AD BC | AC DB | AB CD | AE | BE | CE | DE ");
    ck_assert_str_eq(standing(0, 0), "1A(4) 2B(3) 3C(2) 4D(1) 5E(0) ");
    refused("late-enter", "bot=F", "the stage is over");
    end();
}

TEST(decisions_change_results_until_something_was_drawn_from_them)
{
    begin(4, "knockout match=3");
    follow();
    play("", 0);
    follow(); /* A beats D, B beats C; A and B are drawn */
    refused("adjudicate", "meeting=1 score=0", "round 2 was drawn");
    desk("adjudicate", "meeting=3 score=0");
    refused("adjudicate", "meeting=3 score=0", "so already");
    refused("adjudicate", "meeting=3 score=0.5", "needs a winner");
    refused("void", "meeting=3", "replay or adjudicate");
    ck_assert_str_eq(standing(0, 0), "1B(2) 2A(1) 3C(0) 3D(0) ");
    desk("replay", "meeting=3");
    ck_assert(!season_is_over(season));
    play_all("");
    ck_assert_str_eq(standing(0, 0), "1A(2) 2B(1) 3C(0) 3D(0) ");
    refused("reinstate", "bot=C", "all meetings are over");
    refused("absent", "bot=C", "all meetings are over");
    refused("accept", "bot=C", "all meetings are over");
    refused("condition", "between=A,B cube=off", "all meetings are over");
    desk("close", "-");
    ck_assert(season_is_closed(season));
    refused("replay", "meeting=3", "allowed are note and sign");
    desk("sign", "signer=abcd");
    refused("sign", "signer=abcd", "has signed already");
    desk("note", "-");
    end();
}

TEST(a_withdrawn_entrant_loses_by_walkover_and_comes_back)
{
    begin(4, "circle match=3 cycles=2");
    follow();
    desk("withdraw", "bot=D");
    play_all(""); /* D is out of six rounds */
    ck_assert_str_eq(text,
                     "| AD BC woA | AC DB woB | AB CD woC | AD BC woA | AC DB woB | AB CD woC ");
    end();
    begin(4, "ladder match=3");
    follow();
    desk("absent", "bot=D");
    follow();
    ck_assert_int_eq(season_meeting(season, 0)->end, SEASON_VOID);
    desk("reinstate", "bot=D");
    desk("close", "-");
    play_all("");
    ck_assert(season_is_closed(season));
    end();
}

TEST(a_plain_round_robin_keeps_decisions_only)
{
    const char *seeds[] = {"A", "B"};
    struct season_setup setup = {
        .event = "cup", .seeds = seeds, .entrants = 2, .legs = 2, .pairs = 10, .length_points = 5};

    assert_ok(season_create(&season, &setup, &error));
    refused("adjudicate", "meeting=1 score=1", "has no meetings");
    refused("void", "pair=A|B|10", "is not in the event");
    desk("void", "pair=A|B|3");
    refused("void", "game=A|B|3|0|0", "void already");
    refused("replay", "pair=A|B|3", "it is not played again");
    refused("replay", "pair=A|B|4 pairs=10+1", "pairs");
    desk("replay", "pair=A|B|4");
    desk("replay", "pair=A|B|4"); /* it keeps its number */
    ck_assert_uint_eq(season_fixtures(season), 20);
    desk("late-enter", "bot=C");
    desk("condition", "between=C,A cube=off length=7");
    desk("close", "-");
    ck_assert(season_is_closed(season));
    end();
}

/* ------------------------------------------------------------------ a database */

static void set(struct store *store, const char *key, const char *value)
{
    assert_ok(store_meta_set(store, key, value, &error));
}

static void put_leg(struct store *store, const char *a, const char *b, uint64_t pair, int leg,
                    int winner)
{
    struct store_game *game = calloc(1, sizeof *game);
    struct game_id id = game_id_of_leg(a, b, pair, leg);

    ck_assert_ptr_nonnull(game);
    game->id = malloc(BG_GAME_ID);
    game_id_write(game->id, &id);
    game->a = strdup(a);
    game->b = strdup(b);
    game->pair = pair;
    game->leg = leg;
    game->winner = winner;
    game->points = 2;
    game->level = 1;
    game->end = BG_END_OFF;
    game->score_a = winner == 0;
    game->score_b = winner == 1;
    game->match_over = true;
    game->match_winner = winner;
    game->text = strdup("");
    assert_ok(store_put_game(store, game, &error));
}

static void store_rows(struct store *store)
{
    struct season_acts acts;

    assert_ok(season_follow(&acts, season, AT, &error));
    assert_ok(store_put_acts(store, acts.acts, acts.count, &error));
    free(acts.acts);
}

/* An event of two, of which one pair is voided, set aside and played again. */
TEST(a_season_is_built_from_its_database)
{
    struct store *store = scratch_store_create();
    struct season *again = NULL;
    struct act row = {.at = AT,
                      .who = "ann@host",
                      .kind = "replay",
                      .subject = "pair=A|B|0",
                      .reason = "wrong configuration"};

    begin(2, "circle pairs=1");
    set(store, "event.event", "cup");
    set(store, "event.schedule", "circle pairs=1");
    set(store, "season.seeds", "A,B");
    set(store, "event.length", "money");
    store_rows(store);
    put_leg(store, "A", "B", 0, 0, 0);
    put_leg(store, "A", "B", 0, 1, 0);
    play("", 0);
    season_seal(&row, season);
    ck_assert_str_eq(row.subject, "pair=A|B|0 pairs=1+1");
    store_rows(store); /* the result: 1 */
    season_seal(&row, season);
    assert_ok(season_take(season, &row, &error));
    assert_ok(store_put_acts(store, &row, 1, &error));
    assert_ok(set_pair_aside(store, "A|B|0", "void", AT, &error));
    put_leg(store, "A", "B", 1, 0, 1);
    put_leg(store, "A", "B", 1, 1, 1);
    play("BA", 0);
    store_rows(store); /* the result: 0 */
    for (int checked = 0; checked < 2; checked++) {
        enum bg_status status = checked ? season_load_checked(&again, store, &error)
                                        : season_load(&again, store, &error);

        ck_assert_msg(status == BG_OK, "%s", error.text);
        ck_assert_str_eq(season_head(again), season_head(season));
        ck_assert(season_is_over(again));
        ck_assert_double_eq(season_meeting(again, 0)->meeting.score_a, 0);
        season_destroy(again);
    }
    end();
    store_destroy(store);
}

static void desk_row(struct store *store, const char *kind, const char *subject)
{
    struct act row = {.at = AT, .who = "ann@host", .reason = "so decided"};

    snprintf(row.kind, sizeof row.kind, "%s", kind);
    snprintf(row.subject, sizeof row.subject, "%s", subject);
    season_seal(&row, season);
    assert_ok(season_take(season, &row, &error));
    assert_ok(store_put_acts(store, &row, 1, &error));
}

/* A walkover drops what is open, so whether a pair was played before it is not known once the pair
 * is set aside. _i: of the pair's legs 0, 1 or both (2) were played. */
TEST_LOOP(a_pair_of_a_meeting_that_ended_by_walkover_can_be_void, 0, 3)
{
    struct store *store = scratch_store_create();
    struct season *again = NULL;

    begin(2, "circle pairs=2");
    set(store, "event.event", "cup");
    set(store, "event.schedule", "circle pairs=2");
    set(store, "season.seeds", "A,B");
    set(store, "event.length", "money");
    store_rows(store);
    for (int leg = 0; leg < 2; leg++) {
        if (_i == 2 || leg == _i) {
            const struct season_leg played = {
                .a = "A", .b = "B", .pair = 1, .leg = leg, .winner = 0, .points = 2};

            put_leg(store, "A", "B", 1, leg, 0);
            season_leg(season, &played);
        }
    }
    desk_row(store, "withdraw", "bot=B");
    store_rows(store); /* the walkover */
    ck_assert_int_eq(season_meeting(season, 0)->end, SEASON_WALKOVER);
    desk_row(store, "void", "pair=A|B|1");
    assert_ok(set_pair_aside(store, "A|B|1", "void", AT, &error));
    refused("void", "pair=A|B|1", "is void already");
    for (int checked = 0; checked < 2; checked++) {
        enum bg_status status = checked ? season_load_checked(&again, store, &error)
                                        : season_load(&again, store, &error);

        ck_assert_msg(status == BG_OK, "checked %d: %s", checked, error.text);
        ck_assert_str_eq(season_head(again), season_head(season));
        for (uint64_t i = 0; i < season_fixtures(again); i++) {
            ck_assert(season_fixture_is_void(again, i));
        }
        season_destroy(again);
    }
    end();
    store_destroy(store);
}

static void places_are(const char *expected)
{
    int place[16];
    char shown[80] = "";

    assert_ok(season_places(place, season, &error));
    for (int i = 0; i < season_entrants(season); i++) {
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s%d ",
                 season_entrant(season, i)->name, place[i]);
    }
    ck_assert_str_eq(shown, expected);
}

TEST(places_of_an_event_count_the_last_stage_first)
{
    begin(4, "swiss rounds=2 pairs=1 then knockout take=2 pairs=1");
    places_are("A0 B0 C0 D0 ");
    play_all("");
    ck_assert(season_is_over(season));
    places_are("A1 B2 C3 D4 ");
    end();
    begin(4, "knockout pairs=1");
    play_all("BA");
    places_are("A2 B1 C3 D3 ");
    end();
    begin(6, "circle groups=2 pairs=1 then knockout take=2 pairs=1");
    play_all("");
    ck_assert(season_is_over(season));
    places_are("A1 B2 C3 D3 E5 F5 ");
    end();
}

/* A game may end while its meeting is decided by an act. Nobody can tell later which came first. */
TEST(a_leg_that_ends_after_a_walkover_counts_as_one_before_it)
{
    struct season_place before[2], after[2];
    int count;

    for (int late = 0; late < 2; late++) {
        const struct season_leg leg = {.a = "A", .b = "B", .winner = 0, .points = 3};

        begin(2, "circle pairs=2");
        follow();
        if (!late) {
            season_leg(season, &leg);
        }
        desk("walkover", "meeting=1 bot=B");
        if (late) {
            season_leg(season, &leg);
        }
        ck_assert_int_eq(season_meeting(season, 0)->points_a, 3);
        ck_assert(!season_fixture_is_void(season, 0));
        ck_assert(season_fixture_is_void(season, 1));
        assert_ok(season_standing(late ? after : before, &count, season, 0, 0, &error));
        end();
    }
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(before[i].entrant, after[i].entrant);
        ck_assert_int_eq(before[i].points, 0); /* a decision has no points */
        ck_assert_int_eq(after[i].points, 0);
    }
}

TEST(an_open_meeting_whose_games_are_void_waits_for_the_desk)
{
    begin(2, "circle pairs=1");
    follow();
    ck_assert(!season_meeting_is_bare(season, 0));
    desk("void", "pair=A|B|0");
    ck_assert(season_meeting_is_bare(season, 0));
    desk("replay", "meeting=1 pairs=1+1");
    ck_assert(!season_meeting_is_bare(season, 0));
    desk("void", "meeting=1");
    ck_assert(!season_meeting_is_bare(season, 0));
    end();
}
