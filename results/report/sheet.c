/* What is published of an event: the parts, and the event that they are made of. The parts are a
 * table, so that the command line, its help and the order on the page have one source. All of them
 * are made of one snapshot of the store: a sheet is also asked for while the event runs, and acts
 * from before a result with a standing from after it would contradict each other on one page. */
#include "sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "base/memory.h"
#include "proof/signature.h"
#include "season/season_store.h"
#include "store/entry.h"
#include "store/store.h"
#include "sums/results_set.h"

/* ----------------------------------------------------------------------------- the parts */

const struct sheet_part sheet_parts[SHEET_PARTS] = {
    {"standing", sheet_standing, "ranks by the rules of the form, stage by stage"},
    {"draw", sheet_draw, "rounds, pairings, byes, results"},
    {"crosstable", sheet_crosstable, "the score of each against each"},
    {"bracket", sheet_bracket, "eliminations, drawn"},
    {"matches", sheet_matches, "meetings in the order of their end, with UTC times"},
    {"ladder", sheet_ladder, "challenges and places"},
    {"entries", sheet_entries, "author, operator, program, declared origins"},
    {"decisions", sheet_decisions, "acts of the desk with their reasons"},
};

const struct sheet_part *sheet_part_find(const char *name, const char **nearest)
{
    const char *names[SHEET_PARTS];

    for (int i = 0; i < SHEET_PARTS; i++) {
        names[i] = sheet_parts[i].name;
        if (strcmp(name, names[i]) == 0) {
            return &sheet_parts[i];
        }
    }
    *nearest = closest_name(name, names, SHEET_PARTS);
    return NULL;
}

/* ----------------------------------------------------------------- the event behind them */

enum { SETTING_ROOM = 64 * 1024 };

struct sheet_source {
    struct season *season;
    struct plan plan;
    struct act *act;
    size_t acts, room;
    struct sheet_entry *entry; /* texts owned */
    char name[EVENT_NAME];
    char *signed_by, *lapsed; /* owned */
};

static void entry_free(const struct sheet_entry *entry)
{
    free(entry->author);
    free(entry->operator);
    free(entry->origins);
    free(entry->said_author);
    free(entry->version);
    free(entry->program);
}

void sheet_source_destroy(struct sheet_source *source)
{
    if (source == NULL) {
        return;
    }
    for (int i = 0; source->entry != NULL && i < season_entrants(source->season); i++) {
        entry_free(&source->entry[i]);
    }
    season_destroy(source->season);
    free(source->entry);
    free(source->signed_by);
    free(source->lapsed);
    free(source->act);
    free(source);
}

static bool take_act(void *user, const struct act *act)
{
    struct sheet_source *source = user;

    source->act = memory_list(source->act, &source->room, source->acts + 1, sizeof *source->act);
    source->act[source->acts++] = *act;
    return true;
}

static enum bg_status read_plan(struct sheet_source *source, struct store *store, char *text,
                                struct bg_error *err)
{
    uint64_t pairs = 1;
    enum bg_status status = store_meta_text(text, SETTING_ROOM, store, "event.pairs", err);

    if (status == BG_OK) {
        pairs = strtoull(text, NULL, 10);
        /* A damaged setting shall not stop the sheet: the plan only needs a number in range. */
        pairs = pairs < 1 || pairs > 1000000000 ? 1 : pairs;
        status = store_meta_text(text, SETTING_ROOM, store, "event.schedule", err);
    }
    if (status == BG_OK && text[0] != '\0') {
        status = plan_read(&source->plan, text, pairs, err);
    }
    if (status == BG_OK) {
        status = store_meta_text(text, SETTING_ROOM, store, "event.event", err);
        snprintf(source->name, sizeof source->name, "%.*s", (int)sizeof source->name - 1, text);
    }
    return status;
}

/* Reads a text of the entry list into *out; NULL if it is missing. */
static enum bg_status read_entry_word(char **out, struct store *store, enum entry_word word,
                                      const char *name, char *text, struct bg_error *err)
{
    char key[ENTRY_KEY];
    enum bg_status status;

    entry_key(key, word, name);
    status = store_meta_text(text, SETTING_ROOM, store, key, err);
    if (status == BG_OK && text[0] != '\0') {
        *out = memory_text(text);
    }
    return status;
}

static enum bg_status read_edition(struct sheet_entry *out, struct store *store, const char *name,
                                   char *text, struct bg_error *err)
{
    struct edition edition;
    char key[ENTRY_KEY];
    enum bg_status status;

    editions_key(key, name);
    status = store_meta_text(text, SETTING_ROOM, store, key, err);
    if (status == BG_OK && edition_last(&edition, text)) {
        out->version = memory_text(edition.version);
        out->program = memory_text(edition.digest);
    }
    return status;
}

static enum bg_status read_entries(struct sheet_source *source, struct store *store, char *text,
                                   struct bg_error *err)
{
    int count = season_entrants(source->season);
    enum bg_status status = BG_OK;

