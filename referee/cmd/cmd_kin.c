/* cmd_kin.c - bgref kin: which bots play alike, more than their errors explain. Results and
 * questions both become one list of choices, so one method counts them. */
#include "referee_commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/exit_status.h>
#include <tables/kin_text.h>
#include <base/docs.h>

#include "bot/registry.h"
#include "check/kin_ask.h"
#include "cmd/command.h"

enum { BOTS_MAX = 20 };
struct arguments {
    struct command_words words; /* databases, or the words of the bots */
    const char *judge, *game;
    bool json, same_name, ask;
};

static void check_kin(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->ask && (arguments->judge != NULL || arguments->same_name)) {
        command_misuse("--ask: --judge and --same-name are for results");
    }
    for (int i = 0; arguments->ask && i < arguments->words.count; i++) {
        const char *end = strrchr(arguments->words.word[i], '.');

        if (end != NULL && strcmp(end, ".db") == 0) {
            command_misuse("--ask asks bots, and %s is a results database: leave --ask out, or "
                           "name bots only, as 'bgref kin --ask td greedy gnubg'",
                           arguments->words.word[i]);
        }
    }
    if (arguments->words.count == 0) {
        command_misuse(arguments->ask ? "--ask needs bots: 'bgref kin --ask ./mybot greedy gnubg'"
                                      : "needs a results database, or --ask and bots");
    }
}

static const struct command_row options[] = {
    {"json", .help = "Print one line of JSON at full precision instead of a table",
     COMMAND_FLAG(json)},
    {"judge", .value = "NAME",
     .help = "Use this judge's errors (default: the one with the most games); 'bgref judge "
             "--errors' makes "
             "them",
     COMMAND_TEXT(judge)},
    {"same-name",
     .help = "Several databases: bots with the same name are one (default: with the same program)",
     COMMAND_FLAG(same_name)},
    {"ask",
     .help =
         "The words are bots: asks each of them the positions of 'bgref check'; a word with '=' "
         "belongs to the bot before it",
     COMMAND_FLAG(ask)},
    {"game", .value = "GAME", .help = "With --ask: the game (default backgammon)",
     COMMAND_TEXT(game), .needs = "ask"},
    {0}};

static const struct command_row line[] = {{"word", COMMAND_LIST(words)}, {0}};

static const struct command command = {
    .usage = "RESULTS.db...\n--ask BOT [option.NAME=VALUE...] BOT...",
    .help =
        "How often two bots choose the same at the same position, against what the other bots lead "
        "to "
        "expect, and the rare choices that they share.\v"
        "Forced plays and what everybody plays do not count. At least three bots are needed for an "
        "expectation. docs/statistics.md has the method, and what it does not prove.",
    .options = options,
    .words = line,
    .check = check_kin,
};

/* bots: their number. */
static enum bg_status print(const struct arguments *arguments, const struct kin_page *page,
                            int bots, struct bg_error *err)
{
    struct kin_page shown = *page;
    struct kin kin;
    enum bg_status status;

    kin_of(&kin, bots, page->choices, page->count);
    shown.kin = &kin;
    status = arguments->json ? kin_json(stdout, &shown, err) : kin_text(stdout, &shown, err);
    kin_deinit(&kin);
    return status;
}

/* -------------------------------------------------------------------------- results */

struct stored {
    struct circuit circuit;
    struct kin_games games;
};

static enum bg_status stored_words(void *user, char key[DECISION_KEY], char words[DECISION_WORDS],
                                   const char **where, size_t choice, struct bg_error *err)
{
    struct stored *stored = user;

    *where = stored->games.game[stored->games.site[choice].game].id;
    return kin_games_words(key, words, &stored->games, &stored->circuit, choice, err);
}

static enum bg_status of_results(const struct arguments *arguments, struct bg_error *err)
{
    struct stored stored = {.games = {.judge = NULL}};
    struct circuit_who who = {.by_name = arguments->same_name, .any_rules = true};
    enum bg_status status =
        circuit_open(&stored.circuit, arguments->words.word, arguments->words.count, &who, err);

