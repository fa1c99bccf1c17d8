/* One list of columns for the standings of all outputs: the key in JSON, the title in text and
 * the decimals stand in one place, so that a number has one name wherever it is printed. */
#include "standing.h"

#include <math.h>
#include <stdlib.h>

#include <store/entry.h>

#include "base/memory.h"
#include "document/json_value.h"

#define SHARED_COLUMNS                                                                             \
    [STANDING_RANK] = {"rank", .title = "Rank"},                                                   \
    [STANDING_SHARED] = {"shared", "Shared", .use = DOC_DATA},                                     \
    [STANDING_RANK_LOW] = {"rank_low", "Rank from", .unit = "95 %"},                               \
    [STANDING_RANK_HIGH] = {"rank_high", "Rank to", .unit = "95 %"},                               \
    [STANDING_BOT] = {"bot", "Bot", .bot = true},                                                  \
    [STANDING_LOST] = {"lost", "Lost", .use = DOC_DATA},                                           \
    [STANDING_DRAWN] = {"drawn", "Drawn", .use = DOC_DATA},                                        \
    [STANDING_PERCENT] = {"won_percent", "Won%", .decimals = 1},                                   \
    [STANDING_RATING_SE] = {"rating_se", "SE", .decimals = 4, .use = DOC_DATA},                    \
    [STANDING_RATING_DF] = {"rating_df", "df", .decimals = 1, .use = DOC_DATA},                    \
    [STANDING_ANCHOR_WEIGHT] = {"anchor_weight", "Weight", .decimals = 6, .use = DOC_DATA},        \
    [STANDING_GROUP] = {"group", "Group", .use = DOC_DATA},                                        \
    [STANDING_FLAG] = {"flag", "Flag", .use = DOC_DATA},                                           \
    [STANDING_EXPECTED] = {"expected_wins", "Expected", "of those with a rating", .decimals = 1},  \
    [STANDING_BEST] = {"best_percent", "Best", "% chance", .decimals = 1, .chance = true},         \
    [STANDING_PPG] = {"ppg", "ppg", "points/game", .decimals = 3, .sign = true},                   \
    [STANDING_PPG_BAR] = {"ppg_bar", "\u00b1", "95 %", .decimals = 3},                             \
    [STANDING_PPG_SE] = {"ppg_se", "SE", .decimals = 4, .use = DOC_DATA},                          \
    [STANDING_PPG_DF] = {"ppg_df", "df", .decimals = 1, .use = DOC_DATA},                          \
    [STANDING_PPG_BOOT_LOW] = {"ppg_boot_low", "From", "bootstrap", .decimals = 3, .sign = true},  \
    [STANDING_PPG_BOOT_HIGH] = {"ppg_boot_high", "To", "95 %", .decimals = 3, .sign = true},       \
    [STANDING_MEDIAN] = {"median", "Median", "points/game", .decimals = 1, .sign = true},          \
    [STANDING_LARGEST_CUBE] = {"largest_cube", .title = "Largest cube"},                           \
    [STANDING_LARGEST_GAME] = {"largest_game", "Largest game", "points", .sign = true},            \
    [STANDING_LARGEST_SHARE] = {"largest_share_percent", "Its part", "% of spread",                \
                                .decimals = 1},                                                    \
    [STANDING_HEAVY] = {"heavy_tails", .title = "Heavy"},                                          \
    [STANDING_CLUSTERS] = {"clusters", "Clusters", .use = DOC_DATA},                               \
    [STANDING_GAMES] = {"games", "Games", .use = DOC_DATA},                                        \
    [STANDING_POINTS] = {"points", "Points", .use = DOC_DATA},                                     \
    [STANDING_GAMMONS] = {"gammon_percent", "G%", "won", .decimals = 1},                           \
    [STANDING_BACKGAMMONS] = {"backgammon_percent", "BG%", "won", .decimals = 1},                  \
    [STANDING_FAULTS] = {"lost_by_faults", "Faults", "lost by", .quiet = true},                    \
    [STANDING_SB] = {"sb", "SB", "points", .decimals = 1},                                         \
    [STANDING_BEATEN] = {"opponents_beaten", "Beat", .unit = "opponents"},                         \
    [STANDING_DIFFERENCE] = {"diff", "Diff.", "points", .sign = true},                             \
    [STANDING_TIEBREAK] = {"tiebreak", "Tie", .unit = "broken by"},                                \
    [STANDING_DROPPED] = {"dropped", "Not ranked", .use = DOC_DATA}

/* Ratings of matches and of money differ in their scale and its decimals, and in whether they show
 * a sign. */
