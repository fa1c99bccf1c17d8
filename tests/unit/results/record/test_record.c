/* Records: written, read back, replayed, and with a changed byte. */
#include <record/record.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <record/record_line.h>
#include <record/record_times.h>

#include <bgref/notation.h>

#include "support/random_match.h"
#include "support/suite.h"

/* --- steps and rules as lines ------------------------------------------------------------ */

static const struct {
    const char *line;
    struct bg_step step;
} step_lines[] = {
    {"open 31", {.kind = BG_STEP_OPEN, .seat = -1, .die = {3, 1}}},
    {"open 6552", {.kind = BG_STEP_OPEN, .seat = -1, .die = {6, 5, 5, 2}}},
    {"0 roll 13", {.kind = BG_STEP_ROLL, .seat = 0, .die = {1, 3}}},
    {"1 roll 661", {.kind = BG_STEP_ROLL, .seat = 1, .die = {6, 6, 1}}},
    {"1 double", {.kind = BG_STEP_DOUBLE, .seat = 1}},
    {"0 take", {.kind = BG_STEP_TAKE, .seat = 0}},
    {"0 pass", {.kind = BG_STEP_PASS, .seat = 0}},
    {"0 raise", {.kind = BG_STEP_RAISE, .seat = 0}},
    {"0 play 8/5 6/5", {.kind = BG_STEP_PLAY, .play = {2, {{8, 5}, {6, 5}}}}},
    {"1 play bar/20 hand/25 36/off 24/13",
     {.kind = BG_STEP_PLAY,
      .seat = 1,
      .play = {4, {{BG_BAR, 20}, {BG_HAND, BG_FAR}, {BG_SLOTS - 1, BG_OFF}, {24, 13}}}}},
    {"0 play", {.kind = BG_STEP_PLAY}},
    {"1 resign 3", {.kind = BG_STEP_RESIGN, .seat = 1, .level = 3}},
    {"0 accept", {.kind = BG_STEP_ACCEPT}},
    {"0 refuse", {.kind = BG_STEP_REFUSE}},
    {"0 keep", {.kind = BG_STEP_KEEP}},
    {"0 reroll", {.kind = BG_STEP_REROLL}},
    {"0 name 6", {.kind = BG_STEP_NAME, .level = 6}},
    {"0 name 1", {.kind = BG_STEP_NAME, .level = 1}},
    {"1 resign 15", {.kind = BG_STEP_RESIGN, .seat = 1, .level = 15}},
    {"0 play 6/6 1/off", {.kind = BG_STEP_PLAY, .play = {2, {{6, 6}, {1, BG_OFF}}}}},
    {"1 fault ambiguous", {.kind = BG_STEP_FAULT, .seat = 1, .fault = BG_FAULT_AMBIGUOUS}},
    {"next", {.kind = BG_STEP_NEXT, .seat = -1}},
};

TEST_ROWS(steps_round_trip_as_lines, step_lines)
{
    char line[RECORD_STEP];
    struct bg_step step;

    record_step_write(line, &step_lines[_i].step);
    ck_assert_str_eq(line, step_lines[_i].line);
    ck_assert_int_eq(record_step_read(&step, line, NULL), BG_OK);
    ck_assert_mem_eq(&step, &step_lines[_i].step, sizeof step);
}

static const char *const no_steps[] = {
    "",
    " ",
    "open",
    "open ",
    "open 3",
    "open 37",
    "open 30",
    "open 31 ",
    "open 31222",
    "0 open 31",
    "roll 31",
    "0 roll 1",
    "0 roll 1234",
    "0  roll 12",
    "2 roll 12",
    "-1 roll 12",
    "00 roll 12",
    "0 rolls 12",
    "0 take 1",
    "0 take ",
    "0 play 8",
    "0 play 8/",
    "0 play 8/5 ",
    "0 play 8/5  6/5",
    "0 play 0/5",
    "0 play 37/5",
    "0 play 08/5",
    "0 play 8/5 8/5 8/5 8/5 8/5",
    "0 play 8/bear",
    "0 resign 0",
    "0 resign 16",
    "0 name 7",
    "0 fault",
    "0 fault none",
    "0 fault x",
    "0 fault lat",
    "0 next",
    "0",
    "0 ",
    "0 play 8/5@3",
    "NEXT",
    "0 fault a-very-long-name-that-no-fault-has",
};

TEST_ROWS(a_line_that_is_not_a_step_is_refused, no_steps)
{
    struct bg_step step;

    ck_assert_msg(record_step_read(&step, no_steps[_i], &error) == BG_E_FORMAT, "'%s' was read",
                  no_steps[_i]);
    ck_assert_str_ne(error.text, "");
}

static struct bg_rules rules_of(const char *options);

