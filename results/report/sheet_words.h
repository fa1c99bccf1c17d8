/* sheet_words.h - names and words that the parts of a sheet share. */
#ifndef RESULTS_REPORT_SHEET_WORDS_H
#define RESULTS_REPORT_SHEET_WORDS_H

#include "sheet.h"

enum { SHEET_WORDS = 160 };

/* An entrant's name; "" for FORMS_NOBODY. */
const char *sheet_name(const struct sheet *sheet, int entrant);

/* The name as printed in drawings, copied into the document. */
const char *sheet_shown(const struct sheet *sheet, int entrant);

/* "stage 2, group 1" or what of it is needed to tell apart; "" if the event has one stage with one
 * group. */
const char *sheet_place(char out[SHEET_WORDS], const struct sheet *sheet, int stage, int group);

/* "main", "losers", "final", "third", "playoff". */
const char *sheet_part_word(char out[SHEET_WORDS], const struct sheet *sheet,
                            const struct season_meeting *seen);

/* "round 3", "final", "losers' round 2", "for third place", "play-off". "" if it has no rounds. */
const char *sheet_round(char out[SHEET_WORDS], const struct sheet *sheet,
                        const struct season_meeting *seen);

/* "1-0", "½-½", "0-1"; "" open or void, "-" a bye. */
const char *sheet_result(const struct season_meeting *seen);

/* What is special about a result: "walkover", "by decision", "bye", "void", "by seed", "nobody
 * came", "open"; "" played. */
const char *sheet_how(const struct season_meeting *seen);

/* An entrant's score in a meeting that counts; NaN if it does not count. */
double sheet_score(const struct season_meeting *seen, int entrant);

/* Rows of a table that are printed together. */
struct sheet_view {
    const char *caption; /* lives as long as the document */
    const struct doc_pick *pick;
    int picks;
    int first, count; /* rows */
};

/* Adds the views, after all rows of the table are there. */
void sheet_views(struct sheet *sheet, struct doc_table *table, const struct sheet_view *views,
                 int count);

#endif
