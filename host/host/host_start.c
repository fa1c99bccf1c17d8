/* Root is needed for one thing, to make the folder below a place that only root may write to;
 * everything else is the user's. The order: groups, group, user, as the right to change groups
 * goes with the user id.
 *
 * Two locks. The folder's own cannot be removed; the file's is what a person sees, and what
 * serves where folders cannot be locked. flock and not fcntl: it belongs to the open file and is
 * gone with it, also after a kill, and closing another descriptor of the same file does not lose
 * it.
 *
 * Sockets have names in systemd (FileDescriptorName); a host wants exactly one, `door`. Any
 * other is refused: it would listen for ever without anybody to accept. */
#define _DEFAULT_SOURCE /* initgroups */
#include "host_start.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "door/tcp_listen.h"
#include "loop/listen_fds.h"

/* ------------------------------------------------------------------ the user */

enum bg_status privileges_check(const char *user, bool may_be_root, struct bg_error *err)
{
    const struct passwd *entry;

    if (user[0] == '\0') {
        return geteuid() != 0 || may_be_root
                   ? BG_OK
                   : bg_error_set(err, BG_E_CONFIG,
                                  "a host does not run as root: name the user that it becomes "
                                  "(host: {user: bgref}), start it as that user, or say "
                                  "--allow-root");
    }
    entry = getpwnam(user);
    if (entry == NULL) {
        return bg_error_set(err, BG_E_CONFIG, "host: user: no user %s on this machine", user);
    }
    if (entry->pw_uid == 0) {
        return bg_error_set(err, BG_E_CONFIG, "host: user: %s is root; name another user", user);
    }
    if (geteuid() != 0 && geteuid() != entry->pw_uid) {
        return bg_error_set(err, BG_E_CONFIG,
                            "host: user: only root can become %s; start the host as root or as %s",
                            user, user);
    }
    return BG_OK;
}

/* As root: the folder that root's rights may be needed for. */
static enum bg_status make_own_folder(const struct passwd *entry, const char *folder,
                                      struct bg_error *err)
{
    if (mkdir(folder, 0750) == 0) {
        if (chown(folder, entry->pw_uid, entry->pw_gid) != 0) {
            return bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", folder, strerror(errno));
        }
    } else if (errno != EEXIST) {
        return bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", folder, strerror(errno));
    }
    return BG_OK;
}

/* Root's folders and settings are not the user's. */
static void change_home(const struct passwd *entry)
{
    static const char *const of_root[] = {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
                                          "XDG_STATE_HOME", "XDG_RUNTIME_DIR"};

    for (size_t i = 0; i < sizeof of_root / sizeof of_root[0]; i++) {
        (void)unsetenv(of_root[i]);
    }
    (void)setenv("HOME", entry->pw_dir, 1);
    (void)setenv("USER", entry->pw_name, 1);
    (void)setenv("LOGNAME", entry->pw_name, 1);
}

/* The kernel takes all capabilities of a process whose three user ids leave 0. */
static enum bg_status become(const struct passwd *entry, struct bg_error *err)
{
    if (initgroups(entry->pw_name, entry->pw_gid) != 0 ||
        setgid(entry->pw_gid) != 0 || /* of root: real, effective and saved */
        setuid(entry->pw_uid) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "become %s: %s", entry->pw_name, strerror(errno));
    }
    /* Tried, not believed: a kernel or a sandbox that keeps the saved id would give the rights
     * back to whoever breaks in. */
    if (setuid(0) == 0 || setgid(0) == 0) {
        return bg_error_set(err, BG_E_SYSTEM, "become %s: root's rights came back", entry->pw_name);
    }
    return BG_OK;
}

enum bg_status privileges_settle(const char *user, const char *folder, bool may_be_root,
                                 struct bg_error *err)
{
    enum bg_status status = privileges_check(user, may_be_root, err);
    const struct passwd *entry;

    if (status != BG_OK || user[0] == '\0' || geteuid() != 0) {
        return status;
    }
    entry = getpwnam(user);
    status = make_own_folder(entry, folder, err);
    if (status == BG_OK) {
        change_home(entry);
        status = become(entry, err);
    }
    return status;
}

/* ------------------------------------------------------------------ the folder and its files */

static const char lock_name[] = "host.lock";

static void note(struct host_made *made, const char *path, bool was_there)
{
    if (made->count < HOST_MADE && path[0] != '\0') {
        snprintf(made->files[made->count].path, sizeof made->files[0].path, "%s", path);
        made->files[made->count++].was_there = was_there;
    }
}

/* A host that was refused may have removed the file between our open and our lock. */
static bool is_same_file(int fd, const char *path)
{
    struct stat own, there;

    return fstat(fd, &own) == 0 && stat(path, &there) == 0 && own.st_dev == there.st_dev &&
           own.st_ino == there.st_ino;
}

