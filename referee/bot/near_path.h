/* near_path.h - what a person may have meant who named a bot by something that is no bot.
 */
#ifndef REFEREE_BOT_NEAR_PATH_H
#define REFEREE_BOT_NEAR_PATH_H

enum { NEAR_PATH = 160 };

/* Writes a hint if a file or folder with this name is in the current folder: "; 'mybot' here is
 * a folder: name the program in it, like mybot/mybot"; else "". */
void near_path(char out[NEAR_PATH], const char *text);

#endif
