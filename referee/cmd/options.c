/* The order of assemble() is that of what depends on what: flags change the file, bots stand
 * before a duel's name and before a person's habits, which give way to what was said; --games
 * needs the rules and whether pairs are played twice. Only a complete event is checked, and only
 * a checked one is loaded. */
#define _GNU_SOURCE /* program_invocation_name */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "log.h"
#include "flags.h"
#include "line.h"
#include "seeds_rated.h"
#include "bot/command.h"
#include "bot/registry.h"
#include "config/keys.h"
#include "event/surroundings.h"
#include "judge/judge.h"
#include "record/round_robin.h"
#include "base/units.h"

static enum bg_status apply_settings(struct config_event *event, const struct line *line,
                                     struct bg_error *err)
{
    for (int i = 0; i < line->setting_count; i++) {
        struct bg_error why = {.text = ""};
        enum bg_status status =
            config_event_set(event, line->settings[i].key, line->settings[i].text, &why);

        if (status != BG_OK) {
            return key_flag_error(err, status, why.text);
        }
    }
    event->fresh = line->fresh;
    event->accept_changed = line->accept_changed;
    event->browser = line->browser;
    if (event->browser && event->page[0] == '\0') {
        snprintf(event->page, sizeof event->page, "tcp://127.0.0.1:0");
    }
    return BG_OK;
}

/* --games is the total number; pairs follow from it if each game is a fixture. */
static enum bg_status apply_games(struct config_event *event, const struct line *line,
                                  struct bg_error *err)
{
    uint64_t games = 0, a_pair = round_robin_of_pairing(1, event->duplicate);
    struct bg_error why = {.text = ""};
    char pairs[32];

    if (line->games == NULL) {
        return BG_OK;
    }
    if (config_event_is_given(event, "pairs")) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "--games: the number of games in all, two a pair; beside --pairs or "
                            "--rounds it means the same; keep one of them");
    }
    if (event->rules.length_points != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "--games: counts money games; matches are counted by --pairs");
    }
    if (count_read(&games, line->games, 1, 2000000000, &why) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT, "--games: %.400s", why.text);
    }
    if (games % a_pair != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "--games: %s is odd, but pairs are two games with the same dice; make "
                            "it even, or use --duplicate=off",
                            line->games);
    }
    snprintf(pairs, sizeof pairs, "%" PRIu64, games / a_pair);
    return config_event_set(event, "pairs", pairs, err);
}

/* Adds the bot under the next free name and prints a note: a bot may play itself. */
static enum bg_status add_renamed(struct config_event *event, struct competitor *bot,
                                  struct bg_error *err)
{
    char name[NAME_SIZE];

    memcpy(name, bot->name, sizeof name);
    for (int i = 2; competitor_find(event->bots, event->bot_count, bot->name) >= 0; i++) {
        snprintf(bot->name, sizeof bot->name, "%.56s-%d", name, i % 10000);
    }
    if (strcmp(name, bot->name) != 0) {
        fprintf(stderr, "%s: the second %s is called %s\n", program_invocation_name, name,
                bot->name);
    }
    return config_event_add(event, bot, err);
}

/* Adds one bot of the command line: the words of every -each, then its own. */
static enum bg_status add_bot(struct config_event *event, const struct line *line,
                              const struct registry *registry, char *const *words, int count,
                              struct bg_error *err)
{
    const char **all = memory_zeroed((size_t)line->each_count + (size_t)count, sizeof *all);
    struct competitor bot;
    enum bg_status status;

    for (int i = 0; i < line->each_count; i++) {
        all[i] = line->each[i];
    }
    for (int i = 0; i < count; i++) {
        all[line->each_count + i] = words[i];
    }
    status = registry_engine(&bot, registry, all, line->each_count + count, err);
    free(all);
    return status == BG_OK ? add_renamed(event, &bot, err) : status;
}

