/* join_words.h - why an author's connection to a host is not made, in words. */
#ifndef REFEREE_DOOR_JOIN_WORDS_H
#define REFEREE_DOOR_JOIN_WORDS_H

#include "host_file.h"

enum { JOIN_WORDS = 512 };

void join_words_absent(char out[JOIN_WORDS], const struct host_file *host, const char *why);
void join_words_unproven(char out[JOIN_WORDS], const struct host_file *host);
/* name: of the key. */
void join_words_forbidden(char out[JOIN_WORDS], const struct host_file *host, const char *name);

#endif
