/* An act is a row: how many words, whether it names an event, whether it changes the agenda. What
 * all have in common (reading, finding the event, the two lines of the journal, storing, answering)
 * is done around the row's function, so that none can forget it.
 *
 * Order of an act: line "asked" in the journal, the act, the stored state, line with the
 * outcome. A host that is killed in the middle has an asked line without an outcome, which says
 * what to look at. */
#define _GNU_SOURCE /* strsep, fmemopen */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calendar/agenda_file.h"
#include "bot/registry.h"
#include "season/act_words.h"
#include "store/act.h"
#include "host_check.h"
#include "host_desk.h"
#include "host_bans.h"
#include "host_reopen.h"
#include "host_waiting.h"
#include "log.h"
#include "base/units.h"
#include "base/closest.h"
#include "base/memory.h"

/* What is asked. */
struct host_act_wish {
    struct host *host;
    const char *act, *reason;
    const char *words[HOST_WORDS];
    int word_count;
    struct agenda_event *event; /* of words[0] */
    struct instance *instance;
    unsigned uid;      /* who asks */
    const char *state; /* of the event from now on, as its notes say it; NULL: as before */
    char **answer;
};

struct rule {
    const char *act;
    int least, most; /* number of words, with the event */
    const char *words;
    bool needs_event, is_stored; /* is_stored: it changes the agenda */
    bool is_of_doors;            /* it changes who may come */
    enum bg_status (*run)(struct host_act_wish *wish, struct bg_error *err);
};

/* ------------------------------------------------------------------ acts */

static enum bg_status status_act(struct host_act_wish *wish, struct bg_error *err)
{
    (void)err;
    *wish->answer = host_status(wish->host);
    return BG_OK;
}

/* Answers what was done; returns the status. */
static enum bg_status say_reply(struct host_act_wish *wish, enum bg_status status, const char *text)
{
    if (status == BG_OK) {
        *wish->answer =
            memory_print("%s %s%s\n", wish->instance->name, life_words[wish->instance->life], text);
    }
    return status;
}

static enum bg_status pause_act(struct host_act_wish *wish, struct bg_error *err)
{
    enum bg_status status = agenda_set(wish->instance, LIFE_PAUSED, wish->reason, host_now(), err);

    /* For the event's own journal, which is published (host_desk_note). */
    wish->state = "state=paused";
    return say_reply(wish, status, "; running games end");
}

/* Its file may have been changed while it was paused: the process would only fail. Mistakes of
 * other files do not keep this event. */
static enum bg_status check_file(const struct host_act_wish *wish, struct bg_error *err)
{
    const struct host_event *event = host_config_find(&wish->host->config, wish->event->name);
    struct bg_error why = {.text = ""};
    struct host_config fresh;

    if (event == NULL) {
        return BG_OK;
    }
    if (host_config_read(&fresh, wish->host->config.file, &why) == BG_OK) {
        const struct host_event *now = host_config_find(&fresh, wish->event->name);
        char results[HOST_PATH];
        enum bg_status status =
            now != NULL && runs_results_of(results, &wish->host->runs, wish->event->name,
                                           wish->instance->name)
                ? host_check_event(&fresh, now, results, &why)
                : BG_OK;

        host_config_deinit(&fresh);
        return status == BG_OK ? BG_OK
                               : bg_error_set(err, BG_E_ARGUMENT, "%s stays paused: %.500s",
                                              wish->instance->name, why.text);
    }
    return strstr(why.text, event->file) == NULL
               ? BG_OK
               /* A mistake of this event's file; others' are told when they are to start. */
               : bg_error_set(err, BG_E_ARGUMENT, "%s stays paused: %.500s", wish->instance->name,
                              why.text);
}

