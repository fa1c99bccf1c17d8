/* words.h - a command's words, collected in one block of fixed size. */
#ifndef REFEREE_PROCESS_WORDS_H
#define REFEREE_PROCESS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum { WORDS_MAX = 1024, WORDS_BYTES = 128 * 1024 };

struct words {
    char **list; /* WORDS_MAX + 1 of them, ended by NULL; then WORDS_BYTES bytes. One block, for
                    free() */
    char *text;
    size_t count, used;
    bool full; /* something did not fit */
};

void words_init(struct words *words);
void words_add(struct words *words, const char *word);
void words_add_pair(struct words *words, const char *flag, const char *value);
void words_add_three(struct words *words, const char *flag, const char *from, const char *to);

#endif
