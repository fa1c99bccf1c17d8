/* What a reader must know to read the numbers is told; how they are made is a note, which a page
 * folds and --explain prints. A note is written only where it applies, so that each one is worth
 * reading. */
#include "notes.h"

#include <math.h>

#include <bgref/api.h>
#include <store/entry.h>
#include "base/plural.h"

enum {
    TIES_SHOWN = 48 /* bots whose tie-break is explained below the table */
};

/* Explains ties broken by a later criterion, and bots that are not ranked. */
static void tell_standings(struct doc *doc, const struct summary *summary, bool brief)
{
    static const char *const criterion[] = {"", "direct encounter", "Sonneborn-Berger",
                                            "opponents beaten", "point difference"};
    const struct tally *tally = summary->tally;
    uint64_t drawn = 0;

    if (brief || tally->bots == 2) {
        ; /* in notes_legend; two have no ranks */
    } else if (summary->by_form) {
        doc_tell(doc,
                 "Rank: the standing of the event's form ('bgref report --sheet' has its rules). "
                 "Ratings and luck are not used.");
    } else {
        doc_tell(doc,
                 "Rank: by %s, then direct encounter, Sonneborn-Berger, opponents beaten, point "
                 "difference; "
                 "\"=\" is a shared rank. Ratings and luck are not used.",
                 !summary->uneven ? (summary->money ? "net points" : "matches won")
                 : summary->money
                     ? "points per game (bots played unequal numbers of games)"
                     : "share of matches won (bots played unequal numbers of matches)");
    }
    for (int k = 0; k < summary->standings && k < TIES_SHOWN; k++) {
        const struct standings_row *row = &summary->standing[k];

        if (row->tiebreak != STANDINGS_NONE) {
            doc_tell(doc, "%s: tie broken by %s", tally_shown(tally, row->player),
                     criterion[row->tiebreak]);
        }
    }
    for (int i = 0; i < tally->bots; i++) {
        const struct tally_sum *sum = &summary->bot[i].sum;

        drawn += sum->legs - sum->legs_won - sum->legs_lost;
    }
    if (drawn > 0) {
        /* Half: each drawn game was counted for both of its bots. */
        doc_tell(doc, "%llu game%s drawn: no winner, 0 points.", (unsigned long long)drawn / 2,
                 drawn == 2 ? " was" : "s were");
    }
    for (int i = 0; i < tally->bots; i++) {
        if (summary->bot[i].dropped) {
            doc_tell(
                doc,
                "%s played under half of its fixtures: it is not ranked, and its results do not "
                "count for other ranks.",
                tally_shown(tally, i));
        }
    }
}

/* Whether a bot has a display name (imports). */
static bool has_display(const struct tally *tally)
{
    for (int i = 0; i < tally->bots; i++) {
        if (tally->bot[i].display != NULL) {
            return true;
        }
    }
    return false;
}

/* Lists the bots of a group in a sentence. */
static void tell_members(struct doc *doc, const struct summary *summary, int group,
                         const char *words)
{
    char text[1024] = "";
    size_t used = 0;

    /* Room for one more name: a list that does not fit ends, it does not cut a name in two. */
    for (int i = 0; i < summary->tally->bots && used < sizeof text - 130; i++) {
        const struct strength_bot *bot = &summary->strength.bot[i];

        /* Names from files may have blanks, so only then a comma has to part them. */
        if (bot->group == group) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %s",
                                     used > 0 && has_display(summary->tally) ? "," : "",
                                     tally_shown(summary->tally, i));
        }
    }
    doc_note(doc, "%s:%s", words, text);
}

/* Lists groups without common opponents, if there are several. */
static void group_notes(struct doc *doc, const struct summary *summary)
{
    if (summary->strength.groups < 2) {
        return;
    }
    doc_note(doc, "The bots form %d groups that never met; ratings compare only inside a group:",
             summary->strength.groups);
    for (int g = 0; g < summary->strength.groups; g++) {
        char words[32];

        snprintf(words, sizeof words, "group %d", g + 1);
        tell_members(doc, summary, g, words);
    }
}

