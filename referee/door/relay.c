#include "relay.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

void relay_init(struct relay *relay, int outside, int inside)
{
    *relay = (struct relay){.fd = {outside, inside}};
}

void relay_close(struct relay *relay)
{
    for (int side = 0; side < RELAY_SIDES; side++) {
        backlog_deinit(&relay->backlog[side]);
        close(relay->fd[side]);
    }
}

static int other(int side)
{
    return side == RELAY_OUTSIDE ? RELAY_INSIDE : RELAY_OUTSIDE;
}

bool relay_reads(const struct relay *relay, int side)
{
    return !relay->has_ended[side] && relay->backlog[other(side)].size == 0;
}

bool relay_writes(const struct relay *relay, int side)
{
    return relay->backlog[side].size > 0;
}

/* The side sends no more. The gateway's last message may still be on its way outside: closing a
 * socket with unread bytes would discard it, so only the sending is ended. */
static void note_end(struct relay *relay, int side)
{
    relay->has_ended[side] = true;
    if (side == RELAY_INSIDE && relay->backlog[RELAY_OUTSIDE].size == 0) {
        (void)shutdown(relay->fd[RELAY_OUTSIDE], SHUT_WR);
    }
}

/* Returns false if the other side does not take it any more. */
static bool pass(struct relay *relay, int side)
{
    static uint8_t piece[RELAY_PIECE]; /* one thread; used only within this call */
    ssize_t size = recv(relay->fd[side], piece, sizeof piece, MSG_DONTWAIT);

    if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
        return true;
    }
    if (size <= 0) {
        note_end(relay, side);
        return true;
    }
    if (side == RELAY_INSIDE) {
        relay->told += (uint64_t)size;
    } else if (relay->has_ended[RELAY_INSIDE]) {
        return true; /* nobody reads it */
    }
    return backlog_send(&relay->backlog[other(side)], relay->fd[other(side)], NULL, 0, piece,
                        (size_t)size, 0) == BG_OK;
}

bool relay_serve(struct relay *relay, int side)
{
    bool goes_on = true;

    if (relay_writes(relay, side)) {
        goes_on = backlog_flush(&relay->backlog[side], relay->fd[side], 0) == BG_OK;
        if (goes_on && side == RELAY_OUTSIDE && relay->has_ended[RELAY_INSIDE]) {
            note_end(relay, RELAY_INSIDE);
        }
    }
    if (goes_on && relay_reads(relay, side)) {
        goes_on = pass(relay, side);
    }
    return goes_on && !relay->has_ended[RELAY_OUTSIDE];
}
