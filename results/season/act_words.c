/* What kinds of act there are, who may ask for them and what their subjects look like, as one
 * table: the command line, the desk of a running event and the reader of a journal check by the
 * same rows. Names are stored in journals, so a row is never renamed. */
#include "act_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/closest.h"
#include "base/memory.h"
#include "record/game_id.h"
#include "season_state.h"

const struct act_rule act_rules[ACT_KINDS] = {
    [ACT_ENTER] = {"enter", true, false, false, "bot=NAME",
                   "adds an entrant, as the last seed, before the first round"},
    [ACT_LATE_ENTER] = {"late-enter", true, false, false, "bot=NAME",
                        "adds an entrant after the first round"},
    [ACT_WITHDRAW] = {"withdraw", true, false, true, "bot=NAME",
                      "takes an entrant out; its results so far count"},
    [ACT_REINSTATE] = {"reinstate", true, true, true, "bot=NAME",
                       "puts an absent or withdrawn entrant back; it is paired again"},
    [ACT_ACCEPT] = {"accept", true, false, true, "bot=NAME [key=KEY]",
                    "takes the program that an entrant has changed; it plays on under its name"},
    [ACT_ABSENT] = {"absent", true, true, false, "bot=NAME",
                    "notes that an entrant cannot play now; its opponent gets a walkover"},
    [ACT_WALKOVER] = {"walkover", true, true, true, "meeting=N bot=WINNER",
                      "ends an open meeting without games; bot=- : nobody wins"},
    [ACT_VOID] = {"void", true, true, true, "meeting=N | pair=A|B|PAIR | game=A|B|PAIR|LEG|GAME",
                  "takes games out of tally and ratings; they stay in the database"},
    [ACT_ADJUDICATE] = {"adjudicate", true, false, true, "meeting=N score=1|0.5|0",
                        "decides the result of a meeting: the score of the bot named first"},
    [ACT_REPLAY] = {"replay", true, false, true, "meeting=N | pair=A|B|PAIR",
                    "voids games and has them played again, with new dice"},
    [ACT_ROUND] = {"round", false, true, false, "stage=S round=R", "begins a round"},
    [ACT_FIXTURE] = {"fixture", false, true, false,
                     "meeting=N stage=S group=G part=P round=R line=L a=NAME b=NAME "
                     "pairs=FROM+COUNT",
                     "pairs two entrants and allots their pair numbers"},
    [ACT_BYE] = {"bye", false, true, false,
                 "meeting=N stage=S group=G part=P round=R line=L bot=NAME",
                 "an entrant without an opponent in this round"},
    [ACT_RESULT] = {"result", false, true, false, "meeting=N score=X points=A:B",
                    "the result of a meeting, from its games"},
    [ACT_CONDITION] = {"condition", true, false, true, "between=A,B WORD=VALUE ...",
                       "sets terms for the next meetings of two entrants"},
    [ACT_NOTE] = {"note", true, false, true, "[state=paused|cancelled|running]",
                  "a remark; the reason is its text, the state is what readers are told"},
    [ACT_CLOSE] = {"close", true, false, false, "-", "ends the event, or a stage without end"},
    [ACT_SIGN] = {"sign", true, false, false, "signer=FINGERPRINT", "a closed event was signed"},
};

/* Returns words of its own and not of the act, so that they outlive it. */
const char *act_held(const struct act *act)
{
    static const char *const words[][2] = {
        {"state=paused", "paused"}, {"state=cancelled", "cancelled"}, {"state=running", ""}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(act->kind, act_rules[ACT_NOTE].name) == 0 &&
            strcmp(act->subject, words[i][0]) == 0) {
            return words[i][1];
        }
    }
    return NULL;
}

enum act_kind act_kind_read(const char *name)
{
    int kind = 0;

    while (kind < ACT_KINDS && strcmp(act_rules[kind].name, name) != 0) {
        kind++;
    }
    return (enum act_kind)kind;
}

/* Whole words only: "b=" must not be found inside "bob=". */
bool act_word(char *out, size_t room, const char *subject, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = subject; *at != '\0'; at += *at == ' ') {
        size_t size = strcspn(at, " ");

        if (size > length && strncmp(at, word, length) == 0 && at[length] == '=') {
            size -= length + 1;
            if (size >= room) {
                return false;
            }
            memcpy(out, at + length + 1, size);
            out[size] = '\0';
            return true;
        }
        at += size;
    }
    return false;
}

