/* Questions are found anew each time and nothing is ticked off: a question is open as long as
 * the state that raises it lasts, and the act that answers it changes this state. */
#define _GNU_SOURCE
#include "desk_status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/memory.h"
#include "store/entry.h"
#include "base/plural.h"

/* What is known of a bot beside the season. */
struct trouble {
    uint64_t given_up, starts, host, games; /* fixtures, failed starts, faults */
    char why[160];                          /* of the last fixture given up */
    char game[192];                         /* the last fault that may be the host's */
};

struct director_view {
    const struct desk *desk;
    const char *results;
    struct trouble *trouble; /* owned; by entrant */
    json_t *questions;       /* owned: text, command */
};

static struct trouble *trouble_of(struct director_view *status, const char *bot)
{
    int entrant = bot == NULL ? -1 : season_find(status->desk->season, bot);

    return entrant < 0 ? NULL : &status->trouble[entrant];
}

static void take_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    struct trouble *trouble = trouble_of(user, bot);

    (void)fixture;
    if (trouble != NULL) {
        trouble->given_up++;
        snprintf(trouble->why, sizeof trouble->why, "%s", why == NULL ? "" : why);
    }
}

/* Faults that a full or slow machine can cause as well as the bot. Nobody but a person can tell
 * these apart, so it is asked instead of decided. */
static bool may_be_host(enum bg_fault fault)
{
    return fault == BG_FAULT_LATE || fault == BG_FAULT_SILENT || fault == BG_FAULT_CRASH ||
           fault == BG_FAULT_MEMORY || fault == BG_FAULT_HOST;
}

static void take_fault(void *user, const struct store_fault *fault)
{
    struct trouble *trouble = trouble_of(user, fault->bot);

    if (trouble == NULL) {
        return;
    }
    trouble->starts += fault->fault == BG_FAULT_START;
    trouble->games += fault->game_id != NULL;
    if (may_be_host(fault->fault) && fault->game_id != NULL) {
        trouble->host++;
        snprintf(trouble->game, sizeof trouble->game, "%s", fault->game_id);
    }
}

/* ------------------------------------------------------------------ questions */

__attribute__((format(printf, 3, 4))) static void ask(struct director_view *status,
                                                      const char *command, const char *format, ...)
{
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_array_append_new(status->questions,
                          json_pack("{s:s, s:s}", "text", text, "command", command));
}

/* A changed program waits at the door. */
static enum bg_status ask_of_version(struct director_view *status, int i, struct bg_error *err)
{
    const struct season_entrant *entrant = season_entrant(status->desk->season, i);
    struct store *store = status->desk->store;
    char key[ENTRY_KEY], version[EDITION_VERSION] = "", command[512];
    enum bg_status result;

    editions_refused_key(key, entrant->name);
    result = store_meta_text(version, sizeof version, store, key, err);
    if (result == BG_OK && version[0] != '\0' && entrant->state != SEASON_WITHDRAWN) {
        snprintf(command, sizeof command, "bgref desk %s accept bot=%s --reason TEXT",
                 status->results, entrant->name);
        ask(status, command,
            "%s came as %s, another version than at its last game, and was refused: may it play on "
            "as that?",
            entrant->name, version);
    }
    return result;
}

static void ask_of_entrant(struct director_view *status, int i)
{
    const struct season_entrant *entrant = season_entrant(status->desk->season, i);
    const struct trouble *trouble = &status->trouble[i];
    char command[512];

    snprintf(command, sizeof command, "bgref desk %s reinstate bot=%s --reason TEXT",
             status->results, entrant->name);
    if (entrant->state == SEASON_ABSENT && !season_is_over(status->desk->season)) {
        ask(status, command, "%s is absent%s: may it play on?", entrant->name,
            trouble->starts > 0 ? " and failed to start" : "");
    } else if (entrant->state == SEASON_IN && trouble->given_up > 0) {
        ask(status, command, "%s is out: %" PRIu64 " fixture%s given up (%s): may it play on?",
            entrant->name, trouble->given_up, plural(trouble->given_up, " was", "s were"),
            trouble->why);
    }
    if (trouble->host > 0) {
        snprintf(command, sizeof command, "bgref faults %s %s", status->results, entrant->name);
        ask(status, command,
            "%s lost %" PRIu64 " game%s by faults that a slow or full machine can cause, the last "
            "is %s: was it the machine? Then void or replay the pair",
            entrant->name, trouble->host, plural_s(trouble->host), trouble->game);
    }
}

