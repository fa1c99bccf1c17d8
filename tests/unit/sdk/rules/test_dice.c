/* Keyed dice, against vectors and against values of Python's hashlib. */
#include <bgref/dice.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/results_commands.h"
#include "support/suite.h"

static struct bg_dice_key key_of(const char *hex)
{
    struct bg_dice_key key;

    ck_assert_int_eq(bg_dice_key_from_hex(&key, hex, NULL), BG_OK);
    return key;
}

static enum bg_dice_stream stream_of(const char *name)
{
    return strcmp(name, "open") == 0 ? BG_STREAM_OPEN : (enum bg_dice_stream)(name[0] - '0');
}

TEST(every_row_of_the_vectors_agrees)
{
    FILE *file = fopen(TEST_DATA "/dice.tsv", "r");
    char line[512];
    int rows = 0;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char key[128], a[128], b[128], stream[16], expected[16], dice_text[5] = "";
        unsigned long long pair, attempt, game, n;
        struct bg_dice_key event, pair_key;
        uint8_t dice[4];

        if (line[0] == '#') {
            continue;
        }
        ck_assert_int_eq(sscanf(line, "%127s %127s %127s %llu %llu %llu %15s %llu %15s", key, a, b,
                                &pair, &attempt, &game, stream, &n, expected),
                         9);
        event = key_of(key);
        bg_dice_pair_key(&pair_key, &event,
                         &(struct bg_dice_pair){a, b, pair, attempt, NULL, NULL});
        bg_dice_draw(dice, 4, &pair_key, game, stream_of(stream), n);
        for (int i = 0; i < 4; i++) {
            dice_text[i] = (char)('0' + dice[i]);
        }
        ck_assert_msg(strcmp(dice_text, expected) == 0, "expected %s, got %s in row %s", expected,
                      dice_text, line);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 200);
}

/* The same formulas in Python, with its independent hashlib. Prints one line per check. */
static const char python[] =
    "import hashlib\n"
    "def h(m, k=b''): return hashlib.blake2b(m.encode(), key=k, digest_size=32)\n"
    "def draw(kp, g, s, n, count):\n"
    "    dice, more = '', 0\n"
    "    while len(dice) < count:\n"
    "        m = f'bgref-dice-1|{g}|{s}|{n}' + (f'|{more}' if more else '')\n"
    "        dice += ''.join(str(b % 6 + 1) for b in h(m, kp).digest() if b < 252)\n"
    "        more += 1\n"
    "    return dice[:count]\n"
    "K = bytes(range(32))\n"
    "kp = h('bgref-pair-1|alpha|beta|7|2', K).digest()\n"
    "print(kp.hex())\n"
    "kn = h('bgref-pair-1|' + 'A' * 64 + '|' + 'b' * 64 + '|18446744073709551615|0|'\n"
    "       + '0f' * 32 + '|' + 'e1' * 32, K).digest()\n"
    "print(kn.hex())\n"
    "print(draw(kp, 0, 'open', 0, 300))\n"
    "print(draw(kn, 18446744073709551615, 1, 18446744073709551615, 100))\n"
    "print(h('bgref-seed-1|20261120').hexdigest())\n"
    "print(int.from_bytes(h('bgref-bot-1|e1-p3-g0').digest()[:8], 'little'))\n"
    "print(h('bgref-key-1|' + K.hex()).hexdigest())\n"
    "ki = h('bgref-game-id-1', K).digest()\n"
    "print(ki.hex())\n"
    "print(hashlib.blake2b(b'alpha|beta|12|1|3', key=ki, digest_size=16).hexdigest())\n";

static void expect_line(FILE *pipe, const char *what, const char *value)
{
    char line[512] = "";

    ck_assert_msg(fgets(line, sizeof line, pipe) != NULL, "no line for %s", what);
    line[strcspn(line, "\n")] = '\0';
    ck_assert_msg(strcmp(line, value) == 0, "%s: python says %s, we say %s", what, line, value);
}

static const char *digits(const uint8_t *dice, size_t count)
{
    static char text[512];

    for (size_t i = 0; i < count; i++) {
        text[i] = (char)('0' + dice[i]);
    }
    text[count] = '\0';
    return text;
}

