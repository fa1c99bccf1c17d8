/* offer.h - checks the options that a Hello offers. */
#ifndef REFEREE_SEAT_OFFER_H
#define REFEREE_SEAT_OFFER_H

#include "wire/wire.h"

/* Returns false if an option is invalid: what and why name the first one, as in a Refusal. Rules:
 * names are not empty, without '=', each used once; texts are clean; numbers are decimal and
 * finite, min <= value <= max; a flag is true or false; a choice is one of its choices. */
bool offer_check(char what[WIRE_TEXT], char why[WIRE_TEXT], const struct wire_option *options,
                 size_t count);

/* Returns true if value is valid for the option; else why names the valid values. */
bool offer_takes(char why[WIRE_TEXT], const struct wire_option *option, const char *value);

/* Returns true if word is one of the words in text, which `part` separates. */
bool offer_has_word(const char *text, const char *word, char part);

#endif
