/* One list of columns for the standings of all outputs: the key in JSON, the title in text and
 * the decimals stand in one place, so that a number has one name wherever it is printed. */
#include "standing.h"

#include <math.h>
#include <stdlib.h>

#include <store/entry.h>

#include "base/memory.h"
#include "document/json_value.h"

#define SHARED_COLUMNS                                                                             \
    [STANDING_RANK] = {.key = "rank", .title = "Rank"},                                            \
    [STANDING_SHARED] = {.key = "shared", .title = "Shared", .use = DOC_DATA},                     \
    [STANDING_RANK_LOW] = {.key = "rank_low", .title = "Rank from", .unit = "95 %"},               \
    [STANDING_RANK_HIGH] = {.key = "rank_high", .title = "Rank to", .unit = "95 %"},               \
    [STANDING_BOT] = {.key = "bot", .title = "Bot", .bot = true},                                  \
    [STANDING_LOST] = {.key = "lost", .title = "Lost", .use = DOC_DATA},                           \
    [STANDING_DRAWN] = {.key = "drawn", .title = "Drawn", .use = DOC_DATA},                        \
    [STANDING_PERCENT] = {.key = "won_percent", .title = "Won%", .decimals = 1},                   \
    [STANDING_RATING_SE] = {.key = "rating_se", .title = "SE", .decimals = 4, .use = DOC_DATA},    \
    [STANDING_RATING_DF] = {.key = "rating_df", .title = "df", .decimals = 1, .use = DOC_DATA},    \
    [STANDING_ANCHOR_WEIGHT] = {.key = "anchor_weight",                                            \
                                .title = "Weight",                                                 \
                                .decimals = 6,                                                     \
                                .use = DOC_DATA},                                                  \
    [STANDING_GROUP] = {.key = "group", .title = "Group", .use = DOC_DATA},                        \
    [STANDING_FLAG] = {.key = "flag", .title = "Flag", .use = DOC_DATA},                           \
    [STANDING_EXPECTED] = {.key = "expected_wins",                                                 \
                           .title = "Expected",                                                    \
                           .unit = "of those with a rating",                                       \
                           .decimals = 1},                                                         \
    [STANDING_BEST] = {.key = "best_percent",                                                      \
                       .title = "Best",                                                            \
                       .unit = "% chance",                                                         \
                       .decimals = 1,                                                              \
                       .chance = true},                                                            \
    [STANDING_PPG] = {.key = "ppg",                                                                \
                      .title = "ppg",                                                              \
                      .unit = "points/game",                                                       \
                      .decimals = 3,                                                               \
                      .sign = true},                                                               \
    [STANDING_PPG_BAR] = {.key = "ppg_bar", .title = "\u00b1", .unit = "95 %", .decimals = 3},     \
    [STANDING_PPG_SE] = {.key = "ppg_se", .title = "SE", .decimals = 4, .use = DOC_DATA},          \
    [STANDING_PPG_DF] = {.key = "ppg_df", .title = "df", .decimals = 1, .use = DOC_DATA},          \
    [STANDING_PPG_BOOT_LOW] = {.key = "ppg_boot_low",                                              \
                               .title = "From",                                                    \
                               .unit = "bootstrap",                                                \
                               .decimals = 3,                                                      \
                               .sign = true},                                                      \
    [STANDING_PPG_BOOT_HIGH] = {.key = "ppg_boot_high",                                            \
                                .title = "To",                                                     \
                                .unit = "95 %",                                                    \
                                .decimals = 3,                                                     \
                                .sign = true},                                                     \
    [STANDING_MEDIAN] = {.key = "median",                                                          \
                         .title = "Median",                                                        \
                         .unit = "points/game",                                                    \
                         .decimals = 1,                                                            \
                         .sign = true},                                                            \
    [STANDING_LARGEST_CUBE] = {.key = "largest_cube", .title = "Largest cube"},                    \
    [STANDING_LARGEST_GAME] = {.key = "largest_game",                                              \
                               .title = "Largest game",                                            \
                               .unit = "points",                                                   \
                               .sign = true},                                                      \
    [STANDING_LARGEST_SHARE] = {.key = "largest_share_percent",                                    \
                                .title = "Its part",                                               \
                                .unit = "% of spread",                                             \
                                .decimals = 1},                                                    \
    [STANDING_HEAVY] = {.key = "heavy_tails", .title = "Heavy"},                                   \
    [STANDING_CLUSTERS] = {.key = "clusters", .title = "Clusters", .use = DOC_DATA},               \
    [STANDING_GAMES] = {.key = "games", .title = "Games", .use = DOC_DATA},                        \
    [STANDING_POINTS] = {.key = "points", .title = "Points", .use = DOC_DATA},                     \
    [STANDING_GAMMONS] = {.key = "gammon_percent", .title = "G%", .unit = "won", .decimals = 1},   \
    [STANDING_BACKGAMMONS] = {.key = "backgammon_percent",                                         \
                              .title = "BG%",                                                      \
                              .unit = "won",                                                       \
                              .decimals = 1},                                                      \
    [STANDING_FAULTS] = {.key = "lost_by_faults",                                                  \
                         .title = "Faults",                                                        \
                         .unit = "lost by",                                                        \
                         .quiet = true},                                                           \
    [STANDING_SB] = {.key = "sb", .title = "SB", .unit = "points", .decimals = 1},                 \
    [STANDING_BEATEN] = {.key = "opponents_beaten", .title = "Beat", .unit = "opponents"},         \
    [STANDING_DIFFERENCE] = {.key = "diff", .title = "Diff.", .unit = "points", .sign = true},     \
    [STANDING_TIEBREAK] = {.key = "tiebreak", .title = "Tie", .unit = "broken by"},                \
    [STANDING_DROPPED] = {.key = "dropped", .title = "Not ranked", .use = DOC_DATA}

