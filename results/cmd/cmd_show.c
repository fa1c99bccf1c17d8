/* cmd_show.c - bgref show: a summary of an event, or one of its games turn by turn. Reads
 * what the tally and the runs keep wherever that is enough, so that an event with millions of
 * games is shown as fast as its table; only of imported matches are the records read, for the
 * names in their files. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <format/import_index.h>
#include <store/counted.h>
#include <record/game_id.h>
#include <store/entry.h>
#include <store/run.h>
#include <sums/results_set.h>
#include <tables/replay.h>
#include <tables/event_table.h>
#include "base/plural.h"

enum { LAST_GAMES = 10 };
struct arguments {
    const char *results, *game;
    const char *attempt; /* attempt of a game that was set aside; NULL: a game that counts */
};

static void take_attempt(void *arguments, const char *text, const struct command_row *row)
{
    /* 18 digits always fit 64 bits, so strtoull below cannot overflow. */
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' || strlen(text) > 18) {
        command_misuse("--attempt '%s': not a whole number", text);
    }
    command_text(arguments, text, row);
}

static const struct command_row flags[] = {
    {"attempt", .value = "N",
     .help = "The game as it was played in attempt N of its pair (from 0), before it was set aside",
     .take = take_attempt, .at = COMMAND_PLACE(const char *, attempt)},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true},
    {"game", COMMAND_TEXT(game)},
    {0}};

static void check_show(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->attempt != NULL && arguments->game == NULL) {
        command_misuse("--attempt needs the id of a game");
    }
}

static const struct command command = {
    .usage = "RESULTS.db [GAME]",
    .help = "Show an event: settings, progress, table, faults, last games. Safe while it runs.\v"
            "GAME is the id of a game, 'A|B|pair|leg|game' (quote it), which is then drawn turn by "
            "turn.",
    .options = flags,
    .words = words,
    .missing = "needs a results database",
    .check = check_show,
};

static void print_setting(void *user, const char *key, const char *value)
{
    const char *name = strchr(key, '.');

    (void)user;
    printf("  %-16s %s", name == NULL ? key : name + 1, entry_last(value));
    for (const char *last = entry_last(value); value != last;) { /* only texts of the entry list */
        size_t size = strcspn(value, "\n");

        printf("; before: %.*s", (int)size, value);
        value += size + 1;
    }
    puts(strcmp(key, "event.dice") == 0 && strcmp(value, "manual") == 0
             ? ": entered by people, each roll confirmed by both operators"
             : "");
}

/* Faults by bot and kind. Faults outside games are counted only here. */
struct fault_counts {
    const struct tally *tally;
    uint64_t (*count)[BG_FAULT_COUNT]; /* by bot, with one more for bots not in the tally */
    uint64_t all;
    uint64_t counted, surplus; /* pairs below this number count; faults in other pairs */
};

static void count_fault(void *user, const struct store_fault *fault)
{
    struct fault_counts *counts = user;
    int bot = fault->bot == NULL ? -1 : tally_find(counts->tally, fault->bot);

    if (!counted_has(counts->counted, fault->game_id)) {
        counts->surplus++;
    } else if ((int)fault->fault >= 0 && fault->fault < BG_FAULT_COUNT) {
        counts->count[bot < 0 ? counts->tally->bots : bot][fault->fault]++;
        counts->all++;
    }
}

static void print_faults(const struct fault_counts *counts)
{
    int bots = counts->tally->bots;

    printf("Faults: %" PRIu64, counts->all);
    if (counts->surplus > 0) {
        printf(" (and %" PRIu64 " in surplus games)", counts->surplus);
    }
    putchar('\n');
    for (int i = 0; i <= bots; i++) {
        const char *before = "";

        for (int fault = 1; fault < BG_FAULT_COUNT; fault++) {
            if (counts->count[i][fault] == 0) {
                continue;
            }
            if (before[0] == '\0') {
                printf("  %s: ", i < bots ? counts->tally->bot[i].name : "(others)");
            }
            printf("%s%s %" PRIu64, before, bg_fault_name((enum bg_fault)fault),
                   counts->count[i][fault]);
            before = ", ";
        }
        if (before[0] != '\0') {
            putchar('\n');
        }
    }
}

static enum bg_status show_faults(const struct event_results *results, struct bg_error *err)
{
    struct fault_counts counts = {.tally = &results->tally, .counted = results->counted};
    enum bg_status status;

    counts.count = memory_zeroed((size_t)results->tally.bots + 1, sizeof *counts.count);
    status = store_all_faults(results->store, count_fault, &counts, err);
    if (status == BG_OK) {
        print_faults(&counts);
    }
    free(counts.count);
    return status;
}

/* The games with the highest pair numbers. Pairs are played in order, so these are the last
 * games. */
struct last_games {
    const struct tally *tally;
    uint64_t counted; /* only pairs below this */
    struct {
        uint64_t pair;
        int leg, game;
        char line[320];
    } entry[LAST_GAMES];
    int count;
};

