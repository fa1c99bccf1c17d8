/* stream.h - lines that somebody reads while the event runs: to a file, a descriptor, a FIFO.
 *
 * A reader never holds the referee: what it has not taken yet is kept here up to a limit. A reader
 * that is too slow or gone, and a full disk, close the stream with a warning; the event goes on.
 * A file that was cut short by a full disk still ends with a whole line. SIGPIPE is ignored by
 * whoever uses this.
 */
#ifndef REFEREE_FEED_STREAM_H
#define REFEREE_FEED_STREAM_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_WAITING_BYTES = 16 << 20 }; /* most that waits for the reader */

struct stream;

/* target: "-" standard output, "fd:N", or a path. A file is written anew: only an empty one or a
 * stream of events is replaced. A FIFO need not have a reader yet. BG_E_ARGUMENT names the target
 * and the remedy; BG_E_SYSTEM. */
enum bg_status stream_open(struct stream **out, const char *target, struct bg_error *err);

/* Gives a reader that still takes some up to wait_ns for the rest. NULL is fine. */
void stream_close(struct stream *stream, int64_t wait_ns);

/* One line, without its line break. */
void stream_put(struct stream *stream, const char *line, size_t size);

/* Writes what can be written without waiting. Call now and then. */
void stream_pump(struct stream *stream);

/* Waits, at most wait_ns without any progress, until little is left to be written: for times at
 * which nobody is held up. */
void stream_drain(struct stream *stream, int64_t wait_ns);

bool stream_is_open(const struct stream *stream);

#endif
