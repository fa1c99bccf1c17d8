/* cmd_bots.c - bgref bots: which bots have a name here. */
#include "cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <exit_status.h>

#include "options.h"
#include "bot/command.h"
#include "seat/registry.h"

static const char usage[] = "usage: bgref bots [NAME]\n"
                            "\n"
                            "Lists the bots that can be named: name, where it comes from, command\n"
                            "and options, separated by tabs when output is not a terminal. With\n"
                            "NAME it shows everything known of one bot.\n";

/* False when the command begins with a full path at which no program lies. */
static bool program_is_there(const struct config_bot *bot)
{
    char **words = NULL;
    bool there = true;

    if (command_split(&words, bot->cmd, NULL) == BG_OK && words[0][0] == '/') {
        there = access(words[0], X_OK) == 0;
    }
    free(words);
    return there;
}

static void print_options(const struct config_bot *bot)
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
        printf("%-16s %-9s %s\n", "NAME", "FROM", "COMMAND, OPTIONS");
    }
    for (int i = 0; i < registry_count(registry); i++) {
        const struct config_bot *bot = registry_at(registry, i);
        bool bundled = strcmp(registry_origin(registry, i), "bundled") == 0;
        const char *note = remark(registry, i);

        if (people) {
            printf("%-16s %-9s %s", bot->name, bundled ? "bundled" : "user", bot->cmd);
            printf("%s", bot->option_count > 0 ? "  " : "");
            print_options(bot);
            printf("%s%s%s\n", note[0] != '\0' ? "  (" : "", note, note[0] != '\0' ? ")" : "");
        } else {
            printf("%s\t%s\t%s\t", bot->name, registry_origin(registry, i), bot->cmd);
            print_options(bot);
            printf("\t%s\n", note);
        }
    }
    if (people) {
        printf("\nOwn bots go into %s; docs/bots.yaml shows how.\n", registry_user_file(registry));
    }
}

static void show(const struct registry *registry, int i)
{
    const struct config_bot *bot = registry_at(registry, i);
    const char *note = remark(registry, i);
    char clock[128] = "the event's";

    if (bot->has_clock) {
        clock_control_write(clock, sizeof clock, &bot->clock);
    }
    printf("name       %s\n", bot->name);
    printf("from       %s%s%s%s\n", registry_origin(registry, i), note[0] != '\0' ? " (" : "", note,
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
}

static enum bg_status show_named(const struct registry *registry, const char *name,
                                 struct bg_error *err)
{
    struct config_bot bot;
    enum bg_status status = registry_resolve(&bot, registry, name, err);

    for (int i = 0; status == BG_OK && i < registry_count(registry); i++) {
        if (strcmp(registry_at(registry, i)->name, name) == 0) {
            show(registry, i);
            return BG_OK;
        }
    }
    return status == BG_OK
               ? bg_error_set(err, BG_E_ARGUMENT,
                              "'%s' is a program, not a name; name one of 'bgref bots'", name)
               : status;
}

int cmd_bots(int argc, char **argv)
{
    struct registry *registry = NULL;
    struct bg_error err = {.text = ""};
    enum bg_status status;

    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return EXIT_DONE;
    }
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        fprintf(stderr, "bgref: bots: '%s' is not expected\n%s", argv[argc - 1], usage);
        return EXIT_MISUSE;
    }
    status = registry_open(&registry, &err);
    if (status == BG_OK && argc == 2) {
        status = show_named(registry, argv[1], &err);
    } else if (status == BG_OK) {
        list(registry);
    }
    if (status != BG_OK) {
        fprintf(stderr, "bgref: %s\n", err.text);
    }
    registry_close(registry);
    return exit_status_of(status);
}
