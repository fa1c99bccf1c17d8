/* A text of lines, not JSON: the signature covers bytes, and two programs write the same JSON in
 * different bytes. It covers everything up to the blank before itself, so that nothing can be
 * added behind it or in the line of its own. */
#define _GNU_SOURCE
#include "bot_certificate.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include <base/memory.h>
#include <bgref/api.h>
#include <rules/clean.h>

static const char magic[] = "bgref-certificate 1\n";
static const char signed_word[] = "signed ";

/* The lines between the first one and the files, in their order. */
static const struct {
    const char *word;
    size_t offset;
} fields[] = {
#define FIELD(name)                                                                                \
    {                                                                                              \
#name, offsetof(struct bot_certificate, name)                                              \
    }
    FIELD(bgref), FIELD(date),  FIELD(bot),      FIELD(version), FIELD(options),
    FIELD(game),  FIELD(level), FIELD(findings), FIELD(digest),
#undef FIELD
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static char *field_of(struct bot_certificate *certificate, int i)
{
    return (char *)certificate + fields[i].offset;
}

void bot_certificate_deinit(struct bot_certificate *certificate)
{
    for (size_t i = 0; i < certificate->files; i++) {
        free(certificate->file[i].path);
    }
    free(certificate->file);
    certificate->file = NULL;
    certificate->files = certificate->room = 0;
}

/* Adds a file; takes the path. */
static void take_file(struct bot_certificate *out, const struct bot_file *file)
{
    out->file = memory_list(out->file, &out->room, out->files + 1, sizeof *out->file);
    out->file[out->files++] = *file;
}

/* ---------------------------------------------------------------------- making */

static void add_path(struct bot_certificate *out, const char *path, bool is_program)
{
    struct bot_file file = {.is_program = is_program, .size = UINT64_MAX - 1};

    for (size_t i = 0; i < out->files; i++) {
        if (strcmp(out->file[i].path, path) == 0) {
            return;
        }
    }
    for (const char *at = path; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f) {
            return; /* a line has no room for it */
        }
    }
    if (!program_file_digest(file.digest, &file.size, path)) {
        return;
    }
    file.path = memory_text(path);
    take_file(out, &file);
}

static void add_named(void *user, const char *path, bool by_command)
{
    char real[PATH_MAX + NAME_MAX + 2];

    if (opened_path(real, sizeof real, path)) {
        add_path(user, real, by_command);
    }
}

static void set_field(char out[BOT_CERTIFICATE_TEXT], const char *text)
{
    clean_write(out, BOT_CERTIFICATE_TEXT, text, strlen(text), CLEAN_LINE);
    if (out[0] == '\0') {
        memcpy(out, "-", 2);
    }
}

