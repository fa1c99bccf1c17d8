/* kept_bot.h - what the author's side keeps of a running bot, to go on with it after a lost line.
 *
 * The bot's Hello is sent again, and the new Welcome has to say what the old one said. Then the
 * host asks every open decision again, under its number. One that the bot still thinks about is not
 * passed to it twice: it would think twice, and its clock runs. Only for bots that keep nothing in
 * memory from one decision to the next; the others are started again.
 */
#ifndef HOST_CMD_KEPT_BOT_H
#define HOST_CMD_KEPT_BOT_H

#include "wire/wire.h"

/* Starts as {0}. */
struct kept_bot {
    void *hello; /* owned; NULL: the bot has not said Hello */
    size_t hello_size;
    struct wire_buffer said; /* the same without what differs with every process */
    bool may_be_kept;
    struct kept_option {
        char name[WIRE_NAME];
        bool is_text;
        char value[WIRE_TEXT]; /* of a text: its default */
    } offered[WIRE_OPTIONS_MAX];
    size_t offered_count;
    struct wire_welcome welcome;   /* without its list of games; protocol 0: none came */
    uint64_t owed[WIRE_BATCH_MAX]; /* decisions that the bot has not answered; 0: none */
};

void kept_bot_deinit(struct kept_bot *kept); /* and {0} again: for the next process */

/* The bot's first message, as it is; read by reader. BG_E_MEMORY. */
enum bg_status kept_bot_hello(struct kept_bot *kept, struct wire_reader *reader, const void *data,
                              size_t size, struct bg_error *err);
/* Whether both have said the same, so that one process can take the other's place. */
bool kept_bot_says_same(const struct kept_bot *one, const struct kept_bot *other);
/* The first option of a Welcome that a host may not set, NULL if there is none: a text other than
 * the bot's default, which may name a program or a file of the author's machine, and what the bot
 * has not offered. */
const char *kept_bot_forbidden(const struct kept_bot *kept, const struct wire_welcome *welcome);
/* The first Welcome. */
void kept_bot_welcome(struct kept_bot *kept, const struct wire_welcome *welcome);

/* Whether the bot has said Hello, and no Welcome has come. */
bool kept_bot_waits(const struct kept_bot *kept);
/* Whether the bot can go on after a lost line: it had a Welcome, and keeps nothing in memory. */
bool kept_bot_can_stay(const struct kept_bot *kept);
/* Whether it can go on with this Welcome. */
bool kept_bot_fits(const struct kept_bot *kept, const struct wire_welcome *welcome);

/* Decisions for the bot. Returns false if it owes all of them already. */
bool kept_bot_ask(struct kept_bot *kept, const struct wire_ask_head *asks, size_t count);
/* A message of the bot. */
void kept_bot_answer(struct kept_bot *kept, const void *data, size_t size);

#endif
