#define _GNU_SOURCE /* asprintf, open_memstream */
#include "host_porch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sodium.h>

#include "config/allow.h"
#include "door/control.h"
#include "door/porch.h"
#include "door/register.h"
#include "log.h"
#include "durable.h"
#include "words/utc.h"

static const char days_word[] = "days=";

enum { TOKEN_BYTES = 16, DAYS_USUAL = 7, DAYS_MOST = 365, WHY = 200, DAY_S = 86400 };

static bool has_porch(const struct host *host)
{
    return host->config.policy != PEOPLE_CLOSED;
}

static bool path_in(char out[HOST_PATH], const char *folder, const char *name)
{
    return snprintf(out, HOST_PATH, "%s/%s", folder, name) < HOST_PATH;
}

/* ------------------------------------------------------------------ who is known */

struct allowed {
    const struct allow_list *own; /* of the operator's file */
    const struct people *people;
};

/* The operator's entry that has the name or the key; NULL: there is none. */
static const struct allow_entry *find_own(const struct allow_list *own, const char *name,
                                          const char *key)
{
    for (int i = 0; i < own->count; i++) {
        if (strcmp(own->entries[i].name, name) == 0 || strcmp(own->entries[i].key, key) == 0) {
            return &own->entries[i];
        }
    }
    return NULL;
}

static void write_allowed(FILE *out, const void *user)
{
    const struct allowed *allowed = user;

    fprintf(out,
            "# Written by bgref host: the keys of its file 'allow', and of all who are "
            "registered.\n%s",
            allowed->own->count + allowed->people->known_count == 0 ? "[]\n" : "");
    for (int i = 0; i < allowed->own->count; i++) {
        fprintf(out, "- {name: %s, key: '%s'", allowed->own->entries[i].name,
                allowed->own->entries[i].key);
        entry_limits_write(out, &allowed->own->entries[i].limits);
        fprintf(out, "}\n");
    }
    for (int i = 0; i < allowed->people->known_count; i++) {
        const struct person *one = &allowed->people->known[i];

        if (find_own(allowed->own, one->name, one->key) == NULL) { /* the operator's word counts */
            fprintf(out, "- {name: %s, key: '%s', note: registered}\n", one->name, one->key);
        }
    }
}

static enum bg_status store_people(const struct people *people, const char *folder,
                                   struct bg_error *err)
{
    char path[HOST_PATH];

    return path_in(path, folder, "host.people")
               ? people_save(people, path, err)
               : bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
}

/* What follows for the doors. */
static enum bg_status store_allowed(const struct people *people, const struct host_config *config,
                                    struct bg_error *err)
{
    char path[HOST_PATH];
    struct allow_list own;
    const struct allowed allowed = {&own, people};
    enum bg_status status = host_config_allow(&own, config, err);

    if (status == BG_OK && !path_in(path, config->folder, HOST_ALLOWED)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    if (status == BG_OK) {
        status = durable_write(path, write_allowed, &allowed, err);
    }
    allow_deinit(&own);
    return status;
}

/* Events that could not begin because a bot had no key need not wait for their next try. */
static void try_events(struct host *host)
{
    for (int i = 0; i < host->agenda.count; i++) {
        const struct agenda_event *event = &host->agenda.events[i];

        for (int k = 0; k < event->count; k++) {
            runs_try_again(&host->runs, event->list[k].name);
        }
    }
}

/* Who is registered is stored: from here on it can only come later to the doors. */
static void tell_doors(struct host *host)
{
    struct bg_error why = {.text = ""};
    bool was_old = host->is_allowed_old;

    host->is_allowed_old = store_allowed(&host->people, &host->config, &why) != BG_OK;
    if (host->is_allowed_old) {
        if (!was_old) {
            log_error("host",
                      "%s; the doors do not know the latest registrations; it is tried "
                      "again",
                      why.text);
        }
    } else if (host_door_refresh(host->door, &why) != BG_OK) {
        log_error("host", "%s; the door keeps the keys that it has", why.text);
    } else {
        try_events(host);
    }
}

/* On failure it is again as it was stored. */
static enum bg_status store(struct host *host, struct bg_error *err)
{
    char path[HOST_PATH];
    struct people before;
    enum bg_status status = store_people(&host->people, host->config.folder, err);

