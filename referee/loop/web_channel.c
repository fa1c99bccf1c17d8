/* Channels: what is sent once and read by many. Each event is kept as the text that goes out, and a
 * stream is a place in that list. A stream that has everything is suspended: libmicrohttpd does not
 * look at it, and events go into its socket from here. It is resumed where its socket is full, so
 * that libmicrohttpd waits for room. Each event through libmicrohttpd cost a fifth more, beside
 * what the kernel takes for its send (docs/campaigns/2026-11-29-page.txt). */
#include "web_inside.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"

#define STUCK_NS (15 * WEB_S_NS)
#define IDLE_NS  (20 * WEB_S_NS)

/* Of a stream in the kernel; else that takes megabytes for a reader that never reads. */
enum { SEND_BYTES = 16384, BLOCK = 256 /* that libmicrohttpd sends when there is room again */ };

#define COMMENT ":\n\n"

struct web_channel {
    struct web *web;
    char *name;
    TAILQ_ENTRY(web_channel) place;
    struct web_peers streams;
    int count;
    uint64_t epoch, last;   /* number of the last event; 0: none so far */
    uint64_t given;         /* the last event that went to the streams that wait */
    uint64_t first;         /* the oldest that is kept, last + 1: none is */
    char *events[WEB_RING]; /* owned; number n is at n % WEB_RING */
    bool is_ending;         /* destroyed by its owner; goes with its last stream */
};

/* ------------------------------------------------------------------ streams */

static void free_channel(struct web_channel *channel)
{
    TAILQ_REMOVE(&channel->web->channels, channel, place);
    for (int i = 0; i < WEB_RING; i++) {
        free(channel->events[i]);
    }
    free(channel->name);
    free(channel);
}

static void resume(struct web_peer *peer, int64_t now_ns)
{
    if (peer->stream.waits) {
        peer->stream.waits = false;
        peer->stream.moved_ns = now_ns;
        mhd.resume_connection(peer->connection);
        web_wake(peer->web);
    }
}

void web_stream_leave(struct web_peer *peer)
{
    struct web_channel *channel = peer->stream.channel;

    resume(peer, 0);
    TAILQ_REMOVE(&channel->streams, peer, place);
    channel->count--;
    peer->web->counts.streams--;
    free(peer->stream.opening);
    peer->stream = (struct web_stream){.channel = NULL};
    if (channel->is_ending && channel->count == 0) {
        free_channel(channel);
    }
}

/* What the stream has to send next: the opening, then event by event; NULL: it has all. */
static const char *next_text(const struct web_stream *stream)
{
    if (stream->opening != NULL) {
        return stream->opening;
    }
    return stream->next <= stream->channel->last ? stream->channel->events[stream->next % WEB_RING]
                                                 : NULL;
}

static void end_text(struct web_stream *stream)
{
    stream->sent = 0;
    if (stream->opening != NULL) {
        free(stream->opening);
        stream->opening = NULL;
    } else {
        stream->next++;
    }
}

/* The peer has so many bytes more of what the stream owes. */
static void took(struct web_stream *stream, size_t bytes)
{
    const char *text;

    while (bytes > 0 && (text = next_text(stream)) != NULL) {
        const size_t left = strlen(text + stream->sent), part = bytes < left ? bytes : left;

        bytes -= part;
        stream->sent += part;
        if (part == left) {
            end_text(stream);
        }
    }
}

/* Returns false if the socket is full, or broken: libmicrohttpd finds out which. */
static bool send_some(struct web_peer *peer, const char *text, size_t size, int more)
{
    ssize_t sent = send(peer->fd, text, size, MSG_DONTWAIT | MSG_NOSIGNAL | more);

    took(&peer->stream, sent > 0 ? (size_t)sent : 0);
    return sent == (ssize_t)size;
}

/* Sends what the stream owes. */
static bool send_owed(struct web_peer *peer)
{
    const struct web_stream *stream = &peer->stream;
    const char *text;
    bool is_sent = true;

    while (is_sent && (text = next_text(stream)) != NULL) {
        const bool is_last = stream->next + (stream->opening == NULL) > stream->channel->last;

        text += stream->sent;
        is_sent = send_some(peer, text, strlen(text), is_last ? 0 : MSG_MORE);
    }
    return is_sent;
}

/* libmicrohttpd calls it when the head is sent, and when the peer takes more. */
static ssize_t read_stream(void *user, uint64_t position, char *out, size_t room)
{
    struct web_peer *peer = user;
    struct web_stream *stream = &peer->stream;
    size_t used = 0;

    (void)position;
    if (stream->channel == NULL) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (!send_owed(peer)) {
        const char *text = next_text(stream) + stream->sent;

        used = strlen(text) < room ? strlen(text) : room;
        memcpy(out, text, used);
        took(stream, used);
    } else if (stream->channel->is_ending) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    } else if (stream->owes_comment) {
        used = strlen(COMMENT);
        memcpy(out, COMMENT, used);
    }
    stream->owes_comment = false;
    stream->moved_ns = loop_now(peer->web->loop);
    if (used == 0) {
        stream->waits = true;
        mhd.suspend_connection(peer->connection);
    }
    return (ssize_t)used;
}

