/* rules_text.h - the rule book (docs/rules.md) inside the program, so that page and program always
 * agree.
 */
#ifndef RESULTS_FORMAT_RULES_TEXT_H
#define RESULTS_FORMAT_RULES_TEXT_H

/* The bytes of docs/rules.md, terminated. */
extern const unsigned char rules_text[];

#endif
