/* Only stat() looks at the file: to open it could wait (a FIFO) or do something (a device). A
 * bare name is never taken for a file in the current folder, because then the same command would
 * start another bot in another folder; the hint names the path that would. */
#include "near_path.h"

#include <stdio.h>

#include <sys/stat.h>

void near_path(char out[NEAR_PATH], const char *text)
{
    struct stat about;

    out[0] = '\0';
    if (stat(text, &about) != 0) {
        return;
    }
    if (S_ISDIR(about.st_mode)) {
        snprintf(out, NEAR_PATH, "; '%.40s' here is a folder: name the program in it", text);
    } else {
        snprintf(out, NEAR_PATH, "; '%.40s' here is a file: './%.40s' names it", text, text);
    }
}
