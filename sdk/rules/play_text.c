/* Plays as text: "24/18* 13/8", "bar/20(2)", "6/off"; and stages (docs/rules.md N3). */
#include <bgref/notation.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "games.h"

/* Written by hand: pages have millions of plays, and snprintf would be most of their cost. */
static char *put_slot(char *at, int slot)
{
    const int point = slot < BG_FAR ? slot : slot - BG_FAR + BG_POINTS + 1;

    if (slot == BG_OFF || slot == BG_BAR || slot == BG_HAND) {
        return stpcpy(at, slot == BG_OFF ? "off" : slot == BG_BAR ? "bar" : "hand");
    }
    if (point >= 10) {
        *at++ = (char)('0' + point / 10);
    }
    *at++ = (char)('0' + point % 10);
    return at;
}

void bg_play_write(char out[BG_PLAY_TEXT], const struct bg_variant *variant,
                   const struct bg_board *board, int seat, const struct bg_play *play)
{
    struct bg_board now;
    char *at = out;

    if (board != NULL) {
        now = *board;
    }
    for (int i = 0, same; i < play->moves; i += same) {
        const struct bg_move move = play->move[i];
        bool hits = false;

        for (same = 1; i + same < play->moves && play->move[i + same].from == move.from &&
                       play->move[i + same].to == move.to;
             same++) {
        }
        /* A play does not say what it hits, so it is made, move by move. */
        for (int j = 0; j < same && board != NULL; j++) {
            const struct bg_play one = {1, {move}};
            const int hit_before = now.at[1 - seat][BG_BAR];

            bg_play_make(&now, variant, &now, seat, &one);
            hits = hits || now.at[1 - seat][BG_BAR] > hit_before;
        }
        at = put_slot(stpcpy(at, i > 0 ? " " : ""), move.from);
        at = stpcpy(put_slot(stpcpy(at, "/"), move.to), hits ? "*" : "");
        if (same > 1) {
            at = stpcpy(at, "(n)");
            at[-2] = (char)('0' + same);
        }
        assert(at < out + BG_PLAY_TEXT);
    }
    *at = '\0';
}

/* Reads one slot at *at and moves past it; returns -1 if there is none. points: number of points of
 * the board; on a long board 25 is a point, and the bar can be given only by name. */
static int read_slot(const char **at, int points)
{
    const int last = points > BG_POINTS ? points : BG_BAR;
    static const struct {
        const char *name;
        int slot;
    } names[] = {{"bar", BG_BAR}, {"off", BG_OFF}, {"hand", BG_HAND}};
    const char *c = *at;
    int slot = 0;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(c, names[i].name, strlen(names[i].name)) == 0) {
            *at += strlen(names[i].name);
            return names[i].slot;
        }
    }
    /* Without leading zeros: a number has one spelling. */
    if (*c < '0' || *c > '9' || (c[0] == '0' && c[1] >= '0' && c[1] <= '9')) {
        return -1;
    }
    for (; *c >= '0' && *c <= '9' && slot <= last; c++) {
        slot = slot * 10 + (*c - '0');
    }
    *at = c;
    if (slot > last) {
        return -1;
    }
    return points > BG_POINTS && slot > BG_POINTS ? slot - BG_POINTS - 1 + BG_FAR : slot;
}

static enum bg_status refuse_play(struct bg_error *err, const char *text, const char *at,
                                  const char *why)
{
    return bg_error_set(err, BG_E_FORMAT, "play \"%.100s\": character %ld: %s", text,
                        (long)(at - text) + 1, why);
}

/* Reads one group, "24/18*" or "24/18/13(2)", up to the next blank or the end. */
static enum bg_status read_group(struct bg_play *play, const char *text, const char **at,
                                 int points, struct bg_error *err)
{
    const int first = play->moves;
    const char *begin = *at;
    int from = read_slot(at, points), times = 1;

    if (from < 0 || from == BG_OFF) {
        return refuse_play(err, text, begin, "a point, bar or hand should stand here");
    }
    if (**at != '/') {
        return refuse_play(err, text, *at, "'/' should stand here");
    }
    while (**at == '/') {
        const char *point = ++*at;
        const int to = read_slot(at, points);

        if (to < 0 || to == BG_BAR || to == BG_HAND) {
            return refuse_play(err, text, point, "a point or off should stand here");
        }
        if (from == BG_OFF) {
            return refuse_play(err, text, point, "nothing moves on after bearing off");
        }
        if (play->moves == BG_MOVES_MAX) {
            return refuse_play(err, text, begin, "more than four moves");
        }
        play->move[play->moves++] = (struct bg_move){(uint8_t)from, (uint8_t)to};
        /* A hit may be marked. It is not compared: what a move hits follows from the board. */
        from = to;
        *at += **at == '*';
    }
    if (**at == '(') {
        if ((*at)[1] < '1' || (*at)[1] > '4' || (*at)[2] != ')') {
            return refuse_play(err, text, *at, "a repeat is (1) to (4)");
        }
        times = (*at)[1] - '0';
        *at += 3;
        *at += **at == '*';
    }
    const int group = play->moves - first;
    if (first + group * times > BG_MOVES_MAX) {
        return refuse_play(err, text, begin, "more than four moves");
    }
    for (int i = group; i < group * times; i++) {
        play->move[play->moves++] = play->move[first + i % group];
    }
    return BG_OK;
}

enum bg_status bg_play_read(struct bg_play *out, const char *text, struct bg_error *err)
{
    return bg_play_read_in(out, NULL, text, err);
}

enum bg_status bg_play_read_in(struct bg_play *out, const struct bg_variant *variant,
                               const char *text, struct bg_error *err)
{
    const int points = variant == NULL ? BG_POINTS : variant->points;
    struct bg_play play = {0};
    const char *at = text + strspn(text, " ");

    while (*at != '\0') {
        const enum bg_status status = read_group(&play, text, &at, points, err);

        if (status != BG_OK) {
            return status;
        }
        if (*at != ' ' && *at != '\0') {
            return refuse_play(err, text, at, "a blank or the end should stand here");
        }
        at += strspn(at, " ");
    }
    *out = play;
    return BG_OK;
}

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
