#include "events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "season/circle.h"
#include "season/knockout.h"
#include "season/ladder.h"
#include "season/league.h"
#include "season/swiss.h"
#include <numbers/rating.h>
#include <numbers/sprt.h>

enum { MEETINGS = 400, LENGTHS_TRIED = 3, LOOK_FROM = 20, PER_BOT = 5, CUP_TAKES = 2 };

static const double MONEY_STEP = 0.6; /* points a game: what one logit is in matches */

/* One event while it is played. */
struct event {
    struct world *world;
    int seed[BOTS];                                    /* entrant -> bot */
    struct encounter total[BOTS][BOTS][LENGTHS_TRIED]; /* a < b */
    struct entrant entrant[BOTS];
    struct meeting meeting[MEETINGS];
    struct history history;
    double rating[BOTS]; /* league: by entrant */
    uint64_t results;
};

static const int lengths_tried[LENGTHS_TRIED] = {1, 3, 7};

void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "campaign_coverage: %s\n", what);
        exit(2);
    }
}

static double place_of(const struct world *world, struct draw *draw, int bot)
{
    int bots = world->scenario->bots;
    double far = world->scenario->length == 0 ? 2 : 4;
    double even = bots == 2 ? bot - 0.5 : 2 * draw_unit(draw) - 1; /* -1 .. 1 */

    switch (world->scenario->strengths) {
    case EQUAL:
        return 0;
    case WIDE:
        return 2 * even;
    case NORMAL:
        return draw_normal(draw);
    case TWO:
        return bot < bots / 2 ? 1 : -1;
    case FAR:
        return bot == 0 ? far : bot == bots - 1 ? -far : 0.5 * draw_normal(draw);
    case HOPELESS:
    case LUCKY:
        return bot == bots - 1 ? (world->scenario->length == 0 ? -3 : -6) : 0.5 * even;
    case UNBEATEN:
        return bot < 2 ? (world->scenario->length == 0 ? 3 : 6) : 0.5 * even;
    default:
        return 0.5 * even;
    }
}

static void set_strengths(struct world *world)
{
    const struct scenario *s = world->scenario;
    double logit = 2000 / log(10) / sqrt(s->length == 0 ? 1 : s->length);

    memset(world->met, 0, sizeof world->met);
    for (int i = 0; i < s->bots; i++) {
        snprintf(world->name[i], NAME, "bot%02d", i);
        world->strength[i] =
            (s->length == 0 ? MONEY_STEP : logit) * place_of(world, &world->draw, i);
    }
}

static bool may_meet(const struct scenario *s, int a, int b)
{
    return s->strengths != SPLIT || (a < s->bots / 2) == (b < s->bots / 2);
}

static double correlation_of(const struct scenario *s, int a, int b)
{
    return s->correlation > MIXED ? s->correlation : (a + b) % 2 == 0 ? -0.15 : -0.7;
}

static double chance_at(const struct world *world, int a, int b, int length)
{
    return rating_expected(world->strength[a] - world->strength[b], length);
}

double chance(const struct world *world, int a, int b)
{
    return chance_at(world, a, b, world->scenario->length);
}

/* Whether a wins each of the two legs. */
static void match_pair(bool won[2], struct world *world, int a, int b, int length)
{
    double p = chance_at(world, a, b, length), q = 1 - p;
    double both = p * p + correlation_of(world->scenario, a, b) * p * q;
    double x = draw_unit(&world->draw);

    both = fmax(both, fmax(0, 2 * p - 1));
    won[0] = x < p;
    won[1] = x < both || (x >= p && x < 2 * p - both);
}

/* Points of a game between equals, with gammons and a cube; heavy tails. */
static int money_points(struct world *world)
{
    double x = draw_unit(&world->draw), y = draw_unit(&world->draw);
    int level = x < 0.72 ? 1 : x < 0.985 ? 2 : 3;
    int cube = y < 0.40 ? 1 : y < 0.85 ? 2 : y < 0.97 ? 4 : 8;

    return draw_unit(&world->draw) < 0.5 ? level * cube : -level * cube;
}

/* The better side's lost games become won ones with some chance. */
static int lean(struct world *world, int points, double better)
{
    bool turn = draw_unit(&world->draw) < fabs(better) / MONEY_MEAN;

    return turn && (points > 0) != (better > 0) ? -points : points;
}

static void money_pair(int points[2], struct world *world, int a, int b)
{
    double better = world->strength[a] - world->strength[b];
    int first = money_points(world);
    bool mirrored = draw_unit(&world->draw) < -correlation_of(world->scenario, a, b);
    int second = mirrored ? -first : money_points(world);

    points[0] = lean(world, first, better);
    points[1] = lean(world, second, better);
}

