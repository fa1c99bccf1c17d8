/* Key files are one line of text, which can be mailed and compared by eye. What mail programs
 * and editors add to a line is forgiven, and nothing else. A secret file has only the secret half,
 * to sign the seed of 32 bytes and not libsodium's secret key of 64: what can be computed is not
 * stored twice, and the two halves cannot contradict each other. */
#define _GNU_SOURCE /* strsep */
#include "key_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include <sodium.h>

#include "base/output.h"
#include "base/plain_file.h"

enum { PATH = 4096, LINE = 256 };

static const char MAGIC[] = "bgref-key-1";
static const char SIGN[] = "sign", JOIN[] = "join";

_Static_assert((int)crypto_box_PUBLICKEYBYTES == (int)KEY_FILE_BYTES, "size of a public key");
_Static_assert((int)crypto_box_SECRETKEYBYTES == (int)KEY_FILE_BYTES, "size of a secret key");

/* All is lent. */
struct key_pair {
    const char *use, *name;
    const unsigned char *public, *secret; /* KEY_FILE_BYTES each; of a signing key the seed */
};

bool key_name_is_valid(const char *name)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";
    size_t size = strlen(name);

    return size > 0 && size < KEY_FILE_NAME && name[0] != '.' && strspn(name, allowed) == size;
}

void key_fingerprint(char out[KEY_FILE_PRINT], const unsigned char key[KEY_FILE_BYTES])
{
    unsigned char digest[16];
    char hex[2 * sizeof digest + 1];
    size_t used = 0;

    crypto_generichash(digest, sizeof digest, key, KEY_FILE_BYTES, NULL, 0);
    sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
    for (size_t i = 0; hex[i] != '\0'; i++) {
        if (i > 0 && i % 4 == 0) {
            out[used++] = ' ';
        }
        out[used++] = hex[i];
    }
    out[used] = '\0';
}

bool key_read_hex(unsigned char out[KEY_FILE_BYTES], const char *text)
{
    return strlen(text) == KEY_FILE_DIGITS - 1 &&
           sodium_hex2bin(out, KEY_FILE_BYTES, text, KEY_FILE_DIGITS - 1, NULL, NULL, NULL) == 0;
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

/* Writes both files, or none. */
static enum bg_status write_pair(const struct key_pair *pair, const char *folder,
                                 struct bg_error *err)
{
    char path[PATH], other[PATH], line[LINE], hex[KEY_FILE_DIGITS];
    enum bg_status status;

    if (!key_name_is_valid(pair->name)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.80s': the name of a key has 1 to %d characters A-Z a-z 0-9 . _ + - "
                            "and does not begin with a dot",
                            pair->name, KEY_FILE_NAME - 1);
    }
    if (snprintf(path, sizeof path, "%s/%s.key", folder, pair->name) >= PATH ||
        snprintf(other, sizeof other, "%s/%s.pub", folder, pair->name) >= PATH) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: the name of the folder is too long", folder);
    }
    sodium_bin2hex(hex, sizeof hex, pair->public, KEY_FILE_BYTES);
    snprintf(line, sizeof line, "%s %s-public %s %s\n", MAGIC, pair->use, pair->name, hex);
    status = output_has_folder(path, "write", err);
    if (status == BG_OK) {
        /* The public one first, and taken away again if the secret one fails: no secret key lies
         * there without its public half. */
        status = write_new(other, 0644, line, err);
    }
    if (status != BG_OK) {
        return status;
    }
    sodium_bin2hex(hex, sizeof hex, pair->secret, KEY_FILE_BYTES);
    snprintf(line, sizeof line, "%s %s-secret %s %s\n", MAGIC, pair->use, pair->name, hex);
    status = write_new(path, 0600, line, err);
    if (status != BG_OK) {
        (void)unlink(other);
    }
    sodium_memzero(line, sizeof line);
    sodium_memzero(hex, sizeof hex);
    return status;
}

/* ------------------------------------------------------------------------- reading */

/* Takes away what an editor or a mail program has added: a byte order mark, and Windows' line end.
 */
static void tidy(char line[LINE])
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t marked = strncmp(line, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    size_t size;

    memmove(line, line + marked, strlen(line + marked) + 1);
    size = strlen(line);
    if (size >= 2 && strcmp(line + size - 2, "\r\n") == 0) {
        memcpy(line + size - 2, "\n", 2);
    }
}

static enum bg_status read_key_line(char out[LINE], struct stat *info, const char *path,
                                    struct bg_error *err)
{
    FILE *file;
    const char *why = plain_file_open(&file, path, PLAIN_FILE_ANY);
    size_t size;

    if (why != NULL || fstat(fileno(file), info) != 0) {
        enum bg_status status =
            bg_error_set(err, BG_E_ARGUMENT, "%s: %s", path, why != NULL ? why : strerror(errno));

        if (file != NULL) {
            fclose(file);
        }
        return status;
    }
    size = fread(out, 1, LINE - 1, file);
    out[size] = '\0';
    tidy(out);
    fclose(file);
    return BG_OK;
}

/* Reads "bgref-key-1 KIND NAME HEX" and a line end. The line is cut into its words. */
static bool take_words(char *line, const char *kind, char name[KEY_FILE_NAME],
                       unsigned char key[KEY_FILE_BYTES])
{
    char *rest = line;
    char *word[4];

    for (int i = 0; i < 4; i++) {
        word[i] = strsep(&rest, i < 3 ? " " : "\n");
        if (word[i] == NULL) {
            return false;
        }
    }
    if (strcmp(word[0], MAGIC) != 0 || strcmp(word[1], kind) != 0 || !key_name_is_valid(word[2]) ||
        (rest != NULL && rest[0] != '\0')) {
        return false;
    }
    snprintf(name, KEY_FILE_NAME, "%s", word[2]);
    return key_read_hex(key, word[3]);
}

