/* Complete games of every kind of turn, with the options that change turns, ends and scores. The
 * next stage and its seat, the end of a game and its value are computed a second time from
 * docs/rules.md and compared with the match machine at every decision. support/plays_plain.h gives
 * the results of a stage. */
#include <bgref/match.h>
#include <bgref/notation.h>
#include <bgref/variant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/match_laws.h"
#include "support/random_board.h"
#include "support/suite.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

enum { GAMES = 6, TURNS_MAX = 300, QUEUE = 6, NOBODY = -1 };

static const char *const games[] = {
    "backgammon",
    "hypergammon",
    "long-nardi",
    "long-nardi:koks=on",
    "long-nardi:equal-turns=on",
    "portes",
    "plakoto",
    "plakoto:mother=1",
    "plakoto:mother=3,bear-pinned=on",
    "fevga",
    "moultezim",
    "gul",
    "gul:handover=off",
    "gulbara",
    "gulbara:grace=global",
    "gulbara:grace=none",
    "gulbara:grace=none,handover=off",
    "gulbara:block=nardi,head=1,bear=exact",
    "tapa",
    "tapa:mother=2",
    "tavla",
    "acey-deucey",
    "acey-deucey:doubles-again=off",
    "acey-deucey:score=single",
    "asodio",
    "asodio:gate=always",
    "russian",
    "russian:first-double=plain",
    "russian:21=wild",
    "russian:21=wild,first-double=plain,enter-all=on",
    "old-english",
    "misere",
    "tabula",
    "tabula:way=common",
    "tabula:score=gammon",
    "tabula:score=backgammon,way=common",
    "irish",
    "irish:score=gammon",
    "dutch",
    "shuanglu",
    "kiz-tavlasi",
    "kiz-tavlasi:score=gammon",
    "hoyle-1870",
    "xii-scripta",
    "nard",
    "nard:way=parallel",
};

/* A game as modelled in this file, and the machine that plays the same. */
static struct {
    const char *text;
    struct plain_game game;
    uint64_t random;
    struct bg_match match;
    struct bg_board board;
    int began, turns[2], rolls, doubles[2];
    struct plain_stage carried[QUEUE]; /* the previous seat's unplayed numbers */
    int carries;
    bool last_turn; /* the score to equal */
    bool over;
    int winner;
    int64_t points;
} now;

static struct plain_list plain;
static struct bg_play_list list;

static int below(int limit)
{
    return laws_below(&now.random, limit);
}

static bool is_game(const char *id)
{
    return strcmp(now.game.id, id) == 0;
}

static bool has(const char *option)
{
    return strstr(now.text, option) != NULL;
}

static const char *situation(void)
{
    static char text[BG_POSITION_TEXT + 160];
    char position[BG_POSITION_TEXT];

    bg_position_text_write(position, now.match.rules.variant, &now.board, now.match.on_roll & 1);
    snprintf(text, sizeof text, "%s after %d and %d turns, %s, need %s of %d", now.text,
             now.turns[0], now.turns[1], position, bg_need_name(now.match.need.kind),
             now.match.need.seat);
    return text;
}

/* ---- ends ---- */

static int on(int seat, int first, int last)
{
    int count = 0;

    for (int n = first; n <= last; n++) {
        count += now.board.at[seat][n];
    }
    return count;
}

/* Checkers of loser on the winner's points 1 to 6. */
static int in_winners_home(int loser)
{
    int count = 0;

    for (int n = 1; n <= 6; n++) {
        count += now.board.at[loser][plain_opponent_point(&now.game, n)];
    }
    return count;
}

