/* host_check.h - what the start of a host needs beside files without mistakes: a folder, the secret
 * key, the list of keys, places that can be written. Nothing is started or made here.
 *
 * For `bgref host --check` and for the doctor, so that both find the same. What depends on the
 * moment (ports, a host that runs already) is the doctor's only.
 */
#ifndef HOST_HOST_HOST_CHECK_H
#define HOST_HOST_HOST_CHECK_H

#include "host_config.h"

/* The first of the checks below that fails, for the host and the doors of its events. BG_E_CONFIG.
 */
enum bg_status host_check(const struct host_config *config, struct bg_error *err);

/* BG_E_CONFIG: the folder is not there and cannot be made, or cannot be written to. *is_new: it
 * will be made. */
enum bg_status host_check_folder(const struct host_config *config, bool *is_new,
                                 struct bg_error *err);
/* BG_E_CONFIG: the folder of the socket for actions is not there, and is not the host's own. */
enum bg_status host_check_admin(const struct host_config *config, struct bg_error *err);
/* BG_E_CONFIG: not the secret key of a door that the host's user, and nobody else, may read. */
enum bg_status host_check_key(const struct host_config *config, const char *key,
                              struct bg_error *err);
/* The list of keys; *count: how many it has; 0 too without a list. BG_E_CONFIG. */
enum bg_status host_check_allow(const struct host_config *config, int *count, struct bg_error *err);
/* BG_E_CONFIG: the host's user may not write the door's file for authors, or the log. */
enum bg_status host_check_file(const struct host_config *config, struct bg_error *err);
enum bg_status host_check_log(const struct host_config *config, struct bg_error *err);
/* BG_E_CONFIG: the page has no address, or the host's user may not write registrations. */
enum bg_status host_check_page(const struct host_config *config, struct bg_error *err);
/* BG_E_CONFIG: an event that has begun has another setting in its file now, in the words of its
 * process. BG_OK too without results, or if they cannot be read now. */
enum bg_status host_check_event(const struct host_config *config, const struct host_event *event,
                                const char *results, struct bg_error *err);
enum bg_status host_check_begun(const struct host_config *config, struct bg_error *err);

#endif
