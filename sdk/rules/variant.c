#include <bgref/variant.h>

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "games.h"

enum { HOME = 6 };

/* G9: single, gammon, backgammon by where the loser's checkers are. */
static int level_standard(const struct bg_variant *variant, const struct bg_board *board,
                          int winner)
{
    const uint8_t *loser = board->at[1 - winner];
    int level = 2;

    if (loser[BG_OFF] > 0) {
        return 1;
    }
    if (loser[BG_BAR] + loser[BG_HAND] > 0) {
        level = 3;
    }
    for (int slot = 1; slot <= HOME; slot++) {
        if (loser[bg_variant_foe_slot(variant, slot)] > 0) {
            level = 3;
        }
    }
    return level < variant->level_max ? level : variant->level_max;
}

/* In the order of the rule book; ids never change. */
static const struct bg_variant variants[] = {
    {
        .id = "backgammon",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_PLAY,
        .cube = true,
        .level_max = 3,
        .position_id = true,
        .setup = {{24, 2}, {13, 5}, {8, 3}, {6, 5}},
        .level = level_standard,
        .mover = &mover_hit,
    },
    {
        .id = "nackgammon",
        .checkers = 15,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_PLAY,
        .cube = true,
        .level_max = 3,
        .setup = {{24, 2}, {23, 2}, {13, 4}, {8, 3}, {6, 4}},
        .level = level_standard,
        .mover = &mover_hit,
    },
    {
        .id = "hypergammon",
        .checkers = 3,
        .points = 24,
        .way = WAY_CONTRARY,
        .contact = CONTACT_HIT,
        .dice = 2,
        .double_times = 4,
        .opening = BG_OPENING_PLAY,
        .cube = true,
        .level_max = 3,
        .setup = {{24, 1}, {23, 1}, {22, 1}},
        .level = level_standard,
        .mover = &mover_hit,
    },
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

const struct bg_variant *bg_variant_find(const char *id)
{
    for (int i = 0; i < VARIANTS; i++) {
        if (strcmp(variants[i].id, id) == 0) {
            return &variants[i];
        }
    }
    return NULL;
}

const struct bg_variant *bg_variant_at(int i)
{
    return i >= 0 && i < VARIANTS ? &variants[i] : NULL;
}

const char *bg_variant_id(const struct bg_variant *variant)
{
    return variant->id;
}

void bg_variant_setup(struct bg_board *out, const struct bg_variant *variant)
{
    memset(out, 0, sizeof *out);
    for (int seat = 0; seat < 2; seat++) {
        for (int i = 0; i < GAME_PILES && variant->setup[i].checkers > 0; i++) {
            out->at[seat][variant->setup[i].slot] = variant->setup[i].checkers;
        }
    }
}

int bg_variant_foe_slot(const struct bg_variant *variant, int slot)
{
    assert(slot >= 1 && slot < BG_SLOTS && slot != BG_BAR && slot != BG_HAND);
    switch (variant->way) {
    case WAY_CONTRARY:
        return 25 - slot;
    case WAY_PARALLEL:
        return slot <= 12 ? slot + 12 : slot - 12;
    case WAY_COMMON:
        return slot;
    case WAY_SCRIPTA:
        return slot >= BG_FAR ? slot : 25 - slot;
    }
    assert(false);
    return slot;
}

enum bg_opening bg_variant_opening(const struct bg_variant *variant)
{
    return variant->opening;
}

bool bg_variant_has_cube(const struct bg_variant *variant)
{
    return variant->cube;
}

int bg_variant_level(const struct bg_variant *variant, const struct bg_board *board, int winner)
{
    return variant->level(variant, board, winner);
}

int bg_variant_level_max(const struct bg_variant *variant)
{
    return variant->level_max;
}
