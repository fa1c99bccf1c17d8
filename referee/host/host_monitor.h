/* host_monitor.h - what a host tells those who monitor it: GET /metrics, /healthz and /readyz
 * (host_pages.h).
 *
 * Each running event writes FOLDER/INSTANCE.prom (or the file that its key `metrics` names) every
 * few seconds; /metrics is all of them as one, with the host's own numbers.
 */
#ifndef REFEREE_HOST_HOST_MONITOR_H
#define REFEREE_HOST_HOST_MONITOR_H

#include "host_inside.h"

enum bg_status host_monitor_open(struct host *host, struct bg_error *err);
void host_monitor_close(struct host *host);

#endif
