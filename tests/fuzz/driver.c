/* driver - runs a fuzz target without a fuzzer: files as they are, or a bounded number of mutations
 * of the files given, from a fixed seed.
 *
 *     fuzz_x [-N] FILE...        N mutations of each file, none by default
 *     fuzz_x -tSECONDS FILE...   mutations of all files in turn, for SECONDS
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 16 };

static uint64_t state = 1;

static size_t chance(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state >> 16) % below;
}

/* One mutation: a changed byte or bit, or a piece removed, doubled or cut off. */
static size_t mutate(uint8_t *data, size_t size)
{
    size_t at = chance(size + 1), length = chance(16) + 1;

    switch (chance(5)) {
    case 0:
        data[at % ROOM] = (uint8_t)chance(256);
        return at == size && size < ROOM ? size + 1 : size;
    case 1:
        data[at % ROOM] ^= (uint8_t)(1u << chance(8));
        return size;
    case 2:
        length = at + length > size ? size - at : length;
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    case 3:
        if (at + length > size || size + length > ROOM) {
            return size;
        }
        memmove(data + at + length, data + at, size - at);
        return size + length;
    default:
        return chance(4) == 0 ? at : size;
    }
}

/* Copies the input to a block of its exact size, so that a sanitizer detects a read past the
 * end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL) {
        abort();
    }
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_mutation(const uint8_t *seed, size_t size)
{
    static uint8_t data[ROOM];
    size_t length = size;

    memcpy(data, seed, size);
    for (size_t changes = chance(6) + 1; changes > 0; changes--) {
        length = mutate(data, length);
    }
    run(data, length);
}

/* Runs one file unchanged, then its mutations. Returns false if it cannot be read. */
static bool run_file(const char *path, long mutations)
{
    static uint8_t seed[ROOM];
    FILE *file = fopen(path, "rb");
    size_t size;

    if (file == NULL) {
        perror(path);
        return false;
    }
    size = fread(seed, 1, ROOM, file);
    fclose(file);
    run(seed, size);
    while (mutations-- > 0) {
        run_mutation(seed, size);
    }
    return true;
}

int main(int argc, char **argv)
{
    enum { IN_A_TURN = 100 };
    bool timed = argc > 1 && strncmp(argv[1], "-t", 2) == 0;
    long given = argc > 1 && argv[1][0] == '-' ? strtol(argv[1] + (timed ? 2 : 1), NULL, 10) : 0;
    time_t end = time(NULL) + given;

    do {
        for (int i = given > 0 ? 2 : 1; i < argc; i++) {
            if (!run_file(argv[i], timed ? IN_A_TURN : given)) {
                return 1;
            }
        }
    } while (timed && time(NULL) < end);
    return 0;
}
