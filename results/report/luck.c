/* Plain beside luck-adjusted results, and luck against skill. Both units have the same rows but
 * other columns: points can be any number and have a bar, a chance ends at 0 and 1, so that its
 * interval is shown and not a bar which could reach beyond. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <base/memory.h>
#include <sums/adjusted.h>

#include "base/plural.h"
#include "section.h"
#include "tables/notes.h"
#include "tables/standing.h"

enum {
    NAME,
    RESULTS,
    CLUSTERS,
    PLAIN,
    PLAIN_BAR,
    PLAIN_LOW,
    PLAIN_HIGH,
    PLAIN_SE,
    ADJUSTED,
    ADJUSTED_BAR,
    ADJUSTED_LOW,
    ADJUSTED_HIGH,
    ADJUSTED_SE,
    UNCLIPPED,
    LUCK,
    LUCK_BAR,
    COEFFICIENT,
    RATIO,
    ROLL_LUCK,
    ROLL_SE,
    ITSELF,
    ITSELF_SE,
    OWN_RATIO,
    HEALTH,
    COLUMNS
};

#define TAIL_COLUMNS                                                                               \
    [NAME] = {"bot", "Bot", .bot = true}, [CLUSTERS] = {"clusters", .title = "Clusters"},          \
    [PLAIN_SE] = {"plain_se", "SE", .decimals = 4, .use = DOC_DATA},                               \
    [ADJUSTED_SE] = {"adjusted_se", "SE", .decimals = 4, .use = DOC_DATA},                         \
    [UNCLIPPED] = {"adjusted_unclipped", "As computed", .use = DOC_DATA},                          \
    [COEFFICIENT] = {"coefficient", "c", "fitted", .decimals = 2},                                 \
    [RATIO] = {"variance_ratio", "Variance", "plain/adj.", .decimals = 1},                         \
    [LUCK_BAR] = {"luck_bar", "\u00b1", "95 %", .decimals = 3},                                    \
    [ROLL_SE] = {"luck_per_roll_se", "SE", .decimals = 5, .use = DOC_DATA},                        \
    [ITSELF_SE] = {"itself_se", "SE", .decimals = 4, .use = DOC_DATA},                             \
    [OWN_RATIO] = {"own_ratio", "Without errors", .decimals = 1, .use = DOC_DATA},                 \
    [HEALTH] = {"health", .title = "Health"}

static const struct doc_column money_columns[COLUMNS] = {
    TAIL_COLUMNS,
    [RESULTS] = {"judged_legs", "Judged", .unit = "games"},
    [PLAIN] = {"plain", "Plain", "points/game", .decimals = 3, .sign = true},
    [PLAIN_BAR] = {"plain_bar", "\u00b1", "95 %", .decimals = 3},
    [ADJUSTED] = {"adjusted", "Luck-adjusted", "points/game", .decimals = 3, .sign = true},
    [ADJUSTED_BAR] = {"adjusted_bar", "\u00b1", "95 %", .decimals = 3},
    [PLAIN_LOW] = {"plain_low", "low", "95 %", .use = DOC_DATA},
    [PLAIN_HIGH] = {"plain_high", "high", "95 %", .use = DOC_DATA},
    [ADJUSTED_LOW] = {"adjusted_low", "low", "95 %", .use = DOC_DATA},
    [ADJUSTED_HIGH] = {"adjusted_high", "high", "95 %", .use = DOC_DATA},
    [ITSELF] = {"itself", "Judge itself", "points/game", .decimals = 4, .sign = true,
                .use = DOC_DATA},
    [LUCK] = {"luck", "Luck", "points/game", .decimals = 3, .sign = true},
    [ROLL_LUCK] = {"luck_per_roll", "Luck a roll", "points", .decimals = 4, .sign = true},
};

static const struct doc_column match_columns[COLUMNS] = {
    TAIL_COLUMNS,
    [RESULTS] = {"judged_legs", "Judged", .unit = "matches"},
    [PLAIN] = {"plain", "Plain", "won/match", .decimals = 3},
    [PLAIN_BAR] = {"plain_bar", "\u00b1", "95 %", .decimals = 3, .use = DOC_DATA},
    [ADJUSTED] = {"adjusted", "Luck-adjusted", "MWC/match", .decimals = 3},
    [ADJUSTED_BAR] = {"adjusted_bar", "\u00b1", "95 %", .decimals = 3, .use = DOC_DATA},
    [PLAIN_LOW] = {"plain_low", "low", "95 %", .decimals = 3},
    [PLAIN_HIGH] = {"plain_high", "high", "95 %", .decimals = 3},
    [ADJUSTED_LOW] = {"adjusted_low", "low", "95 %", .decimals = 3},
    [ADJUSTED_HIGH] = {"adjusted_high", "high", "95 %", .decimals = 3},
    [ITSELF] = {"itself", "Judge itself", "MWC/match", .decimals = 4, .use = DOC_DATA},
    [LUCK] = {"luck", "Luck", "MWC/match", .decimals = 3, .sign = true},
    [ROLL_LUCK] = {"luck_per_roll", "Luck a roll", "MWC", .decimals = 5, .sign = true},
};

static const char *health_words(unsigned health)
{
    return (health & LUCK_RESULTS_APART) != 0  ? "apart"
           : (health & LUCK_ROLLS_BIASED) != 0 ? "biased rolls"
           : (health & LUCK_JUDGE_WEAK) != 0   ? "weak judge"
           : (health & LUCK_UNCLEAR) != 0      ? "unclear"
           : (health & LUCK_SCALE_OFF) != 0    ? "off scale"
                                               : "good";
}

static void luck_row(struct doc_table *table, const struct report *report, int bot, unsigned health)
{
    const struct luck_summary *luck = &report->gather->judged.bot[bot].luck;
    struct luck_mean plain = luck_mean_shown(&luck->plain, luck->unit);
    struct luck_mean adjusted = luck_mean_shown(&luck->adjusted, luck->unit);
    bool small = luck->clusters < NOTES_SMALL_SAMPLE;

    doc_row(table);
    doc_text(table, NAME, section_bot(report, bot));
    doc_number(table, RESULTS, luck->results);
    doc_number(table, CLUSTERS, luck->clusters);
    doc_number(table, PLAIN, plain.mean);
    doc_number(table, PLAIN_BAR, summary_bar(plain.se, plain.df));
    doc_number(table, PLAIN_LOW, plain.ci[0]);
    doc_number(table, PLAIN_HIGH, plain.ci[1]);
    doc_number(table, PLAIN_SE, plain.se);
    doc_number(table, ADJUSTED, adjusted.mean);
    doc_number(table, ADJUSTED_BAR, summary_bar(adjusted.se, adjusted.df));
    doc_number(table, ADJUSTED_LOW, adjusted.ci[0]);
    doc_number(table, ADJUSTED_HIGH, adjusted.ci[1]);
    doc_number(table, ADJUSTED_SE, adjusted.se);
    doc_number(table, UNCLIPPED, luck->adjusted.mean);
    doc_number(table, LUCK, -luck->difference.mean);
    doc_number(table, LUCK_BAR, summary_bar(luck->difference.se, luck->difference.df));
    doc_number(table, COEFFICIENT, luck->coefficient);
    doc_number(table, RATIO, luck->ratio);
    doc_number(table, ROLL_LUCK, luck->roll_mean[0]);
    doc_number(table, ROLL_SE, luck->roll_se[0]);
    doc_number(table, ITSELF, luck->itself.mean);
    doc_number(table, ITSELF_SE, luck->itself.se);
    doc_number(table, OWN_RATIO, luck->own_ratio);
    if (luck->results > 0) {
        doc_text(table, HEALTH, luck->clusters < LUCK_CLUSTERS ? "too few" : health_words(health));
    }
    doc_small(table, report->money ? PLAIN_BAR : PLAIN_HIGH, small);
    doc_small(table, report->money ? ADJUSTED_BAR : ADJUSTED_HIGH, small);
}

/* Adds a row for every bot; checks the health of all rows together. */
static void luck_rows(struct doc_table *table, struct report *report)
{
    size_t count = (size_t)report->count;
    const struct luck_summary **rows = memory_zeroed(count, sizeof *rows);
    struct luck_checked *health = memory_zeroed(count, sizeof *health);

    for (size_t i = 0; i < count; i++) {
        rows[i] = &report->gather->judged.bot[report->order[i]].luck;
    }
    /* All rows in one call: the limit for one of them depends on how many are looked at. */
    luck_health_of(health, rows, count, 1);
    for (size_t i = 0; i < count; i++) {
        luck_row(table, report, report->order[i], health[i].warnings);
    }
    free(rows);
    free(health);
}

