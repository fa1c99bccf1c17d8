/* A board as picture, or as sentences for a screen reader: both from the same ask, so neither
 * can know more than the other. */
#include "show.h"

#include "../common/story.h"

#include <bgref/notation.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DRAWING = 4096, SHOWN_MAX = 60, BOARD_COLUMNS = 44 };

/* A Match ID has 15 bits for a score, and money play has no end. */
static int small(int64_t score)
{
    return score > 32767 ? 32767 : (int)score;
}

/* Dice are shown apart, because a Match ID has room for two only. */
static struct bg_match_id id_of_ask(const struct bg_ask *ask)
{
    return (struct bg_match_id){.cube_log2 = ask->cube_log2,
                                .cube_owner = ask->cube_owner,
                                .turn = ask->kind == BG_DECIDE_RESIGNATION ? 1 : 0,
                                .move = 0,
                                .crawford = ask->crawford_game,
                                .jacoby = ask->rules.jacoby && ask->rules.cube,
                                .length = ask->rules.length_points,
                                .score = {small(ask->score[0]), small(ask->score[1])},
                                .state = 1};
}

/* What a game keeps beside the places of the checkers; see board.h. */
static void say_special(struct console *console, const struct bg_board *board, int seat)
{
    for (int slot = 6; slot >= 1; slot--) {
        if (board->stacked[seat][slot] > 0) {
            console_say(console, " %d stacked on %d.", board->stacked[seat][slot], slot);
        }
    }
    if (board->turns[seat] > 0) {
        console_say(console, " %d turn%s played.", board->turns[seat],
                    board->turns[seat] == 1 ? "" : "s");
    }
    if (board->may_hit[seat] > 0) {
        console_say(console, " May hit.");
    }
}

static void say_side(struct console *console, const struct bg_ask *ask, int seat)
{
    const struct bg_variant *variant = ask->rules.variant;

    console_say(console, "%s: %d pips.", seat == 0 ? "You" : "Opponent",
                bg_variant_pips(variant, &ask->board, seat));
    for (int slot = BG_SLOTS - 1; slot >= 0; slot--) {
        const int count = ask->board.at[seat][slot];

        if (count == 0) {
            continue;
        }
        if (slot == BG_OFF) {
            console_say(console, " %d off.", count);
        } else if (slot == BG_BAR) {
            console_say(console, " %d on the bar.", count);
        } else if (slot == BG_HAND) {
            console_say(console, " %d in hand.", count);
        } else {
            int own = seat == 0 ? slot : bg_variant_opponent_slot(variant, slot);

            console_say(console, " %d on %d%s.", count, own >= BG_FAR ? own - 2 : own,
                        (ask->board.pinned[seat] >> slot & 1) != 0 ? ", one pinned" : "");
        }
    }
    say_special(console, &ask->board, seat);
    console_say(console, "\n");
}

static void say_state(struct console *console, const struct bg_ask *ask)
{
    console_say(console, "Score %lld to %lld", (long long)ask->score[0], (long long)ask->score[1]);
    if (ask->rules.length_points > 0) {
        console_say(console, ", match to %d", ask->rules.length_points);
    } else {
        console_say(console, ", money%s", ask->rules.jacoby && ask->rules.cube ? ", Jacoby" : "");
    }
    if (ask->rules.cube && !ask->crawford_game) {
        console_say(console, ". Cube %llu, %s", 1ULL << ask->cube_log2,
                    ask->cube_owner == BG_CENTRED ? "in the middle"
                    : ask->cube_owner == 0        ? "yours"
                                                  : "the opponent's");
    }
    console_say(console, "%s.\n", ask->crawford_game ? ". Crawford game" : "");
}

static void clock_text(char out[24], int64_t left_ns)
{
    const int64_t left = left_ns < 0 ? 0 : left_ns / 1000000000;

    if (left >= 3600) {
        snprintf(out, 24, "%" PRId64 ":%02" PRId64 ":%02" PRId64, left / 3600, left / 60 % 60,
                 left % 60);
    } else {
        snprintf(out, 24, "%" PRId64 ":%02" PRId64, left / 60, left % 60);
    }
}

