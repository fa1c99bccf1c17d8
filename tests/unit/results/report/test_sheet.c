/* What is published of an event: each part on a season made by hand, in every form of output. */
#define _GNU_SOURCE
#include "support/suite.h"

#include <report/sheet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { ACTS = 2000, BOTS = 40 };

static struct season *season;
static struct plan plan;
static struct act journal[ACTS];
static struct sheet_entry entries[BOTS];
static char names[BOTS][PLAN_NAME];
static int clock_s;

/* Every act is a minute later than the one before. */
static const char *now(void)
{
    static char at[ACT_AT];

    snprintf(at, sizeof at, "2026-11-22T%02d:%02d:00Z", 8 + clock_s / 60, clock_s % 60);
    return at;
}

static void take(const struct act *act)
{
    uint64_t number = season_acts_taken(season);

    ck_assert_msg(season_take(season, act, &error) == BG_OK, "%s %s: %s", act->kind, act->subject,
                  error.text);
    ck_assert_uint_lt(number, ACTS);
    journal[number] = *act;
}

/* Begins an event of n bots "ann", "bob", ... (by letter) with this schedule. */
static void begin(int n, const char *schedule)
{
    static const char *const known[] = {"ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal"};
    static const char *seeds[BOTS];
    struct season_setup setup = {.event = "cup", .seeds = seeds, .entrants = n, .legs = 2};

    for (int i = 0; i < n; i++) {
        if (i < 8) {
            snprintf(names[i], sizeof names[i], "%s", known[i]);
        } else {
            snprintf(names[i], sizeof names[i], "zz%02d", i);
        }
        seeds[i] = names[i];
    }
    memset(entries, 0, sizeof entries);
    clock_s = 0;
    assert_ok(plan_read(&plan, schedule, 1, &error));
    setup.plan = plan;
    assert_ok(season_create(&season, &setup, &error));
}

static void end(void)
{
    season_destroy(season);
    season = NULL;
}

static void desk(const char *kind, const char *subject, const char *reason)
{
    struct act act = {.who = "tom@desk"};

    clock_s++;
    snprintf(act.at, sizeof act.at, "%s", now());
    snprintf(act.kind, sizeof act.kind, "%s", kind);
    snprintf(act.subject, sizeof act.subject, "%s", subject);
    snprintf(act.reason, sizeof act.reason, "%s", reason);
    season_seal(&act, season);
    take(&act);
}

static void follow(void)
{
    struct season_acts acts;

    clock_s++;
    assert_ok(season_follow(&acts, season, now(), &error));
    free(acts.acts);
}

/* Plays the open legs; the earlier name wins 2 points, except in this meeting (0: none). */
static void play(uint64_t upset)
{
    for (uint64_t i = 0; i < season_fixtures(season); i++) {
        struct season_fixture fixture;
        struct season_leg leg;

        season_fixture(&fixture, season, i);
        if (season_fixture_is_void(season, i)) {
            continue;
        }
        leg = (struct season_leg){.a = season_entrant(season, fixture.a)->name,
                                  .b = season_entrant(season, fixture.b)->name,
                                  .pair = fixture.pair,
                                  .leg = fixture.leg,
                                  .winner = fixture.meeting == upset,
                                  .points = 2};
        season_leg(season, &leg);
    }
    follow();
}

static void play_all(void)
{
    uint64_t before;

    follow();
    do {
        before = season_acts_taken(season);
        play(0);
    } while (season_acts_taken(season) > before);
}

typedef enum bg_status (*form_fn)(FILE *out, const struct doc *doc, struct bg_error *err);

/* A part as text; the caller frees it. */
static char *part_as(void (*part)(struct sheet *sheet), form_fn form)
{
    struct season *lent = season_clone(season);
    struct sheet sheet = {.doc = doc_create("cup"),
                          .season = lent,
                          .plan = &plan,
                          .act = journal,
                          .acts = season_acts_taken(season),
                          .entry = entries,
                          .err = &error};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    part(&sheet);
    season_destroy(lent); /* the document must not need it any more */
    ck_assert_msg(sheet.status == BG_OK, "%s", error.text);
    assert_ok(form(out, sheet.doc, &error));
    fclose(out);
    doc_destroy(sheet.doc);
    return text;
}