    if (status == BG_OK) {
        tell_doors(host);
    } else if (path_in(path, host->config.folder, "host.people") &&
               people_load(&before, path, NULL) == BG_OK) {
        people_deinit(&host->people);
        host->people = before;
    }
    return status;
}

enum bg_status host_porch_prepare(struct host *host, const struct host_config *config,
                                  struct bg_error *err)
{
    char path[HOST_PATH];
    enum bg_status status = BG_OK;

    if (config->policy == PEOPLE_CLOSED) {
        return BG_OK;
    }
    if (!path_in(path, config->folder, "host.people")) {
        return bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    status = people_load(&host->people, path, err);
    if (status == BG_OK) {
        status = store_people(&host->people, config->folder, err);
    }
    return status == BG_OK ? store_allowed(&host->people, config, err) : status;
}

enum bg_status host_porch_refresh(struct host *host, const struct host_config *config,
                                  struct bg_error *err)
{
    enum bg_status status = has_porch(host) ? store_allowed(&host->people, config, err) : BG_OK;

    host->is_allowed_old = host->is_allowed_old && status != BG_OK;
    return status;
}

void host_porch_settle(struct host *host)
{
    if (host->is_allowed_old) {
        tell_doors(host);
    }
}

/* ------------------------------------------------------------------ at the porch */

/* Readers of a table take "Anna" for "anna". */
static bool has_like(const struct allow_list *own, const char *name)
{
    bool any = false;

    for (int i = 0; i < own->count && !any; i++) {
        any = strcasecmp(own->entries[i].name, name) == 0;
    }
    return any;
}

/* Whether the operator's own list has the name or a key, or a new name is like one of its.
 * Errors of host_config_allow. */
static enum bg_status find_taken(bool *out, const struct host *host, const struct people_ask *ask,
                                 struct bg_error *err)
{
    struct allow_list own;
    enum bg_status status = host_config_allow(&own, &host->config, err);

    *out = find_own(&own, ask->name, ask->key) != NULL ||
           (ask->next != NULL && find_own(&own, ask->name, ask->next) != NULL) ||
           (people_find(&host->people, ask->name) == NULL && has_like(&own, ask->name));
    allow_deinit(&own);
    return status;
}

static void say_asked(struct host *host, const struct people_ask *ask, enum people_verdict verdict)
{
    unsigned char key[KEY_FILE_BYTES];
    char what[KEY_FILE_NAME + 64], how[KEY_FILE_PRINT + PEOPLE_CONTACT + 64],
        print[KEY_FILE_PRINT] = "";

    if (key_read_hex(key, ask->next != NULL ? ask->next : ask->key)) {
        key_fingerprint(print, key);
    }
    snprintf(what, sizeof what, "%s %s", ask->name,
             ask->next != NULL              ? "has a new key"
             : verdict == PEOPLE_REGISTERED ? "is registered"
                                            : "asks to be registered");
    snprintf(how, sizeof how, "fingerprint %s%s%s", print, ask->contact[0] == '\0' ? "" : ", ",
             ask->contact);
    host_say(host, HOST_ITSELF, what, how);
}

static enum people_verdict decide(struct host *host, const struct people_ask *ask, char why[WHY])
{
    const struct gate_ban *ban = gate_find(&host->gate, ask->name, ask->key);
    bool was_known = people_by_key(&host->people, ask->next == NULL ? ask->key : ask->next) != NULL;
    int waited = host->people.waiting_count;
    struct bg_error err = {.text = ""};
    enum people_verdict verdict;
    bool is_taken;

