/* One row a format: help, messages and the command line follow from it. Text around and between
 * games is data, so that a list needs no code of its own. */
#include "format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <record/record_text.h>

static const struct format formats[] = {
    {.name = "mat",
     .what = "matches in two columns, as GNU Backgammon and most others import them",
     .by_match = true,
     .game = mat_game},
    {.name = "sgf",
     .what = "matches as GNU Backgammon saves them; can express beavers, set positions and more",
     .by_match = true,
     .game = sgf_game},
    {.name = "csv",
     .what = "one line a game",
     .top = csv_top,
     .between = "",
     .bottom = "",
     .game = csv_game},
    {.name = "json",
     .what = "one document with all games and their steps",
     .top = "{\"schema\":\"bgref-games\",\"version\":2,\"games\":[\n",
     .between = ",\n",
     .bottom = "\n]}\n",
     .game = json_game},
    {.name = "jsonl",
     .what = "the same games, one object per line",
     .top = "",
     .between = "",
     .bottom = "",
     .game = jsonl_game},
    {.name = "xgid",
     .what = "every decision with its XGID, dice and choice, separated by tabs",
     .top = xgid_top,
     .between = "",
     .bottom = "",
     .game = xgid_game},
};

const struct format *format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

const struct format *format_at(int i)
{
    return i >= 0 && (size_t)i < sizeof formats / sizeof formats[0] ? &formats[i] : NULL;
}

void format_file_deinit(struct format_file *file)
{
    record_deinit(&file->head);
    record_deinit(&file->body);
    *file = (struct format_file){0};
}

/* ------------------------------------------------------------------ text */

/* Every text is formatted twice: once for its length, then into the room that it needs, so that
 * no name and no note is ever cut. The buffer is the record's, which grows by itself. */
void text_put(struct text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return;
    }
    record_reserve(text->out, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text->out->text + text->out->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->out->size += (size_t)length;
}

void text_put_marked(struct text *text, const char *value, const char *marked, char mark)
{
    char *at;

    record_reserve(text->out, 2 * strlen(value) + 1);
    at = text->out->text + text->out->size;
    for (const char *from = value; *from != '\0'; from++) {
        if (strchr(marked, *from) != NULL) {
            *at++ = mark;
        }
        *at++ = *from;
    }
    *at = '\0';
    text->out->size = (size_t)(at - text->out->text);
}

void text_cut(struct text *text, size_t size)
{
    /* Nothing put yet: there is no buffer to end. */
    if (text->out->text != NULL) {
        text->out->size = size;
        text->out->text[size] = '\0';
    }
}

/* ------------------------------------------------------------------ names */

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
