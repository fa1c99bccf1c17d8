/* stage.h - what is left to play of a roll, for engines that are asked by two dice. */
#ifndef BOTS_COMMON_STAGE_H
#define BOTS_COMMON_STAGE_H

#include <bgref/play.h>

#include <stdbool.h>

/* Sets dice to the roll of a stage: two different numbers, or one number four times. Returns false
 * if the stage is no roll. */
static inline bool dice_of_stage(int dice[2], const struct bg_stage *stage)
{
    if (stage->parts == 2 && stage->part[0].times == 1 && stage->part[1].times == 1) {
        dice[0] = stage->part[0].number;
        dice[1] = stage->part[1].number;
        return true;
    }
    if (stage->parts == 1 && stage->part[0].times == 4) {
        dice[0] = dice[1] = stage->part[0].number;
        return true;
    }
    return false;
}

#endif
