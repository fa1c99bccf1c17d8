/* ZMTP as bytes: reading, refusals and their messages, writing. */
#include <string.h>

#include "wire/zmtp.h"
#include "support/suite.h"

enum { MESSAGE_MAX = 1000, INPUT = 8192 };

/* A connection as bytes, built piece by piece. */
static uint8_t input[INPUT];
static size_t size;
static struct zmtp_reader reader;
static struct zmtp_item item;

static void put(const void *data, size_t length)
{
    ck_assert_uint_le(size + length, sizeof input);
    memcpy(input + size, data, length);
    size += length;
}

static void put_greeting(void)
{
    uint8_t greeting[ZMTP_GREETING];

    zmtp_greeting(greeting);
    put(greeting, sizeof greeting);
}

static void put_handshake(const char *type)
{
    uint8_t ready[ZMTP_WRITTEN];

    put_greeting();
    put(ready, zmtp_ready(ready, type));
}

static void put_frame(const char *text, bool more)
{
    uint8_t head[ZMTP_HEAD];

    put(head, zmtp_head(head, strlen(text), more));
    put(text, strlen(text));
}

static void set_up(void)
{
    size = 0;
    zmtp_reader_init(&reader, MESSAGE_MAX);
}

static void tear_down(void)
{
    zmtp_reader_deinit(&reader);
}

static const uint8_t *at;

static enum zmtp_news next(void)
{
    at = at == NULL ? input : at;
    return zmtp_read(&item, &reader, &at, input + size);
}

TEST(a_message_is_a_view_into_the_input)
{
    put_handshake("DEALER");
    put_frame("hello", false);
    put_frame("", false);
    ck_assert_int_eq(next(), ZMTP_READY);
    ck_assert_str_eq(reader.socket_type, "DEALER");
    ck_assert_int_eq(next(), ZMTP_MESSAGE);
    ck_assert_uint_eq(item.size, 5);
    ck_assert_mem_eq(item.data, "hello", 5);
    ck_assert(item.data > input && item.data < input + size);
    ck_assert_int_eq(next(), ZMTP_MESSAGE);
    ck_assert_uint_eq(item.size, 0);
    ck_assert_int_eq(next(), ZMTP_MORE);
}

TEST(a_message_in_pieces_is_reassembled)
{
    static uint8_t body[MESSAGE_MAX];
    uint8_t head[ZMTP_HEAD];
    int messages = 0;

    memset(body, 'b', sizeof body);
    put_handshake("DEALER");
    put(head, zmtp_head(head, sizeof body, false));
    put(body, sizeof body);
    for (size_t i = 0; i < size; i++) {
        const uint8_t *from = input + i;
        enum zmtp_news news = zmtp_read(&item, &reader, &from, from + 1);

        ck_assert_ptr_eq(from, input + i + 1);
        if (news == ZMTP_MESSAGE) {
            messages++;
            ck_assert_uint_eq(item.size, sizeof body);
            ck_assert_mem_eq(item.data, body, sizeof body);
        }
    }
    ck_assert_int_eq(messages, 1);
}

TEST(memory_grows_with_received_bytes_not_with_the_announced_size)
{
    uint8_t head[ZMTP_HEAD];

    zmtp_reader_deinit(&reader);
    zmtp_reader_init(&reader, 1 << 30);
    put_handshake("DEALER");
    put(head, zmtp_head(head, 1 << 29, false));
    put("ten bytes.", 10);
    ck_assert_int_eq(next(), ZMTP_READY);
    ck_assert_int_eq(next(), ZMTP_MORE);
    ck_assert_uint_le(reader.kept_room, 1024);
}

TEST(a_message_of_several_frames_is_dropped_and_counted)
{
    put_handshake("DEALER");
    put_frame("two", true);
    put_frame("frames", false);
    put_frame("", true);
    put_frame("hello", false);
    put_frame("next", false);
    ck_assert_int_eq(next(), ZMTP_READY);
    ck_assert_int_eq(next(), ZMTP_DROPPED);
    ck_assert_int_eq(item.parts, 2);
    ck_assert_uint_eq(item.size, 9);
    ck_assert(!item.delimited);
    ck_assert_int_eq(next(), ZMTP_DROPPED);
    ck_assert(item.delimited);
    ck_assert_int_eq(next(), ZMTP_MESSAGE);
    ck_assert_mem_eq(item.data, "next", 4);
}

