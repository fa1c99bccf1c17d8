/* One row a format: help, messages and the command line follow from it. Text around and between
 * games is data, so that a list needs no code of its own. */
#include "format.h"

#include <string.h>

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
