/* cmd_rate.c - bgref rate: ratings and standings of a results database, or of JSON input. One
 * command for a database, several, and a file of numbers, because people ask all three for "the
 * rating"; what one of them cannot answer is refused by name instead of being ignored. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "base/plain_file.h"
#include <sums/bootstrap.h>
#include <sums/circuit.h>
#include <tables/circuit_text.h>
#include <tables/json_input.h>
#include <tables/json_answer.h>
#include <tables/adjusted_text.h>
#include <sums/results_set.h>
#include <tables/input_text.h>
#include <tables/event_table.h>

enum { ANCHOR_RATING_MOST = 1000000 }; /* a column has room for it */

/* What several databases are asked for: joint ratings, circuit points, history. */
enum { RATE_CIRCUIT_EVENTS = 200 };

struct rate_circuit {
    const char *paths[RATE_CIRCUIT_EVENTS]; /* lent, like all strings */
    int count;
    bool json, by_name, history, explain;
    const char *map, *points; /* names of files; NULL none */
    const char *anchor;       /* a competitor; NULL: the mean */
};

struct arguments {
    const char *results;         /* the first database */
    struct rate_circuit circuit; /* all of them, and what several are asked for */
    const char *input;
    bool json, adjusted;
    const char *judge;
    const char *anchor;
    bool has_rating, has_prior;
    double anchor_rating;
    enum rating_prior prior;
    double draws;
    int bootstrap; /* draws; 0: not requested */
};

/* Whether there are several events, or an option that is for several. */
static bool circuit_is_wanted(const struct rate_circuit *asked)
{
    return asked->count > 1 || asked->by_name || asked->map != NULL || asked->points != NULL ||
           asked->history;
}

