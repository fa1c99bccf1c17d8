/* near_path.h - hints for a bot name that is not a bot: a file or folder with this name.
 */
#ifndef REFEREE_BOT_NEAR_PATH_H
#define REFEREE_BOT_NEAR_PATH_H

enum { NEAR_PATH = 160 };

/* Writes a hint if a file or folder with this name is in the current folder: "; 'mybot' here is
 * a folder: name the program in it, like mybot/mybot"; else "". */
void near_path(char out[NEAR_PATH], const char *text);

#endif
