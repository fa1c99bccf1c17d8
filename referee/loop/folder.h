/* folder.h - the folder of the referee's sockets: private, locked while the referee runs, removed
 * later.
 *
 * BASE/bgref-XXXXXX (mode 0700), BASE from XDG_RUNTIME_DIR or TMPDIR, else /tmp. It contains
 * `lock`, and for each door a folder with a random name and one socket, so that a confined bot sees
 * its own door only.
 */
#ifndef REFEREE_LOOP_FOLDER_H
#define REFEREE_LOOP_FOLDER_H

#include <sys/types.h>

#include "link.h"

struct folder {
    char path[LINK_ENDPOINT]; /* "" none */
    int lock_fd;              /* if the lock is free, a killed referee left the folder */
};

/* Also removes the folders that killed referees left. BG_E_SYSTEM, with the path and the remedy. */
enum bg_status folder_open(struct folder *folder, struct bg_error *err);
/* Removes the folder with all its content, bots' files too. Does nothing if lock_fd is -1. */
void folder_close(struct folder *folder);

/* Makes a door's folder; endpoint becomes "ipc://.../XXXXXX/bot". BG_E_SYSTEM as above. */
enum bg_status folder_door(char endpoint[LINK_ENDPOINT], const struct folder *folder,
                           struct bg_error *err);
/* Removes the door's socket, and its folder if the folder is then empty. */
void folder_remove_door(const char *endpoint);

/* Returns whether the referee is gone from which pid has this endpoint: its lock is there, of this
 * user, and free. Without a lock file (another program, a folder that was removed) it is not known,
 * and false. */
bool folder_is_left(const char *endpoint, pid_t pid);

/* Returns BG_E_SYSTEM; the message names the path, the error of this errno, and the remedy. */
enum bg_status folder_refuse(struct bg_error *err, const char *path, int error);

/* The path in an endpoint. */
const char *folder_path_of(const char *endpoint);

#endif
