/* position_class.h - the kinds of questions for which a bot may have to load or compute something
 * first: what is asked, and the phase of the game. Pure. */
#ifndef REFEREE_CHECK_POSITION_CLASS_H
#define REFEREE_CHECK_POSITION_CLASS_H

#include <bgref/match.h>

enum {
    POSITION_PHASES = 4, /* opening, contact, race, both sides bearing off */
    POSITION_CLASSES = BG_NEED_COUNT * POSITION_PHASES
};

/* Returns the class of the decision that match->need asks for, 0..POSITION_CLASSES-1. */
int position_class(const struct bg_match *match);

/* Writes "play, both sides bearing off". */
void position_class_name(char *out, size_t size, int number);

#endif
