/* What is kept of a bot over a lost line, and with which Welcome it can go on. */
#include "support/suite.h"

#include <cmd/kept_bot.h>

#include <string.h>

static struct kept_bot kept; /* large, as is what follows */
static struct wire_welcome welcome;
static struct wire_reader *reader;
static struct wire_buffer buffer;

static void greet(bool stateful, bool want_tells)
{
    static struct wire_hello hello;

    memset(&hello, 0, sizeof hello);
    hello.protocols[0] = 2;
    hello.protocol_count = 1;
    strcpy(hello.name, "probe");
    hello.stateful = stateful;
    hello.want_tells = want_tells;
    ck_assert_int_eq(wire_pack_hello(&buffer, &hello, NULL), BG_OK);
    ck_assert_int_eq(kept_bot_hello(&kept, reader, buffer.data, buffer.size, NULL), BG_OK);
    ck_assert_uint_eq(kept.hello_size, buffer.size);
    ck_assert_mem_eq(kept.hello, buffer.data, buffer.size);
}

static void set_up(void)
{
    ck_assert_int_eq(wire_reader_create(&reader, 1 << 20, NULL), BG_OK);
    memset(&welcome, 0, sizeof welcome);
    welcome.protocol = 2;
    strcpy(welcome.bot, "anna");
    strcpy(welcome.event, "spring");
    strcpy(welcome.referee, "bgref 0.1.0");
    welcome.limits.decision_ns = 60;
    welcome.option_count = 1;
    strcpy(welcome.options[0].name, "Ply");
    strcpy(welcome.options[0].value, "2");
    greet(false, false);
}

static void tear_down(void)
{
    kept_bot_deinit(&kept);
    wire_buffer_deinit(&buffer);
    wire_reader_destroy(reader);
}

TEST(only_a_welcomed_bot_without_a_memory_can_stay)
{
    ck_assert(!kept_bot_can_stay(&kept));
    kept_bot_welcome(&kept, &welcome);
    ck_assert(kept_bot_can_stay(&kept));
    greet(true, false);
    kept_bot_welcome(&kept, &welcome);
    ck_assert(!kept_bot_can_stay(&kept));
    greet(false, true);
    kept_bot_welcome(&kept, &welcome);
    ck_assert(!kept_bot_can_stay(&kept));
    ck_assert_int_eq(kept_bot_hello(&kept, reader, "nonsense", 8, NULL), BG_OK);
    kept_bot_welcome(&kept, &welcome);
    ck_assert(!kept_bot_can_stay(&kept));
}

enum difference { NONE, RESUMES, PROTOCOL, NAME, EVENT, REFEREE, LIMITS, OPTION, OPTIONS };

TEST_LOOP(it_goes_on_only_where_it_was, NONE, OPTIONS + 1)
{
    static const char *const games[] = {"b7689c1615879332776dd04258ef2f0c"};

    kept_bot_welcome(&kept, &welcome);
    welcome.resuming = _i != RESUMES;
    welcome.open_games = games;
    welcome.open_game_count = 1;
    switch ((enum difference)_i) {
    case PROTOCOL:
        welcome.protocol++;
        break;
    case NAME:
        strcpy(welcome.bot, "ann");
        break;
    case EVENT:
        strcpy(welcome.event, "summer");
        break;
    case REFEREE:
        strcpy(welcome.referee, "bgref 0.2.0");
        break;
    case LIMITS:
        welcome.limits.decision_ns++;
        break;
    case OPTION:
        strcpy(welcome.options[0].value, "3");
        break;
    case OPTIONS:
        welcome.option_count = 0;
        break;
    default:
        break;
    }
    ck_assert_int_eq(kept_bot_fits(&kept, &welcome), _i == NONE);
}

static bool ask(uint64_t one, uint64_t other)
{
    const struct wire_ask_head asks[2] = {{.decision = one}, {.decision = other}};

    return kept_bot_ask(&kept, asks, other == 0 ? 1 : 2);
}

static void answer(uint64_t decision)
{
    const struct bg_answer one = {.decision = decision, .kind = BG_ANSWER_ROLL};

    ck_assert_int_eq(wire_pack_answers(&buffer, &one, 1, NULL), BG_OK);
    kept_bot_answer(&kept, buffer.data, buffer.size);
}

TEST(what_it_owes_is_not_asked_again)
{
    ck_assert(ask(1024, 1025));
    ck_assert(!ask(1024, 0));
    ck_assert(!ask(1024, 1025));
    answer(1024);
    ck_assert(ask(1024, 1025));
    answer(1025);
    answer(1025);
    answer(77); /* was never asked */
    ck_assert(!ask(1024, 0));
    ck_assert(ask(2048, 0)); /* the next one of this place */
    ck_assert(!ask(2048, 0));
    answer(1024); /* a late answer to the one before */
    ck_assert(!ask(2048, 0));
}

TEST(a_bot_with_a_memory_is_asked_whatever_comes)
{
    greet(true, false);
    ck_assert(ask(1024, 0));
    ck_assert(ask(1024, 0));
}

SUITE_FIXTURE(set_up, tear_down)
