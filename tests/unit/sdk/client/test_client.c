/* The client, and the bundled bots, against a small referee in this process.
 *
 * The bot side is a child process: a function of this file, or one of the bundled programs. The
 * referee side is the test itself, on an ipc socket in a directory of its own. */
#include <wire/wire.h>

#include <bgref/bot.h>
#include <bgref/run.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "support/suite.h"

enum { WAIT_MS = 20000, BATCH = 64, FRAME_MAX = 4 << 20 };

static char directory[] = "/tmp/bgref-test-XXXXXX", endpoint[128];
static void *context, *router;
static uint8_t peer[64], frame[FRAME_MAX];
static size_t peer_size, frame_size;
static struct wire_buffer buffer;
static struct wire_reader *reader;
static struct wire_message message;
static pid_t child;

/* ---------------------------------------------------------------- the referee's side */

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(endpoint, sizeof endpoint, "ipc://%s/bots", directory);
    setenv("BGREF_ENDPOINT", endpoint, 1);
    setenv("BGREF_TOKEN", "open sesame", 1);
    assert_ok(wire_reader_create(&reader, 8 << 20, &error));
}

static void router_close(void)
{
    int linger = 0;

    if (router != NULL) {
        zmq_setsockopt(router, ZMQ_LINGER, &linger, sizeof linger);
        zmq_close(router);
        zmq_ctx_term(context);
        router = NULL;
    }
}

static void teardown(void)
{
    char path[160];

    router_close();
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    snprintf(path, sizeof path, "%s/bots", directory);
    unlink(path);
    rmdir(directory);
    wire_reader_destroy(reader);
    wire_buffer_deinit(&buffer);
}

/* The child waits until the socket is bound: a libzmq context must not be used after a fork. */
static void bot_fork(int (*body)(void), const char *program)
{
    int gate[2];
    int timeout_ms = WAIT_MS;

    ck_assert_int_eq(pipe(gate), 0);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char byte;

        close(gate[1]);
        if (read(gate[0], &byte, 1) != 0) {
            _exit(99);
        }
        if (program != NULL) {
            execl(program, program, (char *)NULL);
            _exit(98);
        }
        _exit(body());
    }
    close(gate[0]);
    context = zmq_ctx_new();
    router = zmq_socket(context, ZMQ_ROUTER);
    ck_assert_int_eq(zmq_setsockopt(router, ZMQ_RCVTIMEO, &timeout_ms, sizeof timeout_ms), 0);
    ck_assert_int_eq(zmq_bind(router, endpoint), 0);
    close(gate[1]);
}

static void receive(void)
{
    int size;

    size = zmq_recv(router, peer, sizeof peer, 0);
    ck_assert_msg(size > 0, "nothing came from the bot: %s", zmq_strerror(zmq_errno()));
    peer_size = (size_t)size;
    size = zmq_recv(router, frame, sizeof frame, 0);
    ck_assert_int_ge(size, 0);
    ck_assert_int_lt(size, FRAME_MAX);
    frame_size = (size_t)size;
    assert_ok(wire_unpack_to_referee(&message, reader, frame, frame_size, &error));
}

static void send_bytes(const void *data, size_t size)
{
    ck_assert_int_ge(zmq_send(router, peer, peer_size, ZMQ_SNDMORE), 0);
    ck_assert_int_ge(zmq_send(router, data, size, 0), 0);
}

static void send_packed(enum bg_status packed)
{
    ck_assert_int_eq(packed, BG_OK);
    send_bytes(buffer.data, buffer.size);
}

static void send_asks(const struct bg_ask *asks, size_t count)
{
    const struct bg_ask *list[BATCH];

    for (size_t i = 0; i < count; i++) {
        list[i] = &asks[i];
    }
    send_packed(wire_pack_asks(&buffer, list, count, &error));
}

static bool wants_thoughts;

static void send_welcome(const char *option, const char *value)
{
    static struct wire_welcome welcome;

    memset(&welcome, 0, sizeof welcome);
    welcome.protocol = BG_PROTOCOL;
    welcome.want_thoughts = wants_thoughts;
    strcpy(welcome.bot, "probe-a");
    welcome.limits = (struct wire_limits){.message_bytes = 65536,
                                          .in_flight = 64,
                                          .tables = 3,
                                          .games_a_day = 20,
                                          .starts_an_hour = 240,
                                          .decision_ns = 60000000000};
    if (option != NULL) {
        welcome.option_count = 1;
        strcpy(welcome.options[0].name, option);
        strcpy(welcome.options[0].value, value);
    }
    send_packed(wire_pack_welcome(&buffer, &welcome, &error));
}

static void greet(void)
{
    receive();
    ck_assert_int_eq(message.content, WIRE_HELLO);
    ck_assert_str_eq(message.hello->token, "open sesame");
    ck_assert_uint_eq(message.hello->pid, (unsigned)child);
    send_welcome(NULL, NULL);
    receive();
    ck_assert_int_eq(message.content, WIRE_READY);
    ck_assert_str_eq(message.game, "");
}

