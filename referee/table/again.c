/* A command can pose only what a notation holds, a position before a decision. A decision that
 * stands after offers (a double, raises, an offer to resign) is therefore taken back to before
 * them, and the offers follow as --then. Rules that differ from the default go as words, and the
 * game's id gives the bot the same seed again. */
#include "again.h"

#include <stdio.h>
#include <string.h>

#include <bgref/notation.h>

#include "../bot/command.h"
#include "posed_state.h"
#include "record/rules_words.h"

/* Writes a whole turn's roll as text. Returns false if some of its numbers are already played. */
static bool dice_write(char out[BG_STAGE_TEXT], const struct bg_match *match)
{
    const struct bg_stage whole = bg_stage_of_roll(match->rules.variant, match->roll);
    char now[BG_STAGE_TEXT];

    bg_stage_write(now, &match->stage);
    bg_stage_write(out, &whole);
    return strcmp(now, out) == 0;
}

/* Writes the first roll that leaves the same numbers, because a part of a turn is asked in the same
 * way. */
static bool stage_write(char out[BG_STAGE_TEXT], const struct bg_match *match)
{
    char wanted[BG_STAGE_TEXT];

    if (dice_write(out, match)) {
        return true;
    }
    bg_stage_write(wanted, &match->stage);
    for (int i = 0; i < 36; i++) {
        const struct bg_roll roll = {{(uint8_t)(1 + i / 6), (uint8_t)(1 + i % 6)}};
        const struct bg_stage stage = bg_stage_of_roll(match->rules.variant, roll);

        bg_stage_write(out, &stage);
        if (strcmp(out, wanted) == 0) {
            return true;
        }
    }
    return false;
}

static bool xgid_write(char out[BG_XGID], const struct bg_match *match)
{
    struct bg_match_id id;

    return bg_match_id_of(&id, match, NULL) == BG_OK &&
           bg_xgid_write(out, &match->board, &id, NULL) == BG_OK;
}

enum { THEN = 256 };

static void put_before(char then[THEN], const char *words)
{
    char behind[THEN];

    snprintf(behind, sizeof behind, "%s", then);
    snprintf(then, THEN, "%s%s%s", words, behind[0] == '\0' ? "" : ", ", behind);
}

static void take_back_double(struct bg_match *match, char then[THEN])
{
    bool odd = match->raise % 2 == 1, is_raised = match->raise > 0;

    match->need.seat = odd ? match->need.seat : 1 - match->need.seat;
    match->need.kind = BG_NEED_DOUBLE;
    for (; match->raise > 0; match->raise--) {
        put_before(then, "raise");
        match->cube_log2--;
    }
    put_before(then, "double");
    if (is_raised) { /* owner: the side that raised; before that the doubler, or no side if the
                      * cube was not turned */
        match->cube_owner = match->cube_log2 == match->auto_doubles ? BG_CENTRED : match->need.seat;
    }
    match->on_roll = match->need.seat;
}

/* Steps back over numbers that wait to be kept, or a double that waits to be named. */
static void take_back_turn(struct bg_match *match, char then[THEN])
{
    char words[32];

    if (match->need.kind == BG_NEED_KEEP) {
        snprintf(words, sizeof words, "open %d%d", match->roll.die[0], match->roll.die[1]);
        put_before(then, words);
    } else if (match->need.kind == BG_NEED_NAME) {
        put_before(then, "name");
    } else {
        return;
    }
    memset(&match->roll, 0, sizeof match->roll);
    memset(&match->stage, 0, sizeof match->stage);
    match->need.kind = BG_NEED_DOUBLE;
}

/* Removes offers that the position's notation cannot hold, and lists them in `then`. An offer to
 * resign stands before a double of the same turn, or is alone. */
static void step_back(struct bg_match *match, char then[THEN])
{
    bool waits = match->need.kind == BG_NEED_RESIGNATION;
    bool fits = rules_have_xgid(match->rules.variant) && match->resign_level == 0;
    char words[32];

    then[0] = '\0';
    if (match->need.kind == BG_NEED_RAISE || (match->need.kind == BG_NEED_TAKE && !fits)) {
        take_back_double(match, then);
    }
    if (match->resign_level > 0) {
        snprintf(words, sizeof words, "resign %d%s", match->resign_level, waits ? "" : ", refuse");
        put_before(then, words);
        match->need = waits ? match->resign_need : match->need;
        match->resign_level = 0;
    }
    take_back_turn(match, then);
}

/* Appends the position before `then`. */
static bool position_append(char *out, size_t size, const struct bg_match *match)
{
    const struct bg_variant *variant = match->rules.variant;
    char position[BG_POSITION_TEXT + BG_XGID], dice[BG_STAGE_TEXT], state[POSED_STATE] = "";
    bool is_play = match->need.kind == BG_NEED_PLAY;
    bool fits = is_play || match->need.kind == BG_NEED_DOUBLE ||
                (match->need.kind == BG_NEED_TAKE && rules_have_xgid(variant));

    if (variant != bg_variant_find("backgammon")) {
        fits = fits && command_append(out, size, "--variant") &&
               command_append(out, size, bg_variant_id(variant));
    }
    if (rules_have_xgid(variant)) {
        fits = fits && xgid_write(position, match);
    } else {
        posed_state_write(state, match);
        bg_position_text_write(position, variant, &match->board, match->need.seat);
    }
    fits = fits && command_append(out, size, position);
    if (state[0] != '\0') {
        fits = fits && command_append(out, size, "--state") && command_append(out, size, state);
    }
    return is_play ? fits && stage_write(dice, match) && command_append(out, size, "--dice") &&
                         command_append(out, size, dice)
                   : fits;
}

bool again_command(char *out, size_t size, const char *words, const char *game,
                   const struct bg_match *match)
{
    struct bg_match before = *match;
    char then[THEN], rules[RECORD_RULES];
    bool fits = (size_t)snprintf(out, size, "bgref ask %s", words) < size;

    step_back(&before, then);
    fits = fits && position_append(out, size, &before);
    rules_words_write(rules, &match->rules);
    if (rules[0] != '\0') {
        fits = fits && command_append(out, size, "--rules") && command_append(out, size, rules);
    }
    if (then[0] != '\0') {
        fits = fits && command_append(out, size, "--then") && command_append(out, size, then);
    }
    return game == NULL || game[0] == '\0'
               ? fits
               : fits && command_append(out, size, "--game") && command_append(out, size, game);
}
