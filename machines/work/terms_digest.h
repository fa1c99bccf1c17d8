/* terms_digest.h - one digest over all that results of two bots depend on.
 *
 * Coordinator and worker compute it, each with the digests of its own programs: the settings of the
 * event, the two bots, the conditions of their pairing, and the format of records. Results under
 * other terms are refused, so a changed event file needs no cleaning of queues.
 */
#ifndef MACHINES_WORK_TERMS_DIGEST_H
#define MACHINES_WORK_TERMS_DIGEST_H

#include "work.h"

enum { TERMS_DIGEST = 32 };

/* BLAKE2b-256. a, b: bots of the event, in either order. Returns false if one is not in it. */
bool terms_digest(uint8_t out[TERMS_DIGEST], const Bgref__Work__V1__Event *event, const char *a,
                  const char *b, const char *conditions);

#endif
