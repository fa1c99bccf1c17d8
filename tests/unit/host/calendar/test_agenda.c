/* What a host plays when: lives of events by the clock, by acts, and through a file. */
#define _GNU_SOURCE /* open_memstream, fmemopen */
#include "calendar/agenda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utc.h"
#include "calendar/agenda_file.h"
#include "support/suite.h"

enum { HOUR_S = 3600, DAY_S = 86400 };

static struct agenda agenda, rules;

static int64_t at(const char *text)
{
    int64_t at_s = 0;

    ck_assert_int_eq(calendar_read(&at_s, text, NULL), BG_OK);
    return at_s;
}

/* An event of HOST.yaml. start: a time, "always", or "after NAME". */
static void event(const char *name, const char *start, enum calendar_repeat repeat, int needs,
                  int own_bots)
{
    struct agenda_event one = {
        .start = AGENDA_ALWAYS, .repeat = repeat, .needs = needs, .own_bots = own_bots};

    snprintf(one.name, sizeof one.name, "%s", name);
    if (strncmp(start, "after ", 6) == 0) {
        one.start = AGENDA_AFTER;
        snprintf(one.after, sizeof one.after, "%s", start + 6);
    } else if (strcmp(start, "always") != 0) {
        one.start = AGENDA_AT;
        one.at_s = at(start);
    }
    ck_assert_int_eq(agenda_add(&rules, &one, NULL), BG_OK);
}

static void take(int64_t now_s)
{
    ck_assert_int_eq(agenda_take(&agenda, &rules, now_s, NULL), BG_OK);
}

static void advance(int64_t now_s)
{
    (void)agenda_advance(&agenda, now_s);
    ck_assert(!agenda_advance(&agenda, now_s));
}

/* The agenda as one line: "cup@2027-01-16 running, league paused". */
static const char *now_is(int64_t now_s)
{
    static char text[4000];
    size_t used = 0;

    advance(now_s);
    text[0] = '\0';
    for (int i = 0; i < agenda.count; i++) {
        for (int k = 0; k < agenda.events[i].count; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", used ? ", " : "",
                                     agenda.events[i].list[k].name,
                                     life_words[agenda.events[i].list[k].life]);
        }
    }
    return text;
}

static struct instance *find(const char *name, struct agenda_event **event)
{
    struct instance *found = agenda_instance(&agenda, name, event);

    ck_assert_ptr_nonnull(found);
    return found;
}

static enum bg_status become(const char *name, enum life life, int64_t now_s)
{
    struct agenda_event *event;

    return agenda_set(find(name, &event), life, "", now_s, NULL);
}

static struct bg_error refusal; /* of enter() */

static enum bg_status enter(const char *name, const char *bot, int64_t now_s)
{
    struct agenda_event *event;
    struct instance *instance = find(name, &event);

    return agenda_enter(event, instance, bot, now_s, &refusal);
}

static void setup(void)
{
    agenda = rules = (struct agenda){.events = NULL};
}

static void teardown(void)
{
    agenda_deinit(&agenda);
    agenda_deinit(&rules);
}

/* ------------------------------------------------------------------ lives */

TEST(the_edges_are_those_of_the_contract)
{
    static const char *const edges[] = {
        "announced entering", "announced cancelled", "entering running", "entering not held",
        "entering cancelled", "running paused",      "running ended",    "running cancelled",
        "paused running",     "paused cancelled",    "ended running",    "cancelled running"};
    size_t found = 0;

    for (int from = 0; from < LIFE_STATES; from++) {
        for (int to = 0; to < LIFE_STATES; to++) {
            enum life life = (enum life)from;
            bool listed = false;
            char edge[64];

            snprintf(edge, sizeof edge, "%s %s", life_words[from], life_words[to]);
            for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
                listed = listed || strcmp(edge, edges[i]) == 0;
            }
            ck_assert_msg(life_enter(&life, (enum life)to) == listed, "%s", edge);
            ck_assert_int_eq((int)life, listed ? to : from);
            found += listed;
        }
    }
    ck_assert_uint_eq(found, sizeof edges / sizeof edges[0]);
}

