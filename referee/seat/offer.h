/* offer.h - the options that a Hello offers: are they what options may be? */
#ifndef REFEREE_SEAT_OFFER_H
#define REFEREE_SEAT_OFFER_H

#include "wire/wire.h"

/* False: what and why name the first option that is wrong, as a Refusal does. Names are not empty,
 * each once, without '='; texts are clean; numbers are decimal and finite, min <= value <= max; a
 * flag is true or false; a choice is among its choices. */
bool offer_check(char what[WIRE_TEXT], char why[WIRE_TEXT], const struct wire_option *options,
                 size_t count);

/* Whether value may be set for the option; else why says what it has to be. */
bool offer_takes(char why[WIRE_TEXT], const struct wire_option *option, const char *value);

/* True when word stands in text, whose words are parted by `part`. */
bool offer_has_word(const char *text, const char *word, char part);

#endif
