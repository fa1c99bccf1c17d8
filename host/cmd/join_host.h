/* join_host.h - what `join` and `operate` do: a bot of this machine plays at a host. */
#ifndef HOST_CMD_JOIN_HOST_H
#define HOST_CMD_JOIN_HOST_H

#include <stdbool.h>

struct join_request {
    const char *host, *key; /* files */
    const char *bot;        /* as `bgref bots` names it, a file, or a command */
    const char *words[4];   /* more words of its command; NULL ends them */
    int at_once;            /* how many times it joins, each with a process of its own */
    bool quiet, is_seat;    /* see cmd/joiner.h */
};

/* Returns the exit status; says on standard error why it is not 0. */
int join_host(const struct join_request *request);

/* Prints how the bot of this key stands at a host, without playing. Returns and says as join_host.
 */
int join_status(const char *host, const char *key, bool as_json);

#endif
