/* Root is needed for one thing, to make the folder below a place that only root may write to;
 * everything else is the user's. The order: groups, group, user, as the right to change groups
 * goes with the user id. */
#define _DEFAULT_SOURCE /* initgroups */
#include "privileges.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum bg_status privileges_check(const char *user, bool may_be_root, struct bg_error *err)
{
    const struct passwd *entry;

    if (user[0] == '\0') {
        return geteuid() != 0 || may_be_root
                   ? BG_OK
                   : bg_error_set(err, BG_E_CONFIG,
                                  "a host does not run as root: name the user that it becomes "
                                  "(host: {user: bgref}), start it as that user, or say "
                                  "--allow-root");
    }
    entry = getpwnam(user);
    if (entry == NULL) {
        return bg_error_set(err, BG_E_CONFIG, "host: user: no user %s on this machine", user);
    }
    if (entry->pw_uid == 0) {
        return bg_error_set(err, BG_E_CONFIG, "host: user: %s is root; name another user", user);
    }
    if (geteuid() != 0 && geteuid() != entry->pw_uid) {
        return bg_error_set(err, BG_E_CONFIG,
                            "host: user: only root can become %s; start the host as root or as %s",
                            user, user);
    }
    return BG_OK;
}

/* As root: the folder that root's rights may be needed for. */
static enum bg_status make_own_folder(const struct passwd *entry, const char *folder,
                                      struct bg_error *err)
{
    if (mkdir(folder, 0750) == 0) {
        if (chown(folder, entry->pw_uid, entry->pw_gid) != 0) {
            return bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", folder, strerror(errno));
        }
    } else if (errno != EEXIST) {
        return bg_error_set(err, BG_E_SYSTEM, "folder %s: %s", folder, strerror(errno));
    }
    return BG_OK;
}

/* Root's folders and settings are not the user's. */
static void change_home(const struct passwd *entry)
{
    static const char *const of_root[] = {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
                                          "XDG_STATE_HOME", "XDG_RUNTIME_DIR"};

    for (size_t i = 0; i < sizeof of_root / sizeof of_root[0]; i++) {
        (void)unsetenv(of_root[i]);
    }
    (void)setenv("HOME", entry->pw_dir, 1);
    (void)setenv("USER", entry->pw_name, 1);
    (void)setenv("LOGNAME", entry->pw_name, 1);
}

/* The kernel takes all capabilities of a process whose three user ids leave 0. */
static enum bg_status become(const struct passwd *entry, struct bg_error *err)
{
    if (initgroups(entry->pw_name, entry->pw_gid) != 0 ||
        setgid(entry->pw_gid) != 0 || /* of root: real, effective and saved */
        setuid(entry->pw_uid) != 0) {
        return bg_error_set(err, BG_E_SYSTEM, "become %s: %s", entry->pw_name, strerror(errno));
    }
    /* Tried, not believed: a kernel or a sandbox that keeps the saved id would give the rights
     * back to whoever breaks in. */
    if (setuid(0) == 0 || setgid(0) == 0) {
        return bg_error_set(err, BG_E_SYSTEM, "become %s: root's rights came back", entry->pw_name);
    }
    return BG_OK;
}

enum bg_status privileges_settle(const char *user, const char *folder, bool may_be_root,
                                 struct bg_error *err)
{
    enum bg_status status = privileges_check(user, may_be_root, err);
    const struct passwd *entry;

    if (status != BG_OK || user[0] == '\0' || geteuid() != 0) {
        return status;
    }
    entry = getpwnam(user);
    status = make_own_folder(entry, folder, err);
    if (status == BG_OK) {
        change_home(entry);
        status = become(entry, err);
    }
    return status;
}