/* Names the bots whose interval is open at one end. */
static void open_notes(struct doc *doc, const struct summary *summary)
{
    static const enum rating_flag flag[] = {RATING_WINLESS, RATING_UNBEATEN};
    static const char *const words[] = {
        "no lower limit: it won nothing, so its number follows from "
        "the field",
        "no upper limit: it lost nothing, so its number follows from "
        "the field"};

    for (int k = 0; k < 2; k++) {
        char names[1024] = "";
        size_t used = 0;
        int count = 0;

        /* Room for one more name, as above. */
        for (int i = 0; i < summary->tally->bots && used < sizeof names - 130; i++) {
            if (summary->strength.bot[i].flag == flag[k]) {
                count++;
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         used > 0 ? ", " : "", tally_shown(summary->tally, i));
            }
        }
        if (count > 0) {
            doc_note(doc, "%s %s %s.", names, count == 1 ? "has" : "have", words[k]);
        }
    }
}

/* Explains which variance the bars and LOS use. */
static void variance_note(struct doc *doc, const struct summary *summary, bool brief)
{
    const struct strength *s = &summary->strength;

    if (brief) {
        return;
    }
    if (summary->money && isfinite(s->pair_sd)) {
        doc_note(
            doc,
            "\u00b1 is 95 %% (Student); error bars, LOS and \"established\" come from one standard "
            "error: clusters (pairs) spread by %.3f points over the event (%.0f degrees of "
            "freedom), an encounter's own spread counts more if it has more clusters.",
            s->pair_sd, s->df);
    } else if (isfinite(s->design_effect)) {
        doc_note(
            doc,
            "\u00b1 is 95 %% (Student); error bars, LOS and \"established\" come from one standard "
            "error: pairs spread %.2f times as much as single matches would over the event (%.0f "
            "degrees of freedom), an encounter's own spread counts more if it has more pairs.",
            s->design_effect, s->df);
    } else if (!summary->money) {
        doc_note(
            doc,
            "\u00b1 is 95 %% (normal); error bars, LOS and \"established\" come from one standard "
            "error, that of single matches: a smaller one needs duplicate pairs, and enough of "
            "them.");
    }
    doc_note(
        doc,
        "LOS: probability that the row is stronger; do not compare two error bars instead. Ranks: "
        "all that the established orders allow (Holm at 5 %% over all pairs of bots). Best: "
        "probability to be the strongest.");
}

static void rating_notes(struct doc *doc, const struct summary *summary,
                         const struct report_options *options)
{
    const struct tally *tally = summary->tally;
    char n[16] = "n"; /* with several lengths each counts with its own */

    if (summary->trouble.status != BG_OK) {
        doc_note(doc, "No ratings: %s.", summary->trouble.text);
        return;
    }
    if (tally->length_most == tally->length_points) {
        snprintf(n, sizeof n, "%d", tally->length_points);
    }
    if (!options->brief) {
        doc_note(
            doc,
            "Rating: on the FIBS scale, P(win a %s-point match) = 1 / (1 + 10^(-D "
            "sqrt(%s)/2000)); %s %.0f. Strengths are taken as normal around the field's mean, so "
            "that few games do not make extremes.",
            n, n,
            options->rating.anchor >= 0 ? tally_shown(tally, options->rating.anchor)
                                        : "the mean, weighted by what is known of each bot, is",
            options->rating.anchor_rating);
    }
    variance_note(doc, summary, options->brief);
    open_notes(doc, summary);
    group_notes(doc, summary);
}

/* One number per bot does not describe the results: says what is known. */
static void rejected_note(struct doc *doc, const struct summary *summary)
{
    const struct strength *s = &summary->strength;
    char names[512] = "";
    size_t used = 0;

    for (int i = 0; i < s->bots && used < sizeof names - 80; i++) {
        if (isfinite(s->bot[i].rating)) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.64s",
                                     used > 0 ? ", " : "", tally_shown(summary->tally, i));
        }
    }
    doc_note(
        doc,
        "No number per bot describes these results (chi2 %.1f on %.0f degrees of freedom, p = "
        "%.2g): how much one bot wins depends on the opponent. The crosstable has what is known. "
        "%s%s%s Where a bot has no rating, LOS and \"established\" are from the games between the "
        "two.",
        s->chi2, s->dof, s->chi2_p,
        used > 0 ? "Ratings are of those that agree with each other: " : "Nobody has a rating.",
        names, used > 0 ? "." : "");
}

