/* The loop of a bot has three places where messages can be: the asks of the last one (message,
 * taken), the bytes that the channel holds, and the socket. Answers are collected and sent when
 * nothing more is to be read, so a bot with many open decisions sends few and large messages; how
 * large, is the referee's limit.
 *
 * What is not a decision (Ping, NewGame, commitments) is answered within message_serve, before
 * the next ask is lent: its order among the answers does not matter to the referee. */
#include <bgref/bot.h>

#include "channel.h"
#include "hello.h"
#include "nonce.h"
#include "options.h"
#include "requests.h"
#include "sealed.h"
#include "sized.h"
#include "thoughts.h"
#include "wire/wire.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WELCOME_MS = 30000,
    LOOK_MS = 1000,               /* until a host that has not answered is worth a sentence */
    ARENA_BYTES = 8 << 20,        /* a full batch of decisions takes about 3 MiB */
    ARENA_PLAYS_BYTES = 64 << 20, /* with the legal results listed */
    /* The kernel's buffer of a Unix socket (208 KiB with its own data) has room for this many
     * decisions, each in its own message. With the legal results listed, a decision takes some
     * KiB. */
    HELD = 64,
    HELD_PLAYS = 8,
    /* Largest sizes in a message of answers. The answers of a thousand positions together would
     * exceed the largest message. */
    ENVELOPE_BYTES = 16,
    ANSWER_BYTES = 32,
    POSITION_BYTES = 160,
    MESSAGE_BYTES = 65536 /* if Welcome gives no limit */
};

/* Sizes in the first headers of this BG_ABI. Do not raise them: programs with those headers would
 * be refused. */
enum {
    INFO_FIRST = SIZED_UP_TO(struct bg_bot_info, option_size),
    VALUE_FIRST = SIZED_UP_TO(struct bg_value, of.rolls),
    THOUGHT_FIRST = SIZED_UP_TO(struct bg_thought, candidate)
};

struct bg_bot {
    struct nonces nonces; /* for committed dice */
    struct channel *channel;
    struct wire_reader *reader;
    struct wire_buffer buffer;
    struct wire_message message;
    size_t taken;      /* number of asks lent from message */
    struct bg_ask ask; /* the lent ask, if it is a position to value */
    struct bg_answer *answers;
    size_t answer_count, answer_bytes; /* not yet sent; their largest size in a message */
    bool wants_thoughts;
    struct thoughts thoughts;
    size_t message_bytes;     /* largest message that the referee accepts */
    struct requests requests; /* open positions to value */
    struct wire_hello hello;  /* option values are the defaults, then those of Welcome */
    enum bg_status (*prepare)(void *user, const struct bg_bot *bot, struct bg_error *err);
    void (*new_game)(void *user, const struct bg_game_begin *begin);
    void (*told)(void *user, const struct bg_tell *tell);
    void (*notice)(void *user, const char *text);
    void *user; /* of these functions */
    char name[WIRE_NAME];
    bool is_resuming;
    struct bg_limits limits;
    char (*open_games)[BG_GAME_ID]; /* owned */
    size_t open_game_count;
};

/* ---------------------------------------------------------------- the environment */

static enum bg_status environment(const char **out, const char *name, struct bg_error *err)
{
    *out = getenv(name);
    if (*out == NULL || **out == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s is not set: the referee starts this program, for instance with "
                            "`bgref duel ./mybot random`",
                            name);
    }
    return BG_OK;
}

/* On a line to another machine the key takes the place of the token. */
static enum bg_status token_find(const char **out, struct bg_error *err)
{
    *out = "";
    if (!sealed_is_wanted() && getenv("BGREF_KEY_FILE") != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "BGREF_SERVER_KEY is not set: with BGREF_KEY_FILE it is the `key` of "
                            "the host's file");
    }
    return sealed_is_wanted() ? BG_OK : environment(out, "BGREF_TOKEN", err);
}

/* ---------------------------------------------------------------- messages */

