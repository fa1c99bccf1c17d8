/* serve_gnubg.h - a bot as the external player of GNU Backgammon. */
#ifndef REFEREE_CMD_SERVE_GNUBG_H
#define REFEREE_CMD_SERVE_GNUBG_H

#include <stdint.h>

#include "bot/competitor.h"

struct serve_place {
    const char *bind; /* an IPv4 address */
    uint64_t port;    /* 0: a free one */
    bool quiet;       /* connections are not told */
};

/* Serves one connection at a time until SIGINT or SIGTERM. BG_E_ARGUMENT: the address; BG_E_LINK:
 * the port; else as player_open. */
enum bg_status serve_gnubg(const struct competitor *bot, const struct serve_place *place,
                           struct bg_error *err);

#endif