/* G9 and the scores of section 7. */
static int worth(int loser)
{
    static const char *const triple[] = {"backgammon", "nackgammon",  "hypergammon", "short-nardi",
                                         "russian",    "old-english", "dutch",       "hoyle-1870"};
    static const char *const single[] = {"misere",   "tabula",      "irish",
                                         "shuanglu", "kiz-tavlasi", "xii-scripta"};
    const uint8_t *at = now.board.at[loser];

    if (is_game("acey-deucey")) {
        return has("score=single") ? 1 : now.game.checkers - at[BG_OFF];
    }
    for (int i = 0; i < COUNT(single); i++) {
        if (is_game(single[i]) && !has("score=gammon") && !has("score=backgammon")) {
            return 1;
        }
    }
    if (at[BG_OFF] > 0) {
        return 1;
    }
    for (int i = 0; i < COUNT(triple); i++) {
        if ((is_game(triple[i]) || has("score=backgammon")) &&
            (at[BG_BAR] + at[BG_HAND] > 0 ||
             (now.game.way == PLAIN_COMMON ? on(loser, 19, 24) : in_winners_home(loser)) > 0)) {
            return 3;
        }
    }
    return has("koks=on") && on(loser, 19, 24) > 0 ? 3 : 2;
}

static void end_game(int winner, int64_t points)
{
    now.over = true;
    now.winner = winner;
    now.points = winner == NOBODY ? 0 : points;
}

static bool is_pinned_mother(int seat)
{
    return (now.board.pinned[seat] >> 24 & 1) != 0;
}

/* G9, V7.1, V18.1 after a stage of seat; V4's equal turns. */
static void look_for_end(int seat)
{
    const bool mothers[2] = {is_pinned_mother(0), is_pinned_mother(1)};
    const int points = is_game("plakoto") && has("mother=1") ? 1 : has("mother=3") ? 3 : 2;

    if (now.board.at[seat][BG_OFF] == now.game.checkers) {
        if (now.last_turn) {
            end_game(NOBODY, 0);
        } else if (has("equal-turns=on") && seat == now.began) {
            now.last_turn = true;
        } else if (is_game("misere")) {
            end_game(1 - seat, 1);
        } else {
            end_game(seat, worth(1 - seat));
        }
    } else if (now.game.mother && mothers[0] && mothers[1]) {
        end_game(NOBODY, 0);
    } else if (now.game.mother && mothers[0] && now.board.at[1][24] == 0) {
        end_game(1, points);
    } else if (now.game.mother && mothers[1] && now.board.at[0][24] == 0) {
        end_game(0, points);
    }
}

static bool can_move(int seat)
{
    for (int n = 1; n <= 6; n++) {
        const struct plain_stage stage = {1, {n}};

        plays_plain(&plain, &now.game, &now.board, seat, &stage);
        if (plain.count > 0) {
            return true;
        }
    }
    return false;
}

/* ---- stages ---- */

static bool same_stage(const struct bg_stage *stage, const struct plain_stage *numbers)
{
    int count = 0;

    for (int part = 0; part < stage->parts; part++) {
        int times = 0;

        for (int i = 0; i < numbers->count; i++) {
            times += numbers->number[i] == stage->part[part].number;
        }
        if (times != stage->part[part].times) {
            return false;
        }
        count += times;
    }
    return count == numbers->count;
}

/* The numbers that G6 did not require. */
static struct plain_stage rest_of(const struct plain_stage *stage)
{
    struct plain_stage left = {0};
    int sum = 0;

    if (plain.count == 0) {
        return *stage;
    }
    for (int i = 0; i < stage->count; i++) {
        sum += stage->number[i];
    }
    if (stage->count == 2 && plain.most == 1) {
        left = (struct plain_stage){1, {sum - plain.sum}};
    } else {
        left = *stage;
        left.count -= plain.most;
    }
    return left;
}

/* The seat plays the stage; the machine asks for it if anything can be played. Returns true if no
 * number is left; then the game may be over. */