    if (ban != NULL) {
        snprintf(why, WHY, "banned: %.180s", ban->reason);
        return PEOPLE_REFUSED;
    }
    if (find_taken(&is_taken, host, ask, &err) != BG_OK) {
        log_error("host", "%s; nobody can be registered", err.text);
        snprintf(why, WHY, "the host cannot read its own list of keys now; ask again later");
        return PEOPLE_REFUSED;
    }
    verdict = people_take(&host->people, host->config.policy, ask, is_taken, host_now(), why);
    if (verdict == PEOPLE_REFUSED || was_known ||
        (verdict == PEOPLE_WAITS && host->people.waiting_count == waited)) {
        return verdict;
    }
    if (store(host, &err) != BG_OK) {
        log_error("host", "%s", err.text);
        snprintf(why, WHY, "the host cannot store it now; ask again later");
        return PEOPLE_REFUSED;
    }
    say_asked(host, ask, verdict);
    return verdict;
}

/* "NUMBER KEY HASH NEXT NAME CONTACT", from the porch, which has checked their form. */
static void on_asked(void *user, struct control_queue *answers, char *rest)
{
    unsigned char hash[PEOPLE_HASH];
    char why[WHY] = "";
    const char *number = control_word(&rest), *key = control_word(&rest),
               *token = control_word(&rest), *next = control_word(&rest),
               *name = control_word(&rest);
    const struct people_ask ask = {.name = name,
                                   .key = key,
                                   .contact = rest == NULL ? "" : rest,
                                   .hash = key_read_hex(hash, token) ? hash : NULL,
                                   .next = strcmp(next, "-") == 0 ? NULL : next};
    enum people_verdict verdict = decide(user, &ask, why);

    control_queue_send(answers, "answer %s %d %s", number, (int)verdict, why);
}

enum bg_status host_porch_open(struct host *host, struct bg_error *err)
{
    const struct host_config *config = &host->config;
    char file[HOST_PATH];
    struct door_setup setup = {.name = key_name_is_valid(config->name) ? config->name : "host",
                               .listen = config->porch,
                               .address = config->porch_address,
                               .key = config->key,
                               .file = file,
                               .gate = host->gate_file,
                               .per_address = PORCH_PER_ADDRESS,
                               .connections = PORCH_CONNECTIONS,
                               .is_porch = true,
                               .listener = host->sockets.porch,
                               .asked = on_asked,
                               .user = host,
                               .loop = host->loop};
    enum bg_status status;

    if (!has_porch(host)) {
        return BG_OK;
    }
    if (!path_in(host->porch_file, config->folder, "porch.bgref")) {
        return bg_error_set(err, BG_E_ARGUMENT, "host: folder: too long a name");
    }
    setup.file = host->porch_file;
    status = door_open(&host->porch, &setup, err);
    if (status == BG_OK) {
        snprintf(host->gate.porch, sizeof host->gate.porch, "%s", door_address(host->porch));
        status = gate_save(&host->gate, host->gate_file, err);
    }
    return status;
}

void host_porch_close(struct host *host)
{
    door_close(host->porch);
    host->porch = NULL;
    people_deinit(&host->people);
}

/* ------------------------------------------------------------------ acts */

static enum bg_status check_porch(const struct host *host, const char *name, struct bg_error *err)
{
    if (!has_porch(host)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "registration is closed here; %s opens it with bots: "
                            "{registration: invite, porch: ..., key: ...}",
                            host->config.file);
    }
    return name == NULL || key_name_is_valid(name)
               ? BG_OK
               : bg_error_set(err, BG_E_ARGUMENT, "'%.80s' is not a bot's name", name);
}

/* BG_E_ARGUMENT: the operator's own list has the name or the key. */
static enum bg_status check_free(const struct host *host, const struct people_ask *ask,
                                 struct bg_error *err)
{
    bool is_taken;
    enum bg_status status = find_taken(&is_taken, host, ask, err);