#define RATING_COLUMNS(scale, places, signed_)                                                     \
    [STANDING_RATING] = {"rating", "Rating", (scale), .decimals = (places), .sign = (signed_)},    \
    [STANDING_RATING_BAR] = {"rating_bar", "\u00b1", "95 %", .decimals = (places)},                \
    [STANDING_RATING_LOW] = {"rating_low", "low", "95 %", .decimals = (places)},                   \
    [STANDING_RATING_HIGH] = {"rating_high", "high", "95 %", .decimals = (places)},                \
    [STANDING_RATING_BOOT_LOW] = {"rating_boot_low", "From", "bootstrap", .decimals = (places),    \
                                  .sign = (signed_)},                                              \
    [STANDING_RATING_BOOT_HIGH] = {"rating_boot_high", "To", "95 %", .decimals = (places),         \
                                   .sign = (signed_)}

static const struct doc_column match_columns[STANDING_FIELDS] = {
    SHARED_COLUMNS,
    [STANDING_SCORE] = {"score", "Score", .unit = "matches"},
    [STANDING_SHARE] = {"share", "Share", "won a match", .decimals = 4},
    [STANDING_LEGS] = {"legs", "Played", .unit = "matches"},
    [STANDING_WON] = {"won", "Won", .unit = "matches"},
    [STANDING_PERCENT_LOW] = {"won_percent_low", "low", "95 %", .decimals = 1},
    [STANDING_PERCENT_HIGH] = {"won_percent_high", "high", "95 %", .decimals = 1},
    RATING_COLUMNS("FIBS scale", 1, false),
};

static const struct doc_column money_columns[STANDING_FIELDS] = {
    SHARED_COLUMNS,
    [STANDING_SCORE] = {"score", "Net", "points", .sign = true},
    [STANDING_SHARE] = {"share", "Share", "points/game", .decimals = 4},
    [STANDING_LEGS] = {"legs", "Played", .unit = "games"},
    [STANDING_WON] = {"won", "Won", .unit = "games"},
    /* In money play points decide, not the number of games won: its interval is for programs
     * only. */
    [STANDING_PERCENT_LOW] = {"won_percent_low", "low", .decimals = 1, .use = DOC_DATA},
    [STANDING_PERCENT_HIGH] = {"won_percent_high", "high", .decimals = 1, .use = DOC_DATA},
    RATING_COLUMNS("points/game", 3, true),
};