static bool read_real(double *out, const char *text)
{
    char *end = NULL;

    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static void take_prior(void *all, const char *text, const struct command_row *row)
{
    struct arguments *arguments = all;

    arguments->has_prior = true;
    /* "none" is a fixed prior too: of 0 draws. */
    arguments->draws = 0;
    arguments->prior = strcmp(text, "auto") == 0 ? RATING_PRIOR_AUTO : RATING_PRIOR_FIXED;
    if (strcmp(text, "auto") != 0 && strcmp(text, "none") != 0 &&
        !(read_real(&arguments->draws, text) && arguments->draws >= 0)) {
        command_misuse("--%s '%s': needs auto, none or a number of draws", row->name, text);
    }
}

static void take_rating(void *all, const char *text, const struct command_row *row)
{
    struct arguments *arguments = all;

    arguments->has_rating = true;
    if (!read_real(&arguments->anchor_rating, text) ||
        fabs(arguments->anchor_rating) > ANCHOR_RATING_MOST) {
        command_misuse("--%s '%s': needs a number from %d to %d", row->name, text,
                       -ANCHOR_RATING_MOST, ANCHOR_RATING_MOST);
    }
}

/* Whether the name ends like JSON input rather than a database: by the name alone, so that a file
 * that is missing or damaged is reported as what was meant. Other names need --input. */
static bool is_json_name(const char *name)
{
    size_t length = strlen(name);

    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

/* Refuses options that exclude each other. */
static void check_rate(void *all)
{
    const struct arguments *arguments = all;
    if (arguments->adjusted && arguments->input != NULL) {
        command_misuse("--adjusted needs a results database");
    }
    if (arguments->bootstrap > 0 && arguments->input != NULL) {
        command_misuse("--bootstrap needs a results database");
    }
    if (circuit_is_wanted(&arguments->circuit)) {
        const char *one_only = arguments->input != NULL   ? "--input"
                               : arguments->adjusted      ? "--adjusted"
                               : arguments->bootstrap > 0 ? "--bootstrap"
                                                          : NULL;

        if (one_only != NULL) {
            command_misuse("%s needs one results database alone, without --same-name, --map, "
                           "--points or --history",
                           one_only);
        }
    }
    if ((arguments->results == NULL) == (arguments->input == NULL)) {
        command_misuse("needs either a results database or --input FILE");
    }
}

static void take_file(void *all, const char *value, const struct command_row *row)
{
    struct arguments *arguments = all;

    (void)row;
    if (is_json_name(value) && arguments->input == NULL) {
        arguments->input = value;
        return;
    }
    if (arguments->circuit.count == RATE_CIRCUIT_EVENTS) {
        command_misuse("'%s': more than %d events", value, RATE_CIRCUIT_EVENTS);
    }
    arguments->circuit.paths[arguments->circuit.count++] = value;
    arguments->results = arguments->circuit.paths[0];
}

static const struct command_row options[] = {
    {"json", .help = "Print one line of JSON at full precision instead of a table",
     COMMAND_FLAG(json)},
    {"explain", .help = "With all notes on how the numbers are made",
     COMMAND_FLAG(circuit.explain)},
    {"input", .value = "FILE",
     .help = "Compute from a JSON file {\"kind\", \"input\"} instead of a database; - is standard "
             "input; "
             "kinds: ratings, money, interval, ppg_table, standings, sprt, fibs, errors, luck",
     COMMAND_TEXT(input)},
    {"adjusted",
     .help = "Also ratings and crosstable of luck-adjusted results, from the judged games",
     COMMAND_FLAG(adjusted)},
    {"judge", .value = "NAME",
     .help = "With --adjusted: this judge, in full or by its first words (default: the one with "
             "the most "
             "games)",
     COMMAND_TEXT(judge), .needs = "adjusted"},
    {"bootstrap", .value = "N",
     .help =
         "Also intervals of ratings and points per game from N draws of the pairs (1000 is enough)",
     COMMAND_INT(bootstrap), .least = BOOTSTRAP_FEWEST, .most = BOOTSTRAP_MOST},
    {"anchor", .value = "NAME", .help = "The bot whose rating is fixed (default: the mean)",
     COMMAND_TEXT(anchor)},
    {"anchor-rating", .value = "X", .help = "Rating of the anchor (default 1500)",
     .take = take_rating},
    {"prior", .value = "auto|none|D",
     .help = "With --input: virtual draws per bot in the formulas (auto: one if no maximum exists)",
     .take = take_prior},
    {"same-name",
     .help =
         "Several events: bots with the same name are one competitor (default: bots with the same "
         "program and options are)",
     COMMAND_FLAG(circuit.by_name)},
    {"map", .value = "FILE",
     .help = "Several events: by name, and lines 'EVENT BOT COMPETITOR' for names that differ; "
             "EVENT is a "
             "database's name without .db, or *",
     COMMAND_TEXT(circuit.map)},
    {"points", .value = "FILE",
     .help =
         "Also points of a circuit: lines 'PLACE POINTS' or '5-8 POINTS'; shared places share them",
     COMMAND_TEXT(circuit.points)},
    {"history", .help = "Also the ratings after each event, by its date",
     COMMAND_FLAG(circuit.history)},
    {0}};

static const struct command_row words[] = {{"results database", .take = take_file, .is_many = true},
                                           {0}};

static const struct command command = {
    .usage = "RESULTS.db...\nFILE.json",
    .help = "Standings, ratings and crosstable of a results database, also while its event is "
            "running; of "
            "several databases: joint ratings over their events.",
    .options = options,
    .words = words,
    .check = check_rate,
};

static void set_options(struct rating_options *out, const struct arguments *arguments)
{
    if (arguments->has_rating) {
        out->anchor_rating = arguments->anchor_rating;
    }
    if (arguments->has_prior) {
        out->prior = arguments->prior;
        out->draws = arguments->draws;
    }
}

/* After reading, and not among the checks of words: which input it is follows from the names of
 * the files. */
static enum bg_status check_prior(const struct arguments *arguments, struct bg_error *err)
{
    return arguments->has_prior && arguments->input == NULL
               ? bg_error_set(err, BG_E_ARGUMENT,
                              "--prior: for --input only; the ratings of a database have their "
                              "prior, the field itself: leave the option out")
               : BG_OK;
}

/* ---- several databases ---- */

enum { FILE_MOST = 1 << 20 };

/* Reads a whole text file; the caller frees *out. */
static enum bg_status read_rules_file(char **out, const char *path, struct bg_error *err)
{
    FILE *file = NULL;
    const char *why = plain_file_open(&file, path, FILE_MOST);
    char *text = file == NULL ? NULL : memory_zeroed(FILE_MOST + 1, 1);
    enum bg_status status = BG_OK;
    size_t size = 0;

    *out = NULL;
    if (file == NULL) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: %s", path, why);
        goto done;
    }
    /* One byte more than is allowed, so that a file that has grown since it was opened is seen
     * to be too long. */
    size = fread(text, 1, FILE_MOST + 1, file);
    if (ferror(file) != 0) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: cannot be read", path);
    } else if (size > FILE_MOST || memchr(text, '\0', size) != NULL) {
        status = bg_error_set(err, BG_E_FORMAT, "%s: not a text of at most %d bytes", path,
                              (int)FILE_MOST);
    } else {
        text[size] = '\0';
        *out = text;
        text = NULL;
    }
done:
    free(text);
    if (file != NULL) {
        fclose(file);
    }
    return status;
}