    if (status == BG_OK) {
        status = kin_games_read(&stored.games, &stored.circuit, arguments->judge, err);
    }
    if (status == BG_OK) {
        struct kin_page page = {.choices = stored.games.choice,
                                .count = stored.games.count,
                                .names = (const char *const *)stored.circuit.name,
                                .judge = stored.games.judge,
                                .words = stored_words,
                                .user = &stored};

        status = print(arguments, &page, stored.circuit.competitors, err);
    }
    kin_games_deinit(&stored.games);
    circuit_close(&stored.circuit);
    return status;
}

/* ---------------------------------------------------------------------------- asking */

static enum bg_status asked_words(void *user, char key[DECISION_KEY], char words[DECISION_WORDS],
                                  const char **where, size_t choice, struct bg_error *err)
{
    struct kin_asked *asked = user;
    const struct corpus_case *at = &asked->corpus.cases[asked->which[choice]];

    (void)err;
    *where = at->category;
    if (!decision_key(key, &at->match)) {
        snprintf(key, DECISION_KEY, "-");
    }
    decision_words(words, &at->match, &asked->step[choice]);
    return BG_OK;
}

/* Reads the bots; a second bot of one name gets a number. */
static enum bg_status find_bots(struct competitor *out, int *count,
                                const struct arguments *arguments, struct bg_error *err)
{
    struct registry *registry = NULL;
    enum bg_status status = registry_open(&registry, err);
    int end;

    *count = 0;
    for (int i = 0; i < arguments->words.count && status == BG_OK; i = end) {
        struct competitor *bot = &out[*count];
        size_t size;

        for (end = i + 1;
             end < arguments->words.count && strchr(arguments->words.word[end], '=') != NULL;
             end++) {
        }
        if (*count == BOTS_MAX) {
            status = bg_error_set(err, BG_E_ARGUMENT, "more than %d bots", BOTS_MAX);
            break;
        }
        status = registry_engine(bot, registry, &arguments->words.word[i], end - i, err);
        size = strlen(bot->name);
        for (int k = 2; k <= BOTS_MAX && competitor_find(out, *count, bot->name) >= 0; k++) {
            snprintf(bot->name + size, sizeof bot->name - size, "-%d", k);
        }
        ++*count;
    }
    registry_close(registry);
    return status;
}

static enum bg_status of_asking(const struct arguments *arguments, struct bg_error *err)
{
    static struct competitor bots[BOTS_MAX]; /* large */
    const char *names[BOTS_MAX];
    const char *game = arguments->game == NULL ? "backgammon" : arguments->game;
    const struct bg_variant *variant = bg_variant_find(game);
    struct kin_asked asked = {.count = 0};
    int count = 0;
    enum bg_status status = BG_OK;

    if (variant == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "--game %s: no such game; 'bgref rules' lists them",
                            game);
    }
    status = find_bots(bots, &count, arguments, err);
    if (status == BG_OK && count < 2) {
        status = bg_error_set(err, BG_E_ARGUMENT, "--ask needs two bots or more");
    }
    if (status == BG_OK) {
        status = kin_ask(&asked, bots, count, variant, err);
    }
    if (status == BG_OK) {
        struct kin_page page = {.choices = asked.choice,
                                .count = asked.count,
                                .names = names,
                                .words = asked_words,
                                .user = &asked};

        for (int i = 0; i < count; i++) {
            names[i] = bots[i].name;
        }
        status = print(arguments, &page, count, err);
        if (status == BG_OK && asked.faults > 0) {
            fprintf(stderr, "bgref kin: %zu questions got no legal answer and are left out\n",
                    asked.faults);
        }
    }
    kin_asked_deinit(&asked);
    return status;
}

int cmd_kin(int argc, char **argv)
{
    struct arguments arguments = {.ask = false};
    struct bg_error err = {.text = ""};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = arguments.ask ? of_asking(&arguments, &err) : of_results(&arguments, &err);
    if (status == BG_OK && fflush(stdout) != 0) {
        status = bg_error_set(&err, BG_E_SYSTEM, "write the table: %s", strerror(errno));
    }
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    return EXIT_DONE;
}
