/* cmd_plan.c - bgref plan: how many games a question needs, before they are played. Only
 * words are checked here; what is computed is in tables/plan_text.c. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tables/plan_text.h>

struct arguments {
    struct plan_question question;
    const char *results;
    bool json;
};

static void take_method(void *all, const char *text, const struct command_row *row)
{
    struct arguments *arguments = all;

    (void)row;
    for (int i = 0; i < PLAN_METHODS; i++) {
        if (strcmp(plan_methods[i].name, text) == 0) {
            arguments->question.method = i;
            return;
        }
    }
    command_misuse("--method '%s': expected plain, duplicate, adjusted or both", text);
}

static void check_plan(void *all)
{
    const struct arguments *arguments = all;
    const struct plan_question *q = &arguments->question;
    int asked = (q->ppg > 0) + (q->elo > 0) + (q->games > 0);

    if (asked > 1) {
        command_misuse("one question at a time: --ppg, --elo or --games");
    }
    if (asked == 0 && arguments->results == NULL) {
        command_misuse("needs a difference, like 'bgref plan --ppg 0.02', or results");
    }
    if (q->elo > 0 && (q->sd > 0 || q->method >= 0)) {
        command_misuse("--elo is for matches: --sd and --method need --ppg");
    }
    if (q->alpha + q->beta >= 1) {
        command_misuse("--alpha and --beta need to be below 1 together");
    }
}

static const struct command_row options[] = {
    {"ppg", .value = "D", .help = "Money play: detect a difference of D points per game",
     COMMAND_REAL(question.ppg), .low = 1e-6, .high = 1000},
    {"elo", .value = "D", .help = "Match play: detect a difference of D FIBS points",
     COMMAND_REAL(question.elo), .low = 0.01, .high = 10000},
    {"length", .value = "N", .help = "With --elo: matches to N points (default 7)",
     COMMAND_REAL(question.length_points), .low = 1, .high = 1000, .needs = "elo"},
    {"games", .value = "N", .help = "Money play: the difference that N games detect",
     COMMAND_REAL(question.games), .low = 2, .high = 1e15},
    {"sd", .value = "S",
     .help = "Standard deviation of a game (default: from RESULTS, else the table of usual values)",
     COMMAND_REAL(question.sd), .low = 1e-6, .high = 1e6},
    {"method", .value = "NAME",
     .help = "Only plain, duplicate, adjusted (luck by a judge) or both (default: all four)",
     .take = take_method},
    {"power", .value = "P", .help = "Probability to detect a true difference (default 0.8)",
     COMMAND_REAL(question.power), .low = 0.5, .high = 0.9999},
    {"confidence", .value = "P", .help = "Of the interval (default 0.95)",
     COMMAND_REAL(question.confidence), .low = 0.5, .high = 0.9999},
    {"alpha", .value = "P",
     .help = "Sequential test: probability to accept D if it is 0 (default 0.05)",
     COMMAND_REAL(question.alpha), .low = 1e-6, .high = 0.5},
    {"beta", .value = "P",
     .help = "Sequential test: probability to accept 0 if it is D (default 0.05)",
     COMMAND_REAL(question.beta), .low = 1e-6, .high = 0.5},
    {"json", .help = "Print one line of JSON", COMMAND_FLAG(json)},
    {0}};

static const struct command_row words[] = {{"results database", COMMAND_TEXT(results)}, {0}};

static const struct command command = {
    .usage = "--ppg D\n--elo D [--length N]\n--games N\nRESULTS.db [--ppg D]",
    .help = "How many games are needed to distinguish two bots, and what difference a number of "
            "games can "
            "detect. With RESULTS, the standard deviations come from its own games, and from its "
            "judged "
            "games.",
    .options = options,
    .words = words,
    .check = check_plan,
};

int cmd_plan(int argc, char **argv)
{
    struct arguments arguments = {.question = PLAN_QUESTION_INIT};
    struct plan_answer answer;
    struct bg_error err = {0};
    enum bg_status status = BG_OK;

    command_read(&command, argc, argv, &arguments);
    if (arguments.results != NULL) {
        status = plan_question_read(&arguments.question, arguments.results, &err);
    }
    if (status == BG_OK) {
        plan_answer_of(&answer, &arguments.question);
        status = arguments.json ? plan_json(stdout, &answer, &err) : plan_text(stdout, &answer);
    }
    if (status == BG_OK && fflush(stdout) != 0) {
        status = bg_error_set(&err, BG_E_SYSTEM, "write the plan: %s", strerror(errno));
    }
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    return EXIT_DONE;
}
