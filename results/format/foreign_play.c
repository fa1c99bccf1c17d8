#include "foreign_play.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOVES_ROOM = 256 };

enum bg_status foreign_moves_read(struct foreign_moves *out, const char *text, struct bg_error *err)
{
    char plain[MOVES_ROOM];
    size_t length = strlen(text);

    *out = (struct foreign_moves){0};
    if (length >= sizeof plain) {
        return bg_error_set(err, BG_E_FORMAT, "moves of %zu bytes", length);
    }
    /* Up to the final zero, which is copied with the rest. */
    for (size_t i = 0; i <= length; i++) {
        unsigned char c = (unsigned char)text[i];

        out->capitals = out->capitals || isupper(c);
        out->hits += c == '*';
        plain[i] = c == ',' || c == '\t' ? ' ' : c == '-' ? '/' : (char)tolower(c);
    }
    return bg_play_read(&out->play, plain, err);
}

/* Computes the seat's own checkers after the moves, hits ignored. Returns false if a moved checker
 * is not there. */
static bool make_own(uint8_t own[BG_SLOTS], const struct bg_board *board, int seat,
                     const struct bg_play *play)
{
    int left[BG_SLOTS];

    for (int i = 0; i < BG_SLOTS; i++) {
        left[i] = board->at[seat][i];
    }
    for (int i = 0; i < play->moves; i++) {
        left[play->move[i].from]--;
        left[play->move[i].to]++;
    }
    for (int i = 0; i < BG_SLOTS; i++) {
        if (left[i] < 0) {
            return false;
        }
        own[i] = (uint8_t)left[i];
    }
    return true;
}

/* Whether the moves are steps of one checker whose last one bears it off. */
static bool is_borne_off_by_steps(const struct bg_play *play)
{
    for (int i = 0; i < play->moves; i++) {
        for (int j = 0; j < play->moves; j++) {
            if (i != j && play->move[i].to == BG_OFF && play->move[j].to == play->move[i].from) {
                return true;
            }
        }
    }
    return false;
}

/* Finds the only legal play that leaves the seat's checkers where the moves do, with this number of
 * hits; hits -1: any number. */
static bool find_only(struct bg_play *out, const struct bg_match *match,
                      const struct bg_play *written, int hits)
{
    static struct bg_play_list plays;
    const struct bg_variant *variant = match->rules.variant;
    int seat = match->need.seat, found = 0;
    uint8_t own[BG_SLOTS];

    if (!make_own(own, &match->board, seat, written)) {
        return false;
    }
    bg_play_list(&plays, variant, &match->board, seat, &match->stage);
    for (size_t i = 0; i < plays.count; i++) {
        struct bg_board result;

        bg_play_make(&result, variant, &match->board, seat, &plays.play[i]);
        if (memcmp(result.at[seat], own, sizeof own) == 0 &&
            (hits < 0 || result.at[1 - seat][BG_BAR] - match->board.at[1 - seat][BG_BAR] == hits)) {
            *out = plays.play[i];
            found++;
        }
    }
    return found == 1;
}

enum foreign_reading foreign_play_find(struct bg_play *out, const struct bg_match *match,
                                       const struct foreign_moves *moves)
{
    struct bg_board result;
    struct bg_play play;
    enum bg_rule broken;

    *out = moves->play;
    if (match->need.kind != BG_NEED_PLAY) {
        return FOREIGN_AS_WRITTEN;
    }
    broken = bg_play_check(&result, match->rules.variant, &match->board, match->need.seat,
                           &match->stage, &moves->play);
    /* First by hits, because programs that write no ambiguous moves mark them; a bear-off in
     * impossible steps only by where it ends. */
    if (broken == BG_RULE_AMBIGUOUS && find_only(&play, match, &moves->play, moves->hits)) {
        *out = play;
        return FOREIGN_BY_HITS;
    }
    if (broken != BG_RULE_NONE && broken != BG_RULE_AMBIGUOUS &&
        is_borne_off_by_steps(&moves->play) && find_only(&play, match, &moves->play, -1)) {
        *out = play;
        return FOREIGN_BY_POSITION;
    }
    return FOREIGN_AS_WRITTEN;
}
