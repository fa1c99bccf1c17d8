#include "names.h"

#include <stdio.h>
#include <string.h>

/* gnubg ends its own program at a second colon in the line of names of a .mat. */
static void clean(char *name)
{
    for (; *name != '\0'; name++) {
        if (*name == ':' || (unsigned char)*name < ' ') {
            *name = '_';
        }
    }
}

/* Returns how many bytes of text, up to most, end at a complete UTF-8 character. */
static size_t whole_characters(const char *text, size_t most)
{
    size_t length = strlen(text);

    if (length <= most) {
        return length;
    }
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80) {
        most--;
    }
    return most;
}

static void cut_name(char out[FORMAT_NAME], const char *name, const char *end)
{
    size_t length = whole_characters(name, FORMAT_NAME - 1 - strlen(end));

    memcpy(out, name, length);
    strcpy(out + length, end);
    clean(out);
}

void format_names(char out[2][FORMAT_NAME], const char *const name[2])
{
    for (int i = 0; i < 2; i++) {
        cut_name(out[i], name[i][0] == '\0' ? "-" : name[i], "");
    }
    /* Readers tell the players by their names alone, so cutting must not make them equal. */
    if (strcmp(out[0], out[1]) == 0 && strcmp(name[0], name[1]) != 0) {
        cut_name(out[0], name[0], "~1");
        cut_name(out[1], name[1], "~2");
    }
}

/* Imported games keep the file's own name as the version of a seat. */
void format_players(const char *name[2], const struct record_view *view)
{
    static const char *const seats[] = {"seat0", "seat1"}, *const versions[] = {"version0",
                                                                                "version1"};
    const char *dice = record_view_value(view, "dice");
    bool imported = dice != NULL && strcmp(dice, "file") == 0;

    for (int seat = 0; seat < 2; seat++) {
        const char *display = imported ? record_view_value(view, versions[seat]) : NULL;

        name[seat] =
            display != NULL && display[0] != '\0' ? display : record_view_value(view, seats[seat]);
    }
}
