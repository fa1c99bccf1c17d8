/* join_site.h - how to join a host from another machine, as a page, and registrations by it.
 *
 *     GET  /join            what to do, the host's key and its fingerprint
 *     GET  /join.bgref      the host's file
 *     POST /join/register   {"name", "key", "token", "contact"}, as JSON or as a form
 *
 * A registration is a line in the form of the list of keys (config/allow.h), in a file of its own:
 * the operator approves it by moving it to the list that the host reads. No other file is written.
 */
#ifndef GALLERY_JOIN_JOIN_SITE_H
#define GALLERY_JOIN_JOIN_SITE_H

#include "loop/web.h"

struct join_settings {
    const char *host;          /* path of HOST.bgref */
    const char *registrations; /* NULL: closed */
    const char *invitations;   /* a list of {name, token, until}; NULL: anybody may register */
};

struct join_site;

/* The paths are lent. BG_E_CONFIG: the host's file is not one. */
enum bg_status join_open(struct join_site **out, const struct join_settings *settings,
                         struct bg_error *err);
void join_close(struct join_site *site); /* NULL is fine */

/* Answers one of these paths; returns 0 for another. */
int join_answer(struct join_site *site, int64_t now_ns, const struct web_request *request,
                FILE *out, struct web_answer *answer);

#endif
