/* A bot's process may outlive its line: for the bot nothing happens, while the joiner connects
 * again, sends the same Hello and passes on what comes. That is right only if nothing of the
 * bot's terms has changed (kept_bot_fits), and if the bot keeps no memory of games that the
 * referee may have gone on with (stateful, tells). */
#include "kept_bot.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void kept_bot_deinit(struct kept_bot *kept)
{
    free(kept->hello);
    wire_buffer_deinit(&kept->said);
    memset(kept, 0, sizeof *kept);
}

static void note_offered(struct kept_bot *kept, const struct wire_hello *hello)
{
    for (size_t i = 0; i < hello->option_count; i++) {
        struct kept_option *offered = &kept->offered[i];

        memcpy(offered->name, hello->options[i].name, sizeof offered->name);
        memcpy(offered->value, hello->options[i].value, sizeof offered->value);
        offered->is_text = hello->options[i].type == WIRE_STRING;
    }
    kept->offered_count = hello->option_count;
}

enum bg_status kept_bot_hello(struct kept_bot *kept, struct wire_reader *reader, const void *data,
                              size_t size, struct bg_error *err)
{
    struct wire_message message;
    enum bg_status status = BG_OK;

    kept_bot_deinit(kept);
    kept->hello = memory_zeroed(size, 1);
    memcpy(kept->hello, data, size);
    kept->hello_size = size;
    if (wire_unpack_to_referee(&message, reader, data, size, NULL) == BG_OK &&
        message.content == WIRE_HELLO) {
        static struct wire_hello said; /* large */

        said = *message.hello;
        /* What differs from start to start, and is no property of the bot. */
        said.pid = 0;
        said.token[0] = '\0';
        note_offered(kept, &said);
        kept->may_be_kept = !said.stateful && !said.want_tells; /* it is told how games went on */
        status = wire_pack_hello(&kept->said, &said, err);
    }
    return status;
}

static bool is_safe(const struct kept_bot *kept, const struct wire_option *option)
{
    size_t at = 0;

    while (at < kept->offered_count && strcmp(kept->offered[at].name, option->name) != 0) {
        at++;
    }
    /* A text may name a program or a file, so a host may only set what the author has offered;
     * the SDK refuses the same (options.c), but a bot need not be made with it. */
    return at < kept->offered_count &&
           (!kept->offered[at].is_text || strcmp(kept->offered[at].value, option->value) == 0);
}

const char *kept_bot_forbidden(const struct kept_bot *kept, const struct wire_welcome *welcome)
{
    const char *found = NULL;

    for (size_t i = 0; i < welcome->option_count && found == NULL; i++) {
        found = is_safe(kept, &welcome->options[i]) ? NULL : welcome->options[i].name;
    }
    return found;
}

/* What does not belong to the bot's terms. */
static void strip(struct wire_welcome *welcome)
{
    welcome->resuming = false;
    welcome->open_games = NULL;
    welcome->open_game_count = 0;
}

bool kept_bot_says_same(const struct kept_bot *one, const struct kept_bot *other)
{
    return one->said.size > 0 && one->said.size == other->said.size &&
           memcmp(one->said.data, other->said.data, one->said.size) == 0;
}

bool kept_bot_waits(const struct kept_bot *kept)
{
    return kept->hello != NULL && kept->welcome.protocol == 0;
}

void kept_bot_welcome(struct kept_bot *kept, const struct wire_welcome *welcome)
{
    kept->welcome = *welcome;
    strip(&kept->welcome);
}

bool kept_bot_can_stay(const struct kept_bot *kept)
{
    return kept->may_be_kept && kept->welcome.protocol != 0;
}

static bool is_same_option(const struct wire_option *one, const struct wire_option *other)
{
    return strcmp(one->name, other->name) == 0 && strcmp(one->value, other->value) == 0;
}

/* Without resuming the numbers of decisions begin again, and an answer that is on its way would
 * be to another decision of the same number. */
bool kept_bot_fits(const struct kept_bot *kept, const struct wire_welcome *welcome)
{
    const struct wire_welcome *before = &kept->welcome;
    bool is_same = welcome->resuming && welcome->protocol == before->protocol &&
                   welcome->option_count == before->option_count &&
                   memcmp(&welcome->limits, &before->limits, sizeof before->limits) == 0 &&
                   strcmp(welcome->bot, before->bot) == 0 &&
                   strcmp(welcome->event, before->event) == 0 &&
                   strcmp(welcome->referee, before->referee) == 0;

    for (size_t i = 0; is_same && i < before->option_count; i++) {
        is_same = is_same_option(&welcome->options[i], &before->options[i]);
    }
    return is_same;
}

/* The referee's numbers of open decisions differ in the last digits (seat/decisions.h). If another
 * host's do not, a decision is forgotten here, and perhaps asked twice. */
static uint64_t *entry_for(struct kept_bot *kept, uint64_t decision)
{
    return &kept->owed[decision % WIRE_BATCH_MAX];
}

bool kept_bot_ask(struct kept_bot *kept, const struct wire_ask_head *asks, size_t count)
{
    bool is_new = count == 0;

    for (size_t i = 0; kept->may_be_kept && i < count; i++) {
        uint64_t *place = entry_for(kept, asks[i].decision);

        is_new = is_new || *place != asks[i].decision;
        *place = asks[i].decision;
    }
    return is_new || !kept->may_be_kept;
}

void kept_bot_answer(struct kept_bot *kept, const void *data, size_t size)
{
    uint64_t numbers[WIRE_BATCH_MAX];
    size_t count;

    if (!kept->may_be_kept || !wire_read_answer_numbers(numbers, &count, data, size)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t *place = entry_for(kept, numbers[i]);

        *place = *place == numbers[i] ? 0 : *place;
    }
}
