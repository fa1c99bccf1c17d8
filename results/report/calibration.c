/* How good the chances are that bots told: of the games that a bot gave 70 %, does it win 70 %?
 *
 * Decisions of one game are won or lost together, so games are the clusters: an interval from the
 * decisions would be several times too short. A chance is told without regard to the cube; games
 * that end by a pass count as lost for who passed, which the note says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "numbers/significance.h"
#include "record/game_id.h"
#include "record/record_lookup.h"
#include "section.h"
#include "store/store.h"

enum {
    BINS = 10,
    LEGS_LOOKED = 2,  /* of each bot, to see whether it tells anything */
    LEGS_MOST = 2000, /* that are read, evenly over the event: a page is not to take seconds */
    LINES = 8         /* bots that are drawn */
};

/* A mean over decisions, by game: sums of n, x and their products, n decisions with the sum x. */
struct cluster_sum {
    double games, n, x, nn, xx, nx;
};

struct calibrated {
    bool tells;
    int looked; /* legs */
    /* (told - won)^2; won - told; won; told. The last BIN is all. */
    struct cluster_sum brier, off[BINS + 1];
    double won[BINS + 1], told[BINS + 1];
};

struct chance_reading {
    struct calibrated *bots;
    const struct leg *leg;
    bool only_looks;
    double n[2][BINS + 1], told[2][BINS + 1], square[2]; /* of the game, by seat */
};

/* ------------------------------------------------------------------------ sums */

static void cluster_add(struct cluster_sum *sum, double n, double x)
{
    if (n > 0.0) {
        sum->games++;
        sum->n += n;
        sum->x += x;
        sum->nn += n * n;
        sum->xx += x * x;
        sum->nx += n * x;
    }
}

static double cluster_mean(const struct cluster_sum *sum)
{
    return sum->n > 0.0 ? sum->x / sum->n : NAN;
}

/* Half the width of its 95 % interval; NaN with fewer than two games. */
static double cluster_error(const struct cluster_sum *sum)
{
    const double mean = cluster_mean(sum);
    const double rest = sum->xx - 2.0 * mean * sum->nx + mean * mean * sum->nn;

    return sum->games < 2.0 ? NAN
                            : student_t95(sum->games - 1.0) *
                                  sqrt(fmax(rest, 0.0) * sum->games / (sum->games - 1.0)) / sum->n;
}

/* ------------------------------------------------------------------------ reading */

static void take_chance(void *user, int seat, double win)
{
    struct chance_reading *reading = user;
    const int bin = win < 1.0 ? (int)(win * BINS) : BINS - 1;

    reading->n[seat][bin]++;
    reading->n[seat][BINS]++;
    reading->told[seat][bin] += win;
    reading->told[seat][BINS] += win;
    reading->square[seat] += win * win;
}

static void count_seat(struct calibrated *bot, const struct chance_reading *reading, int seat,
                       double won)
{
    const double n = reading->n[seat][BINS], told = reading->told[seat][BINS];

    cluster_add(&bot->brier, n, reading->square[seat] - 2.0 * won * told + won * won * n);
    for (int bin = 0; bin <= BINS; bin++) {
        cluster_add(&bot->off[bin], reading->n[seat][bin],
                    won * reading->n[seat][bin] - reading->told[seat][bin]);
        bot->won[bin] += won * reading->n[seat][bin];
        bot->told[bin] += reading->told[seat][bin];
    }
}

/* A game that a fault has ended says nothing of its chances. */
static bool take_game(void *user, const struct store_game *game)
{
    struct chance_reading *reading = user;

    if (game->end == BG_END_FAULT || game->text == NULL) {
        return true;
    }
    memset(reading->n, 0, sizeof reading->n);
    memset(reading->told, 0, sizeof reading->told);
    memset(reading->square, 0, sizeof reading->square);
    record_lookup_chances(game->text, game->text_size, take_chance, reading);
    for (int seat = 0; seat < 2; seat++) {
        const int side = game_id_bot_at(game->leg, seat);
        struct calibrated *bot = &reading->bots[side == 0 ? reading->leg->a : reading->leg->b];

        if (reading->n[seat][BINS] > 0.0) {
            bot->tells = true;
            if (!reading->only_looks) {
                count_seat(bot, reading, seat,
                           game->winner < 0       ? 0.5
                           : game->winner == side ? 1.0
                                                  : 0.0);
            }
        }
    }
    return true;
}

static void read_leg(struct report *report, struct chance_reading *reading, const struct leg *leg)
{
    const struct event_results *results = &report->gather->results;

    reading->leg = leg;
    if (report->status == BG_OK) {
        report->status = store_leg_games(results->store, results->tally.bot[leg->a].name,
                                         results->tally.bot[leg->b].name, leg->pair, leg->leg,
                                         take_game, reading, report->err);
    }
}

/* Most events have no thoughts: a few legs of each bot tell. Returns how many legs have some. */
static size_t look(struct report *report, struct chance_reading *reading)
{
    const struct legs *legs = &report->gather->legs;
    size_t count = 0;

    reading->only_looks = true;
    for (size_t first = 0, end; first < legs->count; first = end) {
        struct calibrated *a = &reading->bots[legs->leg[first].a];
        struct calibrated *b = &reading->bots[legs->leg[first].b];

        end = legs_encounter_end(legs, first);
        for (size_t i = first; i < end && (a->looked < LEGS_LOOKED || b->looked < LEGS_LOOKED);
             i++) {
            a->looked++;
            b->looked++;
            read_leg(report, reading, &legs->leg[i]);
        }
    }
    for (size_t i = 0, end; i < legs->count; i = end) {
        end = legs_encounter_end(legs, i);
        if (reading->bots[legs->leg[i].a].tells || reading->bots[legs->leg[i].b].tells) {
            count += end - i;
        }
    }
    return count;
}

