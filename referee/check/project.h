/* project.h - a bot's first files, written into a folder of their own. */
#ifndef REFEREE_CHECK_PROJECT_H
#define REFEREE_CHECK_PROJECT_H

#include <stdio.h>

#include <bgref/error.h>

#include "language.h"

/* True for a letter and up to 63 of letters, digits, - and _, and no name that a build needs for
 * itself: such a name is good as a program's in every language. */
bool project_is_name(const char *name);

/* Creates the folder `folder`/`name` with the project. name must fit project_is_name. A failure
 * leaves no new files, and existing files unchanged: BG_E_ARGUMENT if the name already exists or
 * `folder` does not, BG_E_SYSTEM otherwise. */
enum bg_status project_write(const struct language *language, const char *folder, const char *name,
                             struct bg_error *err);

/* Prints the commands with which the project's README begins, each line behind `indent`. */
void project_print_commands(FILE *out, const struct language *language, const char *name,
                            const char *indent);

#endif
