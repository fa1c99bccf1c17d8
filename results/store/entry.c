/* Texts grow by lines and are never replaced, because what was declared before stays part of the
 * results; the last line is what holds. */
#include "entry.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <base/memory.h>

static const char *const words[ENTRY_WORDS] = {
    [ENTRY_AUTHOR] = "author",
    [ENTRY_OPERATOR] = "operator",
    [ENTRY_ORIGINS] = "origins",
    [ENTRY_SAID_AUTHOR] = "said_author",
};

const char *entry_word_name(enum entry_word word)
{
    return words[word];
}

void entry_key(char out[ENTRY_KEY], enum entry_word word, const char *bot)
{
    snprintf(out, ENTRY_KEY, "event.%s.%s", words[word], bot);
}

const char *entry_bot(const char *key)
{
    for (int i = 0; i < ENTRY_WORDS; i++) {
        size_t size = strlen(words[i]);

        if (strncmp(key, words[i], size) == 0 && key[size] == '.') {
            return key + size + 1;
        }
    }
    return NULL;
}

const char *entry_last(const char *text)
{
    const char *line = strrchr(text, '\n');

    return line == NULL ? text : line + 1;
}

char *entry_add(const char *before, const char *line)
{
    bool has_before = before != NULL && before[0] != '\0';

    return memory_print("%s%s%s", has_before ? before : "", has_before ? "\n" : "", line);
}

bool entry_differs(const char *author, const char *said)
{
    /* Without regard to case: a name that is only written otherwise is no contradiction to point
     * at. */
    return author != NULL && said != NULL && author[0] != '\0' && said[0] != '\0' &&
           strcasecmp(entry_last(author), entry_last(said)) != 0;
}