void bot_certificate_make(struct bot_certificate *out, const struct certificate *examined,
                          const char *game, const struct competitor *bot, struct opened *opened)
{
    struct program program;
    const char *const *files;
    time_t now = time(NULL);
    struct tm utc;
    size_t count;

    memset(out, 0, sizeof *out);
    set_field(out->bgref, BG_VERSION);
    gmtime_r(&now, &utc);
    strftime(out->date, sizeof out->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    set_field(out->bot, examined->bot);
    set_field(out->version, examined->version);
    set_field(out->options, examined->options);
    set_field(out->game, game);
    snprintf(out->level, sizeof out->level, "%d of %d", certificate_level(examined),
             examined->asked);
    if (certificate_level(examined) < 0) {
        snprintf(out->level, sizeof out->level, "none of %d", examined->asked);
    }
    certificate_hash(out->findings, examined);
    set_field(out->digest, examined->program);
    program_walk(&program, bot, add_named, out);
    files = opened_files(opened, &count);
    for (size_t i = 0; i < count; i++) {
        add_path(out, files[i], false);
    }
}

/* --------------------------------------------------------------------- writing */

static void write_text(FILE *text, const struct bot_certificate *certificate,
                       const struct key_public *by)
{
    char key[KEY_FILE_DIGITS];

    fputs(magic, text);
    for (int i = 0; i < FIELDS; i++) {
        fprintf(text, "%s %s\n", fields[i].word, (const char *)certificate + fields[i].offset);
    }
    for (size_t i = 0; i < certificate->files; i++) {
        const struct bot_file *file = &certificate->file[i];

        fprintf(text, "%s %" PRIu64 " %s %s\n", file->is_program ? "program" : "file", file->size,
                file->digest, file->path);
    }
    sodium_bin2hex(key, sizeof key, by->key, sizeof by->key);
    fprintf(text, "%s%s %s ", signed_word, by->name, key);
}

void bot_certificate_write(FILE *out, const struct bot_certificate *certificate,
                           const struct sign_secret *secret)
{
    unsigned char bytes[SIGN_BYTES];
    char *text, digits[2 * SIGN_BYTES + 1];
    size_t size;
    FILE *memory = memory_stream(&text, &size);

    write_text(memory, certificate, &secret->public);
    memory_stream_close(memory);
    sign_text(bytes, text, size, secret);
    sodium_bin2hex(digits, sizeof digits, bytes, sizeof bytes);
    fwrite(text, 1, size, out);
    fprintf(out, "%s\n", digits);
    free(text);
}

/* --------------------------------------------------------------------- reading */

/* A text that is read line by line. */
struct bot_certificate_reader {
    const char *at, *end;
    int line; /* number of the last line */
};

/* Takes the next line, without its end. Returns false if there is none. */
static bool next_rule_line(const char **line, size_t *size, struct bot_certificate_reader *reader)
{
    const char *end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));

    if (end == NULL) {
        return false;
    }
    *line = reader->at;
    *size = (size_t)(end - reader->at);
    reader->at = end + 1;
    reader->line++;
    return true;
}

/* Copies what stands behind "WORD ". */
static bool take_value(char *out, size_t room, const char *word, const char *line, size_t size)
{
    const size_t length = strlen(word);

    if (size <= length + 1 || size - length - 1 >= room || memcmp(line, word, length) != 0 ||
        line[length] != ' ') {
        return false;
    }
    memcpy(out, line + length + 1, size - length - 1);
    out[size - length - 1] = '\0';
    return true;
}

static bool is_hex(const char *text, size_t digits)
{
    return strspn(text, "0123456789abcdef") >= digits;
}

/* Reads "program SIZE HEX PATH" or "file SIZE HEX PATH". */
static bool take_file_line(struct bot_certificate *out, const char *line, size_t size)
{
    char text[PATH_MAX + 128], *at;
    struct bot_file file = {.is_program = size > 0 && line[0] == 'p'};

    if (!take_value(text, sizeof text, file.is_program ? "program" : "file", line, size) ||
        text[0] < '0' || text[0] > '9') {
        return false;
    }
    file.size = strtoull(text, &at, 10);
    if (*at != ' ' || !is_hex(at + 1, PROGRAM_DIGEST - 1) || at[PROGRAM_DIGEST] != ' ' ||
        at[PROGRAM_DIGEST + 1] != '/') {
        return false;
    }
    memcpy(file.digest, at + 1, PROGRAM_DIGEST - 1);
    file.path = memory_text(at + PROGRAM_DIGEST + 1);
    take_file(out, &file);
    return true;
}