/* Meetings whose games are all void wait for a decision. */
static void ask_of_meetings(struct director_view *status)
{
    const struct season *season = status->desk->season;

    for (size_t i = 0; i < season_meetings(season); i++) {
        const struct season_meeting *seen = season_meeting(season, i);
        char command[512];

        if (season_meeting_is_bare(season, i)) {
            snprintf(command, sizeof command,
                     "bgref desk %s replay meeting=%" PRIu64 " --reason TEXT", status->results,
                     seen->number);
            ask(status, command,
                "meeting %" PRIu64 " of %s and %s is open, and all its games are void: replay, "
                "adjudicate or void it?",
                seen->number, season_entrant(season, seen->meeting.a)->name,
                season_entrant(season, seen->meeting.b)->name);
        }
    }
}

static enum bg_status ask_of_title(struct director_view *status, struct bg_error *err)
{
    const struct season *season = status->desk->season;
    int stage = season_stage(season), count = 0, first = 0;
    struct season_place *place = memory_zeroed((size_t)season_entrants(season), sizeof *place);
    char command[512];
    enum bg_status result = BG_OK;

    snprintf(command, sizeof command, "bgref desk %s close", status->results);
    /* Several groups have no common first place; then only the end of the event is asked for. */
    if (season_groups(season, stage) == 1) {
        result = season_standing(place, &count, season, stage, 0, err);
    }
    for (int i = 0; i < count; i++) {
        first += place[i].place == 1;
    }
    if (result == BG_OK && first > 1) {
        ask(status, command,
            "%d entrants share the first place: does the tie stand? Then close the event", first);
    } else if (result == BG_OK) {
        ask(status, command, "all meetings are over: close the event?");
    }
    free(place);
    return result;
}

static enum bg_status find_questions(struct director_view *status, struct bg_error *err)
{
    const struct season *season = status->desk->season;
    enum bg_status result = BG_OK;
    char command[512];

    for (int i = 0; i < season_entrants(season) && result == BG_OK; i++) {
        ask_of_entrant(status, i);
        /* Nobody plays any more, so a version that waits is no question. */
        result = season_is_closed(season) ? BG_OK : ask_of_version(status, i, err);
    }
    if (result != BG_OK) {
        return result;
    }
    ask_of_meetings(status);
    if (season_is_closed(season)) {
        snprintf(command, sizeof command, "bgref sign %s --key NAME.key", status->results);
        ask(status, command, "the event is closed: who signs?");
        return BG_OK;
    }
    return season_plan(season)->stages > 0 && season_is_over(season) ? ask_of_title(status, err)
                                                                     : BG_OK;
}

/* ------------------------------------------------------------------ output */

static const char *state_word(const struct season_entrant *entrant, const struct trouble *trouble)
{
    static const char *const words[] = {"in", "absent", "withdrawn"};

    return entrant->state == SEASON_IN && trouble->given_up > 0 ? "out" : words[entrant->state];
}

static size_t open_meetings(const struct season *season)
{
    size_t open = 0;

    for (size_t i = 0; i < season_meetings(season); i++) {
        open += season_meeting(season, i)->end == SEASON_OPEN;
    }
    return open;
}

/* Settings, and with them the form and the bots, are stored with the first game. */
static bool is_begun(const struct season *season)
{
    return season_entrants(season) > 0;
}

