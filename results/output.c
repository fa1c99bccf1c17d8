#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".XXXXXX";

/* mkstemp makes it private; a result is as public as any file of the user. */
static void share(int draft)
{
    mode_t mask = umask(0);

    umask(mask);
    if (fchmod(draft, 0666 & ~mask) != 0) {
        errno = 0;
    }
}

enum bg_status output_open(struct output *output, const char *path, struct bg_error *err)
{
    int draft;

    *output = (struct output){.file = stdout};
    if (path == NULL || strcmp(path, "-") == 0) {
        return BG_OK;
    }
    output->file = NULL;
    output->path = strdup(path);
    output->draft = malloc(strlen(path) + sizeof ending);
    if (output->path == NULL || output->draft == NULL) {
        output_discard(output);
        return bg_error_set(err, BG_E_MEMORY, "name of an output file");
    }
    strcat(strcpy(output->draft, path), ending);
    draft = mkstemp(output->draft);
    output->file = draft < 0 ? NULL : fdopen(draft, "w");
    if (output->file == NULL) {
        bg_error_set(err, BG_E_SYSTEM, "write %s: %s", path, strerror(errno));
        output_discard(output);
        return BG_E_SYSTEM;
    }
    share(draft);
    return BG_OK;
}

enum bg_status output_close(struct output *output, struct bg_error *err)
{
    const char *name = output->path == NULL ? "standard output" : output->path;
    bool good = fflush(output->file) == 0 && ferror(output->file) == 0;

    if (output->path != NULL) {
        good = good && fsync(fileno(output->file)) == 0;
        good = fclose(output->file) == 0 && good;
        output->file = NULL;
        good = good && rename(output->draft, output->path) == 0;
    }
    if (!good) {
        bg_error_set(err, BG_E_SYSTEM, "write %s: %s", name, strerror(errno));
    } else {
        free(output->draft);
        output->draft = NULL;
    }
    output_discard(output);
    return good ? BG_OK : BG_E_SYSTEM;
}

void output_discard(struct output *output)
{
    if (output->file != NULL && output->path != NULL) {
        fclose(output->file);
    }
    if (output->draft != NULL) {
        unlink(output->draft);
    }
    free(output->draft);
    free(output->path);
    *output = (struct output){0};
}
