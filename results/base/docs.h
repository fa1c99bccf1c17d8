/* docs.h - the folder of the documents that messages mention: docs/ of the source tree, or the
 * installed one.
 */
#ifndef RESULTS_BASE_DOCS_H
#define RESULTS_BASE_DOCS_H

/* Returns the folder, such as /usr/share/doc/bgref/docs if the program runs from its installed
 * place; else "docs", because commands in the source tree are run from its root. Static. */
const char *docs_folder(void);

/* Returns the folder of bgref.proto: beside docs_folder, or "proto". Static. */
const char *docs_schema_folder(void);

/* A help_filter for argp: replaces "docs" by the real folder. */
char *docs_in_help(int key, const char *text, void *input);

#endif
