/* Events through their journal, with random results and random acts of a director at random
 * moments: a refused act changes nothing, no pair number is used twice, everything ends, the
 * journal alone gives the same season again, and a changed row is found. */
#include "season/act_words.h"
#include "season/season.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/suite.h"

#define AT "2026-11-22T08:30:00Z"

enum { MOST = 200, NAMES = MOST + 40, ROWS = 40000, TEXT = 1 << 22 };

static const char *const plans[] = {
    "circle pairs=1",
    "circle table=berger cycles=2 match=3",
    "circle groups=2 best_of=3 tie=playoff playoff=3 then knockout take=2 best_of=3 "
    "third_place=yes",
    "swiss pairs=2",
    "swiss rounds=3 match=5 late=half then swiss take=4 rounds=2 points=2",
    "swiss rounds=4 points=3 tie=playoff",
    "knockout best_of=3 third_place=yes",
    "knockout pairs=2",
    "double-elimination match=7",
    "double-elimination pairs=1",
    "gauntlet heroes=b000,b001 pairs=1",
    "ladder meetings=60 best_of=3",
    "ladder reach=3 swap=yes pairs=1",
    "league meetings=70 anchors=b001 match=5",
    "league window=20 pairs=1 tie=playoff",
    "swiss rounds=2 groups=2 pairs=1 then double-elimination take=2 match=3",
};

enum { PLANS = sizeof plans / sizeof *plans };

static char name[NAMES][8];
static const char *seeds[NAMES];
static struct season_setup setup;
static struct act journal[ROWS];
static size_t rows;
static struct season *season;
static uint64_t state;
static char digest_one[TEXT], digest_two[TEXT];

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Everything that can be seen, as text. */
static void digest(char *out, const struct season *of)
{
    size_t used = 0;
    struct season_place place[NAMES];

#define SAY(...) (used += (size_t)snprintf(out + used, TEXT - used, __VA_ARGS__))
    SAY("%s %d%d stage %d\n", season_head(of), season_is_over(of), season_is_closed(of),
        season_stage(of));
    for (int i = 0; i < season_entrants(of); i++) {
        const struct season_entrant *entrant = season_entrant(of, i);

        SAY("%s %d %d %" PRIu64 " %d %d\n", entrant->name, entrant->state, entrant->late,
            entrant->act, entrant->meetings, entrant->byes);
    }
    for (size_t i = 0; i < season_meetings(of); i++) {
        const struct season_meeting *m = season_meeting(of, i);

        SAY("%zu %d %d %d %d %d %d %d %d %g %d %d %" PRId64 " %" PRId64 " %" PRIu64 "\n", i,
            m->stage, m->group, m->meeting.part, m->meeting.round, m->meeting.line, m->meeting.a,
            m->meeting.b, m->end, m->meeting.score_a, m->winner, m->by_seed, m->points_a,
            m->points_b, m->result);
    }
    for (uint64_t i = 0; i < season_fixtures(of); i++) {
        struct season_fixture f;

        season_fixture(&f, of, i);
        SAY("%d %d %" PRIu64 " %d %" PRIu64 " %d\n", f.a, f.b, f.pair, f.leg, f.meeting,
            season_fixture_is_void(of, i));
    }
    for (int s = 0; s <= season_stage(of); s++) {
        for (int g = 0; g < season_groups(of, s); g++) {
            int count;

            assert_ok(season_standing(place, &count, of, s, g, &error));
            for (int i = 0; i < count; i++) {
                SAY("%d %d %d %g %g %d %s\n", place[i].entrant, place[i].place, place[i].shared,
                    place[i].score, place[i].sonneborn, (int)place[i].points, place[i].tiebreak);
            }
        }
    }
#undef SAY
    ck_assert_uint_lt(used, TEXT);
}

static size_t follow(void)
{
    struct season_acts acts;
    size_t count;

    assert_ok(season_follow(&acts, season, AT, &error));
    count = acts.count;
    ck_assert_uint_le(rows + count, ROWS);
    for (size_t i = 0; i < count; i++) {
        journal[rows++] = acts.acts[i];
    }
    free(acts.acts);
    return count;
}