/* Returns the standard deviation of the judge against itself in a game or match, averaged over the
 * bots that have one. */
static double mean_itself_sd(const struct report *report)
{
    double sum = 0, count = 0;

    for (int i = 0; i < report->count; i++) {
        double sd = report->gather->judged.bot[i].luck.itself.sd;

        /* A bot whose decisions were not judged has none. */
        if (isfinite(sd)) {
            sum += sd;
            count++;
        }
    }
    return sum / count;
}

static const struct doc_pick money_picks[] = {
    DOC_PICK(NAME),
    DOC_PICK_BAR(PLAIN, PLAIN_BAR),
    DOC_PICK_BAR(ADJUSTED, ADJUSTED_BAR),
    DOC_PICK_BAR(LUCK, LUCK_BAR),
    DOC_PICK(ROLL_LUCK),
    DOC_PICK(COEFFICIENT),
    DOC_PICK(RATIO),
    DOC_PICK(RESULTS),
    DOC_PICK(CLUSTERS),
    DOC_PICK(HEALTH),
};

enum { PICKS = sizeof money_picks / sizeof money_picks[0] };

static const struct doc_pick match_picks[PICKS] = {
    DOC_PICK(NAME),
    DOC_PICK_RANGE(PLAIN, PLAIN_LOW, PLAIN_HIGH),
    DOC_PICK_RANGE(ADJUSTED, ADJUSTED_LOW, ADJUSTED_HIGH),
    DOC_PICK_BAR(LUCK, LUCK_BAR),
    DOC_PICK(ROLL_LUCK),
    DOC_PICK(COEFFICIENT),
    DOC_PICK(RATIO),
    DOC_PICK(RESULTS),
    DOC_PICK(CLUSTERS),
    DOC_PICK(HEALTH),
};