TEST(rules_round_trip)
{
    static const char *const lines[] = {
        "length=0",
        "length=7",
        "length=0 cube=off jacoby=off",
        "length=0 beavers=on raises=-1 auto-doubles=3",
        "length=5 holland=on",
        "length=10000 fault-match=on forfeit-single=on turn-cap=0 opening=winner",
        "length=5 flag-match=on",
        "length=5 flag-match=on next=winner",
        "length=5 next=winner",
        "length=5 variant=gulbara:grace=none,handover=off,head=1,block=nardi,bear=exact",
        "length=5 rotation=tavli:tavli=5 next=alternate",
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct bg_rules rules = rules_of(lines[i]), again;
        char text[RECORD_RULES], text_again[RECORD_RULES];

        record_rules_write(text, &rules);
        ck_assert_uint_lt(strlen(text), RECORD_RULES);
        ck_assert_int_eq(record_rules_read(&again, text, NULL), BG_OK);
        record_rules_write(text_again, &again);
        ck_assert_str_eq(text, text_again);
        ck_assert_int_eq(again.raises, rules.raises);
        ck_assert_int_eq(again.fault_match, rules.fault_match);
        ck_assert_int_eq(again.flag_match, rules.flag_match);
        ck_assert_int_eq(again.opening, rules.opening);
        ck_assert_int_eq(again.next, rules.next);
        ck_assert_ptr_eq(again.variant, rules.variant);
        ck_assert_ptr_eq(again.rotation, rules.rotation);
    }
}

/* Text from before there were other games is read and written unchanged. */
TEST(backgammon_rules_keep_their_format_1_text)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 3);
    char text[RECORD_RULES];

    record_rules_write(text, &rules);
    ck_assert_str_eq(text,
                     "variant=backgammon length=3 opening=play cube=on jacoby=off beavers=off "
                     "crawford=on holland=off forfeit-single=off fault-match=off raises=0 "
                     "auto-doubles=0 turn-cap=2000");
}

TEST(invalid_rules_are_refused)
{
    static const char *const changes[][2] = {
        {"backgammon", "halma"},
        {"length=3", "length=03"},
        {"length=3", "length=-3"},
        {"cube=on", "cube=yes"},
        {"cube=on", "cube="},
        {"jacoby=off", "jacoby=on"},
        {"opening=play", "opening=dance"},
        {"raises=0", "raises=5"},
        {" turn-cap=2000", ""},
        {"turn-cap=2000", "turn-cap=2000 "},
        {"turn-cap=2000", "turn-cap=2000 x=1"},
        {"turn-cap=2000", "turn-cap=2000 next=same"},
        {"turn-cap=2000", "turn-cap=2000 next="},
        {"turn-cap=2000", "turn-cap=2000 rotation=polka"},
        {"turn-cap=2000", "turn-cap=2000 rotation=tavli next=winner"},
        {"backgammon", "long-nardi:head=doubles"},
        {"backgammon", "long-nardi:koks=on,head=any"},
    };
    struct bg_rules rules = rules_of("length=3");
    char good[RECORD_RULES];

    record_rules_write(good, &rules);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char text[2 * RECORD_RULES];
        char *at = strstr(good, changes[i][0]);

        ck_assert_ptr_nonnull(at);
        error.text[0] = '\0';
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, changes[i][1],
                 at + strlen(changes[i][0]));
        ck_assert_msg(record_rules_read(&rules, text, &error) == BG_E_FORMAT, "'%s' was read",
                      text);
        ck_assert_str_ne(error.text, "");
    }
}

/* Changes defaults by "key=value ..." with the words of the record. */
static struct bg_rules rules_of(const char *options)
{
    static const char *const nexts[] = {"next=winner", "next=hoyle", "next=alternate"};
    const char *length = strstr(options, "length=");
    char game[128] = "backgammon", rotation[64] = "";
    const char *at;
    struct bg_rules rules;

