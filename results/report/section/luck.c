/* Plain beside luck-adjusted results, and luck against skill. */
#include <inttypes.h>
#include <math.h>

#include "section.h"

enum {
    NAME,
    RESULTS,
    CLUSTERS,
    PLAIN,
    PLAIN_BAR,
    PLAIN_SE,
    ADJUSTED,
    ADJUSTED_BAR,
    ADJUSTED_SE,
    LUCK,
    LUCK_BAR,
    COEFFICIENT,
    RATIO,
    ROLL_LUCK,
    ROLL_SE,
    HEALTH,
    COLUMNS
};

#define TAIL_COLUMNS                                                                               \
    [NAME] = {.key = "name", .title = "Bot"},                                                      \
    [CLUSTERS] = {.key = "clusters", .title = "Clusters"},                                         \
    [PLAIN_SE] = {.key = "plain_se", .title = "SE", .decimals = 4, .use = DOC_DATA},               \
    [ADJUSTED_SE] = {.key = "adjusted_se", .title = "SE", .decimals = 4, .use = DOC_DATA},         \
    [COEFFICIENT] = {.key = "coefficient", .title = "c", .unit = "fitted", .decimals = 2},         \
    [RATIO] = {.key = "variance_ratio", .title = "Variance", .unit = "plain/adj.", .decimals = 1}, \
    [ROLL_SE] = {.key = "luck_per_roll_se", .title = "SE", .decimals = 5, .use = DOC_DATA},        \
    [HEALTH] = {.key = "health", .title = "Health"}

