/* referees.h - whom a gallery hears: the program that has started it, and, for a host, the events
 * that connect to a socket file, each by its own referee (referee/feed/broadcast.h).
 */
#ifndef GALLERY_LIVE_REFEREES_H
#define GALLERY_LIVE_REFEREES_H

#include "live.h"

struct referees;

/* path: of the socket file; beside it are results, of which those that nobody plays are shown.
 * NULL: the program that has started us is the only referee. Its end stops the loop. */
enum bg_status referees_open(struct referees **out, struct loop *loop, struct live *live,
                             const char *path, struct bg_error *err);
/* Before live_destroy. NULL is fine. */
void referees_close(struct referees *referees);

#endif