static enum bg_status add_bots(struct config_event *event, const struct line *line,
                               const struct registry *registry, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int named = line->command == OPTIONS_DUEL ? line->positional_count : 0;

    for (int i = 0; i < line->each_count; i++) {
        if (strchr(line->each[i], '=') == NULL || strncmp(line->each[i], "name=", 5) == 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "-each %.80s: key=value words for every bot, and no name",
                                line->each[i]);
        }
    }
    if (line->each_count > 0 && named + line->engine_count == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "-each concerns bots of the command line; in %s set it for each bot",
                            line->positional[0]);
    }
    for (int i = 0; status == BG_OK && i < named; i++) {
        char *word = memory_text(line->positional[i]);

        status = add_bot(event, line, registry, &word, 1, err);
        free(word);
    }
    for (int i = 0; status == BG_OK && i < line->engine_count; i++) {
        status = add_bot(event, line, registry, line->argv + line->engines[i].first,
                         line->engines[i].count, err);
    }
    return status;
}

static bool has_person(const struct config_event *event)
{
    bool found = false;

    for (int i = 0; i < event->bot_count; i++) {
        found = found || competitor_is_person(&event->bots[i]);
    }
    return found;
}

/* A person plays one fixture in one terminal, has time, and must not know the dice from a first
 * leg. */
static enum bg_status suit_person(struct config_event *event, const struct line *line,
                                  struct bg_error *err)
{
    static const struct setting usual[] = {
        {"pairs", "1"}, {"duplicate", "off"}, {"concurrency", "1"}, {"ceiling", "24h"}};
    enum bg_status status = BG_OK;

    for (size_t i = 0; status == BG_OK && i < sizeof usual / sizeof usual[0]; i++) {
        bool is_counted = i == 0 && line->games != NULL;

        if (!is_counted && !config_event_is_given(event, usual[i].key)) {
            status = config_event_set(event, usual[i].key, usual[i].text, err);
        }
    }
    /* The page to open is that of the seat. */
    for (int i = 0; status == BG_OK && line->browser && i < event->bot_count; i++) {
        if (strcmp(event->bots[i].base, "person") == 0) {
            status = competitor_set_option(&event->bots[i], "Browser", "true", err);
            event->browser = false;
        }
    }
    return status;
}

static enum bg_status name_duel(struct config_event *event, struct bg_error *err)
{
    int size;

    if (event->name[0] != '\0') {
        return BG_OK;
    }
    size = snprintf(event->name, sizeof event->name, "%s-vs-%s", event->bots[0].name,
                    event->bots[1].name);
    return size < (int)sizeof event->name
               ? BG_OK
               : bg_error_set(err, BG_E_ARGUMENT,
                              "--event: %s-vs-%s is too long for a name; give a shorter one",
                              event->bots[0].name, event->bots[1].name);
}

/* The descriptor is for us and not for what we start. */
static enum bg_status lender_take(struct config_event *event, const char *text,
                                  struct bg_error *err)
{
    struct bg_error why = {.text = ""};

    if (text == NULL) {
        return BG_OK;
    }
    if (int_read(&event->door.lender, text, 3, INT_MAX, &why) != BG_OK ||
        fcntl(event->door.lender, F_SETFD, FD_CLOEXEC) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "lender: '%.20s' is no descriptor of a host; only "
                            "'bgref host' gives one",
                            text);
    }
    return BG_OK;
}

