/* The parts are a table, so that the command line, its help and the order on the page have one
 * source. */
#include "sheet.h"

#include <string.h>

#include "base/closest.h"

const struct sheet_part sheet_parts[SHEET_PARTS] = {
    {"standing", sheet_standing, "ranks by the rules of the form, stage by stage"},
    {"draw", sheet_draw, "rounds, pairings, byes, results"},
    {"crosstable", sheet_crosstable, "the score of each against each"},
    {"bracket", sheet_bracket, "eliminations, drawn"},
    {"matches", sheet_matches, "meetings in the order of their end, with UTC times"},
    {"ladder", sheet_ladder, "challenges and places"},
    {"entries", sheet_entries, "author, operator, program, declared origins"},
    {"decisions", sheet_decisions, "acts of the desk with their reasons"},
};

const struct sheet_part *sheet_part_find(const char *name, const char **nearest)
{
    const char *names[SHEET_PARTS];

    for (int i = 0; i < SHEET_PARTS; i++) {
        names[i] = sheet_parts[i].name;
        if (strcmp(name, names[i]) == 0) {
            return &sheet_parts[i];
        }
    }
    *nearest = closest_name(name, names, SHEET_PARTS);
    return NULL;
}
