/* play_site.h - the pages of a person's seat.
 *
 *     GET  /play/TOKEN            the page
 *     GET  /play/TOKEN/events     the state, and each one after it (server-sent events)
 *     GET  /play/TOKEN/path       ?decision=12&moves=24.6: where these single moves lead
 *     POST /play/TOKEN/answer     {"decision": "12", "answer": "roll"}
 *     /style.css /play.css /play.js /board.js /icon.svg
 *
 * TOKEN is 128 random bits: whoever has the link has the seat. One page holds it at a time: events
 * and answer have ?holder=ID, which a page chooses. Another one is refused (409) until the streams
 * of the first have ended.
 */
#ifndef GALLERY_PLAY_PLAY_SITE_H
#define GALLERY_PLAY_PLAY_SITE_H

#include "loop/web.h"
#include "person.h"

enum { PLAY_TOKEN = 33, PLAY_HOLDER = 65 };

struct play_site {
    struct person *person;
    struct loop *loop;
    char token[PLAY_TOKEN];
    char origin[300]; /* "http://127.0.0.1:8000", which answers come from */
    char holder[PLAY_HOLDER];
    struct web *web;
    struct web_channel *channel;
    uint64_t sent; /* number of the state that the channel has */
};

/* Makes a new token, and serves at fd, which it takes. person, loop and origin are set before. */
enum bg_status play_site_start(struct play_site *site, int fd, struct bg_error *err);

/* Sends the state to the page if it has changed. */
void play_site_settle(struct play_site *site);

/* Whether a page is open. */
bool play_site_is_read(const struct play_site *site);

#endif