static enum bg_status buffer_send(struct bg_bot *bot, enum bg_status packed, struct bg_error *err)
{
    return packed != BG_OK ? packed
                           : channel_send(bot->channel, bot->buffer.data, bot->buffer.size, err);
}

/* bg_bot_next lends the positions; a request without positions is answered at once. */
static enum bg_status evaluate_serve(struct bg_bot *bot, struct bg_error *err)
{
    const struct wire_message *message = &bot->message;

    if (!bot->hello.evaluates) {
        return buffer_send(
            bot, wire_pack_not_understood_to_referee(&bot->buffer, message->field, err), err);
    }
    if (message->count == 0) {
        return buffer_send(bot, wire_pack_evaluation(&bot->buffer, message->number, NULL, 0, err),
                           err);
    }
    return requests_add(&bot->requests, message, err);
}

/* The bot's part in committed dice: sends the digest of a nonce, and the nonce itself on request.
 */
static enum bg_status commitment_send(struct bg_bot *bot, struct bg_error *err)
{
    const char *subject = bot->message.game;
    uint8_t nonce[WIRE_SECRET], digest[WIRE_SECRET];

    nonce_of(nonce, &bot->nonces, subject);
    nonce_digest(digest, nonce);
    return buffer_send(bot, wire_pack_commitment_to_referee(&bot->buffer, digest, subject, err),
                       err);
}

static enum bg_status nonce_send(struct bg_bot *bot, struct bg_error *err)
{
    const char *subject = bot->message.game;
    uint8_t nonce[WIRE_SECRET];

    nonce_of(nonce, &bot->nonces, subject);
    return buffer_send(bot, wire_pack_reveal_to_referee(&bot->buffer, nonce, subject, err), err);
}

static enum bg_status new_game_serve(struct bg_bot *bot, struct bg_error *err)
{
    if (bot->new_game != NULL) {
        bot->new_game(bot->user, bot->message.begin);
    }
    return buffer_send(bot, wire_pack_ready(&bot->buffer, bot->message.game, err), err);
}

/* Handles a message that is not a decision. BG_OK: the bot continues running. */
static enum bg_status message_serve(struct bg_bot *bot, struct bg_error *err)
{
    const struct wire_message *message = &bot->message;

    switch (message->content) {
    case WIRE_COMMITMENT:
        return commitment_send(bot, err);
    case WIRE_REVEAL:
        return nonce_send(bot, err);
    case WIRE_PING:
        return buffer_send(bot, wire_pack_pong(&bot->buffer, message->nonce, err), err);
    case WIRE_NEW_GAME:
        return new_game_serve(bot, err);
    case WIRE_TELLS:
        for (size_t i = 0; bot->told != NULL && i < message->count; i++) {
            bot->told(bot->user, &message->tells[i]);
        }
        return BG_OK;
    case WIRE_GOODBYE:
        return bg_error_set(err, BG_E_CLOSED, "the referee says goodbye: %s", message->why);
    case WIRE_REFUSAL:
        return bg_error_set(err, BG_E_REFUSED, "%s: %s", message->what, message->why);
    case WIRE_EVALUATE:
        return evaluate_serve(bot, err);
    case WIRE_NOTHING:
        return buffer_send(
            bot, wire_pack_not_understood_to_referee(&bot->buffer, message->field, err), err);
    default: /* Asks are lent from message; other messages need no action */
        return BG_OK;
    }
}

static enum bg_status message_unpack(struct bg_bot *bot, const void *data, size_t size,
                                     struct bg_error *err)
{
    enum bg_status status = wire_unpack_to_bot(&bot->message, bot->reader, data, size, err);

    bot->taken = 0;
    return status != BG_OK ? status : message_serve(bot, err);
}

/* ---------------------------------------------------------------- opening and closing */