    if ((at = strstr(options, "variant=")) != NULL) {
        ck_assert_int_eq(sscanf(at, "variant=%127s", game), 1);
    }
    if ((at = strstr(options, "rotation=")) != NULL) {
        ck_assert_int_eq(sscanf(at, "rotation=%63s", rotation), 1);
        strcpy(game, bg_variant_id(bg_rotation_game(bg_rotation_find(rotation), 0)));
    }
    ck_assert_msg(bg_variant_find(game) != NULL, "%s", game);
    rules = bg_rules_default(bg_variant_find(game), atoi(length + strlen("length=")));
    rules.rotation = rotation[0] == '\0' ? NULL : bg_rotation_find(rotation);
    for (int i = 0; i < 3; i++) {
        rules.next = strstr(options, nexts[i]) != NULL ? (enum bg_next)(i + 1) : rules.next;
    }
    rules.cube = rules.cube && strstr(options, "cube=off") == NULL;
    rules.jacoby = rules.jacoby && strstr(options, "jacoby=off") == NULL;
    rules.beavers = strstr(options, "beavers=on") != NULL;
    rules.raises = strstr(options, "raises=-1") != NULL ? -1 : 0;
    rules.auto_doubles = strstr(options, "auto-doubles=3") != NULL ? 3 : 0;
    rules.holland = strstr(options, "holland=on") != NULL;
    rules.fault_match = strstr(options, "fault-match=on") != NULL;
    rules.flag_match = strstr(options, "flag-match=on") != NULL;
    rules.forfeit_single = strstr(options, "forfeit-single=on") != NULL;
    rules.turn_cap = strstr(options, "turn-cap=0") != NULL   ? 0
                     : strstr(options, "turn-cap=9") != NULL ? 9
                                                             : rules.turn_cap;
    rules.opening = strstr(options, "opening=winner") != NULL       ? BG_OPENING_WINNER
                    : strstr(options, "opening=choice") != NULL     ? BG_OPENING_CHOICE
                    : strstr(options, "opening=reroll") != NULL     ? BG_OPENING_REROLL
                    : strstr(options, "opening=sum-play") != NULL   ? BG_OPENING_SUM_PLAY
                    : strstr(options, "opening=sum-reroll") != NULL ? BG_OPENING_SUM_REROLL
                    : strstr(options, "opening=play") != NULL       ? BG_OPENING_PLAY
                                                                    : rules.opening;
    ck_assert_int_eq(bg_rules_check(&rules, NULL), BG_OK);
    return rules;
}

/* --- whole games ------------------------------------------------------------------------- */

static const char *const contests[] = {
    "length=0",
    "length=0 cube=off jacoby=off",
    "length=0 beavers=on raises=-1 auto-doubles=3",
    "length=1",
    "length=3",
    "length=7",
    "length=9 holland=on",
    "length=5 opening=winner",
    "length=5 opening=choice",
    "length=5 opening=reroll",
    "length=5 opening=sum-play",
    "length=5 opening=sum-reroll",
    "length=5 fault-match=on",
    "length=5 flag-match=on",
    "length=3 turn-cap=9",
    "length=5 next=winner",
    "length=5 next=hoyle",
    "length=5 next=alternate",
    "length=5 variant=hoyle-1870",
    "length=5 variant=plakoto next=alternate",
    "length=3 variant=gulbara:grace=none",
    "length=3 variant=gul opening=choice",
    "length=3 variant=tabula",
    "length=3 variant=tabula opening=play",
    "length=3 variant=xii-scripta opening=choice",
    "length=30 variant=acey-deucey",
    "length=3 variant=asodio opening=play",
    "length=3 variant=russian:21=wild",
    "length=3 variant=dutch",
    "length=3 variant=kiz-tavlasi",
    "length=3 variant=long-nardi:equal-turns=on",
    "length=3 variant=misere:turns=500",
    "length=7 rotation=tavli",
    "length=9 rotation=tavli:tavli=5",
    "length=5 rotation=turkish",
    "length=5 rotation=turkish next=alternate",
};

/* Replays the record and compares with the match as it was played. */
static void replays_to(const struct record *record, const struct bg_match *start,
                       const struct bg_match *end, const char *hash)
{
    struct record_view *view = NULL;
    struct bg_match replayed;

    ck_assert_msg(record_read(&view, record->text, record->size, &error) == BG_OK, "%s\n%s",
                  error.text, record->text);
    ck_assert_msg(record_view_start(&replayed, view, &error) == BG_OK, "%s\n%s", error.text,
                  record->text);
    ck_assert_msg(memcmp(&replayed, start, sizeof replayed) == 0, "another start:\n%s",
                  record->text);
    ck_assert_msg(record_replay(&replayed, view, &error) == BG_OK, "%s\n%s", error.text,
                  record->text);
    ck_assert_msg(memcmp(&replayed, end, sizeof replayed) == 0, "another end:\n%s", record->text);
    assert_ok(record_check_hash(view, &error));
    ck_assert_str_eq(record_view_hash(view), hash);
    ck_assert_int_eq(record_view_steps(view), record->steps);
    record_view_destroy(view);
}

TEST_ROWS(every_game_of_a_match_replays_to_the_same_match, contests)
{
    struct bg_rules rules = rules_of(contests[_i]);
    struct record record = {0};
    struct chance chance = {77 + (uint64_t)_i};
    const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};

    for (int round = 0; round < (_i < 14 ? 30 : 6); round++) {
        struct bg_match match;
        char hash[RECORD_HASH] = "";

        bg_match_begin(&match, &rules);
        for (;;) {
            const struct bg_match start = match;
            char prev[RECORD_HASH];

            strcpy(prev, hash);
            random_game(&record, hash, &match, "left|right|0|0|0", prev, round % 2 == 0, &chance);
            replays_to(&record, &start, &match, hash);
            if (match.need.kind == BG_NEED_NOTHING) {
                break;
            }
            ck_assert_int_eq(bg_match_step(&match, &next), BG_RULE_NONE);
        }
    }
    record_deinit(&record);
}

