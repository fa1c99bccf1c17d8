/* cmd_dice.c - bgref dice: the keyed dice of a message, for people and for tests. */
#include "results_commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/dice.h>

enum { TSV_COLUMNS = 8, TSV_DICE = 4, NAME_MAX_LENGTH = 64, DICE_MAX = 1000 };

/* One message of the dice, as a person or a row names it. */
struct draw {
    struct bg_dice_key event;
    const char *a, *b;
    uint64_t pair, attempt, game, n;
    enum bg_dice_stream stream;
    const char *nonce_a, *nonce_b;
};

static const char usage[] =
    "usage: bgref dice (--key HEX | --seed N) [--count DICE] [--nonces HEX HEX]\n"
    "                  A B PAIR ATTEMPT GAME STREAM N\n"
    "       bgref dice --tsv < ROWS\n"
    "\n"
    "Prints the dice of one message of the keyed generator: those of roll N (counted\n"
    "from 0) of STREAM (0, 1: the seats; open: opening attempts) in game GAME of a\n"
    "pair of bots A and B, A before B by bytes.\n"
    "\n"
    "  --key HEX         event key, 64 lower-case hex digits\n"
    "  --seed N          event key of an event run with --seed N\n"
    "  --count DICE      how many dice, 1 to 1000 (default 2)\n"
    "  --nonces HEX HEX  committed nonces of A and of B\n"
    "  --tsv             reads key, A, B, PAIR, ATTEMPT, GAME, STREAM, N separated by\n"
    "                    tabs, one message a line (more columns and lines that begin\n"
    "                    with # are ignored), prints each with its first four dice\n";

/* Decimal, no sign, no leading zeros: the only spelling that the messages know. */
static bool read_number(uint64_t *out, const char *text)
{
    uint64_t number = 0;

    if (text[0] == '\0' || (text[0] == '0' && text[1] != '\0')) {
        return false;
    }
    for (const char *c = text; *c != '\0'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');

        if (*c < '0' || *c > '9' || number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        number = number * 10 + digit;
    }
    *out = number;
    return true;
}

static bool name_is_valid(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789._+-";
    size_t length = strlen(name);

    return length >= 1 && length <= NAME_MAX_LENGTH && strspn(name, allowed) == length;
}

static bool nonce_is_valid(const char *nonce)
{
    size_t length = strlen(nonce);

    return length > 0 && length % 2 == 0 && strspn(nonce, "0123456789abcdef") == length;
}

static enum bg_status read_stream(enum bg_dice_stream *out, const char *text, struct bg_error *err)
{
    if (strcmp(text, "0") == 0) {
        *out = BG_STREAM_0;
    } else if (strcmp(text, "1") == 0) {
        *out = BG_STREAM_1;
    } else if (strcmp(text, "open") == 0) {
        *out = BG_STREAM_OPEN;
    } else {
        return bg_error_set(err, BG_E_ARGUMENT, "stream '%.80s': expected 0, 1 or open", text);
    }
    return BG_OK;
}

static enum bg_status read_names(struct draw *draw, const char *a, const char *b,
                                 struct bg_error *err)
{
    static const char rule[] = "expected 1 to 64 of letters, digits, '.', '_', '+', '-'";

    if (!name_is_valid(a)) {
        return bg_error_set(err, BG_E_ARGUMENT, "name A '%.80s': %s", a, rule);
    }
    if (!name_is_valid(b)) {
        return bg_error_set(err, BG_E_ARGUMENT, "name B '%.80s': %s", b, rule);
    }
    if (strcmp(a, b) >= 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "names '%s' and '%s': A must come before B by bytes; exchange them", a,
                            b);
    }
    draw->a = a;
    draw->b = b;
    return BG_OK;
}

/* word[0..6]: A, B, pair, attempt, game, stream, n. Borrows the words. */
static enum bg_status read_message(struct draw *draw, char *const word[7], struct bg_error *err)
{
    const struct {
        const char *name;
        int word;
        uint64_t *number;
    } numbers[] = {{"pair", 2, &draw->pair},
                   {"attempt", 3, &draw->attempt},
                   {"game", 4, &draw->game},
                   {"n", 6, &draw->n}};
    enum bg_status status = read_names(draw, word[0], word[1], err);

