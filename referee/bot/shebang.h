/* shebang.h - why a script may not run though it is there and executable. */
#ifndef REFEREE_BOT_SHEBANG_H
#define REFEREE_BOT_SHEBANG_H

#include <stdbool.h>
#include <stddef.h>

/* Looks at the first line of the program at path, which lies in folder dir ("" the current one)
 * when path is relative. True when it names an interpreter that is missing here, or ends in a
 * carriage return: out holds what is wrong and the remedy, in one line. */
bool shebang_trouble(char *out, size_t size, const char *dir, const char *path);

#endif
