/* The words of the sheet in one place, because table, bracket and draw sheet print the same
 * meeting: "walkover" in one and "w/o" in another would look like two things. */
#include "sheet_words.h"

#include <math.h>
#include <string.h>

#include "season/act_words.h"

const char *sheet_name(const struct sheet *sheet, int entrant)
{
    return entrant >= 0 ? season_entrant(sheet->season, entrant)->name : "";
}

const char *sheet_shown(const struct sheet *sheet, int entrant)
{
    return doc_copy(sheet->doc, doc_alias(sheet->doc, sheet_name(sheet, entrant)));
}

const char *sheet_place(char out[SHEET_WORDS], const struct sheet *sheet, int stage, int group)
{
    bool groups = season_groups(sheet->season, stage) > 1;
    int used = 0;

    out[0] = '\0';
    if (sheet->plan->stages > 1) {
        used = snprintf(out, SHEET_WORDS, "%d %s", stage + 1,
                        plan_form_name(sheet->plan->stage[stage].form));
    }
    if (groups) {
        snprintf(out + used, SHEET_WORDS - (size_t)used, "%sgroup %d", used > 0 ? ", " : "",
                 group + 1);
    }
    return out;
}

const char *sheet_part_word(char out[SHEET_WORDS], const struct sheet *sheet,
                            const struct season_meeting *seen)
{
    static const char *const words[] = {[PART_MAIN] = "main",
                                        [PART_LOSERS] = "losers",
                                        [PART_FINAL] = "final",
                                        [PART_THIRD] = "third"};

    /* The journal's own word comes first: a play-off is paired as part of the main bracket. */
    if (seen->paired == 0 || seen->paired > sheet->acts ||
        !act_word(out, SHEET_WORDS, sheet->act[seen->paired - 1].subject, "part")) {
        snprintf(out, SHEET_WORDS, "%s", words[seen->meeting.part]);
    }
    return out;
}

const char *sheet_round(char out[SHEET_WORDS], const struct sheet *sheet,
                        const struct season_meeting *seen)
{
    char part[SHEET_WORDS];
    int round = seen->meeting.round;

    sheet_part_word(part, sheet, seen);
    if (strcmp(part, "playoff") == 0) {
        snprintf(out, SHEET_WORDS, "play-off");
    } else if (strcmp(part, "third") == 0) {
        snprintf(out, SHEET_WORDS, "third place");
    } else if (strcmp(part, "final") == 0) {
        snprintf(out, SHEET_WORDS, round > 1 ? "final %d" : "final", round);
    } else if (round == 0) {
        out[0] = '\0';
    } else {
        snprintf(out, SHEET_WORDS, strcmp(part, "losers") == 0 ? "losers %d" : "%d", round);
    }
    return out;
}

const char *sheet_result(const struct season_meeting *seen)
{
    if (seen->end == SEASON_OPEN || seen->end == SEASON_VOID) {
        return "";
    }
    if (seen->end == SEASON_BYE) {
        return "1";
    }
    if (seen->winner == FORMS_NOBODY && seen->end == SEASON_WALKOVER) {
        return "0\u20130";
    }
    return seen->winner == seen->meeting.a   ? "1\u20130"
           : seen->winner == seen->meeting.b ? "0\u20131"
                                             : "\u00bd\u2013\u00bd";
}

const char *sheet_how(const struct season_meeting *seen)
{
    switch (seen->end) {
    case SEASON_OPEN:
        return "open";
    case SEASON_PLAYED:
        return seen->by_seed ? "by seed" : "";
    case SEASON_BYE:
        return "bye";
    case SEASON_WALKOVER:
        return seen->winner == FORMS_NOBODY ? "both absent" : "walkover";
    case SEASON_ADJUDICATED:
        return "by decision";
    case SEASON_VOID:
        return "void";
    }
    return "";
}

/* NaN where nothing counts, so that a sum that forgets to ask shows it. */
double sheet_score(const struct season_meeting *seen, int entrant)
{
    if (seen->end == SEASON_OPEN || seen->end == SEASON_VOID || seen->end == SEASON_BYE) {
        return NAN;
    }
    if (seen->winner == FORMS_NOBODY) {
        return seen->end == SEASON_WALKOVER ? 0 : 0.5;
    }
    return seen->winner == entrant ? 1 : 0;
}

void sheet_views(struct sheet *sheet, struct doc_table *table, const struct sheet_view *views,
                 int count)
{
    for (int i = 0; i < count; i++) {
        if (views[i].count > 0) {
            doc_view(sheet->doc, doc_part(table, views[i].first, views[i].count), views[i].caption,
                     views[i].pick, views[i].picks);
        }
    }
}
