/* cmd_set_aside.c - bgref set-aside: has a pair played again with other dice. This is the desk's
 * `replay` of a plain round robin: after a mistake of the director or the machine, and where dice
 * became known (a stolen key, a restored backup, a first leg that was shown). */
#include "results_commands.h"
#include "command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <journal/season_store.h>
#include <record/game_id.h>
#include <store/store.h>
#include <store/withdrawn.h>
#include "base/plural.h"

enum { REASON_BYTES = 200, TIME_BYTES = 32 };

struct arguments {
    const char *results, *pair, *reason;
};

static const struct command_row options[] = {
    {"reason", 'r', .value = "TEXT",
     .help = "The reason, one line; stored and published with the results", COMMAND_REASON(reason),
     .most = REASON_BYTES, .is_needed = true},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(results), .is_needed = true},
    {"pair", COMMAND_TEXT(pair), .is_needed = true},
    {0}};

static const struct command command = {
    .usage = "RESULTS.db PAIR",
    .help =
        "Sets a whole pair aside, in an event without a schedule, because of a mistake, or because "
        "people saw its dice before it "
        "was "
        "over: its games no longer count, and the next run of the event plays it again with other "
        "dice.\vPAIR is "
        "'A|B|pair' (quote it), the beginning of the ids of its games. The games stay in the "
        "results, "
        "marked as set aside: 'bgref show' lists the pair, 'bgref verify' proves them, and 'bgref "
        "export --records' has them, marked. Not possible while a referee uses the results.",
    .options = options,
    .words = words,
    .missing = "needs results, a pair and a reason, like 'bgref set-aside RESULTS.db \"A|B|0\" "
               "--reason \"...\"'",
};

static bool count_game(void *user, const struct store_game *game)
{
    (void)game;
    ++*(uint64_t *)user;
    return true;
}

static enum bg_status count_games(uint64_t *games, struct store *store, const struct game_id *pair,
                                  const struct arguments *arguments, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    *games = 0;
    for (int leg = 0; leg < 2 && status == BG_OK; leg++) {
        status = store_leg_games(store, pair->a, pair->b, pair->pair, leg, count_game, games, err);
    }
    if (status == BG_OK && *games == 0) {
        status = bg_error_set(err, BG_E_ARGUMENT, "pair '%.150s': %s has none of its games",
                              arguments->pair, arguments->results);
    }
    return status;
}

/* Results of rounds follow from their games, row by row: without a pair the journal would not. */
static enum bg_status check_plain(struct store *store, const struct arguments *arguments,
                                  struct bg_error *err)
{
    struct season *season = NULL;
    enum bg_status status = season_load(&season, store, err);

    if (status == BG_OK && season_plan(season)->stages > 0) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: an event with a schedule; its desk has pairs played again: "
                              "'bgref desk %s replay \"pair=%s\" --reason TEXT'",
                              arguments->results, arguments->results, arguments->pair);
    }
    season_destroy(season);
    return status;
}

/* In one transaction, also withdraws the published root and verdict, which no longer hold. */
static enum bg_status store_act(struct store *store, const struct game_id *pair,
                                const struct arguments *arguments, const char *at,
                                struct bg_error *err)
{
    struct withdrawn withdrawn;
    struct store_change change = {.settings = withdrawn.setting,
                                  .pairs = pair,
                                  .pair_count = 1,
                                  .reason = arguments->reason,
                                  .at = at};
    enum bg_status status = withdrawn_find(&withdrawn, store, err);

    change.setting_count = withdrawn.count;
    return status == BG_OK ? store->ops->change(store, &change, err) : status;
}

static enum bg_status set_aside(uint64_t *games, const struct arguments *arguments,
                                struct bg_error *err)
{
    struct store *store = NULL;
    struct game_id pair;
    char at[TIME_BYTES];
    time_t now = time(NULL);
    struct tm utc;
    enum bg_status status;

    if (!game_id_read_pair(&pair, arguments->pair)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "pair '%.150s': not of the form 'A|B|pair', A before B by bytes",
                            arguments->pair);
    }
    gmtime_r(&now, &utc);
    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", &utc);
    status = store_sqlite_open_read(&store, arguments->results, err); /* does not create a file */
    store_destroy(store);
    store = NULL;
    if (status == BG_OK) {
        status = store_sqlite_open(&store, arguments->results, err);
    }
    if (status == BG_OK) {
        status = count_games(games, store, &pair, arguments, err);
    }
    if (status == BG_OK) {
        status = check_plain(store, arguments, err);
    }
    if (status == BG_OK) {
        status = store_act(store, &pair, arguments, at, err);
    }
    store_destroy(store);
    return status;
}

int cmd_set_aside(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bg_error err = {0};
    uint64_t games = 0;
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = set_aside(&games, &arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of_results(status);
    }
    fprintf(stderr,
            "bgref set-aside: %" PRIu64
            " game%s of %s set aside; the event's next run plays the pair anew\n",
            games, plural_s((uint64_t)games), arguments.pair);
    return EXIT_DONE;
}
