/* live.h - the games that are in play, as referees tell them (referee/feed/broadcast.h), for the
 * pages of a site, for scripts and as streams.
 *
 *     /api/v1/live.json                      all of them, each with its last step
 *     /api/v1/stream                         the same as server-sent events
 *     /api/v1/stream?event=EVENT&game=GAME   every step of one
 *
 * docs/page.md has the members. It knows only what it is told.
 */
#ifndef GALLERY_LIVE_LIVE_H
#define GALLERY_LIVE_LIVE_H

#include "door/inside.h"
#include "loop/web.h"
#include "site/site.h"

struct live;

/* Adds the games in play to the pages of site, and streams of them to web; events that a referee
 * names are added to site. */
struct live *live_create(struct loop *loop, struct site *site, struct web *web);
/* Before web_stop and site_close. NULL is fine. */
void live_destroy(struct live *live);

/* The referee of an event is gone. */
void live_forget(struct live *live, const char *event);
/* Shows results that nobody plays; of those that are played nothing happens. */
void live_add_ended(struct live *live, const char *results);

/* A message of a referee. *event is what it has named, NULL at first; it is the caller's, by
 * referee, and lent. */
void live_take(struct live *live, const char **event, const Inside__Message *message);

/* Answers a request for one of the paths above. Returns the status; 0: it is none of them. */
int live_answer(struct live *live, const struct web_request *request, FILE *out,
                struct web_answer *answer);

#endif
