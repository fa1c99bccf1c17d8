/* Simulated seasons: test_sim_seasons [WORLDS [FIRST_SEED]]
 *
 * A world is one seed: a form of event, 3 to 40 entrants, some of which misbehave or never start,
 * interruptions, machines that die (also between storing acts and using them), and a director who
 * acts at random moments, while the event runs and between two runs. Then: the event ends; no game
 * is missing, and none was played again that was not lost; its journal and games alone give the
 * season that the last run had (head, entrants, meetings, fixtures, standings); `verify` proves
 * every record and every row. A form whose pairings do not
 * depend on the order of results is also played undisturbed: both events have the same rows and
 * standings.
 *
 * Standard output is a line "what count" for each counter, for tools/campaign-simulation.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proof/desk.h"
#include "event/director.h"
#include "event/live_desk.h"
#include "event/tournament.h"
#include "base/exit_status.h"
#include "season/act_words.h"
#include "season/season_store.h"
#include "loop/loop.h"
#include "proof/verify.h"
#include "sim.h"

#define MS_NS   INT64_C(1000000)
#define IDLE_NS INT64_C(1000000000000) /* far more than any event here lasts */

enum { BOTS = 41, TEXT = 1 << 22, ROWS = 40000, RUNS_MAX = 600, RUNS_ROUGH = 12 };

static const struct form {
    const char *schedule;
    int least, most;
    bool is_fixed; /* its pairings do not depend on the order of results */
} forms[] = {
    {"circle pairs=1", 3, 14, true},
    {"circle table=berger cycles=2 pairs=1", 3, 8, true},
    {"circle groups=2 best_of=3 tie=playoff playoff=3 then knockout take=2 best_of=3 "
     "third_place=yes",
     5, 16, true},
    {"gauntlet heroes=honest0,honest1 pairs=1", 4, 24, true},
    {"swiss pairs=1", 4, 40, true},
    {"swiss rounds=3 pairs=2", 5, 24, true},
    {"swiss rounds=3 best_of=3 tie=playoff", 5, 40, true},
    {"swiss rounds=3 points=2 late=half then swiss take=4 rounds=2 points=2", 6, 30, true},
    {"swiss rounds=2 groups=2 pairs=1 then double-elimination take=2 best_of=3", 7, 30, true},
    {"knockout best_of=3 third_place=yes", 3, 40, true},
    {"knockout pairs=2", 3, 40, true},
    {"double-elimination pairs=1", 3, 40, false},
    {"ladder meetings=60 best_of=3", 3, 40, false},
    {"ladder reach=3 swap=yes meetings=40 pairs=1", 3, 40, false},
    {"league meetings=70 anchors=honest1 pairs=1", 3, 40, false},
    {"league meetings=40 window=20 pairs=1 tie=playoff", 3, 40, false},
};

enum { FORMS = sizeof forms / sizeof *forms };

static struct world {
    uint64_t seed, state;
    const struct form *form;
    struct config_event event;
    struct competitor bots[BOTS];
    struct sim_plan plan;
    bool acts;      /* a director acts */
    bool has_late;  /* the last bot enters by an act */
    int64_t act_ns; /* mean time between acts in a run */
    int acts_left;
    bool may_close; /* the director may close the event, which then takes few more acts */
    char *last;     /* owned; the season at the end of the last run */
    struct loop *loop;
    struct live_desk *desk;
    uint64_t runs;
} world;

static struct totals {
    uint64_t worlds, games, runs, rows, compared, live, between, refused, set_aside, closed;
    uint64_t legs, of_kind[ACT_KINDS]; /* acts taken */
    struct sim_counts counts;
    uint64_t by_form[FORMS];
} totals;

_Noreturn static void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void fail(const char *format, ...)
{
    va_list words;

    va_start(words, format);
    fprintf(stderr, "test_sim_seasons: season %" PRIu64 " (%s, %d bots): ", world.seed,
            world.event.schedule, world.event.bot_count);
    vfprintf(stderr, format, words);
    fputc('\n', stderr);
    va_end(words);
    exit(EXIT_FAILURE);
}

#define MUST(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail(__VA_ARGS__);                                                                     \
        }                                                                                          \
    } while (0)

static uint32_t draw(uint32_t below)
{
    world.state = world.state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(world.state >> 33) % below;
}