static enum bg_status resume_act(struct host_act_wish *wish, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (wish->event->gone) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s is not in %s any more", wish->event->name,
                              wish->host->config.file);
    } else if (wish->instance->life != LIFE_PAUSED) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s is %s; only a paused event is resumed",
                              wish->instance->name, life_words[wish->instance->life]);
    }
    if (status == BG_OK) {
        status = check_file(wish, err);
    }
    if (status == BG_OK) {
        status = agenda_set(wish->instance, LIFE_RUNNING, "", host_now(), err);
        wish->state = "state=running";
    }
    return say_reply(wish, status, "; 'status' says whether its process could go on");
}

static enum bg_status cancel_act(struct host_act_wish *wish, struct bg_error *err)
{
    enum bg_status status =
        agenda_set(wish->instance, LIFE_CANCELLED, wish->reason, host_now(), err);

    wish->state = "state=cancelled";
    return say_reply(wish, status, "; 'reopen' lets it go on if it had begun");
}

static enum bg_status reopen_act(struct host_act_wish *wish, struct bg_error *err)
{
    struct reopen_wish asked = {
        .event = wish->event, .instance = wish->instance, .reason = wish->reason};

    if (wish->instance->life == LIFE_CANCELLED) {
        wish->state = "state=running";
    }
    /* words[0] is the event. */
    for (int i = 1; i < wish->word_count; i++) {
        if (strcmp(wish->words[i], REOPEN_SIGNED) == 0) {
            asked.is_signed_too = true;
        } else if (asked.bot != NULL) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "it is 'reopen EVENT [BOT]': one bot after "
                                "another");
        } else {
            asked.bot = wish->words[i];
        }
    }
    return host_reopen(wish->host, &asked, wish->answer, err);
}

static enum bg_status take_back(struct host_end *end, const char *text, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    int64_t back_ns = 0;

    end->is_asked = true;
    if (strcmp(text, "never") == 0) {
        end->back_s = DOOR_NEVER;
        return BG_OK;
    }
    if (time_read(&back_ns, text, 0, &why) != BG_OK) {
        return bg_error_set(err, BG_E_ARGUMENT, "--back: %.300s, or never", why.text);
    }
    end->back_s = back_ns / INT64_C(1000000000);
    return BG_OK;
}

static enum bg_status drain_act(struct host_act_wish *wish, struct bg_error *err)
{
    static const char back[] = "back=";
    /* A copy: a word that is not understood further on must not leave half a wish. */
    struct host_end end = wish->host->end;

    if (wish->host->phase != HOST_UP) {
        return bg_error_set(err, BG_E_ARGUMENT, "the host is ending already");
    }
    for (int i = 0; i < wish->word_count; i++) {
        const char *word = wish->words[i];

        if (strcmp(word, "finish-matches") == 0) {
            end.finishes = true;
        } else if (strncmp(word, back, strlen(back)) != 0) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "it is 'drain [--finish-matches] [--back TIME]'");
        } else if (take_back(&end, word + strlen(back), err) != BG_OK) {
            return err->status;
        }
    }
    *wish->answer =
        memory_print("drains: no new events; running %s end\n", end.finishes ? "matches" : "games");
    wish->host->end = end;
    return BG_OK;
}

/* ------------------------------------------------------------------ the desk of a running event */

static enum bg_status ask_desk(struct host_act_wish *wish, const char *kind, const char *subject,
                               struct bg_error *err)
{
    /* An event that waits for this very answer may have ended its process by it, so `accept`
     * also works on the results. */
    const bool is_accept = strcmp(kind, "accept") == 0;
    const struct host_desk_wish asked = {.event = wish->event->name,
                                         .instance = wish->instance->name,
                                         .kind = kind,
                                         .subject = subject,
                                         .reason = wish->reason,
                                         .uid = wish->uid,
                                         .goes_aside = is_accept};

    if (wish->reason[0] == '\0' && act_rules[act_kind_read(kind)].needs_reason) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s needs --reason TEXT; it is published", kind);
    }
    if (wish->instance->life != LIFE_RUNNING &&
        (!is_accept || wish->instance->life != LIFE_PAUSED)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s is %s, so it has no desk here; 'bgref desk RESULTS.db %s' acts on "
                            "results that no event is using",
                            wish->instance->name, life_words[wish->instance->life], kind);
    }
    return host_desk_act(wish->answer, wish->host, &asked, err);
}

