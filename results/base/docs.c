#define _DEFAULT_SOURCE /* realpath, readlink */
#include "docs.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/memory.h>

static const char plain[] = "docs";

/* DOCS_FROM_BIN is relative to the program's folder, so that an installation can be moved. */
static const char *find_docs(void)
{
    static char folder[PATH_MAX];
    char self[PATH_MAX / 2], path[PATH_MAX];
    /* argv[0] would be a name from PATH, or whatever the caller has put there. */
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    self[length > 0 ? length : 0] = '\0';
    slash = strrchr(self, '/');
    if (slash == NULL) {
        return plain;
    }
    *slash = '\0';
    snprintf(path, sizeof path, "%s/%s", self, DOCS_FROM_BIN);
    return realpath(path, folder) == NULL ? plain : folder;
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
