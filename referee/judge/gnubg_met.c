/* The table is read from the gnubg that judges, and not taken from a file: another version, or a
 * user's build, may use another one, and luck would be converted by numbers that it was not made
 * with. */
#include "gnubg_met.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the line after the next line that begins with `title`; NULL: there is none. */
static const char *behind(const char *text, const char *title)
{
    const char *found = text == NULL ? NULL : strstr(text, title);
    const char *end = found == NULL ? NULL : strchr(found, '\n');

    return end == NULL ? NULL : end + 1;
}

/* Reads a row " 2-away 32.2640 50.0000 ..." of percentages; *at moves past it. */
static bool read_aways(double out[GNUBG_MET_SIZE], const char **at, int number)
{
    char *end;
    long away = strtol(*at, &end, 10);

    if (end == *at || away != number || strncmp(end, "-away", 5) != 0) {
        return false;
    }
    *at = end + 5;
    for (int i = 0; i < GNUBG_MET_SIZE; i++) {
        out[i] = strtod(*at, &end) / 100;
        if (end == *at || !(out[i] >= 0 && out[i] <= 1)) {
            return false;
        }
        *at = end;
    }
    return true;
}

/* Skips the empty line after the title and the column heads. */
static const char *rows_behind(const char *title)
{
    return behind(title, "1-away");
}

enum bg_status gnubg_met_read(struct gnubg_met *out, const char *text, struct bg_error *err)
{
    const char *at = rows_behind(behind(text, "Pre-Crawford table"));

    if (at == NULL) {
        return bg_error_set(err, BG_E_FORMAT, "gnubg printed no match equity table");
    }
    for (int i = 0; i < GNUBG_MET_SIZE; i++) {
        if (!read_aways(out->before[i], &at, i + 1)) {
            return bg_error_set(err, BG_E_FORMAT, "gnubg's match equity table: no row of %d-away",
                                i + 1);
        }
    }
    at = rows_behind(behind(at, "Post-Crawford table"));
    if (at == NULL || !read_aways(out->after, &at, 1)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "gnubg's match equity table: no chances after the Crawford "
                            "game");
    }
    return BG_OK;
}

double gnubg_met_after(const struct gnubg_met *met, const struct bg_match *match, int seat,
                       int winner, int64_t points)
{
    int64_t away[2];
    bool crawford_near;

    for (int i = 0; i < 2; i++) {
        away[i] = match->rules.length_points - match->score[i];
    }
    crawford_near = away[0] == 1 || away[1] == 1;
    away[winner] -= points;
    if (away[winner] <= 0) {
        return winner == seat ? 1 : 0;
    }
    if (!crawford_near) {
        return met->before[away[seat] - 1][away[1 - seat] - 1];
    }
    return away[seat] == 1 ? 1 - met->after[away[1 - seat] - 1] : met->after[away[seat] - 1];
}

double gnubg_met_unit(const struct gnubg_met *met, const struct bg_match *match, int seat,
                      int64_t cube)
{
    if (match->rules.length_points == 0) {
        return (double)cube;
    }
    return (gnubg_met_after(met, match, seat, seat, cube) -
            gnubg_met_after(met, match, seat, 1 - seat, cube)) /
           2;
}