/* A bot that has changed plays on in an event, which may wait for that. */
static enum bg_status accept_act(struct host_act_wish *wish, struct bg_error *err)
{
    char subject[ACT_SUBJECT], key[KEY_FILE_DIGITS];
    enum bg_status status;

    snprintf(key, sizeof key, "%s", host_door_key(wish->host->door, wish->words[1]));
    snprintf(subject, sizeof subject, "bot=%.64s%s%s", wish->words[1],
             key[0] == '\0' ? "" : " key=", key);
    status = ask_desk(wish, "accept", subject, err);
    if (status == BG_OK) {
        host_door_accept(wish->host->door, wish->instance->name, wish->words[1], key);
        /* Its process may be waiting minutes for its next start because of this bot. */
        runs_try_again(&wish->host->runs, wish->instance->name);
    }
    return status;
}

/* "a|b|3|0|2" is the pair "a|b|3"; a subject of the desk stays as it is. */
static enum bg_status void_act(struct host_act_wish *wish, struct bg_error *err)
{
    const char *game = wish->words[1], *bar = game;
    char subject[ACT_SUBJECT];

    for (int bars = 0; bar != NULL && bars < 3; bars++) {
        bar = strchr(bars == 0 ? bar : bar + 1, '|');
    }
    if (strchr(game, '=') != NULL) {
        snprintf(subject, sizeof subject, "%s", game);
    } else {
        snprintf(subject, sizeof subject, "pair=%.*s",
                 (int)(bar == NULL ? strlen(game) : (size_t)(bar - game)), game);
    }
    return ask_desk(wish, "void", subject, err);
}

/* ------------------------------------------------------------------ entries */

static bool is_of_file(const struct host_act_wish *wish, const char *bot)
{
    const struct host_event *found = host_config_find(&wish->host->config, wish->event->name);

    for (int i = 0; found != NULL && found->bots[i][0] != '\0'; i++) {
        if (strcmp(found->bots[i], bot) == 0) {
            return true;
        }
    }
    return false;
}

/* A bot is entered by its name in the list of bots: a path would depend on the folder. */
static enum bg_status bot_check(const struct host_act_wish *wish, const struct registry *registry,
                                const char *bot, struct bg_error *err)
{
    struct competitor competitor;
    struct bg_error why = {.text = ""};

    if (!name_is_valid(bot)) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.60s' is not a bot's name ('bgref bots')", bot);
    }
    if (is_of_file(wish, bot)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is in the event file of %s", bot,
                            wish->event->name);
    }
    return registry_resolve(&competitor, registry, bot, &why) == BG_OK
               ? BG_OK
               : bg_error_set(err, BG_E_ARGUMENT, "%s", why.text);
}

/* Into a running event: a bot that its file names as late. */
static enum bg_status enter_late(struct host_act_wish *wish, struct bg_error *err)
{
    char subject[ACT_SUBJECT];

    if (wish->word_count > 2) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is running; enter one bot after another",
                            wish->event->name);
    }
    snprintf(subject, sizeof subject, "bot=%.200s", wish->words[1]);
    return ask_desk(wish, "late-enter", subject, err);
}

static enum bg_status enter_act(struct host_act_wish *wish, struct bg_error *err)
{
    struct registry *registry = NULL;
    enum bg_status status;

    if (wish->instance->life == LIFE_RUNNING) {
        return enter_late(wish, err);
    }
    status = registry_open(&registry, err);
    for (int i = 1; i < wish->word_count && status == BG_OK; i++) {
        status = bot_check(wish, registry, wish->words[i], err);
        if (status == BG_OK) {
            status = agenda_enter(wish->event, wish->instance, wish->words[i], host_now(), err);
        }
    }
    registry_close(registry);
    return say_reply(wish, status, ": entered");
}

