/* One table, because three readers must agree: the client refuses an answer that does not fit
 * before it is sent, the referee judges what came, and both tell the author which answers there
 * are. */
#include <bgref/ask.h>

#include <stddef.h>

enum {
    PLAYS = 1 << BG_ANSWER_INDEX | 1 << BG_ANSWER_MOVES | 1 << BG_ANSWER_RESULT,
    CUBE = 1 << BG_ANSWER_TAKE | 1 << BG_ANSWER_PASS | 1 << BG_ANSWER_RAISE,
    RESIGN = 1 << BG_ANSWER_RESIGN
};

/* The only table of the answers that fit each decision. */
static const struct {
    const char *name, *answers;
    int fitting; /* a bit for each enum bg_answer_kind */
} decisions[BG_DECIDE_COUNT] = {
    [BG_DECIDE_NONE] = {"NONE", "nothing", 0},
    [BG_DECIDE_DOUBLE] = {"DOUBLE", "action ROLL or DOUBLE, or resign",
                          1 << BG_ANSWER_ROLL | 1 << BG_ANSWER_DOUBLE | RESIGN},
    [BG_DECIDE_TAKE] = {"TAKE", "action TAKE, PASS or RAISE, or resign", CUBE | RESIGN},
    [BG_DECIDE_RAISE] = {"RAISE", "action TAKE, PASS or RAISE, or resign", CUBE | RESIGN},
    [BG_DECIDE_PLAY] = {"PLAY", "index, moves or result, or resign", PLAYS | RESIGN},
    [BG_DECIDE_KEEP] = {"KEEP", "action KEEP or REROLL, or resign",
                        1 << BG_ANSWER_KEEP | 1 << BG_ANSWER_REROLL | RESIGN},
    [BG_DECIDE_NAME] = {"NAME", "name, or resign", 1 << BG_ANSWER_NAME | RESIGN},
    /* An offer of one's own in reply to the opponent's offer has the form of an answer; rule R2
     * refuses it. */
    [BG_DECIDE_RESIGNATION] = {"RESIGNATION", "action ACCEPT or REFUSE",
                               1 << BG_ANSWER_ACCEPT | 1 << BG_ANSWER_REFUSE | RESIGN},
    [BG_DECIDE_DICE] = {"DICE", "dice", 1 << BG_ANSWER_DICE},
};

static size_t nth(enum bg_decision decision)
{
    /* A number from the wire, or of a program with newer headers, may be beyond the table. */
    return (unsigned)decision < BG_DECIDE_COUNT ? (size_t)decision : BG_DECIDE_NONE;
}

bool bg_answer_fits(enum bg_decision decision, enum bg_answer_kind answer)
{
    return (unsigned)answer < BG_ANSWER_COUNT && (decisions[nth(decision)].fitting >> answer & 1);
}

const char *bg_decision_answers(enum bg_decision decision)
{
    return decisions[nth(decision)].answers;
}

const char *bg_decision_name(enum bg_decision decision)
{
    return decisions[nth(decision)].name;
}

const char *bg_answer_name(enum bg_answer_kind answer)
{
    static const char *const names[BG_ANSWER_COUNT] = {
        "nothing", "roll",   "double", "take",   "pass",  "raise", "keep",   "reroll",
        "accept",  "refuse", "name",   "resign", "index", "moves", "result", "dice",
    };

    return names[(unsigned)answer < BG_ANSWER_COUNT ? answer : BG_ANSWER_NONE];
}
