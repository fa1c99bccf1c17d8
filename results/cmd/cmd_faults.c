/* cmd_faults.c - bgref faults: the bots' faults, with their evidence. Printed while reading,
 * fault by fault: evidence is long, and a bad bot may have tens of thousands of them. So an
 * unknown name is only noticed at the end, when nothing was printed. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <store/counted.h>
#include <store/store.h>
#include <sums/tally.h>
#include <base/again.h>
#include <sums/results_set.h>
#include <base/foreign.h>
#include <base/closest.h>
#include <base/memory.h>
#include <base/said.h>
#include <rules/clean.h>

struct arguments {
    bool json;
    const char *results, *bot;
};

static const struct command_row options[] = {
    {"json", .help = "One JSON object per line, with all stored fields", COMMAND_FLAG(json)}, {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true},
    {"bot", COMMAND_TEXT(bot)},
    {0}};

static const struct command command = {
    .usage = "RESULTS.db [BOT]",
    .help = "List the bots' faults, with the position, the reply, the last lines on standard error "
            "and a "
            "command that shows the fault again. Safe while the event is running.",
    .options = options,
    .words = words,
    .missing = "needs a results database",
};

struct faults_listing {
    const struct arguments *arguments;
    uint64_t count;
    uint64_t counted; /* only pairs below this; faults in others are surplus */
};

/* Prints the bot's last lines on standard error, and a remedy for a known cause. */
static void print_said(const char *text)
{
    struct said said;
    const char *remedy;

    said_take(&said, text);
    said_print(stdout, "      said      ", &said);
    remedy = said_remedy(&said);
    if (remedy != NULL) {
        printf("      to do     %s\n", remedy);
    }
}

static void print_line(const char *name, const char *value)
{
    if (value != NULL && value[0] != '\0') {
        printf("      %-9s ", name);
        clean_print(stdout, value, CLEAN_LINE);
        putchar('\n');
    }
}

static void print_fault(uint64_t number, const struct store_fault *fault, bool surplus)
{
    struct again again;

    printf("%4" PRIu64 "  %s: %s%s%s\n", number, fault->bot == NULL ? "?" : fault->bot,
           bg_fault_name(fault->fault), fault->rule == NULL ? "" : " ",
           fault->rule == NULL ? "" : fault->rule);
    print_line("story", fault->story);
    print_line("game", fault->game_id == NULL ? "none: outside a game" : fault->game_id);
    print_line("surplus", surplus ? "yes: the test was decided without this game" : NULL);
    if (fault->decision != 0) {
        printf("      %-9s %" PRIu64 "\n", "decision", fault->decision);
    }
    print_line("position", fault->position_id);
    print_line("xgid", fault->xgid);
    print_line("dice", fault->dice);
    print_line("reply", fault->reply);
    again_init(&again, fault->reproduce);
    print_line("rules say", again.bot == NULL ? NULL : again.rules);
    print_line("again", again.bot != NULL ? again.bot : again.rules);
    again_deinit(&again);
    print_said(fault->stderr_tail);
}

static void print_json(uint64_t number, const struct store_fault *fault, bool surplus)
{
    struct again again;
    json_t *object = json_object();

    again_init(&again, fault->reproduce);

    const struct {
        const char *name, *value;
    } texts[] = {
        {"bot", fault->bot},
        {"game", fault->game_id},
        {"rule", fault->rule},
        {"story", fault->story},
        {"xgid", fault->xgid},
        {"position", fault->position_id},
        {"dice", fault->dice},
        {"reply", fault->reply},
        {"rules_say", again.rules},
        {"again", again.bot != NULL ? again.bot : again.rules},
        {"stderr", fault->stderr_tail},
    };

    json_object_set_new(object, "number", json_integer((json_int_t)number));
    json_object_set_new(object, "fault", json_string(bg_fault_name(fault->fault)));
    json_object_set_new(object, "decision", json_integer((json_int_t)fault->decision));
    json_object_set_new(object, "surplus", json_boolean(surplus));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_object_set_new(object, texts[i].name, foreign_json(texts[i].value));
    }
    json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(object);
    again_deinit(&again);
}

static void list_fault(void *user, const struct store_fault *fault)
{
    struct faults_listing *listing = user;
    const char *bot = listing->arguments->bot;

    if (bot != NULL && (fault->bot == NULL || strcmp(fault->bot, bot) != 0)) {
        return;
    }
    listing->count++;
    (listing->arguments->json ? print_json : print_fault)(
        listing->count, fault, !counted_has(listing->counted, fault->game_id));
}

/* A mistyped name has no faults either; a bot that is in no game may have some. */
static enum bg_status check_bot_name(const struct event_results *results,
                                     const struct arguments *arguments, struct bg_error *err)
{
    const struct tally *tally = &results->tally;
    const char **names = memory_zeroed((size_t)tally->bots, sizeof *names), *near;

    if (tally_find(tally, arguments->bot) >= 0) {
        free(names);
        return BG_OK;
    }
    for (int i = 0; i < tally->bots; i++) {
        names[i] = tally->bot[i].name;
    }
    near = closest_name(arguments->bot, names, tally->bots);
    free(names);
    return bg_error_set(err, BG_E_ARGUMENT,
                        "'%.80s' has neither games nor faults in %.200s%s; 'bgref rate %.200s' "
                        "lists the bots",
                        arguments->bot, arguments->results, closest_hint(near).text,
                        arguments->results);
}

int cmd_faults(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct faults_listing listing = {.arguments = &arguments};
    struct event_results results = {0};
    struct bg_error err = {0};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = event_results_open(&results, arguments.results, &err);
    if (status == BG_OK) {
        listing.counted = results.counted;
        status = store_all_faults(results.store, list_fault, &listing, &err);
    }
    if (status == BG_OK && listing.count == 0 && arguments.bot != NULL) {
        status = check_bot_name(&results, &arguments, &err);
    }
    event_results_close(&results);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of_results(status);
    }
    if (listing.count == 0 && !arguments.json) {
        printf("no faults%s%s\n", arguments.bot == NULL ? "" : " of ",
               arguments.bot == NULL ? "" : arguments.bot);
    }
    return EXIT_DONE;
}