static long long now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until the child ends by itself; returns its exit status. */
static int ended(void)
{
    long long deadline = now_ms() + WAIT_MS;
    int how = 0;

    while (waitpid(child, &how, WNOHANG) == 0) {
        ck_assert_msg(now_ms() < deadline, "the bot does not end");
        poll(NULL, 0, 2);
    }
    child = 0;
    ck_assert(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static void goodbye(void)
{
    send_packed(wire_pack_goodbye(&buffer, "over", &error));
    ck_assert_int_eq(ended(), 0);
}

static void ask_fill(struct bg_ask *ask, uint64_t decision, enum bg_decision kind)
{
    memset(ask, 0, sizeof *ask);
    ask->decision = decision;
    strcpy(ask->game, "a|b|0|0|0");
    ask->kind = kind;
    ask->rules.variant = bg_variant_find("backgammon");
    ask->rules.cube = true;
    bg_variant_setup(&ask->board, ask->rules.variant);
    if (kind == BG_DECIDE_PLAY || kind == BG_DECIDE_KEEP) {
        ask->stage = (struct bg_stage){.parts = 2, .part = {{3, 1}, {1, 1}}};
    }
    ask->cube_owner = BG_CENTRED;
    ask->may_raise = kind == BG_DECIDE_TAKE;
    ask->resign_level = kind == BG_DECIDE_RESIGNATION ? 1 : 0;
    ask->dice = kind == BG_DECIDE_DICE ? 2 : 0;
    ask->ceiling_ns = 60000000000;
    ask->bot_seed = 42;
}

/* ---------------------------------------------------------------- the bot's side */

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "bot, line %d: %s\n", __LINE__, failure.text);                         \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static const struct bg_option offered[] = {
    {"Ply", BG_OPTION_INTEGER, "1", "0", "3", NULL, "how deep"},
    {"Style", BG_OPTION_CHOICE, "calm", NULL, NULL, "calm|wild", "how"},
};

static struct bg_bot *bot;
static struct bg_error failure;
static const struct bg_ask *ask;

static enum bg_status bot_open(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;

    info.name = "probe";
    info.version = "7";
    info.options = offered;
    info.option_count = 2;
    info.max_in_flight = BATCH;
    return bg_bot_open(&bot, &info, &failure);
}

static int bot_greets(void)
{
    EXPECT(bot_open() == BG_OK);
    EXPECT(strcmp(bg_bot_option(bot, "Ply"), "3") == 0);
    EXPECT(strcmp(bg_bot_option(bot, "Style"), "calm") == 0);
    EXPECT(bg_bot_option(bot, "Depth") == NULL);
    EXPECT(strcmp(bg_bot_name(bot), "probe-a") == 0);
    EXPECT(bg_bot_limits(bot)->tables == 3 && bg_bot_limits(bot)->games_a_day == 20);
    EXPECT(bg_bot_limits(bot)->hello_bytes == 65536); /* not told: that of any message */
    EXPECT(bg_bot_limits(bot)->starts_an_hour == 240);
    EXPECT(bg_bot_limits(bot)->message_bytes == 65536 && bg_bot_limits(bot)->in_flight == 64);
    EXPECT(bg_bot_limits(bot)->decision_ns == 60ull * 1000000000);
    EXPECT(bg_bot_fd(bot) >= 0);
    EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_E_CLOSED);
    EXPECT(strstr(failure.text, "over") != NULL);
    bg_bot_close(bot);
    return 0;
}

TEST(the_greeting_settles_name_and_options)
{
    bot_fork(bot_greets, NULL);
    receive();
    ck_assert_int_eq(message.content, WIRE_HELLO);
    ck_assert_uint_eq(message.hello->protocol_count, 1);
    ck_assert_uint_eq(message.hello->protocols[0], BG_PROTOCOL);
    ck_assert_str_eq(message.hello->name, "probe");
    ck_assert_str_eq(message.hello->version, "7");
    ck_assert_str_eq(message.hello->variants, "backgammon");
    ck_assert_uint_eq(message.hello->max_in_flight, BATCH);
    ck_assert_uint_eq(message.hello->option_count, 2);
    ck_assert_str_eq(message.hello->options[1].choices, "calm|wild");
    send_welcome("Ply", "3");
    receive();
    ck_assert_int_eq(message.content, WIRE_READY);
    goodbye();
}

static int bot_is_refused(void)
{
    EXPECT(bot_open() == BG_E_REFUSED);
    EXPECT(strcmp(failure.text, "token: used before") == 0);
    return 0;
}

TEST(a_refusal_is_returned_with_its_reason)
{
    bot_fork(bot_is_refused, NULL);
    receive();
    send_packed(wire_pack_refusal(&buffer, "token", "used before", &error));
    ck_assert_int_eq(ended(), 0);
}

static int bot_refuses_option(void)
{
    EXPECT(bot_open() == BG_E_ARGUMENT);
    EXPECT(strncmp(failure.text, "option ", 7) == 0);
    return 0;
}

static const struct {
    const char *option, *value;
} bad_options[] = {
    {"Depth", "1"}, {"Ply", "4"}, {"Ply", "-1"}, {"Ply", "two"}, {"Style", "cal"}, {"Style", ""},
};

TEST_ROWS(an_invalid_option_is_refused, bad_options)
{
    bot_fork(bot_refuses_option, NULL);
    receive();
    send_welcome(bad_options[_i].option, bad_options[_i].value);
    ck_assert_int_eq(ended(), 0);
}

static int bot_without_environment(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;

    info.name = "not a name";
    EXPECT(bg_bot_open(&bot, &info, &failure) == BG_E_ARGUMENT);
    EXPECT(strstr(failure.text, "not a name") != NULL);
    unsetenv("BGREF_TOKEN");
    EXPECT(bot_open() == BG_E_ARGUMENT);
    EXPECT(strstr(failure.text, "BGREF_TOKEN") != NULL);
    setenv("BGREF_TOKEN", "x", 1);
    setenv("BGREF_ENDPOINT", "carrier-pigeon://loft", 1);
    EXPECT(bot_open() == BG_E_LINK);
    return 0;
}

TEST(a_bad_start_is_explained)
{
    bot_fork(bot_without_environment, NULL);
    ck_assert_int_eq(ended(), 0);
}

static bool refused(const struct bg_bot_info *info, const char *words)
{
    memset(&failure, 0, sizeof failure);
    return bg_bot_open(&bot, info, &failure) == BG_E_ARGUMENT &&
           strstr(failure.text, words) != NULL;
}

