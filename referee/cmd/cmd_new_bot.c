/* cmd_new_bot.c - bgref new-bot: writes the first files of a bot that can play at once. */
#include "referee_commands.h"

#include <stdio.h>
#include <string.h>

#include <exit_status.h>

#include "words/closest.h"
#include "newbot/project.h"
#include "cmd/command.h"

enum { LANGUAGES_MAX = 16 };

struct arguments {
    const char *name, *folder;
    const struct language *language;
};

static const struct language *read_language(const char *text)
{
    const struct language *language = language_find(text);
    const char *ids[LANGUAGES_MAX], *near;
    char list[128] = "";
    int count = 0;

    for (; count < LANGUAGES_MAX && language_at(count) != NULL; count++) {
        ids[count] = language_at(count)->id;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count == 0 ? "" : ", ",
                 ids[count]);
    }
    if (language == NULL) {
        near = closest_name(text, ids, count);
        command_misuse("--lang: '%.64s' is none of %s%s%s%s", text, list,
                       near == NULL ? "" : " (perhaps ", near == NULL ? "" : near,
                       near == NULL ? "" : "?)");
    }
    return language;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'l':
        arguments->language = read_language(value);
        return 0;
    case 'd':
        arguments->folder = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->name != NULL) {
            command_misuse("'%.64s': one name is enough", value);
        }
        if (!project_is_name(value)) {
            command_misuse(
                "'%.64s%s' is not a valid bot name: a letter, then letters, digits, - or "
                "_, 64 at most, and not a folder of the build (build, src, target)",
                value, strlen(value) > 64 ? "..." : "");
        }
        arguments->name = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->name == NULL) {
            command_misuse("needs a name: bgref new-bot mybot --lang c");
        }
        if (arguments->language == NULL) {
            command_misuse("needs --lang: c, python, go, rust or javascript");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"lang", 'l', "LANGUAGE", 0, "c, python, go, rust or javascript", 0},
    {"dir", 'd', "FOLDER", 0, "Make the bot's folder in FOLDER (default: the current one)", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "NAME --lang LANGUAGE",
    "Makes the folder NAME with a small complete bot, and prints the commands that "
    "build it and try it.\v"
    "Nothing is overwritten: the command refuses an existing folder or file NAME. A bot in C "
    "links the SDK; the others need the message schema only, which is written beside them, and the "
    "packages that their README.md names.",
    NULL,
    NULL,
    NULL};

int cmd_new_bot(int argc, char **argv)
{
    struct arguments arguments = {.folder = "."};
    struct bg_error err = {.text = ""};
    enum bg_status status;

    command_parse(&description, argc, argv, 0, &arguments);
    status = project_write(arguments.language, arguments.folder, arguments.name, &err);
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
