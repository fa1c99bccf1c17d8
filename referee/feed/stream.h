/* stream.h - writes lines to a file, a descriptor or a FIFO while the event runs.
 *
 * A slow reader does not delay the referee: unread lines are kept here up to a limit. A reader that
 * is too slow or gone, and a full disk, close the stream with a warning; the event continues. A
 * file cut short by a full disk still ends with a whole line. The caller must ignore SIGPIPE.
 */
#ifndef REFEREE_FEED_STREAM_H
#define REFEREE_FEED_STREAM_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_WAITING_BYTES = 16 << 20 }; /* most bytes that may wait for the reader */

struct stream;

/* target: "-" standard output, "fd:N", or a path. An existing file is replaced only if it is empty
 * or a stream of events. A FIFO does not need a reader yet. BG_E_ARGUMENT names the target and the
 * remedy; BG_E_SYSTEM. */
enum bg_status stream_open(struct stream **out, const char *target, struct bg_error *err);

/* Gives a reader that still reads up to wait_ns for the rest. NULL is fine. */
void stream_close(struct stream *stream, int64_t wait_ns);

/* Adds one line, without its line break. */
void stream_put(struct stream *stream, const char *line, size_t size);

/* Writes what can be written without blocking. Call regularly. */
void stream_pump(struct stream *stream);

/* Waits until little is left to write, at most wait_ns without progress. Use it before play, when a
 * wait delays no game. */
void stream_drain(struct stream *stream, int64_t wait_ns);

bool stream_is_open(const struct stream *stream);

#endif