/* Sizes that no header of this BG_ABI has, older and newer ones. */
static int bot_of_other_headers(void)
{
    const struct bg_bot_info good = {.size = sizeof good,
                                     .name = "probe",
                                     .options = offered,
                                     .option_count = 2,
                                     .option_size = sizeof offered[0]};
    const struct bg_callbacks callbacks = {.size = 8};
    struct bg_bot_info info = good;

    info.size = 0;
    EXPECT(refused(&info, "bot info of size 0"));
    info.size = 88; /* of libbgref.so.0 */
    EXPECT(refused(&info, "headers of an older bgref"));
    info.size = sizeof info + 8;
    EXPECT(refused(&info, "headers of a newer bgref"));
    info = good;
    info.option_size = 8;
    EXPECT(refused(&info, "bg_option of 8 bytes"));
    info.option_size = sizeof offered[0] + 8;
    EXPECT(refused(&info, "headers of a newer bgref"));
    EXPECT(bg_bot_run(&good, &callbacks, NULL, &failure) == BG_E_ARGUMENT);
    EXPECT(strstr(failure.text, "bg_callbacks of 8 bytes") != NULL);
    return 0;
}

TEST(structs_of_other_header_versions_are_refused)
{
    bot_fork(bot_of_other_headers, NULL);
    ck_assert_int_eq(ended(), 0);
}

static int bot_answers_all(void)
{
    enum bg_status status;

    EXPECT(bot_open() == BG_OK);
    while ((status = bg_bot_next(&ask, bot, -1, &failure)) == BG_OK) {
        EXPECT(bg_bot_answer(bot, ask, BG_ANSWER_ROLL, &failure) == BG_OK);
    }
    EXPECT(status == BG_E_CLOSED);
    bg_bot_close(bot);
    return 0;
}

TEST(a_batch_is_answered_in_one_message)
{
    static struct bg_ask asks[BATCH];

    bot_fork(bot_answers_all, NULL);
    greet();
    for (uint64_t round = 0; round < 20; round++) {
        for (uint64_t i = 0; i < BATCH; i++) {
            ask_fill(&asks[i], round * BATCH + i, BG_DECIDE_DOUBLE);
        }
        send_asks(asks, BATCH);
        receive();
        ck_assert_int_eq(message.content, WIRE_ANSWERS);
        ck_assert_uint_eq(message.count, BATCH);
        for (uint64_t i = 0; i < BATCH; i++) {
            ck_assert_uint_eq(message.answers[i].decision, round * BATCH + i);
            ck_assert_int_eq(message.answers[i].kind, BG_ANSWER_ROLL);
        }
    }
    goodbye();
}

/* It thinks of every second decision, first something else, and once of another decision. */
static int bot_thinks(void)
{
    struct bg_thought thought = BG_THOUGHT_INIT, longer = BG_THOUGHT_INIT;
    struct bg_ask other;
    enum bg_status status;

    EXPECT(bot_open() == BG_OK);
    longer.size++;
    memset(thought.text, 'x', sizeof thought.text - 1);
    while ((status = bg_bot_next(&ask, bot, -1, &failure)) == BG_OK) {
        other = *ask;
        other.decision++;
        EXPECT(bg_bot_think(bot, ask, &longer, &failure) == BG_E_ARGUMENT);
        thought.plies = 1;
        EXPECT(bg_bot_think(bot, ask, &thought, &failure) == BG_OK);
        thought.plies = 2;
        EXPECT(bg_bot_think(bot, ask->decision % 2 == 0 ? ask : &other, &thought, &failure) ==
               BG_OK);
        EXPECT(bg_bot_answer(bot, ask, BG_ANSWER_ROLL, &failure) == BG_OK);
    }
    EXPECT(status == BG_E_CLOSED);
    bg_bot_close(bot);
    return 0;
}

/* Row 1: the referee does not want them. */
TEST_LOOP(thoughts_go_with_their_answer_where_they_are_wanted, 0, 2)
{
    static struct bg_ask asks[BATCH];
    struct bg_thought thought;
    size_t answered = 0;

    wants_thoughts = _i == 0;
    bot_fork(bot_thinks, NULL);
    greet();
    wants_thoughts = false;
    for (uint64_t i = 0; i < BATCH; i++) {
        ask_fill(&asks[i], 3 * i, BG_DECIDE_DOUBLE);
    }
    send_asks(asks, BATCH);
    while (answered < BATCH) {
        receive();
        ck_assert_uint_le(frame_size, 65536);
        for (size_t i = 0; i < message.count; i++) {
            const struct wire_bytes *bytes = &message.answer_thought[i];

            ck_assert_uint_eq(message.answers[i].decision, 3 * answered);
            ck_assert_msg((bytes->data != NULL) == (_i == 0 && answered % 2 == 0), "answer %zu",
                          answered);
            if (bytes->data != NULL) {
                ck_assert_ptr_null(wire_thought_read(&thought, bytes));
                ck_assert_uint_eq(thought.plies, 2);
                ck_assert_uint_eq(strlen(thought.text), BG_THOUGHT_TEXT - 1);
            }
            answered++;
        }
    }
    goodbye();
}

/* Positions on the longest board, as many as may be open. */
static int bot_answers_with_positions(void)
{
    enum bg_status status;

    EXPECT(bot_open() == BG_OK);
    while ((status = bg_bot_next(&ask, bot, -1, &failure)) == BG_OK) {
        EXPECT(bg_bot_answer_result(bot, ask, &ask->board, &failure) == BG_OK);
    }
    EXPECT(status == BG_E_CLOSED);
    bg_bot_close(bot);
    return 0;
}