static bool play(int seat, const struct plain_stage *stage, struct plain_stage *left)
{
    struct bg_step step = {.kind = BG_STEP_PLAY, .seat = seat};

    plays_plain(&plain, &now.game, &now.board, seat, stage);
    *left = rest_of(stage);
    if (plain.count == 0) {
        return false;
    }
    ck_assert_msg(now.match.need.kind == BG_NEED_PLAY && now.match.need.seat == seat &&
                      same_stage(&now.match.stage, stage),
                  "%s: seat %d plays %d numbers, %d first", situation(), seat, stage->count,
                  stage->number[0]);
    ck_assert_msg(bg_board_equal(&now.match.board, &now.board), "%s: the board", situation());
    bg_play_list(&list, now.match.rules.variant, &now.board, seat, &now.match.stage);
    ck_assert_uint_gt(list.count, 0);
    step.play = list.play[below((int)list.count)];
    bg_play_make(&now.board, now.match.rules.variant, &now.board, seat, &step.play);
    ck_assert_msg(plain_has(&plain, &now.board), "%s: the play", situation());
    ck_assert_int_eq(bg_match_step(&now.match, &step), BG_RULE_NONE);
    look_for_end(seat);
    return left->count == 0;
}

/* Like play, for games without a rest of numbers. */
static bool plays_all(int seat, const struct plain_stage *stage)
{
    struct plain_stage left;

    return play(seat, stage, &left) && !now.over;
}

static bool plays_four(int seat, int number)
{
    const struct plain_stage stage = {4, {number, number, number, number}};

    return plays_all(seat, &stage);
}

static int name(int seat)
{
    const struct bg_step step = {
        .kind = BG_STEP_NAME, .seat = seat, .level = (uint8_t)(1 + below(6))};

    ck_assert_msg(now.match.need.kind == BG_NEED_NAME && now.match.need.seat == seat,
                  "%s: seat %d names a double", situation(), seat);
    ck_assert_int_eq(bg_match_step(&now.match, &step), BG_RULE_NONE);
    return step.level;
}

/* More doubles and 21 than real dice have. */
static struct plain_stage roll(int seat)
{
    int die[3] = {1 + below(6), 1 + below(6), 1 + below(6)};
    struct bg_step step = {.kind = BG_STEP_ROLL, .seat = seat};

    if (below(3) == 0) {
        die[1] = die[0];
    } else if (below(6) == 0) {
        die[0] = 1;
        die[1] = 2;
    }
    ck_assert_msg(now.match.need.kind == BG_NEED_ROLL && now.match.need.seat == seat,
                  "%s: seat %d rolls", situation(), seat);
    for (int i = 0; i < now.game.dice; i++) {
        step.die[i] = (uint8_t)die[i];
    }
    ck_assert_int_eq(bg_match_step(&now.match, &step), BG_RULE_NONE);
    now.rolls++;
    return plain_stage_roll(&now.game, die[0], die[1], die[2]);
}

/* ---- turns ---- */

static void carry(const struct plain_stage *stage)
{
    if (!has("handover=off")) {
        now.carried[now.carries++] = *stage;
    }
}

/* V10.1, V10.2, V11.1. */
static void turn_escalating(int seat)
{
    const bool grace = is_game("gulbara") && !has("grace=none") &&
                       (has("grace=global") ? now.rolls < 3 : now.turns[seat] < 3);
    struct plain_stage stage = roll(seat), left;

    if (stage.count < 4) {
        if (!play(seat, &stage, &left) && !now.over) {
            carry(&left);
        }
        return;
    }
    for (int number = stage.number[0];; number++) {
        const bool all = play(seat, &stage, &left);
        const int last = grace ? number : 6;

        if (now.over || (all && number == last)) {
            return;
        }
        stage = (struct plain_stage){4, {number + 1, number + 1, number + 1, number + 1}};
        if (!all) {
            carry(&left);
            for (int higher = number + 1; higher <= last; higher++) {
                carry(&(struct plain_stage){4, {higher, higher, higher, higher}});
            }
            return;
        }
    }
}

static bool is_21(const struct plain_stage *stage)
{
    return stage->count == 2 && stage->number[0] + stage->number[1] == 3;
}

/* V14.1. */
static void turn_acey(int seat)
{
    for (bool again = true; again;) {
        const struct plain_stage stage = roll(seat);

        again = plays_all(seat, &stage);
        if (again && is_21(&stage)) {
            again = plays_four(seat, name(seat));
        } else if (again) {
            again = stage.count == 4 && !has("doubles-again=off");
        }
    }
}