TEST(an_event_begins_at_its_time_and_only_once)
{
    int64_t start_s = at("2027-01-16T12:00Z");

    event("cup", "2027-01-16T12:00Z", CALENDAR_ONCE, 2, 2);
    take(start_s - DAY_S);
    ck_assert_str_eq(now_is(start_s - DAY_S), "cup entering");
    ck_assert_int_eq(agenda_due(&agenda, start_s - DAY_S), start_s);
    ck_assert_str_eq(now_is(start_s - 1), "cup entering");
    ck_assert_str_eq(now_is(start_s), "cup running");
    ck_assert_int_eq(agenda_due(&agenda, start_s), CALENDAR_NEVER);
    ck_assert_int_eq(become("cup", LIFE_PAUSED, start_s + 1), BG_OK);
    ck_assert_int_eq(become("cup", LIFE_ENDED, start_s + 1), BG_E_ARGUMENT);
    ck_assert_str_eq(now_is(start_s + 5), "cup paused");
    ck_assert_int_eq(become("cup", LIFE_RUNNING, start_s + 6), BG_OK);
    ck_assert_int_eq(become("cup", LIFE_ENDED, start_s + 7), BG_OK);
    ck_assert_str_eq(now_is(start_s + 400 * DAY_S), "cup ended");
}

/* The dates from a month before, as one line: "cup@2027-01-16 running 01-16T12". */
static const char *dates_are(int64_t now_s)
{
    static struct agenda_date dates[AGENDA_DATES];
    static char text[4000];
    const int count = agenda_dates(dates, &agenda, now_s - 30 * (int64_t)DAY_S);
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        char begins[UTC_TEXT];

        utc_write(begins, dates[i].start_s);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s %.8s", used ? ", " : "",
                                 dates[i].name, life_words[dates[i].life], begins + 5);
    }
    return text;
}

TEST(dates_are_those_of_a_calendar_and_of_what_is_repeated_the_coming_ones)
{
    const int64_t now_s = at("2027-01-14T10:00Z");
    struct agenda_event *cup;

    event("always", "always", CALENDAR_ONCE, 2, 2);
    event("cup", "2027-01-31T12:00Z", CALENDAR_MONTHLY, 2, 2);
    event("after", "after cup", CALENDAR_ONCE, 2, 2);
    event("open", "2027-01-16T09:30Z", CALENDAR_ONCE, 2, 2);
    take(now_s);
    advance(now_s);
    ck_assert_str_eq(dates_are(now_s),
                     "cup@2027-01-31 entering 01-31T12, cup@2027-02-28 announced 02-28T12, "
                     "cup@2027-03-31 announced 03-31T12, cup@2027-04-30 announced 04-30T12, "
                     "cup@2027-05-31 announced 05-31T12, cup@2027-06-30 announced 06-30T12, "
                     "cup@2027-07-31 announced 07-31T12, cup@2027-08-31 announced 08-31T12, "
                     "open entering 01-16T09");
    ck_assert_int_eq(become("open", LIFE_CANCELLED, now_s), BG_OK);
    find("cup", &cup)->life = LIFE_ENDED;
    cup->repeat = CALENDAR_ONCE;
    ck_assert_str_eq(dates_are(now_s), "open cancelled 01-16T09");
    ck_assert_str_eq(dates_are(now_s + 40 * (int64_t)DAY_S), "");
}

TEST(an_event_with_too_few_entrants_is_not_held)
{
    int64_t start_s = at("2027-01-16T12:00Z");
    struct agenda_event *found;

    event("cup", "2027-01-16T12:00Z", CALENDAR_ONCE, 4, 2);
    take(start_s - DAY_S);
    ck_assert_str_eq(now_is(start_s - DAY_S), "cup entering");
    ck_assert_int_eq(enter("cup", "anna", start_s - 5), BG_OK);
    ck_assert_int_eq(enter("cup", "anna", start_s - 5), BG_E_ARGUMENT);
    ck_assert_str_eq(now_is(start_s), "cup not held");
    ck_assert_str_eq(find("cup", &found)->why, "entrants: 3, at least 4 were needed");
    ck_assert_int_eq(enter("cup", "bert", start_s + 1), BG_E_ARGUMENT);
}