TEST(messages_of_answers_fit_the_size_limit_of_the_referee)
{
    static struct bg_ask asks[WIRE_BATCH_MAX];
    const struct bg_ask *list[WIRE_BATCH_MAX];
    size_t answered = 0;

    for (size_t i = 0; i < WIRE_BATCH_MAX; i++) {
        ask_fill(&asks[i], UINT64_MAX - i, BG_DECIDE_PLAY);
        memset(&asks[i].board, 0, sizeof asks[i].board);
        asks[i].board.at[0][BG_SLOTS - 1] = asks[i].board.at[1][BG_SLOTS - 1] = BG_CHECKERS;
        list[i] = &asks[i];
    }
    bot_fork(bot_answers_with_positions, NULL);
    greet();
    send_packed(wire_pack_asks(&buffer, list, WIRE_BATCH_MAX, &error));
    while (answered < WIRE_BATCH_MAX) {
        receive();
        ck_assert_int_eq(message.content, WIRE_ANSWERS);
        ck_assert_uint_le(frame_size, 65536);
        ck_assert_uint_eq(message.answers[0].decision, UINT64_MAX - answered);
        answered += message.count;
    }
    goodbye();
}

/* A bot's own loop, as in docs/sdk.md. */
static int bot_polls(void)
{
    struct pollfd readable = {-1, POLLIN, 0};
    enum bg_status status;

    EXPECT(bot_open() == BG_OK);
    readable.fd = bg_bot_fd(bot);
    for (;;) {
        while ((status = bg_bot_next(&ask, bot, 0, &failure)) == BG_OK) {
            EXPECT(bg_bot_answer(bot, ask, BG_ANSWER_ROLL, &failure) == BG_OK);
        }
        if (status != BG_E_TIMEOUT) {
            break;
        }
        EXPECT(poll(&readable, 1, WAIT_MS) == 1);
    }
    EXPECT(status == BG_E_CLOSED);
    bg_bot_close(bot);
    return 0;
}

TEST(a_bot_may_wait_in_its_own_poll)
{
    static struct bg_ask asks[BATCH];

    bot_fork(bot_polls, NULL);
    greet();
    for (uint64_t round = 0; round < 200; round++) {
        ask_fill(&asks[0], 2 * round, BG_DECIDE_DOUBLE);
        ask_fill(&asks[1], 2 * round + 1, BG_DECIDE_DOUBLE);
        send_asks(&asks[0], 1);
        send_asks(&asks[1], 1); /* often read together with the previous one */
        for (size_t answered = 0; answered < 2; answered += message.count) {
            receive();
            ck_assert_int_eq(message.content, WIRE_ANSWERS);
        }
    }
    goodbye();
}

static int reports[2]; /* a pipe from the bot */

/* Answers its first decision only when the next one has arrived. Not with libzmq, whose own thread
 * may have read the next one already. */
static int bot_dallies(void)
{
    struct pollfd readable = {-1, POLLIN, 0};

    EXPECT(bot_open() == BG_OK);
    EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_OK);
    readable.fd = bg_bot_fd(bot);
    EXPECT(write(reports[1], "", 1) == 1);
    EXPECT(poll(&readable, 1, WAIT_MS) == 1);
    for (int i = 0; i < 2; i++) {
        EXPECT(bg_bot_answer(bot, ask, BG_ANSWER_ROLL, &failure) == BG_OK);
        EXPECT(bg_bot_next(&ask, bot, -1, &failure) == (i == 0 ? BG_OK : BG_E_CLOSED));
    }
    bg_bot_close(bot);
    return 0;
}

TEST_LOOP(the_answer_to_a_lone_decision_is_sent_at_once, 0, getenv("BGREF_CLIENT") == NULL ? 1 : 0)
{
    struct bg_ask asks[2];
    char byte;

    ck_assert_int_eq(pipe(reports), 0);
    bot_fork(bot_dallies, NULL);
    greet();
    for (int i = 0; i < 2; i++) {
        ask_fill(&asks[i], (uint64_t)i + 1, BG_DECIDE_DOUBLE);
    }
    send_asks(&asks[0], 1);
    ck_assert_int_eq(read(reports[0], &byte, 1), 1);
    send_asks(&asks[1], 1);
    for (uint64_t i = 1; i <= 2; i++) {
        receive();
        ck_assert_int_eq(message.content, WIRE_ANSWERS);
        ck_assert_uint_eq(message.count, 1);
        ck_assert_uint_eq(message.answers[0].decision, i);
    }
    goodbye();
    close(reports[0]);
    close(reports[1]);
}

TEST(messages_beside_decisions_are_served)
{
    static const uint8_t field_99[] = {0x9a, 0x06, 0x00}, evaluate[] = {0x2a, 0x00},
                         letter[] = {0x22, 0x00};
    struct bg_game_begin begin = {.game = "g7", .cube_owner = BG_CENTRED};

    bot_fork(bot_answers_all, NULL);
    greet();
    send_bytes(letter, sizeof letter);
    send_packed(wire_pack_not_understood_to_bot(&buffer, 3, &error));
    send_packed(wire_pack_ping(&buffer, 123456789012345, &error));
    receive();
    ck_assert_int_eq(message.content, WIRE_PONG);
    ck_assert_uint_eq(message.nonce, 123456789012345);
    send_bytes(field_99, sizeof field_99);
    receive();
    ck_assert_int_eq(message.content, WIRE_NOT_UNDERSTOOD);
    ck_assert_uint_eq(message.field, 99);
    send_bytes(evaluate, sizeof evaluate);
    receive();
    ck_assert_int_eq(message.content, WIRE_NOT_UNDERSTOOD);
    ck_assert_uint_eq(message.field, 5);
    begin.rules = bg_rules_default(bg_variant_find("backgammon"), 5);
    bg_variant_setup(&begin.board, begin.rules.variant);
    send_packed(wire_pack_new_game(&buffer, &begin, &error));
    receive();
    ck_assert_int_eq(message.content, WIRE_READY);
    ck_assert_str_eq(message.game, "g7");
    goodbye();
}

TEST(a_bot_does_not_outlive_the_referee)
{
    bot_fork(bot_answers_all, NULL);
    greet();
    router_close();
    ck_assert_int_eq(ended(), 0);
}

