/* zap.h - who may connect: the answers to libzmq's questions about keys (ZAP, RFC 27).
 *
 * libzmq asks over an inproc socket before it lets a connection in. The answer depends on the key
 * that CURVE has proved, on nothing else.
 */
#ifndef REFEREE_DOOR_ZAP_H
#define REFEREE_DOOR_ZAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZAP_ENDPOINT "inproc://zeromq.zap.01"
#define ZAP_DOMAIN   "bots"
#define ZAP_PORCH    "porch"

enum { ZAP_FRAMES = 7, ZAP_FRAME = 256, ZAP_KEY = 32 };

/* A question: the frames of a message. A longer frame is cut, more frames are only counted. */
struct zap_question {
    int frames;
    size_t size[ZAP_FRAMES];
    uint8_t frame[ZAP_FRAMES][ZAP_FRAME];
};

/* Returns the name of a key's owner, or NULL. */
typedef const char *(*zap_owner_fn)(void *user, const uint8_t key[ZAP_KEY]);

/* Returns the name of the one who may connect, as owner_of gives it; NULL: refused. Only CURVE in
 * this domain, version 1.0 and exactly ZAP_FRAMES frames are accepted. */
const char *zap_decide(const struct zap_question *question, const char *domain,
                       zap_owner_fn owner_of, void *user);

/* Takes one question from the REP socket and answers it: every question gets one answer, or the
 * socket would be stuck. address: of the asker, when it is refused, else "". Returns whether there
 * was a question; never waits. */
bool zap_serve(char address[ZAP_FRAME], void *rep, const char *domain, zap_owner_fn owner_of,
               void *user);

#endif
