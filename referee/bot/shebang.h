/* shebang.h - why a script may not run though it is there and executable. */
#ifndef REFEREE_BOT_SHEBANG_H
#define REFEREE_BOT_SHEBANG_H

#include <stdbool.h>
#include <stddef.h>

/* Checks the first line of the program at path; a relative path is relative to dir ("" is the
 * current folder). Returns true if the interpreter is missing here or the line ends in a
 * carriage return; out then has the problem and the remedy, in one line. */
bool shebang_trouble(char *out, size_t size, const char *dir, const char *path);

#endif