/* Gives the author a sentence when the state of the line is another one than said. */
static void line_notice(struct bg_bot *bot, enum channel_line line, enum channel_line *said)
{
    const char *host = getenv("BGREF_ENDPOINT");
    char text[512];

    if (line == LINE_UP) {
        snprintf(text, sizeof text, "%s is connected to %s; it plays when the host calls it",
                 bot->hello.name, host);
    } else {
        snprintf(text, sizeof text,
                 "%s waits for %s, where no host answers yet; check the address, the port and the "
                 "firewalls between here and there",
                 bot->hello.name, host);
    }
    /* After the text was made: it costs nothing, once a second. */
    if (line != *said) {
        bot->notice(bot->user, text);
    }
    *said = line;
}

/* A host on another machine may be started later, or call the bot hours later; a bot that cannot
 * say so does not wait for it. */
static enum bg_status first_receive(struct bg_bot *bot, enum channel_line *said, const void **data,
                                    size_t *size, struct bg_error *err)
{
    enum channel_line line = channel_line(bot->channel);
    enum bg_status status;

    if (line == LINE_LOCAL || bot->notice == NULL) {
        return channel_receive(bot->channel, WELCOME_MS, data, size, err);
    }
    do {
        status = channel_receive(bot->channel, LOOK_MS, data, size, err);
        line = channel_line(bot->channel);
        if (status == BG_OK || status == BG_E_TIMEOUT) {
            line_notice(bot, line, said);
        }
        /* Without an end: the host decides when it calls the bot. */
    } while (status == BG_E_TIMEOUT);
    return status;
}

static enum bg_status welcome_await(struct bg_bot *bot, struct bg_error *err)
{
    enum channel_line said = LINE_LOCAL;
    enum bg_status status;

    do {
        const void *data;
        size_t size;

        status = first_receive(bot, &said, &data, &size, err);
        if (status == BG_OK) {
            status = message_unpack(bot, data, size, err);
        }
    } while (status == BG_OK && bot->message.content != WIRE_WELCOME);
    if (status == BG_E_TIMEOUT) {
        char why[sizeof err->text] = "";

        if (err != NULL) {
            memcpy(why, err->text, sizeof why);
        }
        bg_error_set(err, status, "no Welcome from the referee within %d s: %.200s",
                     WELCOME_MS / 1000, why);
    }
    return status;
}

static enum bg_status open_games_keep(struct bg_bot *bot, const struct wire_welcome *welcome,
                                      struct bg_error *err)
{
    bot->is_resuming = welcome->resuming;
    bot->open_games = calloc(welcome->open_game_count + 1, sizeof *bot->open_games);
    if (bot->open_games == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "open games");
    }
    bot->open_game_count = welcome->open_game_count;
    for (size_t i = 0; i < welcome->open_game_count; i++) {
        snprintf(bot->open_games[i], sizeof bot->open_games[i], "%s", welcome->open_games[i]);
    }
    return BG_OK;
}

static void limits_keep(struct bg_limits *out, const struct wire_limits *in)
{
    *out = (struct bg_limits){
        .message_bytes = in->message_bytes,
        .messages_per_second = in->messages_per_second,
        .bytes_per_second = in->bytes_per_second,
        .in_flight = in->in_flight,
        .tables = in->tables,
        .games_a_day = in->games_a_day,
        .hello_bytes = in->hello_bytes > 0 ? in->hello_bytes : in->message_bytes,
        .starts_an_hour = in->starts_an_hour,
        .start_ns = in->start_ns,
        .new_game_ns = in->new_game_ns,
        .decision_ns = in->decision_ns,
    };
}

static enum bg_status enter(struct bg_bot *bot, struct bg_error *err)
{
    const struct wire_welcome *welcome;
    enum bg_status status = buffer_send(bot, wire_pack_hello(&bot->buffer, &bot->hello, err), err);

