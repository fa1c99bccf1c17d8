#define _DEFAULT_SOURCE /* realpath */
#include "docs.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include "base/plain_file.h"

static const char plain[] = "docs";

/* DOCS_FROM_BIN is relative to the program's folder, so that an installation can be moved. */
static const char *find_docs(void)
{
    static char folder[PATH_MAX];
    const char *own = plain_own_folder();
    char path[PLAIN_PATH + sizeof DOCS_FROM_BIN];

    snprintf(path, sizeof path, "%s/%s", own, DOCS_FROM_BIN);
    return own[0] == '\0' || realpath(path, folder) == NULL ? plain : folder;
}

const char *docs_folder(void)
{
    static const char *found;

    found = found == NULL ? find_docs() : found;
    return found;
}

const char *docs_schema_folder(void)
{
    static char folder[PATH_MAX + sizeof "/proto"];
    const char *docs = docs_folder();
    const char *slash = strrchr(docs, '/');

    snprintf(folder, sizeof folder, "%.*sproto", slash == NULL ? 0 : (int)(slash - docs + 1), docs);
    return folder;
}

static bool begins_path(const char *text, const char *at)
{
    return strncmp(at, "docs/", 5) == 0 && (at == text || strchr(" (\n", at[-1]) != NULL);
}

char *docs_in_help(int key, const char *text, void *input)
{
    char *out = NULL;
    size_t size = 0;
    FILE *stream;

    (void)key;
    (void)input;
    if (text == NULL || strstr(text, "docs/") == NULL || docs_folder() == plain) {
        return (char *)(uintptr_t)text; /* argp: leave the text unchanged */
    }
    stream = memory_stream(&out, &size);
    for (const char *at = text; *at != '\0'; at++) {
        if (begins_path(text, at)) {
            fprintf(stream, "%s/", docs_folder());
            at += strlen("docs/") - 1;
        } else {
            fputc(*at, stream);
        }
    }
    memory_stream_close(stream);
    return out;
}
