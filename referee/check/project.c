/* All or nothing: the folder must be new, files are made with "x", and after a failure what was
 * made is taken away. So a name that is given twice can never change somebody's bot. */
#include "project.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>
#include "base/plain_file.h"

enum { NAME_MAX_BYTES = 64, PROGRAM_MODE = 0755 };

bool project_is_name(const char *name)
{
    /* Folders and targets of CMake, cargo, npm and Go. */
    static const char *const taken[] = {"bgref", "build", "node_modules", "pb", "src", "target"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "0123456789-_";

    if (name[0] == '\0' || strchr(letters, name[0]) == NULL || strlen(name) > NAME_MAX_BYTES) {
        return false;
    }
    for (const char *at = name; *at != '\0'; at++) {
        if (strchr(letters, *at) == NULL && strchr(others, *at) == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        if (strcmp(name, taken[i]) == 0) {
            return false;
        }
    }
    return true;
}

/* ---- filling in a template ---- */

struct project_filling {
    const char *name;
    char pkgconfig[PATH_MAX]; /* folder of bgref.pc, or empty */
};

static bool has_package(const char *folder)
{
    char path[PATH_MAX + 16];

    snprintf(path, sizeof path, "%s/bgref.pc", folder);
    return access(path, R_OK) == 0;
}

/* The SDK that belongs to this program: in its build tree, or where both were installed. */
static void find_package(char *out, size_t size)
{
    static const char *const places[] = {"pkgconfig", BG_PKGCONFIG_INSTALLED};
    char prefix[PLAIN_PATH], path[PLAIN_PATH + 64];

    out[0] = '\0';
    plain_folder_of(prefix, plain_own_folder()); /* PREFIX/bin */
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", prefix, places[i]);
        if (has_package(path) && strlen(path) < size) {
            strcpy(out, path);
            return;
        }
    }
}

/* Writes text[0..size-1] with its words in place. */
static void fill(FILE *out, const char *text, size_t size, const struct project_filling *filling)
{
    static const char name[] = "@NAME@", package[] = "@PKGCONFIG@";
    const char *end = text + size;

    while (text < end) {
        if (strncmp(text, name, sizeof name - 1) == 0) {
            fputs(filling->name, out);
            text += sizeof name - 1;
        } else if (strncmp(text, package, sizeof package - 1) == 0) {
            fputs(filling->pkgconfig, out);
            text += sizeof package - 1;
        } else {
            putc(*text++, out);
        }
    }
}

/* ---- the folder ---- */

/* The path of a file of the project; false when it is too long. */
static bool path_of(char *out, size_t size, const char *root, const char *path, const char *name)
{
    int length = snprintf(out, size, "%s/%s", root, strcmp(path, "@NAME@") == 0 ? name : path);

    return length > 0 && (size_t)length < size;
}

/* The folder within the project in which a file lies: made, or taken away. */
static int inner_folder(char *path, const char *root, int (*act)(const char *folder))
{
    char *slash = strrchr(path, '/');
    int result = 0;

    if (slash > path + strlen(root)) {
        *slash = '\0';
        result = act(path);
        *slash = '/';
    }
    return result;
}

static int make_parent(const char *path)
{
    return mkdir(path, 0777) != 0 && errno != EEXIST ? -1 : 0;
}

static enum bg_status write_file(const char *root, const struct language_file *file,
                                 const struct project_filling *filling, struct bg_error *err)
{
    const char *text = (const char *)file->text;
    char path[PATH_MAX];
    FILE *out = NULL;
    bool done;

    if (!path_of(path, sizeof path, root, file->path, filling->name)) {
        return bg_error_set(err, BG_E_SYSTEM, "write %.200s: the path is too long", path);
    }
    if (inner_folder(path, root, make_parent) == 0) {
        out = fopen(path, "wx");
    }
    if (out == NULL) {
        return bg_error_set(err, BG_E_SYSTEM, "write %.400s: %s", path, strerror(errno));
    }
    fill(out, text, strlen(text), filling);
    done = ferror(out) == 0;
    done = fclose(out) == 0 && done;
    if (!done || (file->program && chmod(path, PROGRAM_MODE) != 0)) {
        return bg_error_set(err, BG_E_SYSTEM, "write %.400s: %s", path, strerror(errno));
    }
    return BG_OK;
}

static void take_away(const struct language *language, const char *root, const char *name)
{
    char path[PATH_MAX];

    for (int i = 0; i < LANGUAGE_FILES_MAX && language->files[i].path != NULL; i++) {
        if (path_of(path, sizeof path, root, language->files[i].path, name)) {
            unlink(path);
            inner_folder(path, root, rmdir);
        }
    }
    rmdir(root);
}

enum bg_status project_write(const struct language *language, const char *folder, const char *name,
                             struct bg_error *err)
{
    struct project_filling filling = {.name = name};
    enum bg_status status = BG_OK;
    char root[PATH_MAX];
    int length = strcmp(folder, ".") == 0 ? snprintf(root, sizeof root, "%s", name)
                                          : snprintf(root, sizeof root, "%s/%s", folder, name);

    if (length < 0 || (size_t)length >= sizeof root) {
        return bg_error_set(err, BG_E_ARGUMENT, "--dir: the path is too long");
    }
    if (mkdir(root, 0777) != 0) {
        if (errno == EEXIST) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "%.300s is there already and stays as it is; choose another name, "
                                "or another folder with --dir",
                                root);
        }
        return bg_error_set(err, errno == ENOENT || errno == ENOTDIR ? BG_E_ARGUMENT : BG_E_SYSTEM,
                            "make folder %.400s: %s", root, strerror(errno));
    }
    find_package(filling.pkgconfig, sizeof filling.pkgconfig);
    for (int i = 0; i < LANGUAGE_FILES_MAX && language->files[i].path != NULL; i++) {
        status = write_file(root, &language->files[i], &filling, err);
        if (status != BG_OK) {
            take_away(language, root, name);
            return status;
        }
    }
    return BG_OK;
}

void project_print_commands(FILE *out, const struct language *language, const char *name,
                            const char *indent)
{
    static const char fence[] = "```sh\n";
    struct project_filling filling = {.name = name};
    const char *at = strstr(language_readme(language), fence);

    at = at == NULL ? "```" : at + strlen(fence);
    while (strncmp(at, "```", 3) != 0 && *at != '\0') {
        size_t size = strcspn(at, "\n") + 1;

        fputs(indent, out);
        fill(out, at, size, &filling);
        at += size;
    }
}