static const struct {
    const char *name, *rules;
    const char *position; /* Position ID, NULL: the set-up */
    struct bg_start start;
} starts[] = {
    {"resumed score",
     "length=7",
     NULL,
     {.on_roll = -1, .score = {3, 5}, .cube_owner = -1, .game = 4}},
    {"Crawford game",
     "length=7",
     NULL,
     {.on_roll = -1, .score = {3, 6}, .cube_owner = -1, .crawford_game = true, .game = 4}},
    {"after it",
     "length=7",
     NULL,
     {.on_roll = -1, .score = {4, 6}, .cube_owner = -1, .crawford_done = true, .game = 5}},
    {"cube at 4", "length=0", NULL, {.on_roll = 1, .cube_log2 = 2, .cube_owner = 0}},
    {"position with opening roll", "length=0", "wmfwAExztxMAIA", {.on_roll = -1, .cube_owner = -1}},
    {"position on roll",
     "length=5",
     "9w3AggK2hwpEQg",
     {.on_roll = 1, .score = {1, 2}, .cube_log2 = 1, .cube_owner = 1, .game = 2}},
    {"no checkers left but one", "length=1", "CgAACAAAAAAAAA", {.on_roll = 0, .cube_owner = -1}},
};

TEST_ROWS(a_game_from_any_start_replays_to_the_same_match, starts)
{
    struct bg_rules rules = rules_of(starts[_i].rules);
    struct bg_start start = starts[_i].start;
    struct record record = {0};
    struct chance chance = {5};
    struct bg_match match, begun;
    char hash[RECORD_HASH];

    bg_variant_setup(&start.board, rules.variant);
    if (starts[_i].position != NULL) {
        assert_ok(bg_position_id_read(&start.board, starts[_i].position, 0, &error));
    }
    ck_assert_msg(bg_match_begin_at(&match, &rules, &start, &error) == BG_OK, "%s: %s",
                  starts[_i].name, error.text);
    begun = match;
    random_game(&record, hash, &match, "left|right|0|0|0", "", true, &chance);
    replays_to(&record, &begun, &match, hash);
    record_deinit(&record);
}

/* One game with all kinds of steps, for the tests that change it. */
static struct record some_game(uint64_t seed)
{
    struct bg_rules rules = rules_of("length=0 beavers=on raises=-1");
    struct record record = {0};
    struct chance chance = {seed};
    struct bg_match match;
    char hash[RECORD_HASH];

    bg_match_begin(&match, &rules);
    random_game(&record, hash, &match, "left|right|0|0|0", "", true, &chance);
    return record;
}

TEST(a_time_has_one_spelling)
{
    static const struct {
        const char *line;
        struct record_time time; /* spent -2: it is refused */
    } lines[] = {
        {"0 take", {-1, 0}},
        {"0 take @0", {0, 0}},
        {"0 take @702+50800000", {702, 50800000}},
        {"0 take @702+0", {-2, 0}},
        {"0 take @702+", {-2, 0}},
        {"0 take @+5", {-2, 0}},
        {"0 take @702+05", {-2, 0}},
        {"0 take @702+-5", {-2, 0}},
        {"0 take @702+5+5", {-2, 0}},
        {"0 take +5", {-2, 0}},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct record_time time;
        struct bg_step step;
        char again[RECORD_TIMED];
        enum bg_status status =
            record_timed_read(&step, &time, lines[i].line, strlen(lines[i].line), NULL);

        ck_assert_msg((status == BG_OK) == (lines[i].time.spent_ns != -2), "%s", lines[i].line);
        if (status == BG_OK) {
            ck_assert_int_eq(time.spent_ns, lines[i].time.spent_ns);
            ck_assert_int_eq(time.waited_ns, lines[i].time.waited_ns);
            record_timed_write(again, &step, &time);
            ck_assert_str_eq(again, lines[i].line);
        }
    }
}

