#include "again.h"

#include <stdio.h>
#include <string.h>

#include <bgref/notation.h>

#include "../bot/command.h"

/* A whole turn's roll as text; false: numbers of it are played already. */
static bool dice_write(char out[BG_STAGE_TEXT], const struct bg_match *match)
{
    const struct bg_stage whole = bg_stage_of_roll(match->rules.variant, match->roll);
    char now[BG_STAGE_TEXT];

    bg_stage_write(now, &match->stage);
    bg_stage_write(out, &whole);
    return strcmp(now, out) == 0;
}

static bool backgammon_write(char out[BG_XGID], const struct bg_match *match)
{
    struct bg_match_id id;

    return bg_match_id_of(&id, match, NULL) == BG_OK &&
           bg_xgid_write(out, &match->board, &id, NULL) == BG_OK;
}

bool again_command(char *out, size_t size, const char *words, const char *game,
                   const struct bg_match *match)
{
    const struct bg_variant *variant = match->rules.variant;
    bool is_backgammon = variant == bg_variant_find("backgammon");
    bool is_play = match->need.kind == BG_NEED_PLAY;
    char position[BG_POSITION_TEXT + BG_XGID], dice[BG_STAGE_TEXT];
    bool fits = (size_t)snprintf(out, size, "bgref ask %s", words) < size;

    if (!is_play && (!is_backgammon ||
                     (match->need.kind != BG_NEED_DOUBLE && match->need.kind != BG_NEED_TAKE))) {
        return false;
    }
    if (is_backgammon) {
        fits = fits && backgammon_write(position, match);
    } else {
        bg_position_text_write(position, variant, &match->board, match->need.seat);
        fits = fits && command_append(out, size, "--variant") &&
               command_append(out, size, bg_variant_id(variant));
    }
    fits = fits && command_append(out, size, position);
    if (is_play) {
        fits = fits && dice_write(dice, match) && command_append(out, size, "--dice") &&
               command_append(out, size, dice);
    }
    return game == NULL || game[0] == '\0'
               ? fits
               : fits && command_append(out, size, "--game") && command_append(out, size, game);
}
