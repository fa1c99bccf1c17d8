#define _GNU_SOURCE
#include "line_ask.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "base/plain_file.h"
#include "base/utc.h"

/* A limit because the other end may be anything that listens under this name. */
enum { ANSWER_MOST = 1 << 22 };

/* Goes through the folder's descriptor, since an address has room for 107 bytes only. */
enum bg_status line_socket_make(int *fd, int *folder, struct sockaddr_un *address, int type,
                                const char *path, struct bg_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    enum bg_status status = BG_OK;
    char place[PLAIN_PATH];

    plain_folder_of(place, path);
    *fd = *folder = -1;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    *folder = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", place, strerror(errno));
    } else if (snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", *folder,
                        name) >= (int)sizeof address->sun_path) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: too long a name for a socket (at most 80 bytes)", name);
    } else {
        *fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
        if (*fd < 0) {
            status = bg_error_set(err, BG_E_SYSTEM, "socket: %s", strerror(errno));
        }
    }
    return status;
}

/* MSG_NOSIGNAL, because a referee that ends while we write would else kill this program with
 * SIGPIPE. */
static bool send_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(fd, text, size, MSG_NOSIGNAL);

        if (sent < 0 && errno != EINTR) {
            return false;
        }
        text += sent < 0 ? 0 : sent;
        size -= sent < 0 ? 0 : (size_t)sent;
    }
    return true;
}

/* Returns the whole answer, or NULL. Each piece may take the socket's patience; all of them
 * together until_s, so that an answer that drips ends. */
static char *receive_all(int fd, int64_t until_s)
{
    size_t size = 0, room = 0;
    char *text = memory_list(NULL, &room, 4096, 1);

    for (;;) {
        ssize_t got = recv(fd, text + size, room - size - 1, 0);

        if (got == 0) {
            text[size] = '\0';
            return text;
        }
        if ((got < 0 && errno != EINTR) || utc_steady_ns() / 1000000000 > until_s) {
            break;
        }
        size += got < 0 ? 0 : (size_t)got;
        if (size + 1 == room) {
            if (room >= ANSWER_MOST) {
                break;
            }
            text = memory_list(text, &room, room + 1, 1);
        }
    }
    free(text);
    return NULL;
}

/* "ok LF text" or "NUMBER LF sentence". */
static enum bg_status read_answer(char **answer, char *text, const char *silent,
                                  struct bg_error *err)
{
    char *rest = text == NULL ? NULL : strchr(text, '\n');
    enum bg_status status;

    if (rest == NULL) {
        return bg_error_set(err, BG_E_SYSTEM, "%s", silent);
    }
    *rest++ = '\0';
    if (strcmp(text, "ok") != 0) {
        status = (enum bg_status)atoi(text);
        return bg_error_set(err, status == BG_OK ? BG_E_SYSTEM : status, "%s", rest);
    }
    *answer = memory_text(rest);
    return BG_OK;
}

enum bg_status line_ask(char **answer, const char *path, const char *line, const char *silent,
                        int patience_s, struct bg_error *err)
{
    const struct timeval patience = {.tv_sec = patience_s};
    struct sockaddr_un address;
    char *text = NULL;
    int fd, folder;
    enum bg_status status = line_socket_make(&fd, &folder, &address, SOCK_STREAM, path, err);

    if (status == BG_OK) { /* also for connect, which waits when a stopped program has enough */
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    if (status == BG_OK && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        status =
            errno == EACCES || errno == EPERM
                ? bg_error_set(err, BG_E_SYSTEM, "%s: %s; only its own user and root may ask it",
                               path, strerror(errno))
                : bg_error_set(err, BG_E_BUSY, "%s: %s", path, strerror(errno));
    }
    if (status == BG_OK) {
        text = send_all(fd, line, strlen(line))
                   ? receive_all(fd, utc_steady_ns() / 1000000000 + patience_s)
                   : NULL;
        status = read_answer(answer, text, silent, err);
    }
    free(text);
    if (fd >= 0) {
        close(fd);
    }
    if (folder >= 0) {
        close(folder);
    }
    return status;
}

/* A program that answers at once that it does not know yet is asked again, with the same
 * patience as one that says nothing. */
bool line_ask_again(enum bg_status status, int *times)
{
    enum { MOMENT_MS = 100, TIMES = LINE_ASK_PATIENCE_S * 1000 / MOMENT_MS };
    const struct timespec moment = {.tv_nsec = MOMENT_MS * 1000000L};

    if (status != BG_E_TIMEOUT || *times >= TIMES) {
        return false;
    }
    ++*times;
    nanosleep(&moment, NULL);
    return true;
}