    for (size_t i = 0; status == BG_OK && i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!read_number(numbers[i].number, word[numbers[i].word])) {
            status = bg_error_set(err, BG_E_ARGUMENT,
                                  "%s '%.80s': expected a decimal number without leading zeros, "
                                  "below 2^64",
                                  numbers[i].name, word[numbers[i].word]);
        }
    }
    return status == BG_OK ? read_stream(&draw->stream, word[5], err) : status;
}

static void draw_dice(uint8_t *dice, size_t count, const struct draw *draw)
{
    struct bg_dice_key pair_key;

    bg_dice_pair_key(&pair_key, &draw->event, draw->a, draw->b, draw->pair, draw->attempt,
                     draw->nonce_a, draw->nonce_b);
    bg_dice_draw(dice, count, &pair_key, draw->game, draw->stream, draw->n);
}

/* Cuts line at its tabs in place; returns how many columns it has, storing the first eight. */
static size_t split(char *column[TSV_COLUMNS], char *line)
{
    size_t count = 0;

    for (char *tab; line != NULL; line = tab) {
        tab = strchr(line, '\t');
        if (tab != NULL) {
            *tab++ = '\0';
        }
        if (count < TSV_COLUMNS) {
            column[count] = line;
        }
        count++;
    }
    return count;
}

static enum bg_status print_row(char *line, struct bg_error *err)
{
    char *column[TSV_COLUMNS];
    uint8_t dice[TSV_DICE];
    struct draw draw = {0};
    size_t count = split(column, line);
    enum bg_status status;

    if (count < TSV_COLUMNS) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%zu columns: expected 8 separated by tabs: "
                            "key, A, B, pair, attempt, game, stream, n",
                            count);
    }
    status = bg_dice_key_from_hex(&draw.event, column[0], err);
    if (status == BG_OK) {
        status = read_message(&draw, column + 1, err);
    }
    if (status == BG_OK) {
        draw_dice(dice, TSV_DICE, &draw);
        for (size_t i = 0; i < TSV_COLUMNS; i++) {
            printf("%s\t", column[i]);
        }
        printf("%d%d%d%d\n", dice[0], dice[1], dice[2], dice[3]);
    }
    return status;
}

/* Output that did not arrive is no success: a full disk must not look like a short list. */
static int finish_output(void)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "bgref dice: write standard output: %s\n", strerror(errno));
        return EXIT_SURROUNDINGS;
    }
    return EXIT_DONE;
}

static int print_rows(void)
{
    struct bg_error err = {0};
    enum bg_status status = BG_OK;
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    uint64_t number = 0;
    int result = EXIT_DONE;

    while (status == BG_OK && (length = getline(&line, &room, stdin)) >= 0) {
        number++;
        if (strlen(line) != (size_t)length) {
            status = bg_error_set(&err, BG_E_FORMAT, "a zero byte: expected text");
            break;
        }
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '#' && line[0] != '\0') {
            status = print_row(line, &err);
        }
    }
    if (status == BG_OK && ferror(stdin)) {
        fprintf(stderr, "bgref dice: read standard input: %s\n", strerror(errno));
        result = EXIT_SURROUNDINGS;
    }
    if (status != BG_OK) {
        fflush(stdout);
        fprintf(stderr, "bgref dice: standard input:%" PRIu64 ": %s\n", number, err.text);
        result = EXIT_MISUSE;
    }
    free(line);
    return result == EXIT_DONE ? finish_output() : result;
}

/* What the options say, before the seven words of the message. */
struct request {
    struct draw draw;
    uint64_t count;
    bool help, tsv, has_key;
};

static enum bg_status take_key(struct request *request, enum bg_status status, struct bg_error *err)
{
    if (status == BG_OK && request->has_key) {
        return bg_error_set(err, BG_E_ARGUMENT, "give one event key, by --key or by --seed");
    }
    request->has_key = true;
    return status;
}

