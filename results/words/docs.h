/* docs.h - the folder of the documents that messages name: docs/ of the source tree, or the
 * installed one. */
#ifndef RESULTS_WORDS_DOCS_H
#define RESULTS_WORDS_DOCS_H

/* The folder, such as /usr/share/doc/bgref/docs when the program runs from where it was installed;
 * else "docs", as commands of this tree are given from its root. Static. */
const char *docs_folder(void);

/* The folder of bgref.proto: beside that one, or "proto". Static. */
const char *docs_schema_folder(void);

/* A help_filter for argp: replaces "docs" by the real folder. */
char *docs_in_help(int key, const char *text, void *input);

#endif
