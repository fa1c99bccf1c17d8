/* Stages as text (docs/rules.md N3). */
#include <bgref/notation.h>

#include <assert.h>

#include "games.h"

void bg_stage_write(char out[BG_STAGE_TEXT], const struct bg_stage *stage)
{
    char *at = out;

    assert(stage->parts <= 3);
    if (stage->parts == 1) { /* 4x3: the same text as a roll of doubles, which plays the same */
        *at++ = (char)('0' + stage->part[0].number);
        *at++ = 'x';
        *at++ = (char)('0' + stage->part[0].times);
    } else {
        for (int i = 0; i < stage->parts; i++) {
            for (int times = 0; times < stage->part[i].times; times++) {
                *at++ = (char)('0' + stage->part[i].number);
            }
        }
    }
    *at = '\0';
}

static bool is_number(char c)
{
    return c >= '1' && c <= '6';
}

enum bg_status bg_stage_read(struct bg_stage *out, const struct bg_variant *variant,
                             const char *text, struct bg_error *err)
{
    struct bg_roll roll = {{0}};
    int dice = 0;

    if (is_number(text[0]) && text[1] == 'x' && text[2] >= '1' && text[2] <= '4' &&
        text[3] == '\0') {
        *out = (struct bg_stage){1, {{(uint8_t)(text[0] - '0'), (uint8_t)(text[2] - '0')}}};
        return BG_OK;
    }
    while (dice < 3 && is_number(text[dice])) {
        if (dice > 0 && text[dice] > text[dice - 1]) {
            return bg_error_set(err, BG_E_FORMAT, "stage \"%.20s\": the high number comes first",
                                text);
        }
        roll.die[dice] = (uint8_t)(text[dice] - '0');
        dice++;
    }
    if (dice != variant->dice || text[dice] != '\0') {
        return bg_error_set(err, BG_E_FORMAT,
                            "stage \"%.20s\" is neither a roll like %s nor like 4x3", text,
                            variant->dice == 3 ? "652" : "63");
    }
    *out = bg_stage_of_roll(variant, roll);
    return BG_OK;
}