TEST(an_event_that_always_runs_waits_for_its_entrants)
{
    int64_t now_s = at("2027-01-16T12:00Z");

    event("league", "always", CALENDAR_ONCE, 3, 2);
    take(now_s);
    ck_assert_str_eq(now_is(now_s), "league entering");
    ck_assert_str_eq(now_is(now_s + 900 * DAY_S), "league entering");
    ck_assert_int_eq(enter("league", "anna", now_s + 900 * DAY_S), BG_OK);
    ck_assert_str_eq(now_is(now_s + 900 * DAY_S), "league running");
}

TEST(entries_close_before_the_start)
{
    int64_t start_s = at("2027-01-16T12:00Z");
    struct agenda_event *found;
    struct instance *cup;

    event("cup", "2027-01-16T12:00Z", CALENDAR_WEEKLY, 2, 1);
    rules.events[0].enter_s = HOUR_S;
    take(start_s - DAY_S);
    now_is(start_s - DAY_S);
    ck_assert_int_eq(enter("cup", "anna", start_s - HOUR_S - 1), BG_OK);
    ck_assert_int_eq(enter("cup", "bert", start_s - HOUR_S), BG_E_ARGUMENT);
    ck_assert_str_eq(refusal.text,
                     "entries of cup@2027-01-16 were open until 2027-01-16T11:00:00Z");
    cup = find("cup", &found);
    ck_assert_int_eq(agenda_withdraw(found, cup, "anna", start_s - HOUR_S, NULL), BG_E_ARGUMENT);
    ck_assert_int_eq(agenda_withdraw(found, cup, "carl", start_s - HOUR_S - 1, NULL),
                     BG_E_ARGUMENT);
    ck_assert_int_eq(agenda_withdraw(found, cup, "anna", start_s - HOUR_S - 1, NULL), BG_OK);
    ck_assert_int_eq(cup->bot_count, 0);
    ck_assert_str_eq(now_is(start_s), "cup@2027-01-16 not held, cup@2027-01-23 entering");
    ck_assert_int_eq(enter("cup", "bert", start_s + 7 * DAY_S - HOUR_S - 1), BG_OK);
    ck_assert_str_eq(now_is(start_s + 7 * DAY_S), "cup@2027-01-16 not held, cup@2027-01-23 "
                                                  "running, cup@2027-01-30 announced");
}

TEST(repeats_that_have_passed_are_not_made_up_for)
{
    int64_t start_s = at("2027-01-16T12:00Z");

    event("cup", "2027-01-16T12:00Z", CALENDAR_WEEKLY, 2, 2);
    take(start_s - 1);
    ck_assert_str_eq(now_is(start_s), "cup@2027-01-16 running, cup@2027-01-23 announced");
    /* it takes more than three weeks, or the host was down */
    ck_assert_str_eq(now_is(start_s + 22 * DAY_S),
                     "cup@2027-01-16 running, cup@2027-01-23 announced");
    ck_assert_int_eq(enter("cup@2027-01-23", "anna", start_s + DAY_S), BG_E_ARGUMENT);
    ck_assert_str_eq(refusal.text, "cup@2027-01-23 is announced; bots are entered and withdrawn "
                                   "when the instance before it is over");
    ck_assert_int_eq(become("cup", LIFE_ENDED, start_s + 22 * DAY_S), BG_OK);
    ck_assert_str_eq(now_is(start_s + 22 * DAY_S),
                     "cup@2027-01-16 ended, cup@2027-01-23 not held, cup@2027-02-06 running, "
                     "cup@2027-02-13 announced");
}

TEST(repeats_before_the_host_knew_the_event_are_passed_over)
{
    int64_t start_s = at("2027-01-16T12:00Z");

    event("cup", "2027-01-16T12:00Z", CALENDAR_DAILY, 2, 2);
    take(start_s + 10 * DAY_S + 1);
    ck_assert_str_eq(now_is(start_s + 10 * DAY_S + 1), "cup@2027-01-27 entering");
}

static void end(const char *name, int64_t now_s)
{
    struct agenda_event *of;

    ck_assert_int_eq(agenda_set(find(name, &of), LIFE_ENDED, "", now_s, NULL), BG_OK);
}