/* Says that --anchor names none of the bots, and which name is near. */
static enum bg_status no_such_anchor(const char *name, const char *const *names, int count,
                                     struct bg_error *err)
{
    return bg_error_set(err, BG_E_ARGUMENT, "--anchor %.80s: no such bot in these results%s", name,
                        closest_perhaps(name, names, count).text);
}

static enum bg_status read_points(struct points_table *out, const char *path, struct bg_error *err)
{
    struct bg_error why = {0};
    char *text = NULL;
    enum bg_status status = read_rules_file(&text, path, err);

    if (status == BG_OK) {
        status = points_read(out, text, &why);
        status = status == BG_OK ? BG_OK : bg_error_set(err, status, "%s: %s", path, why.text);
    }
    free(text);
    return status;
}

static enum bg_status print_circuit(const struct rate_circuit *asked, struct circuit *circuit,
                                    const struct circuit_options *wanted, struct bg_error *err)
{
    return asked->json ? circuit_json(stdout, circuit, wanted, err)
                       : circuit_text(stdout, circuit, wanted, err);
}

/* Prints the tables. All files of words are read before any database is opened: a mistake in them
 * is found at once, and opening a hundred events takes a while. */
static enum bg_status rate_circuit(const struct rate_circuit *asked,
                                   const struct rating_options *rating, struct bg_error *err)
{
    struct circuit circuit = {0};
    struct points_table *points = NULL;
    struct circuit_options wanted = {
        .rating = *rating, .history = asked->history, .explain = asked->explain};
    struct circuit_who who = {.by_name = asked->by_name || asked->map != NULL};
    char *map = NULL;
    enum bg_status status = BG_OK;

    if (asked->points != NULL) {
        points = memory_zeroed(1, sizeof *points);
        status = read_points(points, asked->points, err);
    }
    if (status == BG_OK && asked->map != NULL) {
        status = read_rules_file(&map, asked->map, err);
        who.map = map;
        who.map_name = asked->map;
    }
    if (status == BG_OK) {
        status = circuit_open(&circuit, asked->paths, asked->count, &who, err);
    }
    if (status == BG_OK && asked->anchor != NULL) {
        for (int i = 0; i < circuit.competitors; i++) {
            if (strcmp(circuit.name[i], asked->anchor) == 0) {
                wanted.anchor = circuit.name[i];
            }
        }
        if (wanted.anchor == NULL) {
            status = no_such_anchor(asked->anchor, (const char *const *)circuit.name,
                                    circuit.competitors, err);
        }
    }
    if (status == BG_OK) {
        wanted.points = points;
        status = print_circuit(asked, &circuit, &wanted, err);
    }
    circuit_close(&circuit);
    free(points);
    free(map);
    return status;
}

/* ---- one database, or numbers ---- */

/* A mistyped name gets the nearest one as an answer, which needs the names as a list. */
static enum bg_status unknown_anchor(const char *name, const struct tally *tally,
                                     struct bg_error *err)
{
    const char **names = memory_zeroed((size_t)tally->bots, sizeof *names);
    enum bg_status status;

    for (int i = 0; i < tally->bots; i++) {
        names[i] = tally->bot[i].name;
    }
    status = no_such_anchor(name, names, tally->bots, err);
    free(names);
    return status;
}

static enum bg_status rate_input(const struct arguments *arguments, struct bg_error *err)
{
    struct json_input input = {0};
    enum bg_status status = json_input_read(&input, arguments->input, err);

    if (status != BG_OK) {
        return status;
    }
    set_options(&input.options, arguments);
    if (arguments->anchor != NULL) {
        input.options.anchor = -1;
        for (int i = 0; i < input.players; i++) {
            if (strcmp(input.names[i], arguments->anchor) == 0) {
                input.options.anchor = i;
            }
        }
        if (input.options.anchor < 0) {
            status = no_such_anchor(arguments->anchor, (const char *const *)input.names,
                                    input.players, err);
        }
    }
    if (status == BG_OK) {
        status = arguments->json ? report_json_input(stdout, &input, err)
                                 : report_text_input(stdout, &input, err);
    }
    json_input_deinit(&input);
    return status;
}

