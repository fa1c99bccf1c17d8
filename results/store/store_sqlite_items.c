/* One item of the queue, written in the transaction of its group; on the store's thread. */
#include "store_sqlite.h"

#include <stdlib.h>
#include <string.h>

#include "record/game_id.h"
#include "record/record_text.h"

bool sqlite_run(sqlite3_stmt *sql)
{
    int code = sqlite3_step(sql);

    sqlite3_reset(sql);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

static void bind_key(sqlite3_stmt *sql, const struct store_game *game)
{
    sqlite_bind_text(sql, 1, game->a);
    sqlite_bind_text(sql, 2, game->b);
    sqlite3_bind_int64(sql, 3, (int64_t)game->pair);
    sqlite3_bind_int(sql, 4, game->leg);
    sqlite3_bind_int(sql, 5, game->game);
}

/* The id is already stored: ignores the game if it is the same, else sets *conflict. */
static bool compare_game(struct sqlite_store *store, const struct store_game *game,
                         struct bg_error *conflict)
{
    sqlite3_stmt *sql = store->sql[SQL_HASH];

    bind_key(sql, game);

    int code = sqlite3_step(sql);

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
    sqlite3_stmt *sql = store->sql[SQL_FAULT];

    sqlite_bind_text(sql, 1, fault->game_id);
    sqlite_bind_text(sql, 2, fault->bot);
    sqlite_bind_text(sql, 3, bg_fault_name(fault->fault));
    sqlite3_bind_int64(sql, 4, (int64_t)fault->decision);
    sqlite_bind_text(sql, 5, fault->rule);
    sqlite_bind_text(sql, 6, fault->position_id);
    sqlite_bind_text(sql, 7, fault->xgid);
    sqlite_bind_text(sql, 8, fault->dice);
    sqlite_bind_text(sql, 9, fault->reply);
    sqlite_bind_text(sql, 10, fault->stderr_tail);
    sqlite_bind_text(sql, 11, fault->legal);
    sqlite_bind_text(sql, 12, fault->reproduce);
    sqlite_bind_text(sql, 13, fault->story);
    return sqlite_run(sql);
}

static bool write_game(struct sqlite_store *store, struct store_item *item,
                       struct bg_error *conflict)
{
    const struct store_game *game = item->as.game;
    sqlite3_stmt *sql = store->sql[SQL_GAME];

    bind_key(sql, game);
    sqlite3_bind_int(sql, 6, game->length_points);
    sqlite3_bind_int(sql, 7, game->winner);
    sqlite3_bind_int64(sql, 8, game->points);
    sqlite3_bind_int(sql, 9, game->level);
    sqlite_bind_text(sql, 10, record_end_word(game->end));
    sqlite_bind_text(sql, 11, game->end == BG_END_FAULT ? bg_fault_name(game->fault) : NULL);
    sqlite3_bind_int(sql, 12, game->turns);
    sqlite3_bind_int64(sql, 13, game->score_a);
    sqlite3_bind_int64(sql, 14, game->score_b);
    sqlite3_bind_int(sql, 15, game->match_over);
    sqlite3_bind_int(sql, 16, game->match_winner);
    sqlite3_bind_int64(sql, 17, game->left_ns[0]);
    sqlite3_bind_int64(sql, 18, game->left_ns[1]);
    sqlite_bind_text(sql, 19, game->hash);
    sqlite3_bind_text64(sql, 20, game->text == NULL ? "" : game->text,
                        game->text == NULL ? 0 : game->text_size, SQLITE_STATIC, SQLITE_UTF8);
    if (!sqlite_run(sql)) {
        return false;
    }
    item->is_new = sqlite3_changes(store->writer) == 1;
    if (!item->is_new) {
        return compare_game(store, game, conflict);
    }
    sqlite_seal_game(store, game);
    return sqlite_steps_drop(store, game) && sqlite_date_game(store, game) &&
           sqlite_tally_game(store, game) &&
           (game->evidence == NULL || write_fault(store, game->evidence));
}

static bool write_judgement(struct sqlite_store *store, const struct judgement *judgement)
{
    sqlite3_stmt *sql = store->sql[SQL_JUDGEMENT];
    char *rolls = judgement_rolls_text(judgement);
    char *choices = judgement->has_choices ? judgement_choices_text(judgement) : NULL;
    bool is_written;

    sqlite_bind_text(sql, 1, judgement->judge);
    sqlite_bind_text(sql, 2, judgement->hash);
    sqlite3_bind_double(sql, 3, judgement->luck[0]);
    sqlite3_bind_double(sql, 4, judgement->luck[1]);
    sqlite3_bind_int64(sql, 5, judgement->cpu_ns);
    sqlite_bind_text(sql, 6, rolls);
    sqlite_bind_text(sql, 7, choices);
    is_written = sqlite_run(sql);
    sqlite3_clear_bindings(sql);
    free(rolls);
    free(choices);
    return is_written;
}

static bool write_meta(struct sqlite_store *store, const struct store_item *item)
{
    sqlite_bind_text(store->sql[SQL_META], 1, item->as.text.first);
    sqlite_bind_text(store->sql[SQL_META], 2, item->as.text.second);
    return sqlite_run(store->sql[SQL_META]);
}

static bool write_unplayed(struct sqlite_store *store, const struct store_item *item)
{
    sqlite3_stmt *sql = store->sql[SQL_UNPLAYED];
    struct game_id id;

    if (!game_id_read_leg(&id, item->as.text.first)) {
        return true; /* put_unplayed has already refused an invalid name */
    }
    sqlite_bind_text(sql, 1, id.a);
    sqlite_bind_text(sql, 2, id.b);
    sqlite3_bind_int64(sql, 3, (int64_t)id.pair);
    sqlite3_bind_int(sql, 4, id.leg);
    sqlite_bind_text(sql, 5, item->as.text.second);
    sqlite_bind_text(sql, 6, item->as.text.third);
    return sqlite_run(sql);
}

static bool write_reopen(struct sqlite_store *store, const struct store_item *item)
{
    sqlite_bind_text(store->sql[SQL_REOPEN], 1, item->as.text.first);
    return sqlite_run(store->sql[SQL_REOPEN]);
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
        return write_meta(store, item);
    case STORE_ITEM_UNPLAYED:
        return write_unplayed(store, item);
    case STORE_ITEM_ASIDE:
        return sqlite_aside_write(store, item);
    case STORE_ITEM_AGAIN:
        return sqlite_again_write(store, item);
    case STORE_ITEM_REOPEN:
        return write_reopen(store, item);
    case STORE_ITEM_ACT:
        return sqlite_acts_write(store, item->as.act);
    case STORE_ITEM_STEPS:
        return sqlite_steps_write(store, item->as.steps);
    }
    return false;
}
