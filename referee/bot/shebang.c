/* execve() of a script whose interpreter is not there fails with ENOENT, as if the script itself
 * were missing, and a carriage return at the end of the first line makes such an interpreter of
 * a good one. So the line is read here as the kernel reads it, to name what is missing. */
#include "shebang.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many bytes as the kernel looks at (BINPRM_BUF_SIZE). */
enum { LINE = 256 };

/* Reads the first line without its line end. Returns false if it is not a regular file or not a
 * script. */
static bool first_line(char line[LINE], const char *path)
{
    /* O_NONBLOCK: opening a FIFO would wait for a writer; fstat() below then passes it over. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    ssize_t size = 0;

    if (fd < 0) {
        return false;
    }
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        size = read(fd, line, LINE - 1);
    }
    close(fd);
    line[size > 0 ? size : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return strncmp(line, "#!", 2) == 0;
}

static bool is_on_path(const char *name)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];

    for (const char *at = path == NULL ? "/usr/bin:/bin" : path; *at != '\0';) {
        size_t length = strcspn(at, ":");

        snprintf(file, sizeof file, "%.*s/%s", (int)length, at, name);
        if (access(file, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

/* Returns what is missing on this system of a line like "/usr/bin/env python3 -u", or NULL. */
static const char *missing(char *line)
{
    char *rest = NULL;
    char *interpreter = strtok_r(line, " \t", &rest);
    char *name = strtok_r(NULL, " \t", &rest);
    const char *base = interpreter == NULL ? NULL : strrchr(interpreter, '/');

    if (interpreter == NULL || interpreter[0] != '/') {
        return NULL;
    }
    if (access(interpreter, X_OK) != 0) {
        return interpreter;
    }
    if (strcmp(base, "/env") == 0 && name != NULL && strcmp(name, "-S") == 0) {
        name = strtok_r(NULL, " \t", &rest);
    }
    return strcmp(base, "/env") == 0 && name != NULL && name[0] != '-' &&
                   strchr(name, '=') == NULL && strchr(name, '/') == NULL && !is_on_path(name)
               ? name
               : NULL;
}

bool shebang_trouble(char *out, size_t size, const char *dir, const char *path)
{
    char file[PATH_MAX], line[LINE];
    const char *what;

    snprintf(file, sizeof file, "%s%s%s", path[0] == '/' || dir[0] == '\0' ? "" : dir,
             path[0] == '/' || dir[0] == '\0' ? "" : "/", path);
    if (strchr(path, '/') == NULL || !first_line(line, file)) {
        return false;
    }
    if (strchr(line, '\r') != NULL) {
        snprintf(out, size,
                 "its first line ends in a carriage return, as editors of Windows write it; remove "
                 "them: sed -i 's/\\r$//' %s",
                 path);
        return true;
    }
    what = missing(line + 2);
    if (what != NULL) {
        snprintf(out, size,
                 "its first line names '%s', which is not installed here; install it or correct "
                 "the line",
                 what);
    }
    return what != NULL;
}
