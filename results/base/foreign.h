/* foreign.h - texts from outside: bots' standard error, answers, messages. */
#ifndef RESULTS_BASE_FOREIGN_H
#define RESULTS_BASE_FOREIGN_H

#include <jansson.h>

/* Returns a JSON string, cleaned (rules/clean.h). NULL becomes null. */
json_t *foreign_json(const char *text);

/* Returns a copy in which every absolute path is reduced to its last part, so that it can be
 * published; the caller frees it. NULL: text is NULL, or no memory. */
char *foreign_public(const char *text);

#endif
