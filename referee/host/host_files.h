/* host_files.h - a copy of what a host is besides its events' results: HOST.yaml, the list of keys,
 * and the state, journal, bans, registrations and quarantines in its folder. No secret is in it.
 */
#ifndef REFEREE_HOST_HOST_FILES_H
#define REFEREE_HOST_HOST_FILES_H

#include "host_config.h"

/* Makes FOLDER/host-TIME of the backups' folder, whole or not at all, and removes the oldest ones
 * beyond backup_keep. BG_E_SYSTEM, BG_E_MEMORY, BG_E_ARGUMENT: a name is too long. */
enum bg_status host_files_copy(const struct host_config *config, int64_t now_s,
                               struct bg_error *err);

/* Returns when the newest of these copies was made, since 1970; 0: there is none. One that seems to
 * be made after now_s does not count. */
int64_t host_files_newest(const char *folder, int64_t now_s);

#endif