static const struct {
    const char *line;
    bool is_read;
} thought_lines[] = {
    {"thought win=0.6213,0.2500,0.0100 lose=0.1250,0.0050 equity=-0.8750 plies=2 "
     "best=24/20,24/20,13/9,6/off:0.5000;bar/20:0.0000;double:-1000.0000 text=so so",
     true},
    {"thought equity=0.5500 unit=match best=take:0.5500;pass:0.1000", true},
    {"thought best=roll:0.1000;double:0.0900;raise:0.0800;keep:0.0700;reroll:0.0600", true},
    {"thought best=accept:0.1000;refuse:-0.2000", true},
    {"thought plies=1", true},
    {"thought text=1 roll 31 @12 \\x1b", true},
    {"thought", false},
    {"thought ", false},
    {"thought  plies=1", false},
    {"thought plies=0", false},
    {"thought plies=01", false},
    {"thought plies=101", false},
    {"thought plies=1 plies=1", false},
    {"thought text=", false},
    {"thought text=a\x1b", false},
    {"thought plies=1 equity=0.5000", false},
    {"thought equity=0.5", false},
    {"thought equity=-0.0000", false},
    {"thought equity=1000.0001", false},
    {"thought win=0.6213,0.2500,0.0100", false},
    {"thought win=1.0001,0.2500,0.0100 lose=0.1250,0.0050", false},
    {"thought unit=match", false},
    {"thought best=", false},
    {"thought best=6/5", false},
    {"thought best=6/5:", false},
    {"thought best=:0.5000", false},
    {"thought best=resign:0.5000", false},
    {"thought best=6/5,5/4,4/3,3/2,2/1:0.5000", false},
    {"thought best=6/5:0.1000;6/5:0.1000;6/5:0.1000;6/5:0.1000;6/5:0.1000;6/5:0.1000;6/5:0.1000;"
     "6/5:0.1000;6/5:0.1000",
     false},
};

TEST_ROWS(a_thought_has_one_spelling, thought_lines)
{
    const char *line = thought_lines[_i].line;
    struct bg_thought thought;
    char again[RECORD_THOUGHT];

    ck_assert_msg(record_thought_read(&thought, line, strlen(line)) == thought_lines[_i].is_read,
                  "%s", line);
    if (thought_lines[_i].is_read) {
        record_thought_write(again, &thought);
        ck_assert_str_eq(again, line);
    }
}

/* The largest line that a thought can have fits, and a record has what was thought of each step;
 * readers that look at single lines see its steps only. */
TEST(a_record_has_thoughts_between_its_steps)
{
    const struct bg_rules rules = rules_of("length=0");
    const struct bg_step open = {.kind = BG_STEP_OPEN, .seat = -1, .die = {4, 1}};
    const struct bg_step play = {.kind = BG_STEP_PLAY, .play = {2, {{24, 20}, {6, 5}}}};
    const struct bg_step fault = {.kind = BG_STEP_FAULT, .seat = 1, .fault = BG_FAULT_LATE};
    const struct bg_result result = {.winner = -1};
    struct bg_thought told = BG_THOUGHT_INIT, read;
    struct record record = {0};
    struct bg_match match;
    struct record_header header = {.game_id = "a|b|1|0|0", .start = &match};
    struct record_view *view = NULL;
    struct move_times times;
    char hash[RECORD_HASH];

    told.has_chances = told.has_equity = true;
    told.chances = (struct bg_chances){0.62134, 0.25, 0, 0, 0, -999.99996};
    told.plies = 100;
    told.candidate_count = BG_CANDIDATES_MAX;
    for (int i = 0; i < BG_CANDIDATES_MAX; i++) {
        told.candidate[i] = (struct bg_candidate){
            BG_ANSWER_MOVES, {4, {{25, 20}, {24, 20}, {24, 20}, {24, 20}}}, -999.5};
    }
    memset(told.text, '9', sizeof told.text - 1);
    memcpy(told.text, "1 roll 31", 9);
    memcpy(told.text + sizeof told.text - 6, " @777", 5);
    bg_match_begin(&match, &rules);
    record_begin(&record, &header);
    record_append(&record, &open, -1);
    record_append(&record, &play, 5);
    for (int i = 0; i < 20; i++) {
        record_append(&record, &fault, 1);
        record_append_thought(&record, &told);
    }
    record_end(&record, &result, NULL, hash);
    ck_assert_int_eq(record_read(&view, record.text, record.size, NULL), BG_OK);
    ck_assert_int_eq(record_view_steps(view), 22);
    ck_assert(!record_view_thought(&read, view, 1));
    ck_assert(record_view_thought(&read, view, 21));
    ck_assert(read.chances.win == 0.6213 && read.chances.equity == -1000.0);
    ck_assert_str_eq(read.text, told.text);
    ck_assert_int_eq(record_view_line(view, 21) - record_view_line(view, 1), 39);
    ck_assert_int_eq(record_check_hash(view, NULL), BG_OK);
    ck_assert_int_eq(record_replay(&match, view, &error), BG_E_MISMATCH); /* no second fault */
    ck_assert_msg(strstr(error.text, "(step 4) '1 fault late'") != NULL, "%s", error.text);
    move_times_of_record(&times, record.text, record.size);
    ck_assert_int_eq(times.spent_ns[0], 5);
    ck_assert_int_eq(times.spent_ns[1], 20);
    record_view_destroy(view);
    record_deinit(&record);
}

