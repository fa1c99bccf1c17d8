/* rules_words.h - rules as the words that differ from the default: "cube=off cube-limit=64".
 *
 * The words are those of a record's rules (docs/record.md), without game and length, in any order.
 */
#ifndef RESULTS_RECORD_RULES_WORDS_H
#define RESULTS_RECORD_RULES_WORDS_H

#include <bgref/match.h>

#include "record.h"

/* Writes the words for the rules that differ from bg_rules_default for their game and length; ""
 * none. */
void rules_words_write(char out[RECORD_RULES], const struct bg_rules *rules);

/* Applies the words to rules. BG_E_FORMAT: an unknown word, or rules that exclude each other. */
enum bg_status rules_words_read(struct bg_rules *rules, const char *words, struct bg_error *err);

/* Returns true for games whose positions an XGID can express; in others the same text would be
 * another position, or a question under other rules. */
bool rules_have_xgid(const struct bg_variant *variant);

#endif