static int bot_gets_garbage(void)
{
    EXPECT(bot_open() == BG_OK);
    EXPECT(bg_bot_next(&ask, bot, 0, &failure) == BG_E_TIMEOUT);
    EXPECT(bg_bot_next(&ask, bot, 20, &failure) == BG_E_TIMEOUT);
    EXPECT(bg_bot_next(&ask, bot, 600, &failure) == BG_E_TIMEOUT);
    EXPECT(kill(getppid(), SIGUSR1) == 0);
    EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_E_FORMAT);
    EXPECT(ask == NULL);
    bg_bot_close(bot);
    return 0;
}

TEST(time_limits_and_garbled_messages_are_reported)
{
    sigset_t wanted;
    int caught;

    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    bot_fork(bot_gets_garbage, NULL);
    greet();
    ck_assert_int_eq(sigwait(&wanted, &caught), 0);
    send_bytes("\xff\xff\xff", 3);
    ck_assert_int_eq(ended(), 0);
}

/* The allowed actions of decisions, apart from plays, names and resignations. */
static bool fits(enum bg_decision kind, enum bg_answer_kind action)
{
    static const unsigned actions[BG_DECIDE_COUNT] = {
        [BG_DECIDE_DOUBLE] = 1u << BG_ANSWER_ROLL | 1u << BG_ANSWER_DOUBLE,
        [BG_DECIDE_TAKE] = 1u << BG_ANSWER_TAKE | 1u << BG_ANSWER_PASS | 1u << BG_ANSWER_RAISE,
        [BG_DECIDE_RAISE] = 1u << BG_ANSWER_TAKE | 1u << BG_ANSWER_PASS, /* may_raise is false */
        [BG_DECIDE_KEEP] = 1u << BG_ANSWER_KEEP | 1u << BG_ANSWER_REROLL,
        [BG_DECIDE_RESIGNATION] = 1u << BG_ANSWER_ACCEPT | 1u << BG_ANSWER_REFUSE,
    };

    return (actions[kind] >> action & 1) != 0;
}

static int bot_tries_everything(void)
{
    struct bg_play play = {0};

    EXPECT(bot_open() == BG_OK);
    for (int i = 1; i < BG_DECIDE_COUNT; i++) {
        static const uint8_t dice[2][2] = {{3, 6}, {3, 7}};
        bool plays, names, rolls;

        EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_OK);
        plays = ask->kind == BG_DECIDE_PLAY;
        names = ask->kind == BG_DECIDE_NAME;
        rolls = ask->kind == BG_DECIDE_DICE;
        for (int action = 0; action < BG_ANSWER_COUNT; action++) {
            EXPECT((bg_bot_answer(bot, ask, (enum bg_answer_kind)action, &failure) == BG_OK) ==
                   fits(ask->kind, (enum bg_answer_kind)action));
        }
        EXPECT((bg_bot_answer_play(bot, ask, &play, &failure) == BG_OK) == plays);
        EXPECT((bg_bot_answer_result(bot, ask, &ask->board, &failure) == BG_OK) == plays);
        EXPECT(bg_bot_answer_index(bot, ask, 0, &failure) == BG_E_ARGUMENT); /* none listed */
        EXPECT((bg_bot_answer_name(bot, ask, 6, &failure) == BG_OK) == names);
        EXPECT(bg_bot_answer_name(bot, ask, 7, &failure) == BG_E_ARGUMENT);
        EXPECT((bg_bot_answer_dice(bot, ask, dice[0], &failure) == BG_OK) == rolls);
        EXPECT(bg_bot_answer_dice(bot, ask, dice[1], &failure) == BG_E_ARGUMENT);
        EXPECT((bg_bot_resign(bot, ask, 3, &failure) == BG_OK) == !rolls);
        EXPECT(bg_bot_resign(bot, ask, 4, &failure) == BG_E_ARGUMENT);
    }
    bg_bot_close(bot); /* sends the queued answers */
    return 0;
}

TEST(answers_must_fit_the_decision)
{
    static struct bg_ask asks[BG_DECIDE_COUNT];

    bot_fork(bot_tries_everything, NULL);
    greet();
    for (int i = 1; i < BG_DECIDE_COUNT; i++) {
        ask_fill(&asks[i], (uint64_t)i, (enum bg_decision)i);
    }
    send_asks(asks + 1, BG_DECIDE_COUNT - 1);
    receive(); /* after bg_bot_close: the last answers are not lost */
    ck_assert_int_eq(message.content, WIRE_ANSWERS);
    ck_assert_uint_eq(message.count, 11 + 4 + 7); /* actions; play, result, name, dice; offers */
    ck_assert_uint_eq(message.answers[message.count - 1].value, 63);
    ck_assert_int_eq(ended(), 0);
}

enum { MANY = 40000 }; /* answers of more bytes than the kernel buffers for a slow reader */

static int bot_answers_and_leaves(void)
{
    EXPECT(bot_open() == BG_OK);
    EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_OK);
    for (int i = 0; i < MANY; i++) {
        EXPECT(bg_bot_answer_result(bot, ask, &ask->board, &failure) == BG_OK);
    }
    bg_bot_close(bot);
    return 0;
}

TEST(closing_sends_queued_answers)
{
    struct bg_ask asked;
    size_t answers = 0;

    bot_fork(bot_answers_and_leaves, NULL);
    greet();
    ask_fill(&asked, 1, BG_DECIDE_PLAY);
    send_asks(&asked, 1);
    while (answers < MANY) {
        receive();
        answers += message.count;
    }
    ck_assert_int_eq(ended(), 0);
}

static void rolls_five_and_two(void *user, const struct bg_ask *asked, uint8_t *die)
{
    die[0] = 2;
    die[1] = asked->dice == 2 ? 5 : 0;
}

static int bot_runs_bare(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks, .dice = rolls_five_and_two};

    info.name = "bare";
    info.enters_dice = true;
    EXPECT(bg_bot_run(&info, &callbacks, NULL, &failure) == BG_OK);
    return 0;
}

