/* A command is split here and handed to exec, without a shell. A shell would be one more process
 * between the keeper and the bot, and would report a missing program in its own words. Written
 * words are quoted with single quotes, inside of which nothing has a meaning, so that a command
 * can be copied into a shell and into an event file alike. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plain.h"

/* Copies one word from *at to *to and advances both. Returns NULL, or a text that describes the
 * error. */
static const char *word_copy(char **to, const char **at)
{
    char quote = '\0';

    for (; **at != '\0' && (quote != '\0' || !plain_is_blank(**at)); (*at)++) {
        char c = **at;

        if (quote == '\0' && (c == '\'' || c == '"')) {
            quote = c;
        } else if (quote != '\0' && c == quote) {
            quote = '\0';
        } else if (c == '\\' &&
                   (quote == '\0' || (quote == '"' && ((*at)[1] == '"' || (*at)[1] == '\\')))) {
            (*at)++;
            if (**at == '\0') {
                return "backslash at the end; write \\\\ for a backslash";
            }
            *(*to)++ = **at;
        } else {
            *(*to)++ = c;
        }
    }
    if (quote != '\0') {
        return quote == '"' ? "a double quote is not closed" : "a single quote is not closed";
    }
    *(*to)++ = '\0';
    return NULL;
}

enum bg_status command_split(char ***out, const char *text, struct bg_error *err)
{
    size_t length = strlen(text);
    size_t most = length / 2 + 1; /* a word has at least one letter */
    /* One block for pointers and letters, so that one free() frees all. Words without their
     * quotes and backslashes are never longer than the text they come from. */
    char **words = memory_zeroed(1, (most + 1) * sizeof *words + length + 1);
    char *to = (char *)(words + most + 1);
    size_t count = 0;
    const char *at = text;

    for (;;) {
        const char *wrong;

        while (plain_is_blank(*at)) {
            at++;
        }
        if (*at == '\0') {
            break;
        }
        words[count++] = to;
        wrong = word_copy(&to, &at);
        if (wrong != NULL) {
            free(words);
            return bg_error_set(err, BG_E_ARGUMENT, "command '%.200s': %s", text, wrong);
        }
    }
    words[count] = NULL;
    if (count == 0 || words[0][0] == '\0') {
        free(words);
        return bg_error_set(err, BG_E_ARGUMENT, "the command is empty; write the program to start");
    }
    *out = words;
    return BG_OK;
}

bool command_append(char *text, size_t size, const char *word)
{
    size_t at = strlen(text);
    bool plain = word[0] != '\0' && strpbrk(word, " \t\n\r'\"\\;|&<>$`*?()[]{}~#!") == NULL;
    size_t need = (at > 0 ? 1u : 0u) + (plain ? 0u : 2u) + strlen(word) + 1;

    for (const char *c = word; !plain && *c != '\0'; c++) {
        need += *c == '\'' ? 3u : 0u; /* ' becomes '\'' */
    }
    if (at + need > size) {
        return false;
    }
    if (at > 0) {
        text[at++] = ' ';
    }
    if (!plain) {
        text[at++] = '\'';
    }
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'') {
            memcpy(text + at, "'\\'", 3);
            at += 3;
        }
        text[at++] = *c;
    }
    if (!plain) {
        text[at++] = '\'';
    }
    text[at] = '\0';
    return true;
}