/* Ratings of matches and of money differ in their scale and its decimals, and in whether they show
 * a sign. */
#define RATING_COLUMNS(scale, places, signed_)                                                     \
    [STANDING_RATING] = {.key = "rating",                                                          \
                         .title = "Rating",                                                        \
                         .unit = (scale),                                                          \
                         .decimals = (places),                                                     \
                         .sign = (signed_)},                                                       \
    [STANDING_RATING_BAR] = {.key = "rating_bar",                                                  \
                             .title = "\u00b1",                                                    \
                             .unit = "95 %",                                                       \
                             .decimals = (places)},                                                \
    [STANDING_RATING_LOW] = {.key = "rating_low",                                                  \
                             .title = "low",                                                       \
                             .unit = "95 %",                                                       \
                             .decimals = (places)},                                                \
    [STANDING_RATING_HIGH] = {.key = "rating_high",                                                \
                              .title = "high",                                                     \
                              .unit = "95 %",                                                      \
                              .decimals = (places)},                                               \
    [STANDING_RATING_BOOT_LOW] = {.key = "rating_boot_low",                                        \
                                  .title = "From",                                                 \
                                  .unit = "bootstrap",                                             \
                                  .decimals = (places),                                            \
                                  .sign = (signed_)},                                              \
    [STANDING_RATING_BOOT_HIGH] = {.key = "rating_boot_high",                                      \
                                   .title = "To",                                                  \
                                   .unit = "95 %",                                                 \
                                   .decimals = (places),                                           \
                                   .sign = (signed_)}

static const struct doc_column match_columns[STANDING_FIELDS] = {
    SHARED_COLUMNS,
    [STANDING_SCORE] = {.key = "score", .title = "Score", .unit = "matches"},
    [STANDING_SHARE] = {.key = "share", .title = "Share", .unit = "won a match", .decimals = 4},
    [STANDING_LEGS] = {.key = "legs", .title = "Played", .unit = "matches"},
    [STANDING_WON] = {.key = "won", .title = "Won", .unit = "matches"},
    [STANDING_PERCENT_LOW] = {.key = "won_percent_low",
                              .title = "low",
                              .unit = "95 %",
                              .decimals = 1},
    [STANDING_PERCENT_HIGH] = {.key = "won_percent_high",
                               .title = "high",
                               .unit = "95 %",
                               .decimals = 1},
    RATING_COLUMNS("FIBS scale", 1, false),
};

