#include "support/match_laws.h"

#include <stdio.h>
#include <string.h>

#include <bgref/cube.h>
#include <bgref/notation.h>

enum { GAME_TEXT = 256, LEVEL_MAX = BG_CHECKERS };

uint64_t laws_random(uint64_t *state)
{
    /* splitmix64: any seed will do, 0 too. */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int laws_below(uint64_t *state, int n)
{
    return (int)(laws_random(state) % (uint64_t)n);
}

/* Text "name=one|two|three" of an option: appends "name=two" or another, at random. */
static void append_choice(char text[GAME_TEXT], const char *option, bool first, uint64_t *state)
{
    const size_t length = strlen(text), name = strcspn(option, "=") + 1;
    const char *choice = option + name;
    int skip = 0, choices = 1;

    for (const char *at = choice; *at != '\0'; at++) {
        choices += *at == '|';
    }
    for (skip = laws_below(state, choices); skip > 0; skip--) {
        choice += strcspn(choice, "|") + 1;
    }
    snprintf(text + length, GAME_TEXT - length, "%c%.*s%.*s", first ? ':' : ',', (int)name, option,
             (int)strcspn(choice, "|"), choice);
}

const struct bg_variant *laws_variant(uint64_t *state)
{
    char text[GAME_TEXT], option[GAME_TEXT];
    const struct bg_variant *game = NULL;
    int games = 0, given = 0;

    while (bg_variant_at(games) != NULL) {
        games++;
    }
    game = bg_variant_at(laws_below(state, games));
    snprintf(text, sizeof text, "%s", bg_variant_id(game));
    for (int i = 0; bg_variant_option(option, sizeof option, game, i); i++) {
        if (laws_below(state, 3) == 0) {
            append_choice(text, option, given++ == 0, state);
        }
    }
    return bg_variant_find(text);
}

static struct bg_rules rules_of_rotation(uint64_t *state)
{
    const struct bg_rotation *rotation = bg_rotation_at(laws_below(state, 3));
    struct bg_rules rules =
        bg_rules_default(bg_rotation_game(rotation, 0), 1 + laws_below(state, 6));

    rules.rotation = rotation;
    rules.next = (enum bg_next)laws_below(state, BG_NEXT_COUNT);
    rules.turn_cap = laws_below(state, 4) == 0 ? 1 + laws_below(state, 60) : BG_TURN_CAP;
    return rules;
}

struct bg_rules laws_rules(uint64_t *state)
{
    const int kind = laws_below(state, 20);
    const struct bg_variant *variant = kind < 4    ? bg_variant_find("backgammon")
                                       : kind == 5 ? bg_variant_find("long-nardi:equal-turns=on")
                                                   : laws_variant(state);
    struct bg_rules rules;
    bool money;

    if (kind == 4) {
        return rules_of_rotation(state);
    }
    rules = bg_rules_default(variant, laws_below(state, 6));
    money = rules.length_points == 0;
    rules.opening = (enum bg_opening)laws_below(state, BG_OPENING_COUNT);
    rules.next = (enum bg_next)laws_below(state, BG_NEXT_COUNT);
    rules.cube = laws_below(state, 5) != 0;
    rules.jacoby = money && laws_below(state, 2) == 0;
    rules.beavers = money && rules.cube && laws_below(state, 2) == 0;
    rules.raises = rules.beavers ? laws_below(state, 4) - 1 : 0;
    rules.auto_doubles = money && rules.cube ? laws_below(state, 4) : 0;
    rules.crawford = !money && laws_below(state, 3) != 0;
    rules.holland = rules.crawford && laws_below(state, 2) == 0;
    rules.forfeit_single = laws_below(state, 3) == 0;
    rules.fault_match = laws_below(state, 8) == 0;
    rules.flag_match = laws_below(state, 8) == 0;
    rules.turn_cap = laws_below(state, 4) == 0 ? 1 + laws_below(state, 40) : BG_TURN_CAP;
    return rules;
}

/* ---- laws of a state ---- */

static const char *law_of_need(const struct bg_match *match)
{
    struct bg_need need = match->need;
    bool host =
        need.kind == BG_NEED_NOTHING || need.kind == BG_NEED_OPENING || need.kind == BG_NEED_GAME;
    bool over = need.kind == BG_NEED_NOTHING || need.kind == BG_NEED_GAME;
    bool before_roll = need.kind == BG_NEED_ROLL || need.kind == BG_NEED_DOUBLE;

    if ((unsigned)need.kind >= BG_NEED_COUNT) {
        return "what is owed has a name";
    }
    if (host ? need.seat != -1 : need.seat != 0 && need.seat != 1) {
        return "the host owes what the host owes, a seat the rest";
    }
    if (over != (match->result.end != BG_END_NONE)) {
        return "a game that ended has a result, no other has";
    }
    if (before_roll &&
        (need.kind == BG_NEED_DOUBLE) != (bg_cube_may_double(match, need.seat) == BG_RULE_NONE)) {
        return "a seat is asked to double exactly when it may";
    }
    if ((need.kind == BG_NEED_OPENING || before_roll) != (bg_match_dice(match) > 0)) {
        return "dice are owed before an opening or a roll";
    }
    if (need.kind == BG_NEED_PLAY &&
        (need.seat != match->on_roll ||
         !bg_play_exists(match->rules.variant, &match->board, need.seat, &match->stage))) {
        return "a seat is asked to play only when it can";
    }
    if ((need.kind == BG_NEED_TAKE || need.kind == BG_NEED_RAISE) != (match->doubler != -1)) {
        return "a chain has a doubler";
    }
    return (need.kind == BG_NEED_RAISE) == (match->raise > 0) ? NULL : "a raise is pending or not";
}

static bool is_written(const struct bg_match *match)
{
    char text[BG_POSITION_TEXT];
    struct bg_board board;
    int mover;

    bg_position_text_write(text, match->rules.variant, &match->board, match->on_roll);
    return bg_position_text_read(&board, &mover, match->rules.variant, text, NULL) == BG_OK &&
           mover == match->on_roll && bg_board_equal(&board, &match->board);
}

static const char *law_of_board(const struct bg_match *match)
{
    struct bg_board setup;

    bg_variant_setup(&setup, match->rules.variant);
    for (int seat = 0; seat < 2; seat++) {
        if (bg_board_count(&match->board, seat) != bg_board_count(&setup, seat)) {
            return "no checker appears or vanishes";
        }
    }
    if (match->on_roll != -1 && !is_written(match)) {
        return "a position is read as it was written";
    }
    if (match->turn != match->turns[0] + match->turns[1] || match->turns[0] > match->turns[1] + 1 ||
        match->turns[1] > match->turns[0] + 1) {
        return "turns alternate";
    }
    if (match->rules.turn_cap > 0 && match->turns[0] >= match->rules.turn_cap &&
        match->turns[1] >= match->rules.turn_cap && match->result.end == BG_END_NONE) {
        return "no game passes the cap";
    }
    return NULL;
}

static const char *law_of_cube(const struct bg_match *match)
{
    bool none = !match->rules.cube || match->crawford_game || match->rules.length_points == 1;

    if (match->cube_log2 < 0 || match->cube_log2 > BG_CUBE_LOG2_MAX) {
        return "the cube has a limit";
    }
    if (match->cube_owner < BG_CENTRED || match->cube_owner > 1) {
        return "the cube is centred or somebody's";
    }
    if (none && (match->cube_log2 != 0 || match->cube_owner != BG_CENTRED)) {
        return "a game without cube leaves it alone";
    }
    if (match->cube_turned != (match->cube_owner != BG_CENTRED)) {
        return "a cube that was turned has an owner";
    }
    if (match->cube_owner == BG_CENTRED && match->cube_log2 != match->auto_doubles) {
        return "a centred cube grows by automatic doubles only";
    }
    return match->auto_doubles > match->rules.auto_doubles ? "automatic doubles have a maximum"
                                                           : NULL;
}

static const char *law_of_score(const struct bg_match *match)
{
    const struct bg_result *result = &match->result;
    int length = match->rules.length_points;
    bool reached = length > 0 && (match->score[0] >= length || match->score[1] >= length);

    if (result->points != (int64_t)result->level << match->cube_log2 || result->level < 0 ||
        result->level > LEVEL_MAX || (result->winner == -1) != (result->points == 0)) {
        return "points are the level times the cube";
    }
    if (reached && (match->need.kind != BG_NEED_NOTHING || match->match_winner == -1 ||
                    match->score[match->match_winner] < length)) {
        return "a match ends when its length is reached";
    }
    if (match->drawn_games < 0 || match->drawn_games > BG_DRAWN_GAMES ||
        (match->drawn_games > 0 && match->last_winner != -1)) {
        return "drawn games are counted one after the other";
    }
    if (length > 0 && match->drawn_games == BG_DRAWN_GAMES &&
        (match->need.kind != BG_NEED_NOTHING || match->match_winner != -1)) {
        return "so many drawn games end a match, drawn";
    }
    if (length > 0 && !reached && match->need.kind == BG_NEED_NOTHING &&
        match->drawn_games < BG_DRAWN_GAMES &&
        !(result->end == BG_END_FAULT &&
          (match->rules.fault_match || result->fault == BG_FAULT_GONE ||
           (match->rules.flag_match && result->fault == BG_FAULT_LATE)))) {
        return "a match does not end before";
    }
    if (length == 0 && match->result.end != BG_END_NONE &&
        (match->need.kind != BG_NEED_NOTHING || match->match_winner != result->winner)) {
        return "a money game stands alone";
    }
    if (match->crawford_game && match->crawford_done) {
        return "the crawford game is now or past";
    }
    if (match->resign_offers > BG_OFFERS_MAX || match->resign_level > LEVEL_MAX) {
        return "three offers are the most";
    }
    return NULL;
}

const char *laws_of_state(const struct bg_match *match)
{
    const char *law = law_of_need(match);

    law = law == NULL ? law_of_board(match) : law;
    law = law == NULL ? law_of_cube(match) : law;
    return law == NULL ? law_of_score(match) : law;
}

/* ---- laws of a step ---- */

static int other(int seat)
{
    return seat == 0 || seat == 1 ? 1 - seat : seat;
}

static void mirror_match(struct bg_match *out, const struct bg_match *match)
{
    *out = *match;
    bg_board_swap(&out->board, &match->board);
    out->need.seat = other(match->need.seat);
    if (match->resign_need.kind != BG_NEED_NOTHING) {
        out->resign_need.seat = other(match->resign_need.seat);
    }
    for (int seat = 0; seat < 2; seat++) {
        out->score[seat] = match->score[1 - seat];
        out->turns[seat] = match->turns[1 - seat];
        out->rolls[seat] = match->rolls[1 - seat];
        out->doubles[seat] = match->doubles[1 - seat];
    }
    for (int i = 0; i < match->passes; i++) {
        out->pass[i].seat = (int8_t)other(match->pass[i].seat);
        out->pass[i].turns[0] = match->pass[i].turns[1];
        out->pass[i].turns[1] = match->pass[i].turns[0];
    }
    out->began = other(match->began);
    out->on_roll = other(match->on_roll);
    out->cube_owner = other(match->cube_owner);
    out->doubler = other(match->doubler);
    out->last_winner = other(match->last_winner);
    out->match_winner = other(match->match_winner);
    out->result.winner = other(match->result.winner);
}

static void mirror_step(struct bg_step *out, const struct bg_step *step,
                        const struct bg_rules *rules)
{
    bool sums = rules->opening == BG_OPENING_SUM_PLAY || rules->opening == BG_OPENING_SUM_REROLL;
    int dice = sums ? 2 : 1;

    *out = *step;
    out->seat = other(step->seat);
    if (step->kind == BG_STEP_OPEN) {
        for (int i = 0; i < 2 * dice; i++) {
            out->die[i] = step->die[(i + dice) % (2 * dice)];
        }
    }
}

static const char *law_of_play(const struct bg_match *before, const struct bg_step *step,
                               const struct bg_match *after)
{
    struct bg_match quick = *before;
    struct bg_board result;

    if (bg_play_check(&result, before->rules.variant, &before->board, step->seat, &before->stage,
                      &step->play) != BG_RULE_NONE) {
        return "a play is legal for the machine when it is for the checker";
    }
    bg_match_play_result(&quick, &result);
    return memcmp(&quick, after, sizeof quick) == 0 ? NULL
                                                    : "the quick way of plays equals the slow one";
}

const char *laws_of_step(struct bg_match *match, const struct bg_step *step, enum bg_rule *broken)
{
    struct bg_match before = *match;
    struct bg_match mirrored, expected;
    struct bg_step reflection;

    *broken = bg_match_step(match, step);
    if (*broken != BG_RULE_NONE && memcmp(&before, match, sizeof before) != 0) {
        return "an illegal step changes nothing";
    }
    mirror_match(&mirrored, &before);
    mirror_step(&reflection, step, &before.rules);
    if (bg_match_step(&mirrored, &reflection) != *broken) {
        return "exchanged seats have the same verdict";
    }
    mirror_match(&expected, match);
    if (memcmp(&mirrored, &expected, sizeof expected) != 0) {
        return "exchanged seats have the mirrored outcome";
    }
    if (*broken == BG_RULE_NONE && step->kind == BG_STEP_PLAY) {
        const char *law = law_of_play(&before, step, match);

        if (law != NULL) {
            return law;
        }
    }
    return laws_of_state(match);
}
