/* host_config.h - HOST.yaml: what a host plays when, and where it keeps it.
 *
 * Read like an event file: unknown keys are refused, times have units, and every message names
 * file:line: key. The event files are read too, so that a mistake in one is found before its start.
 */
#ifndef HOST_HOST_HOST_CONFIG_H
#define HOST_HOST_HOST_CONFIG_H

#include <bgref/error.h>

#include <stdint.h>

#include "calendar/agenda.h"
#include "config/allow.h"
#include "config/config.h"
#include "base/yaml.h"

/* Of the pages for monitoring with `metrics: yes`. */
#define HOST_METRICS "tcp://127.0.0.1:9464"

enum { HOST_PATH = 900, HOST_TEXT = 200, HOST_DOOR = 4000 };

struct host_event {
    char name[NAME_SIZE];      /* of the event file; the same in the agenda */
    char file[HOST_PATH];      /* EVENT.yaml */
    char results[HOST_PATH];   /* as the event file says; "": FOLDER/INSTANCE.db */
    char door[HOST_DOOR];      /* its door, borrowed from the host, as the key `door`; "" not so */
    char metrics[HOST_PATH];   /* as the event file says; "": FOLDER/INSTANCE.prom */
    char listen[HOST_TEXT];    /* of its own door; "" none */
    char door_key[HOST_PATH];  /* of its door; "" none */
    char (*bots)[NAME_SIZE];   /* owned: of the event file, those that enter late last; then "" */
    char (*remote)[NAME_SIZE]; /* owned: those of other machines; then "" */
    bool parks; /* each decision is stored: its games need not end when the host does */
    int share;  /* weight of its processes; 100 is usual */
    int line;   /* of HOST.yaml */
};

struct host_config {
    char file[HOST_PATH];
    char name[HOST_TEXT];
    char contact[HOST_TEXT]; /* "" none */
    struct config_door door; /* of all events; listen "": each has its own */
    char user[NAME_SIZE];    /* that a host becomes which root has started; "" none */
    char folder[HOST_PATH];  /* of the state, the journal, results, and what events print */
    char socket[HOST_PATH];  /* of the admin */
    char metrics[HOST_TEXT]; /* loopback address of the pages for monitoring; "" none */
    char page[HOST_TEXT];    /* address of its pages, "tcp://ADDRESS:PORT"; "" none */
    char registrations[HOST_PATH], invitations[HOST_PATH]; /* join/join_site.h; "" none */
    char log[HOST_PATH];       /* what the host prints; "": its standard output and error */
    bool hides_addresses;      /* logs have no addresses of strangers */
    int64_t back_ns;           /* it is expected back so long after its end */
    int64_t drain_ns;          /* most time for games to end when the host ends */
    char key[HOST_PATH];       /* file with the host's secret key; "" none */
    char allow[HOST_PATH];     /* allow.yaml, which its operator writes; "" none */
    int allow_line;            /* of HOST.yaml */
    struct host_event *events; /* owned; in the order of HOST.yaml */
    struct agenda rules;       /* owned; the same events without instances */
};

/* Reads HOST.yaml and its event files. BG_E_CONFIG: file:line: key and the mistake. On failure
 * *out needs no deinit. */
enum bg_status host_config_read(struct host_config *out, const char *path, struct bg_error *err);
void host_config_deinit(struct host_config *config);

/* Reads the sections but not the event files; for those who only ask a running host. */
enum bg_status host_config_read_sections(struct host_config *out, const char *path,
                                         struct bg_error *err);

/* Reads the operator's list of keys; without one *out is empty. BG_E_CONFIG: file:line: allow: and
 * the mistake: *out is empty too. */
enum bg_status host_config_allow(struct allow_list *out, const struct host_config *config,
                                 struct bg_error *err);

/* Returns the event with this name, or NULL. Lent. */
const struct host_event *host_config_find(const struct host_config *config, const char *name);

#endif