/* ------------------------------------------------------------------ what a season shows */

static void write_meetings(FILE *out, const struct season *of, bool is_whole)
{
    for (size_t i = 0; i < season_meetings(of); i++) {
        const struct season_meeting *m = season_meeting(of, i);

        fprintf(out, "%zu %d %d %d %d %d %d %d %d %g %d %d %" PRId64 ":%" PRId64 " %" PRIu64 "\n",
                i, m->stage, m->group, m->meeting.part, m->meeting.round, m->meeting.line,
                m->meeting.a, m->meeting.b, m->end, m->meeting.score_a, m->winner, m->by_seed,
                m->points_a, m->points_b, is_whole ? m->result : 0);
    }
    for (uint64_t i = 0; is_whole && i < season_fixtures(of); i++) {
        struct season_fixture f;

        season_fixture(&f, of, i);
        fprintf(out, "%d %d %" PRIu64 " %d %" PRIu64 " %d\n", f.a, f.b, f.pair, f.leg, f.meeting,
                season_fixture_is_void(of, i));
    }
}

static void write_standings(FILE *out, const struct season *of)
{
    static struct season_place place[BOTS];

    for (int s = 0; s <= season_stage(of); s++) {
        for (int g = 0; g < season_groups(of, s); g++) {
            int count;

            MUST(season_standing(place, &count, of, s, g, NULL) == BG_OK, "no standing");
            for (int i = 0; i < count; i++) {
                fprintf(out, "%d.%d: %d %d %d %g %g %d %s\n", s, g, place[i].entrant,
                        place[i].place, place[i].shared, place[i].score, place[i].sonneborn,
                        (int)place[i].points, place[i].tiebreak);
            }
        }
    }
}

/* Everything that can be seen, as text the caller frees; not whole: without what depends on the
 * order in which results came. */
static char *digest(const struct season *of, bool is_whole)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    fprintf(out, "%s %d%d stage %d\n", is_whole ? season_head(of) : "", season_is_over(of),
            season_is_closed(of), season_stage(of));
    for (int i = 0; i < season_entrants(of); i++) {
        const struct season_entrant *entrant = season_entrant(of, i);

        fprintf(out, "%s %d %d %" PRIu64 " %d %d\n", entrant->name, entrant->state, entrant->late,
                is_whole ? entrant->act : 0, entrant->meetings, entrant->byes);
    }
    write_meetings(out, of, is_whole);
    write_standings(out, of);
    MUST(fclose(out) == 0, "memory");
    return text;
}

static void must_agree(const char *what, const char *one, const char *other)
{
    size_t line = 0, i = 0;

    while (one[i] != '\0' && one[i] == other[i]) {
        i++;
        line = one[i - 1] == '\n' ? i : line;
    }
    MUST(one[i] == other[i], "%s:\n  %.*s\n  %.*s", what, (int)strcspn(one + line, "\n"),
         one + line, (int)strcspn(other + line, "\n"), other + line);
}

void __real_director_destroy(struct director *director);
void __wrap_director_destroy(struct director *director);

/* A run ends: its season is kept. */
void __wrap_director_destroy(struct director *director)
{
    free(world.last);
    world.last = director == NULL || director_season(director) == NULL
                     ? NULL
                     : digest(director_season(director), true);
    __real_director_destroy(director);
}

/* ------------------------------------------------------------------ acts of the director */

static const char *some_name(const struct season *season, bool is_out)
{
    int count = season_entrants(season);

    for (int i = 0; is_out && i < count; i++) {
        if (season_entrant(season, i)->state != SEASON_IN && draw(2) == 0) {
            return season_entrant(season, i)->name;
        }
    }
    return season_entrant(season, (int)draw((uint32_t)count))->name;
}

/* Mostly an open meeting; winner: one of its entrants. */
static uint32_t some_meeting(const struct season *season, const char **winner)
{
    uint32_t count = (uint32_t)season_meetings(season), at = draw(count + 2);

    for (uint32_t i = count; draw(2) == 0 && i > 0; i--) {
        if (season_meeting(season, i - 1)->end == SEASON_OPEN && draw(2) == 0) {
            at = i;
            break;
        }
    }
    if (at >= 1 && at <= count && season_meeting(season, at - 1)->end != SEASON_BYE) {
        const struct meeting *meeting = &season_meeting(season, at - 1)->meeting;

        *winner = season_entrant(season, draw(2) == 0 ? meeting->a : meeting->b)->name;
    }
    return at;
}

