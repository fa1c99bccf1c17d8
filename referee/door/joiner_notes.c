/* joiner_notes.c - what `bgref join` shows, and what its host's gateway says besides messages. */
#define _GNU_SOURCE /* strsep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "control.h"
#include "gateway.h"
#include "join_words.h"
#include "joiner_inside.h"

#define SECOND_NS INT64_C(1000000000)
#define TICK_NS   (SECOND_NS / 2)
#define ASK_NS    (5 * SECOND_NS)

enum { WAIT_MOST_S = 3600 };

/* ------------------------------------------------------------------------ printing */

void joiner_say(struct joiner *joiner, const char *text)
{
    char clean[1024];

    if (joiner->screen.is_on) {
        join_view_say(&joiner->view, loop_calendar(), text);
        joiner->is_dirty = true;
    } else if (!joiner->setup->quiet) {
        clean_write(clean, sizeof clean, text, strlen(text), CLEAN_LINE);
        /* A person's question may stand at the end of the terminal's last line. */
        printf("%s%s\n", joiner->setup->is_seat && joiner->process != NULL ? "\n" : "", clean);
        joiner->has_lines = true;
    }
}

void joiner_show_line(struct joiner *joiner, const char *text)
{
    join_view_line(&joiner->view, loop_now(joiner->loop), text);
    joiner->is_dirty = true;
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

/* Most messages of a quick bot are replaced before they are seen. */
static void keep_for_screen(struct joiner *joiner, const void *data, size_t size)
{
    if (size > joiner->shown_room) {
        uint8_t *room = realloc(joiner->shown, 2 * size);

        if (room == NULL) {
            return;
        }
        joiner->shown = room;
        joiner->shown_room = 2 * size;
    }
    memcpy(joiner->shown, data, size);
    joiner->shown_size = size;
    joiner->view.asked_ns = loop_now(joiner->loop);
    joiner->view.is_answered = false;
}

void joiner_note_asks(struct joiner *joiner, const struct wire_ask_head *asks, size_t count,
                      const void *data, size_t size)
{
    const bool has_lines = !joiner->setup->is_seat && !joiner->screen.is_on; /* else it shows it */

    for (size_t i = 0; i < count; i++) {
        const struct bg_ask *whole;
        size_t read;

        if (known_games_add(&joiner->games, asks[i].game, asks[i].game_size) && has_lines &&
            game_lines_take(&joiner->game_lines, loop_now(joiner->loop)) &&
            (whole = read_asks(joiner, data, size, &read)) != NULL && i < read) {
            say_game(joiner, &whole[i]);
        }
    }
    joiner->decisions += count;
    if (joiner->screen.is_on && count > 0) {
        keep_for_screen(joiner, data, size);
    }
}

void joiner_draw(struct joiner *joiner)
{
    const struct bg_ask *asks;
    size_t count;

    if (joiner->shown_size > 0) {
        asks = read_asks(joiner, joiner->shown, joiner->shown_size, &count);
        if (asks != NULL && count > 0) {
            joiner->view.ask = asks[count - 1];
        }
        joiner->view.games = joiner->games.count;
        joiner->view.decisions = joiner->decisions;
        joiner->shown_size = 0;
    }
    join_screen_draw(&joiner->screen, &joiner->view, loop_now(joiner->loop));
}

/* ------------------------------------------------------------------------ from the gateway */

/* Asks how the bot stands; the answer comes as notes. */
static void ask_host(struct joiner *joiner, int64_t now_ns)
{
    static const char question[] = "\0" GATEWAY_ASK;

    if (joiner->line != NULL && joiner->may_ask && now_ns >= joiner->ask_by_ns &&
        remote_line_send(joiner->line, question, sizeof question - 1)) {
        joiner->asked_ns = now_ns;
        joiner->ask_by_ns = now_ns + ASK_NS;
    }
}

void joiner_tick(void *user, int64_t now_ns)
{
    struct joiner *joiner = ((const struct ticker *)user)->joiner;

    ask_host(joiner, now_ns);
    joiner->is_dirty = true;
    (void)loop_after(joiner->loop, TICK_NS, joiner_tick, user, NULL); /* else it stands still */
}

/* A line of the host's answer. It is shown when it is whole. */
static void take_status(struct joiner *joiner, const char *line)
{
    struct join_standing *standing = &joiner->view.standing;

    if (joiner->screen.is_on && join_standing_take(standing, line, strlen(line)) != STATUS_NONE &&
        standing->event_count >= standing->host.events) {
        joiner->view.shown = *standing;
        joiner->is_dirty = true;
    }
}

/* The host's gateway has heard a question; without one, that it hears questions. */
static void take_asked(struct joiner *joiner)
{
    if (joiner->asked_ns > 0) {
        joiner->view.ping_ns = loop_now(joiner->loop) - joiner->asked_ns;
        joiner->asked_ns = 0;
    }
    joiner->may_ask = joiner->screen.is_on;
    ask_host(joiner, loop_now(joiner->loop));
}

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
        joiner_show_line(joiner, text);
    }
}

/* Seconds and a text: the host ends, and comes back; a Goodbye is none of the host then. */
static void take_end(struct joiner *joiner, const char *rest)
{
    char *text;
    int64_t seconds = strtoll(rest, &text, 10);

    text += strspn(text, " ");
    joiner_say(joiner, text);
    join_view_end(&joiner->view, loop_now(joiner->loop), seconds, text);
}

void joiner_take_note(struct joiner *joiner, const char *data, size_t size)
{
    char text[CONTROL_TEXT], *rest = text;
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
    } else if (strcmp(word, GATEWAY_ASKED) == 0) {
        take_asked(joiner);
    } else if (strcmp(word, GATEWAY_STATUS) == 0 && rest != NULL) {
        take_status(joiner, rest);
    }
}
