/* yaml.h - one YAML file as a tree whose every node knows its line.
 *
 * Files are foreign: size, nesting and text are checked here; what a node means is the caller's
 * business. Nodes are numbers that stay valid until document_close; 0 is no node. An alias is the
 * node it names, so a tree can be a graph: callers descend by a fixed depth only.
 */
#ifndef REFEREE_TEXT_YAML_H
#define REFEREE_TEXT_YAML_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

enum { DOCUMENT_BYTES = 256 * 1024 };

struct document;

/* BG_E_CONFIG: the file cannot be read, or file:line and what is wrong. */
enum bg_status document_open(struct document **out, const char *path, struct bg_error *err);

/* The same for bytes in memory; name stands for the file in messages. */
enum bg_status document_parse(struct document **out, const char *name, const void *bytes,
                              size_t size, struct bg_error *err);

void document_close(struct document *document);

/* The outermost node, or 0 when the file has no content. */
int document_root(const struct document *document);
bool document_is_map(const struct document *document, int node);
bool document_is_list(const struct document *document, int node);
bool document_is_text(const struct document *document, int node);
int document_line(const struct document *document, int node);

/* Entries of a map or items of a list; 0 for a text. */
int document_count(const struct document *document, int node);
int document_item(const struct document *document, int list, int i);
void document_pair(int *key, int *value, const struct document *document, int map, int i);

/* A text node of at most `most` bytes without control characters; lent. what names it in messages.
 */
enum bg_status document_text(const char **out, const struct document *document, int node,
                             const char *what, size_t most, struct bg_error *err);

/* Sets "file:line: what: story" and returns BG_E_CONFIG; what may be NULL. */
enum bg_status document_error(struct bg_error *err, const struct document *document, int node,
                              const char *what, const char *format, ...) BG_PRINTF(5, 6);

#endif