    return status == BG_OK && is_taken
               ? bg_error_set(err, BG_E_ARGUMENT, "%s%s is in %s", ask->name,
                              ask->key[0] == '\0' ? "" : ", or its key,", host->config.allow)
               : status;
}

static enum bg_status read_days(int *out, const char *days, struct bg_error *err)
{
    struct bg_error why = {.text = ""};

    *out = DAYS_USUAL;
    if (days == NULL) {
        return BG_OK;
    }
    if (strncmp(days, days_word, strlen(days_word)) != 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "'%.80s' is a word too many", days);
    }
    return int_read(out, days + strlen(days_word), 1, DAYS_MOST, &why) == BG_OK
               ? BG_OK
               : bg_error_set(err, BG_E_ARGUMENT, "days: %s", why.text);
}

static enum bg_status tell_token(char **answer, const char *name, int64_t until_s,
                                 unsigned char token[TOKEN_BYTES], struct bg_error *err)
{
    char hex[REGISTER_TOKEN], until[UTC_TEXT];
    int size;

    sodium_bin2hex(hex, sizeof hex, token, TOKEN_BYTES);
    utc_write(until, until_s);
    size =
        asprintf(answer, "%s may register until %s with this token, which is shown only now:\n%s\n",
                 name, until, hex);
    sodium_memzero(hex, sizeof hex);
    return size < 0 ? bg_error_set(err, BG_E_MEMORY, "an answer") : BG_OK;
}

enum bg_status host_invite(struct host *host, const char *name, const char *days, char **answer,
                           struct bg_error *err)
{
    unsigned char token[TOKEN_BYTES];
    struct invitation invitation = {.name = ""};
    const struct people_ask ask = {.name = name, .key = "", .contact = ""};
    int count = 0;
    enum bg_status status = check_porch(host, name, err);

    if (status == BG_OK) {
        status = read_days(&count, days, err);
    }
    if (status == BG_OK) {
        status = check_free(host, &ask, err);
    }
    if (status == BG_OK) {
        randombytes_buf(token, sizeof token);
        snprintf(invitation.name, sizeof invitation.name, "%s", name);
        crypto_generichash(invitation.hash, sizeof invitation.hash, token, sizeof token, NULL, 0);
        invitation.until_s = host_now() + (int64_t)count * DAY_S;
        (void)people_sweep(&host->people, host_now());
        status = people_invite(&host->people, &invitation, err);
    }
    if (status == BG_OK) {
        status = store(host, err);
    }
    if (status == BG_OK) {
        status = tell_token(answer, name, invitation.until_s, token, err);
    }
    sodium_memzero(token, sizeof token);
    return status;
}

/* Ends an act that may have changed something. */
static enum bg_status stored(struct host *host, enum bg_status status, char **answer,
                             const char *name, const char *what, struct bg_error *err)
{
    if (status == BG_OK) {
        status = store(host, err);
    }
    if (status == BG_OK && asprintf(answer, "%s %s\n", name, what) < 0) {
        status = bg_error_set(err, BG_E_MEMORY, "an answer");
    }
    return status;
}

enum bg_status host_approve(struct host *host, const char *name, char **answer,
                            struct bg_error *err)
{
    enum bg_status status = check_porch(host, name, err);
    const struct person *asks;

    (void)people_sweep(&host->people, host_now());
    asks = people_waiting(&host->people, name);
    if (status == BG_OK && asks != NULL) { /* the list may have changed since it asked */
        const struct people_ask ask = {.name = name, .key = asks->key, .contact = ""};

        status = check_free(host, &ask, err);
    }
    if (status == BG_OK) {
        status = people_approve(&host->people, name, host_now(), err);
    }
    return stored(host, status, answer, name, "is registered", err);
}

enum bg_status host_refuse(struct host *host, const char *name, char **answer, struct bg_error *err)
{
    enum bg_status status = check_porch(host, name, err);

