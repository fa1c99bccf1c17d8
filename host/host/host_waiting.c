/* The entry is in the list of keys before it leaves those who wait: a host that is killed between
 * the two leaves it in both, which the next `approve` says and `refuse` mends. */
#include "host_waiting.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "config/allow_text.h"
#include "proof/key_pair.h"

enum { SHOWN = 16 };

#define BY_HAND "add its line to the list that 'allow' of HOST.yaml names, and send SIGHUP"

static enum bg_status open_waiting(struct allow_text *out, const struct host *host,
                                   struct bg_error *err)
{
    if (host->config.registrations[0] == '\0') {
        *out = (struct allow_text){.path = NULL};
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s takes no registrations (page: {registrations: FILE}); for a key "
                            "that came otherwise, " BY_HAND,
                            host->config.file);
    }
    return allow_text_open(out, host->config.registrations, err);
}

static enum bg_status add_key(const char *path, const char *name, const char *entry,
                              struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    struct allow_text list;
    enum bg_status status = allow_text_open(&list, path, &why);

    if (status == BG_OK && allow_find(&list.known, name) != NULL) {
        status = bg_error_set(&why, BG_E_ARGUMENT,
                              "%s has %s already; if this is a new key of the same author, put it "
                              "there by hand in the place of the old one, send SIGHUP, and refuse "
                              "this registration",
                              path, name);
    }
    if (status == BG_OK) {
        status = allow_text_add(&list, entry, &why);
    }
    if (status == BG_OK) {
        status = allow_text_store(&list, &why);
    }
    allow_text_close(&list);
    if (status == BG_E_ARGUMENT) {
        return bg_error_set(err, status, "%s", why.text);
    }
    return status == BG_OK
               ? BG_OK
               : bg_error_set(err, status, "%s still waits: %.300s; mend that, or " BY_HAND, name,
                              why.text);
}

/* Takes the entry out of the text, which is not stored yet. */
static enum bg_status take_waiting(struct allow_text *waiting, char **entry,
                                   const struct host *host, const char *name, struct bg_error *err)
{
    enum bg_status status = open_waiting(waiting, host, err);

    *entry = NULL;
    return status == BG_OK ? allow_text_take(entry, waiting, name, err) : status;
}

enum bg_status host_waiting_approve(struct host *host, const char *name, char **answer,
                                    struct bg_error *err)
{
    struct allow_text waiting;
    char *entry;
    enum bg_status status = take_waiting(&waiting, &entry, host, name, err);

    if (status == BG_OK) {
        status = add_key(host->config.allow, name, entry, err);
    }
    if (status == BG_OK) {
        status = host_door_refresh(host->door, err);
    }
    if (status == BG_OK) {
        status = allow_text_store(&waiting, err);
    }
    if (status == BG_OK) {
        *answer = memory_print("%s is in %s, and may join\n", name, host->config.allow);
    }
    free(entry);
    allow_text_close(&waiting);
    return status;
}

enum bg_status host_waiting_refuse(const struct host *host, const char *name, char **answer,
                                   struct bg_error *err)
{
    struct allow_text waiting;
    char *entry;
    enum bg_status status = take_waiting(&waiting, &entry, host, name, err);

    if (status == BG_OK) {
        status = allow_text_store(&waiting, err);
    }
    if (status == BG_OK) {
        *answer = memory_print("%s is refused, and waits no more\n", name);
    }
    free(entry);
    allow_text_close(&waiting);
    return status;
}

enum bg_status host_waiting_check(const struct host_config *config, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    struct allow_text waiting;
    enum bg_status status;

    if (config->registrations[0] == '\0') {
        return BG_OK;
    }
    status = allow_text_open(&waiting, config->registrations, &why);
    allow_text_close(&waiting);
    if (status == BG_OK && config->invitations[0] != '\0') {
        struct yaml *invited = NULL;

        status = yaml_open(&invited, config->invitations, &why);
        yaml_close(invited);
    }
    return status == BG_OK || status == BG_E_BUSY /* somebody registers */
               ? BG_OK
               : bg_error_set(err, status, "registrations: %.400s; mend the file", why.text);
}

void host_waiting_status(FILE *out, const struct host *host)
{
    struct bg_error err = {.text = ""};
    struct allow_text waiting;

    if (host_waiting_check(&host->config, &err) != BG_OK) {
        fprintf(out, "not well: %s: until then nobody can register\n", err.text);
        return;
    }
    if (open_waiting(&waiting, host, &err) == BG_OK && waiting.known.count > 0) {
        fprintf(out, "registrations: %d; 'approve NAME' or 'refuse NAME'\n", waiting.known.count);
    }
    for (int i = 0; i < waiting.known.count && i < SHOWN; i++) {
        unsigned char key[KEY_FILE_BYTES];
        char print[KEY_FILE_PRINT];

        (void)key_read_hex(key, waiting.known.entries[i].key);
        key_fingerprint(print, key);
        fprintf(out, "  waits: %s, key %s\n", waiting.known.entries[i].name, print);
    }
    allow_text_close(&waiting);
}