TEST(python_hashlib_gives_the_same_bytes)
{
    struct bg_dice_key event, pair, nonces, seed, ids;
    char alias[BG_ALIAS], hex[BG_KEY_HEX], a[65], b[65], nonce_a[65] = "", nonce_b[65] = "",
                                                         number[32];
    uint8_t dice[300];
    FILE *pipe;
    char path[] = "/tmp/bgref-dice-XXXXXX";
    char command[128];
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, python, sizeof python - 1), (int)sizeof python - 1);
    close(fd);
    snprintf(command, sizeof command, "/usr/bin/python3 %s", path);
    pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);

    for (int i = 0; i < BG_KEY_BYTES; i++) {
        event.bytes[i] = (uint8_t)i;
        strcat(nonce_a, "0f");
        strcat(nonce_b, "e1");
    }
    memset(a, 'A', 64);
    memset(b, 'b', 64);
    a[64] = b[64] = '\0';
    bg_dice_pair_key(&pair, &event, &(struct bg_dice_pair){"alpha", "beta", 7, 2, NULL, NULL});
    bg_dice_key_to_hex(hex, &pair);
    expect_line(pipe, "pair key", hex);
    bg_dice_pair_key(&nonces, &event,
                     &(struct bg_dice_pair){a, b, UINT64_MAX, 0, nonce_a, nonce_b});
    bg_dice_key_to_hex(hex, &nonces);
    expect_line(pipe, "pair key with nonces, long names and the largest number", hex);
    bg_dice_draw(dice, 300, &pair, 0, BG_STREAM_OPEN, 0);
    expect_line(pipe, "300 dice, past the first digest", digits(dice, 300));
    bg_dice_draw(dice, 100, &nonces, UINT64_MAX, BG_STREAM_1, UINT64_MAX);
    expect_line(pipe, "dice of the longest message", digits(dice, 100));
    bg_dice_key_from_seed(&seed, 20261120);
    bg_dice_key_to_hex(hex, &seed);
    expect_line(pipe, "seed key", hex);
    snprintf(number, sizeof number, "%llu", (unsigned long long)bg_dice_bot_seed("e1-p3-g0"));
    expect_line(pipe, "bot seed", number);
    bg_dice_key_digest(hex, &event);
    expect_line(pipe, "digest of the key", hex);
    bg_dice_id_key(&ids, &event);
    bg_dice_key_to_hex(hex, &ids);
    expect_line(pipe, "key of the ids", hex);
    bg_dice_alias(alias, &ids, "alpha|beta|12|1|3");
    expect_line(pipe, "a game as bots see it", alias);
    ck_assert_int_eq(pclose(pipe), 0);
    unlink(path);
}

TEST(a_shorter_draw_is_a_prefix_of_a_longer_one)
{
    struct bg_dice_key key;
    uint8_t two[2], many[200];

    bg_dice_key_from_seed(&key, 3);
    for (uint64_t n = 0; n < 100; n++) {
        bg_dice_draw(two, 2, &key, 5, BG_STREAM_0, n);
        bg_dice_draw(many, 200, &key, 5, BG_STREAM_0, n);
        ck_assert_mem_eq(two, many, 2);
        for (int i = 0; i < 200; i++) {
            ck_assert(many[i] >= 1 && many[i] <= 6);
        }
    }
}

TEST(keys_round_trip_as_hex_and_other_text_is_refused)
{
    static const struct {
        const char *name, *text;
    } bad[] = {
        {"empty", ""},
        {"one digit short", "00000000000000000000000000000000000000000000000000000000000000a"},
        {"one digit long", "000000000000000000000000000000000000000000000000000000000000000aa"},
        {"upper case", "A000000000000000000000000000000000000000000000000000000000000000"},
        {"a sign", "-000000000000000000000000000000000000000000000000000000000000000"},
        {"a blank at the end", "000000000000000000000000000000000000000000000000000000000000000 "},
    };
    struct bg_dice_key key, again;
    char hex[BG_KEY_HEX];

    bg_dice_key_from_seed(&key, 99);
    bg_dice_key_to_hex(hex, &key);
    ck_assert_int_eq(bg_dice_key_from_hex(&again, hex, NULL), BG_OK);
    ck_assert_mem_eq(key.bytes, again.bytes, BG_KEY_BYTES);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {

        ck_assert_msg(bg_dice_key_from_hex(&again, bad[i].text, &error) == BG_E_FORMAT,
                      "accepted: %s", bad[i].name);
        ck_assert_msg(error.text[0] != '\0', "no message: %s", bad[i].name);
        ck_assert_mem_eq(key.bytes, again.bytes, BG_KEY_BYTES);
    }
}

/* Runs cmd_dice with input on stdin, in a child process, because it exits at a word that it
 * refuses. Its output goes to *out and *talk. */
static int run(char *out, char *talk, size_t room, const char *input, int argc, char **argv)
{
    char *const target[] = {out, talk};
    FILE *file[3];
    int status;
    pid_t child;

    for (int i = 0; i < 3; i++) {
        file[i] = tmpfile();
        ck_assert_ptr_nonnull(file[i]);
    }
    fputs(input, file[0]);
    fflush(file[0]);
    rewind(file[0]);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        for (int i = 0; i < 3; i++) {
            dup2(fileno(file[i]), i);
        }
        exit(cmd_dice(argc, argv));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    for (int i = 1; i < 3; i++) {
        size_t length;

        rewind(file[i]);
        length = fread(target[i - 1], 1, room - 1, file[i]);
        target[i - 1][length] = '\0';
    }
    return WEXITSTATUS(status);
}

#define KEY "326fa75d76fbed1d343a009f7e4a907c9e2ae2028d3b9c77b31bff265b211fc0"
#define ROW KEY "\tB\tMy.Bot-2\t1\t1\t16\t1\t6"

