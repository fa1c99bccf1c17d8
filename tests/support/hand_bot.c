#include "hand_bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS INT64_C(1000000)

enum { ARENA = 4 << 20 };

static void insist(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* ------------------------------------------------------------ what sessions report */

static void note(struct hand_news *news, const char *what, const struct session *session)
{
    size_t used = strlen(news->order);

    snprintf(news->order + used, sizeof news->order - used, "%s%s%d", used == 0 ? "" : " ", what,
             session_instance(session));
}

static void on_ready(void *user, struct session *session)
{
    struct hand_table *table = user;

    table->news.ready++;
}

static void on_answered(void *user, struct session_slot *slot, const struct bg_answer *answer,
                        int64_t spent_ns, int64_t credit_ns)
{
    struct hand_table *table = user;

    table->news.answered++;
    table->news.slot = slot;
    table->news.spent_ns = spent_ns;
}

static void on_overdue(void *user, struct session_slot *slot, int64_t spent_ns)
{
    struct hand_table *table = user;

    table->news.overdue++;
    table->news.slot = slot;
    table->news.spent_ns = spent_ns;
    note(&table->news, "overdue", slot->owner);
}

static void on_fault(void *user, struct session *session, struct session_slot *slot,
                     enum bg_fault fault, const char *message)
{
    struct hand_table *table = user;

    table->news.faults++;
    table->news.session = session;
    table->news.slot = slot;
    table->news.fault = fault;
    snprintf(table->news.message, sizeof table->news.message, "%s", message);
    note(&table->news, "fault", session);
    if (table->news.close_on_fault) {
        session_close(session, "left out");
    }
}

static void on_closed(void *user, struct session *session)
{
    struct hand_table *table = user;

    table->news.closed++;
}

static const struct session_listener listener = {.ready = on_ready,
                                                 .answered = on_answered,
                                                 .overdue = on_overdue,
                                                 .fault = on_fault,
                                                 .closed = on_closed};

/* ------------------------------------------------------------------ the table */

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    struct hand_table *table = user;

    roster_on_frame(&table->roster, frame, received_ns, lag_ns);
}

static void on_settle(void *user)
{
    struct hand_table *table = user;

    roster_settle(&table->roster);
}

static void on_sweep(void *user, int64_t now_ns)
{
    struct hand_table *table = user;

    roster_sweep(&table->roster, now_ns);
    loop_after(table->loop, MS_NS, on_sweep, table);
}

/* The bot by hand is this process. */
static void on_place(void *user, int bot, const char *endpoint, bool again)
{
}

static void on_no_place(void *user, int bot)
{
}

static void on_came(void *user, int bot)
{
    struct hand_table *table = user;

    insist(bot == 0);
    table->came++;
}

static bool owns(void *user, pid_t pid)
{
    return true;
}

static bool is_down(void *user, int bot)
{
    const struct hand_table *table = user;

    return table->door_is_down;
}

static void add_session(struct hand_table *table, int instance)
{
    const struct session_setup setup = {.bot = &table->bot,
                                        .instance = instance,
                                        .event = "by hand",
                                        .loop = table->loop,
                                        .link = table->link,
                                        .reader = table->reader,
                                        .credit = &table->credit,
                                        .start_ns = HAND_START_NS,
                                        .ceiling_ns = HAND_CEILING_NS,
                                        .new_game_ns = HAND_START_NS,
                                        .door = &table->door,
                                        .listener = &listener,
                                        .user = table};

    roster_add(&table->roster, session_create(&setup));
}

void hand_table_open(struct hand_table *table, int sessions)
{
    memset(table, 0, sizeof *table);
    strcpy(table->bot.name, "tester");
    table->door = (struct session_door){.opened = on_place,
                                        .closed = on_no_place,
                                        .came = on_came,
                                        .owns = owns,
                                        .is_down = is_down,
                                        .user = table};
    table->link = hand_open();
    insist(loop_create(&table->loop, NULL) == BG_OK);
    insist(loop_add_link(table->loop, table->link, on_frame, table, NULL) == BG_OK);
    loop_on_settle(table->loop, on_settle, table);
    insist(wire_reader_create(&table->reader, ARENA, NULL) == BG_OK);
    insist(wire_reader_create(&table->bots_reader, ARENA, NULL) == BG_OK);
    loop_after(table->loop, MS_NS, on_sweep, table);
    for (int i = 0; i < sessions; i++) {
        add_session(table, i);
    }
}

void hand_table_close(struct hand_table *table)
{
    roster_deinit(&table->roster);
    wire_buffer_deinit(&table->buffer);
    wire_reader_destroy(table->reader);
    wire_reader_destroy(table->bots_reader);
    loop_destroy(table->loop);
    link_destroy(table->link);
}

void hand_start(struct hand_table *table, int index)
{
    insist(session_start(table->roster.sessions[index], NULL) == BG_OK);
}

void hand_start_all(struct hand_table *table)
{
    for (int i = 0; i < table->roster.count; i++) {
        hand_start(table, i);
    }
}

/* ------------------------------------------------------------------ the bots */

void hand_hello(struct hand_table *table, int door, int in_flight)
{
    static struct wire_hello hello;

    memset(&hello, 0, sizeof hello);
    hello.protocols[0] = BG_PROTOCOL;
    hello.protocol_count = 1;
    strcpy(hello.name, "tester");
    hello.max_in_flight = (uint32_t)in_flight;
    hello.stateful = table->is_stateful;
    insist(wire_pack_hello(&table->buffer, &hello, NULL) == BG_OK);
    hand_say(door, table->buffer.data, table->buffer.size);
}

void hand_ready(struct hand_table *table, int door)
{
    insist(wire_pack_ready(&table->buffer, "", NULL) == BG_OK);
    hand_say(door, table->buffer.data, table->buffer.size);
}

void hand_greet(struct hand_table *table, int door, int in_flight)
{
    hand_hello(table, door, in_flight);
    hand_ready(table, door);
    hand_run(table->loop, 0);
}

void hand_answer(struct hand_table *table, int door, uint64_t decision)
{
    const struct bg_answer answer = {.decision = decision, .kind = BG_ANSWER_ROLL};

    insist(wire_pack_answers(&table->buffer, &answer, 1, NULL) == BG_OK);
    hand_say(door, table->buffer.data, table->buffer.size);
}

const struct wire_message *hand_heard(struct hand_table *table, int door)
{
    static struct wire_message message;
    const struct hand_door *at = hand_door(door);

    insist(at->heard > 0);
    insist(wire_unpack_to_bot(&message, table->bots_reader, at->data, at->size, NULL) == BG_OK);
    return &message;
}

void hand_slot(struct session_slot *slot, struct session *owner, int64_t limit_ns)
{
    static struct bg_rules rules;

    rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    memset(slot, 0, sizeof *slot);
    strcpy(slot->ask.game, "a|b|0|0|0");
    slot->ask.kind = BG_DECIDE_DOUBLE;
    slot->ask.rules = rules;
    slot->ask.cube_owner = BG_CENTRED;
    bg_variant_setup(&slot->ask.board, rules.variant);
    slot->limit_ns = limit_ns;
    slot->owner = owner;
}
