/* socket_file.h - a socket file at which a program listens for others of the same user.
 *
 * Its mode is 0600. One that a killed program left is replaced: the caller holds a lock that makes
 * it the only one.
 */
#ifndef REFEREE_LOOP_SOCKET_FILE_H
#define REFEREE_LOOP_SOCKET_FILE_H

#include <bgref/error.h>

#include <stdbool.h>

/* type: SOCK_STREAM, SOCK_SEQPACKET. whose: for messages, "the desk's socket". waiting: connections
 * that the kernel keeps. On failure too the caller closes *fd. BG_E_ARGUMENT, BG_E_SYSTEM. */
enum bg_status socket_file_open(int *fd, int type, const char *path, const char *whose, int waiting,
                                struct bg_error *err);
/* Closes it and removes the file. */
void socket_file_close(int fd, const char *path);

/* Returns whether who has connected may ask: our user, and root if it may. *uid: who it is. */
bool socket_file_admits(int fd, bool takes_root, unsigned *uid);

#endif
