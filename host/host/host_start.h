/* host_start.h - what a host takes at its start: its user, its folder with the lock, and the
 * listening socket of its door; a start that is refused leaves nothing behind.
 *
 *     host_made_folder(&made, folder, &err)     the folder and the lock in it
 *     host_made_note(&made, config)             which files are there already
 *     host_made_undo(&made)                     the start is refused: those that are new go
 *
 * Only who holds the lock notes and undoes, so no other host's files are touched. What a killed
 * host leaves is the next one's.
 */
#ifndef HOST_HOST_HOST_START_H
#define HOST_HOST_HOST_START_H

#include <stdbool.h>

#include "host_config.h"

/* ------------------------------------------------------------------ the user */

/* What a host that was started as root gives up before anything else. Events, bots, doorman and
 * gateway are its children, so none of them is root's either. */

/* Returns whether privileges_settle could do its part; changes nothing. user: `user` of HOST.yaml,
 * "" none. may_be_root: without user, root stays root. BG_E_CONFIG: root without user, an unknown
 * user, root as user, another user than who runs this. */
enum bg_status privileges_check(const char *user, bool may_be_root, struct bg_error *err);

/* Makes this process one of user, for good: its user, groups, home, no capabilities. Call with one
 * thread. folder: is made if it is not there, as user's. Does nothing if root has not started this
 * process or user is "". As privileges_check, or BG_E_SYSTEM. */
enum bg_status privileges_settle(const char *user, const char *folder, bool may_be_root,
                                 struct bg_error *err);

/* ------------------------------------------------------------------ the folder and its files */

enum { HOST_MADE = 16 };

struct host_made {
    char folder[HOST_PATH];
    bool is_new;   /* the folder */
    int lock_fd;   /* -1: not locked */
    int folder_fd; /* the lock of the folder itself; -1: it has none */
    struct {
        char path[HOST_PATH + 32];
        bool was_there;
    } files[HOST_MADE];
    int count;
};

/* Makes the folder and takes the lock that makes this the only host in it. BG_E_BUSY: another one
 * has it; BG_E_SYSTEM. What was made is then gone again. */
enum bg_status host_made_folder(struct host_made *made, const char *folder, struct bg_error *err);
void host_made_note(struct host_made *made, const struct host_config *config);
/* Removes what is new, if the lock is held. */
void host_made_undo(const struct host_made *made);
/* Gives the lock back. One that is zeroed with both descriptors -1 is fine. */
void host_made_close(struct host_made *made);

/* ------------------------------------------------------------------ the service manager's socket
 */

/* Where the service manager has opened it (loop/listen_fds.h), bots that connect while the host is
 * started again wait. */
struct host_sockets {
    int door; /* owned; 0: none */
};

/* Takes it out of the environment; before the program opens descriptors of its own.
 * BG_E_ARGUMENT: another name than door, two sockets, no listening socket; BG_E_SYSTEM. */
enum bg_status host_sockets_take(struct host_sockets *out, struct bg_error *err);
/* BG_E_CONFIG: HOST.yaml opens no door for it, or one at another address. */
enum bg_status host_sockets_check(const struct host_sockets *sockets,
                                  const struct host_config *config, struct bg_error *err);
void host_sockets_close(struct host_sockets *sockets);

#endif
