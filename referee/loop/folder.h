/* folder.h - the folder that holds our sockets: private, locked while we live, swept when not.
 *
 * BASE/bgref-XXXXXX (0700), BASE from XDG_RUNTIME_DIR or TMPDIR, else /tmp; in it `lock`, and for
 * each door a folder with its number that holds one socket, so that a confined bot can be shown
 * its own door and no other.
 */
#ifndef LOOP_FOLDER_H
#define LOOP_FOLDER_H

#include "link.h"

struct folder {
    char path[LINK_ENDPOINT]; /* "" none */
    int lock_fd;              /* a folder whose lock is free was left by a killed referee */
};

/* Also removes what killed referees have left. BG_E_SYSTEM. */
enum bg_status folder_open(struct folder *folder, struct bg_error *err);
/* Removes it with all doors. Fine with one that is {.lock_fd = -1}. */
void folder_close(struct folder *folder);

/* Makes the folder of a door; endpoint becomes "ipc://.../NUMBER/bot". */
enum bg_status folder_door(char endpoint[LINK_ENDPOINT], const struct folder *folder,
                           uint32_t number, struct bg_error *err);
/* Removes the door's socket and folder, if they are there. */
void folder_remove_door(const char *endpoint);

/* The path in an endpoint. */
const char *folder_path_of(const char *endpoint);

#endif
