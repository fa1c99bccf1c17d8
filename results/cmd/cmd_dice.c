/* cmd_dice.c - bgref dice: computes the keyed dice of a message. Prints the dice of one message
 * with the functions that the referee uses; who wants to check them independently has
 * docs/rules.md and the vectors. Words are as strict as the message itself: a number in another
 * spelling would be another message with other dice. */
#include "results_commands.h"

#include "command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/dice.h>

enum { TSV_COLUMNS = 8, TSV_DICE = 4, NAME_MAX_LENGTH = 64, DICE_MAX = 1000 };

/* One dice message, from the command line or a row. */
struct dice_draw {
    struct bg_dice_key event;
    const char *a, *b;
    uint64_t pair, attempt, game, n;
    enum bg_dice_stream stream;
    const char *nonce_a, *nonce_b;
};

/* Decimal, no sign, no leading zeros: the only spelling that dice messages accept. */
static bool read_dice_number(uint64_t *out, const char *text)
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

static enum bg_status read_names(struct dice_draw *draw, const char *a, const char *b,
                                 struct bg_error *err)
{
    static const char rule[] = "expected 1 to 64 of letters, digits, '.', '_', '+', '-'";

    if (!name_is_valid(a)) {
        return bg_error_set(err, BG_E_ARGUMENT, "name A '%.80s': %s", a, rule);
    }
    if (!name_is_valid(b)) {
        return bg_error_set(err, BG_E_ARGUMENT, "name B '%.80s': %s", b, rule);
    }
    /* The order of the names is part of the message; exchanging them here would hide that the
     * caller has it wrong. */
    if (strcmp(a, b) >= 0) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "names '%s' and '%s': A must come before B by bytes; exchange them", a,
                            b);
    }
    draw->a = a;
    draw->b = b;
    return BG_OK;
}

/* word[0..6]: A, B, pair, attempt, game, stream, n. The words are lent. */
static enum bg_status read_message(struct dice_draw *draw, const char *const word[7],
                                   struct bg_error *err)
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
        if (!read_dice_number(numbers[i].number, word[numbers[i].word])) {
            status = bg_error_set(err, BG_E_ARGUMENT,
                                  "%s '%.80s': expected a decimal number without leading zeros, "
                                  "below 2^64",
                                  numbers[i].name, word[numbers[i].word]);
        }
    }
    return status == BG_OK ? read_stream(&draw->stream, word[5], err) : status;
}

static void draw_dice(uint8_t *dice, size_t count, const struct dice_draw *draw)
{
    struct bg_dice_key pair_key;

    bg_dice_pair_key(&pair_key, &draw->event,
                     &(struct bg_dice_pair){.a = draw->a,
                                            .b = draw->b,
                                            .pair = draw->pair,
                                            .attempt = draw->attempt,
                                            .nonce_a = draw->nonce_a,
                                            .nonce_b = draw->nonce_b});
    bg_dice_draw(dice, count, &pair_key, draw->game, draw->stream, draw->n);
}

/* Cuts line at its tabs in place, stores the first eight columns, and returns the number of
 * columns. */
static size_t split_columns(char *column[TSV_COLUMNS], char *line)
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
    struct dice_draw draw = {0};
    size_t count = split_columns(column, line);
    enum bg_status status;

    if (count < TSV_COLUMNS) {
        return bg_error_set(err, BG_E_FORMAT,
                            "%zu columns: expected 8 separated by tabs: "
                            "key, A, B, pair, attempt, game, stream, n",
                            count);
    }
    status = bg_dice_key_from_hex(&draw.event, column[0], err);
    if (status == BG_OK) {
        status = read_message(&draw, (const char *const *)(column + 1), err);
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

/* A failed write is an error: a full disk must not look like a short list. */
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
        /* A zero byte would end the line early for the readers below, and the row would count as
         * good. */
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
        /* The rows before the bad one are printed before the message about it, also where both
         * go to one terminal. */
        fflush(stdout);
        fprintf(stderr, "bgref dice: standard input:%" PRIu64 ": %s\n", number, err.text);
        result = EXIT_MISUSE;
    }
    free(line);
    return result == EXIT_DONE ? finish_output() : result;
}