#define RATING_COLUMNS(places)                                                                     \
    {"bot", "Bot", .bot = true}, {"rating", "Adjusted rating", .decimals = (places)},              \
        {"rating_bar", "\u00b1", "95 %", .decimals = (places)},                                    \
        {"bound", "Bound", "95 %", .decimals = 0}, {"bound_side", "Side", .use = DOC_DATA},        \
    {                                                                                              \
        "side_shown", "Side", .use = DOC_SHOWN                                                     \
    }

enum { RATING_COLUMN_COUNT = 6 };

/* Adds the joint ratings of the adjusted results. */
static void ratings(struct report *report)
{
    static const struct doc_column columns[2][RATING_COLUMN_COUNT] = {{RATING_COLUMNS(1)},
                                                                      {RATING_COLUMNS(3)}};
    static const struct doc_pick picks[] = {DOC_PICK(0), DOC_PICK_BAR(1, 2), DOC_PICK(5),
                                            DOC_PICK(3)};
    struct adjusted adjusted;
    struct doc_table *table;

    if (report->status != BG_OK) {
        return;
    }
    report->status = adjusted_of(&adjusted, &report->gather->judged, NULL, report->err);
    if (report->status != BG_OK) {
        return;
    }
    table = doc_table(report->doc, "adjusted_ratings",
                      report->money
                          ? "Ratings from luck-adjusted results, points per game, 0 on average"
                          : "Ratings from luck-adjusted results, FIBS points, the mean 1500",
                      columns[report->money], RATING_COLUMN_COUNT);
    doc_view(report->doc, table, table->caption, picks, (int)(sizeof picks / sizeof picks[0]));
    for (int k = 0; k < report->count; k++) {
        const struct quasi_bot *bot = &adjusted.bot[report->order[k]];

        doc_row(table);
        doc_text(table, 0, section_bot(report, report->order[k]));
        doc_number(table, 1, bot->rating);
        doc_number(table, 2, bot->bar);
        doc_number(table, 3, bot->bound);
        if (bot->side != 0) {
            doc_text(table, 4, adjusted_side_name(bot->side));
            doc_text(table, 5, bot->side > 0 ? "at least" : "at most");
        }
    }
    adjusted_deinit(&adjusted);
}