static const struct doc_column money_columns[STANDING_FIELDS] = {
    SHARED_COLUMNS,
    [STANDING_SCORE] = {.key = "score", .title = "Net", .unit = "points", .sign = true},
    [STANDING_SHARE] = {.key = "share", .title = "Share", .unit = "points/game", .decimals = 4},
    [STANDING_LEGS] = {.key = "legs", .title = "Played", .unit = "games"},
    [STANDING_WON] = {.key = "won", .title = "Won", .unit = "games"},
    /* In money play points decide, not the number of games won: its interval is for programs
     * only. */
    [STANDING_PERCENT_LOW] = {.key = "won_percent_low",
                              .title = "low",
                              .decimals = 1,
                              .use = DOC_DATA},
    [STANDING_PERCENT_HIGH] = {.key = "won_percent_high",
                               .title = "high",
                               .decimals = 1,
                               .use = DOC_DATA},
    RATING_COLUMNS("points/game", 3, true),
};

const struct doc_column *standing_columns(bool money)
{
    return money ? money_columns : match_columns;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

static const struct standings_row *row_of(const struct summary *summary, int bot)
{
    for (int k = 0; k < summary->standings; k++) {
        if (summary->standing[k].player == bot) {
            return &summary->standing[k];
        }
    }
    return NULL;
}

/* These functions end in a `default` each, for the last of their fields: without it the compiler
 * would ask for all fields in every switch. The price: a field that standing_number() does not
 * name shows another one's number. */
static double of_rank(const struct standings_row *row, enum standing_field field)
{
    if (row == NULL) {
        return NAN;
    }
    switch (field) {
    case STANDING_RANK:
        return row->rank;
    case STANDING_SHARED:
        return row->shared;
    case STANDING_SCORE:
        return row->score;
    case STANDING_SHARE:
        return row->share;
    case STANDING_SB:
        return row->sb;
    case STANDING_BEATEN:
        return row->wins;
    default:
        return row->difference;
    }
}

static double of_strength(const struct strength_bot *bot, enum standing_field field)
{
    switch (field) {
    case STANDING_RANK_LOW:
        return bot->rank_low > 0 ? bot->rank_low : (double)NAN;
    case STANDING_RANK_HIGH:
        return bot->rank_high > 0 ? bot->rank_high : (double)NAN;
    case STANDING_RATING:
        return bot->rating;
    case STANDING_RATING_BAR:
        return bot->bar;
    case STANDING_RATING_LOW:
        return bot->low;
    case STANDING_RATING_HIGH:
        return bot->high;
    case STANDING_RATING_SE:
        return bot->se;
    case STANDING_RATING_DF:
        return bot->df;
    case STANDING_ANCHOR_WEIGHT:
        return bot->anchor_weight;
    case STANDING_GROUP:
        return bot->group >= 0 ? bot->group : (double)NAN;
    case STANDING_EXPECTED:
        return bot->expected_wins;
    default:
        return round(1e4 * bot->best) / 100; /* best is a share of 10,000 draws */
    }
}

static double of_results(const struct summary_bot *bot, enum standing_field field)
{
    const struct tally_sum *sum = &bot->sum;

    switch (field) {
    case STANDING_LEGS:
        return (double)sum->legs;
    case STANDING_WON:
        return (double)sum->legs_won;
    case STANDING_LOST:
        return (double)sum->legs_lost;
    case STANDING_DRAWN:
        return (double)tally_drawn(sum);
    case STANDING_PERCENT:
        return 100 * tally_share(sum);
    case STANDING_PERCENT_LOW:
        return 100 * bot->winrate.wilson[0];
    case STANDING_PERCENT_HIGH:
        return 100 * bot->winrate.wilson[1];
    case STANDING_CLUSTERS:
        return (double)sum->clusters;
    case STANDING_GAMES:
        return (double)sum->games;
    case STANDING_POINTS:
        return (double)sum->points;
    case STANDING_GAMMONS:
        return percent((double)sum->levels[2], (double)sum->games);
    case STANDING_BACKGAMMONS:
        return percent((double)sum->levels[3], (double)sum->games);
    case STANDING_FAULTS:
        return bot->faults;
    case STANDING_PPG:
        return bot->ppg.ppg;
    case STANDING_PPG_BAR:
        return summary_bar(bot->ppg.se, bot->ppg_df);
    case STANDING_PPG_SE:
        return bot->ppg.se;
    default:
        return bot->ppg_df;
    }
}

static double of_bootstrap(const struct summary *summary, int bot, enum standing_field field)
{
    const struct bootstrap *all = &summary->bootstrap;
    bool rating = field == STANDING_RATING_BOOT_LOW || field == STANDING_RATING_BOOT_HIGH;
    const struct bootstrap_range *range = rating ? all->rating : all->ppg;

    if (range == NULL) {
        return NAN;
    }
    return field == STANDING_RATING_BOOT_LOW || field == STANDING_PPG_BOOT_LOW ? range[bot].low
                                                                               : range[bot].high;
}

/* A tally has no single games: tails are known only where these were read. */
static double of_tails(const struct tails *tails, enum standing_field field)
{
    if (!(tails->games > 0)) {
        return NAN;
    }
    switch (field) {
    case STANDING_MEDIAN:
        return tails->median;
    case STANDING_LARGEST_CUBE:
        return tails->cube;
    case STANDING_LARGEST_GAME:
        return tails->largest;
    case STANDING_LARGEST_SHARE:
        return 100 * tails->share;
    default:
        return tails->heavy;
    }
}

static const char *text_of(const struct summary *summary, int bot, enum standing_field field)
{
    const struct strength_bot *strength = &summary->strength.bot[bot];
    const struct standings_row *row = NULL;

    switch (field) {
    case STANDING_BOT:
        return summary->tally->bot[bot].name;
    case STANDING_FLAG:
        return rating_flag_name(strength->flag);
    default:
        row = row_of(summary, bot);
        return row == NULL ? NULL : standings_criterion_name(row->tiebreak);
    }
}

/* Returns any numeric field; a flag as 0 or 1. */
static double standing_number(const struct summary *summary, int bot, enum standing_field field)
{
    switch (field) {
    case STANDING_RANK:
    case STANDING_SHARED:
    case STANDING_SCORE:
    case STANDING_SHARE:
    case STANDING_SB:
    case STANDING_BEATEN:
    case STANDING_DIFFERENCE:
        return of_rank(row_of(summary, bot), field);
    case STANDING_RANK_LOW:
    case STANDING_RANK_HIGH:
    case STANDING_RATING:
    case STANDING_RATING_BAR:
    case STANDING_RATING_LOW:
    case STANDING_RATING_HIGH:
    case STANDING_RATING_SE:
    case STANDING_RATING_DF:
    case STANDING_ANCHOR_WEIGHT:
    case STANDING_GROUP:
    case STANDING_EXPECTED:
    case STANDING_BEST:
        return of_strength(&summary->strength.bot[bot], field);
    case STANDING_PPG_BOOT_LOW:
    case STANDING_PPG_BOOT_HIGH:
    case STANDING_RATING_BOOT_LOW:
    case STANDING_RATING_BOOT_HIGH:
        return of_bootstrap(summary, bot, field);
    case STANDING_MEDIAN:
    case STANDING_LARGEST_CUBE:
    case STANDING_LARGEST_GAME:
    case STANDING_LARGEST_SHARE:
    case STANDING_HEAVY:
        return of_tails(&summary->bot[bot].tails, field);
    case STANDING_DROPPED:
        return summary->bot[bot].dropped;
    default:
        return of_results(&summary->bot[bot], field);
    }
}

static bool is_text(enum standing_field field)
{
    return field == STANDING_BOT || field == STANDING_FLAG || field == STANDING_TIEBREAK;
}

static bool is_flag(enum standing_field field)
{
    return field == STANDING_SHARED || field == STANDING_HEAVY || field == STANDING_DROPPED;
}

struct doc_cell standing_cell(const struct summary *summary, int bot, enum standing_field field)
{
    struct doc_cell cell = {.kind = DOC_NUMBER};

    if (is_text(field)) {
        cell.text = text_of(summary, bot, field);
        cell.kind = cell.text == NULL ? DOC_NONE : DOC_TEXT;
        return cell;
    }
    cell.number = standing_number(summary, bot, field);
    if (is_flag(field) && !isnan(cell.number)) {
        cell.kind = DOC_FLAG;
    }
    if (field == STANDING_RANK && of_rank(row_of(summary, bot), STANDING_SHARED) > 0) {
        /* In the cell of the rank, because the column of shared ranks is for programs only. */
        cell.after = "=";
    }
    return cell;
}

/* Whether only the single legs can fill this field. */
static bool is_of_legs(int field)
{
    return field >= STANDING_PPG_BOOT_LOW && field <= STANDING_HEAVY;
}

/* Lists the programs that played under the name, without times, so that the same games give the
 * same row. Imports have none. */
static json_t *programs_of(const char *editions)
{
    json_t *out = json_array();
    struct edition edition;

    while (editions != NULL && edition_read(&edition, &editions)) {
        json_array_append_new(out,
                              json_pack("{s:s, s:s, s:s}", "program", edition.digest, "bot_version",
                                        edition.version, "command", edition.words));
    }
    return out;
}

/* Returns the row as JSON: every field that is not only for display. The fields from
 * STANDING_PPG_BOOT_LOW to STANDING_HEAVY only if the summary has read the legs. Owned by the
 * caller; NULL: no memory. */
static json_t *standing_json(const struct summary *summary, int bot)
{
    const struct doc_column *columns = standing_columns(summary->money);
    json_t *out = json_object();

    for (int field = 0; field < STANDING_FIELDS; field++) {
        struct doc_cell cell = standing_cell(summary, bot, (enum standing_field)field);

        /* A field that was not looked for is left out. Null would say that it was, and is
         * undefined. */
        if (columns[field].use != DOC_SHOWN && (summary->looked || !is_of_legs(field))) {
            json_object_set_new(out, columns[field].key,
                                json_of_cell(&cell, columns[field].decimals == 0));
        }
    }
    if (summary->tally->bot[bot].display != NULL) {
        json_object_set_new(out, "display", json_string(summary->tally->bot[bot].display));
    }
    json_object_set_new(out, "programs", programs_of(summary->tally->bot[bot].editions));
    return out;
}

json_t *standing_json_rows(const struct summary *summary)
{
    int *order = memory_zeroed((size_t)summary->tally->bots, sizeof *order);
    int count = summary_order(order, summary);
    json_t *out = json_array();

    for (int i = 0; i < count; i++) {
        json_array_append_new(out, standing_json(summary, order[i]));
    }
    free(order);
    return out;
}

json_t *standing_json_model(const struct summary *summary)
{
    const struct strength *s = &summary->strength;
    const char *variance = summary->money || isfinite(s->df) ? "pooled" : "model";

    /* A chi-square without its p-value would still be read as a test, so both are null together. */
    json_t *out =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:b, s:s?}", "unit",
                  summary->money ? "points per game" : "FIBS points", "variance_from", variance,
                  "clusters", json_of_count(s->clusters), "design_effect",
                  json_of(s->design_effect), "pair_sd", json_of(s->pair_sd), "df", json_of(s->df),
                  "groups", s->groups, "chi2", isnan(s->chi2_p) ? json_null() : json_of(s->chi2),
                  "dof", isnan(s->chi2_p) ? json_null() : json_of(s->dof), "chi2_p",
                  json_of(s->chi2_p), "ranked_by_share", (int)summary->uneven, "trouble",
                  summary->trouble.status == BG_OK ? NULL : summary->trouble.text);

    if (summary->looked && out != NULL) {
        json_object_set_new(out, "bootstrap_draws", json_integer(summary->bootstrap.draws));
    }
    return out;
}