static void add_leg(struct encounter *total, struct pair *pair, int length, int leg, int points)
{
    struct encounter_game game = {.leg = leg,
                                  .length_points = length,
                                  .winner = points > 0 ? 0 : 1,
                                  .points = abs(points),
                                  .level = 1,
                                  .end = BG_END_OFF,
                                  .turns = 50,
                                  .match_over = length > 0,
                                  .match_winner = points > 0 ? 0 : 1};

    encounter_add_game(total, pair, &game);
}

/* The beginner's lost games become won ones with some chance. */
static int begin(struct world *world, int points, int starter)
{
    bool turn = draw_unit(&world->draw) < world->scenario->starter;

    return turn && (points > 0) != (starter == 0) ? -points : points;
}

/* The legs in a store's order. The same seat begins both. */
static void note_leg(struct world *world, int a, int b, int pair, int leg, int starter, int points)
{
    double won = points > 0 ? 1 : 0;
    struct leg row = {.a = a,
                      .b = b,
                      .length_points = world->scenario->length,
                      .pair = (uint64_t)pair,
                      .leg = (int8_t)(leg),
                      .over = true,
                      .points = points,
                      .won = (float)(won),
                      .first = (float)(won),
                      .cube = 1,
                      .starter = (int8_t)(starter)};

    legs_add(&world->legs, &row);
}

/* Plays a pair. Returns a's legs won minus lost, or its net points. */
static int play_pair(struct event *event, int a, int b, int k, int size)
{
    struct world *world = event->world;
    const struct scenario *s = world->scenario;
    int length = s->form == LENGTHS ? lengths_tried[size] : s->length, points[2] = {0, 0}, net = 0;
    int seat = s->draws > 0 || s->starter > 0 ? (int)draw_below(&world->draw, 2) : -1;
    struct pair pair = {0};
    double lost = s->form == VOIDED ? draw_unit(&world->draw) : 1;
    bool won[2];

    if (lost < 0.05) { /* both legs were void */
        return 0;
    }
    if (length == 0) {
        money_pair(points, world, a, b);
    } else {
        match_pair(won, world, a, b, length);
        points[0] = won[0] ? length : -length;
        points[1] = won[1] ? length : -length;
    }
    for (int leg = 0; leg < 2 - (lost < 0.15); leg++) {
        if (seat >= 0) {
            points[leg] = begin(world, points[leg], seat ^ leg);
            note_leg(world, a, b, k, leg, seat ^ leg, points[leg]);
        }
        add_leg(&event->total[a][b][size], &pair, length, leg, points[leg]);
        net += length == 0 ? points[leg] : points[leg] > 0 ? 1 : -1;
    }
    world->met[a][b] = world->met[b][a] = true;
    return net;
}

/* Plays a meeting. Returns a's legs won minus lost, or its net points. */
static int play_meeting(struct event *event, int a, int b)
{
    const struct scenario *s = event->world->scenario;
    int low = a < b ? a : b, high = a < b ? b : a, net = 0;
    int size = s->form == LENGTHS ? (int)draw_below(&event->world->draw, LENGTHS_TRIED) : 0;

    for (int k = 0; k < s->pairs; k++) {
        net += play_pair(event, low, high, k, size);
    }
    return a < b ? net : -net;
}

/* Plays pairs until a sequential test decides. */
static void play_test(struct event *event)
{
    const struct scenario *s = event->world->scenario;
    double sum = 0, squares = 0, bounds = log(0.95 / 0.05);
    double even = s->length == 0 ? 0 : 0.5, more = s->length == 0 ? 0.3 : 0.55;

    for (int k = 0; k < s->pairs; k++) {
        double net = play_pair(event, 0, 1, k, 0) / 2.0, m = k + 1;
        double score = s->length == 0 ? net : (net + 1) / 2, mean = 0, llr = 0;

        sum += score;
        squares += score * score;
        mean = sum / m;
        if (k + 1 >= LOOK_FROM) {
            llr = sprt_normal(m, mean, squares / m - mean * mean, even, more);
            if (fabs(llr) >= bounds) {
                event->world->stopped = true;
                return;
            }
        }
    }
}

static void shuffle(struct event *event)
{
    int bots = event->world->scenario->bots;

    for (int i = 0; i < bots; i++) {
        int j = (int)draw_below(&event->world->draw, (uint64_t)i + 1);

        event->seed[i] = event->seed[j];
        event->seed[j] = i;
    }
}

/* Plays a paired meeting and adds it to the history. */
static void take(struct event *event, const struct meeting *paired)
{
    struct meeting *meeting = &event->meeting[event->history.meetings++];

    must(event->history.meetings <= MEETINGS, "meetings");
    *meeting = *paired;
    if (meeting->kind == MEETING_PLAYED) {
        int net = play_meeting(event, event->seed[meeting->a], event->seed[meeting->b]);

        if (net == 0 && event->world->scenario->form != SWISS) { /* one more leg that is not kept */
            net = draw_below(&event->world->draw, 2) == 0 ? 1 : -1;
        }
        meeting->score_a = net > 0 ? 1 : net < 0 ? 0 : 0.5;
        event->rating[meeting->a] += 100 * (meeting->score_a - 0.5);
        event->rating[meeting->b] -= 100 * (meeting->score_a - 0.5);
    }
    meeting->ended = ++event->results;
}

