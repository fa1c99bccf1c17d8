/* host_waiting.h - registrations that wait for the director of a host: entries of the file that
 * `page: {registrations: FILE}` names (config/allow_text.h), which the pages write. */
#ifndef HOST_HOST_HOST_WAITING_H
#define HOST_HOST_HOST_WAITING_H

#include "host_inside.h"

/* Moves the entry of this name to the list that `allow` names, which the host reads again at once.
 * BG_E_ARGUMENT, BG_E_CONFIG: nothing has changed; BG_E_SYSTEM: a file cannot be written, *err says
 * which. *answer: the caller's. */
enum bg_status host_waiting_approve(struct host *host, const char *name, char **answer,
                                    struct bg_error *err);
/* Takes the entry out. Errors as above. */
enum bg_status host_waiting_refuse(const struct host *host, const char *name, char **answer,
                                   struct bg_error *err);

/* BG_E_CONFIG: the file, or that of invitations, cannot be read, so that authors are refused. */
enum bg_status host_waiting_check(const struct host_config *config, struct bg_error *err);
/* Writes who waits, with the fingerprint of the key. */
void host_waiting_status(FILE *out, const struct host *host);

#endif
