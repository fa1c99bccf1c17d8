/* The faults that bots are charged with, and the consequences. Ledger, feed, display, entrants and
 * sessions are doubles that log their calls. */
#include "event/offences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seat/last_words.h"
#include "base/exit_status.h"
#include "fixtures/absence.h"
#include "support/suite.h"

static char calls[400];
static int stopped; /* exit status, 0: not stopped */
static char stop_text[400];
static int earlier_faults[2];
static int changed_bot = -1;
static bool gives_up; /* entrants_give_up */
static int failed_starts;
static enum bg_status put_status;
static struct store_fault *kept; /* the last one */

static void called(const char *name, int number)
{
    size_t used = strlen(calls);

    snprintf(calls + used, sizeof calls - used, "%s%s %d", used > 0 ? ", " : "", name, number);
}

/* ------------------------------------------------------------------------- doubles */

static enum bg_status put(struct store *store, struct store_item *item, struct bg_error *err)
{
    if (item->kind == STORE_ITEM_FAULT) {
        store_fault_destroy(kept);
        kept = item->as.fault;
    } else {
        ck_assert_int_eq(item->kind, STORE_ITEM_UNPLAYED);
        ck_assert_str_eq(item->as.text.first, "anna|bert|3|1");
        ck_assert_str_eq(item->as.text.second, "bert");
        ck_assert_str_eq(item->as.text.third, "quarantined");
        called("put_unplayed", 1);
        store_item_free(item);
    }
    return put_status == BG_OK ? BG_OK : bg_error_set(err, put_status, "the disk is gone");
}

static const struct store_ops ops = {.put = put};
static struct store store = {&ops};

struct store *ledger_store(struct ledger *ledger)
{
    return &store;
}

int ledger_faults(const struct ledger *ledger, int bot)
{
    return earlier_faults[bot];
}

void ledger_give_up(struct ledger *ledger, const struct fixture *fixture)
{
    called("give_up", (int)fixture->pair);
}

enum bg_status ledger_admit(struct ledger *ledger, int bot, const struct identity *identity,
                            struct bg_error *err)
{
    return bot == changed_bot ? bg_error_set(err, BG_E_CONFIG, "it changed") : BG_OK;
}

void feed_unplayed(struct feed *feed, const struct fixture *fixture, int bot, const char *why)
{
    called("feed_unplayed", bot);
}

void feed_quarantined(struct feed *feed, int bot, int faults, const char *why)
{
    called("quarantined", bot);
}

void feed_fault(struct feed *feed, const struct events_fault *fault)
{
    called("fault", fault->count);
}

void feed_absent(struct feed *feed, int bot, const char *why)
{
    called("absent", bot);
}

void display_break(struct display *display)
{
}

void last_words(char out[LAST_WORDS], const char *said)
{
    snprintf(out, LAST_WORDS, "%s", said);
}

void last_words_print(const struct competitor *bot, const char *said, const char *results)
{
    ck_assert_str_eq(said, "Traceback");
    called("words", 1);
}

void absences_begin(const struct absences *absences, int bot, const char *why)
{
    called("absence", bot);
}

void absences_failed(const struct absences *absences, struct session *session, const char *why)
{
    called("again", 1);
}

bool entrants_give_up(struct entrants *entrants, int bot, int64_t now_ns)
{
    return gives_up;
}

int session_bot_index(const struct session *session)
{
    return 1;
}

const struct greeting *session_greeting(const struct session *session)
{
    static const struct greeting greeting;

    return &greeting;
}

int session_instance(const struct session *session)
{
    return 0;
}

int session_failed_starts(const struct session *session)
{
    return failed_starts;
}

const char *session_stderr(struct session *session)
{
    return "Traceback";
}

void session_close(struct session *session, const char *why)
{
    called(why, 0);
}

static void on_stop(void *user, int exit_status, const struct bg_error *err)
{
    stopped = exit_status;
    snprintf(stop_text, sizeof stop_text, "%s", err->text);
}

static void on_left_out(void *user, int bot)
{
    called("left_out", bot);
}

/* --------------------------------------------------------------------------- tests */