static void name_units(struct act *out, const struct season *season, uint32_t meeting)
{
    struct season_fixture f;

    if (season_fixtures(season) == 0 || draw(2) == 0) {
        snprintf(out->subject, sizeof out->subject, "meeting=%u", meeting);
        return;
    }
    season_fixture(&f, season, draw((uint32_t)season_fixtures(season)));
    snprintf(out->subject, sizeof out->subject, "pair=%s|%s|%" PRIu64,
             season_entrant(season, f.a)->name, season_entrant(season, f.b)->name, f.pair);
}

static void some_act(struct act *out, const struct season *season)
{
    static const enum act_kind kinds[] = {
        ACT_WITHDRAW, ACT_REINSTATE, ACT_REINSTATE, ACT_REINSTATE,  ACT_ABSENT, ACT_WALKOVER,
        ACT_VOID,     ACT_REPLAY,    ACT_REPLAY,    ACT_ADJUDICATE, ACT_NOTE,   ACT_LATE_ENTER,
        ACT_ENTER,    ACT_CONDITION, ACT_CONDITION, ACT_CONDITION};
    static const char *const scores[] = {"1", "0.5", "0", "1"};
    static const char *const terms[] = {"cube=off", "length=2", "jacoby=off", "cube=on"};
    enum act_kind kind = kinds[draw(sizeof kinds / sizeof *kinds)];
    const char *bot = some_name(season, kind == ACT_REINSTATE), *winner = bot;
    uint32_t meeting = some_meeting(season, &winner);

    *out = (struct act){.number = 0};
    desk_sign_act(out);
    snprintf(out->kind, sizeof out->kind, "%s", act_rules[kind].name);
    snprintf(out->reason, sizeof out->reason, "so decided");
    switch (kind) {
    case ACT_WALKOVER:
        snprintf(out->subject, sizeof out->subject, "meeting=%u bot=%s", meeting,
                 draw(6) == 0 ? "-" : winner);
        break;
    case ACT_VOID:
    case ACT_REPLAY:
        name_units(out, season, meeting);
        break;
    case ACT_ADJUDICATE:
        snprintf(out->subject, sizeof out->subject, "meeting=%u score=%s", meeting,
                 scores[draw(4)]);
        break;
    case ACT_CONDITION:
        snprintf(out->subject, sizeof out->subject, "between=%s,%s %s", bot,
                 some_name(season, false), terms[draw(4)]);
        break;
    case ACT_NOTE:
        if (world.may_close && draw(2) == 0) {
            snprintf(out->kind, sizeof out->kind, "close");
        }
        snprintf(out->subject, sizeof out->subject, "-");
        break;
    case ACT_LATE_ENTER:
        bot = world.bots[world.event.bot_count].name; /* "" if there is none */
        /* fall through */
    default:
        snprintf(out->subject, sizeof out->subject, "bot=%s", bot);
    }
}

/* While the event runs, in place of its socket: the same callback of the loop. */
static void act_now(void *user, int64_t now_ns)
{
    struct live_desk *desk = user;
    struct desk_wish wish = {.dry_run = draw(8) == 0, .json = draw(2) == 0};
    struct bg_error err = {.text = ""};
    char *answer = NULL;
    enum bg_status status;

    if (now_ns > IDLE_NS) {
        fail("the run stands still; its season:\n%s",
             digest(director_season(desk->director), true));
    }
    if (world.acts_left > 0 && director_has_begun(desk->director)) {
        some_act(&wish.act, director_season(desk->director));
        if (strcmp(wish.act.kind, "late-enter") != 0) { /* its bot is not in this run */
            status = live_desk_act(desk, &wish, &answer, &err);
            MUST(status == BG_OK || status == BG_E_ARGUMENT || status == BG_E_TIMEOUT ||
                     (status == BG_E_STORE && strstr(err.text, "sim:") != NULL),
                 "%s %s: %s", wish.act.kind, wish.act.subject, err.text);
            totals.live += status == BG_OK && !wish.dry_run;
            totals.of_kind[act_kind_read(wish.act.kind)] += status == BG_OK && !wish.dry_run;
            totals.refused += status == BG_E_ARGUMENT || status == BG_E_TIMEOUT;
            world.acts_left -= status == BG_OK && !wish.dry_run;
            free(answer);
        }
    }
    loop_after(world.loop, 1 + (int64_t)draw((uint32_t)(2 * world.act_ns)), act_now, desk);
}

