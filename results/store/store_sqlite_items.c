/* One item of the queue, written in the transaction of its group; on the store's thread. */
#include "store_sqlite.h"

#include <stdlib.h>
#include <string.h>

#include "record/game_id.h"
#include "record/record_text.h"

#define KEY_OF(game)                                                                               \
    sqlite_text((game)->a), sqlite_text((game)->b), sqlite_number((int64_t)(game)->pair),          \
        sqlite_number((game)->leg), sqlite_number((game)->game)

/* The id is already stored: ignores the game if it is the same, else sets *conflict. A referee
 * that was killed may put a game again that is already durable. */
static bool compare_game(struct sqlite_store *store, const struct store_game *game,
                         struct bg_error *conflict)
{
    sqlite3_stmt *sql = store->sql[SQL_HASH];
    int code;

    sqlite_bind(sql, SQLITE_VALUES(KEY_OF(game)));
    code = sqlite3_step(sql);
    if (code == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(sql, 0), game->hash) != 0) {
        bg_error_set(conflict, BG_E_STORE,
                     "results %s: game %s is stored already with another record (hash %.12s, new "
                     "%.12s)",
                     store->path, game->id, (const char *)sqlite3_column_text(sql, 0), game->hash);
    }
    sqlite3_reset(sql);
    return code == SQLITE_ROW;
}

static bool write_fault(struct sqlite_store *store, const struct store_fault *fault)
{
    return sqlite_run(
        store->sql[SQL_FAULT],
        SQLITE_VALUES(
            sqlite_text(fault->game_id), sqlite_text(fault->bot),
            sqlite_text(bg_fault_name(fault->fault)), sqlite_number((int64_t)fault->decision),
            sqlite_text(fault->rule), sqlite_text(fault->position_id), sqlite_text(fault->xgid),
            sqlite_text(fault->dice), sqlite_text(fault->reply), sqlite_text(fault->stderr_tail),
            sqlite_text(fault->legal), sqlite_text(fault->reproduce), sqlite_text(fault->story)));
}

static bool write_game(struct sqlite_store *store, struct store_item *item,
                       struct bg_error *conflict)
{
    const struct store_game *game = item->as.game;
    const char *fault = game->end == BG_END_FAULT ? bg_fault_name(game->fault) : NULL;
    const struct sqlite_value row[] = {
        KEY_OF(game),
        sqlite_number(game->length_points),
        sqlite_number(game->winner),
        sqlite_number(game->points),
        sqlite_number(game->level),
        sqlite_text(record_end_word(game->end)),
        sqlite_text(fault),
        sqlite_number(game->turns),
        sqlite_number(game->score_a),
        sqlite_number(game->score_b),
        sqlite_number(game->match_over),
        sqlite_number(game->match_winner),
        sqlite_number(game->left_ns[0]),
        sqlite_number(game->left_ns[1]),
        sqlite_text(game->hash),
        {.kind = SQLITE_TEXT,
         .bytes = game->text == NULL ? "" : game->text,
         .size = game->text == NULL ? 0 : game->text_size},
    };
    const int columns = sizeof row / sizeof row[0];

    if (!sqlite_run(store->sql[SQL_GAME], row, columns)) {
        return false;
    }
    /* The statement ignores a row that is there; only the number of changes tells. */
    item->is_new = sqlite3_changes(store->writer) == 1;
    if (!item->is_new) {
        return compare_game(store, game, conflict);
    }
    sqlite_seal_row(store, SEAL_GAME, row, columns - 1); /* records are proved by their hashes */
    return sqlite_steps_drop(store, game) && sqlite_date_game(store, game) &&
           sqlite_tally_game(store, game) &&
           (game->evidence == NULL || write_fault(store, game->evidence));
}

static bool write_judgement(struct sqlite_store *store, const struct judgement *judgement)
{
    char *rolls = judgement_rolls_text(judgement);
    char *choices = judgement->has_choices ? judgement_choices_text(judgement) : NULL;
    bool is_written;

    is_written = sqlite_run(
        store->sql[SQL_JUDGEMENT],
        SQLITE_VALUES(sqlite_text(judgement->judge), sqlite_text(judgement->hash),
                      sqlite_real(judgement->luck[0]), sqlite_real(judgement->luck[1]),
                      sqlite_number(judgement->cpu_ns), sqlite_text(rolls), sqlite_text(choices)));
    /* The statement lives on, and must not keep pointers to texts that are freed now. */
    sqlite3_clear_bindings(store->sql[SQL_JUDGEMENT]);
    free(rolls);
    free(choices);
    return is_written;
}

static bool write_unplayed(struct sqlite_store *store, const struct store_item *item)
{
    struct game_id id;

    if (!game_id_read_leg(&id, item->as.text.first)) {
        return true; /* put has already refused an invalid name */
    }
    return sqlite_run(store->sql[SQL_UNPLAYED],
                      SQLITE_VALUES(sqlite_text(id.a), sqlite_text(id.b),
                                    sqlite_number((int64_t)id.pair), sqlite_number(id.leg),
                                    sqlite_text(item->as.text.second),
                                    sqlite_text(item->as.text.third)));
}

bool sqlite_write_item(struct sqlite_store *store, struct store_item *item,
                       struct bg_error *conflict)
{
    switch (item->kind) {
    case STORE_ITEM_GAME:
        return write_game(store, item, conflict);
    case STORE_ITEM_FAULT:
        return write_fault(store, item->as.fault);
    case STORE_ITEM_JUDGEMENT:
        return write_judgement(store, item->as.judgement);
    case STORE_ITEM_META:
        return sqlite_run(store->sql[SQL_META], SQLITE_VALUES(sqlite_text(item->as.text.first),
                                                              sqlite_text(item->as.text.second)));
    case STORE_ITEM_UNPLAYED:
        return write_unplayed(store, item);
    case STORE_ITEM_ASIDE:
        return sqlite_aside_write(store, item);
    case STORE_ITEM_AGAIN:
        return sqlite_again_write(store, item);
    case STORE_ITEM_REOPEN:
        return sqlite_run(store->sql[SQL_REOPEN], SQLITE_VALUES(sqlite_text(item->as.text.first)));
    case STORE_ITEM_ACT:
        return sqlite_acts_write(store, item->as.act);
    case STORE_ITEM_STEPS:
        return sqlite_steps_write(store, item->as.steps);
    }
    return false;
}