/* One line: JSON has line breaks only between its parts, where a space is as good. */
static char *make_event(const struct web_channel *channel, const char *kind, const char *json)
{
    char *text = memory_print("id: %" PRIx64 "-%" PRIu64 "\nevent: %s\ndata: %s", channel->epoch,
                              channel->last, kind, json);
    char *data = strstr(text, "\ndata: ") + 1, *event;

    for (char *c = data; *c != '\0'; c++) {
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    event = memory_print("%s\n\n", text);
    free(text);
    return event;
}

/* Returns whether a reader that has seen the event can go on behind it. */
static bool can_go_on(uint64_t *seen, const struct web_channel *channel, const char *id)
{
    char *end = NULL;
    uint64_t epoch = strtoull(id, &end, 16);

    if (end == id || *end != '-' || epoch != channel->epoch) {
        return false;
    }
    id = end + 1;
    *seen = strtoull(id, &end, 10);
    return end != id && *end == '\0' && *seen <= channel->last && *seen + 1 >= channel->first;
}

struct MHD_Response *web_stream_open(struct web_peer *peer, struct web_channel *channel,
                                     const char *last_event_id, const char *snapshot)
{
    const char *reset = last_event_id[0] == '\0' ? "" : "event: reset\ndata: {}\n\n";
    const int size = SEND_BYTES;
    struct web_stream *stream = &peer->stream;
    struct MHD_Response *out;
    char *event;

    TAILQ_REMOVE(&peer->web->pages, peer, place);
    peer->web->counts.pages--;
    TAILQ_INSERT_TAIL(&channel->streams, peer, place);
    channel->count++;
    peer->web->counts.streams++;
    peer->web->counts.streams_total++;
    *stream = (struct web_stream){.channel = channel, .joined = channel->last + 1};
    stream->moved_ns = loop_now(peer->web->loop);
    if (can_go_on(&stream->next, channel, last_event_id)) {
        stream->next++;
        stream->opening = memory_text("retry: 2000\n\n");
    } else {
        stream->next = channel->last + 1;
        event = make_event(channel, "snapshot", snapshot);
        stream->opening = memory_print("retry: 2000\n\n%s%s", reset, event);
        free(event);
    }
    (void)setsockopt(peer->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    out = mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, peer, NULL);
    /* Without chunks: what goes into the socket is the same for libmicrohttpd and for us. */
    (void)(out != NULL && mhd.set_response_options(out, MHD_RF_HTTP_VERSION_1_0_ONLY, MHD_RO_END));
    return out;
}

/* ------------------------------------------------------------------ channels */

struct web_channel *web_channel_create(struct web *web, const char *name)
{
    struct web_channel *channel = memory_zeroed(1, sizeof *channel);

    channel->web = web;
    channel->name = memory_text(name);
    channel->epoch = (uint64_t)loop_wall();
    channel->first = 1;
    TAILQ_INIT(&channel->streams);
    TAILQ_INSERT_TAIL(&web->channels, channel, place);
    return channel;
}

struct web_channel *web_channel_find(const struct web *web, const char *name)
{
    struct web_channel *channel;

    for (channel = TAILQ_FIRST(&web->channels); channel != NULL;
         channel = TAILQ_NEXT(channel, place)) {
        if (!channel->is_ending && strcmp(channel->name, name) == 0) {
            return channel;
        }
    }
    return NULL;
}

int web_channel_streams(const struct web_channel *channel)
{
    return channel->count;
}

static void drop(struct web_peer *peer)
{
    peer->web->counts.dropped_lag++;
    web_cut(peer);
}

/* A stream's lag counts from where it joined, because one that comes again may have a whole ring to
 * read. What has left the ring cannot be sent. */
static bool lags(const struct web_stream *stream)
{
    const uint64_t last = stream->channel->last;
    const uint64_t from = stream->next > stream->joined ? stream->next : stream->joined;

    return last + 1 - from > WEB_LAG || last + 1 - stream->next > WEB_RING;
}

/* Returns the events from there on as one text, for the caller to free. */
static char *join_events(size_t *size, const struct web_channel *channel, uint64_t from)
{
    char *text = NULL;
    FILE *out = memory_stream(&text, size);

    for (; from <= channel->last; from++) {
        fputs(channel->events[from % WEB_RING], out);
    }
    memory_stream_close(out);
    return text;
}

/* Sends what is new to each stream that waits, all in one send. A stream that came in this round
 * gets it from libmicrohttpd, and so does one whose socket was full. */
static void give_all(struct web_channel *channel)
{
    const int64_t now_ns = loop_now(channel->web->loop);
    const uint64_t from = channel->given + 1;
    struct web_peer *peer, *after;
    size_t size;
    char *text;

    if (from > channel->last || channel->is_ending) {
        return;
    }
    text = join_events(&size, channel, from);
    channel->given = channel->last;
    for (peer = TAILQ_FIRST(&channel->streams); peer != NULL; peer = after) {
        after = TAILQ_NEXT(peer, place);
        if (!peer->stream.waits && lags(&peer->stream)) {
            drop(peer);
        } else if (peer->stream.waits && peer->stream.next == from &&
                   send_some(peer, text, size, 0)) {
            peer->stream.moved_ns = now_ns;
        } else {
            resume(peer, now_ns);
        }
    }
    free(text);
}

void web_channel_send(struct web_channel *channel, const char *kind, const char *json)
{
    char **place;

    assert(kind[0] != '\0' && kind[strspn(kind, "abcdefghijklmnopqrstuvwxyz_")] == '\0');
    channel->last++;
    place = &channel->events[channel->last % WEB_RING];
    free(*place);
    *place = make_event(channel, kind, json);
    if (channel->last - channel->first >= WEB_RING) {
        channel->first = channel->last - WEB_RING + 1;
    }
    if (channel->last - channel->given >= WEB_LAG) {
        give_all(channel);
    } else {
        web_wake(channel->web);
    }
}

void web_channels_give(struct web *web)
{
    struct web_channel *channel;

    for (channel = TAILQ_FIRST(&web->channels); channel != NULL;
         channel = TAILQ_NEXT(channel, place)) {
        give_all(channel);
    }
}

void web_channel_reset(struct web_channel *channel, const char *snapshot)
{
    const int64_t now_ns = loop_now(channel->web->loop);
    uint64_t epoch = (uint64_t)loop_wall();
    struct web_peer *peer;
    char *event;

    give_all(channel);
    channel->epoch = epoch > channel->epoch ? epoch : channel->epoch + 1;
    event = make_event(channel, "snapshot", snapshot);
    for (peer = TAILQ_FIRST(&channel->streams); peer != NULL; peer = TAILQ_NEXT(peer, place)) {
        struct web_stream *stream = &peer->stream;
        const bool is_within = stream->sent > 0;
        const char *rest = is_within ? next_text(stream) + stream->sent : stream->opening;
        const size_t size = is_within ? strlen(rest) : rest == NULL ? 0 : stream->rest;
        char *opening = memory_print("%.*sevent: reset\ndata: {}\n\n%s", (int)size,
                                     size == 0 ? "" : rest, event);

        stream->rest = size;
        free(stream->opening);
        stream->opening = opening;
        stream->sent = 0;
        stream->next = channel->last + 1;
        stream->joined = stream->next;
        resume(peer, now_ns);
    }
    channel->first = channel->last + 1;
    free(event);
}

void web_channel_destroy(struct web_channel *channel)
{
    struct web_peer *peer;

    if (channel == NULL) {
        return;
    }
    give_all(channel);
    if (channel->count == 0) {
        free_channel(channel);
        return;
    }
    channel->is_ending = true;
    for (peer = TAILQ_FIRST(&channel->streams); peer != NULL; peer = TAILQ_NEXT(peer, place)) {
        resume(peer, loop_now(channel->web->loop));
    }
}

void web_channels_sweep(struct web *web, int64_t now_ns)
{
    struct web_channel *channel, *channel_after;
    struct web_peer *peer, *after;

    for (channel = TAILQ_FIRST(&web->channels); channel != NULL; channel = channel_after) {
        channel_after = TAILQ_NEXT(channel, place);
        for (peer = TAILQ_FIRST(&channel->streams); peer != NULL; peer = after) {
            int64_t still_ns = now_ns - peer->stream.moved_ns;

            after = TAILQ_NEXT(peer, place);
            if (!peer->stream.waits && still_ns > STUCK_NS) {
                drop(peer);
            } else if (peer->stream.waits && still_ns >= IDLE_NS) {
                peer->stream.owes_comment = true;
                resume(peer, now_ns);
            }
        }
    }
}

void web_channels_stop(struct web *web)
{
    struct web_channel *channel;

    while ((channel = TAILQ_FIRST(&web->channels)) != NULL) {
        int left = channel->count;

        channel->is_ending = true;
        if (left == 0) {
            free_channel(channel);
        }
        for (; left > 0; left--) { /* the last one frees it */
            web_cut(TAILQ_FIRST(&channel->streams));
        }
    }
}
