/* Any bytes as a certificate of `bgref check --out`: refused with one line, or signed and whole. */
#include <string.h>

#include "check/bot_certificate.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bot_certificate *certificate = malloc(sizeof *certificate);
    struct bg_error err = {.text = ""};
    enum bg_status status;

    if (certificate == NULL) {
        return 0;
    }
    status = bot_certificate_read(certificate, (const char *)data, size, &err);
    if (status != BG_OK && (err.text[0] == '\0' || strchr(err.text, '\n') != NULL)) {
        abort();
    }
    for (size_t i = 0; i < certificate->files; i++) {
        require(certificate->file[i].path[0] == '/' && strlen(certificate->file[i].digest) == 64);
    }
    require(status != BG_OK || data[size - 1] == '\n');
    bot_certificate_deinit(certificate);
    free(certificate);
    return 0;
}
