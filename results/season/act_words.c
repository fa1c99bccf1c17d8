/* What kinds of act there are, who may ask for them and what their subjects look like, as one
 * table: the command line, the desk of a running event and the reader of a journal check by the
 * same rows. Names are stored in journals, so a row is never renamed. */
#include "act_words.h"

#include <stdio.h>
#include <string.h>

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
