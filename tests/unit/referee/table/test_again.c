/* The command that repeats a decision asks the same question: position, cube, score, dice, rules,
 * raises and offers to resign, at every decision of random matches.
 */
#define _GNU_SOURCE
#include <table/again.h>

#include <string.h>
#include <wordexp.h>

#include <check/posed.h>
#include <table/ask_answer.h>

#include "support/match_script.h"
#include "support/random_match.h"
#include "support/suite.h"

enum { STEPS = 1500, COMMAND = 4096 };

static const struct {
    const char *rules;
    int cube_limit;
    const char *expected; /* in at least one command */
} events[] = {
    {"money", 0, "--then 'resign "},
    {"money jacoby=0", 0, "jacoby=off"},
    {"money beavers raises=-1", 0, "--then 'double, raise, raise'"},
    {"money beavers", 4, "'beavers=on cube-limit=4'"},
    {"money cube=0", 0, "--rules cube=off"},
    {"match=5", 0, "refuse'"},
    {"match=5 crawford=0", 8, "'crawford=off cube-limit=8'"},
    {"match=7 cube=0 crawford=0", 0, "cube=off"},
    {"match=5 holland", 0, "holland=on"},
    {"money game=plakoto", 0, "--variant plakoto"},
    {"money game=nackgammon beavers raises=1", 0, "--then 'double, raise'"},
    {"match=3 game=hypergammon", 0, "--variant hypergammon XGID="},
    {"money game=plakoto cube=1", 0, "--state 'cube=2 owner=o"},
    {"money game=plakoto cube=1 auto=2", 0, "--state cube="},
    {"match=5 game=plakoto cube=1", 0, "score="},
    {"match=5 game=plakoto cube=1", 0, "crawford=past"},
    {"match=3 game=acey-deucey", 0, "--then name"},
    {"money game=asodio", 0, "--then name"},
    {"money opening=choice", 0, "--then 'open "},
    {"match=3 game=nackgammon opening=choice", 0, "--then 'open "},
    {"match=3 game=plakoto opening=choice", 0, "--then 'open "},
};

static void take_option(struct posed *posed, const char *name, const char *value)
{
    if (strcmp(name, "--dice") == 0) {
        posed->dice = value;
    } else if (strcmp(name, "--variant") == 0) {
        posed->variant = value;
    } else if (strcmp(name, "--rules") == 0) {
        posed->rules = value;
    } else if (strcmp(name, "--state") == 0) {
        posed->state = value;
    } else if (strcmp(name, "--then") == 0) {
        posed->then = value;
    } else {
        ck_assert_str_eq(name, "--game");
        ck_assert_str_eq(value, "id|1");
    }
}

static void read_command(struct bg_match *out, const char *command)
{
    struct posed posed = {.position = NULL};
    wordexp_t words;

    ck_assert_int_eq(wordexp(command, &words, WRDE_NOCMD | WRDE_UNDEF), 0);
    ck_assert_str_eq(words.we_wordv[2], "./my bot");
    for (size_t i = 3; i < words.we_wordc; i++) {
        if (strncmp(words.we_wordv[i], "--", 2) == 0 && strchr(words.we_wordv[i], '|') == NULL) {
            take_option(&posed, words.we_wordv[i], words.we_wordv[i + 1]);
            i++;
        } else {
            posed.position = words.we_wordv[i];
        }
    }
    ck_assert_msg(posed_match(out, &posed, &error) == BG_OK, "%s: %s", command, error.text);
    wordfree(&words);
}

/* The message to the bot, without the turn's number and the fields that do not belong to the
 * position. */
static void same_question(const struct bg_match *match, const char *command)
{
    struct bg_match posed;
    struct bg_ask was = {.decision = 0}, is = {.decision = 0};

    read_command(&posed, command);
    ask_from_match(&was, match, match->need.seat);
    ask_from_match(&is, &posed, posed.need.seat);
    ck_assert_msg(was.kind == is.kind, "%s: asked %d, was %d", command, is.kind, was.kind);
    ck_assert_msg(memcmp(&was.board, &is.board, sizeof was.board) == 0, "%s: board", command);
    ck_assert_msg(memcmp(&was.stage, &is.stage, sizeof was.stage) == 0, "%s: numbers", command);
    ck_assert_msg(was.cube_log2 == is.cube_log2, "%s: cube %d, was %d", command, is.cube_log2,
                  was.cube_log2);
    ck_assert_msg(was.may_raise == is.may_raise && was.raise == is.raise, "%s: raises", command);
    ck_assert_msg(was.resign_level == is.resign_level && was.refused_level == is.refused_level,
                  "%s: offers", command);
    ck_assert_msg(was.cube_owner == is.cube_owner, "%s: owner of the cube", command);
    ck_assert_msg(was.rules.length_points == is.rules.length_points, "%s: length", command);
    if (was.rules.length_points > 0) {
        ck_assert_msg(was.score[0] == is.score[0] && was.score[1] == is.score[1], "%s: score",
                      command);
        ck_assert_msg(was.crawford_game == is.crawford_game, "%s: Crawford", command);
        ck_assert_msg(!was.rules.crawford || was.post_crawford == is.post_crawford,
                      "%s: after Crawford", command);
    }
    ck_assert_msg(
        was.rules.cube == is.rules.cube &&
            (was.rules.cube && was.rules.jacoby) == (is.rules.cube && is.rules.jacoby) &&
            was.rules.beavers == is.rules.beavers && was.rules.raises == is.rules.raises &&
            was.rules.cube_limit == is.rules.cube_limit &&
            was.rules.crawford == is.rules.crawford && was.rules.holland == is.rules.holland,
        "%s: rules", command);
}

static bool is_asked(const struct bg_match *match)
{
    return match->need.kind == BG_NEED_DOUBLE || match->need.kind == BG_NEED_TAKE ||
           match->need.kind == BG_NEED_RAISE || match->need.kind == BG_NEED_PLAY ||
           match->need.kind == BG_NEED_RESIGNATION || match->need.kind == BG_NEED_KEEP ||
           match->need.kind == BG_NEED_NAME;
}

TEST_ROWS(again_line_repeats_the_question, events)
{
    struct chance chance = {.state = 77 + (uint64_t)_i};
    struct bg_match match;
    struct bg_rules rules;
    char message[256], command[COMMAND];
    bool seen = false;

    ck_assert_msg(script_rules(&rules, events[_i].rules, message, sizeof message), "%s", message);
    rules.cube_limit = events[_i].cube_limit;
    bg_match_begin(&match, &rules);
    for (int i = 0; i < STEPS; i++) {
        struct bg_step step;

        if (match.need.kind == BG_NEED_NOTHING) {
            bg_match_begin(&match, &rules);
        }
        if (is_asked(&match)) {
            bool made = again_command(command, sizeof command, "'./my bot'", "id|1", &match);

            ck_assert_msg(made, "%s: no command for need %d", events[_i].rules, match.need.kind);
            same_question(&match, command);
            seen = seen || strstr(command, events[_i].expected) != NULL;
        }
        step = random_step(&match, &chance);
        ck_assert_int_eq(bg_match_step(&match, &step), BG_RULE_NONE);
    }
    ck_assert_msg(seen, "%s: no command with %s, the last one: %s", events[_i].rules,
                  events[_i].expected, command);
}
