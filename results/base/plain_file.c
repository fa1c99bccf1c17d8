#include "plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)                    ? "a folder; name a file in it"
           : S_ISFIFO(mode)                 ? "a pipe, not a plain file"
           : S_ISSOCK(mode)                 ? "a socket, not a plain file"
           : S_ISCHR(mode) || S_ISBLK(mode) ? "a device, not a plain file"
                                            : "not a plain file";
}

/* Returns NULL, or what is wrong with the file. */
static const char *check_about(const struct stat *about, uint64_t most)
{
    static _Thread_local char text[96];
    const bool small = most < 10240;

    if (!S_ISREG(about->st_mode)) {
        return kind_of(about->st_mode);
    }
    if ((uint64_t)about->st_size <= most) {
        return NULL;
    }
    snprintf(text, sizeof text, "larger than %" PRIu64 " %s, the most that is read",
             small ? most : most / 1024, small ? "bytes" : "KiB");
    return text;
}

const char *plain_file_open(FILE **out, const char *path, uint64_t most)
{
    struct stat about;
    const char *why;
    int fd;

    *out = NULL;
    /* Asked before it is opened, because opening a tape rewinds it; asked again afterwards, because
     * another may stand there by then. */
    if (stat(path, &about) != 0) {
        return strerror(errno);
    }
    errno = 0;
    why = check_about(&about, most);
    if (why != NULL) {
        return why;
    }
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &about) != 0) {
        why = strerror(errno);
    } else {
        errno = 0;
        why = check_about(&about, most);
    }
    if (why == NULL && (*out = fdopen(fd, "rb")) == NULL) {
        why = strerror(errno);
    }
    if (why != NULL && fd >= 0) {
        const int error = errno;

        close(fd);
        errno = error;
    }
    return why;
}

bool plain_is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool plain_is_database(const char *path)
{
    static const char mark[] = "SQLite format 3"; /* including its terminating zero */
    char head[sizeof mark];
    FILE *file;
    bool is = false;

    if (plain_file_open(&file, path, PLAIN_FILE_ANY) == NULL) {
        is = fread(head, 1, sizeof head, file) == sizeof head &&
             memcmp(head, mark, sizeof head) == 0;
        fclose(file);
    }
    return is;
}

void plain_folder_of(char out[PLAIN_PATH], const char *path)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    snprintf(out, PLAIN_PATH, "%.*s", length == 0 ? 1 : (int)length, length == 0 ? "." : path);
}

const char *plain_own_folder(void)
{
    static char folder[PLAIN_PATH];
    char self[PLAIN_PATH];
    /* argv[0] would be a name from PATH, or whatever the caller has put there. readlink() ends its
     * text with no zero byte. */
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (length > 0) {
        self[length] = '\0';
        plain_folder_of(folder, self);
    }
    return folder;
}