static const struct {
    const char *name, *input, *out;
    int status;
    const char *message; /* a part of stderr */
} tsv_cases[] = {
    {"eight columns gain a ninth", ROW "\n", ROW "\t3325\n", EXIT_DONE, ""},
    {"a ninth column is ignored", ROW "\t6666\n", ROW "\t3325\n", EXIT_DONE, ""},
    {"comments and empty lines are skipped", "# x\n\n" ROW, ROW "\t3325\n", EXIT_DONE, ""},
    {"carriage returns are tolerated", ROW "\r\n", ROW "\t3325\n", EXIT_DONE, ""},
    {"too few columns", "# x\n" ROW "\na\tb\n", ROW "\t3325\n", EXIT_MISUSE,
     "standard input:3: 2 columns"},
    {"a short key", "ab\tA\tB\t1\t1\t16\t1\t6\n", "", EXIT_MISUSE, "standard input:1: key of 2"},
    {"names the wrong way round", KEY "\tb\ta\t1\t1\t16\t1\t6\n", "", EXIT_MISUSE, "exchange"},
    {"equal names", KEY "\tb\tb\t1\t1\t16\t1\t6\n", "", EXIT_MISUSE, "A must come before B"},
    {"a name with a blank", KEY "\ta b\tc\t1\t1\t16\t1\t6\n", "", EXIT_MISUSE, "name A 'a b'"},
    {"an empty name", KEY "\t\tc\t1\t1\t16\t1\t6\n", "", EXIT_MISUSE, "name A ''"},
    {"a name that carries the separator", KEY "\ta\tc|d\t1\t1\t16\t1\t6\n", "", EXIT_MISUSE,
     "name B 'c|d'"},
    {"a leading zero", KEY "\ta\tb\t01\t1\t16\t1\t6\n", "", EXIT_MISUSE, "pair '01'"},
    {"a negative number", KEY "\ta\tb\t1\t-1\t16\t1\t6\n", "", EXIT_MISUSE, "attempt '-1'"},
    {"a number of 65 bits", KEY "\ta\tb\t1\t1\t18446744073709551616\t1\t6\n", "", EXIT_MISUSE,
     "game '18446744073709551616'"},
    {"no number", KEY "\ta\tb\t1\t1\t1\t1\t\n", "", EXIT_MISUSE, "n ''"},
    {"an unknown stream", KEY "\ta\tb\t1\t1\t1\t2\t0\n", "", EXIT_MISUSE, "stream '2'"},
};

TEST_ROWS(the_tsv_mode_reads_rows_and_names_bad_lines, tsv_cases)
{
    char program[] = "dice", tsv[] = "--tsv";
    char *argv[] = {program, tsv, NULL};
    char out[4096], talk[4096];
    int status = run(out, talk, sizeof out, tsv_cases[_i].input, 2, argv);

    ck_assert_msg(status == tsv_cases[_i].status, "%s: status %d, stderr %s", tsv_cases[_i].name,
                  status, talk);
    ck_assert_msg(strcmp(out, tsv_cases[_i].out) == 0, "%s: printed %s", tsv_cases[_i].name, out);
    ck_assert_msg(strstr(talk, tsv_cases[_i].message) != NULL, "%s: stderr %s", tsv_cases[_i].name,
                  talk);
}

static const struct {
    const char *name, *words; /* separated by blanks */
    const char *out;
    int status;
    const char *message;
} word_cases[] = {
    {"a key and a message", "--key " KEY " B My.Bot-2 1 1 16 1 6", "33\n", EXIT_DONE, ""},
    {"more dice", "--count 4 --key " KEY " B My.Bot-2 1 1 16 1 6", "3325\n", EXIT_DONE, ""},
    {"no key", "B C 1 1 16 1 6", "", EXIT_MISUSE, "--seed"},
    {"two keys", "--seed 1 --key " KEY " B C 1 1 16 1 6", "", EXIT_MISUSE,
     "choose one of --key and --seed"},
    {"a word too few", "--seed 1 B C 1 1 16 1", "", EXIT_MISUSE, "got 6"},
    {"no dice at all", "--seed 1 --count 0 B C 1 1 16 1 6", "", EXIT_MISUSE, "--count: '0'"},
    {"an unknown option", "--sed 1 B C 1 1 16 1 6", "", EXIT_MISUSE,
     "no flag --sed (perhaps --seed?)"},
    {"an option without value", "--seed", "", EXIT_MISUSE, "--seed needs a value: --seed=N"},
    {"rows and words at once", "--tsv B C 1 1 16 1 6", "", EXIT_MISUSE, "--tsv takes no other"},
};

TEST_ROWS(command_words_are_read, word_cases)
{
    char words[512], program[] = "dice", out[4096], talk[4096];
    char *argv[20] = {program};
    int argc = 1;
    int status;

    snprintf(words, sizeof words, "%s", word_cases[_i].words);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    status = run(out, talk, sizeof out, "", argc, argv);
    ck_assert_msg(status == word_cases[_i].status, "%s: status %d, stderr %s", word_cases[_i].name,
                  status, talk);
    ck_assert_msg(strcmp(out, word_cases[_i].out) == 0, "%s: printed %s", word_cases[_i].name, out);
    ck_assert_msg(strstr(talk, word_cases[_i].message) != NULL, "%s: stderr %s",
                  word_cases[_i].name, talk);
}
