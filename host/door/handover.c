/* A descriptor crosses as SCM_RIGHTS beside a message; with SOCK_SEQPACKET each goes with its own
 * address text, where a stream could join two. An empty message would look like the end of the
 * other side to recvmsg(), so an address is never empty. */
#define _GNU_SOURCE
#include "handover.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "loop/folder.h"

enum { WAITING_ROOM = 8 };

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

static int new_socket(void)
{
    return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    return address;
}

int handover_listen(const char *endpoint)
{
    const char *path = folder_path_of(endpoint);
    const struct sockaddr_un address = address_of(path);
    int fd = new_socket();

    /* What a process left that was killed: bind() fails where a file is. The folder is ours
     * alone, so nobody else's is removed. */
    (void)unlink(path);
    if (fd >= 0 && (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
                    /* Before listen: nobody can connect until then, whatever the umask has made
                     * of the file. */
                    chmod(path, S_IRUSR | S_IWUSR) != 0 || listen(fd, WAITING_ROOM) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

int handover_accept(int listener)
{
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int handover_connect(const char *path)
{
    const struct sockaddr_un address = address_of(path);
    int fd = new_socket();

    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool handover_give(int fd, int connection, const char *address)
{
    char text[HANDOVER_ADDRESS];
    struct iovec part = {text, (size_t)snprintf(text, sizeof text, "%s", address)};
    union control control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof connection);
    memcpy(CMSG_DATA(header), &connection, sizeof connection);
    return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)part.iov_len;
}

enum handover_got handover_take(int *connection, char address[HANDOVER_ADDRESS], int fd)
{
    struct iovec part = {address, HANDOVER_ADDRESS - 1};
    union control control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    /* MSG_CMSG_CLOEXEC, or a process that is started at this moment would inherit the stranger. */
    ssize_t size = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const struct cmsghdr *header = size <= 0 ? NULL : CMSG_FIRSTHDR(&message);

    if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
        return HANDOVER_NOTHING;
    }
    if (size <= 0) {
        return HANDOVER_ENDED;
    }
    address[size] = '\0';
    /* Without a descriptor left in this process the kernel gives the text alone (MSG_CTRUNC). */
    *connection = -1;
    if (header != NULL && header->cmsg_type == SCM_RIGHTS) {
        memcpy(connection, CMSG_DATA(header), sizeof *connection);
    }
    return HANDOVER_TAKEN;
}
