/* join_words.h - what `bgref join` says: what its bot plays, and why a connection is not made. */
#ifndef HOST_CMD_JOIN_WORDS_H
#define HOST_CMD_JOIN_WORDS_H

#include <bgref/ask.h>

#include "door/host_file.h"
#include "wire/wire.h"

enum { JOIN_WORDS = 512 };

/* With the name of the key. */
#define JOIN_REPLACED                                                                              \
    "replaced: another program has joined with the key of %s and taken its place; only the "       \
    "newest "                                                                                      \
    "one plays. If that was not you, somebody else has this key: tell the host's operator"

void join_words_welcome(char out[JOIN_WORDS], const struct wire_welcome *welcome);
void join_words_goodbye(char out[JOIN_WORDS], const char *why, uint64_t games, uint64_t decisions);
/* A game that begins. */
void join_words_game(char out[JOIN_WORDS], uint64_t number, const struct bg_ask *ask);

void join_words_turned(char out[JOIN_WORDS], const struct host_file *host, const char *why);
/* Somebody closes each connection before its first byte. */
void join_words_silent(char out[JOIN_WORDS], const struct host_file *host);
void join_words_absent(char out[JOIN_WORDS], const struct host_file *host, const char *why);
void join_words_unproven(char out[JOIN_WORDS], const struct host_file *host);
/* option: of the bot, which the host sets and may not. */
void join_words_option(char out[JOIN_WORDS], const struct host_file *host, const char *option);
/* name: of the key. */
void join_words_forbidden(char out[JOIN_WORDS], const struct host_file *host, const char *name);

/* What the host allows the bot, in a line; "" if it has told nothing. */
void join_words_limits(char out[JOIN_WORDS], const struct wire_limits *limits);

#endif
