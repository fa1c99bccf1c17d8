/* Rolls are numbered by their higher die (11, 21, 22, 31 ...), throws of three likewise: lists
 * of values need no dice beside each number. What a bot says of a position is checked here
 * before it is sent, by the rules that the referee applies, so an author sees the mistake in the
 * own program. */
#include <bgref/evaluate.h>

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

/* Engines print chances with five or six digits. */
static const double slack = 1e-5;

/* ---------------------------------------------------------------- rolls */

struct bg_roll bg_roll_at(int i)
{
    int high = 1;

    assert(i >= 0 && i < BG_ROLLS);
    while (i >= high) {
        i -= high++;
    }
    return (struct bg_roll){{(uint8_t)high, (uint8_t)(i + 1), 0}};
}

int bg_roll_number(struct bg_roll roll)
{
    int high = roll.die[0] > roll.die[1] ? roll.die[0] : roll.die[1];
    int low = roll.die[0] > roll.die[1] ? roll.die[1] : roll.die[0];

    return low < 1 || high > 6 || roll.die[2] != 0 ? -1 : high * (high - 1) / 2 + low - 1;
}

int bg_roll_weight(int i)
{
    struct bg_roll roll = bg_roll_at(i);

    return roll.die[0] == roll.die[1] ? 1 : 2;
}

struct bg_roll bg_throw_at(int i)
{
    int high = 1;

    assert(i >= 0 && i < BG_THROWS);
    while (i >= high * (high + 1) / 2) { /* so many throws have this die as their highest */
        i -= high * (high + 1) / 2;
        high++;
    }
    return (struct bg_roll){{(uint8_t)high, bg_roll_at(i).die[0], bg_roll_at(i).die[1]}};
}

int bg_throw_number(struct bg_roll roll)
{
    int number = -1;

    for (int i = 0; i < BG_THROWS && number < 0; i++) {
        const struct bg_roll one = bg_throw_at(i);
        int found = 0;

        for (int k = 1; k <= 6; k++) { /* the same dice in any order */
            found += (roll.die[0] == k) + (roll.die[1] == k) + (roll.die[2] == k) ==
                     (one.die[0] == k) + (one.die[1] == k) + (one.die[2] == k);
        }
        number = found == 6 ? i : -1;
    }
    return number;
}

int bg_throw_weight(int i)
{
    const struct bg_roll roll = bg_throw_at(i);

    if (roll.die[0] == roll.die[2]) {
        return 1;
    }
    return roll.die[0] == roll.die[1] || roll.die[1] == roll.die[2] ? 3 : 6;
}

/* ---------------------------------------------------------------- valuing */

static double best_of_roll(struct bg_play *out, const struct bg_ask *ask, struct bg_roll roll,
                           bg_value_fn value, void *user)
{
    const struct bg_variant *variant = ask->rules.variant;
    struct bg_stage stage = bg_stage_of_roll(variant, roll);
    struct bg_play_list plays;
    struct bg_board after;
    double best = 0.0;

    bg_play_list(&plays, variant, &ask->board, 0, &stage);
    out->moves = 0;
    if (plays.count == 0) {
        return value(user, ask, &ask->board);
    }
    for (size_t i = 0; i < plays.count; i++) {
        double worth;

        bg_play_make(&after, variant, &ask->board, 0, &plays.play[i]);
        worth = value(user, ask, &after);
        if (i == 0 || worth > best) {
            best = worth;
            *out = plays.play[i];
        }
    }
    return best;
}

void bg_value_rolls(struct bg_roll_values *out, const struct bg_ask *ask, bg_value_fn value,
                    void *user)
{
    for (int i = 0; i < BG_ROLLS; i++) {
        out->equity[i] = best_of_roll(&out->best[i], ask, bg_roll_at(i), value, user);
    }
    out->played = ask->played == NULL ? NAN : value(user, ask, &ask->played->board);
}

void bg_value_throws(struct bg_throw_values *out, const struct bg_ask *ask, bg_value_fn value,
                     void *user)
{
    for (int i = 0; i < BG_THROWS; i++) {
        out->equity[i] = best_of_roll(&out->best[i], ask, bg_throw_at(i), value, user);
    }
    out->played = ask->played == NULL ? NAN : value(user, ask, &ask->played->board);
}

/* ---------------------------------------------------------------- checking */

static enum bg_status equity_check(const struct bg_ask *ask, double equity, const char *what,
                                   struct bg_error *err)
{
    bool match = ask->rules.length_points > 0;

    if (!isfinite(equity)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: not a finite number", what);
    }
    /* In a match an equity is the chance to win it; in money play it is points, which have no
     * bound. */
    if (match && (equity < -slack || equity > 1.0 + slack)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: %g is not a chance to win the match, 0..1",
                            what, equity);
    }
    return BG_OK;
}

/* part must not be larger than whole, because whole includes it. */
static enum bg_status chance_check(double part, double whole, const char *what,
                                   struct bg_error *err)
{
    if (!isfinite(part) || part < -slack || part > whole + slack) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: %g is not within 0..%g", what, part, whole);
    }
    return BG_OK;
}

