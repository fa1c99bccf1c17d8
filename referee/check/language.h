/* language.h - the languages in which `bgref new-bot` can begin a bot, and the files of each. */
#ifndef REFEREE_CHECK_LANGUAGE_H
#define REFEREE_CHECK_LANGUAGE_H

#include <stdbool.h>

enum { LANGUAGE_FILES_MAX = 8 };

struct language_file {
    const char *path;          /* within the project; "@NAME@" is the bot's name; one folder deep at
                                * most; NULL behind the last */
    const unsigned char *text; /* template, terminated */
    bool program;              /* may be executed */
};

struct language {
    const char *id;    /* as people type it */
    const char *title; /* as people read it */
    struct language_file files[LANGUAGE_FILES_MAX];
};

/* Returns the language at i, from 0, or NULL after the last. Constant. */
const struct language *language_at(int i);

/* Returns the language with this id, or NULL. */
const struct language *language_find(const char *id);

/* Returns the template of the project's README; its first block of commands builds and tries the
 * bot. */
const char *language_readme(const struct language *language);

#endif
