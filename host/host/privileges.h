/* privileges.h - what a host that was started as root gives up before anything else.
 *
 * Events, bots, doorman and gateway are its children, so none of them is root's either.
 */
#ifndef HOST_HOST_PRIVILEGES_H
#define HOST_HOST_PRIVILEGES_H

#include <bgref/error.h>

#include <stdbool.h>

/* Returns whether privileges_settle could do its part; changes nothing. user: `user` of HOST.yaml,
 * "" none. may_be_root: without user, root stays root. BG_E_CONFIG: root without user, an unknown
 * user, root as user, another user than who runs this. */
enum bg_status privileges_check(const char *user, bool may_be_root, struct bg_error *err);

/* Makes this process one of user, for good: its user, groups, home, no capabilities. Call with one
 * thread. folder: is made if it is not there, as user's. Does nothing if root has not started this
 * process or user is "". As privileges_check, or BG_E_SYSTEM. */
enum bg_status privileges_settle(const char *user, const char *folder, bool may_be_root,
                                 struct bg_error *err);

#endif
