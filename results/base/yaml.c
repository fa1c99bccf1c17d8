/* Two passes over the bytes: the first only counts events, to refuse what would make the second,
 * which builds the tree, slow or deep. Nodes are numbers, not pointers, as libyaml has them: 0
 * is none, so a reader can pass on what yaml_find() did not find. */
#include "yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include <rules/clean.h>

#include "memory.h"
#include "plain_file.h"

struct yaml {
    char *name;
    bool loaded;
    yaml_document_t tree;
};

/* libyaml's function takes a non-const document but does not change it. */
static yaml_node_t *node_at(const struct yaml *yaml, int node)
{
    union {
        const yaml_document_t *lent;
        yaml_document_t *taken;
    } tree = {.lent = &yaml->tree};

    return yaml_document_get_node(tree.taken, node);
}

int yaml_root(const struct yaml *yaml)
{
    return node_at(yaml, 1) == NULL ? 0 : 1;
}

bool yaml_is_map(const struct yaml *yaml, int node)
{
    const yaml_node_t *at = node_at(yaml, node);

    return at != NULL && at->type == YAML_MAPPING_NODE;
}

bool yaml_is_list(const struct yaml *yaml, int node)
{
    const yaml_node_t *at = node_at(yaml, node);

    return at != NULL && at->type == YAML_SEQUENCE_NODE;
}

static bool yaml_is_text(const struct yaml *yaml, int node)
{
    const yaml_node_t *at = node_at(yaml, node);

    return at != NULL && at->type == YAML_SCALAR_NODE;
}

int yaml_line(const struct yaml *yaml, int node)
{
    const yaml_node_t *at = node_at(yaml, node);

    return at == NULL ? 1 : (int)at->start_mark.line + 1;
}

int yaml_count(const struct yaml *yaml, int node)
{
    const yaml_node_t *at = node_at(yaml, node);

    if (at != NULL && at->type == YAML_SEQUENCE_NODE) {
        return (int)(at->data.sequence.items.top - at->data.sequence.items.start);
    }
    if (at != NULL && at->type == YAML_MAPPING_NODE) {
        return (int)(at->data.mapping.pairs.top - at->data.mapping.pairs.start);
    }
    return 0;
}

int yaml_item(const struct yaml *yaml, int list, int i)
{
    return node_at(yaml, list)->data.sequence.items.start[i];
}

void yaml_pair(int *key, int *value, const struct yaml *yaml, int map, int i)
{
    const yaml_node_pair_t *pair = &node_at(yaml, map)->data.mapping.pairs.start[i];

    *key = pair->key;
    *value = pair->value;
}

