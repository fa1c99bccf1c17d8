#include "support/test_folder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char folder[64];

void folder_make(void)
{
    strcpy(folder, "/tmp/bgref-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

void folder_remove(void)
{
    char command[80];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

const char *path_of(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}