    if (status != BG_OK || (status = welcome_await(bot, err)) != BG_OK) {
        return status;
    }
    welcome = bot->message.welcome;
    if (welcome->protocol != BG_PROTOCOL) {
        return bg_error_set(err, BG_E_FORMAT, "welcome: protocol %u chosen, only %d is spoken here",
                            (unsigned)welcome->protocol, BG_PROTOCOL);
    }
    /* Options before `prepare`, which uses them; Ready after it, since clocks may run from then
     * on. */
    status = options_set(&bot->hello, welcome, sealed_is_wanted(), err);
    if (status == BG_OK) {
        status = open_games_keep(bot, welcome, err);
    }
    if (status != BG_OK) {
        return status;
    }
    memcpy(bot->name, welcome->bot, sizeof bot->name);
    limits_keep(&bot->limits, &welcome->limits);
    bot->wants_thoughts = welcome->want_thoughts;
    bot->answer_bytes = ENVELOPE_BYTES;
    bot->message_bytes =
        /* An older referee says no limit, and has this one. */
        welcome->limits.message_bytes > 0 ? welcome->limits.message_bytes : MESSAGE_BYTES;
    if (bot->prepare != NULL && (status = bot->prepare(bot->user, bot, err)) != BG_OK) {
        return status;
    }
    /* The kernel's buffer is enough for the others: no thread for nothing. */
    if (welcome->limits.in_flight > (bot->hello.want_plays ? HELD_PLAYS : HELD) &&
        (status = channel_read_on(bot->channel, err)) != BG_OK) {
        return status;
    }
    return buffer_send(bot, wire_pack_ready(&bot->buffer, "", err), err);
}

/* Copies info into this library's struct; the program's struct may be shorter. */
static enum bg_status info_copy(struct bg_bot_info *out, const struct bg_bot_info *info,
                                struct bg_error *err)
{
    const struct bg_bot_info blank = BG_BOT_INFO_INIT;
    enum bg_status status = sized_check("bot info", info->size, INFO_FIRST, sizeof *info, err);

    if (status == BG_OK) {
        *out = blank;
        memcpy(out, info, info->size);
    }
    return status;
}

static enum bg_status bot_prepare(struct bg_bot *bot, const struct bg_bot_info *caller_info,
                                  struct bg_error *err)
{
    struct bg_bot_info info;
    const char *endpoint, *token;
    enum bg_status status;

    if ((status = info_copy(&info, caller_info, err)) != BG_OK ||
        (status = environment(&endpoint, "BGREF_ENDPOINT", err)) != BG_OK ||
        (status = token_find(&token, err)) != BG_OK ||
        (status = hello_fill(&bot->hello, &info, token, err)) != BG_OK ||
        (status = wire_reader_create(
             &bot->reader, info.want_plays ? ARENA_PLAYS_BYTES : ARENA_BYTES, err)) != BG_OK) {
        return status;
    }
    nonces_init(&bot->nonces);
    bot->prepare = info.prepare;
    bot->new_game = info.new_game;
    bot->told = info.told;
    bot->notice = info.notice;
    bot->user = info.user;
    bot->answers = calloc(WIRE_BATCH_MAX, sizeof *bot->answers);
    if (bot->answers == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "queue of answers");
    }
    return channel_open(&bot->channel, endpoint, err);
}

enum bg_status bg_bot_open(struct bg_bot **out, const struct bg_bot_info *info,
                           struct bg_error *err)
{
    enum bg_status status;
    struct bg_bot *bot = calloc(1, sizeof *bot);

    if (bot == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "bot state");
        goto done;
    }
    if ((status = bot_prepare(bot, info, err)) != BG_OK || (status = enter(bot, err)) != BG_OK) {
        goto done;
    }
    *out = bot;
    bot = NULL; /* now the caller's */
done:
    bg_bot_close(bot);
    return status;
}

void bg_bot_close(struct bg_bot *bot)
{
    if (bot == NULL) {
        return;
    }
    if (bot->channel != NULL) {
        /* Answers that were given count, also when the program ends behind them. */
        bg_bot_flush(bot, NULL);
    }
    channel_close(bot->channel);
    wire_reader_destroy(bot->reader);
    wire_buffer_deinit(&bot->buffer);
    requests_deinit(&bot->requests);
    thoughts_deinit(&bot->thoughts);
    free(bot->open_games);
    free(bot->answers);
    free(bot);
}

