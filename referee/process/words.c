/* The block never grows, so a pointer to a word stays good while others are added, and the list
 * can be handed to exec as it is. Sticking out of it is noted (full) and asked for once at the
 * end, not after each word. */
#include "words.h"

#include <string.h>

#include "base/memory.h"

void words_init(struct words *words)
{
    char **block = memory_zeroed(1, (WORDS_MAX + 1) * sizeof *block + WORDS_BYTES);

    *words = (struct words){.list = block, .text = (char *)(block + WORDS_MAX + 1)};
}

void words_add(struct words *words, const char *word)
{
    size_t size = strlen(word) + 1;
    char *copy = words->text + words->used;

    if (words->count == WORDS_MAX || words->used + size > WORDS_BYTES) {
        words->full = true;
        return;
    }
    memcpy(copy, word, size);
    words->used += size;
    words->list[words->count++] = copy;
    words->list[words->count] = NULL;
}

void words_add_pair(struct words *words, const char *flag, const char *value)
{
    words_add(words, flag);
    words_add(words, value);
}

void words_add_three(struct words *words, const char *flag, const char *from, const char *to)
{
    words_add(words, flag);
    words_add(words, from);
    words_add(words, to);
}
