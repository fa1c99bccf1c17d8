/* entry_notes.h - what readers of an entry list should know: texts that changed, and a program that
 * names another author than its entry. */
#ifndef RESULTS_DOCUMENT_ENTRY_NOTES_H
#define RESULTS_DOCUMENT_ENTRY_NOTES_H

#include "document.h"
#include "store/entry.h"

/* Adds the notes about one bot to the present section. texts: as stored, NULL or "" if missing. */
void entry_notes(struct doc *doc, const char *bot, const char *const texts[ENTRY_WORDS]);

#endif
