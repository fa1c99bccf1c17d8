/* match_rules.c - the rules in force for a match, and the names of what happens in it. */
#include <bgref/match.h>

#include <string.h>

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