    source->entry = memory_zeroed((size_t)count, sizeof *source->entry);
    for (int i = 0; i < count && status == BG_OK; i++) {
        const char *name = season_entrant(source->season, i)->name;
        struct sheet_entry *entry = &source->entry[i];

        status = read_edition(entry, store, name, text, err);
        char **const texts[ENTRY_WORDS] = {
            [ENTRY_AUTHOR] = &entry->author,
            [ENTRY_OPERATOR] = &entry->operator,
            [ENTRY_ORIGINS] = & entry->origins,
            [ENTRY_SAID_AUTHOR] = &entry->said_author,
        };

        for (int word = 0; word < ENTRY_WORDS && status == BG_OK; word++) {
            status = read_entry_word(texts[word], store, (enum entry_word)word, name, text, err);
        }
    }
    return status;
}

static enum bg_status read_source(struct sheet_source *source, struct store *store, char *text,
                                  bool *has_form, struct bg_error *err)
{
    enum bg_status status = store_all_acts(store, take_act, source, err);

    if (status == BG_OK) {
        status = read_plan(source, store, text, err);
    }
    *has_form = source->plan.stages > 0 || source->acts > 0;
    if (status == BG_OK && *has_form) {
        status = season_load(&source->season, store, err);
    }
    if (status == BG_OK && *has_form) {
        status = read_entries(source, store, text, err);
    }
    if (status == BG_OK && *has_form) {
        status = signatures_told(&source->signed_by, store, false, err);
    }
    if (status == BG_OK && *has_form) {
        status = signatures_told(&source->lapsed, store, true, err);
    }
    return status;
}

enum bg_status sheet_source_read(struct sheet_source **out, struct store *store,
                                 struct bg_error *err)
{
    struct sheet_source *source = memory_zeroed(1, sizeof *source);
    char *text = memory_zeroed(SETTING_ROOM, 1);
    bool has_form = false, held;
    enum bg_status status = store->ops->snapshot(store, true, err);

    *out = NULL;
    held = status == BG_OK;
    if (status == BG_OK) {
        status = read_source(source, store, text, &has_form, err);
    }
    if (status == BG_OK && has_form) {
        *out = source;
        source = NULL;
    }
    if (held) {
        /* The snapshot ends whatever has failed in it; the first failure keeps its message. */
        enum bg_status ended = store->ops->snapshot(store, false, status == BG_OK ? err : NULL);

        status = status == BG_OK ? ended : status;
    }
    sheet_source_destroy(source);
    free(text);
    return status;
}

enum bg_status sheet_build(struct doc *doc, const struct sheet_source *source,
                           const struct sheet_part *const *parts, int count, struct bg_error *err)
{
    struct sheet sheet = {.doc = doc,
                          .season = source->season,
                          .plan = &source->plan,
                          .act = source->act,
                          .signed_by = source->signed_by,
                          .lapsed = source->lapsed,
                          .acts = source->acts,
                          .entry = source->entry,
                          .status = BG_OK,
                          .err = err};

    for (int i = 0; i < (parts == NULL ? SHEET_PARTS : count) && sheet.status == BG_OK; i++) {
        (parts == NULL ? &sheet_parts[i] : parts[i])->build(&sheet);
    }
    return sheet.status;
}

/* Finds who is first in the standing of the form; *level: how many are. -1: nobody is yet. From
 * the end, so that of entrants who share the first place the first seed is returned. */
static int find_first(int *level, const struct season *season, struct bg_error *err)
{
    int count = season_entrants(season), first = -1;
    int *place = memory_zeroed((size_t)count, sizeof *place);

    *level = 0;
    if (season_plan(season)->stages == 0 || season_places(place, season, err) != BG_OK) {
        count = 0;
    }
    for (int i = count; i-- > 0;) {
        if (place[i] == 1) {
            first = i;
            ++*level;
        }
    }
    free(place);
    return first;
}

/* The meeting that decided an elimination: the last one that the champion won, the one for the
 * third place apart. NULL: another form, or none. */
static const struct season_meeting *deciding(const struct season *season, int champion)
{
    const struct plan *plan = season_plan(season);
    enum plan_form form = plan->stage[plan->stages - 1].form;

    for (size_t i = season_meetings(season);
         i-- > 0 && (form == PLAN_KNOCKOUT || form == PLAN_DOUBLE);) {
        const struct season_meeting *seen = season_meeting(season, i);

        if (seen->stage == plan->stages - 1 && seen->winner == champion &&
            seen->meeting.part != PART_THIRD && seen->end != SEASON_BYE) {
            return seen;
        }
    }
    return NULL;
}