struct doc_table *standing_table(struct doc *doc, const char *name, const char *caption, bool money,
                                 const enum standing_field *fields, int count)
{
    struct doc_column *columns = doc_array(doc, (size_t)count, sizeof *columns);

    for (int i = 0; i < count; i++) {
        columns[i] = standing_columns(money)[fields[i]];
    }
    return doc_table(doc, name, caption, columns, count);
}

void standing_put(struct doc_table *table, int column, const struct summary *summary, int bot,
                  enum standing_field field)
{
    struct doc_cell cell = standing_cell(summary, bot, field);

    doc_put(table, column, &cell);
}

void standing_row(struct doc_table *table, const struct summary *summary, int bot,
                  const enum standing_field *fields, int count)
{
    doc_row(table);
    for (int i = 0; i < count; i++) {
        standing_put(table, i, summary, bot, fields[i]);
    }
}

struct doc *standing_doc(const char *title, const struct tally *tally)
{
    struct doc *doc = doc_create(title);
    struct doc_alias *alias = doc_array(doc, (size_t)tally->bots, sizeof *alias);
    int count = 0;

    /* By name, as doc_set_aliases() wants them: a name is looked up for every cell that has one. */
    for (int i = 0; i < tally->bots; i++) {
        const struct tally_bot *bot = &tally->bot[tally->by_name[i]];

        if (bot->display != NULL) {
            alias[count++] =
                (struct doc_alias){doc_copy(doc, bot->name), doc_copy(doc, bot->display)};
        }
    }
    doc_set_aliases(doc, alias, count);
    return doc;
}
