/* match_rules.c - the rules in force for a match, the games that follow each other within one, the
 * names of what happens in it, and the answers that may be given. */
#include <bgref/match.h>

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include <bgref/ask.h>
#include <bgref/variant.h>

enum { LENGTH_MAX = 10000 };

/* ---- names ---- */

const char *bg_step_name(enum bg_step_kind kind)
{
    static const char *const names[BG_STEP_COUNT] = {
        "open",   "roll",   "double", "take",   "pass", "raise", "play", "resign",
        "accept", "refuse", "keep",   "reroll", "name", "fault", "next",
    };

    return (unsigned)kind < BG_STEP_COUNT ? names[kind] : "unknown";
}

const char *bg_need_name(enum bg_need_kind kind)
{
    static const char *const names[BG_NEED_COUNT] = {
        "nothing", "opening", "roll", "double",      "take", "raise",
        "play",    "keep",    "name", "resignation", "game",
    };

    return (unsigned)kind < BG_NEED_COUNT ? names[kind] : "unknown";
}

const char *bg_part_name(enum bg_part part)
{
    static const char *const names[BG_PART_COUNT] = {
        "roll", "next", "choice", "complement", "carry",
    };

    return (unsigned)part < BG_PART_COUNT ? names[part] : "unknown";
}

const char *bg_end_name(enum bg_end end)
{
    static const char *const names[BG_END_COUNT] = {
        "none", "off", "pass", "resign", "fault", "dead", "cap", "special",
    };

    return (unsigned)end < BG_END_COUNT ? names[end] : "unknown";
}

/* ---- rules in force ---- */

struct bg_rules bg_rules_default(const struct bg_variant *variant, int length_points)
{
    struct bg_rules rules;

    memset(&rules, 0, sizeof rules); /* clears padding too: matches may be compared byte for byte */
    rules.variant = variant;
    rules.length_points = length_points;
    rules.opening = bg_variant_opening(variant);
    rules.cube = bg_variant_has_cube(variant);
    rules.jacoby = length_points == 0 && rules.cube;
    rules.crawford = length_points > 0;
    rules.turn_cap = BG_TURN_CAP;
    rules.next = bg_variant_next(variant);
    return rules;
}

/* Options that exist only in money play (rules 5.2). */
static enum bg_status check_money_options(const struct bg_rules *rules, struct bg_error *err)
{
    bool money = rules->length_points == 0;

    if (rules->jacoby && !money) {
        return bg_error_set(err, BG_E_ARGUMENT, "jacoby: only in money play, not in a match");
    }
    if (rules->beavers && !(money && rules->cube)) {
        return bg_error_set(err, BG_E_ARGUMENT, "beavers: only in money play with the cube");
    }
    if (rules->raises < -1 || rules->raises > BG_CUBE_LOG2_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "raises %d: expected 0 to %d, or -1 for unlimited",
                            rules->raises, BG_CUBE_LOG2_MAX);
    }
    if (rules->raises != 0 && !rules->beavers) {
        return bg_error_set(err, BG_E_ARGUMENT, "raises: need beavers");
    }
    if (rules->auto_doubles < 0 || rules->auto_doubles > BG_CUBE_LOG2_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "auto_doubles %d: expected 0 to %d",
                            rules->auto_doubles, BG_CUBE_LOG2_MAX);
    }
    if (rules->auto_doubles > 0 && !(money && rules->cube)) {
        return bg_error_set(err, BG_E_ARGUMENT, "auto_doubles: only in money play with the cube");
    }
    return BG_OK;
}

/* Rules 7: a rotation is a match without a cube. */
static enum bg_status check_rotation(const struct bg_rules *rules, struct bg_error *err)
{
    if (rules->rotation != NULL && rules->length_points == 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "length: %s is a rotation: a match to some points, not money play",
                            bg_rotation_id(rules->rotation));
    }
    if (rules->rotation != NULL && rules->cube) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "cube: %s is a rotation, which is played without cube",
                            bg_rotation_id(rules->rotation));
    }
    return BG_OK;
}

