/* driver - runs a fuzz target without a fuzzer: files as they are, or a bounded number of mutations
 * of the files given, from a fixed seed.
 *
 *     fuzz_x [-N] FILE...        N mutations of each file, none by default
 *     fuzz_x -tSECONDS FILE...   mutations of all files in turn, for SECONDS
 *     fuzz_x -sFACTOR FILE...    the files grown to ten times a size in several ways: fails if a
 * growth takes more than FACTOR times the time (of the processor)
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

/* ---- time that grows with size ---- */

enum { SMALL = 20000, LARGE = 10 * SMALL, TRIES = 3 };

/* What grows: the file again and again, its last line, or a piece that may nest. */
static const char *const pieces[] = {
    "",   "[", "{", "(", "[{\"a\":", "- ", "a: ", "&a ", "\n", " ",
    "\"", "'", "0", ";", ",",        ":",  "<",   "\t",  "x",  "\\"};

/* Fills data from the file, with the piece (0: the file, 1: its last line) repeated behind it or
 * before it. */
static void grow(uint8_t *data, size_t size, const uint8_t *seed, size_t length, const char *piece,
                 bool before)
{
    const uint8_t *what = (const uint8_t *)piece;
    size_t unit = strlen(piece), kept = length < size / 2 ? length : size / 2;
    size_t from = before ? 0 : kept, end = before ? size - kept : size;

    if (unit == 0) {
        what = seed;
        unit = length > 0 ? length : 1;
    }
    memcpy(data + (before ? size - kept : 0), seed, kept);
    for (size_t at = from; at < end; at++) {
        data[at] = what[(at - from) % unit];
    }
}

/* The least processor time of several runs. */
static double time_of(const uint8_t *data, size_t size)
{
    double least = 1e9;

    for (int i = 0; i < TRIES && (i == 0 || least < 1); i++) {
        clock_t begun = clock();
        double used;

        run(data, size);
        used = (double)(clock() - begun) / CLOCKS_PER_SEC;
        least = used < least ? used : least;
    }
    return least;
}

/* Runs one file in all ways. Returns the number of ways that take too long. */
static int scale_file(const char *path, double most, double *worst)
{
    static uint8_t seed[ROOM], data[LARGE];
    FILE *file = fopen(path, "rb");
    size_t length;
    int wrong = 0;

    if (file == NULL) {
        perror(path);
        return 1;
    }
    length = fread(seed, 1, SMALL / 2, file);
    fclose(file);
    for (size_t i = 0; i < 2 * sizeof pieces / sizeof pieces[0]; i++) {
        const char *piece = pieces[i / 2];
        double few, many, factor;

        grow(data, SMALL, seed, length, piece, i % 2 != 0);
        few = time_of(data, SMALL);
        grow(data, LARGE, seed, length, piece, i % 2 != 0);
        many = time_of(data, LARGE);
        factor =
            many / (few > 0.001 ? few : 0.001); /* below that it is noise of caches and pages */
        *worst = factor > *worst ? factor : *worst;
        if (factor > most) {
            fprintf(stderr, "%s, '%s' %s: %.4f s for %d bytes, %.4f s for %d: %.0f times\n", path,
                    piece, i % 2 != 0 ? "before" : "behind", few, SMALL, many, LARGE, factor);
            wrong++;
        }
    }
    return wrong;
}

static int scale(int count, char **paths, double most)
{
    double worst = 0;
    int wrong = 0;

    for (int i = 0; i < count; i++) {
        wrong += scale_file(paths[i], most, &worst);
    }
    printf("ten times the size: at most %.1f times the time\n", worst);
    return wrong > 0;
}

int main(int argc, char **argv)
{
    enum { IN_A_TURN = 100 };
    bool timed = argc > 1 && strncmp(argv[1], "-t", 2) == 0;
    long given = argc > 1 && argv[1][0] == '-' ? strtol(argv[1] + (timed ? 2 : 1), NULL, 10) : 0;
    time_t end = time(NULL) + given;

    if (argc > 1 && strncmp(argv[1], "-s", 2) == 0) {
        return scale(argc - 2, argv + 2, strtod(argv[1] + 2, NULL));
    }
    do {
        for (int i = given > 0 ? 2 : 1; i < argc; i++) {
            if (!run_file(argv[i], timed ? IN_A_TURN : given)) {
                return 1;
            }
        }
    } while (timed && time(NULL) < end);
    return 0;
}
