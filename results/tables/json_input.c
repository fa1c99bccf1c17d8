/* A file is read whole into jansson's tree and then walked by the reader of its kind: a reader
 * that knows the shape can name the path of what is wrong (input.results[3].a), which a
 * streaming parser could not, because members may come in any order. */
#include "json_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "base/memory.h"
#include "base/plain_file.h"
#include "json_read.h"

static const struct {
    const char *name;
    enum bg_status (*read)(struct json_input *out, const struct json_place *input);
} kinds[JSON_KIND_COUNT] = {
    [JSON_RATINGS] = {"ratings", json_read_ratings},
    [JSON_MONEY] = {"money", json_read_money},
    [JSON_INTERVAL] = {"interval", json_read_intervals},
    [JSON_PPG_TABLE] = {"ppg_table", json_read_encounters},
    [JSON_STANDINGS] = {"standings", json_read_encounters},
    [JSON_SPRT] = {"sprt", json_read_sprt},
    [JSON_FIBS] = {"fibs", json_read_fibs},
    [JSON_ERRORS] = {"errors", json_read_errors},
    [JSON_LUCK] = {"luck", json_read_luck},
};

/* Returns all kinds: "ratings, money, ... and luck". */
static const char *json_input_kinds(void)
{
    return "ratings, money, interval, ppg_table, standings, sprt, fibs, errors and luck";
}

static enum bg_status read_root(struct json_input *out, const struct json_place *root)
{
    struct json_place kind = json_member(root, "kind"), input = json_member(root, "input");
    const char *word = json_string_value(kind.value);
    const char *title = json_string_value(json_object_get(root->value, "name"));
    char what[128];
    enum bg_status status = BG_OK;

    if (!json_is_object(root->value)) {
        return bg_error_set(root->err, BG_E_FORMAT, "%s: needs an object with kind and input",
                            root->file);
    }
    if (word == NULL) {
        snprintf(what, sizeof what, "missing; there are %s", json_input_kinds());
        return json_wrong(&kind, what);
    }
    status = json_need_object(&input);
    if (status != BG_OK) {
        return status;
    }
    out->title = clean_copy(title != NULL ? title : root->file, CLEAN_LINE);
    if (out->title == NULL) {
        memory_none(strlen(root->file));
    }
    for (int k = 0; k < JSON_KIND_COUNT; k++) {
        if (strcmp(kinds[k].name, word) == 0) {
            out->kind = (enum json_kind)k;
            /* Unknown members first: a mistyped name would otherwise be reported as a missing
             * member, or be left out without a word. */
            status = json_check_known(out->kind, root, &input);
            return status == BG_OK ? kinds[k].read(out, &input) : status;
        }
    }
    return bg_error_set(root->err, BG_E_FORMAT, "%s: kind %.40s is not supported; there are %s",
                        root->file, word, json_input_kinds());
}

enum { INPUT_MOST = 256 << 20 }; /* a tree takes some twenty times its text */

enum bg_status json_input_read(struct json_input *out, const char *path, struct bg_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *file = standard ? "standard input" : path;
    FILE *in = stdin;
    const char *why = standard ? NULL : plain_file_open(&in, path, INPUT_MOST);
    enum bg_status status = BG_OK;
    json_error_t trouble;
    json_t *json = NULL;
    struct json_place root = {.file = file, .err = err};

    *out = (struct json_input){.options = RATING_OPTIONS_INIT, .fibs = FIBS_OPTIONS_INIT};
    if (why != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: %s", path, why);
    }
    /* Of two members with one name jansson would keep the last and say nothing. */
    json = json_loadf(in, JSON_REJECT_DUPLICATES, &trouble);
    if (json == NULL && ferror(in)) {
        status = bg_error_set(err, BG_E_SYSTEM, "read %s: %s", file, strerror(errno));
    } else if (json == NULL) {
        status = bg_error_set(err, BG_E_FORMAT, "%s:%d:%d: %s", file, trouble.line, trouble.column,
                              trouble.text);
    } else {
        root.value = json;
        status = read_root(out, &root);
    }
    /* What was read is in plain arrays and copies of names now; nothing points into the tree. */
    json_decref(json);
    if (!standard) {
        fclose(in);
    }
    if (status != BG_OK) {
        json_input_deinit(out);
    }
    return status;
}

void json_input_deinit(struct json_input *input)
{
    for (int i = 0; i < input->players; i++) {
        free(input->names[i]);
    }
    for (size_t i = 0; i < input->performances; i++) {
        free(input->performance[i].opponent);
    }
    for (size_t i = 0; input->test != NULL && i < input->count; i++) {
        free(input->test[i].row);
    }
    json_decref(input->index);
    free(input->title);
    free((void *)input->names);
    free(input->rating);
    free(input->performance);
    free(input->points);
    free(input->games);
    free(input->game_points);
    free(input->interval);
    free(input->ppg);
    free(input->standings);
    free(input->test);
    free(input->match);
    free(input->decision);
    free(input->roll);
    *input = (struct json_input){0};
}