const struct doc_column *standing_columns(bool money)
{
    return money ? money_columns : match_columns;
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

/* What holds a field's number. */
enum holder {
    HOLDER_NONE,
    HOLDER_BOT,
    HOLDER_TAILS,
    HOLDER_ROW,
    HOLDER_STRENGTH,
    HOLDER_PPG,
    HOLDER_RATING
};

#define OF_BOT(member, factor)                                                                     \
    {                                                                                              \
        HOLDER_BOT, DOC_SOURCE(struct summary_bot, member, factor)                                 \
    }
#define OF_TAILS(member, factor)                                                                   \
    {                                                                                              \
        HOLDER_TAILS, DOC_SOURCE(struct tails, member, factor)                                     \
    }
#define OF_ROW(member)                                                                             \
    {                                                                                              \
        HOLDER_ROW, DOC_SOURCE(struct standings_row, member, 1)                                    \
    }
#define OF_STRENGTH(member)                                                                        \
    {                                                                                              \
        HOLDER_STRENGTH, DOC_SOURCE(struct strength_bot, member, 1)                                \
    }
#define OF_PPG(member)                                                                             \
    {                                                                                              \
        HOLDER_PPG, DOC_SOURCE(struct bootstrap_range, member, 1)                                  \
    }
#define OF_RATING(member)                                                                          \
    {                                                                                              \
        HOLDER_RATING, DOC_SOURCE(struct bootstrap_range, member, 1)                               \
    }

static const struct {
    enum holder holder;
    struct doc_source source;
} numbers[STANDING_FIELDS] = {
    [STANDING_RANK] = OF_ROW(rank),
    [STANDING_SHARED] = OF_ROW(shared),
    [STANDING_SCORE] = OF_ROW(score),
    [STANDING_SHARE] = OF_ROW(share),
    [STANDING_SB] = OF_ROW(sb),
    [STANDING_BEATEN] = OF_ROW(wins),
    [STANDING_DIFFERENCE] = OF_ROW(difference),
    [STANDING_RANK_LOW] = OF_STRENGTH(rank_low),
    [STANDING_RANK_HIGH] = OF_STRENGTH(rank_high),
    [STANDING_RATING] = OF_STRENGTH(rating),
    [STANDING_RATING_BAR] = OF_STRENGTH(bar),
    [STANDING_RATING_LOW] = OF_STRENGTH(low),
    [STANDING_RATING_HIGH] = OF_STRENGTH(high),
    [STANDING_RATING_SE] = OF_STRENGTH(se),
    [STANDING_RATING_DF] = OF_STRENGTH(df),
    [STANDING_ANCHOR_WEIGHT] = OF_STRENGTH(anchor_weight),
    [STANDING_GROUP] = OF_STRENGTH(group),
    [STANDING_EXPECTED] = OF_STRENGTH(expected_wins),
    [STANDING_BEST] = OF_STRENGTH(best),
    [STANDING_LEGS] = OF_BOT(sum.legs, 1),
    [STANDING_WON] = OF_BOT(sum.legs_won, 1),
    [STANDING_LOST] = OF_BOT(sum.legs_lost, 1),
    [STANDING_PERCENT_LOW] = OF_BOT(winrate.wilson[0], 100),
    [STANDING_PERCENT_HIGH] = OF_BOT(winrate.wilson[1], 100),
    [STANDING_CLUSTERS] = OF_BOT(sum.clusters, 1),
    [STANDING_GAMES] = OF_BOT(sum.games, 1),
    [STANDING_POINTS] = OF_BOT(sum.points, 1),
    [STANDING_GAMMONS] = OF_BOT(sum.levels[2], 100),
    [STANDING_BACKGAMMONS] = OF_BOT(sum.levels[3], 100),
    [STANDING_FAULTS] = OF_BOT(faults, 1),
    [STANDING_PPG] = OF_BOT(ppg.ppg, 1),
    [STANDING_PPG_SE] = OF_BOT(ppg.se, 1),
    [STANDING_PPG_DF] = OF_BOT(ppg_df, 1),
    [STANDING_DROPPED] = OF_BOT(dropped, 1),
    [STANDING_PPG_BOOT_LOW] = OF_PPG(low),
    [STANDING_PPG_BOOT_HIGH] = OF_PPG(high),
    [STANDING_RATING_BOOT_LOW] = OF_RATING(low),
    [STANDING_RATING_BOOT_HIGH] = OF_RATING(high),
    [STANDING_MEDIAN] = OF_TAILS(median, 1),
    [STANDING_LARGEST_CUBE] = OF_TAILS(cube, 1),
    [STANDING_LARGEST_GAME] = OF_TAILS(largest, 1),
    [STANDING_LARGEST_SHARE] = OF_TAILS(share, 100),
    [STANDING_HEAVY] = OF_TAILS(heavy, 1),
};

/* Returns NULL if nothing is known: a bot without a rank, tails where no single games were read. */
static const void *holder_of(const struct summary *summary, int bot, enum holder holder)
{
    const struct bootstrap *bootstrap = &summary->bootstrap;
    const struct summary_bot *results = &summary->bot[bot];

    switch (holder) {
    case HOLDER_BOT:
        return results;
    case HOLDER_TAILS:
        return results->tails.games > 0 ? &results->tails : NULL;
    case HOLDER_ROW:
        return row_of(summary, bot);
    case HOLDER_STRENGTH:
        return &summary->strength.bot[bot];
    case HOLDER_PPG:
        return bootstrap->ppg == NULL ? NULL : &bootstrap->ppg[bot];
    case HOLDER_RATING:
        return bootstrap->rating == NULL ? NULL : &bootstrap->rating[bot];
    case HOLDER_NONE:
        break;
    }
    return NULL;
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
    const struct summary_bot *results = &summary->bot[bot];
    double number =
        doc_source_number(&numbers[field].source, holder_of(summary, bot, numbers[field].holder));

    switch (field) {
    case STANDING_RANK_LOW:
    case STANDING_RANK_HIGH:
        return number > 0 ? number : NAN;
    case STANDING_GROUP:
        return number >= 0 ? number : NAN;
    case STANDING_BEST:
        return round(1e4 * number) / 100; /* a share of 10,000 draws */
    case STANDING_DRAWN:
        return (double)tally_drawn(&results->sum);
    case STANDING_PERCENT:
        return 100 * tally_share(&results->sum);
    case STANDING_GAMMONS:
    case STANDING_BACKGAMMONS:
        return results->sum.games > 0 ? number / (double)results->sum.games : NAN;
    case STANDING_PPG_BAR:
        return summary_bar(results->ppg.se, results->ppg_df);
    default:
        return number;
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
    if (field == STANDING_RANK && standing_number(summary, bot, STANDING_SHARED) > 0) {
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
