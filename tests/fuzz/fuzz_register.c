/* Any bytes at the porch: refused, or a request that is written and read again as the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <door/register.h>
#include <rules/clean.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct register_ask ask, again;
    struct register_answer answer;
    char message[REGISTER_MOST];

    if (register_read(&ask, data, size, NULL) == BG_OK) {
        size_t length = register_write(message, &ask);

        if (length > size || register_read(&again, message, length, NULL) != BG_OK ||
            memcmp(&ask, &again, sizeof ask) != 0 || strchr(ask.name, ' ') != NULL ||
            clean_find(ask.contact, strlen(ask.contact), CLEAN_LINE) != strlen(ask.contact)) {
            abort();
        }
    }
    if (register_answer_read(&answer, data, size, NULL) == BG_OK &&
        register_answer_write(message, &answer) >= sizeof message) {
        abort();
    }
    return 0;
}