/* Whether the line is a key, and of another use than this one. */
static bool is_other_use(const char *line, const char *use)
{
    static const char *const uses[] = {"sign-", "join-"};
    size_t magic = strlen(MAGIC);

    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        if (strncmp(line, MAGIC, magic) == 0 && line[magic] == ' ' &&
            strncmp(line + magic + 1, uses[i], strlen(uses[i])) == 0 &&
            strncmp(uses[i], use, strlen(use)) != 0) {
            return true;
        }
    }
    return false;
}

enum bg_status key_file_read(char name[KEY_FILE_NAME], unsigned char key[KEY_FILE_BYTES],
                             const char *path, const struct key_file_kind *kind,
                             struct bg_error *err)
{
    char line[LINE], kind_word[32], other[32];
    struct stat info;
    enum bg_status status = read_key_line(line, &info, path, err);

    if (status != BG_OK) {
        return status;
    }
    snprintf(kind_word, sizeof kind_word, "%s-%s", kind->use, kind->secret ? "secret" : "public");
    snprintf(other, sizeof other, "%s-%s", kind->use, kind->secret ? "public" : "secret");
    if (strstr(line, other) != NULL) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: a %s key; needs the %s one, NAME.%s", path,
                              kind->secret ? "public" : "secret",
                              kind->secret ? "secret" : "public", kind->secret ? "key" : "pub");
    } else if (is_other_use(line, kind->use)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: a key for another use; 'bgref keygen --%s NAME' makes the one "
                              "that is needed here",
                              path, kind->use);
    } else if (!take_words(line, kind_word, name, key)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: not a key file ('%s %s NAME HEX'); 'bgref keygen --%s NAME' "
                              "makes one",
                              path, MAGIC, kind_word, kind->use);
        /* Asked of the open file, so that nobody can exchange it in between. */
    } else if (kind->secret && (info.st_mode & 077) != 0) {
        sodium_memzero(key, KEY_FILE_BYTES);
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s: others may read this secret key; make it yours alone: chmod 600 "
                              "%s",
                              path, path);
    }
    sodium_memzero(line, sizeof line);
    return status;
}

/* ------------------------------------------------------------------------- to join */

enum bg_status join_key_make(struct key_public *out, const char *folder, const char *name,
                             struct bg_error *err)
{
    unsigned char secret[KEY_FILE_BYTES];
    const struct key_pair pair = {.use = JOIN, .name = name, .public = out->key, .secret = secret};
    enum bg_status status;

    if (sodium_init() < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "no random numbers for a key");
    }
    snprintf(out->name, sizeof out->name, "%s", name);
    crypto_box_keypair(out->key, secret);
    status = write_pair(&pair, folder, err);
    /* Not memset, which the compiler may leave out before a return. */
    sodium_memzero(secret, sizeof secret);
    return status;
}

enum bg_status join_secret_read(struct join_secret *out, const char *path, struct bg_error *err)
{
    const struct key_file_kind kind = {.use = JOIN, .secret = true};
    enum bg_status status = key_file_read(out->public.name, out->key, path, &kind, err);

    if (status == BG_OK && crypto_scalarmult_base(out->public.key, out->key) != 0) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s: not a key that can be used", path);
    }
    return status;
}

void join_secret_wipe(struct join_secret *secret)
{
    sodium_memzero(secret, sizeof *secret);
}

/* ------------------------------------------------------------------------- to sign */

void sign_secret_wipe(struct sign_secret *secret)
{
    sodium_memzero(secret, sizeof *secret);
}

enum bg_status sign_key_make(struct key_public *out, const char *folder, const char *name,
                             struct bg_error *err)
{
    unsigned char seed[crypto_sign_SEEDBYTES], secret[SIGN_SECRET];
    const struct key_pair pair = {.use = SIGN, .name = name, .public = out->key, .secret = seed};
    enum bg_status status;

    if (sodium_init() < 0) {
        return bg_error_set(err, BG_E_SYSTEM, "no random numbers for a key");
    }
    randombytes_buf(seed, sizeof seed);
    snprintf(out->name, sizeof out->name, "%s", name);
    crypto_sign_seed_keypair(out->key, secret, seed);
    status = write_pair(&pair, folder, err);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(secret, sizeof secret);
    return status;
}

enum bg_status sign_secret_read(struct sign_secret *out, const char *path, struct bg_error *err)
{
    const struct key_file_kind kind = {.use = SIGN, .secret = true};
    unsigned char seed[crypto_sign_SEEDBYTES];
    enum bg_status status = key_file_read(out->public.name, seed, path, &kind, err);

    if (status == BG_OK) {
        crypto_sign_seed_keypair(out->public.key, out->key, seed);
    }
    sodium_memzero(seed, sizeof seed);
    return status;
}

enum bg_status sign_public_read(struct key_public *out, const char *path, struct bg_error *err)
{
    const struct key_file_kind kind = {.use = SIGN};

    return key_file_read(out->name, out->key, path, &kind, err);
}

void sign_text(unsigned char out[SIGN_BYTES], const char *text, size_t size,
               const struct sign_secret *secret)
{
    crypto_sign_detached(out, NULL, (const unsigned char *)text, size, secret->key);
}

bool sign_text_holds(const unsigned char bytes[SIGN_BYTES], const char *text, size_t size,
                     const unsigned char key[KEY_FILE_BYTES])
{
    return crypto_sign_verify_detached(bytes, (const unsigned char *)text, size, key) == 0;
}
