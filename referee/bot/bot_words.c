/* registry_engine() reads these words back. So a command goes as a bare word only if it has a
 * slash and no blank, quote or '=': without a slash it would be looked up among the bots' names,
 * and a word with '=' would be taken for a key and its value. Everything else is written as
 * cmd=, which holds any text. */
#include "bot_words.h"

#include <stdio.h>
#include <string.h>

#include "command.h"

static bool add_pair(char *out, size_t size, const char *key, const char *value)
{
    char word[1024 + NAME_SIZE + 16];

    snprintf(word, sizeof word, "%s=%s", key, value);
    return command_append(out, size, word);
}

bool bot_words(char *out, size_t size, const struct competitor *bot)
{
    bool fits;

    out[0] = '\0';
    if (bot->base[0] != '\0') {
        fits = command_append(out, size, bot->base);
    } else if (strpbrk(bot->cmd, " \t'\"\\=") == NULL && strchr(bot->cmd, '/') != NULL &&
               bot->dir[0] == '\0') {
        fits = command_append(out, size, bot->cmd);
    } else {
        fits = add_pair(out, size, "cmd", bot->cmd);
    }
    if (bot->dir[0] != '\0') {
        fits = fits && add_pair(out, size, "dir", bot->dir);
    }
    for (int i = 0; i < bot->option_count; i++) {
        char key[NAME_SIZE + 8];

        snprintf(key, sizeof key, "option.%s", bot->options[i].name);
        fits = fits && add_pair(out, size, key, bot->options[i].value);
    }
    return fits;
}
