/* cmd_new_bot.c - bgref new-bot: writes the first files of a bot that can play at once. */
#include "referee_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/exit_status.h>

#include "base/closest.h"
#include "base/memory.h"
#include "base/output.h"
#include "check/project.h"
#include "cmd/command.h"

enum { LANGUAGES_MAX = 16 };

struct arguments {
    const char *name, *folder;
    const struct language *language;
};

static void take_language(void *arguments, const char *text, const struct command_row *row)
{
    const struct language *language = language_find(text);
    const char *ids[LANGUAGES_MAX];
    char list[128] = "";
    int count = 0;

    for (; count < LANGUAGES_MAX && language_at(count) != NULL; count++) {
        ids[count] = language_at(count)->id;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count == 0 ? "" : ", ",
                 ids[count]);
    }
    if (language == NULL) {
        command_misuse("--%s: '%.64s' is none of %s%s", row->name, text, list,
                       closest_perhaps(text, ids, count).text);
    }
    ((struct arguments *)arguments)->language = language;
}

static void take_name(void *arguments, const char *text, const struct command_row *row)
{
    (void)row;
    if (!project_is_name(text)) {
        command_misuse("'%.64s%s' is not a valid bot name: a letter, then letters, digits, - or _, "
                       "64 at most, and not a folder of the build (build, src, target)",
                       text, strlen(text) > 64 ? "..." : "");
    }
    ((struct arguments *)arguments)->name = text;
}

static void check(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->name == NULL) {
        command_misuse("needs a name: bgref new-bot mybot --lang c");
    }
    if (arguments->language == NULL) {
        command_misuse("needs --lang: c, python, go, rust or javascript");
    }
}

static const struct command_row options[] = {
    {"lang", 'l', .value = "LANGUAGE", .help = "c, python, go, rust or javascript",
     .take = take_language},
    {"dir", 'd', .value = "FOLDER",
     .help = "Make the bot's folder in FOLDER (default: the current one)", COMMAND_TEXT(folder)},
    {0}};

static const struct command_row words[] = {{"name", .take = take_name}, {0}};

static const struct command command = {
    .usage = "NAME --lang LANGUAGE",
    .help =
        "Makes the folder NAME with a small complete bot, and prints the commands that "
        "build it and try it.\v"
        "Nothing is overwritten: the command refuses an existing folder or file NAME. A bot in C "
        "links the SDK; the others need the message schema only, which is written beside them, and "
        "the "
        "packages that their README.md names.",
    .options = options,
    .words = words,
    .check = check,
};

int cmd_new_bot(int argc, char **argv)
{
    struct arguments arguments = {.folder = "."};
    struct bg_error err = {.text = ""};
    enum bg_status status;
    char *path;

    command_read(&command, argc, argv, &arguments);
    path = memory_print("%s/%s", arguments.folder, arguments.name);
    status = output_has_folder(path, "make folder", &err);
    free(path);
    if (status == BG_OK) {
        status = project_write(arguments.language, arguments.folder, arguments.name, &err);
    }
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    printf("%s is a bot in %s now. See its README.md; next:\n\n    cd %s%s%s\n", arguments.name,
           arguments.language->title, strcmp(arguments.folder, ".") == 0 ? "" : arguments.folder,
           strcmp(arguments.folder, ".") == 0 ? "" : "/", arguments.name);
    project_print_commands(stdout, arguments.language, arguments.name, "    ");
    return EXIT_DONE;
}
