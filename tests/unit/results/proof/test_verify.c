/* Verification: sound results are accepted, and every change is found at its place. */
#include <proof/verify.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <proof/root.h>
#include <record/record_text.h>

#include "support/random_match.h"
#include "support/suite.h"

enum { GAMES_MAX = 64, GAME_TEXT = 1 << 16 };

static const struct bg_dice_key event_key = {{7, 1, 9}};
static const struct verify_key published_key = {.is_known = true, .key = {{7, 1, 9}}};

/* One leg played with the dice of the event key and a clock. */
struct leg {
    char *text[GAMES_MAX];
    size_t size[GAMES_MAX];
    struct store_game row[GAMES_MAX];
    char id[GAMES_MAX][BG_GAME_ID];
    int games;
};

static struct leg leg;
static int64_t delay_ns; /* of the leg's clocks; 0: they have an increment */
static char everything[GAMES_MAX * GAME_TEXT];
static size_t everything_size;

/* A random step as due, but the key gives the dice. */
static struct bg_step keyed_step(const struct bg_match *match, struct chance *chance)
{
    struct bg_step step = random_step(match, chance);
    bool opens = step.kind == BG_STEP_OPEN;
    struct bg_dice_key pair_key;

    if (opens || step.kind == BG_STEP_ROLL) {
        bg_dice_pair_key(&pair_key, &event_key,
                         &(struct bg_dice_pair){.a = "ann", .b = "bob", .pair = 3});
        memset(step.die, 0, sizeof step.die);
        bg_dice_draw(step.die, (size_t)bg_match_dice(match), &pair_key, (uint64_t)match->game,
                     opens            ? BG_STREAM_OPEN
                     : step.seat == 0 ? BG_STREAM_0
                                      : BG_STREAM_1,
                     (uint64_t)(opens ? match->openings : match->rolls[step.seat]));
    }
    return step;
}

/* The plainest way to count what a step costs; *free_ns is left of the delay of this turn. */
static int64_t cost(int64_t *free_ns, int64_t spent_ns)
{
    int64_t free = spent_ns < *free_ns ? spent_ns : *free_ns;

    *free_ns -= free;
    return spent_ns - free;
}

/* Plays one game; the clocks have an increment or a delay. */
static void play_game(struct bg_match *match, int number, const char *prev, int64_t left_ns[2],
                      struct chance *chance)
{
    struct record record = {0};
    struct store_game *row = &leg.row[number];
    struct record_header header = {.game_id = leg.id[number],
                                   .event = "proof",
                                   .seat_name = {"bob", "ann"},
                                   .seat_program = {"-", "-"},
                                   .seat_version = {"", ""},
                                   .seat_options = {"", ""},
                                   .start = match,
                                   .has_clock = true,
                                   .clock =
                                       delay_ns > 0 ? "bank=1h,delay=700us" : "bank=1h,inc=1ms",
                                   .left_ns = {left_ns[0], left_ns[1]},
                                   .prev = prev,
                                   .dice = "keyed",
                                   .host = ""};

    int64_t free_ns = 0;
    int on_clock = -1;

    snprintf(leg.id[number], sizeof leg.id[number], "ann|bob|3|1|%d", number);
    record_begin(&record, &header);
    while (match->need.kind != BG_NEED_GAME && match->need.kind != BG_NEED_NOTHING) {
        struct bg_step step = keyed_step(match, chance);
        int64_t spent_ns = step.seat < 0 ? -1 : chance_below(chance, 1000000);
        int turn = match->turn;

        ck_assert_int_eq(bg_match_step(match, &step), BG_RULE_NONE);
        record_append(&record, &step, spent_ns);
        if (spent_ns >= 0) {
            bool ends_turn = match->turn != turn && step.kind != BG_STEP_FAULT;

            free_ns = on_clock == step.seat ? free_ns : delay_ns;
            on_clock = ends_turn ? -1 : step.seat;
            left_ns[step.seat] -= cost(&free_ns, spent_ns);
            left_ns[step.seat] += ends_turn && delay_ns == 0 ? 1000000 : 0;
        }
    }
    record_end(&record, &match->result, left_ns, row->hash);
    row->id = leg.id[number];
    row->a = "ann";
    row->b = "bob";
    row->pair = 3;
    row->leg = 1;
    row->game = number;
    store_game_result(row, match, 1);
    row->left_ns[0] = left_ns[1];
    row->left_ns[1] = left_ns[0];
    leg.text[number] = record.text;
    leg.size[number] = record.size;
    memcpy(everything + everything_size, record.text, record.size);
    everything_size += record.size;
}

