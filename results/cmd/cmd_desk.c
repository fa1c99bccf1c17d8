/* cmd_desk.c - bgref desk: the director's acts on an event, and its open questions. Only the
 * form of the request is checked here. Whether the act is allowed depends on the season, so
 * whoever takes it decides: the referee that plays the event, or request_run on the file. */
#include "results_commands.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "base/line_ask.h"
#include "proof/desk_line.h"
#include "proof/desk_status.h"
#include "season/act_words.h"
#include "season/season_store.h"
#include "store/act.h"
#include <sums/results_set.h>

struct desk_request {
    const char *results;
    struct act wish; /* kind, subject, reason; kind "": the event as it is */
    bool dry_run, json;
};

struct arguments {
    struct desk_request request;
    const char *reason;
    struct command_words words; /* the act, then its subject */
};

/* "greedy" of "withdraw greedy" is bot=greedy, "7" of "void 7" meeting=7. The journal has only
 * the long form, so that a later meaning of a bare word cannot change what an old row says. */
static void add_word(struct desk_request *arguments, const char *word)
{
    char *subject = arguments->wish.subject;
    size_t used = strlen(subject), room = sizeof arguments->wish.subject;
    const struct act_rule *rule = &act_rules[act_kind_read(arguments->wish.kind)];
    const char *name = "";

    if (strchr(word, '=') == NULL && strcmp(word, "-") != 0) {
        name = strncmp(rule->subject, "bot=", 4) == 0 ? "bot=" : name;
        name = strncmp(rule->subject, "meeting=", 8) == 0 ? "meeting=" : name;
        if (name[0] == '\0' && (rule->subject[0] == '-' || rule->subject[0] == '[')) {
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
    int count = 0;

    for (int i = 0; i < ACT_KINDS; i++) {
        if (act_rules[i].by_desk && i != ACT_SIGN) {
            names[count++] = act_rules[i].name;
        }
    }
    /* A signature needs the secret key, which no act's words may have. */
    if (kind == ACT_SIGN) {
        command_misuse("'sign': 'bgref sign RESULTS.db --key NAME.key' signs a result");
    }
    if (kind != ACT_KINDS && !act_rules[kind].by_desk) {
        command_misuse("'%s' follows from the form of the event; nobody can ask for it", word);
    }
    if (kind == ACT_KINDS) {
        command_misuse("there is no act '%.40s'%s", word, closest_perhaps(word, names, count).text);
    }
    snprintf(arguments->wish.kind, sizeof arguments->wish.kind, "%s", word);
}

static void check_desk(void *all)
{
    struct arguments *arguments = all;
    struct desk_request *request = &arguments->request;
    struct act *wish = &request->wish;
    enum act_kind kind;

    for (int i = 0; i < arguments->words.count; i++) {
        (i == 0 ? set_kind : add_word)(request, arguments->words.word[i]);
    }
    snprintf(wish->reason, sizeof wish->reason, "%s", arguments->reason);
    kind = act_kind_read(wish->kind);
    if (wish->kind[0] == '\0') {
        if (request->dry_run || wish->reason[0] != '\0') {
            command_misuse("--reason and --dry-run belong to an act, like 'bgref desk RESULTS.db "
                           "withdraw BOT --reason \"...\"'");
        }
        return;
    }
    if (act_rules[kind].needs_reason && wish->reason[0] == '\0') {
        command_misuse("%s needs --reason TEXT; it is published", wish->kind);
    }
    if (wish->subject[0] == '\0') {
        if (act_rules[kind].subject[0] != '-' && act_rules[kind].subject[0] != '[') {
            command_misuse("%s needs '%s'", wish->kind, act_rules[kind].subject);
        }
        /* A row of the journal is fields with tabs between, and an empty one would be lost to
         * the eye. */
        snprintf(wish->subject, sizeof wish->subject, "-");
    }
}

static const struct command_row options[] = {
    {"reason", 'r', .value = "TEXT",
     .help = "The reason, one line; stored and published with the results", COMMAND_REASON(reason),
     .most = ACT_REASON - 1},
    {"dry-run", .help = "Prints what the act would change, and changes nothing",
     COMMAND_FLAG(request.dry_run)},
    {"json", .help = "Prints JSON, one object on one line", COMMAND_FLAG(request.json)},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_TEXT(request.results), .is_needed = true},
    {"act", COMMAND_LIST(words)},
    {0}};

static const struct command command = {
    .usage = "RESULTS.db [ACT WORD...]",
    .help =
        "Without an act: the event as its director sees it, with entrants, rounds, and open "
        "questions, "
        "each with the command that answers it. With an act: takes it if it is allowed now, and "
        "appends it to the event's journal; else prints why not, and what is allowed.\v"
        "Acts: enter BOT, late-enter BOT, withdraw BOT, reinstate BOT, accept BOT, absent BOT, "
        "walkover meeting=N "
        "bot=WINNER, void meeting=N|pair=A|B|PAIR, adjudicate meeting=N score=1|0.5|0, replay "
        "meeting=N|pair=A|B|PAIR, condition between=A,B WORD=VALUE..., note, close. Withdraw, "
        "reinstate, accept, walkover, void, adjudicate, replay, condition and note need --reason. "
        "While the "
        "event runs, its referee takes the act. Exit status: 2 if the act is not allowed.",
    .options = options,
    .words = words,
    .missing = "the results are missing, like 'bgref desk RESULTS.db'",
    .check = check_desk,
};

/* ---- the request ---- */

static enum bg_status act(const struct desk_request *request, const struct desk *desk,
                          struct bg_error *err)
{
    struct act wish = request->wish;
    struct desk_deed *deed = NULL;
    enum bg_status status;

    desk_sign_act(&wish);
    status = desk_prepare(&deed, desk, &wish, err);
    if (status == BG_OK && !request->dry_run) {
        status = desk_store(deed, desk, err);
    }
    if (status == BG_OK) {
        status = request->json ? desk_write_json(stdout, deed, desk, request->dry_run, err)
                               : desk_write(stdout, deed, desk, request->dry_run, err);
    }
    desk_deed_destroy(deed);
    return status;
}

/* Asks the referee that plays these results, and prints its answer. BG_E_BUSY: nobody listens. */
static enum bg_status ask_running(const struct desk_request *request, struct bg_error *err)
{
    const struct desk_wish wish = {
        .act = request->wish, .dry_run = request->dry_run, .json = request->json};
    char *answer = NULL;
    enum bg_status status;
    int times = 0;

    do {
        status = desk_ask(&answer, request->results, &wish, LINE_ASK_PATIENCE_S, err);
    } while (line_ask_again(status, &times));
    if (status == BG_OK) {
        fputs(answer, stdout);
    }
    free(answer);
    return status;
}

/* The results are in use: a referee that plays them takes the act. */
static enum bg_status ask_referee(const struct desk_request *request, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    enum bg_status status = ask_running(request, &why);

    if (status == BG_E_BUSY) { /* the first message names the program */
        why = *err;
        return bg_error_set(err, BG_E_BUSY,
                            "%.300s; it takes no acts now: wait for its end, or end it (Ctrl-C); "
                            "if it was another desk, try again",
                            why.text);
    }
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%s", why.text);
}

/* Takes the act, or has the running referee take it, and prints what it does to standard output.
 * Whether a referee has the results is found out by trying to open them for writing, and only if
 * that fails is it asked: a lock is freed by the kernel when its process ends, while a socket's
 * file stays after a crash. */
static enum bg_status request_run(const struct desk_request *request, struct bg_error *err)
{
    bool is_act = request->wish.kind[0] != '\0', reads = !is_act || request->dry_run;
    struct season *season = NULL;
    struct store *store = NULL;
    enum bg_status status = event_store_open(&store, request->results, err);

    if (status == BG_OK && is_act && request->dry_run) { /* a run knows what it cannot follow */
        struct bg_error why = {.text = ""};
        enum bg_status asked = ask_running(request, &why);

        if (asked != BG_E_BUSY) {
            store_destroy(store);
            return asked == BG_OK ? BG_OK : bg_error_set(err, asked, "%s", why.text);
        }
    }
    if (status == BG_OK && !reads) {
        store_destroy(store); /* opened only to check that it exists, so that no file is made */
        store = NULL;
        status = store_sqlite_open(&store, request->results, err);
        if (status == BG_E_BUSY) {
            return ask_referee(request, err);
        }
        if (status == BG_OK) {
            /* We have the lock, so a socket that is still there belongs to a referee that was
             * killed. */
            desk_clear(request->results);
        }
    } else if (status == BG_OK) {
        status = store->ops->snapshot(store, true, err);
    }
    if (status == BG_OK) {
        status = season_load(&season, store, err);
    }
    if (status == BG_OK) {
        const struct desk desk = {.store = store, .season = season};

        status = !is_act ? desk_status_write(stdout, &desk, request->results, request->json, err)
                         : act(request, &desk, err);
    }
    season_destroy(season);
    store_destroy(store);
    return status;
}

int cmd_desk(int argc, char **argv)
{
    struct arguments arguments = {.reason = ""};
    struct bg_error err = {0};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = request_run(&arguments.request, &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of_results(status);
    }
    return EXIT_DONE;
}
