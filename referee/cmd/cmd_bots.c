/* cmd_bots.c - bgref bots: the bots that have a name here. A terminal gets a table, anything
 * else lines with tabs: commands hold spaces, and a width that changes with the bots would break
 * who reads the columns. */
#define _GNU_SOURCE /* program_invocation_name */
#include "referee_commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/docs.h>
#include <base/exit_status.h>

#include "options.h"
#include "bot/command.h"
#include "bot/conditions.h"
#include "bot/offers.h"
#include "check/examiner.h"
#include "bot/registry.h"
#include "cmd/command.h"

#define START_NS INT64_C(30000000000)

/* Returns false if the command begins with a full path without a program. */
static bool program_is_there(const struct competitor *bot)
{
    char **words = NULL;
    bool there = true;

    if (command_split(&words, bot->cmd, NULL) == BG_OK && words[0][0] == '/') {
        there = access(words[0], X_OK) == 0;
    }
    free(words);
    return there;
}

static void print_options(const struct competitor *bot)
{
    for (int i = 0; i < bot->option_count; i++) {
        printf("%s%s=%s", i > 0 ? " " : "", bot->options[i].name, bot->options[i].value);
    }
}

static const char *remark(const struct registry *registry, int i)
{
    if (!program_is_there(registry_at(registry, i))) {
        return "not installed";
    }
    return registry_replaces(registry, i) ? "replaces the bundled one" : "";
}

static void list(const struct registry *registry)
{
    bool people = isatty(STDOUT_FILENO) == 1;

    if (people) {
        printf("%-16s %-9s %-10s %s\n", "NAME", "FROM", "REPEATS", "COMMAND, OPTIONS");
    }
    for (int i = 0; i < registry_count(registry); i++) {
        const struct competitor *bot = registry_at(registry, i);
        bool bundled = strcmp(registry_origin(registry, i), "bundled") == 0;
        const char *note = remark(registry, i);

        if (people) {
            printf("%-16s %-9s %-10s %s", bot->name, bundled ? "bundled" : "user",
                   conditions_repeat(bot->cmd), bot->cmd);
            printf("%s", bot->option_count > 0 ? "  " : "");
            print_options(bot);
            printf("%s%s%s\n", note[0] != '\0' ? "  (" : "", note, note[0] != '\0' ? ")" : "");
        } else {
            printf("%s\t%s\t%s\t", bot->name, registry_origin(registry, i), bot->cmd);
            print_options(bot);
            printf("\t%s\t%s\n", note, conditions_repeat(bot->cmd));
        }
    }
    if (people) {
        printf("\nREPEATS: where a seed gives the same games again: anywhere; with the same C "
               "library and "
               "make of\nprocessor (libm); with the same package gnubg, data files and make of "
               "processor.\n");
        printf("\nOwn bots go into %s; %s/bots.yaml shows how.\n", registry_user_file(registry),
               docs_folder());
    }
}

/* Starts the bot and lists its options. Missing information is not a failure here. */
static void show_offers(const struct competitor *bot)
{
    struct examiner *examiner = NULL;
    struct said said = {.text = ""};
    struct bg_error err = {.text = ""};
    const struct wire_option *offers;
    const char *remedy;
    size_t count;
    struct examiner_setup setup = {
        .bot = bot, .start_ns = START_NS, .ceiling_ns = START_NS, .said = &said};

    fflush(stdout);
    if (examiner_open(&examiner, &setup, &err) != BG_OK) {
        remedy = said_remedy(&said);
        printf("offers     unknown, it does not start: %s\n", err.text);
        said_print(stdout, "           ", &said);
        if (remedy != NULL) {
            printf("           what to do: %s\n", remedy);
        }
        return;
    }
    printf("version    %s\n", examiner_version(examiner));
    offers = examiner_offers(examiner, &count);
    offers_write(stdout, offers, count);
    examiner_close(examiner);
}

static void show(const struct competitor *bot, const char *from, const char *note)
{
    char clock[128] = "the event's";

    if (bot->has_clock) {
        clock_control_write(clock, sizeof clock, &bot->clock);
    }
    printf("name       %s\n", bot->name);
    printf("from       %s%s%s%s\n", from, note[0] != '\0' ? " (" : "", note,
           note[0] != '\0' ? ")" : "");
    printf("command    %s\n", bot->cmd);
    printf("folder     %s\n", bot->dir[0] == '\0' ? "the current one" : bot->dir);
    for (int k = 0; k < bot->option_count; k++) {
        printf("option     %s=%s\n", bot->options[k].name, bot->options[k].value);
    }
    if (bot->instances > 0) {
        printf("instances  %d\n", bot->instances);
    } else {
        printf("instances  the event's\n");
    }
    printf("clock      %s\n", clock);
    if (bot->stderr_file[0] != '\0') {
        printf("stderr     %s\n", bot->stderr_file);
    }
    show_offers(bot);
}

static enum bg_status show_named(const struct registry *registry, const char *name,
                                 struct bg_error *err)
{
    static struct competitor bot; /* large */
    enum bg_status status = registry_resolve(&bot, registry, name, err);
    const char *from = "a program", *note = "";

    if (status != BG_OK) {
        return status;
    }
    for (int i = 0; i < registry_count(registry); i++) {
        if (strcmp(registry_at(registry, i)->name, name) == 0) {
            from = registry_origin(registry, i);
            note = remark(registry, i);
        }
    }
    show(&bot, from, note);
    return BG_OK;
}

struct arguments {
    const char *bot;
};

static const struct command_row words[] = {{"bot", COMMAND_TEXT(bot)}, {0}};

static const struct command command = {
    .usage = "[BOT]",
    .help = "Lists the bots that can be named: name, where it comes from, command and options, "
            "separated by tabs when output is not a terminal. With BOT, a name or a path like "
            "./mybot, it starts that one and shows all that is known of it, with the options that "
            "it offers.",
    .words = words,
};

int cmd_bots(int argc, char **argv)
{
    struct registry *registry = NULL;
    struct arguments arguments = {.bot = NULL};
    struct bg_error err = {.text = ""};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = registry_open(&registry, &err);
    if (status == BG_OK && arguments.bot != NULL) {
        status = show_named(registry, arguments.bot, &err);
    } else if (status == BG_OK) {
        list(registry);
    }
    if (status != BG_OK) {
        command_say(err.text);
    }
    registry_close(registry);
    return exit_status_of(status);
}
