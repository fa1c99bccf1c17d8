/* cmd_plan.c - bgref plan: how many games a question needs, before they are played. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tables/plan_text.h>

enum {
    KEY_PPG = 256,
    KEY_SD,
    KEY_METHOD,
    KEY_POWER,
    KEY_CONFIDENCE,
    KEY_GAMES,
    KEY_ELO,
    KEY_LENGTH,
    KEY_SPRT,
    KEY_ALPHA,
    KEY_BETA,
    KEY_JSON
};

struct arguments {
    struct plan_question question;
    const char *results;
    bool json, has_length;
};

/* Reads a number from least to most; beyond these limits the answers are not sensible numbers of
 * games. */
static double need(const char *option, const char *text, double least, double most)
{
    char *end = NULL;
    double out = strtod(text, &end);

    if (end == text || *end != '\0' || !(out >= least) || !(out <= most)) {
        command_misuse("--%s '%s': needs a number between %g and %g", option, text, least, most);
    }
    return out;
}

static int need_method(const char *text)
{
    for (int i = 0; i < PLAN_METHODS; i++) {
        if (strcmp(plan_methods[i].name, text) == 0) {
            return i;
        }
    }
    command_misuse("--method '%s': expected plain, duplicate, adjusted or both", text);
    return -1;
}

static error_t finish(struct arguments *arguments)
{
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
    if (arguments->has_length && q->elo <= 0) {
        command_misuse("--length: matches need --elo D; --ppg and --games are of money play");
    }
    if (q->alpha + q->beta >= 1) {
        command_misuse("--alpha and --beta need to be below 1 together");
    }
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct plan_question *q = &arguments->question;

    switch (key) {
    case KEY_PPG:
        q->ppg = need("ppg", value, 1e-6, 1000);
        return 0;
    case KEY_ELO:
        q->elo = need("elo", value, 0.01, 10000);
        return 0;
    case KEY_GAMES:
        q->games = need("games", value, 2, 1e15);
        return 0;
    case KEY_SD:
        q->sd = need("sd", value, 1e-6, 1e6);
        return 0;
    case KEY_METHOD:
        q->method = need_method(value);
        return 0;
    case KEY_POWER:
        q->power = need("power", value, 0.5, 0.9999);
        return 0;
    case KEY_CONFIDENCE:
        q->confidence = need("confidence", value, 0.5, 0.9999);
        return 0;
    case KEY_LENGTH:
        arguments->has_length = true;
        q->length_points = need("length", value, 1, 1000);
        return 0;
    case KEY_SPRT:
        return 0; /* always found */
    case KEY_ALPHA:
        q->alpha = need("alpha", value, 1e-6, 0.5);
        return 0;
    case KEY_BETA:
        q->beta = need("beta", value, 1e-6, 0.5);
        return 0;
    case KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->results != NULL) {
            command_misuse("'%s': one results database is enough", value);
        }
        arguments->results = value;
        return 0;
    case ARGP_KEY_END:
        return finish(arguments);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"ppg", KEY_PPG, "D", 0, "Money play: detect a difference of D points per game", 0},
    {"elo", KEY_ELO, "D", 0, "Match play: detect a difference of D FIBS points", 0},
    {"length", KEY_LENGTH, "N", 0, "With --elo: matches to N points (default 7)", 0},
    {"games", KEY_GAMES, "N", 0, "Money play: the difference that N games detect", 0},
    {"sd", KEY_SD, "S", 0,
     "Standard deviation of a game (default: from RESULTS, else the table of usual values)", 0},
    {"method", KEY_METHOD, "NAME", 0,
     "Only plain, duplicate, adjusted (luck by a judge) or both (default: all four)", 0},
    {"power", KEY_POWER, "P", 0, "Probability to detect a true difference (default 0.8)", 0},
    {"confidence", KEY_CONFIDENCE, "P", 0, "Of the interval (default 0.95)", 0},
    {"sprt", KEY_SPRT, NULL, OPTION_HIDDEN, "", 0},
    {"alpha", KEY_ALPHA, "P", 0,
     "Sequential test: probability to accept D if it is 0 (default 0.05)", 0},
    {"beta", KEY_BETA, "P", 0, "Sequential test: probability to accept 0 if it is D (default 0.05)",
     0},
    {"json", KEY_JSON, NULL, 0, "Print one line of JSON", 0},
    {0},
};

static const struct argp description = {
    options,
    parse,
    "--ppg D\n--elo D [--length N]\n--games N\nRESULTS.db [--ppg D]",
    "How many games are needed to distinguish two bots, and what difference a number of games can "
    "detect. With RESULTS, the standard deviations come from its own games, and from its judged "
    "games.",
    NULL,
    NULL,
    NULL,
};

int cmd_plan(int argc, char **argv)
{
    struct arguments arguments = {.question = PLAN_QUESTION_INIT};
    struct plan_answer answer;
    struct bg_error err = {0};
    enum bg_status status = BG_OK;

    command_parse(&description, argc, argv, 0, &arguments);
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
