/* yaml.h - one YAML file as a tree whose every node knows its line.
 *
 * Files are foreign: size, nesting and text are checked here; what a node means is the caller's
 * business. Nodes are numbers that stay valid until yaml_close; 0 is no node. An alias is the
 * node it names, so a tree can be a graph: callers descend by a fixed depth only.
 */
#ifndef RESULTS_BASE_YAML_H
#define RESULTS_BASE_YAML_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    YAML_BYTES = 256 * 1024,
    YAML_LIST_BYTES = 4 * 1024 * 1024,
    YAML_DEPTH = 32,  /* nesting of lists and maps; no file of ours needs ten */
    YAML_ANCHORS = 64 /* names for values (&name) */
};

struct yaml;

/* Reads a YAML file. BG_E_CONFIG: the file cannot be read, or file:line and the error. */
enum bg_status yaml_open(struct yaml **out, const char *path, struct bg_error *err);
/* Also reads a long list, of at most YAML_LIST_BYTES. */
enum bg_status yaml_open_list(struct yaml **out, const char *path, struct bg_error *err);

/* Reads YAML from memory; name is the file name used in messages. */
enum bg_status yaml_parse(struct yaml **out, const char *name, const void *bytes, size_t size,
                          struct bg_error *err);

void yaml_close(struct yaml *yaml);

/* Returns the outermost node, or 0 if the file has no content. */
int yaml_root(const struct yaml *yaml);
bool yaml_is_map(const struct yaml *yaml, int node);
bool yaml_is_list(const struct yaml *yaml, int node);
int yaml_line(const struct yaml *yaml, int node);

/* Returns the number of entries of a map or items of a list; 0 for a text. */
int yaml_count(const struct yaml *yaml, int node);
int yaml_item(const struct yaml *yaml, int list, int i);
void yaml_pair(int *key, int *value, const struct yaml *yaml, int map, int i);

/* Returns the value node of the map's entry with this name, or 0; *twice is the key node of the
 * last duplicate entry, or 0. */
int yaml_find(const struct yaml *yaml, int map, const char *name, int *twice);

/* A text node of at most `most` bytes without control characters; lent. what names it in messages.
 */
enum bg_status yaml_text(const char **out, const struct yaml *yaml, int node, const char *what,
                         size_t most, struct bg_error *err);

/* Sets "file:line: what: message" and returns BG_E_CONFIG; what may be NULL. */
enum bg_status yaml_error(struct bg_error *err, const struct yaml *yaml, int node, const char *what,
                          const char *format, ...) BG_PRINTF(5, 6);

#endif
