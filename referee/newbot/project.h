/* project.h - a bot's first files, written into a folder of their own. */
#ifndef REFEREE_NEWBOT_PROJECT_H
#define REFEREE_NEWBOT_PROJECT_H

#include <stdio.h>

#include <bgref/error.h>

#include "language.h"

/* True for a letter and up to 63 of letters, digits, - and _, and no name that a build needs for
 * itself: such a name is good as a program's in every language. */
bool project_is_name(const char *name);

/* Makes the folder `folder`/`name` with everything in it. name fits project_is_name. On failure
 * nothing is left behind, and what was there before is untouched: BG_E_ARGUMENT when there is
 * something of that name or no such folder, BG_E_SYSTEM otherwise. */
enum bg_status project_write(const struct language *language, const char *folder, const char *name,
                             struct bg_error *err);

/* Prints the commands with which the project's README begins, each line behind `indent`. */
void project_print_commands(FILE *out, const struct language *language, const char *name,
                            const char *indent);

#endif
