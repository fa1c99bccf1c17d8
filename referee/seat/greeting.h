/* greeting.h - judges the first message of a start, and writes the Welcome or the Refusal. Pure. */
#ifndef REFEREE_SEAT_GREETING_H
#define REFEREE_SEAT_GREETING_H

#include "bot/competitor.h"
#include "loop/link.h"
#include "wire/wire.h"

enum {
    GREETING_MESSAGE_BYTES = 65536, /* largest message that is accepted; the Welcome names it */
    GREETING_TEXT = 600
};

/* What a bot states about itself in its Hello; and its options' values, for display. */
struct greeting {
    char refused[2 * WIRE_NAME + 1]; /* the last version that was refused as another one; "" none */
    char version[2 * WIRE_NAME + 1], author[WIRE_TEXT], options[1024];
    char variants[sizeof((struct wire_hello *)NULL)->variants];
    bool want_plays, want_tells, want_pairings, stateful;
    int in_flight;              /* most decisions that it accepts at once, 1..DECISIONS_MAX */
    struct wire_option *offers; /* owned */
    size_t offer_count;
};

/* What a Hello is compared with, and what its Welcome contains. All is lent. */
struct greeting_terms {
    const struct competitor *bot;
    const char *token;             /* this start's; NULL: none was given */
    const char *event;             /* name that the bot sees, may be "" */
    const struct bg_rules *rules;  /* as in greeting_answer */
    bool evaluator;                /* the bot must be able to evaluate positions */
    bool enters_dice;              /* it must be able to enter dice that people roll */
    const char *version;           /* only this one, as greeting_version; NULL: any */
    bool want_thoughts;            /* what it tells of its decisions is stored */
    bool resuming;                 /* decisions of an earlier connection are open ... */
    const char *const *open_games; /* ... in games among these */
    size_t open_game_count;
    int64_t start_ns, new_game_ns, ceiling_ns;
    struct wire_reader *reader;
};

void greeting_deinit(struct greeting *greeting);

/* Judges the first message. Returns true if it is accepted: buffer holds the Welcome, *greeting the
 * Hello's content. Returns false if not: text holds the reason; buffer holds the Refusal to be
 * sent, or nothing if its size is 0. */
bool greeting_take(struct greeting *greeting, struct wire_buffer *buffer, char text[GREETING_TEXT],
                   const struct link_frame *frame, const struct greeting_terms *terms);

/* Returns why a message of several frames is refused. */
const char *greeting_parts(enum link_what what);

/* Returns true if a bot whose Hello lists these variants plays this game. */
bool greeting_plays(const char *variants, const struct bg_variant *variant);

/* Fills *welcome (the caller sets limits and event) and returns true. Otherwise returns false and
 * sets what (the refused thing) and why (the reason), each of at least WIRE_TEXT bytes. The bot
 * must play every game of the rules, in a rotation all of them; rules NULL: no game is required. */
bool greeting_answer(struct wire_welcome *welcome, char *what, char *why,
                     const struct wire_hello *hello, const struct competitor *bot,
                     const struct bg_rules *rules);

/* Writes the Hello's "NAME VERSION", cleaned (rules/clean.h); cut if it does not fit. */
void greeting_version(char *out, size_t size, const struct wire_hello *hello);

/* Writes every option value of the Welcome, cleaned: "Plies=0 Noise=0.02". */
void greeting_options(char *out, size_t size, const struct wire_welcome *welcome);

#endif