/* A thought belongs to a step of a bot, which has one at most. */
TEST_LOOP(a_thought_without_its_step_is_refused, 0, 3)
{
    const struct bg_rules rules = rules_of("length=0");
    const struct bg_step open = {.kind = BG_STEP_OPEN, .seat = -1, .die = {4, 1}};
    const struct bg_step fault = {.kind = BG_STEP_FAULT, .seat = 1, .fault = BG_FAULT_LATE};
    const struct bg_result result = {.winner = -1};
    struct bg_thought told = BG_THOUGHT_INIT;
    struct record record = {0};
    struct bg_match match;
    struct record_header header = {.game_id = "a|b|1|0|0", .start = &match};
    struct record_view *view = NULL;
    char hash[RECORD_HASH];

    told.plies = 1;
    bg_match_begin(&match, &rules);
    record_begin(&record, &header);
    if (_i > 0) {
        record_append(&record, _i == 1 ? &open : &fault, -1);
    }
    record_append_thought(&record, &told);
    if (_i == 2) {
        record_append_thought(&record, &told);
    }
    record_end(&record, &result, NULL, hash);
    ck_assert_int_eq(record_read(&view, record.text, record.size, &error), BG_E_FORMAT);
    ck_assert_msg(strstr(error.text, "no thought of the step before it") != NULL, "%s", error.text);
    record_deinit(&record);
}

TEST(steps_and_times_round_trip)
{
    struct bg_rules rules = rules_of("length=0");
    struct bg_match match;
    struct record record = {0};
    struct record_header header = {.game_id = "a|b|1|0|0", .start = &match};
    struct record_view *view = NULL;
    struct bg_result result,
        claimed = {
            .end = BG_END_FAULT, .winner = 1, .level = 2, .points = 4, .fault = BG_FAULT_CRASH};
    const int64_t left_ns[2] = {-5, INT64_C(123456789012)};
    int64_t left[2], spent_ns, sum_ns = 0;
    struct move_times times;
    char hash[RECORD_HASH];

    bg_match_begin(&match, &rules);
    record_begin(&record, &header);
    for (size_t i = 0; i < sizeof step_lines / sizeof step_lines[0]; i++) {
        int64_t spent = i % 3 == 0 ? -1 : (int64_t)i * 1000000007 * (i % 3 == 1);

        const struct record_time time = {spent, (int64_t)i % 2 * 50800001};

        record_append_timed(&record, &step_lines[i].step, &time);
        sum_ns += spent < 0 || step_lines[i].step.kind == BG_STEP_OPEN ? 0 : spent;
    }
    record_end(&record, &claimed, left_ns, hash);
    ck_assert_int_eq(record_read(&view, record.text, record.size, NULL), BG_OK);
    for (size_t i = 0; i < sizeof step_lines / sizeof step_lines[0]; i++) {
        struct bg_step step;

        record_view_step(&step, &spent_ns, view, (int)i);
        ck_assert_mem_eq(&step, &step_lines[i].step, sizeof step);
        ck_assert_int_eq(spent_ns, i % 3 == 0 ? -1 : (int64_t)i * 1000000007 * (i % 3 == 1));
        ck_assert_int_eq(record_view_waited(view, (int)i),
                         i % 3 == 0 ? 0 : (int64_t)i % 2 * 50800001);
    }
    move_times_of_record(&times, record.text, record.size);
    ck_assert_int_eq(times.spent_ns[0] + times.spent_ns[1], sum_ns);
    record_view_result(&result, left, view);
    ck_assert_int_eq(result.end, BG_END_FAULT);
    ck_assert_int_eq(result.fault, BG_FAULT_CRASH);
    ck_assert_int_eq(result.winner, 1);
    ck_assert_int_eq(result.points, 4);
    ck_assert_int_eq(left[0], -5);
    ck_assert_int_eq(left[1], left_ns[1]);
    ck_assert_str_eq(record_view_value(view, "id"), "a|b|1|0|0");
    ck_assert_str_eq(record_view_value(view, "event"), "");
    ck_assert_ptr_null(record_view_value(view, "left"));
    ck_assert_ptr_null(record_view_value(view, "weather"));
    record_view_destroy(view);
    record_deinit(&record);
}

/* --- changed records --------------------------------------------------------------------- */

/* The line that a failure names: "record line 12 (step 3): ..."; 0 if it names none. */
static int named_line(const char *message)
{
    int line = 0;

    return sscanf(message, "record line %d", &line) == 1 ? line : 0;
}

