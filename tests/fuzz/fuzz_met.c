/* fuzz_met - foreign match equity tables: read or refused with a message, and a table that is read
 * obeys the laws. */
#define _GNU_SOURCE /* fmemopen */
#include <stdio.h>

#include "numbers/met.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct met met = {0};
    struct bg_error err = {.text = ""};
    unsigned char *copy = malloc(size + 1);
    FILE *in = NULL;

    require(copy != NULL);
    for (size_t i = 0; i < size; i++) {
        copy[i] = data[i];
    }
    in = size == 0 ? fopen("/dev/null", "r") : fmemopen(copy, size, "r");
    require(in != NULL);
    if (met_read(&met, in, "table", &err) == BG_OK) {
        if (met_check(&met, &err) != BG_OK || !(met_chance(&met, 1, 1, MET_NORMAL) > 0.49)) {
            abort();
        }
    } else if (err.text[0] == '\0') {
        abort();
    }
    met_deinit(&met);
    fclose(in);
    free(copy);
    return 0;
}
