/* The mode is set on the socket before bind() makes the file: umask() would do the same for the
 * whole process, and the store's thread may be making a file at that moment. */
#define _GNU_SOURCE /* SO_PEERCRED */
#include "socket_file.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/line_ask.h"

/* Removes what a killed program left; only a socket. */
static enum bg_status clear(const char *path, const char *whose, struct bg_error *err)
{
    struct stat info;

    if (lstat(path, &info) != 0) {
        return BG_OK;
    }
    if (!S_ISSOCK(info.st_mode)) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: in the way of %s; remove it", path, whose);
    }
    return unlink(path) == 0 ? BG_OK
                             : bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
}

enum bg_status socket_file_open(int *fd, int type, const char *path, const char *whose, int waiting,
                                struct bg_error *err)
{
    struct sockaddr_un address;
    int folder;
    enum bg_status status = line_socket_make(fd, &folder, &address, type, path, err);

    if (status == BG_OK) {
        status = clear(path, whose, err);
    }
    /* The mode of the file is that of the descriptor; nobody else ever finds it open. */
    if (status == BG_OK && (fchmod(*fd, 0600) != 0 ||
                            bind(*fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
                            chmod(path, 0600) != 0 || listen(*fd, waiting) != 0)) {
        status = bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    if (folder >= 0) {
        close(folder);
    }
    return status;
}

void socket_file_close(int fd, const char *path)
{
    struct stat info;

    close(fd);
    if (lstat(path, &info) == 0 && S_ISSOCK(info.st_mode)) {
        (void)unlink(path);
    }
}

bool socket_file_admits(int fd, bool takes_root, unsigned *uid)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return false;
    }
    *uid = peer.uid;
    return peer.uid == geteuid() || (takes_root && peer.uid == 0);
}
