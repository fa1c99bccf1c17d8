/* host_porch.h - registration at a host: the porch, invitations, and the keys that are known.
 *
 * In the host's folder: host.people (people.h), allowed.yaml: the keys of `allow` and of all who
 * are registered, for the key `allow` of event files, and porch.bgref for authors.
 */
#ifndef REFEREE_HOST_HOST_PORCH_H
#define REFEREE_HOST_HOST_PORCH_H

#include "host_inside.h"

/* Reads who is registered and writes allowed.yaml, before the event files are read. Does nothing
 * without registration. BG_E_CONFIG, BG_E_FORMAT, BG_E_SYSTEM, BG_E_MEMORY. */
enum bg_status host_porch_prepare(struct host *host, const struct host_config *config,
                                  struct bg_error *err);
/* Writes allowed.yaml again: `allow` of this HOST.yaml may have changed. Errors as of
 * host_porch_prepare. */
enum bg_status host_porch_refresh(struct host *host, const struct host_config *config,
                                  struct bg_error *err);
/* Writes allowed.yaml if it could not be written after a registration. */
void host_porch_settle(struct host *host);
/* Opens the porch, if the host has one. Errors as of door_open. */
enum bg_status host_porch_open(struct host *host, struct bg_error *err);
void host_porch_close(struct host *host);

/* The acts of the admin; *answer is the caller's. BG_E_ARGUMENT, BG_E_SYSTEM, BG_E_MEMORY: nothing
 * has changed. days: "days=N", or NULL. */
enum bg_status host_invite(struct host *host, const char *name, const char *days, char **answer,
                           struct bg_error *err);
enum bg_status host_approve(struct host *host, const char *name, char **answer,
                            struct bg_error *err);
enum bg_status host_refuse(struct host *host, const char *name, char **answer,
                           struct bg_error *err);
/* Gives a registered name to the key of these digits; its old key's connections end. */
enum bg_status host_reassign(struct host *host, const char *name, const char *key,
                             const char *reason, char **answer, struct bg_error *err);
enum bg_status host_registrations(struct host *host, char **answer, struct bg_error *err);

/* Writes the state of registration for the status. */
void host_porch_status(FILE *out, const struct host *host);

#endif
