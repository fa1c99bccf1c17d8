/* greeting.h - judges the first message of a start: what is refused, what is told. Pure. */
#ifndef REFEREE_SEAT_GREETING_H
#define REFEREE_SEAT_GREETING_H

#include "bot/competitor.h"
#include "loop/link.h"
#include "wire/wire.h"

enum {
    GREETING_MESSAGE_BYTES = 65536, /* told in Welcome: the largest message taken */
    GREETING_STORY = 600
};

/* What a bot has said of itself in its Hello; and, for people, which values its options have. */
struct greeting {
    char version[2 * WIRE_NAME + 1], options[1024];
    char variants[sizeof((struct wire_hello *)NULL)->variants];
    bool want_plays, stateful;
    int in_flight;              /* decisions that it takes at once, 1..DECISIONS_MAX */
    struct wire_option *offers; /* owned */
    size_t offer_count;
};

/* What a Hello is judged by, and what its Welcome says. All is lent. */
struct greeting_terms {
    const struct competitor *bot;
    const char *token;            /* of this start; NULL: none was given */
    const char *event;            /* name that the bot sees, may be "" */
    const struct bg_rules *rules; /* as in greeting_answer */
    bool evaluator;               /* it must be able to value positions */
    int64_t start_ns, new_game_ns, ceiling_ns;
    struct wire_reader *reader;
};

void greeting_deinit(struct greeting *greeting);

/* Judges the first message. True: buffer holds its Welcome, and *greeting what it has said. False:
 * story says why; buffer holds the Refusal to be sent, or nothing when its size is 0. */
bool greeting_take(struct greeting *greeting, struct wire_buffer *buffer,
                   char story[GREETING_STORY], const struct link_frame *frame,
                   const struct greeting_terms *terms);

/* Why a frame that is several parts is not a message. */
const char *greeting_parts(enum link_what what);

/* True when a bot whose Hello lists these variants plays this game. */
bool greeting_plays(const char *variants, const struct bg_variant *variant);

/* Fills *welcome (limits and event left to the caller) and returns true; or returns false with what
 * is refused and why, each at least WIRE_TEXT bytes. The bot must play every game of the rules: in
 * a rotation all of them; rules NULL: no game is asked for. */
bool greeting_answer(struct wire_welcome *welcome, char *what, char *why,
                     const struct wire_hello *hello, const struct competitor *bot,
                     const struct bg_rules *rules);

/* "NAME VERSION" of the Hello, cleaned (rules/clean.h); what has no room is left out. */
void greeting_version(char *out, size_t size, const struct wire_hello *hello);

/* "Plies=0 Noise=0.02": every option value of the Welcome, cleaned. */
void greeting_options(char *out, size_t size, const struct wire_welcome *welcome);

#endif
