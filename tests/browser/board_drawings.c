/* Plays a random game of every variant; every position on the way must be the same after it was
 * written and read (record/pos.h). Prints some of them as document/board_svg.c draws them, one
 * drawing after another: test_pages.py compares the drawings of gallery/site/board.js.
 */
#include <document/board_svg.h>
#include <stdlib.h>
#include <string.h>
#include <support/random_match.h>

enum { STEPS_MAX = 400, SHOWN = 12 };

static bool is_same(const struct pos *a, const struct pos *b)
{
    return bg_board_equal(&a->board, &b->board) && a->mover == b->mover &&
           a->has_cube == b->has_cube && a->offered == b->offered && a->dice == b->dice &&
           (!a->has_cube || (a->cube_log2 == b->cube_log2 && a->cube_owner == b->cube_owner)) &&
           memcmp(a->die, b->die, sizeof a->die) == 0 &&
           memcmp(a->played, b->played, sizeof a->played) == 0 &&
           (a->last.moves == 0 ||
            (a->last_seat == b->last_seat && memcmp(&a->last, &b->last, sizeof a->last) == 0));
}

static void check(const struct pos *pos)
{
    struct bg_error err = {.text = ""};
    struct pos back;
    char text[POS_TEXT];

    pos_write(text, pos);
    if (pos_read(&back, pos->variant, text, &err) != BG_OK || !is_same(pos, &back)) {
        fprintf(stderr, "%s: '%s' is not read as it was: %s\n", bg_variant_id(pos->variant), text,
                err.text);
        exit(1);
    }
    for (size_t size = 0; text[size] != '\0' && strrchr(text, '|') >= text + size; size++) {
        char part[POS_TEXT]; /* with a field missing */

        snprintf(part, sizeof part, "%.*s", (int)size, text);
        if (pos_read(&back, pos->variant, part, &err) == BG_OK) {
            fprintf(stderr, "%s: '%s' was read\n", bg_variant_id(pos->variant), part);
            exit(1);
        }
    }
}

static void play(const struct bg_variant *variant, uint64_t seed, bool shown)
{
    const struct bg_rules rules = bg_rules_default(variant, 0);
    struct chance chance = {seed};
    struct bg_match match;
    struct doc_board board;

    bg_match_begin(&match, &rules);
    board = doc_board_of(&match, 0);
    for (int i = 0; i < STEPS_MAX; i++) {
        const struct bg_match before = match;
        struct bg_step step;

        check(&board.pos);
        if (board.pos.offered >= 0 || (shown && i % (STEPS_MAX / SHOWN) < 2)) {
            board.below = i / 2 % 2;
            board_svg_write(stdout, &board, bg_variant_id(variant));
        }
        if (bg_match_need(&match).kind == BG_NEED_NOTHING) {
            break;
        }
        step = random_step(&match, &chance);
        if (bg_match_step(&match, &step) != BG_RULE_NONE) {
            exit(1);
        }
        pos_step(&board.pos, &before, &step, &match);
    }
    check(&board.pos);
    if (shown) {
        board_svg_write(stdout, &board, "<&\"'>");
    }
}

int main(void)
{
    for (int i = 0; bg_variant_at(i) != NULL; i++) {
        for (uint64_t seed = 1; seed <= 8; seed++) {
            play(bg_variant_at(i), seed, seed == 1);
        }
    }
    return 0;
}
