/* Any bytes into every text reader of the rules: no overrun, and accepted text comes back when it
 * is written. */
#include <bgref/notation.h>
#include <bgref/variant.h>

#include <string.h>

#include "fuzz.h"

static void try_ids(const char *text)
{
    struct bg_match_id id = {0}, id_again = {0};
    struct bg_board board, board_again;
    struct bg_error err;
    char out[BG_XGID];

    if (bg_position_id_read(&board, text, 1, &err) == BG_OK) {
        bg_position_id_write(out, &board, 1);
        require(strcmp(out, text) == 0);
    }
    if (bg_match_id_read(&id, text, &err) == BG_OK) {
        require(bg_match_id_write(out, &id, &err) == BG_OK); /* same up to the order of dice */
        require(bg_match_id_read(&id_again, out, &err) == BG_OK);
        require(memcmp(&id, &id_again, sizeof id) == 0);
    }
    if (bg_xgid_read(&board, &id, text, &err) == BG_OK) {
        require(bg_xgid_write(out, &board, &id, &err) == BG_OK);
        require(bg_xgid_read(&board_again, &id_again, out, &err) == BG_OK);
        require(bg_board_equal(&board, &board_again) && memcmp(&id, &id_again, sizeof id) == 0);
    }
}

/* Every accepted position can be played: every listed play is judged legal. */
static void try_stages(const struct bg_variant *variant, const struct bg_board *board, int seat)
{
    static const struct bg_roll rolls[] = {{{6, 5, 1}}, {{2, 1, 3}}, {{4, 4, 4}}, {{1, 1, 2}}};
    static struct bg_play_list list;

    for (int roll = 0; roll < 4; roll++) {
        const struct bg_stage stage = bg_stage_of_roll(variant, rolls[roll]);
        struct bg_board result, made;

        bg_play_list(&list, variant, board, seat, &stage);
        require(bg_play_exists(variant, board, seat, &stage) == (list.count > 0));
        for (size_t i = 0; i < list.count; i += 1 + list.count / 4) {
            bg_play_make(&made, variant, board, seat, &list.play[i]);
            require(bg_play_check(&result, variant, board, seat, &stage, &list.play[i]) ==
                        BG_RULE_NONE &&
                    bg_board_equal(&made, &result));
            require(bg_board_count(&made, seat) == bg_board_count(board, seat));
        }
    }
}

static void try_texts(const char *text)
{
    struct bg_play play, again;
    struct bg_board board, result;
    struct bg_error err;
    char out[BG_PLAY_TEXT], position[BG_POSITION_TEXT];
    int mover;

    for (int i = 0; bg_variant_at(i) != NULL; i++) {
        if (bg_position_text_read(&board, &mover, bg_variant_at(i), text, &err) == BG_OK) {
            bg_position_text_write(position, bg_variant_at(i), &board, mover);
            require(strcmp(position, text) == 0);
            try_stages(bg_variant_at(i), &board, mover);
        }
    }
    if (bg_play_read(&play, text, &err) == BG_OK) {
        const struct bg_variant *variant = bg_variant_find("backgammon");

        bg_play_write(out, variant, NULL, 0, &play);
        require(bg_play_read(&again, out, &err) == BG_OK);
        require(memcmp(&play, &again, sizeof play) == 0);
        bg_variant_setup(&board, variant);
        for (int roll = 0; roll < 36; roll++) {
            const struct bg_stage stage = bg_stage_of_roll(
                variant, (struct bg_roll){{(uint8_t)(roll / 6 + 1), (uint8_t)(roll % 6 + 1), 0}});

            bg_play_check(&result, variant, &board, 0, &stage, &play);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* exactly as long as the text, so that overruns are detected */

    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    try_ids(text);
    try_texts(text);
    free(text);
    return 0;
}
