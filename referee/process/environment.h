/* environment.h - the environment that a bot gets.
 *
 * From the referee's environment only variables that programs need to run; every other one may be a
 * secret (tokens, keys, agents' sockets). A bot that needs more gets it in its command: env
 * NAME=value ./bot.
 */
#ifndef REFEREE_PROCESS_ENVIRONMENT_H
#define REFEREE_PROCESS_ENVIRONMENT_H

#include <bgref/error.h>

#include "launcher.h"

enum { ENVIRONMENT_OWN = 7 };

struct environment {
    char **vector; /* owned; its strings are lent from environ and from own */
    char own[ENVIRONMENT_OWN][600];
};

void environment_init(struct environment *env, const struct launch *launch);
void environment_deinit(struct environment *env);

/* The folder for what bots compute once and keep: exact tables, for example. Every bot is told its
 * path (BGREF_CACHE), and confined bots see it read-only. Writes $BGREF_CACHE, else
 * $XDG_CACHE_HOME/bgref, else $HOME/.cache/bgref; "" if none is an absolute path that fits. It need
 * not exist. */
void cache_find_folder(char *out, size_t size);

#endif