void __wrap_live_desk_open(struct live_desk *desk, struct loop *loop, const char *results);

void __wrap_live_desk_open(struct live_desk *desk, struct loop *loop, const char *results)
{
    world.loop = loop;
    /* without acts too: it sees a run that stands still */
    if (director_pairs(desk->director)) {
        loop_after(loop, 1 + (int64_t)draw((uint32_t)(2 * world.act_ns)), act_now, desk);
    }
}

static struct season *load(bool is_checked)
{
    struct season *season = NULL;
    struct store *store;
    struct bg_error err = {.text = ""};
    enum bg_status status = store_sqlite_open(&store, "sim.db", &err);

    if (status == BG_OK) {
        status = is_checked ? season_load_checked(&season, store, &err)
                            : season_load(&season, store, &err);
    }
    MUST(status == BG_OK, "after %" PRIu64 " runs the journal does not load%s: %s", world.runs,
         is_checked ? " with checks" : "", err.text);
    return season;
}

/* Returns whether the act was taken. */
static bool take(const struct season *season, const struct act *act)
{
    const struct desk desk = {.store = sim_store(), .season = season};
    struct desk_deed *deed = NULL;
    struct bg_error err = {.text = ""};
    enum bg_status status = desk_prepare(&deed, &desk, act, &err);

    MUST(status == BG_OK || status == BG_E_ARGUMENT, "%s %s: %s", act->kind, act->subject,
         err.text);
    if (status == BG_OK) {
        size_t pairs;

        desk_deed_pairs(&pairs, deed);
        totals.set_aside += pairs;
        MUST(desk_store(deed, &desk, &err) == BG_OK, "%s %s: %s", act->kind, act->subject,
             err.text);
        totals.between++;
        totals.of_kind[act_kind_read(act->kind)]++;
        world.event.bot_count += strcmp(act->kind, "late-enter") == 0;
    }
    totals.refused += status != BG_OK;
    desk_deed_destroy(deed);
    return status == BG_OK;
}

/* Between two runs; returns how many acts were taken. */
static int act_between(void)
{
    int taken = 0;

    for (uint32_t tries = draw(6); tries > 0 && world.acts_left > 0; tries--) {
        struct season *season = load(false);
        struct act act;

        if (season_acts_taken(season) > 0) {
            some_act(&act, season);
            if (take(season, &act)) {
                taken++;
                world.acts_left--;
            }
        }
        season_destroy(season);
    }
    return taken;
}

/* Nobody is left to play, or too few: brings everybody back; if nobody can come, ends the event. */
static void help_on(void)
{
    struct season *season = load(false);
    struct act act = {.reason = "so decided"};
    bool helped = false;

    MUST(world.acts || world.event.absent_unplayed,
         "run %" PRIu64 " has ended, but the event is not over", world.runs);
    desk_sign_act(&act);
    for (size_t i = 0; i < season_meetings(season); i++) {
        if (season_meeting_is_bare(season, i)) {
            snprintf(act.kind, sizeof act.kind, "adjudicate");
            snprintf(act.subject, sizeof act.subject, "meeting=%zu score=1", i + 1);
            MUST(take(season, &act), "a bare meeting cannot be adjudicated");
            helped = true;
            season_destroy(season);
            season = load(false);
        }
    }
    for (int i = 0; i < season_entrants(season); i++) {
        const char *name = season_entrant(season, i)->name;
        enum sim_kind kind = sim_kind_of(name);

        if (season_entrant(season, i)->state != SEASON_IN && kind != SIM_ABSENT &&
            kind != SIM_UNREADY) {
            snprintf(act.kind, sizeof act.kind, "reinstate");
            snprintf(act.subject, sizeof act.subject, "bot=%s", name);
            helped |= take(season, &act);
            season_destroy(season);
            season = load(false);
        }
    }
    if (!helped) {
        snprintf(act.kind, sizeof act.kind, "close");
        snprintf(act.subject, sizeof act.subject, "-");
        MUST(take(season, &act), "the event does not end, and cannot be closed");
        totals.closed++;
    }
    season_destroy(season);
}

