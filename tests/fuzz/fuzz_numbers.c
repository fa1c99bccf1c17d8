/* fuzz_numbers - foreign JSON as results to be rated: they are read or refused; results that are
 * read are rated.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tables/json_input.h>
#include <tables/json_answer.h>
#include "tables/event_table.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    struct json_input input = {0};
    struct bg_error err = {.text = ""};
    char path[64];
    int fd = memfd_create("numbers", MFD_CLOEXEC);

    if (nowhere == NULL) {
        nowhere = fopen("/dev/null", "w");
    }
    require(nowhere != NULL && fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (json_input_read(&input, path, &err) == BG_OK) {
        if (report_json_input(nowhere, &input, &err) != BG_OK && err.text[0] == '\0') {
            abort(); /* a failure without a message */
        }
    } else if (err.text[0] == '\0') {
        abort();
    }
    json_input_deinit(&input);
    close(fd);
    return 0;
}
