/* CSV, one line per game. The first ten columns are the same as bgci's, so that its scripts can
 * read them.
 */
#include "format.h"

#include <inttypes.h>
#include <string.h>

#include "record/game_id.h"
#include "base/csv_text.h"
#include "base/utc.h"

const char csv_top[] = "game,engine_x,engine_o,winner,outcome,points_x,points_o,points_a,points_b,"
                       "plies,id,a,b,pair,leg,number,variant,length,level,cube,cause,fault,score_a,"
                       "score_b,match_over,match_winner,left_a_s,left_b_s,event,hash,surplus,at\n";

/* Seats as in drawn boards: seat 1 is X, seat 0 is O. */
enum { SEAT_O = 0, SEAT_X = 1 };

static void put_value(struct text *text, const char *value)
{
    char field[4096];

    csv_text(field, sizeof field, value == NULL ? "" : value);
    text_put(text, ",%s", field);
}

static const char *outcome_of(const struct store_game *game)
{
    static const char *const names[] = {"incomplete", "normal", "gammon", "backgammon"};

    if (game->winner < 0) {
        return names[0];
    }
    return names[game->level >= 1 && game->level <= 3 ? game->level : 1];
}

static const char *side_name(const struct store_game *game, int bot)
{
    return bot == 0 ? game->a : bot == 1 ? game->b : "";
}

static void put_clock(struct text *text, bool has_clock, int64_t left_ns)
{
    if (has_clock) {
        text_put(text, ",%.9f", (double)left_ns / 1e9);
    } else {
        text_put(text, ",");
    }
}

enum bg_status csv_game(struct format_file *file, const struct store_game *game,
                        const struct record_view *view, struct bg_error *err)
{
    struct text text = {.out = &file->body};
    const int64_t points[2] = {game->winner == 0   ? game->points
                               : game->winner == 1 ? -game->points
                                                   : 0,
                               game->winner == 1   ? game->points
                               : game->winner == 0 ? -game->points
                                                   : 0};
    const bool has_clock = record_view_value(view, "left") != NULL;
    const int bot_x = game_id_bot_at(game->leg, SEAT_X), bot_o = game_id_bot_at(game->leg, SEAT_O);
    struct bg_match end;
    char at[UTC_TEXT];
    enum bg_status status = record_replay(&end, view, err);

    if (status != BG_OK) {
        return status;
    }
    text_put(&text, "%d", file->games + 1);
    put_value(&text, side_name(game, bot_x));
    put_value(&text, side_name(game, bot_o));
    put_value(&text, game->winner < 0 ? "incomplete" : side_name(game, game->winner));
    text_put(&text, ",%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d", outcome_of(game),
             points[bot_x], points[bot_o], points[0], points[1], game->turns);
    put_value(&text, game->id);
    put_value(&text, game->a);
    put_value(&text, game->b);
    text_put(&text, ",%" PRIu64 ",%d,%d", game->pair, game->leg, game->game);
    put_value(&text, bg_variant_id(end.rules.variant));
    text_put(&text, ",%d,%d,%" PRId64 ",%s,%s,%" PRId64 ",%" PRId64 ",%d", game->length_points,
             game->level, INT64_C(1) << end.cube_log2, bg_end_name(game->end),
             game->fault == BG_FAULT_NONE ? "" : bg_fault_name(game->fault), game->score_a,
             game->score_b, game->match_over);
    put_value(&text, side_name(game, game->match_over ? game->match_winner : -1));
    put_clock(&text, has_clock, game->left_ns[0]);
    put_clock(&text, has_clock, game->left_ns[1]);
    put_value(&text, record_view_value(view, "event"));
    utc_write(at, game->at_s);
    text_put(&text, ",%s,%d,%s\n", game->hash, file->surplus, at);
    return BG_OK;
}
