/* Records are checked by their hashes while they are written: what leaves the database goes into
 * other programs, where nobody can check it any more. A match is put together in memory, because
 * whether the format can express it is known only with its last game. */
#include "export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include <base/memory.h>
#include <base/output.h>
#include <base/plain_file.h>

#include "store/counted.h"
#include "record/game_id.h"
#include "format.h"

struct exporter {
    const struct export_request *request;
    struct export_count *count;
    struct format_file file;
    char *name;       /* the match or session being written, as the beginning of its games' ids */
    bool spoilt;      /* the format cannot express one of its games */
    bool *found;      /* one for each entry of wanted */
    bool folder;      /* files of matches go into the folder request->output */
    int matches;      /* matches begun */
    uint64_t counted; /* only pairs below this; games of other pairs are surplus */
    struct output output; /* for a list, or a single match */
    enum bg_status status;
    struct bg_error *err;
};

/* ---- which games ---- */

/* Marks all that match and does not stop at the first: one game may be asked for by its id and
 * by its match. */
static bool is_wanted(struct exporter *exporter, const char *id)
{
    bool wanted = exporter->request->wanteds == 0;

    for (int i = 0; i < exporter->request->wanteds; i++) {
        if (game_id_is_part(id, exporter->request->wanted[i])) {
            exporter->found[i] = true;
            wanted = true;
        }
    }
    return wanted;
}

static bool look_for_game(void *user, const struct store_game *game)
{
    is_wanted(user, game->id);
    return true;
}

static bool look_for_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    (void)attempt;
    return look_for_game(user, game);
}

/* Checks before writing that every wanted id has a game. */
static enum bg_status check_wanted(struct exporter *exporter, struct store *store)
{
    enum bg_status status = BG_OK;

    if (exporter->request->wanteds > 0) {
        status = exporter->request->set_aside
                     ? store_all_set_aside(store, look_for_aside, exporter, exporter->err)
                     : store_all_games(store, false, look_for_game, exporter, exporter->err);
    }
    for (int i = 0; status == BG_OK && i < exporter->request->wanteds; i++) {
        if (!exporter->found[i]) {
            return bg_error_set(exporter->err, BG_E_ARGUMENT,
                                "game '%.150s': no such game; an id is 'A|B|pair|leg|game', its "
                                "beginning selects a match or a pairing",
                                exporter->request->wanted[i]);
        }
    }
    return status;
}

/* ---- where to ---- */

static bool has_suffix(const char *path, const char *name)
{
    size_t length = strlen(path), suffix = strlen(name);

    return length > suffix + 1 && path[length - suffix - 1] == '.' &&
           strcmp(path + length - suffix, name) == 0;
}

static bool is_standard(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

/* Makes the folder, unless it is there; never one above it, whose name may be mistyped. */
static enum bg_status make_export_folder(const char *path, struct bg_error *err)
{
    enum bg_status status = output_has_folder(path, "make folder", err);

    if (status == BG_OK && mkdir(path, 0777) != 0 && errno != EEXIST) {
        status = bg_error_set(err, BG_E_SYSTEM, "make folder %s: %s", path, strerror(errno));
    }
    if (status == BG_OK && !plain_is_folder(path)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s is a file, not a folder; name a folder, or one match and a "
                              "FILE with the format's ending",
                              path);
    }
    return status;
}

static enum bg_status open_list(struct exporter *exporter)
{
    const struct export_request *request = exporter->request;
    enum bg_status status;

    if (is_standard(request->output) || !plain_is_folder(request->output)) {
        status = output_open(&exporter->output, request->output, exporter->err);
    } else {
        char *path = memory_print("%s/games.%s", request->output, request->format->name);

        status = output_open(&exporter->output, path, exporter->err);
        free(path);
    }
    if (status == BG_OK) {
        fputs(request->format->top, exporter->output.file);
    }
    return status;
}

static enum bg_status open_outputs(struct exporter *exporter)
{
    const struct export_request *request = exporter->request;