static enum bg_status withdraw_act(struct host_act_wish *wish, struct bg_error *err)
{
    const char *bot = wish->words[1];
    char subject[ACT_SUBJECT];
    enum bg_status status;

    if (wish->instance->life == LIFE_RUNNING) {
        snprintf(subject, sizeof subject, "bot=%s", bot);
        return ask_desk(wish, "withdraw", subject, err);
    }
    if (is_of_file(wish, bot)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s is in the event file of %s; take it out there, or withdraw it when "
                            "the event runs",
                            bot, wish->event->name);
    }
    status = agenda_withdraw(wish->event, wish->instance, bot, host_now(), err);
    return say_reply(wish, status, ": withdrawn");
}

/* ------------------------------------------------------------------ bans */

static struct ban_wish ban_wish_of(const struct host_act_wish *wish)
{
    return (struct ban_wish){.what = wish->words[0],
                             .until = wish->word_count > 1 ? wish->words[1] : NULL,
                             .reason = wish->reason};
}

/* Tells the events that it concerns, whose decisions are published: a network would be somebody's
 * address. */
static void note_gate(const struct host_act_wish *wish)
{
    struct ban ban = {.kind = BAN_NAME};
    char text[ACT_REASON];

    if (ban_read_what(&ban, wish->words[0], NULL) == BG_OK) {
        snprintf(text, sizeof text, "%s of %s%s%s%.250s", wish->act,
                 ban.kind == BAN_FROM  ? "a network"
                 : ban.kind == BAN_KEY ? "key "
                                       : "",
                 ban.kind == BAN_FROM ? "" : ban.what, wish->reason[0] == '\0' ? "" : ": ",
                 wish->reason);
        host_desk_note_all(wish->host, wish->uid, ban.kind == BAN_NAME ? ban.what : NULL, text);
    }
}

static enum bg_status ban_act(struct host_act_wish *wish, struct bg_error *err)
{
    const struct ban_wish asked = ban_wish_of(wish);
    enum bg_status status = host_ban(wish->host, &asked, wish->answer, err);

    if (status == BG_OK) {
        note_gate(wish);
    }
    return status;
}

static enum bg_status unban_act(struct host_act_wish *wish, struct bg_error *err)
{
    const struct ban_wish asked = ban_wish_of(wish);
    enum bg_status status = host_unban(wish->host, &asked, wish->answer, err);

    if (status == BG_OK) {
        note_gate(wish);
    }
    return status;
}

static enum bg_status kick_act(struct host_act_wish *wish, struct bg_error *err)
{
    const struct ban_wish asked = ban_wish_of(wish);
    enum bg_status status = host_kick(wish->host, &asked, wish->answer, err);

    if (status == BG_OK) {
        note_gate(wish);
    }
    return status;
}

static enum bg_status approve_act(struct host_act_wish *wish, struct bg_error *err)
{
    return host_waiting_approve(wish->host, wish->words[0], wish->answer, err);
}

static enum bg_status refuse_act(struct host_act_wish *wish, struct bg_error *err)
{
    return host_waiting_refuse(wish->host, wish->words[0], wish->answer, err);
}

/* ------------------------------------------------------------------ what the event publishes */

/* What the director did to an event stands among its decisions, signed by the director: its
 * process only sees that it is to end, and a reader would take it for the program's doing. */
static void note_in_event(const struct host_act_wish *wish)
{
    char text[ACT_REASON];

    if (wish->state != NULL) {
        snprintf(text, sizeof text, "%.300s",
                 wish->reason[0] == '\0' ? "by the host's director" : wish->reason);
        host_desk_note(wish->host, wish->uid, wish->event->name, wish->instance, wish->state, text);
    }
}

/* ------------------------------------------------------------------ the table */

