/* options.h - a bot's options and the values that the referee sets. */
#ifndef SDK_CLIENT_OPTIONS_H
#define SDK_CLIENT_OPTIONS_H

#include <stdbool.h>

#include <bgref/bot.h>

#include "wire/wire.h"

/* Checks the default of one of the bot's options and copies the option into hello, which must have
 * room. BG_E_ARGUMENT: the text of err names the option. */
enum bg_status options_add(struct wire_hello *hello, const struct bg_option *option,
                           struct bg_error *err);

/* Copies the values of welcome into hello's options. BG_E_ARGUMENT: an unknown option, a value
 * that does not fit its type and bounds, or a text other than the default if another machine's host
 * sets it (a text may name a program or a file of this machine); the text of err names it. */
enum bg_status options_set(struct wire_hello *hello, const struct wire_welcome *welcome,
                           bool is_from_afar, struct bg_error *err);

#endif