/* A set bit is an option from later headers. */
static enum bg_status check_reserved(const struct bg_rules *rules, struct bg_error *err)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < sizeof rules->reserved / sizeof rules->reserved[0]; i++) {
        bits |= rules->reserved[i];
    }
    return bits == 0 ? BG_OK
                     : bg_error_set(err, BG_E_ARGUMENT,
                                    "rules: with an option that bgref %s does not know, or not "
                                    "begun with bg_rules_default",
                                    BG_VERSION);
}

enum bg_status bg_rules_check(const struct bg_rules *rules, struct bg_error *err)
{
    enum bg_status status = check_reserved(rules, err);

    if (status == BG_OK) {
        status = check_rotation(rules, err);
    }
    if (status != BG_OK) {
        return status;
    }
    if (rules->variant == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "variant: none given");
    }
    if (rules->length_points < 0 || rules->length_points > LENGTH_MAX) {
        return bg_error_set(err, BG_E_ARGUMENT, "length %d: expected 1 to %d, or 0 for money",
                            rules->length_points, LENGTH_MAX);
    }
    if ((unsigned)rules->opening >= BG_OPENING_COUNT) {
        return bg_error_set(err, BG_E_ARGUMENT, "opening %d: no such mode", (int)rules->opening);
    }
    if ((unsigned)rules->next >= BG_NEXT_COUNT) {
        return bg_error_set(err, BG_E_ARGUMENT, "next %d: no such rule", (int)rules->next);
    }
    if (rules->crawford && rules->length_points == 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "crawford: only in a match, not in money play");
    }
    if (rules->holland && !rules->crawford) {
        return bg_error_set(err, BG_E_ARGUMENT, "holland: needs crawford");
    }
    if (rules->turn_cap < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "turn_cap %d: expected 0 (none) or more",
                            rules->turn_cap);
    }
    if (rules->cube_limit < 0 || (rules->cube_limit & (rules->cube_limit - 1)) != 0 ||
        rules->cube_limit == 1) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "cube_limit %d: expected a power of 2 (64, 1024), or 0 for none",
                            rules->cube_limit);
    }
    if (rules->cube_limit > 0 && INT64_C(1) << rules->auto_doubles > rules->cube_limit) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "cube_limit %d: %d automatic doubles would go beyond it",
                            rules->cube_limit, rules->auto_doubles);
    }
    return check_money_options(rules, err);
}

/* Rotations: games that follow each other within a match. A rotation has no options; tavli=5 has a
 * row like any other. */

enum { ROTATION_GAMES = 5 };

struct bg_rotation {
    const char *id;
    int count;
    const char *game[ROTATION_GAMES];
};

static const struct bg_rotation rotations[] = {
    {"tavli", 3, {"portes", "plakoto", "fevga"}},
    {"tavli:tavli=5", 5, {"portes", "plakoto", "fevga", "gul", "asodio"}},
    {"turkish", 3, {"portes", "gulbara", "tapa"}}, /* its backgammon has the rules of portes */
};

enum { ROTATIONS = sizeof rotations / sizeof rotations[0] };

const struct bg_rotation *bg_rotation_at(int i)
{
    return i >= 0 && i < ROTATIONS ? &rotations[i] : NULL;
}

const struct bg_rotation *bg_rotation_find(const char *id)
{
    for (int i = 0; i < ROTATIONS; i++) {
        if (strcmp(rotations[i].id, id) == 0) {
            return &rotations[i];
        }
    }
    return NULL;
}

const char *bg_rotation_id(const struct bg_rotation *rotation)
{
    return rotation->id;
}

int bg_rotation_count(const struct bg_rotation *rotation)
{
    return rotation->count;
}

const struct bg_variant *bg_rotation_game(const struct bg_rotation *rotation, int game)
{
    assert(game >= 0);
    return bg_variant_find(rotation->game[game % rotation->count]);
}

/* One table, because three readers must agree: the client refuses an answer that does not fit
 * before it is sent, the referee judges what came, and both tell the author which answers there
 * are. */

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
