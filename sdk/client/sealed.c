/* The SDK reads key files itself, in the one form that `bgref keygen --join` writes:
 * results/proof, which has the general reader, is not installed. The key is taken from a file,
 * never from the environment, which other processes of the user can read. */
#include "sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>
#include <zmq.h>

enum {
    KEY = 32,
    DIGITS = 2 * KEY,
    PRINTED = 41 /* by libzmq, with the terminator */,
    FILE_MOST = 400
};

static const char SERVER[] = "BGREF_SERVER_KEY", OWN[] = "BGREF_KEY_FILE";
static const char FORM[] = "bgref-key-1 join-secret "; /* then NAME and the digits */

bool sealed_is_wanted(void)
{
    const char *key = getenv(SERVER);

    return key != NULL && key[0] != '\0';
}

static int digit_of(char letter)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = letter == '\0' ? NULL : strchr(digits, letter);

    return at == NULL ? -1 : (int)(at - digits);
}

/* Reads DIGITS digits at the end of text. */
static bool read_key(uint8_t key[KEY], const char *text)
{
    bool is_key = strlen(text) == DIGITS;

    for (int i = 0; i < KEY && is_key; i++) {
        int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);

        is_key = high >= 0 && low >= 0;
        key[i] = (uint8_t)((high << 4 | low) & 0xff);
    }
    return is_key;
}

/* libzmq derives the public key from printed keys only. */
static bool derive(uint8_t public[KEY], const uint8_t secret[KEY])
{
    char printed[PRINTED], derived[PRINTED];
    bool done = zmq_z85_encode(printed, secret, KEY) != NULL &&
                zmq_curve_public(derived, printed) == 0 && zmq_z85_decode(public, derived) != NULL;

    /* As little of the secret as possible stays on the stack. The compiler would leave out a
     * memset() of what is never read again. */
    sodium_memzero(printed, sizeof printed);
    return done;
}

static enum bg_status read_key_file(char text[FILE_MOST], const char *path, struct bg_error *err)
{
    /* One descriptor for both questions: with stat() and open() by name the file could be
     * another one between them. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat about;
    ssize_t size = 0;
    enum bg_status status = BG_OK;

    if (fd < 0 || fstat(fd, &about) != 0 || (size = read(fd, text, FILE_MOST - 1)) < 0) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s %s: %s", OWN, path, strerror(errno));
        size = 0;
    }
    text[size] = '\0';
    if (status == BG_OK && !S_ISREG(about.st_mode)) { /* a FIFO: it opens, but nobody writes */
        status = bg_error_set(err, BG_E_ARGUMENT, "%s %s: not a plain file", OWN, path);
    } else if (status == BG_OK && strstr(text, " join-public ") != NULL) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s %s: a public key; needs the secret one, NAME.key", OWN, path);
    } else if (status == BG_OK && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s %s: others may read this key: chmod 600 %s",
                              OWN, path, path);
    }
    if (fd >= 0) {
        close(fd);
    }
    return status;
}

static enum bg_status read_own(uint8_t secret[KEY], struct bg_error *err)
{
    const char *path = getenv(OWN);
    char text[FILE_MOST];
    const char *word;
    enum bg_status status;

    if (path == NULL || path[0] == '\0') {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s is not set: with %s it names the secret key that 'bgref keygen "
                            "--join' made",
                            OWN, SERVER);
    }
    status = read_key_file(text, path, err);
    /* An author may have edited it on a system with other line ends. */
    text[strcspn(text, "\r\n")] = '\0';
    word = strrchr(text, ' ');
    if (status == BG_OK &&
        (strncmp(text, FORM, strlen(FORM)) != 0 || word == NULL || !read_key(secret, word + 1))) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s %s: not a secret key of 'bgref keygen --join NAME' (NAME.key)",
                              OWN, path);
    }
    sodium_memzero(text, sizeof text);
    return status;
}

enum bg_status sealed_set(void *socket, struct bg_error *err)
{
    uint8_t host[KEY], public[KEY], secret[KEY];
    enum bg_status status = read_own(secret, err);

    if (status == BG_OK && !read_key(host, getenv(SERVER))) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "%s is not a key of %d digits 0 to 9, a to f: 'key' in HOST.bgref",
                              SERVER, DIGITS);
    }
    if (status == BG_OK &&
        (!derive(public, secret) || zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, host, KEY) != 0 ||
         zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, public, KEY) != 0 ||
         zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret, KEY) != 0)) {
        status = bg_error_set(err, BG_E_LINK, "CURVE: %s", zmq_strerror(zmq_errno()));
    }
    sodium_memzero(secret, sizeof secret);
    return status;
}