static void setup(void)
{
    const struct bg_step next = {.kind = BG_STEP_NEXT, .seat = -1};
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 5);
    struct chance chance = {4711};
    struct bg_match match;
    int64_t left_ns[2] = {3600 * INT64_C(1000000000), 3600 * INT64_C(1000000000)};

    everything_size = 0;
    bg_match_begin(&match, &rules);
    for (leg.games = 0; leg.games < GAMES_MAX;) {
        play_game(&match, leg.games, leg.games == 0 ? "" : leg.row[leg.games - 1].hash, left_ns,
                  &chance);
        leg.games++;
        if (match.need.kind == BG_NEED_NOTHING) {
            break;
        }
        ck_assert_int_eq(bg_match_step(&match, &next), BG_RULE_NONE);
    }
    ck_assert_int_ge(leg.games, 2);
    ck_assert_int_eq(match.need.kind, BG_NEED_NOTHING);
}

static void teardown(void)
{
    for (int i = 0; i < leg.games; i++) {
        free(leg.text[i]);
    }
}

static enum bg_status verify_all(struct verify_sum *sum, const char *root, struct bg_error *err)
{
    const struct verify_options options = {.keys = &published_key, .key_count = 1, .root = root};

    return verify_text(sum, everything, everything_size, &options, err);
}

TEST(sound_games_are_verified)
{
    const struct verify_options options = {.keys = &published_key, .key_count = 1};
    struct verify_sum sum, again;
    struct verify verify;

    assert_ok(verify_all(&sum, NULL, &error));
    ck_assert_uint_eq(sum.games, (uint64_t)leg.games);
    ck_assert_uint_eq(sum.legs, 1);
    ck_assert_uint_eq(sum.open_legs, 0);
    ck_assert_uint_gt(sum.rolls, 0);
    ck_assert_uint_eq(sum.derived, sum.rolls);
    ck_assert_uint_eq(sum.clocked, sum.games);
    verify_begin(&verify, &options);
    for (int i = 0; i < leg.games; i++) {
        assert_ok(verify_game(&verify, leg.text[i], leg.size[i], &leg.row[i], &error));
    }
    assert_ok(verify_end(&again, &verify, &error));
    ck_assert_str_eq(again.root, sum.root);
    assert_ok(verify_all(&again, sum.root, &error));
}

/* The delay is for a turn, not for each of its decisions. */
TEST(clocks_with_a_delay_are_verified)
{
    struct verify_sum sum;

    teardown();
    delay_ns = 700000;
    setup();
    delay_ns = 0;
    assert_ok(verify_all(&sum, NULL, &error));
    ck_assert_uint_eq(sum.clocked, sum.games);
}

/* The line of the text, counted from 1, that contains the byte at `at`. */
static int line_of(const char *text, size_t at)
{
    int line = 1;

    for (size_t i = 0; i < at; i++) {
        line += text[i] == '\n';
    }
    return line;
}

/* Every byte of the leg's second game is changed in one bit: the change is found on this line or
 * later, never earlier. If it adds or removes a line break, the neighbouring line may be named. */
TEST(a_changed_byte_is_found_on_its_line)
{
    size_t begin = leg.size[0];

    for (size_t i = 0; i < leg.size[1]; i++) {
        struct verify_sum sum;
        char *byte = &everything[begin + i];
        char old = *byte;
        int line = line_of(leg.text[1], i);
        char place[32], *named;

        *byte = (char)(old ^ (1 << (i % 7)));
        ck_assert_msg(verify_all(&sum, NULL, &error) == BG_E_MISMATCH, "byte %zu holds", i);
        *byte = old;
        if (old == '\n' || i + 80 > leg.size[1]) {
            continue; /* the end of a line, and the hash itself, which has no check */
        }
        snprintf(place, sizeof place, "line %d", line);
        named = strstr(error.text, "line ");
        /* The first line begins a record: without it, the record belongs to the previous one. */
        if (line > 1) {
            ck_assert_msg(named != NULL && atoi(named + 5) == line, "byte %zu on %s: %s", i, place,
                          error.text);
        }
    }
}

