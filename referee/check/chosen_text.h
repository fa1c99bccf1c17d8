/* chosen_text.h - chosen.txt inside the program: lines "POSITION-ID ROLL CATEGORY". */
#ifndef REFEREE_CHECK_CHOSEN_TEXT_H
#define REFEREE_CHECK_CHOSEN_TEXT_H

/* The bytes of chosen.txt, terminated. */
extern const unsigned char chosen_text[];

#endif
