/* joiner_inside.h - the state of a running `bgref join`, for the files joiner*.c. */
#ifndef HOST_CMD_JOINER_INSIDE_H
#define HOST_CMD_JOINER_INSIDE_H

#include "game_lines.h"
#include "join_words.h"
#include "joiner.h"
#include "kept_bot.h"
#include "known_games.h"
#include "loop/link.h"
#include "loop/loop.h"
#include "remote_line.h"
#include "seat/bot_process.h"

struct joiner {
    const struct joiner_setup *setup;
    struct signals *signals;
    struct loop *loop;
    struct link *link;
    struct wire_reader *reader;
    struct bot_process *process;
    struct remote_line *line;     /* NULL: the bot has not said Hello, or its line was lost */
    bool line_woke;               /* something is to be read, or due */
    link_peer peer;               /* the bot's local door; 0 none */
    struct kept_bot kept, before; /* owned, like the one of the start before */
    int64_t hello_ns;             /* when this start's came */
    struct wire_buffer buffer;
    bool returns;            /* the kept bot's Hello was sent again; its Welcome is awaited */
    int64_t wait_ns;         /* before the next start */
    int failures;            /* ends of the bot in a row without a Welcome */
    int unproven;            /* see UNPROVEN_TRIES */
    bool is_absent;          /* it was printed that nobody listens */
    char turned[JOIN_WORDS]; /* what was printed last of why the host does not take the line */
    bool was_proven;         /* the host has proved its key in this run */
    bool stays;              /* a Goodbye ends an event only: the host said so */
    bool is_last;            /* the host has said that it does not come back */
    bool is_parting;         /* this start has got such a Goodbye */
    bool is_over;
    int exit_status;
    struct bg_error *err;
    struct known_games games;
    struct game_lines game_lines;
    uint64_t decisions;
    bool has_lines; /* printed lines wait in the buffer */
};

/* Prints a line; nothing with `quiet`. */
void joiner_say(struct joiner *joiner, const char *text);
/* Counts the decisions and the games of a message; prints a game when its first decision comes
 * (game_lines.h). */
void joiner_note_asks(struct joiner *joiner, const struct wire_ask_head *asks, size_t count,
                      const void *data, size_t size);
/* A word and a text of the gateway, not for the bot. */
void joiner_take_note(struct joiner *joiner, const char *data, size_t size);

#endif