/* The text written again with correct checks and hash, like a forger would do. */
static void forge(char *out, size_t *size, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    uint16_t check = LINE_CHECK_START;
    char hash[RECORD_HASH];
    size_t used = 0;

    ck_assert_msg(at != NULL, "no '%s' to change", from);
    if (from[0] == '\n') { /* at the beginning of a line */
        at++, from++, to++;
    }
    for (const char *line = text; strncmp(line, "hash ", 5) != 0;) {
        const char *end = strchr(line, '\n');
        size_t length = (size_t)(end - line) - LINE_CHECK_TEXT;
        size_t start = used;

        if (at >= line && at < end) {
            used += (size_t)sprintf(out + used, "%.*s%s%.*s", (int)(at - line), line, to,
                                    (int)(line + length - (at + strlen(from))), at + strlen(from));
        } else {
            memcpy(out + used, line, length);
            used += length;
        }
        check = line_check(check, out + start, used - start);
        line_put_check(out + used, check);
        used += LINE_CHECK_TEXT;
        out[used++] = '\n';
        line = end + 1;
    }
    record_hash_text(hash, out, used);
    *size = used + (size_t)sprintf(out + used, "hash %s\n", hash);
}

static const struct {
    const char *from, *to, *found;
} forgeries[] = {
    {"\nhost ", "\nhost else", NULL}, /* consistent in itself: only the root detects it */
    {"left=", "left=1", "the clock of seat"},
    {"\nleft ", "\nleft 1", "left is"},
    {"score=0:0", "score=1:0", "start"},
    {"ann|bob|3|1|0", "ann|bob|3|1|1", "missing before it"},
    {"ann|bob|3|1|0", "ann|bob|4|0|0", "seat0 is"},
    {"\nprev ", "\nprev 00", "prev is"},
    {"length=5", "length=7", NULL},
};

TEST_ROWS(a_forged_record_is_found, forgeries)
{
    static char text[GAME_TEXT];
    const struct verify_options options = {.keys = &published_key, .key_count = 1};
    struct verify verify;
    struct verify_sum sum, forged;
    enum bg_status status;
    size_t size;

    assert_ok(verify_all(&sum, NULL, &error));
    forge(text, &size, leg.text[0], forgeries[_i].from, forgeries[_i].to);
    verify_begin(&verify, &options);
    status = verify_game(&verify, text, size, NULL, &error);
    if (forgeries[_i].found != NULL) {
        ck_assert_int_eq(status, BG_E_MISMATCH);
        ck_assert_msg(strstr(error.text, forgeries[_i].found) != NULL, "%s", error.text);
        return;
    }
    ck_assert_msg(status == BG_OK, "%s", error.text);
    ck_assert_int_eq(verify_game(&verify, leg.text[1], leg.size[1], NULL, &error), BG_E_MISMATCH);
    verify_begin(&verify, &(struct verify_options){
                              .keys = &published_key, .key_count = 1, .root = sum.root});
    assert_ok(verify_game(&verify, text, size, NULL, &error));
    ck_assert_int_eq(verify_end(&forged, &verify, &error), BG_E_MISMATCH);
    ck_assert_msg(strstr(error.text, sum.root) != NULL, "%s", error.text);
}

TEST(other_dice_are_found_at_their_step)
{
    static char text[GAME_TEXT];
    const struct verify_options options = {.keys = &published_key, .key_count = 1};
    struct verify verify;
    char from[16], to[16];
    const char *open = strstr(leg.text[0], "\nopen ");
    size_t size;

    /* Other opening numbers with the same starter. */
    memcpy(from, open, 8);
    from[8] = '\0';
    strcpy(to, from);
    if (to[6] > to[7]) {
        to[6] = to[6] == '6' ? '5' : '6';
        to[7] = to[6] == '5' && to[7] == '5' ? '4' : to[7];
    } else {
        to[7] = to[7] == '6' ? '5' : '6';
    }
    forge(text, &size, leg.text[0], from, to);
    verify_begin(&verify, &options);
    ck_assert_int_eq(verify_game(&verify, text, size, NULL, &error), BG_E_MISMATCH);
    ck_assert_msg(strstr(error.text, "(step 1)") != NULL && strstr(error.text, "key gives") != NULL,
                  "%s", error.text);
}

enum { OTHER_COLUMNS = 5, SMALL_COLUMNS = 7, LARGE_COLUMNS = 5 };