void show_time(struct console *console, const struct bg_ask *ask, int64_t passed_ns)
{
    char own[24], opponent[24], rest[24];
    const int64_t used = passed_ns > ask->delay_ns[0] ? passed_ns - ask->delay_ns[0] : 0;

    clock_text(rest, ask->ceiling_ns - passed_ns);
    if (ask->kind == BG_DECIDE_DICE) {
        console_say(console, "The clocks stand still while dice are entered.\n");
    } else if (ask->has_clock) {
        clock_text(own, ask->left_ns[0] - used);
        clock_text(opponent, ask->left_ns[1]);
        console_say(console, "Time left: you %s, opponent %s.\n", own, opponent);
    } else if (passed_ns > 0) {
        console_say(console, "There are no clocks; this decision has %s left.\n", rest);
    }
}

static void say_position(struct console *console, const struct bg_ask *ask)
{
    say_side(console, ask, 0);
    say_side(console, ask, 1);
    say_state(console, ask);
}

/* Shows the board, and below it what stands beside it on a wider terminal. */
static void draw_narrow(struct console *console, const char *drawing)
{
    for (int beside = 0; beside <= 1; beside++) {
        for (const char *line = drawing; *line != '\0'; line += strcspn(line, "\n") + 1) {
            const int length = (int)strcspn(line, "\n");
            const int board = length < BOARD_COLUMNS ? length : BOARD_COLUMNS;

            if (!beside) {
                console_say(console, "%.*s\n", board, line);
            } else if (length > board) {
                console_say(console, "%.*s\n", length - board, line + board);
            }
        }
    }
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;

    for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
        const size_t length = strcspn(text, "\n");

        longest = length > longest ? length : longest;
    }
    return longest;
}

static void draw_ask(struct console *console, const struct bg_ask *ask)
{
    struct bg_match_id state = id_of_ask(ask);
    char drawing[DRAWING];
    const size_t columns = console_columns(console);

    bg_board_draw(drawing, sizeof drawing, ask->rules.variant, &ask->board, &state, 0);
    /* A board whose lines wrap cannot be read: what stands beside it goes below, and where even
     * that has no room, sentences say the position. */
    if (columns >= longest_line(drawing)) {
        console_say(console, "%s", drawing);
    } else if (columns >= BOARD_COLUMNS) {
        draw_narrow(console, drawing);
    } else {
        console_say(console, "The board needs %d columns; this terminal has %zu.\n", BOARD_COLUMNS,
                    columns);
        say_position(console, ask);
    }
}

void show_ask(struct console *console, const struct bg_ask *ask, bool plain)
{
    console_say(console, "\n");
    if (plain) {
        say_position(console, ask);
    } else {
        draw_ask(console, ask);
    }
    show_time(console, ask, 0);
}

/* The dice of a play; a double is one number of the stage. */
static void note_dice(struct bg_match_id *state, const struct bg_ask *ask)
{
    if (ask->kind == BG_DECIDE_PLAY && ask->stage.parts > 0) {
        state->dice[0] = ask->stage.part[0].number;
        state->dice[1] = ask->stage.part[ask->stage.parts > 1 ? 1 : 0].number;
    }
}

/* In an XGID seat 1 is the bottom player: there it is the person. */
static enum bg_status xgid(char out[BG_XGID], const struct bg_ask *ask,
                           const struct bg_match_id *state, struct bg_error *err)
{
    struct bg_match_id turned = *state;
    struct bg_board board;

    bg_board_swap(&board, &ask->board);
    turned.turn = 1 - state->turn;
    turned.move = 1 - state->move;
    turned.cube_owner = state->cube_owner < 0 ? -1 : 1 - state->cube_owner;
    turned.score[0] = state->score[1];
    turned.score[1] = state->score[0];
    return bg_xgid_write(out, &board, &turned, err);
}

void show_id(struct console *console, const struct bg_ask *ask)
{
    const bool doubled = ask->kind == BG_DECIDE_TAKE;
    struct bg_match_id state = id_of_ask(ask);
    char position[BG_POSITION_TEXT], match[BG_MATCH_ID], text[BG_XGID];
    struct bg_error err;

    if (ask->kind == BG_DECIDE_RAISE || /* which the others have no place for */
        strcmp(bg_variant_id(ask->rules.variant), "backgammon") != 0) {
        bg_position_text_write(position, ask->rules.variant, &ask->board, 0);
        console_say(console, "%s\n", position);
        return;
    }
    note_dice(&state, ask);
    state.doubled = doubled;
    state.move = doubled || ask->kind == BG_DECIDE_RESIGNATION ? 1 : 0;
    state.resigned = ask->kind == BG_DECIDE_RESIGNATION ? ask->resign_level : 0;
    state.beavers = ask->rules.beavers;
    bg_position_id_write(position, &ask->board, state.move);
    if (xgid(text, ask, &state, &err) == BG_OK) {
        console_say(console, "%s\n", text);
    }
    if (bg_match_id_write(match, &state, &err) == BG_OK) {
        console_say(console, "GNU Backgammon ID: %s:%s\n", position, match);
    } else {
        console_say(console, "Position ID: %s\n", position);
    }
}

