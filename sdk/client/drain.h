/* drain.h - a socket is read while the bot thinks.
 *
 * The kernel holds only some hundred small messages for a Unix socket. A bot with more decisions
 * open than that, which thinks for seconds, would leave bytes with the referee, and that takes it
 * for a bot that does not read. A thread looks some times a second and keeps what has come.
 */
#ifndef SDK_CLIENT_DRAIN_H
#define SDK_CLIENT_DRAIN_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct drain;

/* From now on fd, a stream socket of the caller, is also read here. BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status drain_start(struct drain **out, int fd, struct bg_error *err);

/* Ends the thread; what it has read can still be taken. NULL is fine. */
void drain_stop(struct drain *drain);

/* Stops and frees. NULL is fine. */
void drain_destroy(struct drain *drain);

/* Between these two the thread does not read: the caller may wait for fd and read it, once
 * drain_take has nothing. The thread never waits for that; it looks again later. */
void drain_hold(struct drain *drain);
void drain_release(struct drain *drain);

/* What was read, oldest first, lent until the next call; returns its size. Only while held. */
size_t drain_take(const uint8_t **out, struct drain *drain);

/* Returns whether drain_take would return bytes now. Needs no hold; more may come at any time. */
bool drain_has_bytes(const struct drain *drain);

#endif