/* Reads and checks; returns BG_OK or the failure with its message. */
static enum bg_status verify(const char *text, size_t size, struct bg_error *err)
{
    struct record_view *view = NULL;
    enum bg_status status = record_read(&view, text, size, err);

    if (status == BG_OK) {
        status = record_check_hash(view, err);
    }
    record_view_destroy(view);
    return status;
}

TEST_LOOP(one_changed_byte_is_found_in_its_line, 0, 3)
{
    struct record record = some_game(31 + (uint64_t)_i);
    int line = 1, lines = 0;

    for (size_t i = 0; i < record.size; i++) {
        lines += record.text[i] == '\n';
    }
    ck_assert_int_eq(verify(record.text, record.size, NULL), BG_OK);
    for (size_t i = 0; i < record.size; i++) {
        char byte = record.text[i];
        const char others[] = {
            (char)(byte ^ 1), (char)(byte ^ 0x20), '\n', ' ', '0', (char)0x80, '\0'};

        for (size_t k = 0; k < sizeof others; k++) {

            if (others[k] == byte) {
                continue;
            }
            record.text[i] = others[k];
            ck_assert_msg(verify(record.text, record.size, &error) != BG_OK,
                          "byte %zu in line %d: '%c' for '%c' went unnoticed", i, line, others[k],
                          byte);
            /* The last line is the hash itself: only the hash can be wrong there. */
            ck_assert_msg(named_line(error.text) == line ||
                              (line == lines && strstr(error.text, "hash") != NULL),
                          "byte %zu in line %d: %s", i, line, error.text);
        }
        record.text[i] = byte;
        line += byte == '\n';
    }
    record_deinit(&record);
}

TEST(a_step_is_named_by_its_number)
{
    struct record record = some_game(3);
    char *at = strstr(record.text, "\nsteps");

    for (int i = 0; i < 3; i++) {
        at = strchr(at + 1, '\n');
    }
    at[1] ^= 1; /* the seat of the third step */
    ck_assert_int_ne(verify(record.text, record.size, &error), BG_OK);
    ck_assert_ptr_nonnull(strstr(error.text, "(step 3)"));
    record_deinit(&record);
}

TEST(missing_repeated_and_exchanged_lines_are_found)
{
    struct record record = some_game(8);
    char *changed = malloc(2 * record.size);
    int line = 1;

    for (char *at = record.text; at < record.text + record.size; line++) {
        char *next = strchr(at, '\n') + 1;
        size_t before = (size_t)(at - record.text), size = (size_t)(next - at);
        size_t after = record.size - before - size;

        memcpy(changed, record.text, before);
        memcpy(changed + before, next, after);
        ck_assert_msg(verify(changed, before + after, &error) != BG_OK, "line %d lost", line);
        memcpy(changed, record.text, before + size);
        memcpy(changed + before + size, at, size);
        memcpy(changed + before + 2 * size, next, after);
        ck_assert_msg(verify(changed, record.size + size, &error) != BG_OK, "line %d twice", line);
        /* Cut off here, and in the middle of the line. */
        ck_assert_int_ne(verify(record.text, before, &error), BG_OK);
        ck_assert_int_ne(verify(record.text, before + size / 2, &error), BG_OK);
        at = next;
    }
    free(changed);
    record_deinit(&record);
}

TEST(an_illegal_step_is_named_with_its_rule)
{
    struct bg_rules rules = rules_of("length=0");
    const struct bg_step open = {.kind = BG_STEP_OPEN, .seat = -1, .die = {3, 1}};
    const struct bg_step play = {.kind = BG_STEP_PLAY, .play = {2, {{24, 20}, {6, 5}}}};
    const struct bg_result result = {.winner = -1};
    struct record record = {0};
    struct bg_match match;
    struct record_header header = {.game_id = "a|b|1|0|0", .start = &match};
    struct record_view *view = NULL;
    char hash[RECORD_HASH];

    bg_match_begin(&match, &rules);
    record_begin(&record, &header);
    record_append(&record, &open, -1);
    record_append(&record, &play, -1);
    record_end(&record, &result, NULL, hash);
    ck_assert_int_eq(record_read(&view, record.text, record.size, NULL), BG_OK);
    ck_assert_int_eq(record_replay(&match, view, &error), BG_E_MISMATCH);
    ck_assert_ptr_nonnull(strstr(error.text, "(step 2) '0 play 24/20 6/5': rule G"));
    record_view_destroy(view);
    record_deinit(&record);
}