/* The result of a leg is a function of its name, so that another season gets the same. */
static struct season_leg leg_of(const struct season *of, const struct season_fixture *f,
                                uint64_t salt)
{
    struct season_leg leg = {
        season_entrant(of, f->a)->name, season_entrant(of, f->b)->name, f->pair, f->leg, 0, 0};
    uint64_t hash = salt;

    for (const char *at = leg.a; *at != '\0'; at++) {
        hash = (hash ^ (uint64_t)*at) * UINT64_C(0x100000001b3);
    }
    for (const char *at = leg.b; *at != '\0'; at++) {
        hash = (hash ^ (uint64_t)*at) * UINT64_C(0x100000001b3);
    }
    hash = (hash ^ (2 * f->pair + (uint64_t)f->leg)) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
    hash *= UINT64_C(0xbf58476d1ce4e5b9);
    leg.winner = (int)(hash >> 40 & 1);
    leg.points = setup.length_points > 0 ? 1 : 1 + (int64_t)(hash >> 42) % 3;
    if (setup.length_points == 0 && (hash >> 50) % 16 == 0) {
        leg.winner = -1;
        leg.points = 0;
    }
    return leg;
}

static uint64_t played_up_to; /* fixtures before it are played or void */
static bool played[4 * ROWS];

/* Plays some of the legs that are due; returns how many. */
static int play(uint64_t salt, uint32_t share)
{
    int count = 0;

    for (uint64_t i = played_up_to; i < season_fixtures(season); i++) {
        struct season_fixture f;
        struct season_leg leg;

        ck_assert_uint_lt(i, 4 * ROWS);
        if (played[i] || season_fixture_is_void(season, i)) {
            played_up_to += i == played_up_to;
            continue;
        }
        if (draw(8) >= share) {
            continue;
        }
        season_fixture(&f, season, i);
        leg = leg_of(season, &f, salt);
        season_leg(season, &leg);
        if (draw(8) == 0) { /* again the same is ignored */
            season_leg(season, &leg);
        }
        played[i] = true;
        count++;
    }
    return count;
}

/* ------------------------------------------------------------------ acts of the desk */

/* Mostly an entrant; sometimes one that is out, sometimes nobody. */
static const char *some_name(bool is_out)
{
    for (int i = 0; is_out && i < season_entrants(season); i++) {
        if (season_entrant(season, i)->state != SEASON_IN && draw(2) == 0) {
            return season_entrant(season, i)->name;
        }
    }
    return name[draw((uint32_t)season_entrants(season) + 1)];
}

/* Mostly an open meeting; sometimes one of the others, or none. */
static uint32_t some_meeting(const char **winner)
{
    uint32_t count = (uint32_t)season_meetings(season), meeting = draw(count + 2);

    for (uint32_t i = count; draw(2) == 0 && i > 0; i--) {
        const struct season_meeting *seen = season_meeting(season, i - 1);

        if (seen->end == SEASON_OPEN) {
            *winner =
                season_entrant(season, draw(2) == 0 ? seen->meeting.a : seen->meeting.b)->name;
            return i;
        }
    }
    return meeting;
}

static void some_pair(char *out, size_t room)
{
    struct season_fixture f;

    if (season_fixtures(season) == 0) {
        snprintf(out, room, "b000|b001|0");
        return;
    }
    season_fixture(&f, season, draw((uint32_t)season_fixtures(season)));
    snprintf(out, room, "%s|%s|%" PRIu64, season_entrant(season, f.a)->name,
             season_entrant(season, f.b)->name, f.pair);
}

static void some_act(struct act *out)
{
    static const enum act_kind kinds[] = {
        ACT_ENTER,  ACT_LATE_ENTER, ACT_WITHDRAW,   ACT_REINSTATE, ACT_REINSTATE,
        ACT_ABSENT, ACT_WALKOVER,   ACT_VOID,       ACT_VOID,      ACT_REPLAY,
        ACT_REPLAY, ACT_ADJUDICATE, ACT_ADJUDICATE, ACT_CONDITION, ACT_NOTE,
        ACT_CLOSE,  ACT_SIGN,       ACT_ROUND,      ACT_FIXTURE,   ACT_RESULT};
    enum act_kind kind = kinds[draw(sizeof kinds / sizeof *kinds)];
    const char *a = some_name(kind == ACT_REINSTATE), *b = some_name(false), *winner = a;
    uint32_t meeting = some_meeting(&winner);
    char pair[64];

    some_pair(pair, sizeof pair);
    *out = (struct act){.at = AT, .who = "ann@host"};
    snprintf(out->kind, sizeof out->kind, "%s", act_rules[kind].name);
    snprintf(out->reason, sizeof out->reason, "%s", draw(10) == 0 ? "" : "so decided");
    switch (kind) {
    case ACT_WALKOVER:
        snprintf(out->subject, sizeof out->subject, "meeting=%u bot=%s", meeting,
                 draw(4) == 0 ? "-" : winner);
        break;
    case ACT_VOID:
    case ACT_REPLAY:
        if (draw(2) == 0) {
            snprintf(out->subject, sizeof out->subject, "meeting=%u", meeting);
        } else {
            snprintf(out->subject, sizeof out->subject, "pair=%s", pair);
        }
        break;
    case ACT_ADJUDICATE:
        snprintf(out->subject, sizeof out->subject, "meeting=%u score=%s", meeting,
                 draw(2) == 0   ? "1"
                 : draw(2) == 0 ? "0.5"
                                : "0");
        break;
    case ACT_CONDITION:
        snprintf(out->subject, sizeof out->subject, "between=%s,%s cube=off", a, b);
        break;
    case ACT_NOTE:
    case ACT_CLOSE:
        snprintf(out->subject, sizeof out->subject, "-");
        break;
    case ACT_SIGN:
        snprintf(out->subject, sizeof out->subject, "signer=%u", draw(3));
        break;
    case ACT_ROUND:
        snprintf(out->subject, sizeof out->subject, "stage=1 round=%u", draw(4));
        break;
    case ACT_ENTER:
    case ACT_LATE_ENTER:
        snprintf(out->subject, sizeof out->subject, "bot=%s",
                 name[draw(4) == 0 ? 0 : (uint32_t)season_entrants(season)]);
        break;
    default:
        snprintf(out->subject, sizeof out->subject, "bot=%s", a);
    }
}