static enum bg_status chances_check(const struct bg_ask *ask, const struct bg_chances *chances,
                                    struct bg_error *err)
{
    const struct {
        const char *what;
        double part, whole;
    } parts[] = {
        {"chance to win", chances->win, 1.0},
        {"chance to win a gammon", chances->win_gammon, chances->win},
        {"chance to win a backgammon", chances->win_backgammon, chances->win_gammon},
        /* Gammons include backgammons, as in gnubg's output. */
        {"chance to lose a gammon", chances->lose_gammon, 1.0 - chances->win},
        {"chance to lose a backgammon", chances->lose_backgammon, chances->lose_gammon},
    };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        enum bg_status status = chance_check(parts[i].part, parts[i].whole, parts[i].what, err);

        if (status != BG_OK) {
            return status;
        }
    }
    return equity_check(ask, chances->equity, "equity", err);
}

/* Writes the dice of a roll: "63", "652". */
static void roll_text(char text[4], struct bg_roll roll)
{
    for (int i = 0; i < 3; i++) {
        text[i] = (char)(roll.die[i] == 0 ? '\0' : '0' + roll.die[i]);
    }
    text[3] = '\0';
}

static enum bg_status best_check(const struct bg_ask *ask, struct bg_roll roll,
                                 const struct bg_play *best, struct bg_error *err)
{
    const struct bg_variant *variant = ask->rules.variant;
    struct bg_stage stage = bg_stage_of_roll(variant, roll);
    enum bg_rule broken = BG_RULE_NONE;
    struct bg_board after;
    char text[4];

    if (best->moves > 0) {
        broken = bg_play_check(&after, variant, &ask->board, 0, &stage, best);
    } else if (bg_play_exists(variant, &ask->board, 0, &stage)) {
        broken = BG_RULE_MOST;
    }
    roll_text(text, roll);
    return broken == BG_RULE_NONE
               ? BG_OK
               : bg_error_set(err, BG_E_ARGUMENT, "best play of %s: breaks rule %s: %s", text,
                              bg_rule_number(broken), bg_rule_text(broken));
}

static enum bg_status roll_check(const struct bg_ask *ask, struct bg_roll roll, double equity,
                                 const struct bg_play *best, struct bg_error *err)
{
    char what[32], text[4];
    enum bg_status status;

    roll_text(text, roll);
    snprintf(what, sizeof what, "value of roll %s", text);
    status = equity_check(ask, equity, what, err);
    return status != BG_OK ? status : best_check(ask, roll, best, err);
}

static enum bg_status played_check(const struct bg_ask *ask, double played, struct bg_error *err)
{
    return ask->played == NULL ? BG_OK
                               : equity_check(ask, played, "value of the play that was made", err);
}

static enum bg_status rolls_check(const struct bg_ask *ask, const struct bg_roll_values *rolls,
                                  struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < BG_ROLLS && status == BG_OK; i++) {
        status = roll_check(ask, bg_roll_at(i), rolls->equity[i], &rolls->best[i], err);
    }
    return status != BG_OK ? status : played_check(ask, rolls->played, err);
}

static enum bg_status throws_check(const struct bg_ask *ask, const struct bg_throw_values *throws,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < BG_THROWS && status == BG_OK; i++) {
        status = roll_check(ask, bg_throw_at(i), throws->equity[i], &throws->best[i], err);
    }
    return status != BG_OK ? status : played_check(ask, throws->played, err);
}

static enum bg_status cube_check(const struct bg_ask *ask, const struct bg_cube_values *cube,
                                 struct bg_error *err)
{
    enum bg_status status = equity_check(ask, cube->no_double, "value of not doubling", err);

    if (status == BG_OK) {
        status = equity_check(ask, cube->double_take, "value of a double that is taken", err);
    }
    return status != BG_OK
               ? status
               : equity_check(ask, cube->double_pass, "value of a double that is passed", err);
}

/* Returns the number of bytes of a bg_value that its kind uses. */
static size_t size_needed(enum bg_decision kind)
{
    const size_t before = offsetof(struct bg_value, of);

    switch (kind) {
    case BG_VALUE_POSITION:
        return before + sizeof(struct bg_chances);
    case BG_VALUE_ROLLS:
        return before + sizeof(struct bg_roll_values);
    case BG_VALUE_CUBE:
        return before + sizeof(struct bg_cube_values);
    case BG_VALUE_THROWS:
        return before + sizeof(struct bg_throw_values);
    default:
        return before;
    }
}

enum bg_status bg_value_check(const struct bg_ask *ask, const struct bg_value *value,
                              struct bg_error *err)
{
    if (value->size < size_needed(value->cannot ? BG_DECIDE_NONE : ask->kind)) {
        return bg_error_set(err, BG_E_ARGUMENT, "bg_value of size %zu: begin with BG_VALUE_INIT",
                            value->size);
    }
    if (value->cannot) {
        return BG_OK;
    }
    if (value->kind != ask->kind) {
        return bg_error_set(err, BG_E_ARGUMENT, "a value of kind %d answers one of kind %d",
                            (int)value->kind, (int)ask->kind);
    }
    switch (ask->kind) {
    case BG_VALUE_POSITION:
        return chances_check(ask, &value->of.chances, err);
    case BG_VALUE_ROLLS:
        return rolls_check(ask, &value->of.rolls, err);
    case BG_VALUE_CUBE:
        return cube_check(ask, &value->of.cube, err);
    case BG_VALUE_THROWS:
        return throws_check(ask, &value->of.throws, err);
    default:
        return bg_error_set(err, BG_E_ARGUMENT, "a decision of kind %d is not valued",
                            (int)ask->kind);
    }
}
