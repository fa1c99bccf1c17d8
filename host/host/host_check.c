/* Every question is asked for the user that the host becomes, also when root asks: access()
 * answers for root, to whom everything is allowed. So modes and owners are compared by hand
 * where the user is another (may_make_files); supplementary groups and ACLs are not, and a start
 * that fails by them says so itself.
 *
 * An event's process refuses another length or clock than its results began with, and is started
 * again and again; its director hears it here when he asks for its start. The event file is read
 * afresh, as its process would read it, and compared by the same function (event_settings_check),
 * so that the answer here is the one its start would get. Bots, their programs and what may grow
 * are compared by the process alone; what cannot be read at the moment is no refusal, as another
 * process may be using the results. */
#include "host_check.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "config/allow.h"
#include "bot/registry.h"
#include "config/config.h"
#include "door/tcp_listen.h"
#include "fixtures/anything.h"
#include "fixtures/event_settings.h"
#include "fixtures/trust.h"
#include "host_event.h"
#include "host_start.h"
#include "host_waiting.h"
#include "proof/key_pair.h"
#include "sums/results_set.h"
#include "base/plain_file.h"

/* The user that root's host becomes; NULL: the host has our user. */
static const struct passwd *becomes(const struct host_config *config)
{
    return geteuid() == 0 && config->user[0] != '\0' ? getpwnam(config->user) : NULL;
}

/* Whether the host's user may make files in this folder; else errno says more. */
static bool may_make_files(const char *folder, const struct host_config *config)
{
    const struct passwd *known = becomes(config);
    struct stat info;
    mode_t needs = S_IWOTH | S_IXOTH;
    bool may;

    if (known == NULL || known->pw_uid == 0) {
        return access(folder, W_OK | X_OK) == 0;
    }
    if (stat(folder, &info) != 0) {
        return false;
    }
    needs = info.st_uid == known->pw_uid   ? S_IWUSR | S_IXUSR
            : info.st_gid == known->pw_gid ? S_IWGRP | S_IXGRP
                                           : needs;
    may = (info.st_mode & needs) == needs;
    errno = may ? 0 : EACCES;
    return may;
}

/* Root makes the folder of the user that it becomes. */
static enum bg_status check_parent(const struct host_config *config, struct bg_error *err)
{
    char above[PLAIN_PATH];
    struct stat info;

    /* stat() has found nothing and lstat() does: a symbolic link without its target. */
    if (lstat(config->folder, &info) == 0) {
        return bg_error_set(err, BG_E_CONFIG, "folder: %s is a link to nowhere; remove it",
                            config->folder);
    }
    plain_folder_of(above, config->folder);
    if (stat(above, &info) != 0) {
        return bg_error_set(err, BG_E_CONFIG,
                            "folder: %s: %s; make the folder above it: mkdir -p %s", config->folder,
                            strerror(errno), above);
    }
    return becomes(config) != NULL || access(above, W_OK | X_OK) == 0
               ? BG_OK
               : bg_error_set(err, BG_E_CONFIG, "folder: %s cannot be made: %s: %s", config->folder,
                              above, strerror(errno));
}

enum bg_status host_check_folder(const struct host_config *config, bool *is_new,
                                 struct bg_error *err)
{
    struct stat info;

    *is_new = stat(config->folder, &info) != 0 && errno == ENOENT;
    if (*is_new) {
        return check_parent(config, err);
    }
    return stat(config->folder, &info) == 0 && S_ISDIR(info.st_mode) &&
                   may_make_files(config->folder, config)
               ? BG_OK
               : bg_error_set(err, BG_E_CONFIG,
                              "folder: %s is not a folder that the host's user may write to",
                              config->folder);
}

/* The two files of a key are easily taken for each other. */
static bool is_public(const char *path)
{
    unsigned char key[KEY_FILE_BYTES];
    char name[KEY_FILE_NAME];

    return key_file_read(name, key, path, &(const struct key_file_kind){"join", false}, NULL) ==
           BG_OK;
}