/* ------------------------------------------------------------------ one event */

static bool is_over(void)
{
    struct season *season = load(false);
    bool over = season_is_over(season) || season_is_closed(season);

    season_destroy(season);
    return over;
}

static void play(void)
{
    const struct tournament_run run = {.event = &world.event, .command = "sim", .quiet = true};

    for (world.runs = 0;;) {
        struct bg_error err = {.text = ""};
        int status;

        MUST(world.runs < RUNS_MAX, "it never comes to an end");
        sim_new_run(world.runs < RUNS_ROUGH);
        sim_hear();
        status = tournament_run(&run, &err);
        world.runs++;
        MUST(status == EXIT_DONE || status == EXIT_UNPLAYED || strstr(err.text, "sim:") != NULL,
             "run %" PRIu64 ": status %d: %s", world.runs, status, err.text);
        if (status != EXIT_DONE && status != EXIT_UNPLAYED) {
            act_between();
        } else if (!is_over()) {
            help_on();
        } else if (act_between() == 0) {
            break;
        }
    }
    totals.runs += world.runs;
}

static bool count_end(void *user, const struct store_game *game)
{
    *(int *)user += game->match_over;
    return true;
}

/* Whether each leg that counts has a result, and none has two. */
static void check_legs(const struct season *season)
{
    for (uint64_t i = 0; i < season_fixtures(season); i++) {
        struct season_fixture f;
        const char *a, *b;
        int ends = 0;

        season_fixture(&f, season, i);
        a = season_entrant(season, f.a)->name;
        b = season_entrant(season, f.b)->name;
        MUST(store_leg_games(sim_store(), a, b, f.pair, f.leg, count_end, &ends, NULL) == BG_OK,
             "reading");
        MUST(ends <= 1, "%s|%s|%" PRIu64 "|%d has %d ends", a, b, f.pair, f.leg, ends);
        MUST(ends == 1 || season_fixture_is_void(season, i) || !season_is_over(season),
             "the event is over, and %s|%s|%" PRIu64 "|%d was not played", a, b, f.pair, f.leg);
        totals.legs += (uint64_t)ends;
    }
}

static void check_games(const struct season *season, const struct verify_sum *sum)
{
    const struct sim_counts *counts = sim_counts();

    check_legs(season);
    MUST(counts->games_twice == 0, "%" PRIu64 " games were played again that were not lost",
         counts->games_twice);
    MUST(counts->games_put == sum->games + sum->set_aside + counts->games_lost,
         "%" PRIu64 " games put, %" PRIu64 " there, %" PRIu64 " set aside, %" PRIu64 " lost",
         counts->games_put, sum->games, sum->set_aside, counts->games_lost);
}

static void check(void)
{
    static struct verify_key key;
    struct verify_options options = {.keys = &key, .key_count = 1, .event = world.event.name};
    struct verify_sum sum;
    struct bg_error err = {.text = ""};
    struct season *checked = load(true), *loaded = load(false);
    char *proved = digest(checked, true), *believed = digest(loaded, true);

    MUST(world.last != NULL, "the last run had no season");
    must_agree("the last run's season, and that of its journal", world.last, proved);
    must_agree("the season with and without checks", proved, believed);
    bg_dice_key_from_seed(&key.key, world.event.seed);
    bg_dice_key_digest(key.digest, &key.key);
    key.is_known = true;
    MUST(verify_store(&sum, sim_store(), &options, &err) == BG_OK, "verify: %s", err.text);
    MUST(sum.acts == season_acts_taken(checked) && sum.acts > 0, "%" PRIu64 " rows", sum.acts);
    MUST(sum.open_legs == 0 || world.acts || world.event.absent_unplayed,
         "%" PRIu64 " legs are open", sum.open_legs);
    MUST(sum.derived == sum.rolls, "%" PRIu64 " of %" PRIu64 " rolls are derived from the key",
         sum.derived, sum.rolls);
    check_games(checked, &sum);
    totals.games += sum.games;
    totals.rows += sum.acts;
    free(proved);
    free(believed);
    season_destroy(checked);
    season_destroy(loaded);
}

