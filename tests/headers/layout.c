/* Prints the offsets of the public structs' members, one per line; check_soname.sh compares those
 * of the first headers of this BG_ABI with today's. "grows": only the size may change; "fixed":
 * nothing may. */
#include <bgref/bot.h>
#include <bgref/cube.h>
#include <bgref/dice.h>
#include <bgref/notation.h>
#include <bgref/run.h>

#include <stdio.h>

#define AT(type, member)                                                                           \
    printf("%s.%s %zu %zu\n", #type, #member, offsetof(struct type, member),                       \
           sizeof(((struct type *)0)->member))
#define FIXED(type) printf("fixed %s %zu\n", #type, sizeof(struct type))

static void asks(void)
{
    AT(bg_ask, decision), AT(bg_ask, game), AT(bg_ask, kind), AT(bg_ask, rules);
    AT(bg_ask, board), AT(bg_ask, stage), AT(bg_ask, seat), AT(bg_ask, cube_log2);
    AT(bg_ask, cube_owner), AT(bg_ask, score), AT(bg_ask, crawford_game);
    AT(bg_ask, post_crawford), AT(bg_ask, may_raise), AT(bg_ask, raise);
    AT(bg_ask, resign_level), AT(bg_ask, refused_level), AT(bg_ask, turn), AT(bg_ask, has_clock);
    AT(bg_ask, left_ns), AT(bg_ask, ceiling_ns), AT(bg_ask, opponent), AT(bg_ask, bot_seed);
    AT(bg_ask, result_count), AT(bg_ask, results), AT(bg_ask, played);
    AT(bg_ask_played, roll), AT(bg_ask_played, board);
}

static void sized(void)
{
    AT(bg_bot_info, size), AT(bg_bot_info, name), AT(bg_bot_info, version);
    AT(bg_bot_info, author), AT(bg_bot_info, variants), AT(bg_bot_info, options);
    AT(bg_bot_info, option_count), AT(bg_bot_info, max_in_flight), AT(bg_bot_info, stateful);
    AT(bg_bot_info, want_plays), AT(bg_bot_info, prepare), AT(bg_bot_info, user);
    AT(bg_bot_info, evaluates), AT(bg_bot_info, option_size);
    AT(bg_option, name), AT(bg_option, type), AT(bg_option, value), AT(bg_option, min);
    AT(bg_option, max), AT(bg_option, choices), AT(bg_option, help);
    AT(bg_callbacks, size), AT(bg_callbacks, start), AT(bg_callbacks, play);
    AT(bg_callbacks, doubles), AT(bg_callbacks, take), AT(bg_callbacks, raise);
    AT(bg_callbacks, keeps), AT(bg_callbacks, names), AT(bg_callbacks, accepts);
    AT(bg_callbacks, resigns), AT(bg_callbacks, value);
    AT(bg_value, size), AT(bg_value, kind), AT(bg_value, cannot), AT(bg_value, why);
    AT(bg_value, of.chances), AT(bg_value, of.rolls), AT(bg_value, of.cube);
}

static void values(void)
{
    FIXED(bg_rules), FIXED(bg_match), FIXED(bg_start); /* these grow into `reserved` */
    AT(bg_rules, variant), AT(bg_rules, length_points), AT(bg_rules, opening), AT(bg_rules, cube);
    AT(bg_rules, turn_cap), AT(bg_rules, next), AT(bg_rules, rotation), AT(bg_rules, cube_limit);
    AT(bg_rules, flag_match);
    AT(bg_match, board), AT(bg_match, need), AT(bg_match, stage), AT(bg_match, roll);
    AT(bg_match, score), AT(bg_match, on_roll), AT(bg_match, cube_log2), AT(bg_match, cube_owner);
    AT(bg_match, resign_level), AT(bg_match, crawford_game), AT(bg_match, match_winner);
    AT(bg_match, result), AT(bg_match, part), AT(bg_match, passes), AT(bg_match, pass);
    AT(bg_start, board), AT(bg_start, on_roll), AT(bg_start, score), AT(bg_start, cube_log2);
    AT(bg_start, game), AT(bg_start, by_next);
    FIXED(bg_board), FIXED(bg_roll), FIXED(bg_stage), FIXED(bg_move), FIXED(bg_play);
    FIXED(bg_play_list), FIXED(bg_need), FIXED(bg_step), FIXED(bg_result), FIXED(bg_pass);
    FIXED(bg_ask_result), FIXED(bg_chances), FIXED(bg_roll_values), FIXED(bg_cube_values);
    FIXED(bg_match_id), FIXED(bg_dice_key), FIXED(bg_dice_pair), FIXED(bg_error);
    AT(bg_step, kind), AT(bg_step, seat), AT(bg_step, die), AT(bg_step, level);
    AT(bg_step, fault), AT(bg_step, play), AT(bg_result, end), AT(bg_result, winner);
    AT(bg_result, level), AT(bg_result, points), AT(bg_result, fault), AT(bg_error, text);
    AT(bg_board, at), AT(bg_board, pinned), AT(bg_board, turns), AT(bg_board, may_hit);
}

static void numbers(void)
{
    printf("sizes %d %d %d %d %d %d\n", (int)BG_GAME_ID, (int)BG_OPPONENT, (int)BG_SLOTS,
           (int)BG_PLAYS_MAX, (int)BG_VALUE_WHY, (int)BG_ROLLS);
    printf("texts %d %d %d %d %d %d %d\n", (int)BG_POSITION_ID, (int)BG_MATCH_ID, (int)BG_XGID,
           (int)BG_POSITION_TEXT, (int)BG_PLAY_TEXT, (int)BG_STAGE_TEXT, (int)BG_KEY_HEX);
    printf("last %d %d %d %d %d %d %d %d\n", (int)BG_DECIDE_RESIGNATION, (int)BG_VALUE_CUBE,
           (int)BG_ANSWER_RESULT, (int)BG_E_MISMATCH, (int)BG_FAULT_MEMORY, (int)BG_RULE_STACKED,
           (int)BG_NEED_GAME, (int)BG_STEP_NEXT);
    printf("last %d %d %d %d %d\n", (int)BG_END_SPECIAL, (int)BG_PART_CARRY, (int)BG_OPTION_CHOICE,
           (int)BG_OPENING_WINNER, (int)BG_NEXT_ALTERNATE);
}

int main(void)
{
    asks();
    sized();
    values();
    numbers();
    return 0;
}