enum bg_status yaml_error(struct bg_error *err, const struct yaml *yaml, int node, const char *what,
                          const char *format, ...)
{
    char message[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return bg_error_set(err, BG_E_CONFIG, "%.100s:%d: %s%s%s", yaml->name, yaml_line(yaml, node),
                        what == NULL ? "" : what, what == NULL ? "" : ": ", message);
}

enum bg_status yaml_text(const char **out, const struct yaml *yaml, int node, const char *what,
                         size_t most, struct bg_error *err)
{
    const yaml_node_t *at = node_at(yaml, node);
    const char *text;
    size_t hidden, used;
    char piece[CLEAN_PIECE];

    if (at == NULL || at->type != YAML_SCALAR_NODE) {
        return yaml_error(err, yaml, node, what, "one value is needed here, not a %s",
                          yaml_is_map(yaml, node) ? "map" : "list");
    }
    text = (const char *)at->data.scalar.value;
    if (at->data.scalar.length > most) {
        return yaml_error(err, yaml, node, what, "longer than %zu bytes", most);
    }
    /* It will stand in tables, pages and logs, where such a character could forge a line or a
     * name. */
    hidden = clean_find(text, at->data.scalar.length, CLEAN_LINE);
    if (hidden < at->data.scalar.length) {
        clean_piece(piece, &used, text + hidden, at->data.scalar.length - hidden, CLEAN_LINE);
        return yaml_error(err, yaml, node, what,
                          "byte %zu of the value is a control character, a line break or "
                          "cannot be seen (%s)",
                          hidden + 1, piece);
    }
    *out = text;
    return BG_OK;
}

int yaml_find(const struct yaml *yaml, int map, const char *name, int *twice)
{
    int found = 0;

    *twice = 0;
    for (int i = 0; i < yaml_count(yaml, map); i++) {
        int key, value;
        const char *text;

        yaml_pair(&key, &value, yaml, map, i);
        if (yaml_is_text(yaml, key) && yaml_text(&text, yaml, key, NULL, 64, NULL) == BG_OK &&
            strcmp(text, name) == 0) {
            *twice = found != 0 ? key : 0;
            found = value;
        }
    }
    return found;
}

/* libyaml stops before the invalid character, which is still in its buffer. */
static bool is_tab(const yaml_parser_t *parser)
{
    return parser->error == YAML_SCANNER_ERROR && parser->buffer.pointer < parser->buffer.last &&
           parser->buffer.pointer[0] == '\t';
}

/* Sets libyaml's message with its line number. */
static enum bg_status parser_error(struct bg_error *err, const char *name,
                                   const yaml_parser_t *parser)
{
    const char *problem = parser->problem == NULL ? "not readable" : parser->problem;

    if (parser->error == YAML_MEMORY_ERROR) {
        memory_none(0);
    }
    if (parser->error == YAML_READER_ERROR) {
        return bg_error_set(err, BG_E_CONFIG, "%.100s: not a text in UTF-8: %s at byte %zu", name,
                            problem, parser->problem_offset);
    }
    if (is_tab(parser)) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%.100s:%zu: not YAML: a tab where the line is indented; YAML takes "
                            "blanks only",
                            name, parser->problem_mark.line + 1);
    }
    return bg_error_set(err, BG_E_CONFIG, "%.100s:%zu: not YAML: %s%s%s", name,
                        parser->problem_mark.line + 1, problem, parser->context == NULL ? "" : ", ",
                        parser->context == NULL ? "" : parser->context);
}

/* The nesting that an event reports: +1 where a list or map begins, -1 where it ends. */
static int step_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return 1;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return -1;
    default:
        return 0;
    }
}

static bool has_anchor(const yaml_event_t *event)
{
    return (event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor != NULL) ||
           (event->type == YAML_SEQUENCE_START_EVENT &&
            event->data.sequence_start.anchor != NULL) ||
           (event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.anchor != NULL);
}

/* libyaml's time grows with the square of the nesting and of the anchors, and its recursion with
 * the nesting. So both are bounded before it builds a tree. */
static enum bg_status check_shape(const char *name, yaml_parser_t *parser, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int depth = 0, anchors = 0;
    bool more = true;

    while (more) {
        yaml_event_t event;
        size_t line;

        if (!yaml_parser_parse(parser, &event)) {
            return parser_error(err, name, parser);
        }
        line = event.start_mark.line + 1;
        depth += step_of(&event);
        anchors += has_anchor(&event);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (depth > YAML_DEPTH) {
            status = bg_error_set(err, BG_E_CONFIG,
                                  "%.100s:%zu: lists and maps are nested deeper than %d, the most "
                                  "that is read",
                                  name, line, YAML_DEPTH);
            more = false;
        } else if (anchors > YAML_ANCHORS) {
            status = bg_error_set(err, BG_E_CONFIG,
                                  "%.100s:%zu: more than %d anchors (&name), the most that are "
                                  "read; write the values out",
                                  name, line, YAML_ANCHORS);
            more = false;
        }
    }
    return status;
}

/* Loads one document; more text after it is an error. */
static enum bg_status load_tree(struct yaml *yaml, yaml_parser_t *parser, struct bg_error *err)
{
    yaml_document_t second;
    const yaml_node_t *root;
    enum bg_status status = BG_OK;

