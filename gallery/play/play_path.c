/* What a single move must not do the mover knows; what the whole play must be the list of legal
 * plays knows. So a move may be made if, from there, single moves lead to a listed result. */
#include "play_path.h"

#include "rules/games.h"

static bool is_listed(const struct play_path *path, const struct bg_board *board)
{
    for (size_t i = 0; i < path->legal.count; i++) {
        struct bg_board result;

        bg_play_make(&result, path->variant, &path->before, 0, &path->legal.play[i]);
        if (bg_board_equal(&result, board)) {
            return true;
        }
    }
    return false;
}

/* Moves one checker on *board. Returns false if a rule forbids it. */
static bool make(struct bg_board *board, struct bg_move *move, const struct course *course,
                 int from, int number)
{
    int to;

    if (board->at[0][from] == 0 ||
        course->variant->mover->may(&to, course, board, from, number) != BG_RULE_NONE) {
        return false;
    }
    course->variant->mover->move(board, course->variant, 0, from, to);
    *move = (struct bg_move){(uint8_t)from, (uint8_t)to};
    return true;
}

/* Whether single moves lead from here to a legal result. It is not deep: four numbers at most. */
static bool can_end(const struct play_path *path, const struct course *course,
                    const struct bg_board *board, const uint8_t left[3])
{
    if (is_listed(path, board)) {
        return true;
    }
    for (int part = 0; part < path->stage.parts; part++) {
        for (int from = BG_SLOTS - 1; left[part] > 0 && from > BG_OFF; from--) {
            uint8_t rest[3] = {left[0], left[1], left[2]};
            struct bg_board after = *board;
            struct bg_move move;

            rest[part]--;
            if (make(&after, &move, course, from, path->stage.part[part].number) &&
                can_end(path, course, &after, rest)) {
                return true;
            }
        }
    }
    return false;
}

/* Of two numbers that bear the same checker off the lower one is meant, if it is allowed: the
 * higher one stays for a checker behind it. */
static bool is_there(const struct play_path *path, struct bg_move move)
{
    const struct path_move *last = path->next_count > 0 ? &path->next[path->next_count - 1] : NULL;

    return last != NULL && last->move.from == move.from && last->move.to == move.to;
}

static void look_ahead(struct play_path *path)
{
    struct course course;

    course_begin(&course, path->variant, &path->before, 0, &path->stage);
    path->is_whole = is_listed(path, &path->board);
    path->next_count = 0;
    for (int from = BG_SLOTS - 1; from > BG_OFF; from--) {
        for (int part = 0; part < path->stage.parts; part++) {
            uint8_t rest[3] = {path->left[0], path->left[1], path->left[2]};
            const int number = path->stage.part[part].number;
            struct bg_board after = path->board;
            struct bg_move move;

            if (rest[part] == 0 || !make(&after, &move, &course, from, number)) {
                continue;
            }
            rest[part]--;
            if (can_end(path, &course, &after, rest)) {
                path->next_count -= is_there(path, move);
                path->next[path->next_count++] =
                    (struct path_move){.move = move, .number = (uint8_t)number};
            }
        }
    }
}

void path_begin(struct play_path *path, const struct bg_variant *variant,
                const struct bg_board *board, const struct bg_stage *stage)
{
    path->variant = variant;
    path->before = path->board = *board;
    path->stage = *stage;
    path->play.moves = 0;
    for (int part = 0; part < 3; part++) {
        path->left[part] = part < stage->parts ? stage->part[part].times : 0;
    }
    bg_play_list(&path->legal, variant, board, 0, stage);
    look_ahead(path);
}

bool path_add(struct play_path *path, int from, int number)
{
    for (int i = 0; i < path->next_count; i++) {
        const struct path_move *next = &path->next[i];

        if (next->move.from == from && next->number == number) {
            const struct bg_play one = {1, {next->move}};

            path->play.move[path->play.moves++] = next->move;
            for (int part = 0; part < path->stage.parts; part++) {
                if (path->stage.part[part].number == number) {
                    path->left[part]--;
                }
            }
            bg_play_make(&path->board, path->variant, &path->board, 0, &one);
            look_ahead(path);
            return true;
        }
    }
    return false;
}