static void money_notes(struct doc *doc, const struct summary *summary, bool brief)
{
    const struct strength *s = &summary->strength;

    if (summary->trouble.status != BG_OK) {
        doc_note(doc, "No ratings: %s.", summary->trouble.text);
        return;
    }
    if (!brief) {
        doc_note(
            doc,
            "Rating: points per game against the field, 0 on average; strengths are taken as "
            "normal around its mean, so that few games do not make extremes. ppg: points per game "
            "over all games.");
    }
    variance_note(doc, summary, brief);
    if (s->clusters > 0 && isnan(s->pair_sd)) {
        doc_note(doc, "No error bars: %.0f cluster%s (pairs) show no spread; play more pairs.",
                 s->clusters, plural_s((uint64_t)s->clusters));
    }
    if (s->rejected) {
        rejected_note(doc, summary);
    } else if (isfinite(s->chi2_p) && !brief) {
        doc_note(doc, "Fit of one number per bot: chi2 %.1f on %.0f degrees of freedom, p = %.2g.",
                 s->chi2, s->dof, s->chi2_p);
    }
    group_notes(doc, summary);
}

static void tell_sample(struct doc *doc, const struct summary *summary)
{
    double least = INFINITY;

    for (int i = 0; i < summary->tally->bots; i++) {
        double clusters = (double)summary->bot[i].sum.clusters;

        least = clusters > 0 && clusters < least ? clusters : least;
    }
    if (least < NOTES_SMALL_SAMPLE) {
        doc_tell(doc, "Small sample: a bot has only %.0f cluster%s; error bars are rough.", least,
                 plural_s((uint64_t)least));
    }
}

/* Lists bots whose mean comes mostly from one game, with numbers for the worst of them. */
static void tell_tails(struct doc *doc, const struct summary *summary)
{
    char names[512] = "";
    size_t used = 0;
    int worst = -1;

    for (int i = 0; i < summary->tally->bots; i++) {
        const struct tails *tails = &summary->bot[i].tails;

        if (tails->heavy) {
            /* The largest cube stands for the cause: it is what the setting cube_limit would
             * have kept small. */
            worst = worst < 0 || tails->cube > summary->bot[worst].tails.cube ? i : worst;
            if (used < sizeof names - 80) {
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%.64s",
                                         used > 0 ? ", " : "", tally_shown(summary->tally, i));
            }
        }
    }
    if (worst >= 0) {
        const struct tails *tails = &summary->bot[worst].tails;
        const struct bootstrap_range *range = summary->bootstrap.ppg;
        bool known = range != NULL && isfinite(range[worst].low);
        char between[96] = "";

        if (known) {
            snprintf(between, sizeof between, ", bootstrap interval of its ppg %+.3f to %+.3f",
                     range[worst].low, range[worst].high);
        }
        doc_tell(
            doc,
            "Heavy tails (%s): their points per game, and all error bars (which share one spread), "
            "depend on single games. %s: one game of %+.0f points is %.1f %% of the spread, "
            "largest cube %.0f, median game %+.1f%s. The event key cube_limit keeps cubes small.",
            names, tally_shown(summary->tally, worst), tails->largest, 100 * tails->share,
            tails->cube, tails->median, between);
    }
}

enum {
    WIDE_GAMES = 10 /* points: three times the usual deviation of sensible bots' games */
};

/* The same from the spread of games only, while single games are not read. */
static void suspect_tails(struct doc *doc, const struct summary *summary)
{
    int worst = -1;

    for (int i = 0; summary->money && i < summary->tally->bots; i++) {
        double sd = summary->bot[i].ppg.sd_game;

        /* Single games were read after all: then tell_tails knows better. */
        if (summary->bot[i].tails.games > 0) {
            return;
        }
        if (sd > WIDE_GAMES && (worst < 0 || sd > summary->bot[worst].ppg.sd_game)) {
            worst = i;
        }
    }
    if (worst >= 0) {
        doc_tell(
            doc,
            "Heavy tails: games of %s spread by %.1f points (3 is usual), so points per game and "
            "their bars depend on few of them; 'bgref rate' lists them. The event key cube_limit "
            "keeps cubes small.",
            tally_shown(summary->tally, worst), summary->bot[worst].ppg.sd_game);
    }
}

void notes_changed(struct doc *doc, const struct tally *tally)
{

    for (int i = 0; i < tally->bots; i++) {
        char text[EDITIONS_NOTE];

        if (tally->bot[i].editions != NULL) {
            editions_note(text, tally_shown(tally, i), tally->bot[i].editions);
            if (text[0] != '\0') {
                doc_tell(doc, "%s", text);
            }
        }
    }
}

void notes_conditions(struct doc *doc, const struct tally *tally)
{

    if (tally->conditions != NULL) {
        doc_tell(doc, "Rules that differ by pairing: %s.", tally->conditions);
    }
}

enum { NAMES_TOLD = 12 };