TEST(a_clock_that_was_wrong_for_a_while_takes_no_later_start)
{
    const char *true_time = "2027-01-05T12:00Z";
    struct agenda_event *of;

    event("cup", "2027-01-02T12:00Z", CALENDAR_WEEKLY, 1, 1);
    event("final", "after cup", CALENDAR_ONCE, 1, 1);
    take(at("2027-01-01T00:00Z"));
    advance(at("2027-01-02T12:00Z"));
    end("cup", at("2027-01-02T13:00Z"));
    advance(at("2027-01-02T13:00Z"));
    end("final@2027-01-02", at("2027-01-02T14:00Z"));
    /* a year too late for an hour */
    advance(at("2028-01-05T12:00Z"));
    end("cup@2028-01-01", at("2028-01-05T12:10Z"));
    advance(at("2028-01-05T12:10Z"));
    end("final@2027-01-09", at("2028-01-05T12:20Z"));
    advance(at("2028-01-05T12:20Z"));
    ck_assert_str_eq(find("cup", &of)->name, "cup@2028-01-08");
    ck_assert_int_eq(agenda_enter(of, find("cup", &of), "random", at("2028-01-05T12:30Z"), NULL),
                     BG_OK);
    advance(at(true_time));
    ck_assert_str_eq(find("cup", &of)->name, "cup@2027-01-16"); /* the 9th is not held */
    ck_assert_int_eq(find("cup", &of)->bot_count, 1);
    ck_assert_int_eq((int)agenda_due(&agenda, at(true_time)), (int)at("2027-01-16T12:00Z"));
    /* each day once, over the one that was held too early */
    for (int64_t now_s = at("2027-01-16T12:00Z"); now_s < at("2028-01-21T00:00Z"); now_s += DAY_S) {
        advance(now_s);
        for (int i = 0; i < agenda.count; i++) {
            for (int k = 0; k < agenda.events[i].count; k++) {
                (void)agenda_set(&agenda.events[i].list[k], LIFE_ENDED, "", now_s, NULL);
            }
        }
        advance(now_s);
    }
    for (int i = 0; i < agenda.count; i++) {
        ck_assert_int_eq(agenda.events[i].count, 56); /* 55 weeks, and what is announced */
        for (int k = 0; k < agenda.events[i].count; k++) {
            for (int m = 0; m < k; m++) {
                ck_assert_str_ne(agenda.events[i].list[m].name, agenda.events[i].list[k].name);
            }
        }
    }
    ck_assert_str_eq(find("cup", &of)->name, "cup@2028-01-22");
}

TEST(a_clock_that_is_too_early_for_a_while_moves_nothing)
{
    struct agenda_event *of;

    event("cup", "2027-01-02T12:00Z", CALENDAR_DAILY, 1, 1);
    take(at("2027-01-01T00:00Z"));
    advance(at("2027-01-02T12:00Z"));
    end("cup", at("2027-01-02T13:00Z"));
    advance(at("2027-01-05T13:00Z")); /* the host was down for two days */
    end("cup@2027-01-05", at("2027-01-05T14:00Z"));
    advance(at("2027-01-05T14:00Z"));
    ck_assert_int_eq(
        agenda_enter(of = agenda.events, find("cup", &of), "random", at("2027-01-05T14:00Z"), NULL),
        BG_OK);
    for (int years = 1; years < 50; years += 10) {
        advance(at("2027-01-05T15:00Z") - years * INT64_C(365) * DAY_S);
        ck_assert_str_eq(find("cup", &of)->name, "cup@2027-01-06");
    }
    advance(at("2027-01-05T16:00Z"));
    ck_assert_str_eq(find("cup", &of)->name, "cup@2027-01-06");
    ck_assert_int_eq(find("cup", &of)->bot_count, 1);
}

TEST(an_event_follows_another_however_that_ended)
{
    static const enum life ends[] = {LIFE_ENDED, LIFE_CANCELLED};
    int64_t now_s = at("2027-01-16T12:00Z");

    for (int i = 0; i < 2; i++) {
        setup();
        event("final", "after cup", CALENDAR_ONCE, 2, 2);
        event("cup", "2027-01-16T12:00Z", CALENDAR_ONCE, 2, 2);
        take(now_s - 5);
        ck_assert_str_eq(now_is(now_s - 5), "final entering, cup entering");
        ck_assert_str_eq(now_is(now_s), "final entering, cup running");
        ck_assert_int_eq(become("cup", ends[i], now_s + 9), BG_OK);
        now_is(now_s + 9);
        ck_assert_str_eq(strtok(strdupa(now_is(now_s + 9)), ","), "final running");
        teardown();
    }
    setup();
}

