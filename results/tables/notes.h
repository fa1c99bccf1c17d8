/* notes.h - adds the notes that explain the numbers of a table to the present section. */
#ifndef RESULTS_TABLES_NOTES_H
#define RESULTS_TABLES_NOTES_H

#include <sums/summary.h>

#include "document/document.h"
#include "event_table.h"

enum { NOTES_SMALL_SAMPLE = 30 /* clusters; with fewer, error bars are rough */ };

/* How ranks are computed (not if brief), ties that were broken, bots that are not ranked. */
void notes_standings(struct doc *doc, const struct summary *summary, bool brief);
/* In short what brief notes leave out: how the columns are made. */
void notes_legend(struct doc *doc, const struct summary *summary);
/* Bots whose programs changed during the event, so that their figures mix several programs. In
 * order of entry. */
void notes_changed(struct doc *doc, const struct tally *tally);
/* Rules that differ by pairing; nothing if there are none. */
void notes_conditions(struct doc *doc, const struct tally *tally);
/* The model behind the ratings, or behind the money table. */
void notes_ratings(struct doc *doc, const struct summary *summary,
                   const struct report_options *options);
/* Whether every game was worth one point because no bot doubled under Jacoby's rule. */
bool notes_idle_gammons(const struct summary *summary, const struct report_options *options);
#define NOTES_IDLE_GAMMONS                                                                         \
    "No gammon counted: Jacoby's rule is in force, and no game had a double that was taken. "      \
    "--jacoby off counts them without a cube."
/* Whether a bot has too few clusters for its error bars, or tails too heavy for them. */
void notes_sample(struct doc *doc, const struct summary *summary);
/* Two bots whose every pair ended even, with as many points for each: both legs are then most
 * likely one game, played twice. */
void notes_even(struct doc *doc, const struct tally *tally);
/* Games that are kept but do not count, and what a sequential test that ended the event does to the
 * numbers; nothing if there are neither. */
void notes_surplus(struct doc *doc, const struct report_options *options);

#endif