static int compare_place(uint64_t pair, int leg, int game, uint64_t other_pair, int other_leg,
                         int other_game)
{
    if (pair != other_pair) {
        return pair < other_pair ? -1 : 1;
    }
    return leg != other_leg ? leg - other_leg : game - other_game;
}

static const char *shown_name(const struct tally *tally, const char *name)
{
    int bot = tally_find(tally, name);

    return bot < 0 ? name : tally_shown(tally, bot);
}

/* Adds a game. Returns false if the list is full of later games. */
static bool keep_last(struct last_games *last, const struct store_game *game)
{
    int place = 0;

    while (place < last->count &&
           compare_place(game->pair, game->leg, game->game, last->entry[place].pair,
                         last->entry[place].leg, last->entry[place].game) <= 0) {
        place++;
    }
    if (place == LAST_GAMES) {
        return false;
    }
    last->count += last->count < LAST_GAMES;
    memmove(&last->entry[place + 1], &last->entry[place],
            (size_t)(last->count - 1 - place) * sizeof last->entry[0]);
    last->entry[place].pair = game->pair;
    last->entry[place].leg = game->leg;
    last->entry[place].game = game->game;
    if (game->winner < 0) {
        snprintf(last->entry[place].line, sizeof last->entry[place].line, "  %s  drawn (%s)",
                 game->id, bg_end_name(game->end));
    } else {
        snprintf(last->entry[place].line, sizeof last->entry[place].line,
                 "  %s  %s +%" PRId64 " (%s%s%s), %d %s", game->id,
                 shown_name(last->tally, game->winner == 0 ? game->a : game->b), game->points,
                 bg_end_name(game->end), game->end == BG_END_FAULT ? ": " : "",
                 game->end == BG_END_FAULT ? bg_fault_name(game->fault) : "", game->turns,
                 plural((uint64_t)game->turns, "turn", "turns"));
    }
    return true;
}

/* From the end of each run, which is in the order of play: as soon as one game is too early, all
 * before it are. */
static bool keep_last_of(void *user, const struct run *run)
{
    bool is_late = true;

    for (size_t i = run->games; i > 0 && is_late; i--) {
        struct game_id id = game_id_of(run->a, run->b);
        struct store_game game;
        char text[BG_GAME_ID];

        run_game_at(&game, run, i - 1);
        id.pair = game.pair;
        id.leg = game.leg;
        id.game = game.game;
        game_id_write(text, &id);
        game.id = text;
        is_late = keep_last(user, &game);
    }
    return true;
}

static enum bg_status show_last(const struct event_results *results, struct bg_error *err)
{
    struct last_games last = {.tally = &results->tally, .counted = results->counted};
    enum bg_status status = store_all_runs(results->store, false, keep_last_of, &last, err);

    if (status != BG_OK || last.count == 0) {
        return status;
    }
    printf("Last games\n");
    for (int i = 0; i < last.count; i++) {
        printf("%s%s\n", last.entry[i].line, last.entry[i].pair < last.counted ? "" : ", surplus");
    }
    return BG_OK;
}

static void print_attempt(void *user, const struct store_attempt *attempt)
{
    bool *begun = user;

    printf(
        "%s  %s|%s|%" PRIu64 "  attempt %" PRIu64 " begun %s, %" PRIu64 " game%s set aside: %s\n",
        *begun ? "" : "Restarted pairs\n", attempt->a, attempt->b, attempt->pair, attempt->attempt,
        attempt->at, attempt->games, plural_s((uint64_t)attempt->games), attempt->reason);
    *begun = true;
}

static enum bg_status show_attempts(struct store *store, struct bg_error *err)
{
    bool begun = false;

    return store_all_attempts(store, print_attempt, &begun, err);
}

static void print_reinstated(void *user, const char *bot, const struct reinstated *act)
{
    bool *begun = user;

    printf("%s  %s  %s, %" PRIu64 " fixture%s opened again: %s\n", *begun ? "" : "Reinstated\n",
           bot, act->at, act->fixtures, plural_s(act->fixtures), act->reason);
    *begun = true;
}

static enum bg_status show_reinstated(struct store *store, struct bg_error *err)
{
    bool begun = false;

    return reinstated_each(store, print_reinstated, &begun, err);
}

static void print_player(void *user, const char *display, const char *name)
{
    bool *begun = user;

    printf("%s  %-20s %s\n", *begun ? "" : "\nNames in the files\n", name,
           display[0] == '\0' ? "(none)" : display);
    *begun = true;
}

/* Prints imported players: names and ids. */
static enum bg_status show_players(const struct event_results *results, struct bg_error *err)
{
    struct import_index *index = import_index_create();
    struct bg_error why = {0};
    bool begun = false;
    enum bg_status status = import_index_read(index, results->store, results->name, &why);

    if (status == BG_OK) {
        import_index_players(index, print_player, &begun);
    } else if (status == BG_E_ARGUMENT) {
        status = BG_OK; /* an event played by bgref: names are ids */
    } else {
        status = bg_error_set(err, status, "%s", why.text);
    }
    import_index_destroy(index);
    return status;
}

