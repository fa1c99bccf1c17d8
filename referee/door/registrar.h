/* registrar.h - the author's side of the porch (porch.h): one request, one answer. */
#ifndef REFEREE_DOOR_REGISTRAR_H
#define REFEREE_DOOR_REGISTRAR_H

#include "host_file.h"
#include "proof/join_key.h"
#include "register.h"

enum { REGISTRAR_PATIENCE_S = 10 };

/* Asks the host's porch and waits for the answer. host->porch must not be "". BG_E_LINK: nobody
 * listens, the host does not prove its key, or gives no answer within REGISTRAR_PATIENCE_S;
 * BG_E_FORMAT: it answers something else; BG_E_MEMORY. */
enum bg_status registrar_ask(struct register_answer *out, const struct host_file *host,
                             const struct join_secret *own, const struct register_ask *ask,
                             struct bg_error *err);

#endif