/* Tries an act; a refused one changes nothing. */
static void try_act(void)
{
    struct act act;
    bool compare = season_fixtures(season) < 400;
    enum bg_status status;

    some_act(&act);
    season_seal(&act, season);
    if (compare) {
        digest(digest_one, season);
    }
    error.text[0] = '\0';
    status = season_take(season, &act, &error);
    if (status == BG_OK) {
        ck_assert_uint_lt(rows, ROWS);
        journal[rows++] = act;
        return;
    }
    ck_assert_int_eq(status, BG_E_ARGUMENT);
    ck_assert_msg(error.text[0] != '\0', "%s %s", act.kind, act.subject);
    if (compare) {
        digest(digest_two, season);
        ck_assert_msg(strcmp(digest_one, digest_two) == 0, "%s %s changed something: %s", act.kind,
                      act.subject, error.text);
    }
}

/* ------------------------------------------------------------------ laws */

struct key {
    int a, b, leg;
    uint64_t pair;
};

static int compare_keys(const void *x, const void *y)
{
    return memcmp(x, y, sizeof(struct key));
}

static void check_numbers(void)
{
    uint64_t count = season_fixtures(season);
    struct key *key = calloc(count + 1, sizeof *key);

    ck_assert_ptr_nonnull(key);
    for (uint64_t i = 0; i < count; i++) {
        struct season_fixture f;

        season_fixture(&f, season, i);
        ck_assert_str_lt(season_entrant(season, f.a)->name, season_entrant(season, f.b)->name);
        key[i].a = f.a;
        key[i].b = f.b;
        key[i].leg = f.leg;
        key[i].pair = f.pair;
    }
    qsort(key, count, sizeof *key, compare_keys);
    for (uint64_t i = 1; i < count; i++) {
        ck_assert_msg(memcmp(&key[i - 1], &key[i], sizeof *key) != 0, "a leg is allotted twice");
    }
    free(key);
}

/* In the first stage: a round robin has no meeting too many; a Swiss has no rematch in the rounds
 * that can do without while nobody leaves. */
static void check_rematches(bool has_desk)
{
    static int met[NAMES][NAMES];
    const struct plan_stage *plan = &setup.plan.stage[0];
    bool is_swiss = plan->form == PLAN_SWISS && plan->groups == 1 && !has_desk;
    int most = plan->form == PLAN_CIRCLE ? plan->cycles : 1;

    memset(met, 0, sizeof met);
    for (size_t i = 0; i < season_meetings(season); i++) {
        const struct season_meeting *m = season_meeting(season, i);
        bool counts =
            m->stage == 0 && m->meeting.b != FORMS_NOBODY && m->meeting.part == PART_MAIN &&
            (plan->form == PLAN_CIRCLE || (is_swiss && m->meeting.round <= setup.entrants / 2));

        if (counts) {
            int low = m->meeting.a < m->meeting.b ? m->meeting.a : m->meeting.b;
            int high = m->meeting.a + m->meeting.b - low;

            ck_assert_int_le(++met[low][high], most);
        }
    }
}

/* A new season that knows all legs from the start takes the journal. */
static struct season *build(uint64_t salt, bool is_trusted)
{
    struct season *again;

    setup.is_trusted = is_trusted;
    assert_ok(season_create(&again, &setup, &error));
    for (uint64_t i = season_fixtures(season); i > 0; i--) {
        struct season_fixture f;

        season_fixture(&f, season, i - 1);
        if (played[i - 1]) {
            struct season_leg leg = leg_of(season, &f, salt);

            season_leg(again, &leg);
        }
    }
    return again;
}

