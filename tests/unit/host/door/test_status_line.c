/* What a host tells an author: every value comes back, a line has room, and foreign lines are
 * taken for what they are. */
#include "support/suite.h"

#include "door/status_line.h"

#include <string.h>

static char line[STATUS_LINE];
static struct status status;

static const struct status_event full = {.event = "spring",
                                         .state = "quarantined",
                                         .rank = 2,
                                         .of = 8,
                                         .shared = true,
                                         .money = true,
                                         .games = 40,
                                         .games_won = 22,
                                         .games_lost = 18,
                                         .matches = 8,
                                         .matches_won = 5,
                                         .matches_lost = 3,
                                         .points = -14,
                                         .faults = 6,
                                         .faults_most = 5,
                                         .last_fault = "late: it took 61.2 s",
                                         .lost_by = {[BG_FAULT_LATE] = 4, [BG_FAULT_CRASH] = 1}};

TEST(an_event_comes_back)
{
    ck_assert(status_write_event(line, &full));
    ck_assert_ptr_null(strchr(line, '\n'));
    ck_assert_int_eq(status_read(&status, line, strlen(line)), STATUS_EVENT);
    ck_assert_mem_eq(&status.event, &full, sizeof full); /* both were zeroed first */
}

TEST(a_host_comes_back)
{
    const struct status_host host = {
        .name = "club", .events = 2, .tables = 4, .limit = "it rests", .next = "cup at noon"};

    ck_assert(status_write_host(line, &host));
    ck_assert_int_eq(status_read(&status, line, strlen(line)), STATUS_HOST);
    ck_assert_mem_eq(&status.host, &host, sizeof host);
}

/* Each quote takes two bytes of JSON. */
TEST(long_texts_are_shortened_and_no_number_is_lost)
{
    struct status_event event = full;
    struct status_host host = {.name = "club", .events = 3};

    memset(event.event, '"', sizeof event.event - 1);
    memset(event.last_fault, '"', sizeof event.last_fault - 1);
    event.games = event.games_won = event.games_lost = INT64_MAX;
    event.matches = event.matches_won = event.matches_lost = INT64_MAX;
    event.points = event.faults = event.faults_most = INT64_MAX;
    ck_assert(status_write_event(line, &event));
    ck_assert_uint_lt(strlen(line), STATUS_LINE);
    ck_assert_int_eq(status_read(&status, line, strlen(line)), STATUS_EVENT);
    ck_assert_int_eq(status.event.points, INT64_MAX);
    ck_assert_int_eq(status.event.lost_by[BG_FAULT_LATE], 4);
    memset(host.limit, '"', sizeof host.limit - 1);
    memset(host.next, '"', sizeof host.next - 1);
    ck_assert(status_write_host(line, &host));
    ck_assert_int_eq(status_read(&status, line, strlen(line)), STATUS_HOST);
    ck_assert_int_eq(status.host.events, 3);
}

static const struct row {
    const char *line;
    enum status_kind kind;
} foreign[] = {
    {"", STATUS_NONE},
    {"spring", STATUS_NONE},
    {"[]", STATUS_NONE},
    {"{}", STATUS_NONE},
    {"{\"host\": 3}", STATUS_NONE},
    {"{\"event\": \"a\", \"event\": \"b\"}", STATUS_NONE},
    {"{\"event\": \"spring\"}", STATUS_EVENT},
    {"{\"event\": \"spring\", \"rank\": -1, \"of\": 1e9, \"lost_by\": [], \"state\": null}",
     STATUS_EVENT},
    {"{\"event\": \"spring\", \"rank\": 99999999999, \"new\": {\"unknown\": []}}", STATUS_EVENT},
    {"{\"host\": \"club\", \"events\": \"many\"}", STATUS_HOST},
};

TEST_ROWS(foreign_lines_are_read_strictly, foreign)
{
    ck_assert_int_eq(status_read(&status, foreign[_i].line, strlen(foreign[_i].line)),
                     foreign[_i].kind);
    ck_assert_int_eq(status.kind, foreign[_i].kind);
    ck_assert_int_ge(status.event.rank, 0);
    ck_assert_int_ge(status.host.events, 0);
}

TEST(texts_are_clean)
{
    static const char text[] = "{\"event\": \"a\\u001b[31mb\\n\", \"last_fault\": \"x\\u202ey\"}";

    ck_assert_int_eq(status_read(&status, text, strlen(text)), STATUS_EVENT);
    ck_assert_str_eq(status.event.event, "a\\x1b[31mb\\x0a");
    ck_assert_str_eq(status.event.last_fault, "x<U+202E>y");
}