/* Whether the text of a rule, "meeting=N | pair=A|B|PAIR", has a word with this key. */
static bool has_key(const char *rule, const char *key, size_t length)
{
    for (const char *at = rule; *at != '\0'; at += strcspn(at, " ")) {
        at += strspn(at, " [");
        if (strncmp(at, key, length) == 0 && at[length] == '=') {
            return true;
        }
    }
    return false;
}

bool act_subject_fits(char *word, size_t room, enum act_kind kind, const char *subject)
{
    const char *rule = act_rules[kind].subject;
    bool is_one = strstr(rule, " | ") != NULL, is_free = strstr(rule, "...") != NULL;

    for (const char *at = subject; *at != '\0'; at += *at == ' ') {
        size_t size = strcspn(at, " "), length = strcspn(at, "=");
        bool is_first = true;

        snprintf(word, room, "%.*s", (int)size, at);
        for (const char *old = subject; old < at; old += strcspn(old, " ") + 1) {
            is_first = is_first && !is_one && (strncmp(old, at, length) != 0 || old[length] != '=');
        }
        if (strcmp(subject, rule) != 0 && (rule[0] != '[' || strcmp(subject, "-") != 0) &&
            (length >= size || !is_first || (!is_free && !has_key(rule, at, length)))) {
            return false;
        }
        at += size;
    }
    return true;
}

/* ------------------------------------------------------------------ as values of a season
 * Words are read strictly (no sign, no leading zero), because the text is hashed into the journal:
 * one act must have one spelling. */

static bool read_count(uint64_t *out, const char *text)
{
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > 18 || text[digits] != '\0' || (text[0] == '0' && digits > 1)) {
        return false;
    }
    *out = strtoull(text, NULL, 10);
    return true;
}

struct match_up *meeting_of(const struct season *season, const struct act *act)
{
    uint64_t number;
    char text[24];

    if (!act_word(text, sizeof text, act->subject, "meeting") || !read_count(&number, text) ||
        number < 1 || number > season->meetings) {
        return NULL;
    }
    return &season->match_up[number - 1];
}

enum bg_status read_meeting(struct match_up **out, const struct season *season,
                            const struct act *act, struct bg_error *err)
{
    char text[24] = "";

    *out = meeting_of(season, act);
    if (*out != NULL) {
        return BG_OK;
    }
    if (!act_word(text, sizeof text, act->subject, "meeting")) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s needs '%s'", act->kind,
                            act_rules[act_kind_read(act->kind)].subject);
    }
    if (season->meetings == 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "meeting %s: no meeting is paired yet", text);
    }
    return bg_error_set(err, BG_E_ARGUMENT, "meeting %s: there are meetings 1 to %zu", text,
                        season->meetings);
}

/* Unknown words are refused, not skipped: a row that an older version half understood would be
 * carried out differently by a newer one. */
enum bg_status only_words(const struct act *act, const char *words, struct bg_error *err)
{
    for (const char *at = act->subject; *at != '\0'; at += *at == ' ') {
        size_t size = strcspn(at, " "), name = strcspn(at, "= ");
        bool is_known = false;

        for (const char *word = words; *word != '\0'; word += *word == ' ') {
            size_t length = strcspn(word, " ");

            is_known = is_known || (length == name && strncmp(word, at, name) == 0);
            word += length;
        }
        if (!is_known || at[name] != '=') {
            return bg_error_set(err, BG_E_ARGUMENT, "%s: unknown word '%.*s'; it takes '%s'",
                                act->kind, (int)(size < 60 ? size : 60), at,
                                act_rules[act_kind_read(act->kind)].subject);
        }
        at += size;
    }
    return BG_OK;
}

static enum bg_status read_bot(char out[PLAN_NAME], const struct act *act, struct bg_error *err)
{
    if (act_word(out, PLAN_NAME, act->subject, "bot")) {
        return only_words(act, act_kind_read(act->kind) == ACT_ACCEPT ? "bot key" : "bot", err);
    }
    return bg_error_set(err, BG_E_ARGUMENT, "%s needs '%s', a name of at most %d letters",
                        act->kind, act_rules[act_kind_read(act->kind)].subject, PLAN_NAME - 1);
}

static enum bg_status unknown_entrant(const struct season *season, const char *name,
                                      struct bg_error *err)
{
    const char **names = memory_zeroed((size_t)season->entrants, sizeof *names);
    const char *near;
    enum bg_status status;

