/* sealed.h - the keys of a bot that connects to a host on another machine by itself.
 *
 * From the environment: BGREF_SERVER_KEY, the 64 digits of `key` in HOST.bgref, and BGREF_KEY_FILE,
 * the bot's own secret key, made by `bgref keygen --join NAME`.
 */
#ifndef SDK_CLIENT_SEALED_H
#define SDK_CLIENT_SEALED_H

#include <bgref/error.h>

#include <stdbool.h>

/* Whether BGREF_SERVER_KEY is set: connections are then sealed. */
bool sealed_is_wanted(void);

/* Sets the CURVE options of a libzmq socket. BG_E_ARGUMENT: a variable or the key file cannot be
 * used; the file must be readable by its owner only. */
enum bg_status sealed_set(void *socket, struct bg_error *err);

#endif