/* How the form made it the first: " won the final against bob 3-1". */
static const char *how_won(struct doc *doc, const struct season *season, int champion)
{
    const struct season_meeting *final = deciding(season, champion);
    const struct plan *plan = season_plan(season);
    bool is_a = final != NULL && final->meeting.a == champion;
    int64_t won, lost;

    if (final == NULL) {
        return doc_format(doc, ", first of the %s",
                          plan_form_name(plan->stage[plan->stages - 1].form));
    }
    won = is_a ? final->points_a : final->points_b;
    lost = is_a ? final->points_b : final->points_a;
    return doc_format(
        doc, ", winner of the final against %s%s",
        doc_alias(doc, season_entrant(season, is_a ? final->meeting.b : final->meeting.a)->name),
        final->end == SEASON_ADJUDICATED ? " by decision of the desk"
        : final->end == SEASON_WALKOVER  ? " by walkover"
        : final->by_seed                 ? " by seed, after level games"
        : won + lost > 1                 ? doc_format(doc, ", %" PRId64 "\u2013%" PRId64, won, lost)
                                         : "");
}

const char *sheet_champion(struct doc *doc, const struct season *season, bool final)
{
    int level = 0, first = find_first(&level, season, NULL);
    bool over = final && season_is_over(season),
         closed = season_is_closed(season) && !season_is_over(season);
    bool cancelled = strcmp(season_held(season), "cancelled") == 0;
    const char *name, *how;

    for (size_t i = 0; i < season_meetings(season); i++) {
        if (season_meeting(season, i)->end != SEASON_OPEN && first >= 0) {
            name = level > 1 ? doc_format(doc, "%d are level", level)
                             : doc_alias(doc, season_entrant(season, first)->name);
            how = cancelled   ? "First when the event was cancelled"
                  : closed    ? "First when the desk closed the event"
                  : !over     ? "In the lead"
                  : level > 1 ? "No single champion"
                              : "Champion";
            return doc_format(doc, "%s: %s%s.", how, name,
                              over && level == 1 && !cancelled ? how_won(doc, season, first) : "");
        }
    }
    return "";
}

const char *sheet_lead(struct doc *doc, const struct season *season)
{
    size_t meetings = season_meetings(season), ended = 0;
    const char *champion = sheet_champion(doc, season, true);

    for (size_t i = 0; i < meetings; i++) {
        ended += season_meeting(season, i)->end != SEASON_OPEN;
    }
    doc->lead_strong = strlen(champion);
    return doc_format(doc, "%s%s%d entrants, %zu of %zu %s over.", champion,
                      champion[0] == '\0' ? "" : " ", season_entrants(season), ended, meetings,
                      meetings == 1 ? "meeting" : "meetings");
}

/* ------------------------------------------------------------- what an event is called */

enum bg_status sheet_about(struct doc *doc, struct store *store, const char *date,
                           struct bg_error *err)
{
    static const char *const before[ABOUT_WORDS] = {
        [ABOUT_ORGANISER] = "Organiser: ", [ABOUT_DIRECTOR] = "Director: "};
    struct doc_table *facts = doc_facts(doc, "about", "What the event is called");
    struct about about;
    enum bg_status status = about_read(&about, store, err);

    facts->data = true; /* printed in the head of the page */
    for (int word = 0; word < ABOUT_WORDS && status == BG_OK; word++) {
        const char *text = about.text[word];

        if (text[0] != '\0') {
            doc_fact(facts, about_name((enum about_word)word), "", "%s", text);
        }
        text = word == ABOUT_DATE && text[0] == '\0' ? date : text;
        if (word == ABOUT_TITLE) {
            doc->title = text[0] == '\0' ? doc->title : doc_copy(doc, text);
        } else if (text[0] != '\0') {
            doc->about =
                doc_format(doc, "%s%s%s%s", doc->about, doc->about[0] == '\0' ? "" : " \u00b7 ",
                           before[word] == NULL ? "" : before[word], text);
        }
    }
    return status;
}

const struct season *sheet_season(const struct sheet_source *source)
{
    return source->season;
}

enum bg_status sheet_open(struct doc **out, const char *path, const struct sheet_part *const *parts,
                          int count, struct bg_error *err)
{
    struct store *store = NULL;
    struct sheet_source *source = NULL;
    struct doc *doc = NULL;
    enum bg_status status = event_store_open(&store, path, err);

    if (status == BG_OK) {
        status = sheet_source_read(&source, store, err);
    }
    if (status == BG_OK && source == NULL) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: a round robin without rounds and without a journal has no "
                              "sheet; 'bgref show %s' has its results",
                              path, path);
    }
    if (status == BG_OK) {
        doc = doc_create(source->name[0] == '\0' ? path : source->name);
        status = sheet_build(doc, source, parts, count, err);
    }
    if (status == BG_OK) {
        doc->lead = sheet_lead(doc, source->season);
        status = sheet_about(doc, store, "", err);
    }
    if (status == BG_OK) {
        *out = doc;
        doc = NULL;
    }
    doc_destroy(doc);
    sheet_source_destroy(source);
    store_destroy(store);
    return status;
}