/* V15.2, V16.2. */
static void turn_complement(int seat)
{
    const bool names = is_game("asodio") || has("21=wild");

    for (bool again = true; again;) {
        const struct plain_stage stage = roll(seat);
        const bool is_double = stage.count == 4;
        int number = stage.number[0];

        now.doubles[seat] += is_double;
        again = plays_all(seat, &stage);
        if (again && is_21(&stage) && names) {
            number = name(seat);
            again = plays_four(seat, number) && plays_four(seat, 7 - number);
        } else if (again && is_double && !(has("first-double=plain") && now.doubles[seat] == 1)) {
            again = plays_four(seat, 7 - number);
        } else {
            again = false;
        }
    }
}

static void play_carried(int seat)
{
    struct plain_stage queue[QUEUE], left;
    const int count = now.carries;

    memcpy(queue, now.carried, sizeof queue);
    now.carries = 0;
    for (int i = 0; i < count && !now.over; i++) {
        if (!play(seat, &queue[i], &left)) {
            return;
        }
    }
}

static void take_turn(int seat)
{
    play_carried(seat);
    if (!now.over && !now.last_turn && !can_move(seat) && !can_move(1 - seat)) { /* G10 */
        end_game(NOBODY, 0);
    }
    if (now.over) {
        return;
    }
    if (is_game("gul") || is_game("gulbara")) {
        turn_escalating(seat);
    } else if (is_game("acey-deucey")) {
        turn_acey(seat);
    } else if (is_game("asodio") || is_game("russian")) {
        turn_complement(seat);
    } else {
        const struct plain_stage stage = roll(seat);

        plays_all(seat, &stage);
    }
}

/* V11: the flag t is set when the side changes. V4: a seat that could not equal has lost. */
static void close_turn(int seat)
{
    now.turns[seat]++;
    if (is_game("gulbara") && now.board.turns[seat] < 3) {
        now.board.turns[seat]++;
    }
    if (now.last_turn && seat != now.began) {
        end_game(now.began, worth(seat));
    }
}

/* From the set-up, or from random positions if a game may begin so. */
static void begin(int game)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find(now.text), 0);
    struct bg_start start = {.cube_owner = -1, .on_roll = game & 1};

    rules.cube = rules.jacoby = false;
    do {
        random_board(&start.board, &now.game, &now.random);
        if (game < 3) {
            plain_setup(&start.board, &now.game);
        }
    } while (bg_match_begin_at(&now.match, &rules, &start, NULL) != BG_OK);
    now.board = start.board;
    now.began = start.on_roll;
    now.rolls = now.carries = 0;
    memset(now.turns, 0, sizeof now.turns);
    memset(now.doubles, 0, sizeof now.doubles);
    now.last_turn = now.over = false;
}

TEST_ROWS(games_follow_the_plain_rules, games)
{
    int ended = 0;

    now.text = games[_i];
    now.random = (uint64_t)_i + 1;
    ck_assert_msg(plain_game_read(&now.game, now.text), "%s", now.text);
    for (int game = 0; game < GAMES * suite_factor(); game++) {
        int seat = game & 1;

        begin(game);
        for (int turn = 0; turn < TURNS_MAX && !now.over; turn++) {
            take_turn(seat);
            if (!now.over) {
                close_turn(seat);
            }
            seat = 1 - seat;
        }
        ck_assert_msg((now.match.result.end != BG_END_NONE) == now.over, "%s: over", situation());
        ck_assert_msg(!now.over || (now.match.result.winner == now.winner &&
                                    now.match.result.points == now.points),
                      "%s: won by %d with %lld, not by %d with %lld", situation(),
                      now.match.result.winner, (long long)now.match.result.points, now.winner,
                      (long long)now.points);
        ended += now.over;
    }
    ck_assert_msg(ended > GAMES * suite_factor() / 3, "%s: only %d games ended", now.text, ended);
}

void suite_begin(TCase *tests)
{
    tcase_set_timeout(tests, 0);
}
