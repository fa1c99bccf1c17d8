/* joiner_notes.c - what `bgref join` shows, and what its host's gateway says besides messages. */
#define _GNU_SOURCE /* strsep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "door/gateway.h"
#include "join_words.h"
#include "joiner_inside.h"

#define SECOND_NS INT64_C(1000000000)

enum { WAIT_MOST_S = 3600 };

/* ------------------------------------------------------------------------ printing */

void joiner_say(struct joiner *joiner, const char *text)
{
    char clean[1024];

    if (!joiner->setup->quiet) {
        clean_write(clean, sizeof clean, text, strlen(text), CLEAN_LINE);
        /* A person's question may stand at the end of the terminal's last line. */
        printf("%s%s\n", joiner->setup->is_seat && joiner->process != NULL ? "\n" : "", clean);
        joiner->has_lines = true;
    }
}

/* ------------------------------------------------------------------------ decisions */

static void say_game(struct joiner *joiner, const struct bg_ask *ask)
{
    char text[JOIN_WORDS];

    join_words_game(text, joiner->games.count, ask);
    joiner_say(joiner, text);
}

/* Reads the decisions of a message in full. NULL: they cannot be read. */
static const struct bg_ask *read_asks(struct joiner *joiner, const void *data, size_t size,
                                      size_t *count)
{
    struct wire_message message;

    if (wire_unpack_to_bot(&message, joiner->reader, data, size, NULL) != BG_OK) {
        return NULL;
    }
    *count = message.count;
    return message.asks;
}

void joiner_note_asks(struct joiner *joiner, const struct wire_ask_head *asks, size_t count,
                      const void *data, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        const struct bg_ask *whole;
        size_t read;

        if (known_games_add(&joiner->games, asks[i].game, asks[i].game_size) &&
            !joiner->setup->is_seat &&
            game_lines_take(&joiner->game_lines, loop_now(joiner->loop)) &&
            (whole = read_asks(joiner, data, size, &read)) != NULL && i < read) {
            say_game(joiner, &whole[i]);
        }
    }
    joiner->decisions += count;
}

/* ------------------------------------------------------------------------ from the gateway */

/* Seconds and a reason: this start ends, and the next one begins after that time. */
static void take_wait(struct joiner *joiner, char *rest)
{
    long seconds = strtol(rest, &rest, 10);
    char text[512];

    if (seconds > 0 && seconds <= WAIT_MOST_S) {
        joiner->wait_ns = seconds * SECOND_NS;
        snprintf(text, sizeof text, "%.400s; trying again in %ld s", rest + strspn(rest, " "),
                 seconds);
        joiner_say(joiner, text);
    }
}

/* Seconds and a text: the host ends, and comes back; a Goodbye is none of the host then. */
static void take_end(struct joiner *joiner, const char *rest)
{
    const char *text = rest + strspn(rest, "-0123456789");

    joiner_say(joiner, text + strspn(text, " "));
}

void joiner_take_note(struct joiner *joiner, const char *data, size_t size)
{
    char text[GATEWAY_NOTE_BYTES], *rest = text;
    const char *word;

    snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), data);
    word = strsep(&rest, " ");
    if (strcmp(word, GATEWAY_STAY) == 0) {
        joiner->stays = true;
        joiner->is_last = false;
    } else if (strcmp(word, GATEWAY_LEAVE) == 0) {
        joiner->stays = false;
        joiner->is_last = true;
    } else if (strcmp(word, GATEWAY_SAY) == 0 && rest != NULL) {
        joiner_say(joiner, rest);
    } else if (strcmp(word, GATEWAY_WAIT) == 0 && rest != NULL) {
        take_wait(joiner, rest);
    } else if (strcmp(word, GATEWAY_ENDS) == 0 && rest != NULL) {
        take_end(joiner, rest);
    }
}