TEST(the_callback_loop_has_default_answers)
{
    static const enum bg_answer_kind plain[BG_DECIDE_COUNT] = {
        BG_ANSWER_NONE, BG_ANSWER_ROLL, BG_ANSWER_TAKE,   BG_ANSWER_TAKE, BG_ANSWER_MOVES,
        BG_ANSWER_KEEP, BG_ANSWER_NAME, BG_ANSWER_REFUSE, BG_ANSWER_DICE,
    };
    static struct bg_ask asks[BG_DECIDE_COUNT];

    bot_fork(bot_runs_bare, NULL);
    greet();
    for (int i = 1; i < BG_DECIDE_COUNT; i++) {
        ask_fill(&asks[i], (uint64_t)i, (enum bg_decision)i);
    }
    send_asks(asks + 1, BG_DECIDE_COUNT - 1);
    receive();
    ck_assert_uint_eq(message.count, BG_DECIDE_COUNT - 1);
    for (int i = 1; i < BG_DECIDE_COUNT; i++) {
        ck_assert_int_eq(message.answers[i - 1].kind, plain[i]);
    }
    asks[7].rules.jacoby = true; /* a gammon does not count before the cube is turned */
    send_asks(&asks[7], 1);
    receive();
    ck_assert_int_eq(message.answers[0].kind, BG_ANSWER_ACCEPT);
    goodbye();
}

/* ---------------------------------------------------------------- positions to be valued */

enum { POSITIONS = 5 };

static double one_quarter(void *user, const struct bg_ask *valued, const struct bg_board *board)
{
    return 0.25;
}

static enum bg_status evaluator_open(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;

    info.name = "judge";
    info.evaluates = true;
    return bg_bot_open(&bot, &info, &failure);
}

/* Keeps the positions of two requests and answers them from the last to the first. */
static int bot_values_backwards(void)
{
    struct bg_ask kept[2 * POSITIONS];
    struct bg_value value = BG_VALUE_INIT;

    EXPECT(evaluator_open() == BG_OK);
    for (int i = 0; i < 2 * POSITIONS; i++) {
        EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_OK);
        kept[i] = *ask;
        EXPECT(kept[i].kind == BG_VALUE_ROLLS);
    }
    for (int i = 2 * POSITIONS - 1; i >= 0; i--) {
        bg_value_rolls(&value.of.rolls, &kept[i], one_quarter, NULL);
        value.of.rolls.equity[0] = (double)kept[i].cube_log2;
        EXPECT(bg_bot_answer(bot, &kept[i], BG_ANSWER_ROLL, &failure) == BG_E_ARGUMENT);
        if (i == POSITIONS) {
            EXPECT(bg_bot_answer_cannot(bot, &kept[i], "too hard", &failure) == BG_OK);
            continue;
        }
        EXPECT(bg_bot_answer_value(bot, &kept[i], &value, &failure) == BG_OK);
        EXPECT(bg_bot_answer_value(bot, &kept[i], &value, &failure) == BG_E_ARGUMENT);
    }
    EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_E_CLOSED);
    bg_bot_close(bot);
    return 0;
}

static void send_positions(uint64_t number, int first)
{
    static struct bg_ask asks[POSITIONS];
    const struct bg_ask *list[POSITIONS];

    for (int i = 0; i < POSITIONS; i++) {
        ask_fill(&asks[i], 0, BG_VALUE_ROLLS);
        asks[i].cube_log2 = first + i;
        list[i] = &asks[i];
    }
    send_packed(wire_pack_evaluate(&buffer, number, list, POSITIONS, false, &error));
}

TEST(positions_are_answered_by_request_in_their_order)
{
    bot_fork(bot_values_backwards, NULL);
    receive();
    ck_assert(message.hello->evaluates);
    send_welcome(NULL, NULL);
    receive();
    send_packed(wire_pack_evaluate(&buffer, 3, NULL, 0, false, &error));
    receive();
    ck_assert_int_eq(message.content, WIRE_EVALUATION); /* nothing asked, nothing to wait for */
    ck_assert_uint_eq(message.number, 3);
    ck_assert_uint_eq(message.count, 0);
    send_positions(1234567890123, 0);
    send_positions(4, POSITIONS);
    for (int request = 1; request >= 0; request--) {
        receive();
        ck_assert_int_eq(message.content, WIRE_EVALUATION);
        ck_assert_uint_eq(message.number, request == 0 ? 1234567890123 : 4);
        ck_assert_uint_eq(message.count, POSITIONS);
        for (int i = 0; i < POSITIONS; i++) {
            if (request == 1 && i == 0) {
                ck_assert(message.values[i].cannot);
                ck_assert_str_eq(message.values[i].why, "too hard");
            } else {
                ck_assert_double_eq(message.values[i].of.rolls.equity[0], request * POSITIONS + i);
            }
        }
    }
    goodbye();
}

/* The client rejects an invalid value; the same request may then be answered correctly. */
static int bot_learns(void)
{
    struct bg_value value = BG_VALUE_INIT;

    EXPECT(evaluator_open() == BG_OK);
    EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_OK);
    EXPECT(bg_bot_answer_value(bot, ask, &value, &failure) == BG_E_ARGUMENT);
    EXPECT(strstr(failure.text, "best play of 11") != NULL);
    value.size += 8;
    EXPECT(bg_bot_answer_value(bot, ask, &value, &failure) == BG_E_ARGUMENT);
    EXPECT(strstr(failure.text, "headers of a newer bgref") != NULL);
    value.size = sizeof value;
    bg_value_rolls(&value.of.rolls, ask, one_quarter, NULL);
    for (int i = 0; i < POSITIONS; i++) {
        EXPECT(bg_bot_answer_value(bot, ask, &value, &failure) == BG_OK);
        EXPECT(i == POSITIONS - 1 || bg_bot_next(&ask, bot, -1, &failure) == BG_OK);
    }
    EXPECT(bg_bot_next(&ask, bot, -1, &failure) == BG_OK); /* decisions come beside positions */
    EXPECT(ask->kind == BG_DECIDE_DOUBLE);
    EXPECT(bg_bot_answer_cannot(bot, ask, "no", &failure) == BG_E_ARGUMENT);
    EXPECT(bg_bot_answer_value(bot, ask, &value, &failure) == BG_E_ARGUMENT);
    EXPECT(bg_bot_answer(bot, ask, BG_ANSWER_ROLL, &failure) == BG_OK);
    bg_bot_close(bot);
    return 0;
}

