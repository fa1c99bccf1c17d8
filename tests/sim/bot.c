/* bot.c - bots as functions of the question. */
#include "sim.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

#define THINK_NS INT64_C(100000)

/* A question takes 3 KiB, and the address sanitizer marks all of an arena at every start. */
enum { ARENA = 1 << 16 };

struct sim_bot {
    char name[WIRE_NAME], token[WIRE_NAME];
    enum sim_kind kind;
    bool hung;             /* no longer answers */
    bool unready;          /* says Hello, and nothing more */
    struct bg_answer held; /* its unsent answer when its connection ended */
    struct wire_reader *reader;
    struct wire_buffer buffer;
};

const char *const sim_kind_names[SIM_KINDS] = {"honest", "cheat",  "muddled", "slow",   "mute",
                                               "noisy",  "frail",  "severed", "fickle", "bulky",
                                               "exact",  "absent", "unready"};

enum sim_kind sim_kind_of(const char *bot)
{
    for (int i = 0; i < SIM_KINDS; i++) {
        if (strncmp(bot, sim_kind_names[i], strlen(sim_kind_names[i])) == 0) {
            return (enum sim_kind)i;
        }
    }
    abort();
}

static uint64_t mix(uint64_t state, const void *data, size_t size)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < size; i++) { /* FNV-1a: short, and even enough for a plan */
        state = (state ^ bytes[i]) * 0x100000001b3u;
    }
    return state;
}

uint64_t sim_chance(const char *bot, const struct bg_ask *ask, uint64_t purpose)
{
    uint64_t state = mix(0xcbf29ce484222325u, &sim_plan()->seed, sizeof sim_plan()->seed);
    int asked[] = {(int)ask->kind, ask->turn,         ask->seat,
                   ask->raise,     ask->resign_level, ask->refused_level};

    state = mix(state, &purpose, sizeof purpose);
    state = mix(state, bot, strlen(bot));
    state = mix(state, ask->game, strlen(ask->game));
    state = mix(state, asked, sizeof asked);
    state = (state ^ (state >> 33)) * 0xff51afd7ed558ccdu;
    return state ^ (state >> 33);
}

struct sim_bot *sim_bot_create(const char *name, const char *token)
{
    struct sim_bot *bot = calloc(1, sizeof *bot);

    strncpy(bot->name, name, sizeof bot->name - 1);
    strncpy(bot->token, token, sizeof bot->token - 1);
    bot->kind = sim_kind_of(name);
    if (wire_reader_create(&bot->reader, ARENA, NULL) != BG_OK) {
        abort();
    }
    return bot;
}

void sim_bot_destroy(struct sim_bot *bot)
{
    wire_reader_destroy(bot->reader);
    wire_buffer_deinit(&bot->buffer);
    free(bot);
}

/* Faults that are charged to the oldest decision need one open decision at a time; otherwise the
 * loser would depend on other games. */
static uint32_t in_flight(enum sim_kind kind)
{
    switch (kind) {
    case SIM_NOISY:
    case SIM_FRAIL:
    case SIM_SEVERED:
    case SIM_FICKLE:
    case SIM_BULKY:
        return 1;
    default:
        return 64;
    }
}

static void greet(struct sim_bot *bot, const struct sim_replies *replies)
{
    static struct wire_hello hello;

    memset(&hello, 0, sizeof hello);
    hello.protocols[0] = BG_PROTOCOL;
    hello.protocol_count = 1;
    strcpy(hello.token, bot->token);
    strcpy(hello.name, sim_kind_names[bot->kind]);
    hello.max_in_flight = in_flight(bot->kind);
    if (wire_pack_hello(&bot->buffer, &hello, NULL) != BG_OK) {
        abort();
    }
    sim_reply(replies, bot->buffer.data, bot->buffer.size, 3 * THINK_NS);
}

/* A bot that fails to start ends before its Hello, or greets and is never ready, or does
 * nothing. */
void sim_bot_start(struct sim_bot *bot, const struct sim_replies *replies, bool stumbles)
{
    unsigned how = stumbles ? (unsigned char)bot->token[0] % 3u : 0;

    bot->unready = bot->kind == SIM_UNREADY || (stumbles && how == 1);
    if (stumbles && how == 0) {
        sim_die(replies, 3 * THINK_NS);
    } else if (bot->kind != SIM_ABSENT && !(stumbles && how == 2)) {
        greet(bot, replies);
    }
}

static void play(struct bg_answer *answer, const struct bg_ask *ask, uint64_t chance)
{
    static struct bg_play_list plays;

    bg_play_list(&plays, ask->rules.variant, &ask->board, 0, &ask->stage);
    assert(plays.count > 0);
    answer->kind = BG_ANSWER_MOVES;
    answer->play = plays.play[chance % plays.count];
    if (chance >> 60 == 0) { /* the same as a position */
        answer->kind = BG_ANSWER_RESULT;
        bg_play_make(&answer->result, ask->rules.variant, &ask->board, 0, &answer->play);
    }
}