static int columns_of(const char *line, size_t size)
{
    int columns = 0;

    for (size_t i = 0; i < size; i++) {
        columns += ((unsigned char)line[i] & 0xc0) != 0x80;
    }
    return columns;
}

/* Checks that every form of the part can be written, and that no line of text is too long. */
static void check_forms(void (*part)(struct sheet *sheet))
{
    static const form_fn forms[] = {document_html, document_json, document_csv};
    char *text = part_as(part, document_plain);

    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        ck_assert_msg(columns_of(line, strcspn(line, "\n")) <= 80, "%.*s", (int)strcspn(line, "\n"),
                      line);
    }
    ck_assert_ptr_null(strstr(text, "nan"));
    free(text);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        text = part_as(part, forms[i]);
        ck_assert_ptr_null(strstr(text, "nan"));
        free(text);
    }
}

static void has(void (*part)(struct sheet *sheet), form_fn form, const char *words)
{
    char *text = part_as(part, form);

    ck_assert_msg(strstr(text, words) != NULL, "'%s' is missing in\n%s", words, text);
    free(text);
}

/* ------------------------------------------------------------------------------- the parts */

/* Five bots: a bye, a walkover, a decision, and a withdrawn bot. */
static void make_swiss(void)
{
    begin(5, "swiss rounds=3 pairs=1");
    desk("condition", "between=bob,dan cube=off", "agreed by both");
    follow();
    desk("walkover", "meeting=1 bot=ann", "cid did not start");
    play(0);
    desk("adjudicate", "meeting=4 score=0.5", "the host failed");
    play(0);
    play(0);
    desk("close", "-", "");
}

TEST(draw_sheet)
{
    make_swiss();
    has(sheet_draw, document_csv,
        "meeting,stage,group,part,round,line,a,b,outcome,how,winner,points_a,points_b,pairs,"
        "condition,paired_at,at\r\n"
        "1,1,1,main,1,1,ann,cid,1\u20130,walkover,ann,0,0,0+1,,2026-11-22T08:02:00Z,2026-11-22T08:"
        "03:00Z\r\n");
    has(sheet_draw, document_csv, "main,1,3,eve,,1,bye,eve,0,0,,,");
    has(sheet_draw, document_csv, "bob,dan,1\u20130,,bob,4,0,0+1,cube=off,");
    has(sheet_draw, document_csv, "\u00bd\u2013\u00bd,by decision,,0,0,");
    has(sheet_draw, document_plain, "walkover");
    has(sheet_draw, document_plain, "4:0");
    check_forms(sheet_draw);
    end();
}

TEST(the_draw_names_who_is_not_paired_and_who_meets_again)
{
    begin(4, "swiss rounds=3 pairs=1");
    follow();
    play(0);
    desk("absent", "bot=cid", "its machine is down");
    desk("absent", "bot=dan", "its machine is down");
    play(0);
    has(sheet_draw, document_plain, "Round 2, paired 2026-11-22 08:02 UTC\n");
    has(sheet_draw, document_plain,
        "Round 3, paired 2026-11-22 08:05 UTC; not paired: cid, dan; have met before: ann\nand "
        "bob");
    check_forms(sheet_draw);
    end();
}

TEST(byes_count_where_a_swiss_has_them)
{
    begin(5, "circle pairs=1");
    follow();
    has(sheet_standing, document_plain, "Walkovers and results by decision count in the score");
    end();
    begin(5, "swiss rounds=2 pairs=1");
    follow();
    has(sheet_standing, document_plain, "Byes of a Swiss, walkovers and results by decision count");
    end();
}

TEST(match_list_is_ordered_by_end)
{
    char *text;

    make_swiss();
    text = part_as(sheet_matches, document_csv);
    ck_assert_ptr_null(strstr(text, ",bye,"));
    ck_assert_ptr_nonnull(strstr(text, "2026-11-22T08:03:00Z\r\n2,1,1,main,1,2,bob,dan"));
    free(text);
    check_forms(sheet_matches);
    end();
}

TEST(standing_counts_byes_walkovers_and_decisions)
{
    make_swiss();
    has(sheet_standing, document_csv,
        "stage,group,rank,shared,bot,score,meetings,won,drawn,lost,byes,walkovers,by_decision,"
        "points,buchholz,sonneborn,rating,tiebreak\r\n");
    has(sheet_standing, document_plain, "Walkovers");
    has(sheet_standing, document_json, "\"phase\":\"closed\",\"open_meetings\":0");
    has(sheet_standing, document_json, "\"schedule\":\"swiss pairs=1 rounds=3\"");
    check_forms(sheet_standing);
    end();
}