TEST(a_result_that_differs_from_the_steps_is_a_mismatch)
{
    struct bg_rules rules = rules_of("length=0");
    struct bg_match match;
    const struct bg_step fault = {.kind = BG_STEP_FAULT, .seat = 1, .fault = BG_FAULT_LATE};
    struct record record = {0};
    struct record_header header = {.game_id = "a|b|1|0|0", .start = &match};
    struct record_view *view = NULL;
    struct bg_match end;
    char hash[RECORD_HASH];

    bg_match_begin(&match, &rules);
    end = match;
    ck_assert_int_eq(bg_match_step(&end, &fault), BG_RULE_NONE);
    end.result.points++;
    record_begin(&record, &header);
    record_append(&record, &fault, -1);
    record_end(&record, &end.result, NULL, hash);
    ck_assert_int_eq(record_read(&view, record.text, record.size, NULL), BG_OK);
    ck_assert_int_eq(record_replay(&end, view, &error), BG_E_MISMATCH);
    ck_assert_ptr_nonnull(strstr(error.text, "end fault winner=0"));
    record_view_destroy(view);
    record_deinit(&record);
}

/* --- canonical text, foreign strings, the outside view ------------------------------------ */

TEST(canonical_text_excludes_times_and_hosts)
{
    struct bg_rules rules = rules_of("length=7");
    struct record canonical[2] = {{0}, {0}};

    for (int i = 0; i < 2; i++) {
        struct bg_match match;
        struct record record = {0};
        struct chance chance = {1};
        struct record_header header = {
            .game_id = "a|b|1|0|0",
            .event = "e",
            .seat_name = {"a", "b"},
            .seat_program = {i == 0 ? "00" : "ff", "-"},
            .seat_version = {i == 0 ? "1" : "2", "x"},
            .start = &match,
            .has_clock = true,
            .clock = "bank=1s",
            .left_ns = {i, 3 * i},
            .host = i == 0 ? "here" : "there",
        };
        struct record_view *view = NULL;
        char hash[RECORD_HASH];

        bg_match_begin(&match, &rules);
        record_begin(&record, &header);
        while (match.need.kind != BG_NEED_GAME && match.need.kind != BG_NEED_NOTHING) {
            struct bg_step step = random_step(&match, &chance);

            bg_match_step(&match, &step);
            record_append(&record, &step, i * 1000);
        }
        record_end(&record, &match.result, header.left_ns, hash);
        ck_assert_int_eq(record_read(&view, record.text, record.size, NULL), BG_OK);
        record_canonical(&canonical[i], view);
        record_view_destroy(view);
        record_deinit(&record);
    }
    ck_assert_str_eq(canonical[0].text, canonical[1].text);
    ck_assert_uint_gt(canonical[0].size, 300);
    ck_assert_ptr_null(strchr(canonical[0].text, '@'));
    ck_assert_ptr_null(strchr(canonical[0].text, '#'));
    record_deinit(&canonical[0]);
    record_deinit(&canonical[1]);
}

TEST(foreign_strings_cannot_break_a_line)
{
    struct bg_rules rules = rules_of("length=0");
    struct bg_match match;
    struct record record = {0};
    char *long_text = malloc(20001);
    struct record_header header = {
        .game_id = "a|b|1|0|0",
        .seat_version = {"evil\nsteps\x01 #0000", long_text},
        .seat_options = {"ends with a space ", "#ffff"},
        .start = &match,
    };
    const struct bg_result result = {.winner = -1};
    struct record_view *view = NULL;
    char hash[RECORD_HASH];

    memset(long_text, 'x', 20000);
    long_text[20000] = '\0';
    bg_match_begin(&match, &rules);
    record_begin(&record, &header);
    record_end(&record, &result, NULL, hash);
    ck_assert_int_eq(record_read(&view, record.text, record.size, NULL), BG_OK);
    ck_assert_int_eq(record_check_hash(view, NULL), BG_OK);
    ck_assert_str_eq(record_view_value(view, "version0"), "evil\\x0asteps\\x01 #0000");
    ck_assert_str_eq(record_view_value(view, "version1"), long_text);
    ck_assert_str_eq(record_view_value(view, "options0"), "ends with a space ");
    ck_assert_str_eq(record_view_value(view, "options1"), "#ffff");
    record_view_destroy(view);
    record_deinit(&record);
    free(long_text);
}

/* Checks and hash of this text were computed with Python (a bitwise CRC, hashlib.blake2b). */
TEST(an_example_verified_in_python_is_accepted)
{
    FILE *file = fopen(TEST_DATA "/record.txt", "r");
    char text[8192];
    struct record_view *view = NULL;
    struct bg_match match;
    size_t size;

    ck_assert_ptr_nonnull(file);
    size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_ok(record_read(&view, text, size, &error));
    assert_ok(record_check_hash(view, &error));
    assert_ok(record_replay(&match, view, &error));
    ck_assert_int_eq(match.result.points, 2);
    ck_assert_int_eq(match.score[1], 3);
    record_view_destroy(view);
}
