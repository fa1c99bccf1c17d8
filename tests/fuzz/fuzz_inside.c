/* Any bytes from another process of ours, which may have been broken into: no message, or one. */
#include <assert.h>
#include <string.h>
#include <sys/socket.h>

#include "door/inside.h"
#include <log.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(void *user, const Inside__Message *message)
{
    assert(strlen(message->bot) + strlen(message->text) + strlen(message->place) <= INSIDE_BYTES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int ends[2];

    assert(ends[1] != 0 ||
           (log_open("none", NULL) == BG_OK && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0));
    if (send(ends[0], data, size, MSG_DONTWAIT) == (ssize_t)size) {
        (void)inside_each(ends[1], "other side", read_all, NULL);
    }
    return 0;
}