static enum bg_status show_event(const struct event_results *results, struct bg_error *err)
{
    struct report_options options = event_results_options(results);
    const struct tally *tally = &results->tally;
    struct legs legs = {0};
    enum bg_status status = BG_OK;

    printf("Settings\n");
    status = store_meta_each(results->store, "event.", print_setting, NULL, err);
    if (status != BG_OK) {
        return status;
    }
    uint64_t most = results->planned > 0 ? results->planned : tally->legs;

    printf("\nProgress: %" PRIu64, tally->legs);
    if (results->planned > 0) {
        printf(" of %" PRIu64 " (%.1f %%)", results->planned,
               100 * (double)tally->legs / (double)results->planned);
    }
    printf(" %s, %" PRIu64 " %s finished",
           tally->length_points == 0 ? plural(most, "game", "games")
                                     : plural(most, "match", "matches"),
           tally->games, plural(tally->games, "game", "games"));
    if (results->unplayed > 0) {
        printf(", %" PRIu64 " unplayed", results->unplayed);
    }
    if (!options.final && results->held[0] != '\0') {
        printf(", event %s", results->held);
    }
    printf("%s\n\n", !options.final          ? ""
                     : results->unplayed > 0 ? ", event over, not everything was played"
                                             : ", event complete");
    status = event_results_legs(&legs, results, false, err);
    if (status == BG_OK) {
        options.legs = &legs;
        options.brief = true;
        status = report_table(stdout, tally, &options, err);
    }
    legs_deinit(&legs);
    if (status == BG_OK) {
        putchar('\n');
        status = show_faults(results, err);
    }
    if (status == BG_OK) {
        status = show_last(results, err);
    }
    if (status == BG_OK) {
        status = show_attempts(results->store, err);
    }
    if (status == BG_OK) {
        status = show_reinstated(results->store, err);
    }
    return status == BG_OK ? show_players(results, err) : status;
}

/* The game to print, and whether it was found. */
struct show_wanted {
    const char *id;
    uint64_t attempt; /* for a game that was set aside */
    bool found;
    enum bg_status status;
    struct bg_error *err;
};

static bool draw_wanted(void *user, const struct store_game *game)
{
    struct show_wanted *wanted = user;
    struct record_view *view = NULL;

    if (strcmp(game->id, wanted->id) != 0) {
        return true;
    }
    wanted->found = true;
    wanted->status = record_read(&view, game->text, game->text_size, wanted->err);
    if (wanted->status == BG_OK) {
        wanted->status = replay_write(stdout, view, wanted->err);
    }
    record_view_destroy(view);
    return false;
}

static bool draw_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    const struct show_wanted *wanted = user;

    return attempt != wanted->attempt || draw_wanted(user, game);
}

/* Without the tally, which a game does not need: a damaged one must not keep its games from
 * being looked at. */
static enum bg_status show_game(struct store *store, const struct arguments *arguments,
                                struct bg_error *err)
{
    const char *id = arguments->game, *path = arguments->results;
    struct show_wanted wanted = {.id = id, .err = err};
    enum bg_status status;
    struct game_id leg;

    if (!game_id_read(&leg, id)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "game '%.150s': an id is 'A|B|pair|leg|game', as in "
                            "the list of 'bgref show RESULTS.db'",
                            id);
    }
    if (arguments->attempt != NULL) {
        wanted.attempt = strtoull(arguments->attempt, NULL, 10);
        status = store_all_set_aside(store, draw_aside, &wanted, err);
    } else {
        status = store_leg_games(store, leg.a, leg.b, leg.pair, leg.leg, draw_wanted, &wanted, err);
    }
    if (status == BG_OK) {
        status = wanted.status;
    }
    if (status == BG_OK && !wanted.found) {
        status = bg_error_set(
            err, BG_E_ARGUMENT, "game '%.150s': not %s %s; 'bgref show %.200s' lists its games", id,
            arguments->attempt == NULL ? "in" : "set aside with this attempt in", path, path);
    }
    return status;
}

int cmd_show(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct event_results results = {0};
    struct store *store = NULL;
    struct bg_error err = {0};
    enum bg_status status = BG_OK;

    command_read(&command, argc, argv, &arguments);
    if (arguments.game != NULL) {
        status = event_store_open(&store, arguments.results, &err);
        if (status == BG_OK) {
            status = show_game(store, &arguments, &err);
        }
        store_destroy(store);
    } else {
        status = event_results_open(&results, arguments.results, &err);
        if (status == BG_OK) {
            status = show_event(&results, &err);
        }
        event_results_close(&results);
    }
    if (status == BG_OK && fflush(stdout) != 0) {
        fprintf(stderr, "bgref show: write: %s\n", strerror(errno));
        return EXIT_SURROUNDINGS;
    }
    if (status != BG_OK) {
        command_say(err.text);
    }
    return exit_status_of_results(status);
}