/* Returns how many legs were read. */
static size_t read_all(struct report *report, struct chance_reading *reading, size_t telling)
{
    const struct legs *legs = &report->gather->legs;
    const size_t most = telling < LEGS_MOST ? telling : LEGS_MOST;
    size_t number = 0, read = 0;

    reading->only_looks = false;
    for (size_t i = 0; i < legs->count && read < most; i++) {
        const struct leg *leg = &legs->leg[i];

        if (!reading->bots[leg->a].tells && !reading->bots[leg->b].tells) {
            continue;
        }
        if (number++ >= read * telling / most) {
            read_leg(report, reading, leg);
            read++;
        }
    }
    return read;
}

/* ------------------------------------------------------------------------ the tables */

enum { BOT, STEP, GAMES, DECISIONS, TOLD, WON, OFF, OFF_ERROR, BRIER, BRIER_ERROR, COLUMNS };

static const struct doc_column columns[COLUMNS] = {
    [BOT] = {"bot", "Bot", .bot = true},
    [STEP] = {"step", "Step"},
    [GAMES] = {"games", "Games with chances"},
    [DECISIONS] = {"decisions", "Chances told"},
    [TOLD] = {"told", "Told", "%", .decimals = 1},
    [WON] = {"won", "Won then", "%", .decimals = 1},
    [OFF] = {"off", "Won - told", "points", .decimals = 1, .sign = true},
    [OFF_ERROR] = {"off_error", "Won \u00b1", "points", .decimals = 1},
    [BRIER] = {"brier", "Brier score", .decimals = 4},
    [BRIER_ERROR] = {"brier_error", "Brier \u00b1", .decimals = 4},
};

static void calibrated_row(struct report *report, struct doc_table *table, int bot,
                           const struct calibrated *of, int bin)
{
    const struct cluster_sum *off = &of->off[bin];

    doc_row(table);
    doc_text(table, BOT, section_bot(report, bot));
    doc_number(table, GAMES, off->games);
    doc_number(table, DECISIONS, off->n);
    doc_number(table, TOLD, 100.0 * of->told[bin] / off->n);
    doc_number(table, WON, 100.0 * of->won[bin] / off->n);
    doc_number(table, OFF, 100.0 * cluster_mean(off));
    doc_number(table, OFF_ERROR, 100.0 * cluster_error(off));
}

static void draw(struct report *report, const struct calibrated *bots)
{
    struct doc_table *table = doc_table(report->doc, "calibration_bins",
                                        "By what was told, in steps of 10 %", columns, BRIER);
    struct doc_plot *plot;
    int lines = 0;

    for (int i = 0; i < report->count; i++) {
        const struct calibrated *bot = &bots[report->order[i]];

        for (int bin = 0; bin < BINS; bin++) {
            if (bot->off[bin].n > 0.0) {
                calibrated_row(report, table, report->order[i], bot, bin);
                doc_say(table, STEP, "%d to %d %%", 100 / BINS * bin, 100 / BINS * (bin + 1));
            }
        }
        lines += bot->tells;
    }
    table->head = STEP;
    table->data = lines > 2; /* the drawing has what a person can take in */
    plot = doc_plot(report->doc, DOC_PLOT_COURSE, table,
                    doc_format(report->doc, "Won more or less than told, in points of percent%s",
                               lines > LINES ? ", the first eight bots" : ""));
    plot->label = BOT;
    plot->series[0] = (struct doc_series){.name = "told", .value = TOLD};
    plot->series[1] = (struct doc_series){.name = "off", .value = OFF, .error = OFF_ERROR};
    plot->series_count = 2;
    plot->axis[0] = "chance to win that was told, %";
    plot->axis[1] = "won more than told, points";
    plot->zero = 0.0;
}

static void summarise(struct report *report, const struct calibrated *bots)
{
    struct doc_table *table =
        doc_table(report->doc, "calibration", "The chances that bots told", columns, COLUMNS);

    for (int i = 0; i < report->count; i++) {
        const struct calibrated *bot = &bots[report->order[i]];

        if (bot->off[BINS].n > 0.0) {
            calibrated_row(report, table, report->order[i], bot, BINS);
            doc_number(table, BRIER, cluster_mean(&bot->brier));
            doc_number(table, BRIER_ERROR, cluster_error(&bot->brier));
        }
    }
}

void section_calibration(struct report *report)
{
    const struct gather *gather = report->gather;
    struct chance_reading reading = {.leg = NULL};
    size_t telling, read;

    if (gather->legs.count == 0 || gather->running) {
        return;
    }
    reading.bots = memory_zeroed((size_t)gather->results.tally.bots, sizeof *reading.bots);
    telling = look(report, &reading);
    if (telling > 0) {
        read = read_all(report, &reading, telling);
        doc_section(report->doc, "calibration", "What the bots thought");
        summarise(report, reading.bots);
        draw(report, reading.bots);
        doc_note(report->doc,
                 "A bot is calibrated if it wins 70 %% of the games that it gives 70 %%. Brier "
                 "score: mean square of chance told minus result (1 won, 0 lost); 0.25 is a coin. "
                 "\u00b1 is 95 %% (Student) with the games as clusters, because the decisions of "
                 "one game are won together. Games that ended by a fault are left out. Chances "
                 "are told as against an equal: a stronger bot wins more than it tells. They are "
                 "told without the cube: who passes loses a game in which it still had some.%s",
                 read < telling
                     ? doc_format(report->doc, " Read: %zu of %zu matches or money games, evenly.",
                                  read, telling)
                     : "");
    }
    free(reading.bots);
}