/* Reads "signed NAME KEY SIGNATURE"; *covered: the bytes of the line that the signature covers. */
static bool take_signed(struct bot_certificate *out, unsigned char bytes[SIGN_BYTES],
                        size_t *covered, const char *line, size_t size)
{
    char text[KEY_FILE_NAME + KEY_FILE_DIGITS + 2 * SIGN_BYTES + 8], *rest = text, *name, *key;

    if (!take_value(text, sizeof text, "signed", line, size)) {
        return false;
    }
    name = strsep(&rest, " ");
    key = strsep(&rest, " ");
    if (key == NULL || rest == NULL || !key_name_is_valid(name) ||
        !key_read_hex(out->by.key, key) || strlen(rest) != 2 * SIGN_BYTES ||
        !is_hex(rest, 2 * SIGN_BYTES)) {
        return false;
    }
    snprintf(out->by.name, sizeof out->by.name, "%s", name);
    *covered = size - strlen(rest);
    return sodium_hex2bin(bytes, SIGN_BYTES, rest, 2 * SIGN_BYTES, NULL, NULL, NULL) == 0;
}

static enum bg_status refuse(const struct bot_certificate_reader *reader, const char *wanted,
                             struct bg_error *err)
{
    return reader->at == reader->end ||
                   memchr(reader->at, '\n', (size_t)(reader->end - reader->at)) == NULL
               ? bg_error_set(err, BG_E_FORMAT,
                              "the certificate is cut after line %d: it ends with 'signed NAME KEY "
                              "SIGNATURE' and a line end; get the whole file",
                              reader->line)
               : bg_error_set(err, BG_E_FORMAT, "line %d: not a line '%s ...' of a certificate",
                              reader->line, wanted);
}

/* Reads the lines with one value each. */
static enum bg_status take_fields(struct bot_certificate *out,
                                  struct bot_certificate_reader *reader, struct bg_error *err)
{
    const char *line;
    size_t size;

    for (int i = 0; i < FIELDS; i++) {
        if (!next_rule_line(&line, &size, reader) ||
            !take_value(field_of(out, i), BOT_CERTIFICATE_TEXT, fields[i].word, line, size)) {
            return refuse(reader, fields[i].word, err);
        }
    }
    return BG_OK;
}

enum bg_status bot_certificate_read(struct bot_certificate *out, const char *text, size_t size,
                                    struct bg_error *err)
{
    struct bot_certificate_reader reader = {.at = text, .end = text + size, .line = 1};
    unsigned char bytes[SIGN_BYTES];
    const size_t head = strlen(magic);
    const char *line;
    size_t length, covered;
    enum bg_status status;

    memset(out, 0, sizeof *out);
    if (size < head || memcmp(text, magic, head) != 0) {
        return bg_error_set(err, BG_E_FORMAT,
                            "not a certificate: its first line is not 'bgref-certificate 1'; "
                            "'bgref check BOT --out FILE --key NAME.key' writes one");
    }
    if (memchr(text, '\0', size) != NULL) {
        return bg_error_set(err, BG_E_FORMAT, "not a certificate: it has a zero byte");
    }
    reader.at += head;
    status = take_fields(out, &reader, err);
    if (status != BG_OK) {
        return status;
    }
    for (;;) {
        if (!next_rule_line(&line, &length, &reader)) {
            return refuse(&reader, "signed", err);
        }
        if (length > strlen(signed_word) && memcmp(line, signed_word, strlen(signed_word)) == 0) {
            break;
        }
        if (!take_file_line(out, line, length)) {
            return bg_error_set(err, BG_E_FORMAT, "line %d: not a line of a certificate",
                                reader.line);
        }
    }
    if (!take_signed(out, bytes, &covered, line, length)) {
        return bg_error_set(err, BG_E_FORMAT, "line %d: not 'signed NAME KEY SIGNATURE'",
                            reader.line);
    }
    if (reader.at != reader.end) {
        return bg_error_set(err, BG_E_FORMAT, "line %d: there is something behind the signature",
                            reader.line + 1);
    }
    return sign_text_holds(bytes, text, (size_t)(line - text) + covered, out->by.key)
               ? BG_OK
               : bg_error_set(err, BG_E_MISMATCH,
                              "the signature of %s does not fit: the certificate was changed after "
                              "it was signed; get it again from where it was written",
                              out->by.name);
}
