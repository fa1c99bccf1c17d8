/* How many connections the doorman admits: a plain list of all admitted ones decides what is right.
 */
#include "support/suite.h"

#include "door/limits.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS INT64_C(1000000)

enum { PER_ADDRESS = 5, CONNECTIONS = 60, ADDRESSES = 40, STEPS = 20000 };

static struct limits limits; /* large */

static struct sockaddr_storage address_of(const char *text)
{
    struct sockaddr_storage out = {.ss_family = AF_UNSPEC};
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        memcpy(&out, &v4, sizeof v4);
    } else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
        memcpy(&out, &v6, sizeof v6);
    }
    return out;
}

static struct limits_address limited(const char *text)
{
    struct sockaddr_storage from = address_of(text);

    return limits_address_of(&from);
}

TEST(an_owner_has_one_address)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"192.0.2.1", "192.0.2.1", true},
        {"192.0.2.1", "192.0.2.2", false},
        {"192.0.2.1", "::ffff:192.0.2.1", true},
        {"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true},
        {"2001:db8:1:2::1", "2001:db8:1:3::1", false},
        {"192.0.2.1", "c000:201::", false}, /* the same four bytes first */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct limits_address a = limited(rows[i].a), b = limited(rows[i].b);

        ck_assert_msg((memcmp(&a, &b, sizeof a) == 0) == rows[i].same, "%s %s", rows[i].a,
                      rows[i].b);
    }
}

/* An admitted connection of the plain list. */
struct admitted {
    int address;
    int64_t at_ns;
    struct limits_place *place; /* NULL: released */
};

/* Most connections of this address (-1: of all) that any window of w steps of `every` may begin is
 * burst + w; says whether one more at now keeps to it. */
static bool keeps_pace(const struct admitted *list, int count, int address, int64_t now_ns,
                       int64_t every_ns, int burst)
{
    int since = 1;
    bool keeps = true;

    for (int i = count; i-- > 0 && keeps;) {
        if (address < 0 || list[i].address == address) {
            since++;
            keeps = since <= burst + (now_ns - list[i].at_ns) / every_ns;
        }
    }
    return keeps;
}

static int open_of(const struct admitted *list, int count, int address)
{
    int open = 0;

    for (int i = 0; i < count; i++) {
        open += list[i].place != NULL && (address < 0 || list[i].address == address);
    }
    return open;
}

TEST_LOOP(a_plain_list_agrees, 0, 4)
{
    static struct admitted list[STEPS];
    int64_t now_ns = 5 * MS_NS;
    int count = 0, seen[LIMITS_VERDICTS] = {0};

    srand((unsigned)_i + 1);
    limits_init(&limits, PER_ADDRESS, CONNECTIONS, (uint64_t)rand());
    for (int step = 0; step < STEPS; step++) {
        int number = rand() % ADDRESSES * (rand() % 3 > 0); /* the first one comes often */
        char text[32];
        struct limits_place *place = NULL;
        struct limits_address from;
        enum limits_verdict verdict;
        bool fits, paced;

        snprintf(text, sizeof text, "10.0.%d.%d", number / 8, number % 8);
        from = limited(text);
        now_ns += rand() % (_i % 2 == 0 ? 200 : 4) * MS_NS / 8;
        verdict = limits_admit(&place, &limits, &from, now_ns);
        seen[verdict]++;
        fits = open_of(list, count, -1) < CONNECTIONS && open_of(list, count, number) < PER_ADDRESS;
        paced = keeps_pace(list, count, number, now_ns, LIMITS_EVERY_MS * MS_NS, LIMITS_BURST) &&
                keeps_pace(list, count, -1, now_ns, LIMITS_EVERY_ALL_MS * MS_NS, LIMITS_BURST_ALL);
        ck_assert_msg((verdict == LIMITS_ADMIT) == (fits && paced), "step %d: %s", step,
                      limits_why(&limits, verdict));
        if (verdict == LIMITS_ADMIT) {
            list[count++] = (struct admitted){number, now_ns, place};
        }
        if (count > 0 && rand() % 3 == 0) { /* one of them ends */
            struct admitted *one = &list[rand() % count];

            if (one->place != NULL) {
                limits_release(&limits, one->place);
                one->place = NULL;
            }
        }
    }
    ck_assert_int_gt(seen[LIMITS_ADMIT], 100);
    ck_assert_int_gt(seen[LIMITS_ADDRESS_FULL], 20);
}

