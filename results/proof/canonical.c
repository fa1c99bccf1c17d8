#include "canonical.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "record/record_date.h"
#include "verify.h"

struct export
{
    FILE *out;
    struct record text; /* of the current game */
    enum bg_status status;
    struct bg_error *err;
};

static bool is_written(struct export *export)
{
    if (export->status == BG_OK && ferror(export->out) != 0) {
        export->status =
            bg_error_set(export->err, BG_E_SYSTEM, "write the export: %s", strerror(errno));
    }
    return export->status == BG_OK;
}

/* The record must be undamaged and belong to this game. */
static enum bg_status read_game(struct record_view **out, const struct store_game *game,
                                struct bg_error *err)
{
    struct record_view *view = NULL;
    struct bg_error why = {0};
    enum bg_status status = BG_OK;

    if (record_read(&view, game->text, game->text_size, &why) != BG_OK ||
        record_check_hash(view, &why) != BG_OK) {
        status = bg_error_set(err, BG_E_MISMATCH, "game %s: %s", game->id, why.text);
        goto done;
    }
    if (strcmp(record_view_value(view, "id"), game->id) != 0 ||
        strcmp(record_view_hash(view), game->hash) != 0) {
        status = bg_error_set(err, BG_E_MISMATCH, "game %s: stored with the record of game %.180s",
                              game->id, record_view_value(view, "id"));
        goto done;
    }
    *out = view;
    view = NULL; /* now the caller's */
done:
    record_view_destroy(view);
    return status;
}

static bool write_game(void *user, const struct store_game *game)
{
    struct export *export = user;
    struct record_view *view = NULL;

    export->status = read_game(&view, game, export->err);
    if (export->status == BG_OK) {
        export->text.size = 0;
        record_canonical(&export->text, view);
    }
    if (export->status == BG_OK) {
        fputc('\n', export->out);
        fwrite(export->text.text, 1, export->text.size, export->out);
    }
    record_view_destroy(view);
    return is_written(export);
}

/* Leaves out the reason, which can contain times; only the fact that the fixture was not played is
 * a result. */
static void write_unplayed(void *user, const char *fixture, const char *bot, const char *why)
{
    struct export *export = user;

    (void)why;
    fprintf(export->out, "unplayed %s %s\n", fixture, bot == NULL ? "-" : bot);
}

enum bg_status canonical_write(FILE *out, struct store *store, struct bg_error *err)
{
    struct export export = {.out = out, .err = err};
    enum bg_status status;

    fputs("bgref-canonical 1\n", out);
    status = store_all_games(store, true, write_game, &export, err);
    if (status == BG_OK && export.status == BG_OK) {
        fputc('\n', out);
        status = store_all_unplayed(store, write_unplayed, &export, err);
        is_written(&export);
    }
    record_deinit(&export.text);
    return status != BG_OK ? status : export.status;
}

/* Records are written as they are stored, not parsed: also a damaged one, which verify then
 * finds. */
static bool write_record(void *user, const struct store_game *game)
{
    struct export *export = user;

    char date[RECORD_DATE];

    record_date_write(date, game->hash, game->at_s);
    fwrite(game->text, 1, game->text_size, export->out);
    fputs(date, export->out);
    return is_written(export);
}

static void count_aside(void *user, const struct store_attempt *attempt)
{
    *(uint64_t *)user += attempt->games;
}

static bool write_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    (void)attempt; /* the record has it */
    return write_record(user, game);
}

enum bg_status canonical_write_records(FILE *out, struct store *store, struct bg_error *err)
{
    struct export export = {.out = out, .err = err};
    uint64_t aside = 0;
    enum bg_status status = store_all_games(store, true, write_record, &export, err);

    if (status == BG_OK && export.status == BG_OK) {
        status = store_all_attempts(store, count_aside, &aside, err);
    }
    if (status == BG_OK && aside > 0) {
        fprintf(out, "%s%" PRIu64 "\n", VERIFY_ASIDE, aside);
        status = store_all_set_aside(store, write_aside, &export, err);
    }
    return status != BG_OK ? status : export.status;
}