static void decide(struct bg_answer *answer, const struct sim_bot *bot, const struct bg_ask *ask)
{
    uint64_t chance = sim_chance(bot->name, ask, 1);
    int own_level = ask->refused_level + 1;

    *answer = (struct bg_answer){.decision = ask->decision};
    if ((ask->kind == BG_DECIDE_DOUBLE || ask->kind == BG_DECIDE_PLAY) && chance % 97 == 0 &&
        own_level <= bg_variant_level_max(ask->rules.variant)) {
        answer->kind = BG_ANSWER_RESIGN;
        answer->value = (uint32_t)own_level;
        return;
    }
    switch (ask->kind) {
    case BG_DECIDE_PLAY:
        play(answer, ask, chance >> 8);
        break;
    case BG_DECIDE_DOUBLE:
        answer->kind = chance % 12 == 0 ? BG_ANSWER_DOUBLE : BG_ANSWER_ROLL;
        break;
    case BG_DECIDE_TAKE:
    case BG_DECIDE_RAISE:
        answer->kind = ask->may_raise && chance % 5 == 0 ? BG_ANSWER_RAISE
                       : chance % 3 == 0                 ? BG_ANSWER_PASS
                                                         : BG_ANSWER_TAKE;
        break;
    case BG_DECIDE_RESIGNATION:
        answer->kind = chance % 2 == 0 ? BG_ANSWER_ACCEPT : BG_ANSWER_REFUSE;
        break;
    case BG_DECIDE_KEEP:
        answer->kind = chance % 2 == 0 ? BG_ANSWER_KEEP : BG_ANSWER_REROLL;
        break;
    case BG_DECIDE_NAME:
        answer->kind = BG_ANSWER_NAME;
        answer->value = (uint32_t)(chance % 6 + 1);
        break;
    default:
        abort();
    }
}

static void send(struct sim_bot *bot, const struct sim_replies *replies,
                 const struct bg_answer *answer, int64_t after_ns)
{
    if (wire_pack_answers(&bot->buffer, answer, 1, NULL) != BG_OK) {
        abort();
    }
    sim_reply(replies, bot->buffer.data, bot->buffer.size, after_ns);
}

/* The misdeed of the bot's kind. Returns true if the answer, perhaps spoilt, is to be sent after
 * *after_ns. */
static bool misdeed(struct sim_bot *bot, const struct sim_replies *replies,
                    struct bg_answer *answer, const struct bg_ask *ask, int64_t *after_ns)
{
    switch (bot->kind) {
    case SIM_CHEAT:
        if (ask->kind == BG_DECIDE_PLAY) {
            answer->kind = BG_ANSWER_MOVES;
            answer->play = (struct bg_play){1, {{24, 1}}};
        }
        return true;
    case SIM_MUDDLED:
        if (*after_ns % 2 == 0) {
            send(bot, replies, answer, *after_ns); /* and again below: dropped */
        } else {
            answer->kind = ask->kind == BG_DECIDE_PLAY ? BG_ANSWER_ACCEPT : BG_ANSWER_MOVES;
        }
        return true;
    case SIM_SLOW:
        *after_ns += sim_plan()->late_ns;
        return true;
    case SIM_NOISY:
        sim_reply(replies, "\xff\xff garbage", 10, *after_ns);
        return false;
    case SIM_FRAIL:
        sim_die(replies, *after_ns);
        return false;
    case SIM_SEVERED:
        sim_lose(replies, false, *after_ns);
        return false;
    case SIM_FICKLE:
        bot->held = *answer;
        sim_lose(replies, false, *after_ns);
        return false;
    case SIM_BULKY:
        sim_lose(replies, true, *after_ns);
        return false;
    case SIM_MUTE:
        bot->hung = sim_plan()->hangs;
        return false;
    default:
        return true;
    }
}

/* Only fickle bots reconnect: with the token that admitted them, and with the answer they owe. */
void sim_bot_lost(struct sim_bot *bot, const struct sim_replies *replies)
{
    if (bot->kind == SIM_FICKLE) {
        greet(bot, replies);
        send(bot, replies, &bot->held, 4 * THINK_NS);
    }
}

static bool misbehaves(const struct sim_bot *bot, const struct bg_ask *ask)
{
    if (bot->kind == SIM_HONEST || bot->kind == SIM_EXACT || sim_plan()->rate == 0 ||
        sim_chance(bot->name, ask, 3) % (uint64_t)sim_plan()->rate != 0) {
        return false;
    }
    sim_counts()->misdeeds[bot->kind]++;
    return true;
}

static void on_ask(struct sim_bot *bot, const struct sim_replies *replies, const struct bg_ask *ask)
{
    int64_t after_ns = THINK_NS + (int64_t)(sim_chance(bot->name, ask, 2) % THINK_NS);
    struct bg_answer answer;

    sim_note_ask(replies, ask->game);
    decide(&answer, bot, ask);
    if (bot->kind == SIM_EXACT && ++sim_counts()->exact_asked == sim_plan()->exact_dies_at) {
        sim_die(replies, THINK_NS);
        return;
    }
    if (bot->kind == SIM_EXACT) {
        after_ns = sim_plan()->exact_ns - 2 * SIM_LINK_NS;
    }
    if (!misbehaves(bot, ask) || misdeed(bot, replies, &answer, ask, &after_ns)) {
        send(bot, replies, &answer, after_ns);
    }
}

void sim_bot_frame(struct sim_bot *bot, const struct sim_replies *replies, const void *data,
                   size_t size)
{
    struct wire_message message;
    struct bg_error err;

    if (wire_unpack_to_bot(&message, bot->reader, data, size, &err) != BG_OK) {
        abort();
    }
    switch (message.content) {
    case WIRE_WELCOME:
        if (bot->unready) {
            break;
        }
        if (wire_pack_ready(&bot->buffer, "", NULL) != BG_OK) {
            abort();
        }
        sim_reply(replies, bot->buffer.data, bot->buffer.size, THINK_NS);
        break;
    case WIRE_ASKS:
        for (size_t i = 0; i < message.count && !bot->hung; i++) {
            on_ask(bot, replies, &message.asks[i]);
        }
        break;
    case WIRE_GOODBYE:
        sim_die(replies, THINK_NS);
        break;
    default:
        break;
    }
}