    if (!request->format->by_match) {
        return open_list(exporter);
    }
    exporter->folder =
        !is_standard(request->output) &&
        (plain_is_folder(request->output) || !has_suffix(request->output, request->format->name));
    return exporter->folder ? make_export_folder(request->output, exporter->err)
                            : output_open(&exporter->output, request->output, exporter->err);
}

static enum bg_status close_outputs(struct exporter *exporter)
{
    if (exporter->folder) {
        return BG_OK;
    }
    if (!exporter->request->format->by_match) {
        fputs(exporter->request->format->bottom, exporter->output.file);
        exporter->count->files = 1;
    } else if (exporter->count->files == 0) {
        return BG_OK; /* the format can express none of the games: writes no file */
    }
    return output_close(&exporter->output, exporter->err);
}

/* ---- files of matches ---- */

/* "A,B,pair,leg.mat": names of bots contain no comma; other unsafe characters are replaced. */
static enum bg_status open_match(struct output *output, const struct exporter *exporter)
{
    char *path = memory_print("%s/%s.%s", exporter->request->output, exporter->name,
                              exporter->request->format->name);
    char *name = path + strlen(exporter->request->output) + 1;
    enum bg_status status;

    for (char *at = name; *at != '\0'; at++) {
        *at = *at == '|' ? ',' : *at == '/' || (unsigned char)*at < ' ' ? '_' : *at;
    }
    if (name[0] == '-') { /* a program takes such a name for an option */
        name[0] = '_';
    }
    status = output_open(output, path, exporter->err);
    free(path);
    return status;
}

static void put_bytes(FILE *out, const struct record *bytes)
{
    if (bytes->size > 0) {
        fwrite(bytes->text, 1, bytes->size, out);
    }
}

static enum bg_status write_match(struct exporter *exporter)
{
    struct output output = {0};
    enum bg_status status = BG_OK;

    if (!exporter->folder) {
        put_bytes(exporter->output.file, &exporter->file.head);
        put_bytes(exporter->output.file, &exporter->file.body);
        exporter->count->files++;
        return BG_OK;
    }
    status = open_match(&output, exporter);
    if (status == BG_OK) {
        put_bytes(output.file, &exporter->file.head);
        put_bytes(output.file, &exporter->file.body);
        status = output_close(&output, exporter->err);
        exporter->count->files += status == BG_OK;
    }
    output_discard(&output);
    return status;
}

static enum bg_status end_match(struct exporter *exporter)
{
    enum bg_status status = BG_OK;

    /* Nothing of it was written yet, so nothing has to be taken back. */
    if (exporter->spoilt) {
        exporter->count->refused++;
    } else if (exporter->file.games > 0) {
        status = write_match(exporter);
        exporter->count->games += exporter->file.games;
    }
    format_file_deinit(&exporter->file);
    free(exporter->name);
    exporter->name = NULL;
    exporter->spoilt = false;
    return status;
}

/* Games are sorted, so those of a match or session follow each other. */
static enum bg_status turn_to_match(struct exporter *exporter, const struct store_game *game)
{
    bool session = game->length_points == 0;
    enum bg_status status = BG_OK;
    char leg[BG_GAME_ID];
    struct game_id id;

    if (exporter->name != NULL && game_id_is_part(game->id, exporter->name)) {
        return BG_OK;
    }
    status = end_match(exporter);
    if (status != BG_OK) {
        return status;
    }
    if (!game_id_read(&id, game->id)) {
        return bg_error_set(exporter->err, BG_E_STORE, "game '%.150s': not a game id", game->id);
    }
    game_id_write_leg(leg, &id);
    /* Formats of matches have one match in a file; two behind each other would be read as one by
     * some programs. */
    if (++exporter->matches > 1 && !exporter->folder) {
        return bg_error_set(exporter->err, BG_E_ARGUMENT,
                            "more than one match or session in one file: give a folder with "
                            "--output, or select one, like '%s'",
                            leg);
    }
    exporter->name = session ? memory_print("%s|%s", id.a, id.b) : memory_text(leg);
    exporter->file.session = session;
    return BG_OK;
}