/* ------------------------------------------------------------------ two events compared */

struct rows {
    char *row[ROWS]; /* owned */
    size_t count;
};

static bool keep_row(void *user, const struct act *act)
{
    struct rows *rows = user;
    size_t size = sizeof *act;

    MUST(rows->count < ROWS, "too many rows");
    rows->row[rows->count] = malloc(size);
    snprintf(rows->row[rows->count++], size, "%s %s %s", act->kind, act->subject, act->reason);
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The rows without number, time and hash, sorted: results come in another order. Then what the
 * season shows. The caller frees it. */
static char *outcome(void)
{
    static struct rows rows;
    char *text = NULL, *shown;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct season *season = load(false);

    rows.count = 0;
    MUST(store_all_acts(sim_store(), keep_row, &rows, NULL) == BG_OK, "no rows");
    qsort(rows.row, rows.count, sizeof *rows.row, by_text);
    for (size_t i = 0; i < rows.count; i++) {
        fprintf(out, "%s\n", rows.row[i]);
        free(rows.row[i]);
    }
    shown = digest(season, false);
    fputs(shown, out);
    MUST(fclose(out) == 0, "memory");
    free(shown);
    season_destroy(season);
    return text;
}

/* Plays and checks an event; returns its outcome. */
static char *play_one(const struct sim_plan *plan)
{
    const struct sim_counts *counts = sim_counts();
    char *text;

    sim_begin(plan);
    play();
    check();
    text = outcome();
    totals.counts.plugs += counts->plugs;
    totals.counts.machines += counts->machines;
    totals.counts.full_disks += counts->full_disks;
    totals.counts.games_lost += counts->games_lost;
    totals.counts.acts_refused += counts->acts_refused;
    totals.counts.acts_torn += counts->acts_torn;
    free(world.last);
    world.last = NULL;
    sim_store_forget();
    sim_end();
    return text;
}

/* ------------------------------------------------------------------ one world */

static void draw_bots(bool all_start)
{
    int count = world.form->least + (int)draw((uint32_t)(world.form->most - world.form->least + 1));
    bool strict = draw(3) == 0;

    if (draw(2) == 0) { /* large ones take long */
        count = world.form->least + (count - world.form->least) / 3;
    }
    world.event.bots = world.bots;
    world.event.bot_count = count - world.has_late;
    memset(world.bots, 0, sizeof world.bots);
    for (int i = 0; i < count; i++) {
        enum sim_kind kind =
            i < 2 || strict || draw(3) == 0 ? SIM_HONEST : (enum sim_kind)draw(SIM_EXACT);

        if (i > 2 && !all_start && draw(10) == 0) {
            kind = draw(2) == 0 ? SIM_ABSENT : SIM_UNREADY;
        }
        snprintf(world.bots[i].name, sizeof world.bots[i].name, "%s%d", sim_kind_names[kind], i);
        snprintf(world.bots[i].cmd, sizeof world.bots[i].cmd, "sim");
    }
}

static void draw_event(void)
{
    static const int lengths[] = {0, 0, 1, 3};
    struct config_event *event = &world.event;

    event->rules = bg_rules_default(bg_variant_find("backgammon"), lengths[draw(4)]);
    snprintf(event->name, sizeof event->name, "season");
    snprintf(event->results, sizeof event->results, "sim.db");
    snprintf(event->seeds, sizeof event->seeds, draw(2) == 0 ? "entry" : "lot");
    event->pairs = 1;
    event->duplicate = draw(4) != 0;
    event->ceiling_ns = 200 * MS_NS;
    event->start_ns = 40 * MS_NS;
    event->has_seed = true;
    event->seed = world.seed;
    event->concurrency = 2 + (int)draw(12);
    event->instances = 1 + (int)draw(3);
}

/* The text as an event file gives it. */
static void settle_schedule(void)
{
    static struct plan plan;
    struct bg_error err = {.text = ""};

    if (plan_read(&plan, world.form->schedule, world.event.pairs, &err) != BG_OK) {
        fail("%s", err.text);
    }
    plan_write(world.event.schedule, &plan);
}

static void draw_world(uint64_t seed)
{
    bool all_start;

    world = (struct world){.seed = seed, .state = seed * 7919 + 17, .form = &forms[seed % FORMS]};
    draw(2);
    config_event_init(&world.event);
    world.acts = !world.form->is_fixed || draw(2) == 0;
    world.has_late = world.acts && draw(3) == 0;
    world.acts_left = world.acts ? (int)draw(25) : 0;
    world.act_ns = (int64_t)(5 + draw(100)) * MS_NS;
    all_start = !world.acts && draw(2) == 0;
    draw_event();
    draw_bots(all_start);
    settle_schedule();
    world.may_close = draw(2) == 0;
    if (draw(3) == 0) {
        snprintf(world.event.conditions, sizeof world.event.conditions, "%s,%s cube=off%s",
                 world.bots[0].name, world.bots[1].name,
                 world.event.rules.length_points > 0 ? " length=2" : "");
    }
    world.event.absent_unplayed = !all_start;
    world.event.quarantine = world.acts ? 2 + (int)draw(6) : 1000000;
    world.plan = (struct sim_plan){
        .seed = seed,
        .rate = 20 + (int)draw(400),
        .late_ns = 150 * MS_NS,
        .hangs = true,
        .interrupt_every_ns = (int64_t)(30 + draw(600)) * MS_NS,
        .machine_dies_every = 1 + (int)draw(4),
        .sync_ns = (int64_t)draw(60) * MS_NS,
        .stumble = world.acts && draw(2) == 0 ? 2 + (int)draw(6) : 0,
        .store_fails_every = draw(3) == 0 ? 20 + (int)draw(40) : 0,
        .acts_fail_every = draw(2) == 0 ? 1 + (int)draw(draw(2) == 0 ? 4 : 20) : 0,
    };
}

static void play_world(uint64_t seed)
{
    char *rough, *calm;

    draw_world(seed);
    rough = play_one(&world.plan);
    if (!world.acts && world.form->is_fixed) {
        struct sim_plan plan = world.plan;

        plan.interrupt_every_ns = plan.store_fails_every = plan.acts_fail_every = 0;
        world.event.concurrency = world.event.instances = 1;
        calm = play_one(&plan);
        MUST(world.runs == 1, "the undisturbed event took %" PRIu64 " runs", world.runs);
        must_agree("the undisturbed event, and the disturbed one", calm, rough);
        free(calm);
        totals.compared++;
    }
    free(rough);
    totals.worlds++;
    totals.by_form[seed % FORMS]++;
}

/* The form's words, joined: a line is a name and a count. */
static void print_form(const struct form *form, uint64_t worlds)
{
    printf("form.");
    for (const char *c = form->schedule; *c != '\0'; c++) {
        putchar(*c == ' ' ? '_' : *c);
    }
    printf(" %" PRIu64 "\n", worlds);
}

static void print_totals(void)
{
    const struct sim_counts *counts = &totals.counts;

    printf("worlds %" PRIu64 "\ngames %" PRIu64 "\nruns %" PRIu64 "\nrows %" PRIu64 "\n",
           totals.worlds, totals.games, totals.runs, totals.rows);
    printf("compared %" PRIu64 "\nacts.live %" PRIu64 "\nacts.between %" PRIu64
           "\nacts.refused %" PRIu64 "\nacts.set_aside %" PRIu64 "\nclosed %" PRIu64 "\n",
           totals.compared, totals.live, totals.between, totals.refused, totals.set_aside,
           totals.closed);
    printf("plugs %" PRIu64 "\nmachines %" PRIu64 "\nfull_disks %" PRIu64 "\ngames_lost %" PRIu64
           "\nacts_refused %" PRIu64 "\nacts_torn %" PRIu64 "\n",
           counts->plugs, counts->machines, counts->full_disks, counts->games_lost,
           counts->acts_refused, counts->acts_torn);
    for (int i = 0; i < ACT_KINDS; i++) {
        if (totals.of_kind[i] > 0) {
            printf("act.%s %" PRIu64 "\n", act_rules[i].name, totals.of_kind[i]);
        }
    }
    for (size_t i = 0; i < FORMS; i++) {
        print_form(&forms[i], totals.by_form[i]);
    }
}

int main(int argc, char **argv)
{
    uint64_t worlds = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int out = sim_hush();

    for (uint64_t seed = first; seed < first + worlds; seed++) {
        play_world(seed);
    }
    sim_speak(out);
    print_totals();
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
