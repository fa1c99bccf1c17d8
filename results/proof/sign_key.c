#define _GNU_SOURCE /* strsep */
#include "sign_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include <sodium.h>

enum { PATH = 4096, LINE = 256 };

static const char MAGIC[] = "bgref-key-1";
static const char SECRET[] = "sign-secret";
static const char PUBLIC[] = "sign-public";

bool sign_name_is_valid(const char *name)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";
    size_t size = strlen(name);

    return size > 0 && size < SIGN_NAME && name[0] != '.' && strspn(name, allowed) == size;
}

void sign_secret_wipe(struct sign_secret *secret)
{
    sodium_memzero(secret, sizeof *secret);
}

void sign_fingerprint(char out[SIGN_PRINT], const struct sign_public *key)
{
    unsigned char digest[16];
    char hex[2 * sizeof digest + 1];
    size_t used = 0;

    crypto_generichash(digest, sizeof digest, key->key, sizeof key->key, NULL, 0);
    sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
    for (size_t i = 0; hex[i] != '\0'; i++) {
        if (i > 0 && i % 4 == 0) {
            out[used++] = ' ';
        }
        out[used++] = hex[i];
    }
    out[used] = '\0';
}

/* ------------------------------------------------------------------------- writing */

/* Writes one line into a new file. On failure the file is gone again. */
static enum bg_status write_new(const char *path, mode_t mode, const char *line,
                                struct bg_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    size_t size = strlen(line);
    bool written;

    if (fd < 0) {
        return errno == EEXIST ? bg_error_set(err, BG_E_ARGUMENT,
                                              "%s is there already; a key is never overwritten: "
                                              "choose another name, or move it away",
                                              path)
                               : bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    written = write(fd, line, size) == (ssize_t)size && fsync(fd) == 0;
    if (close(fd) != 0 || !written) {
        (void)unlink(path);
        return bg_error_set(err, BG_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    return BG_OK;
}

static enum bg_status write_pair(const struct sign_public *public, const unsigned char *seed,
                                 const char *folder, struct bg_error *err)
{
    char path[PATH], other[PATH], line[LINE], hex[SIGN_DIGITS];
    enum bg_status status;

    if (snprintf(path, sizeof path, "%s/%s.key", folder, public->name) >= PATH ||
        snprintf(other, sizeof other, "%s/%s.pub", folder, public->name) >= PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: the name of the folder is too long", folder);
    }
    sodium_bin2hex(hex, sizeof hex, public->key, sizeof public->key);
    snprintf(line, sizeof line, "%s %s %s %s\n", MAGIC, PUBLIC, public->name, hex);
    status = write_new(other, 0644, line, err);
    if (status != BG_OK) {
        return status;
    }
    sodium_bin2hex(hex, sizeof hex, seed, crypto_sign_SEEDBYTES);
    snprintf(line, sizeof line, "%s %s %s %s\n", MAGIC, SECRET, public->name, hex);
    status = write_new(path, 0600, line, err);
    if (status != BG_OK) {
        (void)unlink(other);
    }
    sodium_memzero(line, sizeof line);
    sodium_memzero(hex, sizeof hex);
    return status;
}

enum bg_status sign_key_make(struct sign_public *out, const char *folder, const char *name,
                             struct bg_error *err)
{
    unsigned char seed[crypto_sign_SEEDBYTES], secret[SIGN_SECRET];
    enum bg_status status;

    if (!sign_name_is_valid(name)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.80s': the name of a key has 1 to %d characters A-Z a-z 0-9 . _ + - "
                            "and does not begin with a dot",
                            name, SIGN_NAME - 1);
    }
    if (sodium_init() < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "no random numbers for a key");
    }
    randombytes_buf(seed, sizeof seed);
    snprintf(out->name, sizeof out->name, "%s", name);
    crypto_sign_seed_keypair(out->key, secret, seed);
    status = write_pair(out, seed, folder, err);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(secret, sizeof secret);
    return status;
}

/* ------------------------------------------------------------------------- reading */

static enum bg_status read_line(char out[LINE], struct stat *info, const char *path,
                                struct bg_error *err)
{
    FILE *file = fopen(path, "rbe");
    size_t size;

    if (file == NULL || fstat(fileno(file), info) != 0) {
        enum bg_status status = bg_error_set(err, BG_E_ARGUMENT, "%s: %s", path, strerror(errno));

        if (file != NULL) {
            fclose(file);
        }
        return status;
    }
    size = fread(out, 1, LINE - 1, file);
    out[size] = '\0';
    fclose(file);
    return BG_OK;
}

/* Reads "bgref-key-1 KIND NAME HEX" and a line end. The line is cut into its words. */
static bool take_words(char *line, const char *kind, char name[SIGN_NAME],
                       unsigned char digits[SIGN_PUBLIC])
{
    char *rest = line;
    char *word[4];

    for (int i = 0; i < 4; i++) {
        word[i] = strsep(&rest, i < 3 ? " " : "\n");
        if (word[i] == NULL) {
            return false;
        }
    }
    if (strcmp(word[0], MAGIC) != 0 || strcmp(word[1], kind) != 0 || !sign_name_is_valid(word[2]) ||
        strlen(word[3]) != SIGN_DIGITS - 1 || (rest != NULL && rest[0] != '\0')) {
        return false;
    }
    snprintf(name, SIGN_NAME, "%s", word[2]);
    return sodium_hex2bin(digits, SIGN_PUBLIC, word[3], SIGN_DIGITS - 1, NULL, NULL, NULL) == 0;
}

static enum bg_status read_key(char name[SIGN_NAME], unsigned char digits[SIGN_PUBLIC],
                               const char *path, const char *kind, struct bg_error *err)
{
    char line[LINE];
    struct stat info;
    enum bg_status status = read_line(line, &info, path, err);
    const char *other = kind == SECRET ? PUBLIC : SECRET;

    if (status != BG_OK) {
        return status;
    }
    if (strstr(line, other) != NULL) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: a %s key; needs the %s one, NAME.%s", path,
                              kind == SECRET ? "public" : "secret",
                              kind == SECRET ? "secret" : "public", kind == SECRET ? "key" : "pub");
    } else if (!take_words(line, kind, name, digits)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: not a key file ('%s %s NAME HEX'); bgref keygen makes one", path,
                              MAGIC, kind);
    } else if (kind == SECRET && (info.st_mode & 077) != 0) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: others may read this secret key; make it yours alone: chmod 600 "
                              "%s",
                              path, path);
    }
    sodium_memzero(line, sizeof line);
    return status;
}

enum bg_status sign_secret_read(struct sign_secret *out, const char *path, struct bg_error *err)
{
    unsigned char seed[crypto_sign_SEEDBYTES];
    enum bg_status status = read_key(out->public.name, seed, path, SECRET, err);

    if (status == BG_OK) {
        crypto_sign_seed_keypair(out->public.key, out->key, seed);
    }
    sodium_memzero(seed, sizeof seed);
    return status;
}

enum bg_status sign_public_read(struct sign_public *out, const char *path, struct bg_error *err)
{
    return read_key(out->name, out->key, path, PUBLIC, err);
}
