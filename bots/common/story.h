/* story.h - what has happened in the person's games, told in sentences. */
#ifndef BOTS_COMMON_STORY_H
#define BOTS_COMMON_STORY_H

#include <bgref/match.h>
#include <bgref/tell.h>

enum { STORY_TEXT = 512 };

struct story {
    const struct bg_variant *variant;
    struct bg_rules rules;
    struct bg_start start; /* of match; its board and turn are set when it begins */
    struct bg_match match; /* the person is seat 0 */
    bool is_followed;      /* match is the game that is told */
    struct bg_board board; /* after all plays that were told */
    struct bg_stage stage; /* rolled and not yet played */
    bool has_stage;
    char last[STORY_TEXT]; /* the opponent's last play as a sentence, "" none */
};

/* Takes what was told and writes it as lines that end in '\n', "" if there is nothing that the
 * person does not know. */
void story_tell(char text[STORY_TEXT], struct story *story, const struct bg_tell *tell);

/* Writes the numbers to move as people say dice: "33" for a double, which a record has as 3x4. */
enum { STORY_STAGE = 24 };
void story_stage_write(char out[STORY_STAGE], const struct bg_stage *stage);

#endif