/* Which ids to use in commands for names from imported files; nothing if the names are ids. */
static void notes_names(struct doc *doc, const struct tally *tally)
{
    char text[NAMES_TOLD * 200] = ""; /* an id has up to 64 bytes, a name from a file 127 */
    size_t used = 0;
    int count = 0;

    for (int i = 0; i < tally->bots; i++) {
        const struct tally_bot *bot = &tally->bot[tally->by_name[i]];

        if (bot->display != NULL && count++ < NAMES_TOLD) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %.64s for %.127s",
                                     used > 0 ? "," : "", bot->name, bot->display);
        }
    }
    if (count > NAMES_TOLD) {
        doc_tell(
            doc,
            "Names are from the files; in commands use the ids that 'bgref show' lists for %d of "
            "them.",
            count);
    } else if (count > 0) {
        doc_tell(doc, "Names are from the files; in commands write%s.", text);
    }
}

void notes_standings(struct doc *doc, const struct summary *summary, bool brief)
{
    notes_changed(doc, summary->tally);
    notes_names(doc, summary->tally);
    notes_conditions(doc, summary->tally);
    tell_standings(doc, summary, brief);
}

void notes_legend(struct doc *doc, const struct summary *summary)
{

    doc_note(doc, "Rank by %s. Rating: %s; \u00b1 is 95 %%. G%%, BG%%: gammons, backgammons.",
             summary->by_form   ? "the event's form"
             : !summary->uneven ? (summary->money ? "net points" : "matches won")
             : summary->money   ? "points per game (unequal numbers of games)"
                                : "share of matches won (unequal numbers of matches)",
             summary->money ? "points per game against the field" : "FIBS scale");
    doc_note(doc,
             "LOS: probability to be stronger. Ranks: what is established at 5 %% (Holm). Best: "
             "probability to be the strongest. All notes: 'bgref rate --explain'.");
}

bool notes_idle_gammons(const struct summary *summary, const struct report_options *options)
{
    uint64_t games = 0;
    double squares = 0;

    for (int i = 0; i < summary->tally->bots; i++) {
        games += summary->bot[i].sum.games;
        squares += summary->bot[i].sum.squares;
    }
    /* If every game was worth one point, so is its square, and the sum of squares is the number
     * of games. Games themselves are not read for this. */
    return options->jacoby && summary->money && games > 0 && fabs(squares - (double)games) < 0.5;
}

void notes_ratings(struct doc *doc, const struct summary *summary,
                   const struct report_options *options)
{

    if (summary->money) {
        money_notes(doc, summary, options->brief);
        if (notes_idle_gammons(summary, options)) {
            doc_note(doc, "%s", NOTES_IDLE_GAMMONS);
        }
    } else {
        rating_notes(doc, summary, options);
    }
}

void notes_sample(struct doc *doc, const struct summary *summary)
{

    tell_sample(doc, summary);
    notes_even(doc, summary->tally);
    tell_tails(doc, summary);
    suspect_tails(doc, summary);
}

enum { EVEN_PAIRS = 8 /* so many pairs of different bots do not end even by chance */ };

void notes_even(struct doc *doc, const struct tally *tally)
{

    for (size_t i = 0; i < tally->encounters; i++) {
        const struct tally_encounter *encounter = tally->encounter[i];
        const uint32_t *count = encounter->total.count;
        const uint64_t even = count[ENCOUNTER_PAIRS + 1];

        if (even >= EVEN_PAIRS && even == count[ENCOUNTER_CLUSTERS] &&
            encounter->total.sum[ENCOUNTER_DD] == 0) {
            doc_tell(
                doc,
                "%s and %s ended each of their %llu pairs even: bots that always choose the same "
                "play both legs of a pair alike, so these are %llu different games, each played "
                "twice, and no difference can show. --duplicate off plays every game with its own "
                "dice.",
                tally_shown(tally, encounter->a), tally_shown(tally, encounter->b),
                (unsigned long long)even, (unsigned long long)even);
        }
    }
}

void notes_surplus(struct doc *doc, const struct report_options *options)
{

    if (options->surplus > 0) {
        doc_note(
            doc,
            "Surplus: %llu game%s of pairs after the one that decided the test %s kept, but not "
            "counted.",
            (unsigned long long)options->surplus, plural_s((uint64_t)options->surplus),
            options->surplus == 1 ? "is" : "are");
    }
    if (options->decided) {
        doc_note(
            doc,
            "A sequential test ended these games: measured differences lean outwards, to the side "
            "of "
            "its verdict. Use the verdict, not these numbers.");
    }
}