static const struct doc_column money_columns[COLUMNS] = {
    TAIL_COLUMNS,
    [RESULTS] = {.key = "results", .title = "Judged", .unit = "games"},
    [PLAIN] =
        {.key = "plain", .title = "Plain", .unit = "points/game", .decimals = 3, .sign = true},
    [PLAIN_BAR] = {.key = "plain_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},
    [ADJUSTED] = {.key = "adjusted",
                  .title = "Luck-adjusted",
                  .unit = "points/game",
                  .decimals = 3,
                  .sign = true},
    [ADJUSTED_BAR] = {.key = "adjusted_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},
    [LUCK] = {.key = "luck", .title = "Luck", .unit = "points/game", .decimals = 3, .sign = true},
    [LUCK_BAR] = {.key = "luck_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},
    [ROLL_LUCK] = {.key = "luck_per_roll",
                   .title = "Luck",
                   .unit = "points/roll",
                   .decimals = 4,
                   .sign = true},
};

static const struct doc_column match_columns[COLUMNS] = {
    TAIL_COLUMNS,
    [RESULTS] = {.key = "results", .title = "Judged", .unit = "matches"},
    [PLAIN] = {.key = "plain", .title = "Plain", .unit = "won/match", .decimals = 3},
    [PLAIN_BAR] = {.key = "plain_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},
    [ADJUSTED] = {.key = "adjusted", .title = "Luck-adjusted", .unit = "MWC/match", .decimals = 3},
    [ADJUSTED_BAR] = {.key = "adjusted_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},
    [LUCK] = {.key = "luck", .title = "Luck", .unit = "MWC/match", .decimals = 3, .sign = true},
    [LUCK_BAR] = {.key = "luck_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},
    [ROLL_LUCK] =
        {.key = "luck_per_roll", .title = "Luck", .unit = "MWC/roll", .decimals = 5, .sign = true},
};

static const char *health_words(unsigned health)
{
    return (health & LUCK_RESULTS_APART) != 0  ? "apart"
           : (health & LUCK_ROLLS_BIASED) != 0 ? "biased rolls"
           : (health & LUCK_JUDGE_WEAK) != 0   ? "weak judge"
           : (health & LUCK_SCALE_OFF) != 0    ? "off scale"
                                               : "good";
}

static void luck_row(struct doc_table *table, const struct report *report, int bot)
{
    const struct luck_summary *luck = &report->gather->skill.bot[bot].luck;
    bool small = section_is_small(luck->clusters);

    doc_row(table);
    doc_text(table, NAME, section_bot(report, bot));
    doc_number(table, RESULTS, luck->results);
    doc_number(table, CLUSTERS, luck->clusters);
    doc_number(table, PLAIN, luck->plain.mean);
    doc_number(table, PLAIN_BAR, section_bar(luck->plain.se));
    doc_number(table, PLAIN_SE, luck->plain.se);
    doc_number(table, ADJUSTED, luck->adjusted.mean);
    doc_number(table, ADJUSTED_BAR, section_bar(luck->adjusted.se));
    doc_number(table, ADJUSTED_SE, luck->adjusted.se);
    doc_number(table, LUCK, -luck->difference.mean);
    doc_number(table, LUCK_BAR, section_bar(luck->difference.se));
    doc_number(table, COEFFICIENT, luck->coefficient);
    doc_number(table, RATIO, luck->ratio);
    doc_number(table, ROLL_LUCK, luck->roll_mean[0]);
    doc_number(table, ROLL_SE, luck->roll_se[0]);
    if (luck->results > 0) {
        doc_text(table, HEALTH, health_words(luck_health_of(luck)));
    }
    doc_small(table, PLAIN_BAR, small);
    doc_small(table, ADJUSTED_BAR, small);
}

static void plots(struct report *report, const struct doc_table *table)
{
    struct doc_plot *plot;
    bool money = report->money;

    plot = doc_plot(report->doc, DOC_PLOT_DOTS, table,
                    money ? "Plain and luck-adjusted points per game, 95 % error bars"
                          : "Plain and luck-adjusted share of matches won, 95 % error bars");
    if (plot != NULL) {
        plot->label = NAME;
        plot->series[0] = (struct doc_series){"plain", PLAIN, PLAIN_BAR};
        plot->series[1] = (struct doc_series){"luck-adjusted", ADJUSTED, ADJUSTED_BAR};
        plot->series_count = 2;
        plot->axis[0] = money ? "points per game" : "match-winning chance (0 to 1)";
        plot->zero = money ? 0 : 0.5;
    }
    plot = doc_plot(report->doc, DOC_PLOT_SCATTER, table,
                    "Luck against skill: right is lucky, up is strong, 95 % error bars");
    if (plot != NULL) {
        plot->label = NAME;
        plot->series[0] = (struct doc_series){"luck", LUCK, LUCK_BAR};
        plot->series[1] = (struct doc_series){"skill", ADJUSTED, ADJUSTED_BAR};
        plot->series_count = 2;
        plot->axis[0] = money ? "luck, points per game" : "luck, MWC per match";
        plot->axis[1] =
            money ? "skill: luck-adjusted points per game" : "skill: luck-adjusted MWC per match";
    }
}

static void tell_judge(struct report *report)
{
    const struct skill *skill = &report->gather->skill;
    uint64_t games = report->gather->results.tally.games;

    doc_note(report->doc, "Judge: %s; %" PRIu64 " of %" PRIu64 " games judged.", skill->judge,
             skill->games, games);
    if (skill->cpu_games > 0) {
        doc_note(report->doc, "The judge took %.3f s of processor time a game.",
                 skill->cpu_s / (double)skill->cpu_games);
    }
    doc_note(report->doc,
             "Luck of a roll: what its best play is worth minus what the position was worth before "
             "the roll, by the judge, in %s. Luck-adjusted: result minus own luck plus the "
             "opponent's luck; its mean is that of the plain result, whatever the judge. c is the "
             "fitted coefficient of luck (0.9 to 1.1 is healthy); the variance ratio says how many "
             "times more games plain results need. Strength is claimed from this table, the "
             "title from the standings.",
             report->money ? "points" : "match-winning chance (MWC)");
    doc_note(report->doc,
             "Health: apart: plain and adjusted differ by more than 3 standard errors of their "
             "difference, trust neither; biased rolls: mean luck a roll is not 0 within 3 standard "
             "errors; weak judge: c outside 0.8 to 1.2, or less than 3 times smaller variance; off "
             "scale: c outside 0.9 to 1.1, the judge sees other stakes or another cube.");
}

void section_luck(struct report *report)
{
    const struct skill *skill = &report->gather->skill;
    struct doc_table *table;

    if (report->count == 0) {
        return;
    }
    doc_section(report->doc, "luck", "Without luck");
    if (skill->judge == NULL) {
        doc_note(report->doc, "No judge has valued these games: 'bgref judge RESULTS' does, and "
                              "luck-adjusted results, error rates and blunders appear here.");
        return;
    }
    table = doc_table(report->doc, "luck",
                      report->money ? "Points per game, plain and luck-adjusted"
                                    : "Matches, plain and luck-adjusted",
                      report->money ? money_columns : match_columns, COLUMNS);
    for (int i = 0; i < report->count; i++) {
        luck_row(table, report, report->order[i]);
    }
    if (table != NULL) {
        plots(report, table);
    }
    tell_judge(report);
}
