/* How a bot stands: the lines of a host are kept by event, and printed as a table. */
#include "support/suite.h"

#include <cmd/join_standing.h>

#include <stdlib.h>
#include <string.h>

static struct join_standing standing;

static void take(const char *line, enum status_kind kind)
{
    ck_assert_int_eq(join_standing_take(&standing, line, strlen(line)), kind);
}

static void set_up(void)
{
    memset(&standing, 0, sizeof standing);
    take("{\"host\":\"club\",\"events\":1,\"tables\":4,\"limit\":\"it rests\",\"next\":\"cup\"}",
         STATUS_HOST);
    take("{\"event\":\"spring\",\"state\":\"quarantined\",\"rank\":2,\"shared\":true,\"of\":8,"
         "\"games_won\":22,\"games_lost\":18,\"matches_won\":5,\"matches_lost\":3,\"points\":14,"
         "\"faults\":5,\"faults_most\":5,\"lost_by\":{\"late\":4,\"crash\":1},"
         "\"last_fault\":\"late: it took 61.2 s\"}",
         STATUS_EVENT);
}

TEST(everything_that_is_known_is_printed)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    join_standing_print(out, &standing, "anna");
    fclose(out);
    ck_assert_str_eq(text,
                     "anna at club\n"
                     "limit: it rests\n"
                     "limit: 4 tables at once\n"
                     "next: cup\n"
                     "event            state       rank       matches     games  points  faults\n"
                     "spring           quarantined 2= of 8        5-3     22-18     +14       5\n"
                     "  faults: 5 of 5; games lost by late 4, crash 1\n"
                     "  last fault: late: it took 61.2 s\n");
    free(text);
}

TEST(a_line_about_the_host_begins_a_new_answer)
{
    take("{\"event\":\"summer\"}", STATUS_EVENT);
    take("{\"event\":\"spring\",\"rank\":1}", STATUS_EVENT);
    ck_assert_int_eq(standing.event_count, 2);
    ck_assert_int_eq(standing.events[0].rank, 1);
    for (int i = 0; i < 2 * JOIN_STANDING_EVENTS; i++) {
        char line[64];

        snprintf(line, sizeof line, "{\"event\":\"e%d\"}", i);
        take(line, STATUS_EVENT);
    }
    ck_assert_int_eq(standing.event_count, JOIN_STANDING_EVENTS);
    take("{\"host\":\"club\"}", STATUS_HOST);
    ck_assert_int_eq(standing.event_count, 0);
}

SUITE_FIXTURE(set_up, NULL)
