/* The whole list is read before a place counts, so that a wrong line anywhere refuses it all. */
#include "points.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_ROOM = 200 };

/* Reads a place from 1 and moves *text behind it. */
static bool read_place(int *out, char **text)
{
    char *end = NULL;
    long place;

    if (**text < '0' || **text > '9') {
        return false;
    }
    place = strtol(*text, &end, 10);
    *out = (int)place;
    *text = end;
    return place >= 1 && place <= POINTS_PLACES;
}

/* Reads "PLACE POINTS" or "FIRST-LAST POINTS". */
static bool read_places(int *first, int *last, double *worth, char *line)
{
    char *rest = line + strspn(line, " \t"), *end = NULL;

    if (!read_place(first, &rest)) {
        return false;
    }
    *last = *first;
    if (*rest == '-') {
        rest++;
        if (!read_place(last, &rest) || *last < *first) {
            return false;
        }
    }
    if (*rest != ' ' && *rest != '\t') {
        return false;
    }
    *worth = strtod(rest, &end);
    return end != rest && end[strspn(end, " \t\r")] == '\0' && isfinite(*worth) && *worth >= 0;
}

static enum bg_status add_places(struct points_table *out, bool *listed, char *line, int number,
                                 struct bg_error *err)
{
    int first = 0, last = 0;
    double worth = 0;

    line[strcspn(line, "#")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0') {
        return BG_OK;
    }
    if (!read_places(&first, &last, &worth, line)) {
        return bg_error_set(err, BG_E_FORMAT,
                            "line %d: '%s': needs a place (1 to %d) or a range of places, and its "
                            "points, like '1 10' or '5-8 1'",
                            number, line, POINTS_PLACES);
    }
    for (int place = first; place <= last; place++) {
        if (listed[place - 1]) {
            return bg_error_set(err, BG_E_FORMAT, "line %d: place %d has a line already", number,
                                place);
        }
        listed[place - 1] = true;
        out->worth[place - 1] = worth;
    }
    out->places = last > out->places ? last : out->places;
    return BG_OK;
}

enum bg_status points_read(struct points_table *out, const char *text, struct bg_error *err)
{
    bool listed[POINTS_PLACES] = {false};
    enum bg_status status = BG_OK;

    *out = (struct points_table){.places = 0};
    for (int number = 1; *text != '\0' && status == BG_OK; number++) {
        size_t length = strcspn(text, "\n");
        char line[LINE_ROOM];

        if (length >= sizeof line) {
            return bg_error_set(err, BG_E_FORMAT, "line %d: longer than %d bytes", number,
                                LINE_ROOM - 1);
        }
        memcpy(line, text, length);
        line[length] = '\0';
        status = add_places(out, listed, line, number, err);
        text += length + (text[length] == '\n');
    }
    if (status == BG_OK && out->places == 0) {
        status = bg_error_set(err, BG_E_FORMAT,
                              "no place has points; write lines 'PLACE POINTS', like '1 10'");
    }
    return status;
}

void points_share(double *out, const struct points_table *table, const int *rank, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int sharing = 0;
        double sum = 0;

        for (size_t k = 0; k < count; k++) {
            sharing += rank[k] == rank[i];
        }
        /* Who shares places shares what these places are worth together. */
        for (int place = rank[i]; place < rank[i] + sharing; place++) {
            sum += place >= 1 && place <= table->places ? table->worth[place - 1] : 0;
        }
        out[i] = rank[i] >= 1 ? sum / sharing : 0;
    }
}