static void has_lead(const char *expected)
{
    struct doc *doc = doc_create("cup");

    ck_assert_str_eq(sheet_lead(doc, season), expected);
    doc_destroy(doc);
}

TEST(the_lead_says_how_far_it_is_and_who_is_first)
{
    begin(4, "swiss pairs=1 rounds=2");
    has_lead("4 entrants, 0 of 0 meetings over.");
    follow();
    has_lead("4 entrants, 0 of 2 meetings over.");
    play(0);
    has_lead("In the lead: 2 are level. 4 entrants, 2 of 4 meetings over.");
    play_all();
    has_lead("Champion: ann, first of the swiss. 4 entrants, 4 of 4 meetings over.");
    end();
    begin(4, "circle pairs=1 then knockout take=2 best_of=3");
    play_all();
    has_lead("Champion: ann, winner of the final against bob, 4\u20130. 4 entrants, 7 of 7 "
             "meetings over.");
    end();
}

TEST(the_lead_says_how_the_final_was_decided)
{
    begin(4, "knockout best_of=1");
    follow();
    play(0);
    desk("adjudicate", "meeting=3 score=0", "the host failed");
    play_all();
    has_lead("Champion: bob, winner of the final against ann by decision of the desk. "
             "4 entrants, 3 of 3 meetings over.");
    end();
    begin(4, "knockout best_of=1");
    follow();
    play(0);
    desk("walkover", "meeting=3 bot=bob", "ann did not come");
    play_all();
    has_lead("Champion: bob, winner of the final against ann by walkover. "
             "4 entrants, 3 of 3 meetings over.");
    end();
}

TEST(crosstable_marks_what_was_not_played)
{
    begin(4, "circle pairs=1");
    follow();
    desk("walkover", "meeting=1 bot=dan", "ann did not start");
    play(0);
    desk("adjudicate", "meeting=3 score=0.5", "the host failed");
    play_all();
    has(sheet_crosstable, document_plain, "1 w/o");
    has(sheet_crosstable, document_plain, "\u00bd dec");
    has(sheet_crosstable, document_csv, "1,1,dan,ann,1,1,1,0\r\n");
    has(sheet_crosstable, document_html, "w/o: walkover");
    check_forms(sheet_crosstable);
    end();
}

TEST(crosstables_of_groups_are_apart)
{
    char *text;

    begin(8, "circle groups=2 pairs=1 then knockout take=2 best_of=1");
    play_all();
    text = part_as(sheet_crosstable, document_plain);
    ck_assert_ptr_nonnull(strstr(text, "group 1"));
    ck_assert_ptr_nonnull(strstr(text, "group 2"));
    free(text);
    has(sheet_standing, document_plain, "1 circle, group 2");
    has(sheet_standing, document_plain, "2 knockout");
    has(sheet_bracket, document_plain, "Bracket: 2 knockout");
    check_forms(sheet_crosstable);
    check_forms(sheet_standing);
    end();
}

TEST(bracket_of_six_is_drawn)
{
    static const char drawing[] = "ann bye \u2500";
    char *text;

    begin(6, "knockout best_of=1 third_place=yes");
    follow();
    play(3); /* an upset */
    play_all();
    text = part_as(sheet_bracket, document_plain);
    ck_assert_msg(strstr(text, drawing) != NULL, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "Third place"));
    free(text);
    has(sheet_bracket, document_html, "<svg class=\"tree\" role=\"img\"");
    has(sheet_bracket, document_html, "<text class=\"won\"");
    check_forms(sheet_bracket);
    end();
}

/* Each place of a drawn bracket: character by character. */
TEST(a_small_bracket_character_by_character)
{
    char *text;

    begin(4, "knockout best_of=1");
    play_all();
    text = part_as(sheet_bracket, document_plain);
    ck_assert_msg(strstr(text, "ann 2 "
                               "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
                               "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2510\n"
                               "                         \u251cann 2 "
                               "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
                               "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2510\n") != NULL,
                  "%s", text);
    free(text);
    end();
}