TEST(a_ping_is_answered_with_its_context)
{
    uint8_t pong[ZMTP_WRITTEN];
    static const char ping[] = "\4\xb\4PING\0\1note";
    static const char expected[] = "\4\11\4PONGnote";

    put_handshake("DEALER");
    put(ping, sizeof ping - 1);
    ck_assert_int_eq(next(), ZMTP_READY);
    ck_assert_int_eq(next(), ZMTP_PING);
    ck_assert_uint_eq(zmtp_pong(pong, item.data, item.size), sizeof expected - 1);
    ck_assert_mem_eq(pong, expected, sizeof expected - 1);
    size = 0;
    at = NULL;
    put(pong, sizeof expected - 1);
    ck_assert_int_eq(next(), ZMTP_PONG);
}

TEST(a_ping_may_come_between_the_frames_of_a_message)
{
    put_handshake("DEALER");
    put_frame("two", true);
    put("\4\7\4PING\0\1", 9);
    put_frame("frames", false);
    ck_assert_int_eq(next(), ZMTP_READY);
    ck_assert_int_eq(next(), ZMTP_PING);
    ck_assert_int_eq(next(), ZMTP_DROPPED);
    ck_assert_int_eq(item.parts, 2);
}

TEST(an_error_gives_the_reason_within_its_length)
{
    uint8_t written[ZMTP_WRITTEN];
    char reason[400];

    memset(reason, 'r', sizeof reason);
    reason[sizeof reason - 1] = '\0';
    put_greeting();
    put(written, zmtp_error(written, reason));
    ck_assert_int_eq(next(), ZMTP_BROKEN);
    ck_assert_int_eq(reader.broken, ZMTP_REFUSED);
    ck_assert_ptr_nonnull(strstr(reader.why, "it sends ERROR: rrr"));
}

/* ------------------------------------------------------------- refusals */

static void endless(void)
{
    for (int i = 0; i < ZMTP_PARTS + 1; i++) {
        put_frame("p", true);
    }
}

static void large_parts(void)
{
    char text[501];

    memset(text, 'p', 500);
    text[500] = '\0';
    put_frame(text, true);
    put_frame(text, true);
    put_frame("p", true);
}

static void nameless_first(void)
{
    put_greeting();
    put("\4\0", 2);
}