/* Whether it is the secret key of a door; only who may read it can say so. */
static bool is_secret(const char *path, struct bg_error *err)
{
    unsigned char key[KEY_FILE_BYTES];
    char name[KEY_FILE_NAME];
    bool is =
        key_file_read(name, key, path, &(const struct key_file_kind){"join", true}, err) == BG_OK;

    /* Only the name of the kind was of interest. */
    sodium_memzero(key, sizeof key);
    return is;
}

enum bg_status host_check_key(const struct host_config *config, const char *key,
                              struct bg_error *err)
{
    const struct passwd *known = becomes(config);
    struct bg_error why = {.text = ""};
    struct stat info;

    if (stat(key, &info) != 0) {
        return bg_error_set(err, BG_E_CONFIG,
                            "key: %s: %s; 'bgref keygen --join host' makes host.key", key,
                            strerror(errno));
    }
    if (is_public(key)) {
        return bg_error_set(err, BG_E_CONFIG,
                            "key: %s is a public key; needs the secret one, NAME.key", key);
    }
    /* As ssh does: a secret that others can read is none. */
    if ((info.st_mode & 0077) != 0) {
        return bg_error_set(err, BG_E_CONFIG, "key: others may read %s; chmod 600 %s", key, key);
    }
    if (known != NULL && info.st_uid != known->pw_uid) {
        return bg_error_set(err, BG_E_CONFIG, "key: the host's user may not read it; chown %s %s",
                            config->user, key);
    }
    if (access(key, R_OK) != 0) {
        return bg_error_set(err, BG_E_CONFIG,
                            "key: %s: %s; the host's user has to own it, and this is to be asked "
                            "as that user",
                            key, strerror(errno));
    }
    return is_secret(key, &why) ? BG_OK : bg_error_set(err, BG_E_CONFIG, "key: %s", why.text);
}

enum bg_status host_check_allow(const struct host_config *config, int *count, struct bg_error *err)
{
    struct allow_list list;
    enum bg_status status = host_config_allow(&list, config, err);

    *count = list.count;
    allow_deinit(&list);
    return status;
}

/* A file that is replaced as a whole: its folder is written to. The host makes its own. */
static enum bg_status check_place(const struct host_config *config, const char *path,
                                  const char *section, const char *word, struct bg_error *err)
{
    char folder[PLAIN_PATH];

    plain_folder_of(folder, path);
    return path[0] == '\0' || strcmp(folder, config->folder) == 0 || may_make_files(folder, config)
               ? BG_OK
               : bg_error_set(err, BG_E_CONFIG,
                              "%s: the host's user may not write %s; name another place (%s: %s)",
                              word, path, section, word);
}

enum bg_status host_check_file(const struct host_config *config, struct bg_error *err)
{
    return config->door.listen[0] == '\0'
               ? BG_OK
               : check_place(config, config->door.file, "bots", "file", err);
}

enum bg_status host_check_page(const struct host_config *config, struct bg_error *err)
{
    char host[TCP_ADDRESS_HOST];
    const char *port;

    return config->page[0] == '\0' || tcp_address_cut(host, &port, config->page)
               ? check_place(config, config->registrations, "page", "registrations", err)
               : bg_error_set(err, BG_E_CONFIG,
                              "page: '%s' is not an address like tcp://127.0.0.1:8080",
                              config->page);
}

enum bg_status host_check_log(const struct host_config *config, struct bg_error *err)
{
    char folder[PLAIN_PATH];

    plain_folder_of(folder, config->log);
    if (config->log[0] == '\0' || access(config->log, W_OK) == 0 ||
        (errno == ENOENT && may_make_files(folder, config))) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_CONFIG,
                        "log: %s: %s; make its folder, and let the user of the host write there",
                        config->log, strerror(errno));
}

enum bg_status host_check_admin(const struct host_config *config, struct bg_error *err)
{
    char above[PLAIN_PATH];
    struct stat info;