TEST(an_event_after_a_repeated_one_is_repeated)
{
    int64_t start_s = at("2027-01-31T12:00Z");

    event("cup", "2027-01-31T12:00Z", CALENDAR_MONTHLY, 2, 2);
    event("final", "after cup", CALENDAR_ONCE, 2, 2);
    take(start_s - 5);
    ck_assert_str_eq(now_is(start_s - 5), "cup@2027-01-31 entering, final@2027-01-31 entering");
    now_is(start_s);
    ck_assert_int_eq(become("cup", LIFE_ENDED, start_s + 9), BG_OK);
    ck_assert_str_eq(now_is(start_s + 9),
                     "cup@2027-01-31 ended, cup@2027-02-28 entering, final@2027-01-31 running, "
                     "final@2027-02-28 announced");
    ck_assert_int_eq(become("final", LIFE_ENDED, start_s + 10), BG_OK);
    ck_assert_str_eq(now_is(start_s + 10),
                     "cup@2027-01-31 ended, cup@2027-02-28 entering, final@2027-01-31 ended, "
                     "final@2027-02-28 entering");
    ck_assert_int_eq(become("cup@2027-02-28", LIFE_CANCELLED, start_s + 11), BG_OK);
    ck_assert_str_eq(now_is(start_s + 11),
                     "cup@2027-01-31 ended, cup@2027-02-28 cancelled, cup@2027-03-31 entering, "
                     "final@2027-01-31 ended, final@2027-02-28 running, "
                     "final@2027-03-31 announced");
}

static enum bg_status reopen(const char *name, int64_t now_s, struct bg_error *err)
{
    struct agenda_event *event;
    struct instance *instance = find(name, &event);

    return agenda_reopen(event, instance, "anna is back", now_s, err);
}

TEST(an_ended_instance_is_reopened_and_what_followed_it_does_not_begin_twice)
{
    int64_t start_s = at("2027-01-31T12:00Z"), second_s = at("2027-02-28T12:00Z");

    event("cup", "2027-01-31T12:00Z", CALENDAR_MONTHLY, 2, 2);
    event("final", "after cup", CALENDAR_ONCE, 2, 2);
    take(start_s - 5);
    now_is(start_s);
    ck_assert_int_eq(reopen("cup", start_s, &error), BG_E_ARGUMENT);
    ck_assert_str_eq(error.text, "cup@2027-01-31 is running; only an event that has ended or was "
                                 "cancelled is reopened");
    ck_assert_int_eq(become("cup", LIFE_ENDED, start_s + 9), BG_OK);
    now_is(start_s + 9);
    ck_assert_int_eq(become("final", LIFE_ENDED, start_s + 10), BG_OK);
    assert_ok(reopen("cup@2027-01-31", start_s + 11, &error));
    ck_assert_str_eq(now_is(start_s + 11),
                     "cup@2027-01-31 running, cup@2027-02-28 entering, final@2027-01-31 ended, "
                     "final@2027-02-28 entering");
    ck_assert_str_eq(now_is(second_s), /* the next one waits for it */
                     "cup@2027-01-31 running, cup@2027-02-28 entering, final@2027-01-31 ended, "
                     "final@2027-02-28 entering");
    ck_assert_int_eq(become("cup", LIFE_ENDED, second_s + 1), BG_OK);
    ck_assert_str_eq(now_is(second_s + 1),
                     "cup@2027-01-31 ended, cup@2027-02-28 running, cup@2027-03-31 announced, "
                     "final@2027-01-31 ended, final@2027-02-28 entering");
    ck_assert_int_eq(reopen("cup@2027-01-31", second_s + 2, &error), BG_E_ARGUMENT);
    ck_assert_str_eq(error.text, "cup@2027-02-28 is running, and an event plays one instance at a "
                                 "time; reopen cup@2027-01-31 when that is over");
    ck_assert_int_eq(become("cup", LIFE_CANCELLED, second_s + 3), BG_OK);
    assert_ok(reopen("cup@2027-02-28", second_s + 4, &error)); /* a mistake */
    ck_assert_int_eq(become("cup", LIFE_CANCELLED, second_s + 5), BG_OK);
    agenda.events[0].gone = true;
    ck_assert_int_eq(reopen("cup@2027-01-31", second_s + 6, &error), BG_E_ARGUMENT);
}

