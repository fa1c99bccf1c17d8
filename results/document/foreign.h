/* foreign.h - texts from outside: bots' standard error, replies, messages.
 */
#ifndef RESULTS_DOCUMENT_FOREIGN_H
#define RESULTS_DOCUMENT_FOREIGN_H

#include <jansson.h>

/* As a JSON string, cleaned (rules/clean.h). NULL: null. */
json_t *foreign_json(const char *text);

/* A copy in which every absolute path is cut down to its last part, so that it can be published;
 * to be freed. NULL: text is NULL, or no memory. */
char *foreign_public(const char *text);

#endif