/* A flood from many addresses takes places of the list from idle addresses only. */
TEST(open_connections_are_not_forgotten)
{
    struct limits_address from = limited("192.0.2.1");
    struct limits_place *own[2], *place;
    int64_t now_ns = MS_NS;

    limits_init(&limits, 2, 4096, 12345);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(limits_admit(&own[i], &limits, &from, now_ns), LIMITS_ADMIT);
    }
    for (int i = 0; i < 20000; i++) {
        char text[32];
        struct limits_address flood;

        snprintf(text, sizeof text, "10.%d.%d.%d", i >> 16, i >> 8 & 255, i & 255);
        flood = limited(text);
        now_ns += 10 * MS_NS;
        ck_assert_int_eq(limits_admit(&place, &limits, &flood, now_ns), LIMITS_ADMIT);
        limits_release(&limits, place);
    }
    ck_assert_int_eq(limits_admit(&place, &limits, &from, now_ns), LIMITS_ADDRESS_FULL);
    limits_release(&limits, own[0]);
    ck_assert_int_eq(limits_admit(&place, &limits, &from, now_ns), LIMITS_ADMIT);
}

TEST(a_place_is_free_again_and_time_heals)
{
    struct limits_address from = limited("2001:db8::1");
    struct limits_place *place;
    int64_t now_ns = 1;

    limits_init(&limits, 100, 100, 1);
    for (int i = 0; i < LIMITS_BURST; i++) {
        ck_assert_int_eq(limits_admit(&place, &limits, &from, now_ns), LIMITS_ADMIT);
        limits_release(&limits, place);
    }
    for (int i = 0; i < 1000; i++) { /* refused ones do not count */
        ck_assert_int_eq(limits_admit(&place, &limits, &from, now_ns), LIMITS_ADDRESS_FAST);
    }
    now_ns += LIMITS_EVERY_MS * MS_NS;
    ck_assert_int_eq(limits_admit(&place, &limits, &from, now_ns), LIMITS_ADMIT);
    ck_assert_int_eq(limits_admit(&place, &limits, &from, now_ns), LIMITS_ADDRESS_FAST);
}

/* Returns how many of these connections are admitted, each from an address of its own; each is
 * released. */
static int admitted_of(int count, int64_t now_ns)
{
    int admitted = 0;

    for (int i = 0; i < count; i++) {
        struct limits_place *place = NULL;
        struct limits_address from;
        enum limits_verdict verdict;
        char text[32];

        snprintf(text, sizeof text, "10.1.%d.%d", i / 200, i % 200);
        from = limited(text);
        verdict = limits_admit(&place, &limits, &from, now_ns);
        ck_assert(verdict == LIMITS_ADMIT || verdict == LIMITS_FAST);
        admitted += verdict == LIMITS_ADMIT;
        if (verdict == LIMITS_ADMIT) {
            limits_release(&limits, place);
        }
    }
    return admitted;
}

TEST(many_addresses_together_keep_a_pace)
{
    int64_t now_ns = 5 * MS_NS;

    limits_init(&limits, PER_ADDRESS, CONNECTIONS, 1);
    ck_assert_int_eq(admitted_of(LIMITS_BURST_ALL + 50, now_ns), LIMITS_BURST_ALL);
    now_ns += 3 * LIMITS_EVERY_ALL_MS * MS_NS;
    ck_assert_int_eq(admitted_of(10, now_ns), 3);
    now_ns += LIMITS_BURST_ALL * LIMITS_EVERY_ALL_MS * MS_NS;
    ck_assert_int_eq(admitted_of(LIMITS_BURST_ALL + 50, now_ns), LIMITS_BURST_ALL);
}
