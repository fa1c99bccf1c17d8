/* mat_file.h - replays a .mat file (as GNU Backgammon writes it) through bg_match_step. */
#ifndef SUPPORT_MAT_FILE_H
#define SUPPORT_MAT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <bgref/match.h>

/* One game of the file as replayed by the match machine; the left player is seat 0. */
struct mat_game {
    int64_t score[2]; /* before the game */
    bool crawford_game, crawford_done;
    int64_t cube; /* value when the game ended */
    int plays;    /* plays made */
    struct bg_result result;
};

/* Returns false with the message (file:line) if a line cannot be read, a step is illegal, or
 * scores, cube values or points of the file differ from the machine's. */
bool mat_replay(struct mat_game *game, size_t room, size_t *count, const char *path, char *message,
                size_t message_room);

#endif
