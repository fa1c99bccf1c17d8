#include "act_words.h"

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
    [ACT_NOTE] = {"note", true, false, true, "-", "a remark; the reason is its text"},
    [ACT_CLOSE] = {"close", true, false, false, "-", "ends the event, or a stage without end"},
    [ACT_SIGN] = {"sign", true, false, false, "signer=FINGERPRINT", "a closed event was signed"},
};

enum act_kind act_kind_read(const char *name)
{
    int kind = 0;

    while (kind < ACT_KINDS && strcmp(act_rules[kind].name, name) != 0) {
        kind++;
    }
    return (enum act_kind)kind;
}

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
