/* A quick bot begins a thousand games in a second, and a terminal is for a person: lines come
 * back one by one with time, and several may come at once after a pause. */
#include "game_lines.h"

bool game_lines_take(struct game_lines *lines, int64_t now_ns)
{
    int64_t back = lines->used == 0 ? 0 : (now_ns - lines->since_ns) / GAME_LINES_EVERY_NS;

    if (back >= lines->used) {
        lines->used = 0;
        lines->since_ns = now_ns;
    } else {
        lines->used -= (int)back;
        lines->since_ns += back * GAME_LINES_EVERY_NS;
    }
    if (lines->used == GAME_LINES_AT_ONCE) {
        return false;
    }
    lines->used++;
    return true;
}