static enum bg_status assemble(struct config_event *event, const struct line *line,
                               const struct registry *registry, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (line->command == OPTIONS_TOURNAMENT) {
        status = config_event_read(event, line->positional[0], registry, err);
    }
    if (status == BG_OK) {
        status = apply_settings(event, line, err);
    }
    if (status == BG_OK) {
        status = add_bots(event, line, registry, err);
    }
    if (status == BG_OK && line->command == OPTIONS_DUEL && has_person(event)) {
        status = suit_person(event, line, err);
    }
    if (status == BG_OK) {
        status = apply_games(event, line, err);
    }
    if (status == BG_OK && line->command == OPTIONS_DUEL) {
        status = name_duel(event, err);
    }
    if (status == BG_OK) {
        config_event_settle(event);
        surroundings_settle(event);
        status = config_event_check(event, err);
    }
    if (status == BG_OK) { /* what is loaded depends on it */
        status = lender_take(event, line->lender, err);
    }
    if (status == BG_OK) {
        status = config_event_load(event, err);
    }
    if (status == BG_OK) {
        status = seeds_rated(event, err);
    }
    return status;
}

/* Returns whether argp reads the word as this flag, which may be abbreviated. */
static bool is_flag(const char *word, const char *flag)
{
    const char *name = without_dashes(word);

    return name != NULL && strlen(name) > 1 && strncmp(flag, name, strlen(name)) == 0;
}

/* Returns the command that resumes the event: without flags that apply to one run only. */
static char *typed(int argc, char **argv)
{
    size_t size = 16;
    char *text;

    for (int i = 0; i < argc; i++) {
        /* Room for the worst: an apostrophe becomes four characters in quotes. */
        size += 4 * strlen(argv[i]) + 4;
    }
    text = memory_zeroed(1, size);
    for (int i = 0; i < argc; i++) {
        if (i == 0) {
            snprintf(text, size, "bgref");
        }
        if (!is_flag(argv[i], "fresh") && !is_flag(argv[i], "accept-changed")) {
            command_append(text, size, argv[i]);
        }
    }
    return text;
}

/* A mistyped folder would begin other results: only the usual one is made. */
static enum bg_status check_folder(const struct config_event *event, struct bg_error *err)
{
    const char *results = event->results, *end = strrchr(results, '/');
    char folder[sizeof event->results];

    snprintf(folder, sizeof folder, "%.*s", end == NULL ? 0 : (int)(end - results), results);
    return strcmp(folder, "./bgref-results") == 0 || strcmp(folder, "bgref-results") == 0
               ? BG_OK
               : output_has_folder(results, "results", err);
}

enum bg_status options_read(struct options *out, struct config_event *event,
                            enum options_command command, int argc, char **argv,
                            struct bg_error *err)
{
    enum bg_status status;
    struct registry *registry = NULL;
    struct line line;

    memset(out, 0, sizeof *out);
    if (command == OPTIONS_DUEL) {
        config_event_init_duel(event);
    } else {
        config_event_init(event);
    }
    event->judge_check = judge_check;
    status = line_init(&line, command, argc, argv, event, err);
    if (status != BG_OK) {
        goto done;
    }
    status = flags_parse(&line, err);
    if (status != BG_OK) {
        goto done;
    }
    status = registry_open(&registry, err);
    if (status != BG_OK) {
        goto done;
    }
    status = assemble(event, &line, registry, err);
    if (status != BG_OK) {
        goto done;
    }
    status = check_folder(event, err);
    if (status != BG_OK) {
        goto done;
    }
    status = outputs_check(&line.outputs, event, err);
    if (status != BG_OK) {
        goto done;
    }
    outputs_copy(&out->outputs, &line.outputs);
    status = log_open(line.log, err);
    if (status != BG_OK) {
        goto done;
    }
    snprintf(event->gallery, sizeof event->gallery, "%s", line.gallery == NULL ? "" : line.gallery);
    snprintf(event->door.bans, sizeof event->door.bans, "%s", line.gate == NULL ? "" : line.gate);
    out->quiet = line.quiet || has_person(event); /* progress would be written into the board */
    /* The whole vector is still the caller's: argp had copies. */
    out->command = typed(argc, argv);
done:
    registry_close(registry);
    line_deinit(&line);
    return status;
}

void options_deinit(struct options *options)
{
    outputs_deinit(&options->outputs);
    free(options->command);
    options->command = NULL;
}
