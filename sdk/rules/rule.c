#include <bgref/rule.h>

#include <assert.h>

static const struct {
    const char *number, *text;
} rules[BG_RULE_COUNT] = {
    [BG_RULE_NONE] = {"-", "legal"},
    [BG_RULE_SLOT] = {"N1", "a slot, number or seat that does not exist"},
    [BG_RULE_DISTANCE] = {"G1", "no number of the roll moves that far"},
    [BG_RULE_NO_CHECKER] = {"G1", "there is no checker to move on that slot"},
    [BG_RULE_BLOCKED] = {"G2", "the point is closed"},
    [BG_RULE_BAR_FIRST] = {"G3", "a checker on the bar must enter first"},
    [BG_RULE_BEAR_EARLY] = {"G4", "bearing off before all checkers are home"},
    [BG_RULE_BEAR_HIGHER] = {"G4", "a larger number bears off from the highest point only"},
    [BG_RULE_NUMBER_USED] = {"G5", "a number of the roll is used too often"},
    [BG_RULE_MOST] = {"G6.1", "more numbers can be played"},
    [BG_RULE_HIGHER] = {"G6.2", "the higher number must be played"},
    [BG_RULE_RESULT] = {"G6", "the position is not a legal result of this roll"},
    [BG_RULE_AMBIGUOUS] = {"N2", "legal readings of a merged move end differently"},
    [BG_RULE_TURN] = {"G7", "not this seat's decision, or not this kind of step now"},
    [BG_RULE_DICE] = {"G8", "dice that cannot be rolled here"},
    [BG_RULE_DOUBLE_OFF] = {"C1", "there is no cube in this game"},
    [BG_RULE_DOUBLE_OWNER] = {"C2", "the cube belongs to the foe"},
    [BG_RULE_DOUBLE_FIRST] = {"C3", "nobody doubles on the first turn after an opening roll"},
    [BG_RULE_DOUBLE_DEAD] = {"C4", "the cube is dead: the score needs no more points"},
    [BG_RULE_DOUBLE_LIMIT] = {"C5", "the cube is at its technical limit"},
    [BG_RULE_DOUBLE_HOLLAND] = {"C6", "Holland rule: each side takes two turns before a double"},
    [BG_RULE_BEAVER] = {"C7", "beavers or further raises are not in use here"},
    [BG_RULE_RESIGN_LEVEL] = {"R1", "a resignation level that does not exist here"},
    [BG_RULE_RESIGN_ORDER] = {"R2",
                              "a further resignation offer must rise, at most three in a turn, "
                              "not against a double"},
    [BG_RULE_OVER] = {"M1", "the match is over"},
};

const char *bg_rule_number(enum bg_rule rule)
{
    assert((int)rule >= 0 && rule < BG_RULE_COUNT);
    return rules[rule].number;
}

const char *bg_rule_text(enum bg_rule rule)
{
    assert((int)rule >= 0 && rule < BG_RULE_COUNT);
    return rules[rule].text;
}
