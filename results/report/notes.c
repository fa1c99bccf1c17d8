#include "notes.h"

#include <math.h>
#include <stdarg.h>

#include <bgref/api.h>

enum { TIES_TOLD = 48 /* bots whose tie-break is told below the table */, NOTE = 2048 };

struct notes {
    note_fn fn;
    void *user;
};

static void say(const struct notes *notes, bool part, const char *format, ...) BG_PRINTF(3, 4);

static void say(const struct notes *notes, bool part, const char *format, ...)
{
    char text[NOTE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    notes->fn(notes->user, part, text);
}

/* Ties that a later criterion broke, and bots that are not ranked. */
static void tell_standings(const struct notes *notes, const struct summary *summary)
{
    static const char *const criterion[] = {"", "direct encounter", "Sonneborn-Berger",
                                            "opponents beaten", "point difference"};
    const struct tally *tally = summary->tally;

    say(notes, false,
        "Rank: by %s, then direct encounter, Sonneborn-Berger, opponents beaten, point "
        "difference; \"=\" is a shared rank. Ratings and luck have no say.",
        summary->money ? "net points" : "matches won");
    for (int k = 0; k < summary->standings && k < TIES_TOLD; k++) {
        const struct standings_row *row = &summary->standing[k];

        if (row->tiebreak != STANDINGS_NONE) {
            say(notes, true, "%s: tie broken by %s", tally->bot[row->player].name,
                criterion[row->tiebreak]);
        }
    }
    for (int i = 0; i < tally->bots; i++) {
        if (summary->bot[i].dropped) {
            say(notes, false,
                "%s played under half of its fixtures: not ranked, and its results do not "
                "count for the ranks of others.",
                tally->bot[i].name);
        }
    }
    if (summary->uneven) {
        say(notes, false, "Numbers of %s differ between bots: the ranks are provisional.",
            summary->money ? "games" : "matches");
    }
}

/* Groups without common opponents, when there are several. */
static void group_notes(const struct notes *notes, const struct summary *summary, int groups)
{
    if (groups < 2) {
        return;
    }
    say(notes, false,
        "The bots form %d groups that never met; ratings compare only inside a group:", groups);
    for (int g = 0; g < groups; g++) {
        char text[1024] = "";
        size_t used = 0;

        for (int i = 0; i < summary->tally->bots && used < sizeof text - 80; i++) {
            int group =
                summary->money ? summary->money_rating[i].group : summary->fit.player[i].group;

            if (group == g) {
                used += (size_t)snprintf(text + used, sizeof text - used, " %s",
                                         summary->tally->bot[i].name);
            }
        }
        say(notes, true, "group %d:%s", g + 1, text);
    }
}

static bool any_flag(const struct rating_fit *fit, bool (*test)(const struct rating_player *p))
{
    for (int i = 0; i < fit->players; i++) {
        if (test(&fit->player[i])) {
            return true;
        }
    }
    return false;
}

static bool is_extreme(const struct rating_player *p)
{
    return isfinite(p->rating) && (p->flag == RATING_UNBEATEN || p->flag == RATING_WINLESS);
}

static bool has_prior(const struct rating_player *p)
{
    return p->prior;
}

static bool is_missing(const struct rating_player *p)
{
    return !isfinite(p->rating) && p->group >= 0;
}

static void rating_notes(const struct notes *notes, const struct summary *summary,
                         const struct report_options *options)
{
    const struct rating_fit *fit = &summary->fit;
    const struct tally *tally = summary->tally;
    char n[16] = "n"; /* of several lengths each counts as what it is */

    if (summary->trouble.status != BG_OK) {
        say(notes, false, "No ratings: %s.", summary->trouble.text);
        return;
    }
    if (tally->length_most == tally->length_points) {
        snprintf(n, sizeof n, "%d", tally->length_points);
    }
    say(notes, false,
        "Elo: maximum likelihood on the FIBS scale, P(win a %s-point match) = 1 / (1 + "
        "10^(-D sqrt(%s)/2000)); %s %.0f. +/- is 95 %% (1.96 %s standard errors). Judge a "
        "difference by LOS, not by two error bars.",
        n, n, options->rating.anchor >= 0 ? tally->bot[options->rating.anchor].name : "the mean is",
        options->rating.anchor_rating, fit->robust ? "pair-robust" : "Fisher");
    if (any_flag(fit, has_prior)) {
        say(notes, false, "Virtual draws (a prior) were added to the ratings%s.",
            any_flag(fit, is_extreme)
                ? "; a rating marked > (won all) or < (won none) is set by that prior"
                : "");
    }
    if (any_flag(fit, is_missing)) {
        say(notes, false,
            "A rating \"-\" does not exist without a prior: somebody never lost, or never "
            "won, against the rest.");
    }
    group_notes(notes, summary, fit->groups);
}

static void money_notes(const struct notes *notes, const struct summary *summary)
{
    double chi2 = summary->money_table.chi2, dof = summary->money_table.dof;

    say(notes, false,
        "Rating: points per game by weighted least squares over the encounters, 0 on "
        "average; ppg: points per game over all games. Both +/- are 95 %% (1.96 cluster "
        "standard errors, a duplicate pair is one cluster).");
    if (dof > 0) {
        say(notes, false, "Fit of one number per bot: chi2 %.1f on %.0f degrees of freedom%s.",
            chi2, dof,
            chi2 > dof + 3 * sqrt(2 * dof) ? ": too large, style matters, read the crosstable"
                                           : "");
    }
    group_notes(notes, summary, summary->money_table.groups);
}

static void tell_sample(const struct notes *notes, const struct summary *summary)
{
    double least = INFINITY;

    for (int i = 0; i < summary->tally->bots; i++) {
        double clusters = summary->bot[i].ppg.clusters;

        least = clusters > 0 && clusters < least ? clusters : least;
    }
    if (least < NOTES_SMALL_SAMPLE) {
        say(notes, false, "Small sample: a bot has only %.0f cluster%s; error bars are rough.",
            least, least == 1 ? "" : "s");
    }
}

void notes_standings(const struct summary *summary, note_fn fn, void *user)
{
    tell_standings(&(struct notes){fn, user}, summary);
}

void notes_ratings(const struct summary *summary, const struct report_options *options, note_fn fn,
                   void *user)
{
    const struct notes notes = {fn, user};

    if (summary->money) {
        money_notes(&notes, summary);
    } else {
        rating_notes(&notes, summary, options);
    }
}

void notes_sample(const struct summary *summary, note_fn fn, void *user)
{
    tell_sample(&(struct notes){fn, user}, summary);
}