    plain_folder_of(above, config->socket);
    /* Its own folder the host makes. */
    return strncmp(config->socket, config->folder, strlen(config->folder)) == 0 ||
                   (stat(above, &info) == 0 && S_ISDIR(info.st_mode))
               ? BG_OK
               : bg_error_set(err, BG_E_CONFIG,
                              "admin: socket %s: there is no folder %s; make it: mkdir -p %s",
                              config->socket, above, above);
}

static enum bg_status check_keys(const struct host_config *config, struct bg_error *err)
{
    enum bg_status status =
        config->door.listen[0] != '\0' ? host_check_key(config, config->key, err) : BG_OK;

    for (int i = 0; i < config->rules.count && status == BG_OK; i++) {
        if (config->events[i].listen[0] != '\0') {
            status = host_check_key(config, config->events[i].door_key, err);
        }
    }
    return status;
}

/* Instances of a repeated event have results of their own, and the next one may be another event.
 */
static enum bg_status compare_with(struct config_event *event, const char *results,
                                   struct bg_error *err)
{
    struct event_settings_setup setup = {.event = event, .fixed_only = true};
    struct event_settings *settings = NULL;
    enum bg_status status = BG_OK;

    snprintf(event->results, sizeof event->results, "%s", results);
    /* Settings that only a running event has, are set to what its process would find. */
    snprintf(event->door.bans, sizeof event->door.bans, "-"); /* the words are those of a host */
    if (event->trust != CONFIG_TRUST_AUTO) {
        setup.trust = trust_name(event->trust == CONFIG_TRUST_STRANGERS);
    }
    if (event_store_open(&setup.store, results, NULL) == BG_OK &&
        anything_played(&setup.played, setup.store, NULL) == BG_OK && setup.played) {
        status = event_settings_check(&settings, &setup, err);
    }
    event_settings_destroy(settings);
    store_destroy(setup.store);
    return status == BG_E_CONFIG ? status : BG_OK; /* what cannot be read now is not compared */
}

enum bg_status host_check_event(const struct host_config *config, const struct host_event *event,
                                const char *results, struct bg_error *err)
{
    struct registry *registry = NULL;
    struct config_event fresh;
    enum bg_status status;

    if (access(results, F_OK) != 0) {
        return BG_OK;
    }
    status = registry_open(&registry, err);
    if (status == BG_OK) {
        status = host_event_file(&fresh, event->file, registry, config, err);
        if (status == BG_OK && fresh.bot_count >= 2) {
            status = compare_with(&fresh, results, err);
        }
        config_event_deinit(&fresh);
    }
    registry_close(registry);
    return status;
}

enum bg_status host_check_begun(const struct host_config *config, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < config->rules.count && status == BG_OK; i++) {
        const struct host_event *event = &config->events[i];
        const bool has_own = event->results[0] != '\0';
        char results[HOST_PATH];
        int size =
            snprintf(results, sizeof results, "%s%s%s%s", has_own ? event->results : config->folder,
                     has_own ? "" : "/", has_own ? "" : event->name, has_own ? "" : ".db");

        if (size < HOST_PATH && config->rules.events[i].repeat == CALENDAR_ONCE) {
            status = host_check_event(config, event, results, err);
        }
    }
    return status;
}

enum bg_status host_check(const struct host_config *config, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    bool is_new;
    int count;
    enum bg_status status = privileges_check(config->user, true, &why);

    if (status == BG_OK) {
        status = host_check_folder(config, &is_new, &why);
    }
    if (status == BG_OK) {
        status = host_check_admin(config, &why);
    }
    if (status == BG_OK) {
        status = check_keys(config, &why);
    }
    if (status == BG_OK) {
        status = host_check_file(config, &why);
    }
    if (status == BG_OK) {
        status = host_check_page(config, &why);
    }
    if (status == BG_OK) {
        status = host_check_log(config, &why);
    }
    if (status == BG_OK) {
        status = host_waiting_check(config, &why);
    }
    if (status == BG_OK) {
        status = host_check_begun(config, &why);
    }
    if (status != BG_OK) {
        return bg_error_set(err, status, "%s: %s", config->file, why.text);
    }
    return host_check_allow(config, &count, err);
}