/* A chance is limited to 0 to 1; its bar is the table's interval. */
static struct doc_series results_series(bool money, const char *name, int value, int bar, int low,
                                        int high)
{
    return money ? (struct doc_series){.name = name, .value = value, .error = bar}
                 : (struct doc_series){name, value, 0, low, high, 0, 1};
}

static void plots(struct report *report, const struct doc_table *table)
{
    struct doc_plot *plot;
    bool money = report->money;
    struct doc_series skill =
        results_series(money, "skill", ADJUSTED, ADJUSTED_BAR, ADJUSTED_LOW, ADJUSTED_HIGH);

    plot = doc_plot(report->doc, DOC_PLOT_DOTS, table,
                    money ? "Plain and luck-adjusted points per game, 95 % error bars"
                          : "Plain and luck-adjusted share of matches won, 95 % error bars");
    plot->label = NAME;
    plot->series[0] = results_series(money, "plain", PLAIN, PLAIN_BAR, PLAIN_LOW, PLAIN_HIGH);
    plot->series[1] = skill;
    plot->series[1].name = "luck-adjusted";
    plot->series_count = 2;
    plot->axis[0] = money ? "points per game" : "match-winning chance (0 to 1)";
    plot->zero = money ? 0 : 0.5;
    if (report->count < 3) {
        return; /* two points that mirror each other */
    }
    plot = doc_plot(report->doc, DOC_PLOT_SCATTER, table,
                    "Luck against skill: right is lucky, up is strong, 95 % error bars");
    plot->label = NAME;
    plot->series[0] = (struct doc_series){"luck", LUCK, LUCK_BAR, 0, 0, -1, money ? -1 : 1};
    plot->series[1] = skill;
    plot->series_count = 2;
    plot->axis[0] = money ? "luck, points per game" : "luck, MWC per match";
    plot->axis[1] =
        money ? "skill: luck-adjusted points per game" : "skill: luck-adjusted MWC per match";
}

enum {
    JUDGE_NAME,
    JUDGE_GAMES,
    JUDGE_RATIO,
    JUDGE_STRONG,
    JUDGE_STRONG_RATIO,
    JUDGE_CPU,
    JUDGE_RANDOM,
    JUDGE_COLUMNS
};

/* Adds what the judge is worth, and what it costs. */
static void judge_table(struct report *report)
{
    static const struct doc_column columns[JUDGE_COLUMNS] = {
        [JUDGE_NAME] = {"judge", .title = "Judge"},
        [JUDGE_GAMES] = {"judged_games", "Judged", .unit = "games"},
        [JUDGE_RATIO] = {"variance_ratio", "Variance", "plain/adj.", .decimals = 1},
        [JUDGE_STRONG] = {"strong_legs", "Strong play", .unit = "judged"},
        [JUDGE_STRONG_RATIO] = {"strong_ratio", "Its variance", "without errors", .decimals = 1},
        [JUDGE_CPU] = {"judge_cpu_s", "CPU", "s/game", .decimals = 4},
        [JUDGE_RANDOM] = {"judge_sd", "Random trials", "sd a result", .decimals = 4},
    };
    const struct judged_sums *judged = &report->gather->judged;
    struct doc_table *table = doc_table(report->doc, "judge", "The judge", columns, JUDGE_COLUMNS);
    double results, ratio = judged_sums_strong(&results, judged);

    doc_row(table);
    doc_text(table, JUDGE_NAME, judged->judge);
    doc_number(table, JUDGE_GAMES, (double)judged->games);
    doc_number(table, JUDGE_RATIO, judged_sums_ratio(judged));
    doc_number(table, JUDGE_STRONG, judged->choices ? results : NAN);
    doc_number(table, JUDGE_STRONG_RATIO, ratio);
    doc_number(table, JUDGE_CPU,
               judged->cpu_games > 0 ? judged->cpu_s / (double)judged->cpu_games : NAN);
    doc_number(table, JUDGE_RANDOM, judged->noise > 0 ? judged_sums_noise(judged) : NAN);
}

