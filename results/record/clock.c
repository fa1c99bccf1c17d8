/* Arithmetic only: the time that has passed is an argument. So a referee, `bgref verify` and a
 * simulation charge the same, and a record shows whether a flag had fallen. */
#include "clock.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

static enum bg_status time_error(struct bg_error *err, const char *text, const char *why)
{
    return bg_error_set(err, BG_E_ARGUMENT, "'%.40s': %s", text, why);
}

enum { PART_MOVE, PART_BANK, PART_INC, PART_DELAY, PARTS };

static const char *const part_names[PARTS] = {"move", "bank", "inc", "delay"};

static int part_find(const char *name)
{
    for (int i = 0; i < PARTS; i++) {
        if (strcmp(name, part_names[i]) == 0) {
            return i;
        }
    }
    return strcmp(name, "reserve") == 0 ? PART_BANK : PARTS;
}

/* Reads one "name=time" of a control; given[] and ns[] collect the parts. */
static enum bg_status part_read(bool given[PARTS], int64_t ns[PARTS], bool *per_point, char *word,
                                struct bg_error *err)
{
    char *equals = strchr(word, '=');
    char *slash;
    int part;

    if (equals == NULL) {
        return time_error(err, word,
                          "not a clock; there are none, move=50ms, bank=60s,inc=100ms and "
                          "bank=2m/pt,delay=12s");
    }
    *equals = '\0';
    part = part_find(word);
    if (part == PARTS) {
        return time_error(err, word,
                          "unknown part of a clock; there are move, bank, inc and delay");
    }
    if (given[part]) {
        return time_error(err, word, "given twice");
    }
    slash = strchr(equals + 1, '/');
    if (slash != NULL && part == PART_BANK && strcmp(slash, "/pt") == 0) {
        *per_point = true;
        *slash = '\0';
    } else if (slash != NULL) {
        return time_error(err, equals + 1, "only a bank can be for each point, written bank=2m/pt");
    }
    given[part] = true;
    return duration_read(&ns[part], equals + 1, err);
}

/* Returns the kind that the parts make, or CLOCK_KIND_COUNT and sets the reason. */
static enum clock_kind kind_of(const bool given[PARTS], const int64_t ns[PARTS], const char **why)
{
    enum clock_kind kind = CLOCK_KIND_COUNT;

    if (given[PART_MOVE]) {
        if (given[PART_BANK] || given[PART_INC] || given[PART_DELAY]) {
            *why = "move excludes bank, inc and delay";
        } else if (ns[PART_MOVE] == 0) {
            *why = "move must be more than 0";
        } else {
            kind = CLOCK_MOVE;
        }
    } else if (!given[PART_BANK]) {
        *why = "a bank is missing, as in bank=60s,inc=100ms (bank=0s is allowed beside a delay)";
    } else if (given[PART_INC] && given[PART_DELAY]) {
        *why = "inc and delay exclude each other";
    } else if (given[PART_DELAY]) {
        kind = CLOCK_DELAY;
        if (ns[PART_BANK] == 0 && ns[PART_DELAY] == 0) {
            *why = "bank and delay are both 0";
            kind = CLOCK_KIND_COUNT;
        }
    } else if (ns[PART_BANK] == 0) {
        *why = "bank must be more than 0";
    } else {
        kind = CLOCK_INCREMENT;
    }
    return kind;
}

enum bg_status clock_control_read(struct clock_control *out, const char *text, struct bg_error *err)
{
    char copy[128];
    bool given[PARTS] = {false};
    int64_t ns[PARTS] = {0};
    bool per_point = false;
    const char *why = NULL;
    enum clock_kind kind;

