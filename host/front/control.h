/* control.h - short messages between the referee and its gateway or doorman, over a socket pair.
 *
 * One message is one line of text: a word and its values. To the gateway:
 *   allow NAME HEX        a bot and its public key; another key than before ends its connections
 *   forget NAME           its key is not known any more; its connections end
 *   from NAME CIDR...     the bot may come from these networks only
 *   lends                 several events share it; before `listen`
 *   listen                open the door
 *   unbar                 nobody is kept out
 *   bar NAME TEXT         this bot is kept out, with the reason; its connections end
 *   kick NAME             its connections end; it may come again
 *   starts NAME N         it may start so often in an hour
 *   wait NAME N           its key was in use twice: it waits N seconds
 *   open NAME ENDPOINT    the referee waits for this bot at a local door
 *   shut NAME             it does not wait any more
 *   status NAME LINE      the answer to asks: for the author of this bot (status_line.h)
 *   note NAME TEXT        for the author of this bot, whose connections wait
 *   mark N                answer with `marked N`; the doorman does so too
 *   ends SECONDS TEXT     all this ends soon, and is back after SECONDS: 0 not known, `never` it
 *                         does not come back (door_ends)
 *
 * From the gateway:
 *   bound HEX             it listens; the host's public key
 *   failed TEXT           the door cannot be opened; the gateway ends
 *   came NAME ADDRESS     a bot's connection has sent its first message
 *   left NAME TEXT        it is gone, with the reason
 *   lent NAME ENDPOINT    a connection of the bot is connected there; the next one is not
 *   asks NAME             its author wants to know how it stands
 *   twice NAME N ADDRESS  two programs use this key; both are dropped, and it waits N seconds
 *   large NAME N ADDRESS  a Hello of N bytes, which is too large, was refused
 *   trip NAME N           a message takes N microseconds to the bot and back
 *   refused WHY           a key that is not let in: unknown_key, banned
 *   dismissed WHY         a connection that was, and is sent away: banned, key_rate, key_twice,
 *                         network, start_rate (door_counts.h)
 *   turned ADDRESS        a connection ended before its handshake was complete
 *   limited ADDRESS TEXT  the first connection that was refused for this reason
 *   marked N              it has taken all that was sent before `mark N`
 *
 * To the doorman (it ends with the socket):
 *   unbar                 no address is kept out
 *   bar CIDR...           these networks are; their connections end
 *
 * From the doorman:
 *   bound ENDPOINT        it listens at this TCP address
 *   failed TEXT           as above
 *   lowered N M           it can hold N connections, not M: the limit of descriptors
 *   counts N N...         its connections and refusals (door_counts.h), when they have changed
 *   limited ADDRESS TEXT  as above
 */
#ifndef HOST_FRONT_CONTROL_H
#define HOST_FRONT_CONTROL_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    CONTROL_FD = 3,     /* of the gateway */
    CONTROL_TEXT = 1024 /* bytes of a message with its terminator */
};

/* Sends one message; never waits. Returns false if it cannot be sent: control_queue.h lets it wait
 * then. */
bool control_send(int fd, const char *format, ...) BG_PRINTF(2, 3);

enum control_got { CONTROL_NOTHING, CONTROL_LINE, CONTROL_ENDED };

/* Takes the next message without waiting. CONTROL_ENDED: the other side is gone. */
enum control_got control_take(char out[CONTROL_TEXT], int fd);

/* Returns whether the other side is gone and has left no message. */
bool control_has_ended(int fd);

/* Cuts the first word off *rest and returns it; "" if there is none. */
char *control_word(char **rest);

#endif
