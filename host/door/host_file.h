/* host_file.h - HOST.bgref: what the author of a remote bot needs to join: the host's address and
 * its public key. It has no secret.
 *
 *     host: autumn-league
 *     endpoint: tcp://bg.example.org:5555
 *     key: 64 hexadecimal digits
 */
#ifndef HOST_DOOR_HOST_FILE_H
#define HOST_DOOR_HOST_FILE_H

#include <stdbool.h>

#include <bgref/error.h>

#include "proof/key_pair.h"

enum { HOST_ENDPOINT = 256 };

struct host_file {
    char name[KEY_FILE_NAME], endpoint[HOST_ENDPOINT];
    unsigned char key[KEY_FILE_BYTES];
};

/* Returns true if the endpoint is good for listening only: it means any address of the machine that
 * reads it, so with it authors elsewhere cannot join. */
bool host_endpoint_is_any(const char *endpoint);

/* Writes the file; it appears complete or not at all. BG_E_SYSTEM. */
enum bg_status host_file_write(const struct host_file *host, const char *path,
                               struct bg_error *err);
/* Reads it. BG_E_CONFIG: file:line and what is wrong. */
enum bg_status host_file_read(struct host_file *out, const char *path, struct bg_error *err);

#endif