TEST_LOOP(columns_that_differ_from_the_record_are_found, 0,
          OTHER_COLUMNS + SMALL_COLUMNS + LARGE_COLUMNS)
{
    const struct verify_options options = {.key_count = 0};
    struct verify verify;
    struct store_game row = leg.row[0];
    int *const small[SMALL_COLUMNS] = {&row.leg,   &row.game,  &row.length_points, &row.winner,
                                       &row.level, &row.turns, &row.match_winner};
    int64_t *const large[LARGE_COLUMNS] = {&row.points, &row.score_a, &row.score_b, &row.left_ns[0],
                                           &row.left_ns[1]};

    switch (_i) {
    case 0:
        row.pair++;
        break;
    case 1:
        row.match_over = !row.match_over;
        break;
    case 2:
        row.end = row.end == BG_END_FAULT ? BG_END_NONE : BG_END_FAULT;
        break;
    case 3:
        row.fault = row.fault == BG_FAULT_LATE ? BG_FAULT_NONE : BG_FAULT_LATE;
        break;
    case 4:
        row.hash[5] = row.hash[5] == '0' ? '1' : '0';
        break;
    default:
        if (_i < OTHER_COLUMNS + SMALL_COLUMNS) {
            ++*small[_i - OTHER_COLUMNS];
        } else {
            --*large[_i - OTHER_COLUMNS - SMALL_COLUMNS];
        }
    }
    verify_begin(&verify, &options);
    ck_assert_int_eq(verify_game(&verify, leg.text[0], leg.size[0], &row, &error), BG_E_MISMATCH);
    ck_assert_msg(strstr(error.text, "ann|bob|3|1|0") != NULL, "%s", error.text);
}

/* A game set aside has its own line in the root, as docs/record.md says. */
TEST(a_game_set_aside_is_marked_in_the_root)
{
    char found[RECORD_HASH], expected[RECORD_HASH];
    struct root root;

    root_begin(&root, NULL);
    root_add_aside(&root, "ann|bob|3|1|0", 2, leg.row[0].hash);
    root_end(found, &root);
    root_begin(&root, NULL);
    root_add(&root, "set-aside ann|bob|3|1|0|2", leg.row[0].hash);
    root_end(expected, &root);
    ck_assert_str_eq(found, expected);
}

TEST(games_left_out_or_exchanged_are_found)
{
    const struct verify_options options = {.keys = &published_key, .key_count = 1};
    struct verify verify;
    struct verify_sum sum;

    verify_begin(&verify, &options);
    ck_assert_int_eq(verify_game(&verify, leg.text[1], leg.size[1], NULL, &error), BG_E_MISMATCH);
    verify_begin(&verify, &options);
    assert_ok(verify_game(&verify, leg.text[0], leg.size[0], NULL, &error));
    ck_assert_int_eq(verify_game(&verify, leg.text[0], leg.size[0], NULL, &error), BG_E_MISMATCH);
    assert_ok(verify_end(&sum, &verify, &error));
    ck_assert_uint_eq(sum.open_legs, 1);
}

static void refuses(struct verify *verify, const char *text, size_t size, const char *message)
{
    ck_assert_int_eq(verify_game(verify, text, size, NULL, &error), BG_E_MISMATCH);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s", error.text);
}

/* Records that are sound by themselves. */
TEST(a_game_that_does_not_follow_from_its_leg_is_found)
{
    static char text[GAME_TEXT];
    const struct verify_options options = {.keys = &published_key, .key_count = 1};
    struct verify verify;
    char from[BG_GAME_ID + 4], to[BG_GAME_ID + 4];
    size_t size;

    verify_begin(&verify, &options);
    assert_ok(verify_game(&verify, leg.text[0], leg.size[0], NULL, &error));
    forge(text, &size, leg.text[1], "length=5", "length=7");
    refuses(&verify, text, size, "rules is");
    verify.attempt = 1;
    refuses(&verify, leg.text[1], leg.size[1],
            "it is of attempt 0, the game before it is of attempt 1");
    verify.attempt = 0;
    for (int i = 1; i < leg.games; i++) {
        assert_ok(verify_game(&verify, leg.text[i], leg.size[i], NULL, &error));
    }
    snprintf(from, sizeof from, "id %s", leg.id[leg.games - 1]);
    snprintf(to, sizeof to, "id ann|bob|3|1|%d", leg.games);
    forge(text, &size, leg.text[leg.games - 1], from, to);
    refuses(&verify, text, size, "its match had ended before");
}

void suite_begin(TCase *tests)
{
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 600);
}