    for (int i = 0; i < season->entrants; i++) {
        names[i] = season->entry[i].seen.name;
    }
    near = closest_name(name, names, season->entrants);
    status =
        near == NULL
            ? bg_error_set(err, BG_E_ARGUMENT, "'%s' is not an entrant of this event", name)
            : bg_error_set(err, BG_E_ARGUMENT,
                           "'%s' is not an entrant of this event; did you mean '%s'?", name, near);
    free(names);
    return status;
}

enum bg_status read_entrant(int *out, const struct season *season, const struct act *act,
                            struct bg_error *err)
{
    char name[PLAN_NAME];
    enum bg_status status = read_bot(name, act, err);

    if (status != BG_OK) {
        return status;
    }
    *out = season_find(season, name);
    return *out >= 0 ? BG_OK : unknown_entrant(season, name, err);
}

enum bg_status read_new_name(char out[PLAN_NAME], const struct season *season,
                             const struct act *act, struct bg_error *err)
{
    enum bg_status status = read_bot(out, act, err);
    size_t size;

    if (status != BG_OK) {
        return status;
    }
    size = strspn(out, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-");
    if (size == 0 || out[size] != '\0' || strcmp(out, "-") == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%s' is not a name: 1 to 64 of the letters a-z A-Z, digits, . _ + -",
                            out);
    }
    if (season_find(season, out) >= 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%s' is already an entrant; reinstate brings back one that was absent "
                            "or withdrawn",
                            out);
    }
    return BG_OK;
}

enum bg_status read_pair(uint32_t names[2], uint64_t *pair, const struct season *season,
                         const struct act *act, struct bg_error *err)
{
    char text[BG_GAME_ID];
    struct game_id id;
    bool is_pair = act_word(text, sizeof text, act->subject, "pair");
    bool is_read =
        is_pair ? game_id_read_pair(&id, text)
                : act_word(text, sizeof text, act->subject, "game") && game_id_read(&id, text);
    int64_t a, b;

    if (!is_read) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s needs '%s'; names in the order of their bytes",
                            act->kind, act_rules[act_kind_read(act->kind)].subject);
    }
    for (int i = 0; i < 2; i++) {
        if (season_find(season, i == 0 ? id.a : id.b) < 0) {
            return unknown_entrant(season, i == 0 ? id.a : id.b, err);
        }
    }
    a = name_find(season, id.a);
    b = name_find(season, id.b);
    names[0] = (uint32_t)a;
    names[1] = (uint32_t)b;
    *pair = id.pair;
    return BG_OK;
}

/* FROM is what was compared before, or the next unused one all the same. */
uint64_t read_units(const struct act *act)
{
    char text[48];
    uint64_t count = 0;

    if (act_word(text, sizeof text, act->subject, "pairs")) {
        sscanf(text, "%*u+%" SCNu64, &count);
    }
    return count <= UNITS_MOST ? count : 0;
}

/* Reads the number of a word, from 1; -1: missing. */
static int word_number(const struct act *act, const char *word)
{
    uint64_t number;
    char text[24];

    return act_word(text, sizeof text, act->subject, word) && read_count(&number, text) &&
                   number <= INT32_MAX
               ? (int)number
               : -1;
}

enum bg_status read_challenge(struct pending *out, const struct season *season,
                              const struct act *act, struct bg_error *err)
{
    const struct stage *stage = &season->stage[season->present];
    char a[PLAN_NAME], b[PLAN_NAME];
    int group = word_number(act, "group") - 1, one, two;

    if (word_number(act, "stage") != season->present + 1 || !stage->is_begun || group < 0 ||
        group >= stage->groups || !act_word(a, sizeof a, act->subject, "a") ||
        !act_word(b, sizeof b, act->subject, "b")) {
        goto wrong;
    }
    one = season_find(season, a);
    two = season_find(season, b);
    if (one < 0 || two < 0 || one == two || season->entry[one].group[season->present] != group ||
        season->entry[two].group[season->present] != group) {
        goto wrong;
    }
    *out = (struct pending){.group = group,
                            .meeting = {.a = season->entry[one].local[season->present],
                                        .b = season->entry[two].local[season->present]}};
    return BG_OK;
wrong:
    return bg_error_set(err, BG_E_MISMATCH, "row %" PRIu64 ": '%.200s' does not follow",
                        act->number, act->subject);
}