static const struct offences_listener listener = {on_stop, on_left_out};
static const char *names[] = {"anna", "bert"};
static struct config_event event;
static struct competitor bots[2];
static struct entrants_bot list[2];
static struct entrants entrants;
static struct display display;
static struct offences offences;

static void setup(void)
{
    calls[0] = stop_text[0] = '\0';
    stopped = failed_starts = 0;
    changed_bot = -1;
    earlier_faults[0] = earlier_faults[1] = 0;
    gives_up = false;
    put_status = BG_OK;
    memset(&event, 0, sizeof event);
    memset(&display, 0, sizeof display);
    event.bots = bots;
    event.bot_count = 2;
    event.quarantine = 3;
    memset(list, 0, sizeof list);
    entrants = (struct entrants){.event = &event, .list = list, .names = names};
    offences = (struct offences){
        .event = &event, .entrants = &entrants, .display = &display, .listener = &listener};
}

static void teardown(void)
{
    store_fault_destroy(kept);
    kept = NULL;
}

static void illegal(int bot)
{
    offences_at_table(&offences, &(struct table_fault){.bot = bot,
                                                       .fault = BG_FAULT_ILLEGAL,
                                                       .game_id = "anna|bert|0|0|0",
                                                       .message = "no such move",
                                                       .rule = "",
                                                       .reply = ""});
}

TEST(the_last_allowed_fault_causes_quarantine)
{
    illegal(1);
    illegal(1);
    ck_assert(!list[1].quarantined);
    illegal(1);
    ck_assert(list[1].quarantined && !list[0].quarantined && offences.has_changed);
    ck_assert_int_eq(list[1].faults, 3);
    illegal(1); /* its other tables end too, but it is charged once */
    ck_assert_str_eq(calls, "fault 1, fault 2, fault 3, quarantined 1, fault 4");
    ck_assert_uint_eq(display.faults, 4);
    ck_assert_ptr_null(kept); /* the evidence is stored together with the game */
}

/* Only the first loss counts; a text that quotes the bot has no say in that. */
TEST(an_absence_is_counted_once)
{
    static const struct {
        enum bg_fault fault;
        const char *message;
        int faults;
    } losses[] = {
        {BG_FAULT_LATE, "it was away", 1},
        {BG_FAULT_LATE, "it was away" ABSENCE_REPEATED, 1},
        {BG_FAULT_GONE, "it has left this match", 1},
        {BG_FAULT_ILLEGAL, "it said" ABSENCE_REPEATED, 2},
    };

    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
        offences_at_table(&offences, &(struct table_fault){.bot = 1,
                                                           .fault = losses[i].fault,
                                                           .message = losses[i].message,
                                                           .rule = "",
                                                           .reply = ""});
        ck_assert_int_eq(list[1].faults, losses[i].faults);
    }
}

TEST(faults_of_earlier_runs_count)
{
    earlier_faults[0] = 3;
    earlier_faults[1] = 2;
    offences_recall(&offences);
    ck_assert(list[0].quarantined && !list[1].quarantined);
    ck_assert_str_eq(calls, "quarantined 0");
    illegal(1);
    ck_assert(list[1].quarantined);
}

TEST(a_strict_event_stops_at_the_first_fault)
{
    event.strict = true;
    illegal(0);
    ck_assert_int_eq(stopped, EXIT_FAULT);
    ck_assert_str_eq(stop_text, "stopped by a fault of anna: illegal (--strict)");
    ck_assert(!list[0].quarantined);
}

TEST(referee_errors_and_faults_after_goodbye_are_not_charged)
{
    offences_at_table(
        &offences, &(struct table_fault){
                       .bot = 0, .fault = BG_FAULT_HOST, .message = "", .rule = "", .reply = ""});
    offences.is_over = true;
    illegal(0);
    ck_assert_int_eq(list[0].faults, 0);
    ck_assert_str_eq(calls, "");
}

TEST(a_crash_between_decisions_is_stored_and_its_stderr_is_printed_once)
{
    offences_of_session(&offences, NULL, BG_FAULT_CRASH, "exit status 1");
    ck_assert_str_eq(kept->bot, "bert");
    ck_assert_str_eq(kept->story, "exit status 1");
    ck_assert_str_eq(kept->stderr_tail, "Traceback");
    offences_of_session(&offences, NULL, BG_FAULT_CRASH, "exit status 1");
    ck_assert_str_eq(calls, "fault 1, words 1, fault 2");
}