struct arguments {
    struct dice_draw draw;
    uint64_t count;
    bool tsv, has_key, has_nonces;
    struct command_words words; /* A B PAIR ATTEMPT GAME STREAM N */
};

static void take_key(void *all, const char *text, const struct command_row *row)
{
    struct arguments *arguments = all;
    struct bg_error err;

    arguments->has_key = true;
    if (bg_dice_key_from_hex(&arguments->draw.event, text, &err) != BG_OK) {
        command_misuse("--%s: %s", row->name, err.text);
    }
}

static void take_seed(void *all, const char *text, const struct command_row *row)
{
    struct arguments *arguments = all;
    uint64_t seed;

    arguments->has_key = true;
    if (!read_dice_number(&seed, text)) {
        command_misuse("--%s '%.80s': expected a decimal number", row->name, text);
    }
    bg_dice_key_from_seed(&arguments->draw.event, seed);
}

static void take_nonces(void *all, const char *text, const struct command_row *row)
{
    struct arguments *arguments = all;
    struct dice_draw *draw = &arguments->draw;

    draw->nonce_a = text;
    draw->nonce_b = command_next_word();
    arguments->has_nonces = true;
    if (draw->nonce_b == NULL) {
        command_misuse("--%s: needs two: A's and B's", row->name);
    }
    if (!nonce_is_valid(draw->nonce_a) || !nonce_is_valid(draw->nonce_b)) {
        command_misuse("--%s: expected bytes in lower-case hex, two digits each", row->name);
    }
}

static void check_dice(void *all)
{
    struct arguments *arguments = all;
    struct bg_error err;

    if (arguments->tsv) {
        if (arguments->has_key || arguments->has_nonces || arguments->words.count > 0) {
            command_misuse("--tsv takes no other argument");
        }
        return;
    }
    if (arguments->words.count != 7) {
        command_misuse("expected seven words after the options, A B PAIR ATTEMPT GAME STREAM N: "
                       "got %d",
                       arguments->words.count);
    }
    if (read_message(&arguments->draw, arguments->words.word, &err) != BG_OK) {
        command_misuse("%s", err.text);
    }
    if (!arguments->has_key) {
        command_misuse("no event key: give --key HEX or --seed N");
    }
}

static const struct command_row options[] = {
    {"key", .value = "HEX", .help = "Event key, 64 lower-case hex digits", .take = take_key,
     .group = "key"},
    {"seed", .value = "N", .help = "Event key of an event run with --seed N", .take = take_seed,
     .group = "key"},
    {"count", .value = "DICE", .help = "How many dice, 1 to 1000 (default 2)", COMMAND_COUNT(count),
     .least = 1, .most = DICE_MAX},
    {"nonces", .value = "HEX HEX", .help = "Committed nonces of A and of B, two words",
     .take = take_nonces},
    {"tsv",
     .help =
         "Read key, A, B, PAIR, ATTEMPT, GAME, STREAM, N separated by tabs, one message per line "
         "(ignores more columns, and lines that begin with #); print each with its first four dice",
     COMMAND_FLAG(tsv)},
    {0}};

static const struct command_row words[] = {{"word", COMMAND_LIST(words)}, {0}};

static const struct command command = {
    .usage = "A B PAIR ATTEMPT GAME STREAM N\n--tsv < ROWS",
    .help =
        "Prints the dice of one message of the keyed generator: those of roll N (counted from 0) "
        "of "
        "STREAM (0, 1: the seats; open: opening attempts) in game GAME of a pair of bots A and B, "
        "A before B by bytes.",
    .options = options,
    .words = words,
    .check = check_dice,
};

int cmd_dice(int argc, char **argv)
{
    struct arguments arguments = {.count = 2};
    uint8_t dice[DICE_MAX];

    command_read(&command, argc, argv, &arguments);
    if (arguments.tsv) {
        return print_rows();
    }
    draw_dice(dice, arguments.count, &arguments.draw);
    for (uint64_t i = 0; i < arguments.count; i++) {
        putchar('0' + dice[i]);
    }
    putchar('\n');
    return finish_output();
}
