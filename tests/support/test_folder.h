/* test_folder.h - a folder for the files of one test, as the fixture of a suite:
 * SUITE_FIXTURE(folder_make, folder_remove). */
#ifndef SUPPORT_TEST_FOLDER_H
#define SUPPORT_TEST_FOLDER_H

extern char folder[64];

void folder_make(void);

/* With all that is in it. */
void folder_remove(void);

/* The path of that name in the folder; valid until the next call. */
const char *path_of(const char *name);

void write_file(const char *name, const char *text);

#endif