TEST(double_elimination_has_a_losers_bracket)
{
    begin(6, "double-elimination best_of=1");
    play_all();
    has(sheet_bracket, document_plain, "Winners' bracket");
    has(sheet_bracket, document_plain, "Losers' bracket and final");
    has(sheet_bracket, document_plain, "losers 4");
    has(sheet_bracket, document_csv, ",final,1,1,");
    check_forms(sheet_bracket);
    end();
}

TEST(large_brackets_fit_a_terminal)
{
    begin(33, "knockout best_of=1");
    play_all();
    check_forms(sheet_bracket);
    end();
}

TEST(ladder_history_follows_each_result)
{
    begin(4, "ladder best_of=1 meetings=4");
    follow();
    for (int i = 1; i <= 4; i++) {
        play((uint64_t)i == 1 ? 1 : 0);
    }
    has(sheet_ladder, document_csv,
        "stage,meeting,at,challenger,opponent,outcome,how,place_before,place_after,order\r\n1,1,");
    check_forms(sheet_ladder);
    end();
}

/* The order after the last challenge is the standing. */
TEST(ladder_history_ends_in_the_standing)
{
    char order[200] = "", *text;
    struct season_place places[BOTS];
    int count;

    begin(6, "ladder best_of=1 meetings=9");
    follow();
    for (uint64_t i = 1; i <= 12; i++) {
        play(i % 2 == 1 ? i : 0);
    }
    assert_ok(season_standing(places, &count, season, 0, 0, &error));
    for (int i = 0; i < count; i++) {
        snprintf(order + strlen(order), sizeof order - strlen(order), "%s%s", i > 0 ? " " : "",
                 season_entrant(season, places[i].entrant)->name);
    }
    strcat(order, "\r\n");
    text = part_as(sheet_ladder, document_csv);
    ck_assert_uint_gt(strlen(text), strlen(order));
    ck_assert_str_eq(text + strlen(text) - strlen(order), order);
    free(text);
    end();
}

TEST(entries_show_what_was_declared)
{
    static char author[] = "Anne\nAnn <b>", said[] = "Eve",
                digest[] = "0123456789abcdef0123456789abcdef", version[] = "ann 2";

    begin(3, "circle pairs=1");
    entries[0] = (struct sheet_entry){
        .author = author, .said_author = said, .program = digest, .version = version};
    follow();
    desk("late-enter", "bot=zoe", "a late entry");
    desk("withdraw", "bot=bob", "the author asked for it");
    follow();
    has(sheet_entries, document_csv,
        "ann,entered,false,Ann <b>,-,-,Eve,ann 2,0123456789abcdef\r\n");
    has(sheet_entries, document_csv, "bob,withdrawn,false,-,-,-,-,-,-\r\n");
    has(sheet_entries, document_csv, "zoe,entered late,true,");
    has(sheet_entries, document_html, "Ann &lt;b&gt;");
    has(sheet_entries, document_plain, "ann: author, changed during the event; before: Anne");
    has(sheet_entries, document_plain,
        "the entry list has the author Ann <b>, its program names Eve");
    check_forms(sheet_entries);
    end();
}

TEST(decisions_have_their_reasons)
{
    char *text;

    make_swiss();
    has(sheet_decisions, document_csv,
        "2026-11-22T08:03:00Z,tom@desk,walkover,meeting=1 bot=ann,cid did not start\r\n");
    text = part_as(sheet_decisions, document_csv);
    ck_assert_ptr_null(strstr(text, "fixture"));
    free(text);
    check_forms(sheet_decisions);
    end();
}

TEST(empty_parts_add_nothing)
{
    begin(3, "circle pairs=1");
    has(sheet_draw, document_json, "\"tables\":{}");
    has(sheet_matches, document_json, "\"tables\":{}");
    has(sheet_bracket, document_json, "\"tables\":{}");
    has(sheet_ladder, document_json, "\"tables\":{}");
    has(sheet_decisions, document_json, "\"tables\":{}");
    end();
}

TEST(parts_are_found_by_name)
{
    const char *near = NULL;

    ck_assert(sheet_part_find("draw", &near)->build == sheet_draw);
    ck_assert_ptr_null(sheet_part_find("bracked", &near));
    ck_assert_str_eq(near, "bracket");
}