static const struct rule rules[] = {
    {"status", 0, 0, "", false, false, false, status_act},
    {"pause", 1, 1, " EVENT", true, true, false, pause_act},
    {"resume", 1, 1, " EVENT", true, true, false, resume_act},
    {"cancel", 1, 1, " EVENT", true, true, false, cancel_act},
    {"reopen", 1, 3, " EVENT [BOT --reason TEXT [--signed]]", true, true, false, reopen_act},
    {"enter", 2, HOST_WORDS, " EVENT BOT...", true, true, false, enter_act},
    {"withdraw", 2, 2, " EVENT BOT", true, true, false, withdraw_act},
    {"accept", 2, 2, " EVENT BOT --reason TEXT", true, false, false, accept_act},
    {"void", 2, 2, " EVENT GAME", true, false, false, void_act},
    {"ban", 1, 2, " NAME|KEY|NETWORK [--until TIME] --reason TEXT", false, false, true, ban_act},
    {"unban", 1, 1, " NAME|KEY|NETWORK", false, false, true, unban_act},
    {"kick", 1, 1, " NAME", false, false, true, kick_act},
    {"approve", 1, 1, " NAME", false, false, true, approve_act},
    {"refuse", 1, 1, " NAME", false, false, false, refuse_act},
    {"drain", 0, 2, " [--finish-matches] [--back TIME|never]", false, false, false, drain_act},
};

enum { RULES = sizeof rules / sizeof rules[0] };

/* Acts of earlier versions, and what does their work now. */
static const struct {
    const char *act, *instead;
} gone[] = {
    {"invite", "'bgref keygen --invite NAME', whose line page: {invitations: FILE} reads"},
    {"registrations", "'status' lists who waits; page: {registrations: FILE} has them"},
    {"reassign", "put the new key in the place of the old one in the list that 'allow' of "
                 "HOST.yaml names, and send SIGHUP"},
    {"backup", "let a timer call 'bgref backup RESULTS.db FOLDER --keep 8'"},
};

static const struct rule *find_rule(const char *act, struct bg_error *err)
{
    const char *names[RULES], *near;

    for (int i = 0; i < RULES; i++) {
        if (strcmp(rules[i].act, act) == 0) {
            return &rules[i];
        }
        names[i] = rules[i].act;
    }
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        if (strcmp(gone[i].act, act) == 0) {
            bg_error_set(err, BG_E_ARGUMENT, "the action '%s' was taken away; now: %s", act,
                         gone[i].instead);
            return NULL;
        }
    }
    near = closest_name(act, names, RULES);
    bg_error_set(err, BG_E_ARGUMENT, "there is no action '%.40s' (%s%s%s)", act,
                 near == NULL ? "'bgref host --help' lists them" : "perhaps ",
                 near == NULL ? "" : near, near == NULL ? "" : "?");
    return NULL;
}

enum bg_status host_act_check(const char *act, struct bg_error *err)
{
    return find_rule(act, err) == NULL ? BG_E_ARGUMENT : BG_OK;
}

/* Returns the rule of a line whose event exists, or NULL. */
static const struct rule *read_wish(struct host_act_wish *wish, char *line, struct bg_error *err)
{
    char *rest = line;
    const char *magic;
    const struct rule *rule;

    line[strcspn(line, "\n")] = '\0';
    magic = strsep(&rest, "\t");
    wish->act = rest == NULL ? NULL : strsep(&rest, "\t");
    wish->reason = rest == NULL ? NULL : strsep(&rest, "\t");
    while (rest != NULL && wish->word_count < HOST_WORDS) {
        wish->words[wish->word_count++] = strsep(&rest, "\t");
    }
    if (wish->reason == NULL || rest != NULL || strcmp(magic, HOST_MAGIC) != 0) {
        bg_error_set(err, BG_E_FORMAT, "not a line of bgref host");
        return NULL;
    }
    rule = find_rule(wish->act, err);
    if (rule != NULL && (wish->word_count < rule->least || wish->word_count > rule->most)) {
        bg_error_set(err, BG_E_ARGUMENT, "it is '%s%s'", rule->act, rule->words);
        return NULL;
    }
    if (rule != NULL && rule->needs_event) {
        wish->instance = agenda_instance(&wish->host->agenda, wish->words[0], &wish->event);
        if (wish->instance == NULL) {
            bg_error_set(err, BG_E_ARGUMENT, "there is no event '%.80s' here", wish->words[0]);
            return NULL;
        }
    }
    return rule;
}

