/* host_made.h - what a host makes at its start, so that one that is refused leaves nothing behind.
 *
 *     host_made_folder(&made, folder, &err)     the folder and the lock in it
 *     host_made_note(&made, config)             which files are there already
 *     host_made_undo(&made)                     the start is refused: those that are new go
 *
 * Only who holds the lock notes and undoes, so no other host's files are touched. What a killed
 * host leaves is the next one's.
 */
#ifndef HOST_HOST_HOST_MADE_H
#define HOST_HOST_HOST_MADE_H

#include "host_config.h"

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

#endif
