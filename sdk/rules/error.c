/* An error is a value that the caller owns: no allocation, nothing to free, and it can be passed
 * on as the reason of another. The text is cleaned where it is made, since arguments are often
 * foreign (a path, a bot's name, a line of a file). */
#include <bgref/error.h>

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <bgref/rule.h>

#include "clean.h"

#define LACK "out of memory"

enum { RAW = 2048 }; /* before the text is cleaned and cut; an argument may be an error's text */

enum bg_status bg_error_set(struct bg_error *err, enum bg_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        char raw[RAW];
        size_t used = 0;

        err->status = status;
        va_start(arguments, format);
        /* Before it is cleaned: err->text may be one of the arguments. */
        vsnprintf(raw, sizeof raw, format, arguments);
        va_end(arguments);
        /* Callers pass only the purpose of the memory. */
        if (status == BG_E_MEMORY && strstr(raw, LACK) == NULL) {
            used =
                clean_write(err->text, sizeof err->text, LACK ": ", strlen(LACK ": "), CLEAN_LINE);
        }
        clean_write(err->text + used, sizeof err->text - used, raw, strlen(raw), CLEAN_LINE);
    }
    return status;
}

const char *bg_status_name(enum bg_status status)
{
    static const char *const names[BG_STATUS_COUNT] = {
        "ok",    "argument", "format", "config",  "memory", "system",  "link",
        "store", "busy",     "start",  "refused", "closed", "timeout", "mismatch",
    };

    assert(status >= 0 && status < BG_STATUS_COUNT);
    return names[status];
}

static const char *const fault_names[BG_FAULT_COUNT] = {
    "none",  "illegal", "ambiguous", "late",  "garbled", "oversized", "flood", "unread",
    "order", "crash",   "silent",    "start", "host",    "memory",    "gone",
};

const char *bg_fault_name(enum bg_fault fault)
{
    assert(fault >= 0 && fault < BG_FAULT_COUNT);
    return fault_names[fault];
}

enum bg_fault bg_fault_from_name(const char *name)
{
    for (int i = 1; i < BG_FAULT_COUNT; i++) {
        if (strcmp(name, fault_names[i]) == 0) {
            return (enum bg_fault)i;
        }
    }
    return BG_FAULT_NONE;
}

/* Numbers are those of docs/rules.md, so a message of a referee, a vector and the page name a
 * rule by one word. Texts say what is wrong with the step, not what would be right: that depends
 * on the position. */

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
    [BG_RULE_DOUBLE_OWNER] = {"C2", "the cube belongs to the opponent"},
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
    [BG_RULE_GAME_OVER] = {"G9", "the game has ended with an earlier move"},
    [BG_RULE_PINNED] = {"G2", "the checker is pinned"},
    [BG_RULE_BEAR_PINNED] = {"G4", "no bearing off while an own checker is pinned"},
    [BG_RULE_HEAD] = {"V4.1", "too many checkers leave the head"},
    [BG_RULE_SIX_BLOCK] = {"V4.2", "a block of six with no checker of the opponent ahead of it"},
    [BG_RULE_FIRST_CHECKER] = {"V8.1", "only the first checker moves before it has passed"},
    [BG_RULE_QUARTER] = {"V8.2", "all six points of a table that must not be filled"},
    [BG_RULE_PRIME] = {"V8.3", "a prime in front of the opponent's last checkers must be opened"},
    [BG_RULE_START_TABLE] = {"V9.2", "more than four points of the opponent's start table"},
    [BG_RULE_HIT_RUN] = {"V13.1", "a point at home where a checker was hit is left"},
    [BG_RULE_GATE] = {"V15.1", "checkers in hand enter with a double or 21 only"},
    [BG_RULE_BEAR_EXACT] = {"V15.3", "a number bears off from its own point only"},
    [BG_RULE_ENTER_ALL] = {"V16.1", "checkers in hand enter first"},
    [BG_RULE_POINT_FULL] = {"V17.1", "more than five checkers on a point"},
    [BG_RULE_HIT_RIGHT] = {"V21.1", "the right to hit is not yet earned"},
    [BG_RULE_STACKED] = {"V23.2", "numbers lower their own point's stack until none is left"},
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
