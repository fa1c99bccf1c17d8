/* options.h - the options a bot offers, and the values a referee sets. */
#ifndef SDK_CLIENT_OPTIONS_H
#define SDK_CLIENT_OPTIONS_H

#include <bgref/bot.h>

#include "wire/wire.h"

/* Copies one option that the bot offers into hello, its default checked; there must be room.
 * BG_E_ARGUMENT names the option. */
enum bg_status options_add(struct wire_hello *hello, const struct bg_option *option,
                           struct bg_error *err);

/* Puts the values of welcome into hello's options. BG_E_ARGUMENT names an option that the bot does
 * not offer, or a value that does not fit its type and bounds. */
enum bg_status options_set(struct wire_hello *hello, const struct wire_welcome *welcome,
                           struct bg_error *err);

#endif