/* A new event each day, for years: the file has it as long as it runs. */
TEST(events_that_are_gone_and_over_are_forgotten_when_there_are_too_many)
{
    int64_t now_s = at("2027-01-01T00:00Z");
    char name[16];

    for (int day = 0; day < 3 * AGENDA_EVENTS; day++, now_s += DAY_S) {
        agenda_deinit(&rules);
        snprintf(name, sizeof name, "cup%d", day);
        event("league", "always", CALENDAR_ONCE, 2, 2);
        event(name, "always", CALENDAR_ONCE, 2, 2);
        take(now_s);
        advance(now_s);
        if (day > 0) { /* the one of yesterday */
            snprintf(name, sizeof name, "cup%d", day - 1);
            end(name, now_s);
        }
        ck_assert_int_le(agenda.count, AGENDA_EVENTS);
    }
    ck_assert_ptr_nonnull(agenda_find(&agenda, "league"));
    ck_assert_ptr_nonnull(agenda_find(&agenda, name));
    ck_assert_ptr_null(agenda_find(&agenda, "cup0"));
    /* running or just over: nothing is forgotten */
    agenda_deinit(&rules);
    for (int i = 0; i < AGENDA_EVENTS; i++) {
        snprintf(name, sizeof name, "new%d", i);
        event(name, "always", CALENDAR_ONCE, 2, 2);
    }
    ck_assert_int_eq(agenda_take(&agenda, &rules, now_s, &error), BG_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "cancel those that run"));
    ck_assert_int_eq(agenda.count, AGENDA_EVENTS);
    end("league", now_s);
    end("cup191", now_s);
    ck_assert_int_eq(agenda_take(&agenda, &rules, now_s + DAY_S, &error), BG_E_ARGUMENT);
    take(now_s + DAY_S + 1);
    ck_assert_int_eq(agenda.count, AGENDA_EVENTS);
    ck_assert_ptr_null(agenda_find(&agenda, "league"));
    ck_assert_ptr_nonnull(agenda_find(&agenda, "new63"));
}

TEST(a_changed_file_moves_what_has_not_begun_and_leaves_what_is_on)
{
    int64_t start_s = at("2027-01-16T12:00Z");

    event("cup", "2027-01-16T12:00Z", CALENDAR_WEEKLY, 2, 2);
    event("league", "always", CALENDAR_ONCE, 2, 2);
    take(start_s - DAY_S);
    now_is(start_s - DAY_S);
    ck_assert_int_eq(enter("cup", "anna", start_s - DAY_S), BG_OK);
    agenda_deinit(&rules);
    event("cup", "2027-01-17T12:00Z", CALENDAR_WEEKLY, 2, 2);
    take(start_s - 5);
    ck_assert_str_eq(now_is(start_s), "cup@2027-01-17 entering, league running");
    ck_assert_int_eq(agenda.events[0].list[0].bot_count, 1);
    ck_assert(agenda.events[1].gone);
    ck_assert_str_eq(now_is(start_s + DAY_S),
                     "cup@2027-01-17 running, cup@2027-01-24 announced, league running");
    /* the same day again would be the same name */
    ck_assert_int_eq(become("cup", LIFE_ENDED, start_s + DAY_S + 1), BG_OK);
    agenda_deinit(&rules);
    event("cup", "2027-01-17T18:00Z", CALENDAR_DAILY, 2, 2);
    take(start_s + DAY_S + 2);
    ck_assert_str_eq(now_is(start_s + DAY_S + 2),
                     "cup@2027-01-17 ended, cup@2027-01-18 entering, league running");
    agenda_deinit(&rules);
    take(start_s + 2 * DAY_S);
    ck_assert_str_eq(now_is(start_s + 5 * DAY_S),
                     "cup@2027-01-17 ended, cup@2027-01-18 entering, league running");
}

/* ------------------------------------------------------------------ the file */

static char *written(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    agenda_write(out, &agenda);
    fclose(out);
    return text;
}

static enum bg_status read_text(const char *text, struct bg_error *err)
{
    struct agenda read;
    FILE *in = fmemopen(strdupa(text), strlen(text), "r");
    enum bg_status status = agenda_read(&read, in, "state", err);

    fclose(in);
    if (status == BG_OK) {
        agenda_deinit(&agenda);
        agenda = read;
    }
    return status;
}