static enum bg_status read_seed(struct request *request, const char *text, struct bg_error *err)
{
    uint64_t seed;

    if (!read_number(&seed, text)) {
        return bg_error_set(err, BG_E_ARGUMENT, "--seed '%.80s': expected a decimal number", text);
    }
    bg_dice_key_from_seed(&request->draw.event, seed);
    return BG_OK;
}

/* Reads the option argv[*at] with its values and moves *at past them. */
static enum bg_status read_option(struct request *request, int argc, char **argv, int *at,
                                  struct bg_error *err)
{
    static const char *const with_values[] = {"--key", "--seed", "--count", "--nonces"};
    const char *option = argv[(*at)++];
    int values = strcmp(option, "--nonces") == 0 ? 2 : 1;
    bool known = false;

    if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
        request->help = true;
        return BG_OK;
    }
    if (strcmp(option, "--tsv") == 0) {
        request->tsv = true;
        return BG_OK;
    }
    for (size_t i = 0; i < sizeof with_values / sizeof with_values[0]; i++) {
        known = known || strcmp(option, with_values[i]) == 0;
    }
    if (!known) {
        return bg_error_set(err, BG_E_ARGUMENT, "unknown option '%.80s'", option);
    }
    if (*at + values > argc) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: its value is missing", option);
    }
    *at += values;
    if (strcmp(option, "--key") == 0) {
        return take_key(request, bg_dice_key_from_hex(&request->draw.event, argv[*at - 1], err),
                        err);
    }
    if (strcmp(option, "--seed") == 0) {
        return take_key(request, read_seed(request, argv[*at - 1], err), err);
    }
    if (strcmp(option, "--count") == 0) {
        if (!read_number(&request->count, argv[*at - 1]) || request->count < 1 ||
            request->count > DICE_MAX) {
            return bg_error_set(err, BG_E_ARGUMENT, "--count '%.80s': expected 1 to %d",
                                argv[*at - 1], DICE_MAX);
        }
        return BG_OK;
    }
    request->draw.nonce_a = argv[*at - 2];
    request->draw.nonce_b = argv[*at - 1];
    if (!nonce_is_valid(argv[*at - 2]) || !nonce_is_valid(argv[*at - 1])) {
        return bg_error_set(err, BG_E_ARGUMENT, "--nonces: expected lower-case hex");
    }
    return BG_OK;
}

static enum bg_status read_request(struct request *request, int argc, char **argv,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;
    int at = 1;

    request->count = 2;
    while (status == BG_OK && at < argc && argv[at][0] == '-') {
        if (strcmp(argv[at], "--") == 0) { /* names may begin with a dash */
            at++;
            break;
        }
        status = read_option(request, argc, argv, &at, err);
    }
    if (status != BG_OK || request->help) {
        return status;
    }
    if (request->tsv) {
        return argc == 2 ? BG_OK
                         : bg_error_set(err, BG_E_ARGUMENT, "--tsv takes no other argument");
    }
    if (argc - at != 7) {
        return bg_error_set(
            err, BG_E_ARGUMENT,
            "expected seven words after the options, A B PAIR ATTEMPT GAME STREAM N: "
            "got %d",
            argc - at);
    }
    status = read_message(&request->draw, argv + at, err);
    if (status == BG_OK && !request->has_key) {
        status = bg_error_set(err, BG_E_ARGUMENT, "no event key: give --key HEX or --seed N");
    }
    return status;
}

int cmd_dice(int argc, char **argv)
{
    struct request request = {0};
    struct bg_error err = {0};
    uint8_t dice[DICE_MAX];

    if (read_request(&request, argc, argv, &err) != BG_OK) {
        fprintf(stderr, "bgref dice: %s (bgref dice --help tells more)\n", err.text);
        return EXIT_MISUSE;
    }
    if (request.help) {
        fputs(usage, stdout);
        return finish_output();
    }
    if (request.tsv) {
        return print_rows();
    }
    draw_dice(dice, request.count, &request.draw);
    for (uint64_t i = 0; i < request.count; i++) {
        putchar('0' + dice[i]);
    }
    putchar('\n');
    return finish_output();
}