const char *bg_bot_option(const struct bg_bot *bot, const char *name)
{
    for (size_t i = 0; i < bot->hello.option_count; i++) {
        if (strcmp(bot->hello.options[i].name, name) == 0) {
            return bot->hello.options[i].value;
        }
    }
    return NULL;
}

const char *bg_bot_name(const struct bg_bot *bot)
{
    return bot->name;
}

const struct bg_limits *bg_bot_limits(const struct bg_bot *bot)
{
    return &bot->limits;
}

bool bg_bot_is_resuming(const struct bg_bot *bot)
{
    return bot->is_resuming;
}

const char *bg_bot_open_game(const struct bg_bot *bot, size_t i)
{
    return i < bot->open_game_count ? bot->open_games[i] : NULL;
}

int bg_bot_fd(const struct bg_bot *bot)
{
    return channel_fd(bot->channel);
}

/* ---------------------------------------------------------------- decisions */

size_t bg_bot_waiting(const struct bg_bot *bot)
{
    const struct wire_message *message = &bot->message;
    bool has_asks = message->content == WIRE_ASKS ||
                    (message->content == WIRE_EVALUATE && bot->hello.evaluates);

    return has_asks ? message->count - bot->taken : 0;
}

/* Lends decisions from the unpacked message. A position to value gets a number that the client
 * chooses. */
static const struct bg_ask *ask_lend(struct bg_bot *bot)
{
    const struct bg_ask *ask = &bot->message.asks[bot->taken];

    if (bot->message.content == WIRE_EVALUATE) {
        bot->ask = *ask;
        bot->ask.decision = requests_token(&bot->requests, bot->taken);
        ask = &bot->ask;
    }
    bot->taken++;
    return ask;
}

/* Returns whether the only decision of a message was answered and nothing else is here: then the
 * referee waits for this answer, and a look at the socket would be a system call for nothing. */
static bool is_alone(const struct bg_bot *bot)
{
    return bot->answer_count == 1 && bot->message.count == 1 && !channel_holds(bot->channel);
}

enum bg_status bg_bot_next(const struct bg_ask **out, struct bg_bot *bot, int timeout_ms,
                           struct bg_error *err)
{
    enum bg_status status;

    /* Its memory is the message's, which the next unpacking overwrites. */
    *out = NULL; /* the previous ask is no longer valid */
    while (bg_bot_waiting(bot) == 0) {
        const void *data;
        size_t size;

        /* Answers are sent only when the socket is empty: fewer and larger messages. */
        status = is_alone(bot) ? BG_E_TIMEOUT : channel_take(bot->channel, &data, &size, err);
        if (status == BG_E_TIMEOUT) {
            status = bg_bot_flush(bot, err);
            if (status == BG_OK) {
                status = channel_receive(bot->channel, timeout_ms, &data, &size, err);
            }
        }
        if (status != BG_OK || (status = message_unpack(bot, data, size, err)) != BG_OK) {
            return status;
        }
    }
    *out = ask_lend(bot);
    return BG_OK;
}

void bg_ask_plays(struct bg_play_list *out, const struct bg_ask *ask)
{
    bg_play_list(out, ask->rules.variant, &ask->board, 0, &ask->stage);
}

/* ---------------------------------------------------------------- answers */

enum bg_status bg_bot_flush(struct bg_bot *bot, struct bg_error *err)
{
    size_t count = bot->answer_count;

    if (count == 0) {
        return BG_OK;
    }
    /* Before the sending: an answer whose sending failed must not be sent twice. */
    bot->answer_count = 0;
    bot->answer_bytes = ENVELOPE_BYTES;
    return buffer_send(bot,
                       wire_pack_thoughts(&bot->buffer, bot->answers,
                                          thoughts_of_answers(&bot->thoughts, count), count, err),
                       err);
}