    if (!yaml_parser_load(parser, &yaml->tree)) {
        return parser_error(err, yaml->name, parser);
    }
    yaml->loaded = true;
    /* Nothing but comments: there is no second document to look for. */
    if (yaml_root(yaml) == 0) {
        return BG_OK;
    }
    if (!yaml_parser_load(parser, &second)) {
        return parser_error(err, yaml->name, parser);
    }
    root = yaml_document_get_root_node(&second);
    if (root != NULL) {
        status = bg_error_set(err, BG_E_CONFIG,
                              "%.100s:%zu: a second document begins; remove it and its '---'",
                              yaml->name, root->start_mark.line + 1);
    }
    yaml_document_delete(&second);
    return status;
}

static void begin(yaml_parser_t *parser, const void *bytes, size_t size)
{
    if (!yaml_parser_initialize(parser)) {
        memory_none(0);
    }
    yaml_parser_set_input_string(parser, bytes, size);
}

static enum bg_status parse_bytes(struct yaml **out, const char *name, const void *bytes,
                                  size_t size, struct bg_error *err)
{
    static const char database[] = "SQLite format 3";
    enum bg_status status;
    yaml_parser_t parser;
    struct yaml *yaml;

    if (size >= sizeof database && memcmp(bytes, database, sizeof database) == 0) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%.100s: a database of results, not a text; name the YAML file", name);
    }
    begin(&parser, bytes, size);
    status = check_shape(name, &parser, err);
    yaml_parser_delete(&parser);
    if (status != BG_OK) {
        return status;
    }
    yaml = memory_zeroed(1, sizeof *yaml);
    yaml->name = memory_text(name);
    begin(&parser, bytes, size);
    status = load_tree(yaml, &parser, err);
    yaml_parser_delete(&parser);
    if (status != BG_OK) {
        yaml_close(yaml);
        return status;
    }
    *out = yaml;
    return BG_OK;
}

static enum bg_status check_size(const char *name, size_t size, size_t most, struct bg_error *err)
{
    return size <= most ? BG_OK
                        : bg_error_set(err, BG_E_CONFIG,
                                       "%.100s: larger than %zu KiB, the most that is read", name,
                                       most / 1024);
}

enum bg_status yaml_parse(struct yaml **out, const char *name, const void *bytes, size_t size,
                          struct bg_error *err)
{
    enum bg_status status = check_size(name, size, YAML_BYTES, err);

    return status == BG_OK ? parse_bytes(out, name, bytes, size, err) : status;
}

static enum bg_status open_most(struct yaml **out, const char *path, size_t most,
                                struct bg_error *err)
{
    enum bg_status status = BG_OK;
    FILE *file;
    const char *why = plain_file_open(&file, path, most);
    char *bytes = memory_zeroed(most + 1, 1);
    size_t size;

    if (why != NULL) {
        status = bg_error_set(err, BG_E_CONFIG, "%.200s: %s", path, why);
        goto done;
    }
    /* One byte more than allowed, to notice a longer file without asking for its size. */
    size = fread(bytes, 1, most + 1, file);
    if (ferror(file)) {
        status = bg_error_set(err, BG_E_CONFIG, "read %.200s: %s", path, strerror(errno));
        goto done;
    }
    status = check_size(path, size, most, err);
    if (status == BG_OK) {
        status = parse_bytes(out, path, bytes, size, err);
    }
done:
    free(bytes);
    if (file != NULL) {
        fclose(file);
    }
    return status;
}

enum bg_status yaml_open(struct yaml **out, const char *path, struct bg_error *err)
{
    return open_most(out, path, YAML_BYTES, err);
}

enum bg_status yaml_open_list(struct yaml **out, const char *path, struct bg_error *err)
{
    return open_most(out, path, YAML_LIST_BYTES, err);
}

void yaml_close(struct yaml *yaml)
{
    if (yaml == NULL) {
        return;
    }
    if (yaml->loaded) {
        yaml_document_delete(&yaml->tree);
    }
    free(yaml->name);
    free(yaml);
}
