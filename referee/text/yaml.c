#include "yaml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include <rules/clean.h>

struct document {
    char *name;
    bool loaded;
    yaml_document_t tree;
};

/* libyaml's lender is not const, but it changes nothing. */
static yaml_node_t *node_at(const struct document *document, int node)
{
    union {
        const yaml_document_t *lent;
        yaml_document_t *taken;
    } tree = {.lent = &document->tree};

    return yaml_document_get_node(tree.taken, node);
}

int document_root(const struct document *document)
{
    return node_at(document, 1) == NULL ? 0 : 1;
}

bool document_is_map(const struct document *document, int node)
{
    const yaml_node_t *at = node_at(document, node);

    return at != NULL && at->type == YAML_MAPPING_NODE;
}

bool document_is_list(const struct document *document, int node)
{
    const yaml_node_t *at = node_at(document, node);

    return at != NULL && at->type == YAML_SEQUENCE_NODE;
}

bool document_is_text(const struct document *document, int node)
{
    const yaml_node_t *at = node_at(document, node);

    return at != NULL && at->type == YAML_SCALAR_NODE;
}

int document_line(const struct document *document, int node)
{
    const yaml_node_t *at = node_at(document, node);

    return at == NULL ? 1 : (int)at->start_mark.line + 1;
}

int document_count(const struct document *document, int node)
{
    const yaml_node_t *at = node_at(document, node);

    if (at != NULL && at->type == YAML_SEQUENCE_NODE) {
        return (int)(at->data.sequence.items.top - at->data.sequence.items.start);
    }
    if (at != NULL && at->type == YAML_MAPPING_NODE) {
        return (int)(at->data.mapping.pairs.top - at->data.mapping.pairs.start);
    }
    return 0;
}

int document_item(const struct document *document, int list, int i)
{
    return node_at(document, list)->data.sequence.items.start[i];
}

void document_pair(int *key, int *value, const struct document *document, int map, int i)
{
    const yaml_node_pair_t *pair = &node_at(document, map)->data.mapping.pairs.start[i];

    *key = pair->key;
    *value = pair->value;
}

enum bg_status document_error(struct bg_error *err, const struct document *document, int node,
                              const char *what, const char *format, ...)
{
    char story[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(story, sizeof story, format, arguments);
    va_end(arguments);
    return bg_error_set(err, BG_E_CONFIG, "%.100s:%d: %s%s%s", document->name,
                        document_line(document, node), what == NULL ? "" : what,
                        what == NULL ? "" : ": ", story);
}

enum bg_status document_text(const char **out, const struct document *document, int node,
                             const char *what, size_t most, struct bg_error *err)
{
    const yaml_node_t *at = node_at(document, node);
    const char *text;
    size_t hidden, used;
    char piece[CLEAN_PIECE];

    if (at == NULL || at->type != YAML_SCALAR_NODE) {
        return document_error(err, document, node, what, "one value is needed here, not a %s",
                              document_is_map(document, node) ? "map" : "list");
    }
    text = (const char *)at->data.scalar.value;
    if (at->data.scalar.length > most) {
        return document_error(err, document, node, what, "longer than %zu bytes", most);
    }
    hidden = clean_find(text, at->data.scalar.length, CLEAN_LINE);
    if (hidden < at->data.scalar.length) {
        clean_piece(piece, &used, text + hidden, at->data.scalar.length - hidden, CLEAN_LINE);
        return document_error(err, document, node, what,
                              "byte %zu of the value is a control character, a line break or "
                              "cannot be seen (%s)",
                              hidden + 1, piece);
    }
    *out = text;
    return BG_OK;
}

/* libyaml stops before the character that it does not take, which is still in its buffer. */
static bool is_tab(const yaml_parser_t *parser)
{
    return parser->error == YAML_SCANNER_ERROR && parser->buffer.pointer < parser->buffer.last &&
           parser->buffer.pointer[0] == '\t';
}

/* What libyaml says, with the line where it says it. */
static enum bg_status parser_error(struct bg_error *err, const char *name,
                                   const yaml_parser_t *parser)
{
    const char *problem = parser->problem == NULL ? "not readable" : parser->problem;

    if (parser->error == YAML_MEMORY_ERROR) {
        return bg_error_set(err, BG_E_MEMORY, "%.100s", name);
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

/* One document, and nothing behind it. */
static enum bg_status load(struct document *document, yaml_parser_t *parser, struct bg_error *err)
{
    yaml_document_t second;
    const yaml_node_t *root;
    enum bg_status status = BG_OK;

    if (!yaml_parser_load(parser, &document->tree)) {
        return parser_error(err, document->name, parser);
    }
    document->loaded = true;
    if (document_root(document) == 0) {
        return BG_OK;
    }
    if (!yaml_parser_load(parser, &second)) {
        return parser_error(err, document->name, parser);
    }
    root = yaml_document_get_root_node(&second);
    if (root != NULL) {
        status = bg_error_set(err, BG_E_CONFIG,
                              "%.100s:%zu: a second document begins; remove it and its '---'",
                              document->name, root->start_mark.line + 1);
    }
    yaml_document_delete(&second);
    return status;
}

enum bg_status document_parse(struct document **out, const char *name, const void *bytes,
                              size_t size, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    yaml_parser_t parser;
    bool begun = false;
    struct document *document = calloc(1, sizeof *document);

    if (document == NULL || (document->name = strdup(name)) == NULL ||
        !yaml_parser_initialize(&parser)) {
        status = bg_error_set(err, BG_E_MEMORY, "%.100s", name);
        goto done;
    }
    begun = true;
    if (size > DOCUMENT_BYTES) {
        status = bg_error_set(err, BG_E_CONFIG, "%.100s: larger than %d KiB, the most that is read",
                              name, DOCUMENT_BYTES / 1024);
        goto done;
    }
    yaml_parser_set_input_string(&parser, bytes, size);
    status = load(document, &parser, err);
    if (status != BG_OK) {
        goto done;
    }
    *out = document;
    document = NULL; /* now the caller's */
done:
    if (begun) {
        yaml_parser_delete(&parser);
    }
    document_close(document);
    return status;
}

enum bg_status document_open(struct document **out, const char *path, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(DOCUMENT_BYTES + 1);
    size_t size;

    if (bytes == NULL) {
        status = bg_error_set(err, BG_E_MEMORY, "%.100s", path);
        goto done;
    }
    if (file == NULL) {
        status = bg_error_set(err, BG_E_CONFIG, "open %.200s: %s", path, strerror(errno));
        goto done;
    }
    size = fread(bytes, 1, DOCUMENT_BYTES + 1, file);
    if (ferror(file)) {
        status = bg_error_set(err, BG_E_CONFIG, "read %.200s: %s", path,
                              errno == EISDIR ? "a folder; name a file in it" : strerror(errno));
        goto done;
    }
    status = document_parse(out, path, bytes, size, err);
done:
    free(bytes);
    if (file != NULL) {
        fclose(file);
    }
    return status;
}

void document_close(struct document *document)
{
    if (document == NULL) {
        return;
    }
    if (document->loaded) {
        yaml_document_delete(&document->tree);
    }
    free(document->name);
    free(document);
}
