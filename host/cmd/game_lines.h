/* game_lines.h - which games `bgref join` prints a line of, where its lines go to a log.
 *
 * A quick bot begins hundreds of games a second, for weeks. The first games have a line each; after
 * them there is a line a minute. Pure: time is an argument.
 */
#ifndef HOST_CMD_GAME_LINES_H
#define HOST_CMD_GAME_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { GAME_LINES_AT_ONCE = 20 };

#define GAME_LINES_EVERY_NS INT64_C(60000000000)

/* Starts as {0}: all lines are left. */
struct game_lines {
    int used;         /* of GAME_LINES_AT_ONCE */
    int64_t since_ns; /* from then on one comes back every GAME_LINES_EVERY_NS */
};

/* Returns whether the game that begins now has a line. */
bool game_lines_take(struct game_lines *lines, int64_t now_ns);

#endif
