/* A signature proves who says something, not that it is true. So the output has both, what is
 * proven and what is not, and the files are compared with what is there now. */
#include "check_verify.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/exit_status.h>
#include <rules/clean.h>

#include "base/memory.h"
#include "check/bot_certificate.h"
#include "cmd/command.h"
#include "base/plain_file.h"
#include "base/plural.h"

/* Reads at most BOT_CERTIFICATE_BYTES; *text is the caller's to free. */
static enum bg_status read_text(char **text, size_t *size, const char *path, struct bg_error *err)
{
    FILE *file;
    const char *why = plain_file_open(&file, path, BOT_CERTIFICATE_BYTES);
    enum bg_status status = BG_OK;

    if (why != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s", why);
    }
    *text = memory_zeroed(1, BOT_CERTIFICATE_BYTES);
    *size = fread(*text, 1, BOT_CERTIFICATE_BYTES, file);
    if (ferror(file) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "read: %s", strerror(errno));
    }
    fclose(file);
    return status;
}

static enum bg_status check_signer(const struct bot_certificate *certificate,
                                   const struct key_public *wanted, struct bg_error *err)
{
    char fingerprint[KEY_FILE_PRINT];

    if (memcmp(wanted->key, certificate->by.key, sizeof wanted->key) == 0) {
        return BG_OK;
    }
    key_fingerprint(fingerprint, certificate->by.key);
    return bg_error_set(err, BG_E_MISMATCH,
                        "not signed by the key of %s, but by one with the name %s and the "
                        "fingerprint %s",
                        wanted->name, certificate->by.name, fingerprint);
}

static void print_line(const char *before, const char *text)
{
    fputs(before, stdout);
    clean_print(stdout, text, CLEAN_LINE);
    putchar('\n');
}

/* Prints what differs now. Returns how many files do. */
static size_t print_changes(const struct bot_certificate *certificate)
{
    size_t changed = 0;

    for (size_t i = 0; i < certificate->files; i++) {
        const struct bot_file *file = &certificate->file[i];
        char digest[PROGRAM_DIGEST];
        uint64_t size = file->size;
        FILE *there;
        bool is_gone = false;

        if (program_file_digest(digest, &size, file->path) && size == file->size &&
            strcmp(digest, file->digest) == 0) {
            continue;
        }
        changed++;
        if (plain_file_open(&there, file->path, PLAIN_FILE_ANY) != NULL) {
            is_gone = true;
        } else {
            fclose(there);
        }
        print_line(file->is_program ? (is_gone ? "program gone: " : "program changed: ")
                                    : (is_gone ? "file gone: " : "file changed: "),
                   file->path);
    }
    return changed;
}

static size_t print(const struct bot_certificate *certificate, const char *signer)
{
    char fingerprint[KEY_FILE_PRINT];
    size_t changed;

    print_line("bot: ", certificate->bot);
    print_line("version: ", certificate->version);
    print_line("level: ", certificate->level);
    print_line("game: ", certificate->game);
    print_line("examined: ", certificate->date);
    print_line("by bgref: ", certificate->bgref);
    key_fingerprint(fingerprint, certificate->by.key);
    printf("signed: by %s, fingerprint %s\n", certificate->by.name, fingerprint);
    if (signer == NULL) {
        puts("not proven: whose key signed; --signer NAME.pub compares it");
    }
    /* whoever has a key can sign any text */
    puts("not proven: the level; the signer says so, 'bgref check' examines the bot again");
    changed = print_changes(certificate);
    if (changed == 0) {
        printf("unchanged: %zu %s\n", certificate->files,
               plural(certificate->files, "file", "files"));
    } else {
        printf("changed: %zu of %zu %s\n", changed, certificate->files,
               plural(certificate->files, "file", "files"));
    }
    return changed;
}

/* Reads and proves the certificate. The message of a failure names the file. wanted may be NULL. */
static enum bg_status prove(struct bot_certificate *out, const char *path,
                            const struct key_public *wanted, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    char *text = NULL;
    size_t size = 0;
    enum bg_status status = read_text(&text, &size, path, &why);

    if (status == BG_OK) {
        status = bot_certificate_read(out, text, size, &why);
    }
    if (status == BG_OK && wanted != NULL) {
        status = check_signer(out, wanted, &why);
    }
    free(text);
    return status == BG_OK ? BG_OK : bg_error_set(err, status, "%.200s: %s", path, why.text);
}

int check_verify(const char *path, const char *signer)
{
    struct bot_certificate *certificate = memory_zeroed(1, sizeof *certificate);
    struct key_public wanted;
    struct bg_error err = {.text = ""};
    size_t changed = 0;
    enum bg_status status = BG_OK;

    if (signer != NULL) {
        status = sign_public_read(&wanted, signer, &err);
    }
    if (status == BG_OK) {
        status = prove(certificate, path, signer == NULL ? NULL : &wanted, &err);
    }
    if (status == BG_OK) {
        changed = print(certificate, signer);
    } else {
        command_say(err.text);
    }
    bot_certificate_deinit(certificate);
    free(certificate);
    if (status != BG_OK) {
        return status == BG_E_FORMAT ? EXIT_MISUSE : exit_status_of_results(status);
    }
    return changed > 0 ? EXIT_CHECK : EXIT_DONE;
}