/* The host is killed and started again: only the file and HOST.yaml remain. */
static void restart(int64_t now_s)
{
    char *text = written(), *again;

    ck_assert_int_eq(read_text(text, NULL), BG_OK);
    take(now_s);
    again = written();
    ck_assert_str_eq(text, again);
    free(again);
    free(text);
}

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return *state >> 33;
}

/* The same random acts and times, with restarts and without, give the same states. */
/* A paused event is resumed, one that has ended is reopened. */
static enum bg_status go_on(const char *name, int64_t now_s)
{
    struct agenda_event *event;

    return find(name, &event)->life == LIFE_PAUSED ? become(name, LIFE_RUNNING, now_s)
                                                   : reopen(name, now_s, &error);
}

TEST(a_restart_changes_nothing)
{
    static const char *const names[] = {"cup", "final", "league", "open"};
    char *text[2];

    for (uint64_t seed = 1; seed <= 60; seed++) {
        for (int restarts = 0; restarts < 2; restarts++) {
            int64_t now_s = at("2027-01-30T00:00Z");
            uint64_t state = seed;
            int acts = 0;

            setup();
            event("cup", "2027-01-31T12:00Z", (enum calendar_repeat)(seed % 4), 3, 2);
            event("final", "after cup", CALENDAR_ONCE, 2, 2);
            event("league", "always", CALENDAR_ONCE, 3, 2);
            event("open", "2027-02-01T00:00Z", CALENDAR_DAILY, 2, 1);
            rules.events[3].enter_s = HOUR_S;
            take(now_s);
            for (int step = 0; step < 300; step++) {
                const char *name = names[draw(&state) % 4];
                uint64_t act = draw(&state) % 8;
                char bot[8];

                now_s += (int64_t)(draw(&state) % (3 * DAY_S / 2));
                snprintf(bot, sizeof bot, "b%d", (int)(draw(&state) % 5));
                advance(now_s);
                acts += (act < 4    ? enter(name, bot, now_s)
                         : act == 5 ? go_on(name, now_s)
                                    : become(name,
                                             act == 4   ? LIFE_PAUSED
                                             : act == 6 ? LIFE_ENDED
                                                        : LIFE_CANCELLED,
                                             now_s)) == BG_OK;
                if (restarts && draw(&state) % 3 == 0) {
                    restart(now_s);
                } else if (!restarts) {
                    draw(&state);
                }
            }
            ck_assert_int_gt(acts, 20);
            text[restarts] = written();
            teardown();
        }
        ck_assert_str_eq(text[0], text[1]);
        free(text[0]);
        free(text[1]);
    }
    setup();
}

TEST(a_wrong_state_is_refused_with_its_line)
{
    static const char *const rows[] = {
        "another-file 1\n",
        "bgref-host-state 1\nevent\tcup\n",
        "bgref-host-state 1\nevent\tcup\t-1\n",
        "bgref-host-state 1\nevent\tcup\t1\nevent\tcup\t1\n",
        "bgref-host-state 1\ninstance\tcup\trunning\t1\t1\t\t\n",
        "bgref-host-state 1\nevent\tcup\t1\ninstance\tcup\trunning\t1\t1\t\n",
        "bgref-host-state 1\nevent\tcup\t1\ninstance\tcup\tdancing\t1\t1\t\t\n",
        "bgref-host-state 1\nevent\tcup\t1\ninstance\tcup\trunning\t1\t1\ta b\t\n",
        "bgref-host-state 1\nevent\tcup\t1\nreopened\tcup\n",
        "bgref-host-state 1\nevent\tcup\t1\ninstance\tcup\tended\t1\t1\t\t\nreopened\tcup\n",
        "bgref-host-state 1\nevent\tcup\t1\ninstance\tcup\trunning\t1\t1\t\t\nreopened\tfinal\n",
        "bgref-host-state 1\nnonsense\n"};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        error.text[0] = '\0';
        ck_assert_msg(read_text(rows[i], &error) == BG_E_FORMAT, "%s", rows[i]);
        ck_assert_msg(strncmp(error.text, "state:", 6) == 0, "%s", error.text);
    }
    ck_assert_int_eq(agenda.count, 0);
}

SUITE_FIXTURE(setup, teardown)
