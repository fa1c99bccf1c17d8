#define _GNU_SOURCE
#include "desk_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static const char magic[] = "bgref-desk-1";
enum { ANSWER_MOST = 1 << 22, PATIENCE_S = 60, FIELDS = 5 };

/* ------------------------------------------------------------------ the line */

size_t desk_line_write(char out[DESK_LINE], const struct desk_wish *wish)
{
    const char *dry = wish->dry_run ? "d" : "", *json = wish->json ? "j" : "";

    return (size_t)snprintf(out, DESK_LINE, "%s\t%s%s-\t%s\t%s\t%s\n", magic, dry, json,
                            wish->act.kind, wish->act.subject, wish->act.reason);
}

static bool take(char *out, size_t room, const char *text)
{
    return text != NULL && snprintf(out, room, "%s", text) < (int)room;
}

bool desk_line_read(struct desk_wish *out, char *line)
{
    char *field[FIELDS], *rest = line;

    *out = (struct desk_wish){.dry_run = false};
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < FIELDS; i++) {
        field[i] = strsep(&rest, "\t");
    }
    if (rest != NULL || field[FIELDS - 1] == NULL || strcmp(field[0], magic) != 0) {
        return false;
    }
    out->dry_run = strchr(field[1], 'd') != NULL;
    out->json = strchr(field[1], 'j') != NULL;
    return take(out->act.kind, sizeof out->act.kind, field[2]) &&
           take(out->act.subject, sizeof out->act.subject, field[3]) &&
           take(out->act.reason, sizeof out->act.reason, field[4]);
}

/* ------------------------------------------------------------------ the socket */

/* Goes through the folder's descriptor, since an address has room for 107 bytes only. */
enum bg_status desk_socket_make(int *fd, int *folder, struct sockaddr_un *address,
                                const char *results, struct bg_error *err)
{
    const char *slash = strrchr(results, '/');
    const char *name = slash == NULL ? results : slash + 1;
    char *path = slash == NULL      ? strdup(".")
                 : slash == results ? strdup("/")
                                    : strndup(results, (size_t)(slash - results));
    enum bg_status status = BG_OK;

    *fd = *folder = -1;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (path == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "path of a socket");
    }
    *folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", path, strerror(errno));
    } else if (snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s.desk",
                        *folder, name) >= (int)sizeof address->sun_path) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s.desk: too long a name for a socket (at most 75 bytes)", name);
    } else {
        *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (*fd < 0) {
            status = bg_error_set(err, BG_E_SYSTEM, "socket: %s", strerror(errno));
        }
    }
    free(path);
    return status;
}

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

/* Returns the whole answer, or NULL. */
static char *receive_all(int fd)
{
    size_t size = 0, room = 4096;
    char *text = malloc(room);

    while (text != NULL) {
        ssize_t got = recv(fd, text + size, room - size - 1, 0);

        if (got == 0) {
            text[size] = '\0';
            return text;
        }
        if (got < 0 && errno != EINTR) {
            break;
        }
        size += got < 0 ? 0 : (size_t)got;
        if (size + 1 == room) {
            char *grown = room < ANSWER_MOST ? realloc(text, room *= 2) : NULL;

            if (grown == NULL) {
                break;
            }
            text = grown;
        }
    }
    free(text);
    return NULL;
}

/* "ok LF text" or "NUMBER LF sentence". */
static enum bg_status read_answer(char **answer, char *text, const char *results,
                                  struct bg_error *err)
{
    char *rest = text == NULL ? NULL : strchr(text, '\n');
    enum bg_status status;

    if (rest == NULL) {
        return bg_error_set(err, BG_E_SYSTEM,
                            "the referee gave no answer: it has ended, or is stopped; before you "
                            "repeat an act, look at 'bgref sheet %.200s --section decisions'",
                            results);
    }
    *rest++ = '\0';
    if (strcmp(text, "ok") != 0) {
        status = (enum bg_status)atoi(text);
        return bg_error_set(err, status == BG_OK ? BG_E_SYSTEM : status, "%s", rest);
    }
    *answer = strdup(rest);
    return *answer == NULL ? bg_error_set(err, BG_E_MEMORY, "an answer") : BG_OK;
}

enum bg_status desk_ask(char **answer, const char *results, const struct desk_wish *wish,
                        struct bg_error *err)
{
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    struct sockaddr_un address;
    char line[DESK_LINE], *text = NULL;
    int fd, folder;
    enum bg_status status = desk_socket_make(&fd, &folder, &address, results, err);

    if (status == BG_OK) { /* also for connect, which waits when a stopped referee has enough */
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    if (status == BG_OK && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        status = bg_error_set(err, BG_E_BUSY, "%s.desk: %s", results, strerror(errno));
    }
    if (status == BG_OK) {
        text = send_all(fd, line, desk_line_write(line, wish)) ? receive_all(fd) : NULL;
        status = read_answer(answer, text, results, err);
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
