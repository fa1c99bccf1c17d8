/* stranger_process.h - how the gateway begins: with the host's secret key, the socket where
 * the doorman gives it connections, and then nothing else. */
#ifndef HOST_DOOR_STRANGER_PROCESS_H
#define HOST_DOOR_STRANGER_PROCESS_H

#include <stdbool.h>

#include "proof/join_key.h"

struct stranger_process {
    struct join_secret
        host;     /* stays in memory that is never written to a disk, if it may be locked */
    int listener; /* of handover_listen */
};

/* Arguments: the socket to listen to ("ipc://PATH"), and the file with the host's secret key.
 * Descriptor INSIDE_FD is the referee. Returns EXIT_DONE when the process is confined; else the
 * exit status, and the referee was told why. */
int stranger_process_begin(struct stranger_process *process, int argc, char **argv);
/* Tells the referee that connections are taken, with the host's public key. */
bool stranger_process_bound(const struct stranger_process *process);
/* Wipes the key. */
void stranger_process_end(struct stranger_process *process);

#endif