static enum bg_status busy(const char *path, struct bg_error *err)
{
    return bg_error_set(err, BG_E_BUSY, "%s: another host runs with this folder", path);
}

/* The lock file can be removed while a host runs; the folder in which it works cannot. Where
 * folders cannot be locked (NFS) the file has to do. */
static enum bg_status lock_folder(struct host_made *made, const char *folder, struct bg_error *err)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(fd);
        return busy(folder, err);
    }
    made->folder_fd = fd;
    return BG_OK;
}

static enum bg_status take_lock(struct host_made *made, const char *path, struct bg_error *err)
{
    /* First with O_EXCL, which alone tells whether the file is ours to remove again. */
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool was_there = fd < 0 && errno == EEXIST;

    if (was_there) {
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    if (fd < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 || !is_same_file(fd, path)) {
        close(fd);
        return busy(path, err);
    }
    made->lock_fd = fd;
    note(made, path, was_there);
    return BG_OK;
}

enum bg_status host_made_folder(struct host_made *made, const char *folder, struct bg_error *err)
{
    char path[HOST_PATH + 32];
    enum bg_status status;

    snprintf(made->folder, sizeof made->folder, "%s", folder);
    made->is_new = mkdir(folder, 0750) == 0;
    if (!made->is_new && errno != EEXIST) {
        return bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", folder, strerror(errno));
    }
    status = lock_folder(made, folder, err);
    snprintf(path, sizeof path, "%s/%s", folder, lock_name);
    if (status == BG_OK) {
        status = take_lock(made, path, err);
    }
    if (status != BG_OK && made->is_new) {
        (void)rmdir(folder); /* fails if another host is in it by now */
    }
    return status;
}

void host_made_note(struct host_made *made, const struct host_config *config)
{
    static const char *const names[] = {"host.journal", "host.state", "host.gate",
                                        "host.quarantine", NULL};
    char path[HOST_PATH + 32];

    for (int i = 0; names[i] != NULL; i++) {
        snprintf(path, sizeof path, "%s/%s", made->folder, names[i]);
        note(made, path, access(path, F_OK) == 0);
    }
    note(made, config->log, access(config->log, F_OK) == 0);
    note(made, config->door.file, access(config->door.file, F_OK) == 0);
}

/* The lock goes last. */
void host_made_undo(const struct host_made *made)
{
    if (made->lock_fd < 0) {
        return;
    }
    for (int i = made->count - 1; i >= 0; i--) {
        if (!made->files[i].was_there) {
            (void)unlink(made->files[i].path);
        }
    }
    if (made->is_new) {
        (void)rmdir(made->folder);
    }
}

void host_made_close(struct host_made *made)
{
    if (made->lock_fd >= 0) {
        close(made->lock_fd);
    }
    if (made->folder_fd >= 0) {
        close(made->folder_fd);
    }
    made->lock_fd = made->folder_fd = -1;
}

/* ------------------------------------------------------------------ the service manager's socket
 */

static const char door_name[] = "door";

static enum bg_status take_one(struct host_sockets *out, const struct listen_fd *socket,
                               struct bg_error *err)
{
    if (strcmp(socket->name, door_name) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "the service manager's socket is called '%.40s', and a host has only a "
                            "door: disable its unit, or give it FileDescriptorName=door",
                            socket->name);
    }
    if (out->door != 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "the service manager has two sockets called %s; its unit needs one "
                            "ListenStream= only",
                            socket->name);
    }
    out->door = socket->fd;
    return listen_fds_check(socket, err);
}

enum bg_status host_sockets_take(struct host_sockets *out, struct bg_error *err)
{
    struct listen_fd found[LISTEN_FDS_MOST];
    int count = 0;
    enum bg_status status = listen_fds_take(found, &count, err);

    *out = (struct host_sockets){.door = 0};
    for (int i = 0; i < count && status == BG_OK; i++) {
        status = take_one(out, &found[i], err);
    }
    return status;
}

enum bg_status host_sockets_check(const struct host_sockets *sockets,
                                  const struct host_config *config, struct bg_error *err)
{
    if (sockets->door == 0) {
        return BG_OK;
    }
    return config->door.listen[0] != '\0'
               ? tcp_listen_check(sockets->door, door_name, config->door.listen, err)
               : bg_error_set(err, BG_E_CONFIG,
                              "the service manager has a socket for the door, but the host's file "
                              "opens none (bots: listen); disable the socket unit");
}

void host_sockets_close(struct host_sockets *sockets)
{
    if (sockets->door > 0) {
        close(sockets->door);
    }
    *sockets = (struct host_sockets){.door = 0};
}
