/* host_monitor.h - what a host tells those who monitor it: GET /metrics, /healthz and /readyz
 * by HTTP (loop/web.h) at a socket file of its user, and at a port of this machine if HOST.yaml
 * says so.
 *
 * Each running event writes FOLDER/INSTANCE.prom (or the file that its key `metrics` names) every
 * few seconds; /metrics is all of them as one, with the host's own numbers.
 */
#ifndef HOST_HOST_HOST_MONITOR_H
#define HOST_HOST_HOST_MONITOR_H

#include "host_inside.h"

/* Games of a running instance that are held for the director, as its file of metrics says. */
int host_monitor_held(const struct host *host, const char *instance);

/* Writes a line for each check of /healthz that fails. Not of the loop, which turns while it
 * writes, nor of events, of which `status` says more. */
void host_monitor_status(FILE *out, const struct host *host);

enum bg_status host_monitor_open(struct host *host, struct bg_error *err);
void host_monitor_close(struct host *host);

#endif
