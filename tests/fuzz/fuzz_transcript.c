/* fuzz_transcript - foreign rows judged as complete games: every game gets a verdict or the rows
 * are refused, never both. */
#define _POSIX_C_SOURCE 200809L
#include "format/transcript.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    union {
        const uint8_t *in;
        void *out;
    } bytes = {data};
    FILE *in;
    int status;

    if (size == 0) {
        return 0;
    }
    if (nowhere == NULL) {
        nowhere = fopen("/dev/null", "w");
    }
    in = fmemopen(bytes.out, size, "r");
    require(nowhere != NULL && in != NULL);
    status = transcript_judge(in, "fuzz", nowhere, nowhere);
    if (status != EXIT_DONE && status != EXIT_CHECK && status != EXIT_MISUSE) {
        abort();
    }
    fclose(in);
    return 0;
}