TEST(a_bot_in_quarantine_fills_no_results_with_what_is_still_on_the_way)
{
    list[1].quarantined = true;
    for (int i = 0; i < 20; i++) {
        offences_of_session(&offences, NULL, BG_FAULT_GARBLED, "message: no content");
    }
    ck_assert_ptr_null(kept);
    ck_assert_int_eq(list[1].faults, 0);
    ck_assert_str_eq(calls, "");
}

TEST(a_fault_that_cannot_be_stored_stops_the_run)
{
    put_status = BG_E_STORE;
    offences_of_session(&offences, NULL, BG_FAULT_CRASH, "exit status 1");
    ck_assert_int_eq(stopped, EXIT_SURROUNDINGS);
    ck_assert_str_eq(stop_text, "the disk is gone");
}

TEST(a_bot_that_never_starts_is_left_out_and_not_charged)
{
    failed_starts = 1;
    offences_start_failed(&offences, NULL, BG_FAULT_START, "no such file", 0);
    ck_assert_str_eq(calls, "words 1");
    gives_up = true;
    offences_start_failed(&offences, NULL, BG_FAULT_START, "no such file", 0);
    ck_assert_str_eq(calls, "words 1, absence 1, fault 0, absent 1, left_out 1");
    ck_assert_int_eq(list[1].faults, 0);
    ck_assert(offences.has_changed && kept != NULL);
}

TEST(a_changed_bot_is_left_out_before_the_first_game_and_not_charged)
{
    ck_assert(offences_admit(&offences, NULL));
    ck_assert_str_eq(calls, "");
    changed_bot = 1;
    list[1].try_ns = 5;
    ck_assert(!offences_admit(&offences, NULL));
    ck_assert_str_eq(calls, "absence 1, absent 1, it has changed since its last game in this event "
                            "0, left_out 1");
    ck_assert_int_eq(list[1].try_ns, 0);
    ck_assert_int_eq(list[1].faults, 0);
    ck_assert_int_eq(stopped, 0);
    ck_assert(offences.has_changed && kept == NULL);
}

TEST(a_start_that_fails_in_a_strict_event_stops_it)
{
    event.strict = true;
    offences_start_failed(&offences, NULL, BG_FAULT_START, "no such file", 0);
    ck_assert_int_eq(stopped, EXIT_FAULT);
}

TEST(a_failed_preflight_prints_the_bots_stderr)
{
    offences_preflight_failed(&offences, NULL, "exit status 1");
    ck_assert_int_eq(stopped, EXIT_START);
    ck_assert_str_eq(stop_text,
                     "bot bert does not start: exit status 1; its last words: Traceback");
}

TEST(a_fixture_is_given_up_in_results_feed_and_ledger)
{
    const struct fixture fixture = {0, 1, 3, 1};

    offences_give_up(&offences, &fixture, 1);
    ck_assert_str_eq(calls, "put_unplayed 1, feed_unplayed 1, give_up 3");
    calls[0] = '\0';
    put_status = BG_E_STORE;
    offences_give_up(&offences, &fixture, 1);
    ck_assert_str_eq(calls, "put_unplayed 1");
    ck_assert_int_eq(stopped, EXIT_SURROUNDINGS);
}

TEST(processes_of_finished_bots_are_closed)
{
    struct session *sessions[1] = {NULL};

    list[0].sessions = list[1].sessions = sessions;
    list[0].session_count = list[1].session_count = 1;
    offences_close_sessions(&offences);
    ck_assert_str_eq(calls, "");
    list[0].quarantined = true;
    list[1].absent = true;
    offences_close_sessions(&offences);
    ck_assert_str_eq(calls, "quarantined 0, it does not start 0");
    calls[0] = '\0';
    list[0].quarantined = false;
    list[1].trying = true; /* the bot is being restarted */
    offences_close_sessions(&offences);
    ck_assert_str_eq(calls, "");
}

SUITE_FIXTURE(setup, teardown)
