/* hello.h - a bot's description of itself as its Hello. */
#ifndef SDK_CLIENT_HELLO_H
#define SDK_CLIENT_HELLO_H

#include <bgref/bot.h>

#include "wire/wire.h"

/* Copies all of info into a zeroed Hello. BG_E_ARGUMENT: something in info is invalid, or was made
 * with other headers; the text of err names it. */
enum bg_status hello_fill(struct wire_hello *hello, const struct bg_bot_info *info,
                          const char *token, struct bg_error *err);

#endif