/* Bytes after the handshake, or (bare) from the beginning. */
static const struct {
    const char *name;
    const char *bytes;
    size_t size;
    void (*build)(void);
    bool bare;
    enum zmtp_broken broken;
    const char *why;
} refused[] = {
#define BYTES(text) text, sizeof text - 1
    {"a web browser", BYTES("GET / HTTP/1.1"), NULL, true, ZMTP_NO_ZMTP, "first byte is 0x47"},
    {"no greeting", BYTES("\xff\0\0\0\0\0\0\0\0\x7e"), NULL, true, ZMTP_NO_ZMTP, "not a greeting"},
    {"ZMTP 1", BYTES("\xff\0\0\0\0\0\0\0\0\x7f\1"), NULL, true, ZMTP_NO_ZMTP,
     "it speaks ZMTP 1; 3 or later is needed"},
    {"CURVE", BYTES("\xff\0\0\0\0\0\0\0\0\x7f\3\0CURVE\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), NULL, true,
     ZMTP_NO_ZMTP, "mechanism is CURVE"},
    {"a frame of a gigabyte", BYTES("\2\0\0\0\0\x40\0\0\0"), NULL, false, ZMTP_OVERSIZED,
     "a frame of 1073741824 bytes; at most 1000 are taken"},
    {"a frame of 2^63 bytes", BYTES("\2\x80\0\0\0\0\0\0\0"), NULL, false, ZMTP_OVERSIZED,
     "a frame of 9223372036854775808 bytes"},
    {"a frame one byte too large", BYTES("\2\0\0\0\0\0\0\3\xe9"), NULL, false, ZMTP_OVERSIZED,
     "1001 bytes"},
    {"a reserved flag", BYTES("\x08\1a"), NULL, false, ZMTP_NO_ZMTP, "flags 0x08"},
    {"a command with more to come", BYTES("\5\6\5READY"), NULL, false, ZMTP_NO_ZMTP, "flags 0x05"},
    {"a large command", BYTES("\6\0\0\0\0\0\1\0\0"), NULL, false, ZMTP_NO_ZMTP,
     "a command of 65536 bytes"},
    {"a subscription", BYTES("\4\12\11SUBSCRIBE"), NULL, false, ZMTP_NO_ZMTP, "SUBSCRIBE"},
    {"a second READY", BYTES("\4\7\5READY\0"), NULL, false, ZMTP_NO_ZMTP, "READY"},
    {"no mechanism", BYTES("\xff\0\0\0\0\0\0\0\0\x7f\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
     NULL, true, ZMTP_NO_ZMTP, "its security mechanism is not named; here it is NULL"},
    {"an empty command", BYTES("\4\0"), NULL, false, ZMTP_NO_ZMTP, "a command without a name"},
    {"a first command without a name", "", 0, nameless_first, true, ZMTP_NO_ZMTP,
     "a command without a name"},
    {"a name of zeros", BYTES("\4\4\3\0AB"), NULL, false, ZMTP_NO_ZMTP, "a command without a name"},
    {"a PING without its time", BYTES("\4\6\4PING\0"), NULL, false, ZMTP_NO_ZMTP, "PING"},
    {"a PING with a long context", BYTES("\4\x18\4PING\0\0seventeen bytes.."), NULL, false,
     ZMTP_NO_ZMTP, "PING has 19 bytes"},
    {"more frames than are dropped", "", 0, endless, false, ZMTP_ENDLESS,
     "more than 64 frames or 1000 bytes"},
    {"frames too large in all", "", 0, large_parts, false, ZMTP_ENDLESS,
     "more than 2 frames or 1000 bytes"},
#undef BYTES
};

TEST_ROWS(invalid_frames_are_refused, refused)
{
    enum zmtp_news news;

    if (!refused[_i].bare) {
        put_handshake("DEALER");
    }
    put(refused[_i].bytes, refused[_i].size);
    if (refused[_i].build != NULL) {
        refused[_i].build();
    }
    while ((news = next()) == ZMTP_READY) {
    }
    ck_assert_msg(news == ZMTP_BROKEN, "%s is taken", refused[_i].name);
    ck_assert_msg(reader.broken == refused[_i].broken, "%s: %d", refused[_i].name, reader.broken);
    ck_assert_msg(strstr(reader.why, refused[_i].why) != NULL, "%s: %s", refused[_i].name,
                  reader.why);
    ck_assert_int_eq(next(), ZMTP_BROKEN);
}

static const struct {
    const char *bytes;
    size_t size;
    const char *why;
} first_commands[] = {
    {"\0\1a", 3, "a message before its READY"},
    {"\4\5\4PING", 7, "its first command is PING"},
    {"\4\6\5READY", 8, "names no Socket-Type"},
    {"\4\x0a\5READY\x0bSoc", 12, "its READY is cut off"},
    {"\4\x16\5READY\x0bSocket-Type\0\0\0\7", 24, "its READY is cut off"},
    {"\4\x17\5READY\x0bSocket-Type\xff\xff\xff\xffR", 25, "its READY is cut off"},
    {"\4\7\5ERROR\7", 9, "its ERROR is cut off"},
};

TEST_ROWS(invalid_handshakes_are_refused, first_commands)
{
    put_greeting();
    put(first_commands[_i].bytes, first_commands[_i].size);
    ck_assert_int_eq(next(), ZMTP_BROKEN);
    ck_assert_int_eq(reader.broken, ZMTP_NO_ZMTP);
    ck_assert_msg(strstr(reader.why, first_commands[_i].why) != NULL, "%s", reader.why);
}

TEST(bytes_of_a_peer_are_printable_in_a_refusal)
{
    put_greeting();
    put("\4\7\6\033[2J\n\177", 9);
    ck_assert_int_eq(next(), ZMTP_BROKEN);
    ck_assert_ptr_nonnull(strstr(reader.why, "?[2J??"));
}

SUITE_FIXTURE(set_up, tear_down)