TEST(invalid_value_is_rejected_by_the_client)
{
    struct bg_ask asked;

    bot_fork(bot_learns, NULL);
    greet();
    send_positions(1, 0);
    receive();
    ck_assert_int_eq(message.content, WIRE_EVALUATION);
    ask_fill(&asked, 9, BG_DECIDE_DOUBLE);
    send_asks(&asked, 1);
    receive();
    ck_assert_int_eq(message.content, WIRE_ANSWERS);
    ck_assert_uint_eq(message.answers[0].decision, 9);
    ck_assert_int_eq(ended(), 0);
}

static void bad_value(void *user, const struct bg_ask *valued, struct bg_value *out)
{
    out->cannot = valued->cube_log2 == 0;
    strcpy(out->why, "no cube");
}

static int bot_values_badly(void)
{
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_callbacks callbacks = {.size = sizeof callbacks, .value = bad_value};

    info.name = "bad";
    info.evaluates = true;
    EXPECT(bg_bot_run(&info, &callbacks, NULL, &failure) == BG_OK);
    return 0;
}

TEST(the_callback_loop_reports_an_invalid_value)
{
    bot_fork(bot_values_badly, NULL);
    greet();
    send_positions(1, 0);
    receive();
    ck_assert_uint_eq(message.count, POSITIONS);
    ck_assert_str_eq(message.values[0].why, "no cube");
    ck_assert(message.values[1].cannot);
    ck_assert_ptr_nonnull(strstr(message.values[1].why, "best play of 11"));
    goodbye();
}

/* greedy values every game, in money and in a match. */
TEST_IN(bundled, greedy_values_every_game)
{
    static const enum bg_decision kinds[] = {BG_VALUE_ROLLS, BG_VALUE_CUBE, BG_VALUE_POSITION};
    const struct bg_variant *variant;
    int valued = 0;

    bot_fork(NULL, TEST_BIN "/bots/bgref-greedy");
    greet();
    for (int game = 0; (variant = bg_variant_at(game)) != NULL; game++) {
        for (int k = 0; k < 6; k++) {
            const struct bg_ask *list[1];
            struct bg_ask asked;

            ask_fill(&asked, 0, kinds[k % 3]);
            if (asked.kind == BG_VALUE_ROLLS && bg_variant_dice(variant) == 3) {
                asked.kind = BG_VALUE_THROWS;
            }
            asked.rules = bg_rules_default(variant, k < 3 ? 0 : 5);
            asked.score[1] = 2;
            bg_variant_setup(&asked.board, variant);
            list[0] = &asked;
            send_packed(wire_pack_evaluate(&buffer, (uint64_t)game, list, 1, false, &error));
            receive();
            ck_assert_int_eq(message.content, WIRE_EVALUATION);
            ck_assert_uint_eq(message.count, 1);
            ck_assert_msg(!message.values[0].cannot || asked.kind == BG_VALUE_CUBE, "%s: %s",
                          bg_variant_id(variant), message.values[0].why);
            ck_assert_msg(bg_value_check(&asked, &message.values[0], &error) == BG_OK, "%s: %s",
                          bg_variant_id(variant), error.text);
            valued += !message.values[0].cannot;
        }
    }
    ck_assert_int_gt(valued, 100);
    goodbye();
}

/* ---------------------------------------------------------------- bundled bots */

static const char *const programs[] = {
    TEST_BIN "/bots/bgref-first",
    TEST_BIN "/bots/bgref-random",
    TEST_BIN "/bots/bgref-greedy",
    TEST_BIN "/bots/bgref-python",
};

static uint64_t dice_state = 99;

static int die(void)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return (int)((dice_state >> 20) % 6) + 1;
}

static struct bg_stage roll(void)
{
    int a = die(), b = die();
    struct bg_roll dice = {{(uint8_t)(a > b ? a : b), (uint8_t)(a > b ? b : a), 0}};

    return bg_stage_of_roll(bg_variant_find("backgammon"), dice);
}

/* The legal results of a position, as an Ask lists them. */
static void results_list(struct bg_ask *out)
{
    static struct bg_play_list plays;
    static struct bg_ask_result results[BG_PLAYS_MAX];

    bg_ask_plays(&plays, out);
    bg_play_list_sort(&plays, out->rules.variant, &out->board, 0);
    for (size_t i = 0; i < plays.count; i++) {
        results[i].play = plays.play[i];
        bg_play_make(&results[i].board, out->rules.variant, &out->board, 0, &plays.play[i]);
    }
    out->result_count = (uint32_t)plays.count;
    out->results = results;
}

/* Judges the answer to a play; *after: the position after it. */
static void answer_judge(struct bg_board *after, const struct bg_ask *asked,
                         const struct bg_answer *answer)
{
    ck_assert_uint_eq(answer->decision, asked->decision);
    if (answer->kind == BG_ANSWER_INDEX) {
        ck_assert_uint_lt(answer->value, asked->result_count);
        *after = asked->results[answer->value].board;
        return;
    }
    ck_assert_int_eq(answer->kind, BG_ANSWER_MOVES);
    ck_assert_int_eq(
        bg_play_check(after, asked->rules.variant, &asked->board, 0, &asked->stage, &answer->play),
        BG_RULE_NONE);
}