    if (strcmp(text, "none") == 0 || strcmp(text, "inf") == 0) {
        *out = (struct clock_control){.kind = CLOCK_NONE};
        return BG_OK;
    }
    if (strlen(text) >= sizeof copy) {
        return time_error(err, text, "too long for a clock");
    }
    memcpy(copy, text, strlen(text) + 1);
    for (char *word = copy, *comma; word != NULL; word = comma) {
        enum bg_status status;

        comma = strchr(word, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        status = part_read(given, ns, &per_point, word, err);
        if (status != BG_OK) {
            return status;
        }
    }
    kind = kind_of(given, ns, &why);
    if (kind == CLOCK_KIND_COUNT) {
        return time_error(err, text, why);
    }
    *out = (struct clock_control){.kind = kind,
                                  .move_ns = ns[PART_MOVE],
                                  .bank_ns = ns[PART_BANK],
                                  .inc_ns = ns[PART_INC],
                                  .delay_ns = ns[PART_DELAY],
                                  .bank_per_point = per_point};
    return BG_OK;
}

void clock_control_write(char *out, size_t size, const struct clock_control *control)
{
    char first[32], second[32];
    const char *per_point = control->bank_per_point ? "/pt" : "";

    switch (control->kind) {
    case CLOCK_NONE:
        snprintf(out, size, "none");
        break;
    case CLOCK_MOVE:
        duration_write(first, sizeof first, control->move_ns);
        snprintf(out, size, "move=%s", first);
        break;
    case CLOCK_INCREMENT:
        duration_write(first, sizeof first, control->bank_ns);
        duration_write(second, sizeof second, control->inc_ns);
        snprintf(out, size, "bank=%s%s,inc=%s", first, per_point, second);
        break;
    case CLOCK_DELAY:
        duration_write(first, sizeof first, control->bank_ns);
        duration_write(second, sizeof second, control->delay_ns);
        snprintf(out, size, "bank=%s%s,delay=%s", first, per_point, second);
        break;
    case CLOCK_KIND_COUNT:
        assert(!"no kind of clock");
    }
}

bool clock_has_bank(const struct clock_control *control)
{
    return control->kind == CLOCK_INCREMENT || control->kind == CLOCK_DELAY;
}

void clock_begin(struct clock *clock, const struct clock_control *control, int length_points)
{
    int64_t points = control->bank_per_point && length_points > 1 ? length_points : 1;

    /* A bank of a week for each of 10,000 points still fits into 63 bits of nanoseconds. */
    assert(length_points <= 10000);
    *clock = (struct clock){.control = *control, .delay_left_ns = control->delay_ns};
    clock->left_ns = control->kind == CLOCK_MOVE ? control->move_ns : control->bank_ns * points;
}

void clock_resume(struct clock *clock, int64_t left_ns)
{
    assert(left_ns >= 0);
    /* A clock without a bank has nothing that goes on: each decision has all of it. */
    if (clock_has_bank(&clock->control)) {
        clock->left_ns = left_ns;
    }
}

void clock_turn(struct clock *clock)
{
    clock->delay_left_ns = clock->control.delay_ns;
}

int64_t clock_allowed(const struct clock *clock)
{
    return clock->control.kind == CLOCK_NONE ? -1 : clock->left_ns + clock->delay_left_ns;
}

bool clock_charge(struct clock *clock, int64_t spent_ns, int64_t margin_ns, bool end_of_turn)
{
    bool in_time = true;
    int64_t from_delay;

    /* The credit for the referee's own delay can be larger than the measured time. */
    if (spent_ns < 0) {
        spent_ns = 0;
    }
    if (clock->control.kind == CLOCK_NONE) {
        return true;
    }
    in_time = spent_ns - clock_allowed(clock) <= margin_ns; /* both sides >= 0: no overflow */
    if (clock->control.kind == CLOCK_MOVE) {
        return in_time;
    }
    from_delay = spent_ns < clock->delay_left_ns ? spent_ns : clock->delay_left_ns;
    clock->delay_left_ns -= from_delay;
    spent_ns -= from_delay;
    /* A margin may have allowed more than was left; a bank is never below 0. */
    clock->left_ns = spent_ns < clock->left_ns ? clock->left_ns - spent_ns : 0;
    if (end_of_turn) {
        /* An increment of a week a turn would overflow in a long match. */
        int64_t room = INT64_MAX / 2 - clock->left_ns;

        clock->left_ns += clock->control.inc_ns < room ? clock->control.inc_ns : room;
    }
    return in_time;
}