/* Adds an empty answer to ask. The answer takes at most `bytes` of a message. */
static enum bg_status answer_begin(struct bg_answer **out, struct bg_bot *bot, size_t bytes,
                                   const struct bg_ask *ask, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    bytes += thoughts_next_size(&bot->thoughts, ask->decision);
    /* Counted by the largest sizes: the true one is known only when it is packed. */
    if (bot->answer_count == WIRE_BATCH_MAX || bot->answer_bytes + bytes > bot->message_bytes) {
        status = bg_bot_flush(bot, err);
    }
    if (status == BG_OK) {
        bot->answer_bytes += bytes;
        thoughts_take(&bot->thoughts, bot->answer_count, ask->decision);
        *out = &bot->answers[bot->answer_count++];
        (*out)->decision = ask->decision;
    }
    return status;
}

static enum bg_status value_answer(struct bg_bot *bot, const struct bg_ask *ask,
                                   enum bg_answer_kind kind, uint32_t value, struct bg_error *err)
{
    struct bg_answer *answer;
    enum bg_status status = answer_begin(&answer, bot, ANSWER_BYTES, ask, err);

    if (status == BG_OK) {
        answer->kind = kind;
        answer->value = value;
    }
    return status;
}

static enum bg_status misfit(struct bg_error *err, const struct bg_ask *ask, const char *what)
{
    return bg_error_set(err, BG_E_ARGUMENT,
                        "decision %llu of kind %d (%s): %s does not answer it; expected %s",
                        (unsigned long long)ask->decision, (int)ask->kind,
                        bg_decision_name(ask->kind), what, bg_decision_answers(ask->kind));
}

enum bg_status bg_bot_answer_play(struct bg_bot *bot, const struct bg_ask *ask,
                                  const struct bg_play *play, struct bg_error *err)
{
    struct bg_answer *answer;
    enum bg_status status;

    if (!bg_answer_fits(ask->kind, BG_ANSWER_MOVES) || play->moves > BG_MOVES_MAX) {
        return misfit(err, ask, "a play");
    }
    status = answer_begin(&answer, bot, ANSWER_BYTES, ask, err);
    if (status == BG_OK) {
        answer->kind = BG_ANSWER_MOVES;
        answer->play = *play;
    }
    return status;
}

enum bg_status bg_bot_answer_index(struct bg_bot *bot, const struct bg_ask *ask, uint32_t index,
                                   struct bg_error *err)
{
    if (!bg_answer_fits(ask->kind, BG_ANSWER_INDEX) || index >= ask->result_count) {
        return misfit(err, ask, "this index");
    }
    return value_answer(bot, ask, BG_ANSWER_INDEX, index, err);
}

enum bg_status bg_bot_answer_result(struct bg_bot *bot, const struct bg_ask *ask,
                                    const struct bg_board *result, struct bg_error *err)
{
    struct bg_answer *answer;
    enum bg_status status;

    if (!bg_answer_fits(ask->kind, BG_ANSWER_RESULT)) {
        return misfit(err, ask, "a position");
    }
    status = answer_begin(&answer, bot, POSITION_BYTES, ask, err);
    if (status == BG_OK) {
        answer->kind = BG_ANSWER_RESULT;
        answer->result = *result;
    }
    return status;
}

/* Actions are answers without a value; the other answers have their own functions. */
static bool is_action(enum bg_answer_kind kind)
{
    return kind >= BG_ANSWER_ROLL && kind <= BG_ANSWER_REFUSE;
}

enum bg_status bg_bot_answer(struct bg_bot *bot, const struct bg_ask *ask, enum bg_answer_kind kind,
                             struct bg_error *err)
{
    if (!is_action(kind) || !bg_answer_fits(ask->kind, kind) ||
        (kind == BG_ANSWER_RAISE && !ask->may_raise)) {
        return misfit(err, ask, bg_answer_name(kind));
    }
    return value_answer(bot, ask, kind, 0, err);
}