static void write_text(FILE *out, const struct director_view *status)
{
    const struct season *season = status->desk->season;
    const struct plan *plan = season_plan(season);
    char form[256] = "a plain round robin";
    const json_t *question;
    size_t index;

    if (!is_begun(season)) {
        snprintf(form, sizeof form, "no game has begun; until then only its file says what it is");
    }
    if (plan->stages > 0) {
        plan_stage_text(form, sizeof form, &plan->stage[season_stage(season)]);
    }
    fprintf(out, "event: %s; %s", season_phase(season), form);
    if (plan->stages > 0) {
        fprintf(out, " (stage %d of %d); %zu of %zu meetings open", season_stage(season) + 1,
                plan->stages, open_meetings(season), season_meetings(season));
    }
    fprintf(out, "\njournal: %" PRIu64 " act%s\n", season_acts_taken(season),
            plural_s(season_acts_taken(season)));
    for (int i = 0; i < season_entrants(season); i++) {
        const struct season_entrant *entrant = season_entrant(season, i);
        const struct trouble *trouble = &status->trouble[i];

        fprintf(out, "  %-20s %s%s", entrant->name, state_word(entrant, trouble),
                entrant->late ? ", entered late" : "");
        if (entrant->act > 0) {
            fprintf(out, " (act %" PRIu64 ")", entrant->act);
        }
        if (trouble->games + trouble->starts > 0) {
            fprintf(out, "; faults in %" PRIu64 " game%s, %" PRIu64 " failed start%s",
                    trouble->games, plural_s(trouble->games), trouble->starts,
                    plural_s(trouble->starts));
        }
        fputc('\n', out);
    }
    if (json_array_size(status->questions) == 0) {
        fputs("questions: none\n", out);
    }
    json_array_foreach(status->questions, index, question)
    {
        fprintf(out, "? %s\n    %s\n", json_string_value(json_object_get(question, "text")),
                json_string_value(json_object_get(question, "command")));
    }
}

static json_t *json_of_entrants(const struct director_view *status)
{
    const struct season *season = status->desk->season;
    json_t *list = json_array();

    for (int i = 0; i < season_entrants(season); i++) {
        const struct season_entrant *entrant = season_entrant(season, i);
        const struct trouble *trouble = &status->trouble[i];

        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:b, s:I, s:i, s:i, s:I, s:I, s:I}", "bot", entrant->name,
                      "state", state_word(entrant, trouble), "late", (int)entrant->late, "act",
                      (json_int_t)entrant->act, "meetings", entrant->meetings, "byes",
                      entrant->byes, "unplayed", (json_int_t)trouble->given_up, "faults",
                      (json_int_t)trouble->games, "failed_starts", (json_int_t)trouble->starts));
    }
    return list;
}

static enum bg_status write_json(FILE *out, const struct director_view *status,
                                 struct bg_error *err)
{
    const struct season *season = status->desk->season;
    char text[PLAN_TEXT] = "round-robin";
    const char *plan = is_begun(season) ? text : NULL;
    json_t *json;
    bool done;

    if (season_plan(season)->stages > 0) {
        plan_write(text, season_plan(season));
    }
    json = json_pack("{s:s, s:i, s:s, s:s?, s:i, s:I, s:I, s:I, s:o, s:O}", "schema", "bgref-desk",
                     "version", 1, "phase", season_phase(season), "schedule", plan, "stage",
                     season_stage(season) + 1, "meetings", (json_int_t)season_meetings(season),
                     "open_meetings", (json_int_t)open_meetings(season), "acts",
                     (json_int_t)season_acts_taken(season), "entrants", json_of_entrants(status),
                     "questions", status->questions);
    done = json != NULL && json_dumpf(json, out, JSON_COMPACT) == 0 && fputc('\n', out) != EOF;
    json_decref(json);
    return done ? BG_OK : bg_error_set(err, BG_E_SYSTEM, "JSON");
}

enum bg_status desk_status_write(FILE *out, const struct desk *desk, const char *results, bool json,
                                 struct bg_error *err)
{
    struct director_view status = {.desk = desk, .results = results};
    enum bg_status result;

    status.trouble = memory_zeroed((size_t)season_entrants(desk->season), sizeof *status.trouble);
    status.questions = json_array();
    result = store_all_unplayed(desk->store, take_unplayed, &status, err);
    if (result == BG_OK) {
        result = store_all_faults(desk->store, take_fault, &status, err);
    }
    if (result == BG_OK) {
        result = find_questions(&status, err);
    }
    if (result == BG_OK && json) {
        result = write_json(out, &status, err);
    } else if (result == BG_OK) {
        write_text(out, &status);
    }
    json_decref(status.questions);
    free(status.trouble);
    return result;
}