    if (status == BG_OK) {
        status = people_refuse(&host->people, name, err);
    }
    return stored(host, status, answer, name, "does not wait any more", err);
}

/* A key is written with small letters everywhere. */
static enum bg_status read_key(char out[KEY_FILE_DIGITS], const char *digits, struct bg_error *err)
{
    unsigned char key[KEY_FILE_BYTES];

    if (!key_read_hex(key, digits)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.80s' is not a key: the last word of a .pub file, or the file",
                            digits);
    }
    sodium_bin2hex(out, KEY_FILE_DIGITS, key, sizeof key);
    return BG_OK;
}

static enum bg_status check_not_banned(const struct host *host, const char *name, const char *key,
                                       struct bg_error *err)
{
    const struct gate_ban *ban = gate_find(&host->gate, name, key);

    return ban == NULL ? BG_OK
                       : bg_error_set(err, BG_E_ARGUMENT, "%s %s is banned (%s); unban it first",
                                      gate_word(ban->kind), ban->what, ban->reason);
}

enum bg_status host_reassign(struct host *host, const char *name, const char *digits,
                             const char *reason, char **answer, struct bg_error *err)
{
    char key[KEY_FILE_DIGITS] = "";
    const struct people_ask ask = {.name = name, .key = key, .contact = ""};
    enum bg_status status = check_porch(host, name, err);

    if (status == BG_OK && reason[0] == '\0') {
        status = bg_error_set(err, BG_E_ARGUMENT, "reassign needs --reason TEXT, for the journal");
    }
    if (status == BG_OK) {
        status = read_key(key, digits, err);
    }
    if (status == BG_OK && check_free(host, &ask, err) != BG_OK) { /* the operator's word counts */
        status = bg_error_set(err, err->status, "%s: set the key there, and let SIGHUP read it",
                              err->text);
    }
    if (status == BG_OK) {
        status = check_not_banned(host, name, key, err);
    }
    if (status == BG_OK) {
        status = people_reassign(&host->people, name, key, err);
    }
    return stored(host, status, answer, name, "belongs to another key from now on", err);
}

static void write_person(FILE *out, const char *state, const struct person *person)
{
    unsigned char key[KEY_FILE_BYTES];
    char at[UTC_TEXT], print[KEY_FILE_PRINT] = "";

    utc_write(at, person->at_s);
    if (key_read_hex(key, person->key)) {
        key_fingerprint(print, key);
    }
    fprintf(out, "%s  %s since %s, fingerprint %s%s%s\n", person->name, state, at, print,
            person->contact[0] == '\0' ? "" : ", ", person->contact);
}

enum bg_status host_registrations(struct host *host, char **answer, struct bg_error *err)
{
    enum bg_status status = check_porch(host, NULL, err);
    size_t size = 0;
    FILE *out = status == BG_OK ? open_memstream(answer, &size) : NULL;
    char until[UTC_TEXT];

    if (out == NULL) {
        return status == BG_OK ? bg_error_set(err, BG_E_MEMORY, "an answer") : status;
    }
    (void)people_sweep(&host->people, host_now());
    for (int i = 0; i < host->people.waiting_count; i++) {
        write_person(out, "waits", &host->people.waiting[i]);
    }
    for (int i = 0; i < host->people.known_count; i++) {
        write_person(out, "registered", &host->people.known[i]);
    }
    for (int i = 0; i < host->people.invited_count; i++) {
        utc_write(until, host->people.invited[i].until_s);
        fprintf(out, "%s  invited until %s\n", host->people.invited[i].name, until);
    }
    return fclose(out) == 0 ? BG_OK : bg_error_set(err, BG_E_MEMORY, "an answer");
}

void host_porch_status(FILE *out, const struct host *host)
{
    if (host->porch != NULL) {
        fprintf(out, "  registration: %s at %s, waiting: %d\n", people_words[host->config.policy],
                door_address(host->porch), host->people.waiting_count);
    }
}
