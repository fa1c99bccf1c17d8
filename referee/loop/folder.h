/* folder.h - the folder that holds our sockets: private, locked while we live, swept when not.
 *
 * BASE/bgref-XXXXXX (0700), BASE from XDG_RUNTIME_DIR or TMPDIR, else /tmp; in it `lock`, and for
 * each door a folder, named by chance, that holds one socket, so that a confined bot can be shown
 * its own door and no other.
 */
#ifndef REFEREE_LOOP_FOLDER_H
#define REFEREE_LOOP_FOLDER_H

#include "link.h"

struct folder {
    char path[LINK_ENDPOINT]; /* "" none */
    int lock_fd;              /* a folder whose lock is free was left by a killed referee */
};

/* Also removes what killed referees have left. BG_E_SYSTEM, with the place and the remedy. */
enum bg_status folder_open(struct folder *folder, struct bg_error *err);
/* Removes it with all that is in it, bots' files too. Fine with one that is {.lock_fd = -1}. */
void folder_close(struct folder *folder);

/* Makes the folder of a door; endpoint becomes "ipc://.../XXXXXX/bot". BG_E_SYSTEM as above. */
enum bg_status folder_door(char endpoint[LINK_ENDPOINT], const struct folder *folder,
                           struct bg_error *err);
/* Removes the door's socket, and its folder if nothing else is in it. */
void folder_remove_door(const char *endpoint);

/* BG_E_SYSTEM for what failed at this path with this errno, with the remedy. */
enum bg_status folder_refuse(struct bg_error *err, const char *path, int error);

/* The path in an endpoint. */
const char *folder_path_of(const char *endpoint);

#endif
