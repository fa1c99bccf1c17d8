/* What repeats where is a table of what was tried, not something computed. The processor's make
 * and family are kept beside the version of libc, because libm takes other variants of its
 * functions by instruction set, and their last digits differ. gnubg's version is read from
 * dpkg's own file: to ask gnubg would take seconds at the start of each event. */
#define _GNU_SOURCE /* gnu_get_libc_version */
#include "conditions.h"

#include <gnu/libc-version.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, DIGEST_BYTES = 8 };

/* td has its own exponential function and sums in one order on every instruction set (tried:
 * AVX-512, AVX2, SSE2). */
static const struct {
    const char *program, *repeats;
} programs[] = {
    {"bgref-first", "anywhere"},   {"bgref-random", "anywhere"},  {"bgref-td", "anywhere"},
    {"bgref-exact", "anywhere"},   {"bgref-greedy", "same libm"}, {"bgref-bkg", "same libm"},
    {"bgref-python", "same libm"}, {"bgref-gnubg", "same gnubg"}, {"bgref-human", "no"},
    {"bgref-person", "no"},        {"bgref-ubgi", "?"},
};

const char *conditions_repeat(const char *cmd)
{
    size_t length = strcspn(cmd, " ");

    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        size_t name = strlen(programs[i].program);

        if (length > name && cmd[length - name - 1] == '/' &&
            strncmp(cmd + length - name, programs[i].program, name) == 0) {
            return programs[i].repeats;
        }
    }
    return "?";
}

bool conditions_need_gnubg(const char *text)
{
    return strstr(text, "gnubg") != NULL;
}

/* Copies what stands behind "KEY:" at a line's beginning in the file, after `section` if one is
 * given; "?" if nothing does. Blanks inside become '_', because words are separated by blanks. */
static void read_value(char *out, size_t size, const char *path, const char *section,
                       const char *key)
{
    FILE *file = fopen(path, "re");
    char line[LINE];
    bool is_inside = section == NULL;

    snprintf(out, size, "?");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');

        line[strcspn(line, "\n")] = '\0';
        /* An empty line ends a package's paragraph in dpkg's file. */
        if (section != NULL && (line[0] == '\0' || strcmp(line, section) == 0)) {
            is_inside = line[0] != '\0';
        } else if (is_inside && colon != NULL && strncmp(line, key, strlen(key)) == 0) {
            snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    for (char *at = out; *at != '\0'; at++) {
        *at = *at == ' ' || *at == '\t' ? '_' : *at;
    }
}

/* Writes the first bytes of the file's BLAKE2b-256 in hex (b2sum -l 256); "none": no such file. */
static void file_digest(char out[2 * DIGEST_BYTES + 1], const char *path)
{
    unsigned char digest[crypto_generichash_BYTES], bytes[65536];
    crypto_generichash_state state;
    FILE *file = fopen(path, "re");
    size_t size;

    snprintf(out, 2 * DIGEST_BYTES + 1, "none");
    if (file == NULL) {
        return;
    }
    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0) {
        crypto_generichash_update(&state, bytes, size);
    }
    crypto_generichash_final(&state, digest, sizeof digest);
    if (ferror(file) == 0) {
        sodium_bin2hex(out, 2 * DIGEST_BYTES + 1, digest, DIGEST_BYTES);
    }
    fclose(file);
}

/* Where Debian's package has what gnubg reads at its start. */
static void write_gnubg(char *out, size_t size)
{
    static const char *const files[] = {
        "/usr/share/gnubg/gnubg.wd", "/usr/share/gnubg/gnubg_os0.bd", "/var/lib/gnubg/gnubg_ts0.bd",
        "/usr/share/gnubg/met/Kazaross-XG2.xml"};
    char version[64];
    int used;

    read_value(version, sizeof version, "/var/lib/dpkg/status", "Package: gnubg", "Version");
    used = snprintf(out, size, " gnubg=%s", version);
    for (size_t i = 0; i < sizeof files / sizeof files[0] && used > 0 && (size_t)used < size; i++) {
        char digest[2 * DIGEST_BYTES + 1];

        file_digest(digest, files[i]);
        used +=
            snprintf(out + used, size - (size_t)used, " %s=%s", strrchr(files[i], '/') + 1, digest);
    }
}

void conditions_here(char out[CONDITIONS_TEXT], bool gnubg)
{
    char vendor[32], family[16], model[80];
    int used;

    read_value(vendor, sizeof vendor, "/proc/cpuinfo", NULL, "vendor_id");
    read_value(family, sizeof family, "/proc/cpuinfo", NULL, "cpu family");
    read_value(model, sizeof model, "/proc/cpuinfo", NULL, "model name");
    used = snprintf(out, CONDITIONS_TEXT, "processor=%s family=%s model=%s libc=%s", vendor, family,
                    model, gnu_get_libc_version());
    if (gnubg) {
        write_gnubg(out + used, CONDITIONS_TEXT - (size_t)used);
    }
}