static void tell_judge(struct report *report)
{
    const struct judged_sums *judged = &report->gather->judged;
    uint64_t games = report->gather->results.tally.games;

    doc_tell(report->doc, "Judge: %s; %" PRIu64 " of %" PRIu64 " %s judged.", judged->judge,
             judged->games, games, plural(games, "game", "games"));
    if (!report->money) {
        doc_note(report->doc, "Match-winning chances and the ends of their intervals are shown "
                              "within 0 to 1; the computed luck-adjusted mean, which can lie "
                              "outside, is `adjusted_unclipped` in the JSON.");
    }
    if (judged_sums_noise(judged) > 0) {
        doc_note(report->doc,
                 "The judge's values are means of random trials (a rollout). That adds a standard "
                 "deviation of %.4f %s to luck-adjusted results; their errors include it. Error "
                 "rates have no such error: a play is never judged better than the best, so random "
                 "trials make them a little too large.",
                 judged_sums_noise(judged), report->money ? "points a game" : "MWC a match");
    }
    doc_note(
        report->doc,
        "Luck of a roll: the value of its best play minus the position's value before the roll, by "
        "the judge, in %s. Luck-adjusted: result minus own luck plus the opponent's luck; its mean "
        "is that of the plain result with any judge. c is the fitted coefficient of luck (0.9 to "
        "1.1 is healthy); the variance ratio is how many times more games plain results need. Use "
        "this table to compare strength; the title follows from the standings.",
        report->money ? "points" : "match-winning chance (MWC)");
    doc_note(
        report->doc,
        "Health, from %d clusters on: apart: plain and adjusted differ by more than 3 standard "
        "errors of their difference; biased rolls: mean luck a roll, first rolls of games left "
        "out, "
        "is not 0 within 3 standard errors (Holm's limit for all rows, in both: honest dice do "
        "either in 1 of 370 tables, and the section Health has p; if it comes again with other "
        "dice, dice, weights or bookkeeping are wrong). Weak judge: in as many clusters of strong "
        "play (its mean error of a decision at "
        "most "
        "0.03 in this judge's eyes), without the errors that it found, c is outside 0.8 to 1.2 or "
        "the variance less than 3 times smaller; off scale: likewise c outside 0.9 to 1.1, the "
        "judge sees other stakes or another cube; unclear: there is too little strong play, or "
        "decisions are not judged, and c or the variance would be as bad: weak play does that too, "
        "so it says nothing about the judge ('bgref judge --errors').",
        LUCK_CLUSTERS);
    if (isfinite(report->gather->judged.bot[report->order[0]].luck.itself.mean)) {
        doc_note(
            report->doc,
            "The judge against itself: luck-adjusted result minus the errors that it found, on "
            "average of all bots' standard deviations %.3f %s; a judge without mistakes has 0.",
            mean_itself_sd(report), report->money ? "points a game" : "MWC a match");
    }
}

void section_luck(struct report *report)
{
    const struct judged_sums *judged = &report->gather->judged;
    struct doc_table *table;

    if (report->count == 0) {
        return;
    }
    if (judged->judge == NULL) {
        doc_nothing(report->doc, "luck", "Without luck",
                    "No judge has judged these games. Run 'bgref judge RESULTS' to get "
                    "luck-adjusted results, error rates and blunders here.");
        return;
    }
    doc_section(report->doc, "luck", "Without luck");
    table = doc_table(report->doc, "luck",
                      report->money ? "Points per game, plain and luck-adjusted"
                                    : "Matches, plain and luck-adjusted",
                      report->money ? money_columns : match_columns, COLUMNS);
    doc_view(report->doc, table,
             report->money ? "Points per game, plain and without luck"
                           : "Share of matches won, plain and without luck",
             report->money ? money_picks : match_picks, PICKS);
    luck_rows(table, report);
    plots(report, table);
    ratings(report);
    judge_table(report);
    tell_judge(report);
}