/* ---- games ---- */

static void note_game(struct format_file *file, const struct store_game *game)
{
    file->games++;
    if (game->winner >= 0) {
        file->score[game->winner] += game->points;
    }
}

static enum bg_status write_list_game(struct exporter *exporter, const struct store_game *game,
                                      const struct record_view *view, struct bg_error *err)
{
    const struct format *format = exporter->request->format;
    enum bg_status status = format->game(&exporter->file, game, view, err);

    if (status == BG_OK) {
        fputs(exporter->file.games == 0 ? "" : format->between, exporter->output.file);
        put_bytes(exporter->output.file, &exporter->file.body);
        note_game(&exporter->file, game);
        exporter->count->games++;
    }
    exporter->file.body.size = 0;
    return status;
}

static enum bg_status write_match_game(struct exporter *exporter, const struct store_game *game,
                                       const struct record_view *view, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (!exporter->spoilt) {
        status = exporter->request->format->game(&exporter->file, game, view, err);
    }
    if (status == BG_OK) {
        note_game(&exporter->file, game);
    }
    return status;
}

static enum bg_status write_game(struct exporter *exporter, const struct store_game *game)
{
    struct record_view *view = NULL;
    struct bg_error why = {0};
    enum bg_status status = record_read(&view, game->text, game->text_size, &why);

    if (status == BG_OK) {
        status = record_check_hash(view, &why);
    }
    if (status == BG_OK) {
        exporter->file.surplus = game->pair >= exporter->counted;
        status = exporter->request->format->by_match ? write_match_game(exporter, game, view, &why)
                                                     : write_list_game(exporter, game, view, &why);
    } else {
        status = bg_error_set(&why, BG_E_MISMATCH, "game %s: %.300s", game->id, why.text);
    }
    /* A match with a game left out would be another match; a session's games do not depend on
     * each other. */
    if (status == BG_E_ARGUMENT) { /* the format cannot express it */
        exporter->request->refused(why.text);
        exporter->spoilt = exporter->request->format->by_match && !exporter->file.session;
        exporter->count->refused += !exporter->spoilt;
        status = BG_OK;
    } else if (status != BG_OK) {
        bg_error_set(exporter->err, status, "%s", why.text);
    }
    record_view_destroy(view);
    return status;
}

static bool export_game(void *user, const struct store_game *game)
{
    struct exporter *exporter = user;

    if (!is_wanted(exporter, game->id)) {
        return true;
    }
    if (exporter->request->format->by_match) {
        exporter->status = turn_to_match(exporter, game);
    }
    if (exporter->status == BG_OK) {
        exporter->status = write_game(exporter, game);
    }
    return exporter->status == BG_OK;
}

static bool take_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    (void)attempt;
    return export_game(user, game);
}

enum bg_status export_write(struct export_count *count, struct store *store,
                            const struct export_request *request, struct bg_error *err)
{
    struct exporter exporter = {.request = request, .count = count, .err = err};
    enum bg_status status;

    *count = (struct export_count){0};
    exporter.found = memory_zeroed((size_t)request->wanteds, sizeof exporter.found[0]);
    status = counted_read(&exporter.counted, store, err);
    if (status == BG_OK) {
        status = check_wanted(&exporter, store);
    }
    if (status == BG_OK) {
        status = open_outputs(&exporter);
    }
    if (status == BG_OK) {
        status = request->set_aside ? store_all_set_aside(store, take_aside, &exporter, err)
                                    : store_all_games(store, true, export_game, &exporter, err);
    }
    if (status == BG_OK) {
        status = exporter.status;
    }
    if (status == BG_OK && request->format->by_match) {
        status = end_match(&exporter);
    }
    if (status == BG_OK) {
        status = close_outputs(&exporter);
    }
    output_discard(&exporter.output);
    format_file_deinit(&exporter.file);
    free(exporter.name);
    free(exporter.found);
    return status;
}
