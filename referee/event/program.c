#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "../bot/command.h"

enum { PATH_ROOM = 4096, BLOCK = 65536 };

/* The file that the first word starts: a path as it is, a bare name by PATH. */
static bool find_program(char *out, size_t size, const char *word)
{
    const char *path = getenv("PATH");

    if (strchr(word, '/') != NULL) {
        snprintf(out, size, "%s", word);
        return true;
    }
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");

        snprintf(out, size, "%.*s/%s", (int)length, path, word);
        if (access(out, X_OK) == 0) {
            return true;
        }
        path += length + (path[length] == ':' ? 1 : 0);
    }
    return false;
}

static void in_folder(char *out, size_t size, const char *folder, const char *file)
{
    if (folder[0] == '\0' || file[0] == '/') {
        snprintf(out, size, "%s", file);
    } else {
        snprintf(out, size, "%s/%s", folder, file);
    }
}

/* Adds a file's bytes; false when it is no regular file that can be read. *newest: raised to when
 * it was written. */
static bool digest_file(crypto_generichash_state *state, int64_t *newest, const char *path)
{
    static unsigned char block[BLOCK];
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    size_t got;

    if (file == NULL) {
        return false;
    }
    *newest = about.st_mtime > *newest ? about.st_mtime : *newest;
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        crypto_generichash_update(state, block, got);
    }
    fclose(file);
    return true;
}

void program_of(struct program *out, const struct config_bot *bot)
{
    crypto_generichash_state state;
    unsigned char digest[crypto_generichash_BYTES];
    char **words = NULL;
    bool any = false;

    out->built_s = 0;
    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    if (command_split(&words, bot->cmd, NULL) == BG_OK) {
        for (int i = 0; words[i] != NULL; i++) {
            char found[PATH_ROOM], path[2 * PATH_ROOM];

            if (i > 0) {
                snprintf(found, sizeof found, "%s", words[i]);
            } else if (!find_program(found, sizeof found, words[0])) {
                continue;
            }
            in_folder(path, sizeof path, bot->dir, found);
            any |= digest_file(&state, &out->built_s, path);
        }
    }
    free(words);
    crypto_generichash_final(&state, digest, sizeof digest);
    if (any) {
        sodium_bin2hex(out->digest, sizeof out->digest, digest, sizeof digest);
    } else {
        memcpy(out->digest, "-", 2);
    }
}
