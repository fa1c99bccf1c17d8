/* A bot hears that a game begins in one of two ways: as a NewGame that it answers with Ready, or
 * as one of its Tells. Both are made from the Ask of its first decision by one function, so that
 * they cannot tell different games. */
#include "announcement.h"

#include <string.h>

struct bg_game_begin announcement_of(const struct bg_ask *ask, int number)
{
    struct bg_game_begin out = {.rules = ask->rules,
                                .board = ask->board,
                                .cube_log2 = ask->cube_log2,
                                .cube_owner = ask->cube_owner,
                                .score = {ask->score[0], ask->score[1]},
                                .crawford_game = ask->crawford_game,
                                .post_crawford = ask->post_crawford,
                                .has_clock = ask->has_clock,
                                .left_ns = {ask->left_ns[0], ask->left_ns[1]},
                                .bot_seed = ask->bot_seed,
                                .game_number = number};

    memcpy(out.game, ask->game, sizeof out.game);
    memcpy(out.opponent, ask->opponent, sizeof out.opponent);
    return out;
}

enum bg_status announcement_pack(struct wire_buffer *buffer, const struct bg_ask *ask, int number,
                                 struct bg_error *err)
{
    const struct bg_game_begin begin = announcement_of(ask, number);

    return wire_pack_new_game(buffer, &begin, err);
}

void announcement_tell(struct wire_tells *tells, const struct bg_ask *ask, int number)
{
    struct bg_tell tell = {.kind = BG_TELL_BEGIN, .begin = announcement_of(ask, number)};

    memcpy(tell.game, ask->game, sizeof tell.game);
    (void)wire_tells_add(tells, &tell, NULL); /* without memory it is not told */
}