static enum bg_status print_table(const struct arguments *arguments,
                                  const struct event_results *results,
                                  const struct report_options *table, struct bg_error *err)
{
    return arguments->json ? report_json_table(stdout, &results->tally, table, err)
                           : report_table(stdout, &results->tally, table, err);
}

/* Prints the table with luck-adjusted ratings beside the plain ones. The plain table is printed
 * with the adjusted one in it, so the store is read in one opening and both are of the same
 * games. */
static enum bg_status print_adjusted(const struct arguments *arguments,
                                     const struct event_results *results,
                                     const struct report_options *plain, struct bg_error *err)
{
    struct judged_sums sums;
    struct adjusted adjusted = {0};
    struct report_options table = *plain;
    enum bg_status status =
        judged_sums_read(&sums, results->store, &results->tally, arguments->judge, err);

    if (status != BG_OK) {
        return status;
    }
    if (sums.judge == NULL) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: no game is judged; run 'bgref judge %s'",
                              arguments->results, arguments->results);
    } else {
        status = adjusted_of(&adjusted, &sums, &plain->rating, err);
    }
    if (status == BG_OK) {
        table.adjusted = &adjusted;
        status = print_table(arguments, results, &table, err);
    }
    if (status == BG_OK && !arguments->json) {
        adjusted_text(stdout, &adjusted, results->tally.games);
    }
    adjusted_deinit(&adjusted);
    judged_sums_deinit(&sums);
    return status;
}

static enum bg_status rate_results(const struct arguments *arguments, struct bg_error *err)
{
    struct event_results results = {0};
    struct legs legs = {0};
    struct report_options table = REPORT_OPTIONS_INIT;
    enum bg_status status = event_results_open(&results, arguments->results, err);

    if (status != BG_OK) {
        return status;
    }
    /* Only now: whether it is an event of money games stands in the database. */
    if (arguments->has_rating && results.tally.length_points == 0) {
        event_results_close(&results);
        return bg_error_set(err, BG_E_ARGUMENT,
                            "--anchor-rating: ratings of money games are points per game, and the "
                            "anchor has 0 of them; leave the option out");
    }
    table = event_results_options(&results);
    table.brief = !arguments->circuit.explain;
    set_options(&table.rating, arguments);
    if (arguments->anchor != NULL) {
        table.rating.anchor = tally_find(&results.tally, arguments->anchor);
        if (table.rating.anchor < 0) {
            status = unknown_anchor(arguments->anchor, &results.tally, err);
        }
    }
    if (status == BG_OK) {
        status = event_results_legs(&legs, &results, arguments->bootstrap > 0, err);
        table.legs = &legs;
        table.bootstrap = arguments->bootstrap;
    }
    if (status == BG_OK) {
        status = arguments->adjusted ? print_adjusted(arguments, &results, &table, err)
                                     : print_table(arguments, &results, &table, err);
    }
    legs_deinit(&legs);
    event_results_close(&results);
    return status;
}

static enum bg_status rate_several(struct arguments *arguments, struct bg_error *err)
{
    struct rating_options rating = RATING_OPTIONS_INIT;

    set_options(&rating, arguments);
    arguments->circuit.json = arguments->json;
    arguments->circuit.anchor = arguments->anchor;
    return rate_circuit(&arguments->circuit, &rating, err);
}

int cmd_rate(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bg_error err = {0};
    enum bg_status status = BG_OK;

    command_read(&command, argc, argv, &arguments);
    status = check_prior(&arguments, &err);
    if (status == BG_OK) {
        status = arguments.input != NULL                 ? rate_input(&arguments, &err)
                 : circuit_is_wanted(&arguments.circuit) ? rate_several(&arguments, &err)
                                                         : rate_results(&arguments, &err);
    }
    /* A full disk shows only when the buffer is written: without this a cut table would end with
     * status 0. */
    if (status == BG_OK && fflush(stdout) != 0) {
        bg_error_set(&err, BG_E_SYSTEM, "write the table: %s", strerror(errno));
        command_say(err.text);
        return EXIT_SURROUNDINGS;
    }
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    return EXIT_DONE;
}
