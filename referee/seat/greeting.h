/* greeting.h - judges a Hello: what is refused, which option values are told. Pure. */
#ifndef REFEREE_SEAT_GREETING_H
#define REFEREE_SEAT_GREETING_H

#include "bot/competitor.h"
#include "wire/wire.h"

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