enum bg_status bg_bot_answer_name(struct bg_bot *bot, const struct bg_ask *ask, int number,
                                  struct bg_error *err)
{
    if (!bg_answer_fits(ask->kind, BG_ANSWER_NAME) || number < 1 || number > 6) {
        return misfit(err, ask, "this name");
    }
    return value_answer(bot, ask, BG_ANSWER_NAME, (uint32_t)number, err);
}

enum bg_status bg_bot_answer_dice(struct bg_bot *bot, const struct bg_ask *ask, const uint8_t *die,
                                  struct bg_error *err)
{
    uint32_t digits =
        bg_answer_fits(ask->kind, BG_ANSWER_DICE) ? wire_digits_of_dice(die, (size_t)ask->dice) : 0;

    if (digits == 0) {
        return misfit(err, ask, "these dice");
    }
    return value_answer(bot, ask, BG_ANSWER_DICE, digits, err);
}

enum bg_status bg_bot_resign(struct bg_bot *bot, const struct bg_ask *ask, int level,
                             struct bg_error *err)
{
    if (!bg_answer_fits(ask->kind, BG_ANSWER_RESIGN) || level < 1 ||
        level > bg_variant_level_max(ask->rules.variant) || level <= ask->refused_level) {
        return misfit(err, ask, "this resignation");
    }
    return value_answer(bot, ask, BG_ANSWER_RESIGN, (uint32_t)level, err);
}

/* ---------------------------------------------------------------- thoughts */

bool bg_bot_wants_thoughts(const struct bg_bot *bot)
{
    return bot->wants_thoughts;
}

enum bg_status bg_bot_think(struct bg_bot *bot, const struct bg_ask *ask,
                            const struct bg_thought *thought, struct bg_error *err)
{
    struct bg_thought known = BG_THOUGHT_INIT;
    enum bg_status status =
        sized_check("bg_thought", thought->size, THOUGHT_FIRST, sizeof known, err);

    if (status == BG_OK && bot->wants_thoughts) {
        memcpy(&known, thought, thought->size);
        status = thoughts_add(&bot->thoughts, ask->decision, &known, err);
    }
    return status;
}

/* ---------------------------------------------------------------- values */

static enum bg_status value_take(struct bg_bot *bot, const struct bg_ask *ask,
                                 const struct bg_value *value, struct bg_error *err)
{
    struct request *done = NULL;
    enum bg_status status = requests_answer(&done, &bot->requests, ask->decision, value, err);

    if (status == BG_OK && done != NULL) {
        status = buffer_send(
            bot, wire_pack_evaluation(&bot->buffer, done->number, done->values, done->count, err),
            err);
        requests_remove(&bot->requests, done);
    }
    return status;
}

enum bg_status bg_bot_answer_value(struct bg_bot *bot, const struct bg_ask *ask,
                                   const struct bg_value *value, struct bg_error *err)
{
    struct bg_value checked = BG_VALUE_INIT;
    struct bg_error story = {0};
    enum bg_status status;

    if (ask->kind < BG_VALUE_POSITION) {
        return misfit(err, ask, "a value");
    }
    status = sized_check("bg_value", value->size, VALUE_FIRST, sizeof *value, &story);
    if (status == BG_OK) {
        memcpy(&checked, value, value->size);
        checked.size = sizeof checked;
        checked.kind = ask->kind;
        status = bg_value_check(ask, &checked, &story);
    }
    return status == BG_OK ? value_take(bot, ask, &checked, err)
                           : bg_error_set(err, status, "position to be valued: %s", story.text);
}

enum bg_status bg_bot_answer_cannot(struct bg_bot *bot, const struct bg_ask *ask, const char *why,
                                    struct bg_error *err)
{
    struct bg_value value = {.size = sizeof value, .kind = ask->kind, .cannot = true};

    if (ask->kind < BG_VALUE_POSITION) {
        return misfit(err, ask, "\"cannot\"");
    }
    snprintf(value.why, sizeof value.why, "%s", why == NULL || why[0] == '\0' ? "?" : why);
    return value_take(bot, ask, &value, err);
}