/* What was asked, for the journal; the caller frees it. */
static char *wish_words(const struct host_act_wish *wish)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);

    fprintf(out, "%s", wish->act);
    for (int i = 0; i < wish->word_count; i++) {
        fprintf(out, " %s", wish->words[i]);
    }
    if (wish->reason[0] != '\0') {
        fprintf(out, " (%s)", wish->reason);
    }
    memory_stream_close(out);
    return text;
}

/* ------------------------------------------------------------------ all or nothing */

static char *copy_of(const struct agenda *agenda)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);

    agenda_write(out, agenda);
    memory_stream_close(out);
    return text;
}

static void restore(struct host *host, char *text)
{
    struct agenda before;
    FILE *in = fmemopen(text, strlen(text), "r");

    if (in != NULL && agenda_read(&before, in, "the states", NULL) == BG_OK) {
        before.changed = host->agenda.changed;
        before.user = host->agenda.user;
        agenda_deinit(&host->agenda);
        host->agenda = before;
        (void)agenda_take(&host->agenda, &host->config.rules, host_now(), NULL);
    }
    if (in != NULL) {
        fclose(in);
    }
}

/* An act that fails in its middle, or cannot be stored, has changed nothing. */
static enum bg_status run_stored(struct host_act_wish *wish, const struct rule *rule,
                                 struct bg_error *err)
{
    struct host *host = wish->host;
    char *before = copy_of(&host->agenda);
    enum bg_status status = rule->run(wish, err);

    if (status == BG_OK) {
        status = host_save(host, err);
    }
    if (status != BG_OK) {
        restore(host, before);
        if (host->is_unsaved) { /* the act had stored its change before it failed */
            (void)host_save(host, NULL);
        }
    }
    free(before);
    return status;
}

/* Before the act: a host that is killed in its middle leaves no effect that nobody asked for. */
static void note_asked(const struct host_act_wish *wish, const struct rule *rule, const char *words)
{
    struct bg_error err;

    if (rule->run != status_act && host_journal_add(&wish->host->journal, host_now(), wish->uid,
                                                    words, "asked", &err) != BG_OK) {
        log_error("host", "%s", err.text);
    }
}

enum bg_status host_act(void *user, char *line, unsigned uid, char **answer, struct bg_error *err)
{
    struct host_act_wish wish = {.host = user, .uid = uid, .answer = answer};
    const struct rule *rule = read_wish(&wish, line, err);
    enum bg_status status = rule == NULL ? err->status : BG_OK;
    bool is_done; /* though perhaps not in force yet */
    char *words;

    if (rule == NULL) {
        return status;
    }
    words = wish_words(&wish);
    note_asked(&wish, rule, words);
    status = rule->is_stored ? run_stored(&wish, rule, err) : rule->run(&wish, err);
    is_done = status == BG_OK;
    if (is_done) { /* while the event's process is still there */
        note_in_event(&wish);
    }
    if (is_done && rule->is_of_doors) {
        status = host_bans_in_force(wish.host, answer, err);
    }
    if (rule->run != status_act && status != BG_E_TIMEOUT) { /* a start is asked for again */
        host_say(wish.host, uid, words,
                 status != BG_OK          ? err->text
                 : rule->run == drain_act ? "begun"
                                          : "done");
    }
    free(words);
    if (is_done && rule->run == drain_act) {
        host_drain(wish.host);
    } else if (is_done) {
        host_settle(wish.host); /* its next time may have changed */
    }
    if (status != BG_OK) {
        free(*answer);
        *answer = NULL;
    }
    return status;
}