static void check_replay(uint64_t salt, bool is_trusted)
{
    struct season *again = build(salt, is_trusted);

    for (size_t i = 0; i < rows; i++) {
        ck_assert_msg(season_take(again, &journal[i], &error) == BG_OK, "row %zu, %s %s: %s", i + 1,
                      journal[i].kind, journal[i].subject, error.text);
    }
    digest(digest_one, season);
    digest(digest_two, again);
    ck_assert_msg(strcmp(digest_one, digest_two) == 0, "another season from the journal");
    season_destroy(again);
}

/* One byte of one row is changed; sealed: with a hash that fits. */
static void check_change(uint64_t salt, bool is_sealed)
{
    struct season *again = build(salt, false);
    size_t changed = draw((uint32_t)rows);
    enum bg_status status = BG_OK;
    struct act act;

    while (is_sealed && (strcmp(journal[changed].who, "bgref") != 0 ||
                         strcmp(journal[changed].kind, "absent") == 0)) {
        changed = (changed + 1) % rows;
    }
    act = journal[changed];
    act.subject[draw((uint32_t)strlen(act.subject))] ^= 1;
    for (size_t i = 0; i < changed; i++) {
        assert_ok(season_take(again, &journal[i], &error));
    }
    if (is_sealed) {
        season_seal(&act, again);
    }
    status = season_take(again, &act, &error);
    for (size_t i = changed + 1; status == BG_OK && is_sealed && i < rows; i++) {
        struct act next = journal[i]; /* the results of two meetings in another order may follow */

        season_seal(&next, again);
        status = season_take(again, &next, &error);
    }
    ck_assert_msg(status != BG_OK && (is_sealed || status == BG_E_MISMATCH),
                  "row %zu was '%s %s', and '%s' is taken", changed + 1, act.kind,
                  journal[changed].subject, act.subject);
    season_destroy(again);
}

static int entrants_of(int loop)
{
    static const int some[] = {2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 17, 33};

    return loop % 97 == 96 && loop % PLANS != 1 ? MOST : some[draw(sizeof some / sizeof *some)];
}

static void begin(int loop)
{
    int n;

    state = (uint64_t)loop * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int i = 0; i < NAMES; i++) {
        snprintf(name[i], sizeof name[i], "b%03d", i);
        seeds[i] = name[i];
    }
    do {
        n = entrants_of(loop);
        setup = (struct season_setup){.event = "cup", .seeds = seeds, .entrants = n};
        setup.legs = 1 + (int)draw(2);
        setup.length_points = draw(2) == 0 ? 0 : 5;
        setup.tables = (int)draw(4);
        assert_ok(plan_read(&setup.plan, plans[loop % PLANS], 1, &error));
    } while (season_create(&season, &setup, &error) != BG_OK); /* too few for this plan */
    rows = 0;
    played_up_to = 0;
    memset(played, 0, sizeof played);
}

static void finish_endless(void)
{
    struct act act = {.at = AT, .who = "ann@host", .kind = "close", .subject = "-"};

    season_seal(&act, season);
    if (season_take(season, &act, &error) == BG_OK) {
        journal[rows++] = act;
    }
}

TEST_LOOP(seasons_end_and_follow_from_their_journal, 0, 12 / TEST_PART * PLANS * suite_factor())
{
    uint64_t salt = (uint64_t)_i * 77 + 5;
    bool has_desk = _i / PLANS % 3 != 0;
    int idle = 0;

    begin(_i);
    for (int i = 0; has_desk && i < 3; i++) {
        try_act(); /* before the first round */
    }
    for (int step = 0; idle < 3 && step < 4000; step++) {
        size_t done = follow();

        if (has_desk && draw(2) == 0 && (season_meetings(season) < 600 || draw(8) == 0)) {
            try_act();
        }
        done += (size_t)play(salt, step % 2 == 0 ? 3 : 8);
        if (step > 150) {
            has_desk = false;
            finish_endless();
        }
        idle = done > 0 ? 0 : idle + 1;
    }
    follow();
    check_numbers();
    check_rematches(_i / PLANS % 3 != 0);
    check_replay(salt, false);
    check_replay(salt, true);
    for (int i = 0; i < 4; i++) {
        check_change(salt, i % 2 == 1);
    }
    if (_i / PLANS % 3 == 0) {
        ck_assert_msg(season_is_over(season), "%s of %d does not end", plans[_i % PLANS],
                      setup.entrants);
    }
    season_destroy(season);
}