static void play_swiss(struct event *event, int rounds)
{
    for (int round = 1; round <= rounds; round++) {
        struct meeting out[BOTS];
        int count = swiss_round(out, &event->history, SWISS_LATE_NOTHING);

        for (int i = 0; i < count; i++) {
            take(event, &out[i]);
        }
    }
}

static void play_knockout(struct event *event)
{
    for (int count = 1; count > 0;) {
        struct meeting out[BOTS];

        count = knockout_next(out, NULL, &event->history, false);
        for (int i = 0; i < count; i++) {
            take(event, &out[i]);
        }
    }
}

/* A ladder or a league: meeting by meeting. */
static void play_on(struct event *event)
{
    const struct scenario *s = event->world->scenario;
    const struct ladder_options ladder = {2, false};
    const struct league_options league = {200, s->length == 0 ? 1 : s->length, false};
    const char *name[BOTS];
    struct league_field field = {name, event->rating, NULL, NULL};

    for (int i = 0; i < s->bots; i++) {
        name[i] = event->world->name[i];
    }
    for (int k = 0; k < PER_BOT * s->bots / 2; k++) {
        struct meeting next;

        must(s->form == LADDER ? ladder_next(&next, &event->history, NULL, &ladder)
                               : league_next(&next, &event->history, &field, &league),
             "no next meeting");
        take(event, &next);
    }
}

/* Two groups by seed, each a round robin; the best of each in a knockout. */
static void play_cup(struct event *event)
{
    int bots = event->world->scenario->bots, order[BOTS], wins[BOTS] = {0}, best[BOTS], taken = 0;

    for (int i = 0; i < bots; i++) {
        order[i] = event->seed[i];
        for (int j = i % 2; j < i; j += 2) {
            int net = play_meeting(event, event->seed[i], event->seed[j]);

            wins[i] += net > 0;
            wins[j] += net < 0;
        }
    }
    for (int place = 0; place < CUP_TAKES; place++) {
        for (int group = 0; group < 2; group++) {
            int top = -1;

            for (int i = group; i < bots; i += 2) {
                top = wins[i] >= 0 && (top < 0 || wins[i] > wins[top]) ? i : top;
            }
            wins[top] = -1;
            best[taken++] = top;
        }
    }
    for (int i = 0; i < taken; i++) {
        event->seed[i] = order[best[i]];
    }
    event->history.entrants = taken;
    play_knockout(event);
}

static void play_circle(struct event *event)
{
    const struct scenario *s = event->world->scenario;

    for (int a = 0; a < s->bots; a++) {
        for (int b = a + 1; b < s->bots; b++) {
            if (may_meet(s, a, b)) {
                play_meeting(event, a, b);
            }
        }
    }
}

/* The last bot wins its first match all the same. */
static void be_lucky(struct event *event)
{
    int last = event->world->scenario->bots - 1, length = event->world->scenario->length;
    struct pair pair = {0};

    if (event->world->scenario->strengths == LUCKY) {
        add_leg(&event->total[0][last][0], &pair, length, 0, length == 0 ? -4 : -length);
        event->world->met[0][last] = event->world->met[last][0] = true;
    }
}

void play(struct tally *tally, struct world *world)
{
    static struct event event;
    const struct scenario *s = world->scenario;

    event = (struct event){.world = world};
    world->stopped = false;
    event.history = (struct history){s->bots, event.entrant, 0, event.meeting};
    set_strengths(world);
    for (int i = 0; i < s->bots; i++) { /* also who never plays */
        tally_add_bot(tally, world->name[i]);
    }
    shuffle(&event);
    switch (s->form) {
    case SWISS:
        play_swiss(&event, PER_BOT);
        break;
    case LADDER:
    case LEAGUE:
        play_on(&event);
        break;
    case KNOCKOUT:
        play_knockout(&event);
        break;
    case CUP:
        play_cup(&event);
        break;
    case STOPPED:
        play_test(&event);
        break;
    default:
        play_circle(&event);
    }
    be_lucky(&event);
    for (int a = 0; a < s->bots; a++) {
        for (int b = a + 1; b < s->bots; b++) {
            for (int size = 0; size < LENGTHS_TRIED; size++) {
                const struct encounter *total = &event.total[a][b][size];
                int length = s->form == LENGTHS ? lengths_tried[size] : s->length;

                if (total->count[ENCOUNTER_GAMES] > 0) {
                    must(tally_add_encounter(tally, world->name[a], world->name[b], length, total,
                                             NULL) == BG_OK,
                         "tally");
                }
            }
        }
    }
}
