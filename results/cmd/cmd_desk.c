/* cmd_desk.c - bgref desk: the director's acts on an event, and its open questions. */
#include "results_commands.h"
#include "command.h"
#include "desk_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <journal/act_words.h>

#include "words/closest.h"

enum { KEY_DRY = 256, KEY_JSON };

/* "greedy" of "withdraw greedy" is bot=greedy, "7" of "void 7" meeting=7. */
static void add_word(struct desk_request *arguments, const char *word)
{
    char *subject = arguments->wish.subject;
    size_t used = strlen(subject), room = sizeof arguments->wish.subject;
    const struct act_rule *rule = &act_rules[act_kind_read(arguments->wish.kind)];
    const char *name = "";

    if (strchr(word, '=') == NULL && strcmp(word, "-") != 0) {
        name = strncmp(rule->subject, "bot=", 4) == 0 ? "bot=" : name;
        name = strncmp(rule->subject, "meeting=", 8) == 0 ? "meeting=" : name;
        if (name[0] == '\0' && strcmp(rule->subject, "-") == 0) {
            command_misuse("'%s': %s takes no word; its text is --reason", word, rule->name);
        }
        if (name[0] == '\0') {
            command_misuse("'%s': %s needs '%s'", word, rule->name, rule->subject);
        }
    }
    if ((size_t)snprintf(subject + used, room - used, "%s%s%s", used > 0 ? " " : "", name, word) >=
        room - used) {
        command_misuse("the subject of the act has more than %zu bytes", room - 1);
    }
}

static void set_kind(struct desk_request *arguments, const char *word)
{
    enum act_kind kind = act_kind_read(word);
    const char *names[ACT_KINDS];
    const char *near;
    int count = 0;

    for (int i = 0; i < ACT_KINDS; i++) {
        if (act_rules[i].by_desk && i != ACT_SIGN) {
            names[count++] = act_rules[i].name;
        }
    }
    if (kind == ACT_SIGN) {
        command_misuse("'sign': 'bgref sign RESULTS.db --key NAME.key' signs a result");
    }
    if (kind != ACT_KINDS && !act_rules[kind].by_desk) {
        command_misuse("'%s' follows from the form of the event; nobody can ask for it", word);
    }
    if (kind == ACT_KINDS) {
        near = closest_name(word, names, count);
        command_misuse("there is no act '%.40s'%s%s%s", word, near == NULL ? "" : " (perhaps ",
                       near == NULL ? "" : near, near == NULL ? "" : "?)");
    }
    snprintf(arguments->wish.kind, sizeof arguments->wish.kind, "%s", word);
}

static void finish(struct desk_request *arguments)
{
    struct act *wish = &arguments->wish;
    enum act_kind kind = act_kind_read(wish->kind);

    if (arguments->results == NULL) {
        command_misuse("the results are missing, like 'bgref desk RESULTS.db'");
    }
    if (wish->kind[0] == '\0') {
        if (arguments->dry_run || wish->reason[0] != '\0') {
            command_misuse("--reason and --dry-run belong to an act, like 'bgref desk RESULTS.db "
                           "withdraw BOT --reason \"...\"'");
        }
        return;
    }
    if (act_rules[kind].needs_reason && wish->reason[0] == '\0') {
        command_misuse("%s needs --reason TEXT; it is published", wish->kind);
    }
    if (wish->subject[0] == '\0') {
        if (strcmp(act_rules[kind].subject, "-") != 0) {
            command_misuse("%s needs '%s'", wish->kind, act_rules[kind].subject);
        }
        snprintf(wish->subject, sizeof wish->subject, "-");
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct desk_request *arguments = state->input;

    switch (key) {
    case 'r':
        command_check_reason(value, ACT_REASON - 1);
        snprintf(arguments->wish.reason, sizeof arguments->wish.reason, "%s", value);
        return 0;
    case KEY_DRY:
        arguments->dry_run = true;
        return 0;
    case KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->results == NULL) {
            arguments->results = value;
        } else if (arguments->wish.kind[0] == '\0') {
            set_kind(arguments, value);
        } else {
            add_word(arguments, value);
        }
        return 0;
    case ARGP_KEY_END:
        finish(arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"reason", 'r', "TEXT", 0, "The reason, one line; stored and published with the results", 0},
    {"dry-run", KEY_DRY, NULL, 0, "Prints what the act would change, and changes nothing", 0},
    {"json", KEY_JSON, NULL, 0, "Prints JSON, one object on one line", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "RESULTS.db [ACT WORD...]",
    "Without an act: the event as its director sees it, with entrants, rounds, and open questions, "
    "each with the command that answers it. With an act: takes it if it is allowed now, and "
    "appends it to the event's journal; else prints why not, and what is allowed.\v"
    "Acts: enter BOT, late-enter BOT, withdraw BOT, reinstate BOT, accept BOT, absent BOT, "
    "walkover meeting=N "
    "bot=WINNER, void meeting=N|pair=A|B|PAIR, adjudicate meeting=N score=1|0.5|0, replay "
    "meeting=N|pair=A|B|PAIR, condition between=A,B WORD=VALUE..., note, close. Withdraw, "
    "reinstate, accept, walkover, void, adjudicate, replay, condition and note need --reason. "
    "While the "
    "event runs, its referee takes the act. Exit status: 2 if the act is not allowed.",
    NULL,
    NULL,
    NULL};

int cmd_desk(int argc, char **argv)
{
    struct desk_request arguments = {.results = NULL};
    struct bg_error err = {0};
    enum bg_status status;

    command_parse(&description, argc, argv, 0, &arguments);
    status = desk_request_run(&arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of_results(status);
    }
    return EXIT_DONE;
}