/* Asks for dice that people roll; from the second time on with what the other operator said. */
static void ask_dice(struct console *console, const struct bg_ask *ask)
{
    static const char *const numbers[] = {"", "number", "two numbers", "three numbers",
                                          "four numbers"};
    char dice[ENTRY_DICE];

    if (ask->entered[0] == 0) {
        console_ask(console, "%sRoll your %s. Which %s? ", ask->opening_dice ? "The opening. " : "",
                    ask->dice == 1 ? "die" : "dice", numbers[ask->dice]);
        return;
    }
    entry_dice_write(dice, ask->entered, ask->dice);
    if (ask->disagreements > 0) {
        console_say(
            console,
            "You two do not agree on this roll (%d so far). Look at the dice together; if you "
            "go on to disagree, the game is held until the director has looked.\n",
            ask->disagreements);
    }
    console_ask(console, "%s: the other operator sees %s. yes, or what you see: ",
                !ask->opening_dice ? (ask->own_dice ? "Your roll" : "The opponent's roll")
                : ask->own_dice    ? "Your opening roll"
                                   : "The opponent's opening roll",
                dice);
}

static void ask_resignation(struct console *console, const struct bg_ask *ask)
{
    static const char *const names[] = {"", "a single game", "a gammon", "a backgammon"};

    if (bg_variant_level_max(ask->rules.variant) > 3 || ask->resign_level < 1 ||
        ask->resign_level > 3) {
        console_ask(console, "The opponent resigns and offers %d point%s. accept or refuse? ",
                    ask->resign_level, ask->resign_level == 1 ? "" : "s");
    } else {
        console_ask(console, "The opponent resigns %s. accept or refuse? ",
                    names[ask->resign_level]);
    }
}

void show_question(struct console *console, const struct bg_ask *ask)
{
    char dice[STORY_STAGE];

    story_stage_write(dice, &ask->stage);
    switch (ask->kind) {
    case BG_DECIDE_DOUBLE:
        console_ask(console, "roll, double or resign? ");
        break;
    case BG_DECIDE_TAKE:
        console_ask(console, "The opponent doubles to %llu. take%s or drop? ",
                    2ULL << ask->cube_log2, ask->may_raise ? ", beaver" : "");
        break;
    case BG_DECIDE_RAISE:
        console_ask(console, "The opponent turns the cube once more. take%s or drop? ",
                    ask->may_raise ? ", raise" : "");
        break;
    case BG_DECIDE_PLAY:
        console_ask(console, "You rolled %s. Your play (? lists them)? ", dice);
        break;
    case BG_DECIDE_KEEP:
        console_ask(console, "The opening numbers are %s. keep or reroll? ", dice);
        break;
    case BG_DECIDE_NAME:
        console_ask(console, "Name a double, 1 to 6: ");
        break;
    case BG_DECIDE_RESIGNATION:
        ask_resignation(console, ask);
        break;
    case BG_DECIDE_DICE:
        ask_dice(console, ask);
        break;
    default:
        break;
    }
}

void show_plays(struct console *console, const struct bg_ask *ask, const char *part)
{
    static struct bg_play_list plays;
    size_t shown = 0, fitting = 0;

    bg_ask_plays(&plays, ask);
    bg_play_list_sort(&plays, ask->rules.variant, &ask->board, 0);
    for (size_t i = 0; i < plays.count; i++) {
        char text[BG_PLAY_TEXT];

        bg_play_write(text, ask->rules.variant, &ask->board, 0, &plays.play[i]);
        if (strstr(text, part) != NULL) {
            fitting++;
            if (shown < SHOWN_MAX) {
                console_say(console, "  %s\n", text);
                shown++;
            }
        }
    }
    if (fitting > shown) {
        console_say(console, "  and %zu more; ? 13/ lists those with 13/\n", fitting - shown);
    } else if (fitting == 0) {
        console_say(console, "  no legal play has that\n");
    }
}