TEST_ROWS_IN(bundled, bundled_bots_play_games_to_the_end, programs)
{
    struct bg_ask asked;
    bool want_plays;
    uint64_t decision = 0;

    bot_fork(NULL, programs[_i]);
    receive();
    want_plays = message.hello->want_plays;
    send_welcome(NULL, NULL);
    receive();
    for (int game = 0; game < 3; game++) {
        ask_fill(&asked, 0, BG_DECIDE_PLAY);
        for (int turn = 0; turn < 2000 && asked.board.at[0][BG_OFF] < BG_CHECKERS; turn++) {
            bg_board_swap(&asked.board, &asked.board);
            asked.stage = roll();
            if (!bg_play_exists(asked.rules.variant, &asked.board, 0, &asked.stage)) {
                continue;
            }
            asked.decision = decision++;
            asked.turn = turn;
            asked.result_count = 0;
            asked.results = NULL;
            if (want_plays) {
                results_list(&asked);
            }
            send_asks(&asked, 1);
            receive();
            ck_assert_uint_eq(message.count, 1);
            answer_judge(&asked.board, &asked, &message.answers[0]);
        }
        ck_assert_uint_eq(asked.board.at[0][BG_OFF], BG_CHECKERS);
    }
    goodbye();
}

TEST_ROWS_IN(bundled, bundled_bots_answer_every_kind, programs)
{
    static struct bg_ask asks[BG_DECIDE_DICE]; /* dice are asked of people only */

    bot_fork(NULL, programs[_i]);
    greet();
    for (int i = 1; i < BG_DECIDE_DICE; i++) {
        ask_fill(&asks[i], (uint64_t)i, (enum bg_decision)i);
        if (i == BG_DECIDE_PLAY) {
            results_list(&asks[i]);
        }
    }
    send_asks(asks + 1, BG_DECIDE_DICE - 1);
    receive();
    ck_assert_uint_eq(message.count, BG_DECIDE_DICE - 1);
    for (int i = 1; i < BG_DECIDE_DICE; i++) {
        const struct bg_answer *answer = &message.answers[i - 1];

        ck_assert(i == BG_DECIDE_PLAY
                      ? answer->kind == BG_ANSWER_MOVES || answer->kind == BG_ANSWER_INDEX
                  : i == BG_DECIDE_NAME ? answer->kind == BG_ANSWER_NAME
                                        : fits((enum bg_decision)i, answer->kind));
    }
    goodbye();
}

/* The same question with another number, at another time and among other questions: the same
 * answer. */
TEST_ROWS_IN(bundled, bundled_bots_repeat_their_answers, programs)
{
    static struct bg_ask asks[16];
    struct bg_answer first;
    struct bg_ask again;

    bot_fork(NULL, programs[_i]);
    greet();
    for (uint64_t i = 0; i < 16; i++) {
        ask_fill(&asks[i], i, BG_DECIDE_PLAY);
        asks[i].stage = roll();
        asks[i].bot_seed = i;
    }
    for (int i = 0; i < 16; i++) {
        results_list(&asks[i]); /* one place for all: so one at a time */
        send_asks(&asks[i], 1);
        receive();
        first = message.answers[0];
        again = asks[i];
        again.decision += 1000;
        again.has_clock = true;
        again.left_ns[0] = 5;
        again.ceiling_ns = 7;
        send_asks(&again, 1);
        receive();
        ck_assert_int_eq(message.answers[0].kind, first.kind);
        ck_assert_uint_eq(message.answers[0].value, first.value);
        if (first.kind == BG_ANSWER_MOVES) {
            ck_assert_int_eq(message.answers[0].play.moves, first.play.moves);
            ck_assert_mem_eq(message.answers[0].play.move, first.play.move,
                             (size_t)first.play.moves * sizeof first.play.move[0]);
        }
    }
    goodbye();
}

TEST_ROWS_IN(bundled, bundled_bots_do_not_outlive_the_referee, programs)
{
    bot_fork(NULL, programs[_i]);
    greet();
    router_close();
    ended();
}

TEST_IN(bundled, random_chooses_results_uniformly)
{
    static struct bg_ask asks[BATCH];
    unsigned seen[64] = {0};
    struct bg_ask listed;
    double squares = 0;

    bot_fork(NULL, programs[1]);
    greet();
    ask_fill(&listed, 0, BG_DECIDE_PLAY);
    results_list(&listed);
    ck_assert_uint_le(listed.result_count, 64);
    for (uint64_t round = 0; round < 50; round++) {
        for (uint64_t i = 0; i < BATCH; i++) {
            ask_fill(&asks[i], i, BG_DECIDE_PLAY);
            asks[i].bot_seed = round * BATCH + i;
        }
        send_asks(asks, BATCH);
        receive();
        for (size_t i = 0; i < BATCH; i++) {
            struct bg_board after;
            uint32_t at = 0;

            answer_judge(&after, &asks[i], &message.answers[i]);
            while (at < listed.result_count && !bg_board_equal(&after, &listed.results[at].board)) {
                at++;
            }
            ck_assert_uint_lt(at, listed.result_count);
            seen[at]++;
        }
    }
    for (uint32_t i = 0; i < listed.result_count; i++) {
        double expected = 50.0 * BATCH / listed.result_count;

        squares += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    /* chi-square with about 15 degrees of freedom: more than 3 times that is not chance */
    ck_assert_double_lt(squares, 3.0 * listed.result_count);
    goodbye();
}

/* With the argument `libzmq` the client's tests run with its other connection. */
void suite_begin(TCase *tests)
{
    unsetenv("BGREF_CLIENT");
    if (suite_argument != NULL && strcmp(suite_argument, "libzmq") == 0) {
        setenv("BGREF_CLIENT", "libzmq", 1);
    }
    tcase_add_checked_fixture(tests, setup, teardown);
    suite_on_request("bundled");
    tcase_add_checked_fixture(suite_case("bundled"), setup, teardown);
}
