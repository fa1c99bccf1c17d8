/* cmd_verify.c - bgref verify: checks that results are genuine. First the proofs, then the
 * words: nothing is printed before everything holds, except in the message about the first
 * failure. What cannot be proved is always listed, because "proved" without it would be read as
 * more than it is. */
#include "base/memory.h"
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <store/entry.h>
#include <store/store_file.h>
#include <sums/results_set.h>

#include "base/plain_file.h"
#include "proof/published.h"
#include "base/plural.h"

enum { TEXT_MAX = 1 << 30 };
struct arguments {
    const char *results, *root, *key, *signer;
};

static void take_hex(void *arguments, const char *text, const struct command_row *row)
{
    struct bg_dice_key digits;

    if (bg_dice_key_from_hex(&digits, text, NULL) != BG_OK) {
        command_misuse("--%s '%s': needs 64 digits 0-9a-f", row->name, text);
    }
    command_text(arguments, text, row);
}

static const struct command_row options[] = {
    {"root", .value = "HEX", .help = "The published root: the games must be exactly its games",
     .take = take_hex, .at = COMMAND_PLACE(const char *, root)},
    {"key", .value = "HEX", .help = "The event's key (default: the one published in the results)",
     .take = take_hex, .at = COMMAND_PLACE(const char *, key)},
    {"signer", .value = "FILE", .help = "The result must be signed by this public key, NAME.pub",
     COMMAND_TEXT(signer)},
    {0}};

static const struct command_row words[] = {
    {"set of results", COMMAND_TEXT(results), .is_needed = true}, {0}};

static const struct command command = {
    .usage = "RESULTS.db|RECORDS.txt",
    .help =
        "Proves results: checks and hashes of every record, every step by the rules, dice from the "
        "event's key, clocks, scores, the chain of hashes, the root, and in a database also "
        "everything "
        "that tables and reports show beside the games: columns, tally, settings, faults, unplayed "
        "fixtures, judgements. Lists what it cannot prove.\vRESULTS.db is a results database, "
        "RECORDS.txt is the output of 'bgref export --records' or a single record; - is standard "
        "input. While an event is running its key is secret, so its dice can't be derived yet. "
        "Exit "
        "status: 0 everything is proved, 2 misuse or no results at all, 5 they cannot be read, 6 a "
        "proof failed; the "
        "first failure is printed with its place.",
    .options = options,
    .words = words,
    .missing = "the results are missing, like 'bgref verify RESULTS.db'",
};

/* ------------------------------------------------------------------- the inputs */

/* Reads the whole text of a file or of standard input. */
static enum bg_status read_text(char **out, size_t *out_size, const char *path,
                                struct bg_error *err)
{
    FILE *file = stdin;
    const char *why = strcmp(path, "-") == 0 ? NULL : plain_file_open(&file, path, TEXT_MAX);
    enum bg_status status = BG_OK;
    size_t size = 0, room = 0;
    char *text = memory_list(NULL, &room, 1 << 16, 1);

    if (why != NULL) {
        status = errno == ENOENT ? store_place_missing(path, errno, err)
                                 : bg_error_set(err, BG_E_ARGUMENT, "%s", why);
        goto done;
    }
    for (;;) {
        size += fread(text + size, 1, room - size, file);
        if (size < room) {
            break;
        }
        if (room >= TEXT_MAX) {
            status = bg_error_set(err, BG_E_ARGUMENT, "more than %d MiB of text", TEXT_MAX >> 20);
            goto done;
        }
        text = memory_list(text, &room, room + 1, 1);
    }
    if (ferror(file) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "read: %s", strerror(errno));
        goto done;
    }
    *out = text;
    *out_size = size;
    text = NULL;
done:
    free(text);
    if (file != NULL && file != stdin) {
        fclose(file);
    }
    return status;
}

/* An empty file counts as one: SQLite makes it so before the first write, and as a text it would
 * only be "cut short". */
static bool is_database(const char *path)
{
    struct stat about;

    return strcmp(path, "-") != 0 &&
           (plain_is_database(path) ||
            (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0));
}

/* ------------------------------------------------------------------- the proof */

/* Published keys, and the given one, must match the published digests. */
static enum bg_status choose_key(struct verify_key *out, const char *text, const char *digest,
                                 struct bg_error *err)
{
    char own[BG_KEY_HEX];

    snprintf(out->digest, sizeof out->digest, "%s", digest);
    out->is_known = text[0] != '\0';
    if (!out->is_known) {
        return BG_OK;
    }
    if (bg_dice_key_from_hex(&out->key, text, NULL) != BG_OK) {
        return bg_error_set(err, BG_E_MISMATCH, "the published key is not 64 hex digits: '%.80s'",
                            text);
    }
    bg_dice_key_digest(own, &out->key);
    if (digest[0] != '\0' && strcmp(digest, own) != 0) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "the key has the digest %s; the one published before the event is %s",
                            own, digest);
    }
    memcpy(out->digest, own, sizeof own);
    return BG_OK;
}

/* given: the key from --key, or NULL; it is the event's last key. */
static enum bg_status choose_keys(struct verify_key keys[PUBLISHED_KEYS], int *count,
                                  const struct published *published, const char *given,
                                  struct bg_error *err)
{
    enum bg_status status = BG_OK;

    *count = published->key_count;
    for (int i = 0; i < *count && status == BG_OK; i++) {
        bool is_given = given != NULL && i == *count - 1;

        status = choose_key(&keys[i], is_given ? given : published->keys[i].key,
                            published->keys[i].digest, err);
    }
    if (status == BG_OK && *count == 0 && given != NULL) {
        *count = 1;
        status = choose_key(&keys[0], given, "", err);
    }
    return status;
}

/* Whether the event's current key is not published yet. */
static bool is_secret(const struct published *published)
{
    return published->key_count == 0 || published->keys[published->key_count - 1].key[0] == '\0';
}

/* Whether the results are what was stated: of a text only the journal is known. */
static enum bg_status check_statement(const struct signature *signature,
                                      const struct verify_sum *sum, const struct statement *now,
                                      struct bg_error *err)
{
    const struct statement *said = &signature->statement;
    const char *what = NULL;

    if (said->acts != sum->acts || strcmp(said->journal, sum->journal) != 0) {
        what = "another digest of the journal";
    } else if (now != NULL && strcmp(said->event, now->event) != 0) {
        what = "another digest of the event's settings";
    } else if (now != NULL && strcmp(said->standing, now->standing) != 0) {
        what = "another digest of the standing";
    } else if (now != NULL &&
               (strcmp(said->begun, now->begun) != 0 || strcmp(said->ended, now->ended) > 0)) {
        what = "other dates"; /* a later run, without games, may have ended since */
    }
    return what == NULL
               ? BG_OK
               : bg_error_set(err, BG_E_MISMATCH,
                              "the signature of %s, on %s, does not fit these results: it has %s",
                              signature->by.name, signature->time, what);
}

/* Checks every signature, and that the wanted signer is among them. Signed must be the root that
 * was proved: with --root it need not be the one that the results publish. */
static enum bg_status check_signatures(const struct published *published,
                                       const struct verify_sum *sum, const struct statement *now,
                                       const struct key_public *wanted, struct bg_error *err)
{
    bool found = false;
    char fingerprint[KEY_FILE_PRINT];

    for (int i = 0; i < published->signatures; i++) {
        const struct signature *signature = &published->signature[i];

        if (signature->games != sum->games || strcmp(signature->root, sum->root) != 0 ||
            !signature_holds(signature, published->event)) {
            return bg_error_set(err, BG_E_MISMATCH,
                                "the signature of %s, on %s, does not fit these results",
                                signature->by.name, signature->time);
        }
        if (check_statement(signature, sum, now, err) != BG_OK) {
            return BG_E_MISMATCH;
        }
        found = found ||
                (wanted != NULL && memcmp(signature->by.key, wanted->key, sizeof wanted->key) == 0);
    }
    if (wanted != NULL && !found) {
        key_fingerprint(fingerprint, wanted->key);
        return bg_error_set(err, BG_E_MISMATCH, "not signed by the key of %s, fingerprint %s",
                            wanted->name, fingerprint);
    }
    return BG_OK;
}

static void print_signatures(const struct published *published)
{
    for (int i = 0; i < published->signatures; i++) {
        char fingerprint[KEY_FILE_PRINT];

        key_fingerprint(fingerprint, published->signature[i].by.key);
        printf("signed: by %s on %s, fingerprint %s\n", published->signature[i].by.name,
               published->signature[i].time, fingerprint);
    }
}

/* Prints what cannot be proved: facts known only to the referee, and a root from the same file. */
static void print_unproven(const struct arguments *arguments, const struct published *published,
                           const struct verify_sum *sum, bool is_store)
{
    bool has_root = arguments->root != NULL || published->root[0] != '\0';

    if (!has_root) {
        puts("not proven: that no game, fault or fixture is missing; there is no root yet");
    } else if (arguments->root == NULL && arguments->signer == NULL) {
        puts("not proven: that this is the root that was published; --root compares it");
    }
    if (published->signatures > 0 && arguments->signer == NULL) {
        puts("not proven: whose keys signed; --signer compares a public key");
    }
    if (sum->judged > 0) {
        printf(
            "not proven: that %" PRIu64
            " %s right; the root does not cover judgements; 'bgref judge --again' judges again: "
            "sums may differ by rounding (gnubg prints 0.00001 a roll and point of the cube), and "
            "gnubg's on another make of processor or with other data files by more\n",
            sum->judged, plural(sum->judged, "judgement is", "judgements are"));
    }
    if (is_store) {
        puts("not proven: what only the referee saw: times, dates of games, answers, standard "
             "error output, "
             "reasons for unplayed fixtures, accounts of runs");
    }
}

static void print_beside(const struct verify_sum *sum)
{
    printf("tally: counted again; settings match the records\n");
    if (sum->faults > 0) {
        printf("faults: %" PRIu64 " with evidence", sum->faults);
        if (sum->faults_outside > 0) {
            printf(", %" PRIu64 " of them outside of games", sum->faults_outside);
        }
        putchar('\n');
    }
    if (sum->unplayed > 0) {
        printf("unplayed: %" PRIu64 " fixture%s\n", sum->unplayed, plural_s(sum->unplayed));
    }
    if (sum->judged > 0) {
        printf("judged: sums and steps of %" PRIu64 " %s\n", sum->judged,
               plural(sum->judged, "judgement holds", "judgements hold"));
    }
}

/* Prints one reinstated bot; roots published before no longer hold. */
static void print_reinstated(void *user, const char *bot, const struct reinstated *act)
{
    (void)user;
    printf("reinstated: %s on %s, %" PRIu64 " fixture%s opened again: %s\n", bot, act->at,
           act->fixtures, plural_s(act->fixtures), act->reason);
    if (strcmp(act->root, "-") != 0) {
        printf("  the root published before it: %s\n", act->root);
    }
}

/* Prints a pair whose committed dice were drawn again after an unfinished exchange. */
static void print_redrawn(void *user, const char *key, const char *value)
{
    int times = 0;

    (void)user;
    for (; *value != '\0'; value++) {
        times += *value == '\n';
    }
    if (times > 0) {
        printf("dice of the pair %s were drawn again, %d time%s: its bots had committed, but the "
               "exchange was not completed\n",
               key + strlen(COMMIT_BOUND), times, plural_s((uint64_t)times));
    }
}

static void print_sum(const struct arguments *arguments, const struct published *published,
                      const struct verify_sum *sum, bool is_store)
{
    printf("%s: %" PRIu64 " game%s, %" PRIu64
           " step%s: hashes, rules, scores and results are proved\n",
           arguments->results, sum->games, plural_s(sum->games), sum->steps, plural_s(sum->steps));
    if (sum->open_legs > 0) {
        printf("matches: %" PRIu64 ", of them %" PRIu64 " not ended\n", sum->legs, sum->open_legs);
    }
    if (sum->rolls > 0 && sum->foreign == sum->rolls) {
        printf("dice: %" PRIu64 " roll%s of imported games (dice=file), which no key gives\n",
               sum->rolls, plural_s(sum->rolls));
    } else if (sum->rolls > 0 && sum->entered == sum->rolls) {
        printf("dice: %" PRIu64 " roll%s entered by people, each confirmed by both operators "
               "(dice=manual); no key gives them\n",
               sum->rolls, plural_s(sum->rolls));
    } else if (sum->derived == sum->rolls) {
        printf("dice: all %" PRIu64 " rolls follow from the key%s\n", sum->rolls,
               published->key_count > 1 ? "s" : "");
    } else {
        printf("dice: %" PRIu64 " of %" PRIu64 " rolls follow from the key%s\n", sum->derived,
               sum->rolls,
               is_secret(published) && arguments->key == NULL
                   ? "; it is published after the event has ended (or use --key)"
                   : "; the others have another source");
    }
    if (sum->set_aside > 0) {
        printf("set aside: %" PRIu64 " game%s, also proved, not counted\n", sum->set_aside,
               plural_s(sum->set_aside));
    }
    printf("clocks: counted again in %" PRIu64 " game%s\n", sum->clocked, plural_s(sum->clocked));
    if (sum->acts > 0) {
        printf("journal: %" PRIu64 " act%s, each following from those before it\n", sum->acts,
               plural_s(sum->acts));
    }
    if (sum->acts > 0 && sum->held[0] != '\0') {
        printf("event: %s, by its director's last note\n", sum->held);
    }
    if (is_store) {
        print_beside(sum);
    }
    printf("root: %s%s\n", sum->root,
           arguments->root != NULL || published->root[0] != '\0' ? ", as published" : "");
    print_signatures(published);
    print_unproven(arguments, published, sum, is_store);
}

/* A text without records may be cut short; it is valid only if its head declares 0 games (such an
 * event has a root too). */
static enum bg_status need_records(const struct published *published, const char *records,
                                   const char *end, struct bg_error *err)
{
    if (records == end && published->root[0] == '\0') {
        return bg_error_set(err, BG_E_MISMATCH,
                            "no records and no root: empty, or cut short; bgref export --records "
                            "makes them");
    }
    return BG_OK;
}

static enum bg_status count_games(const struct published *published, const struct verify_sum *sum,
                                  struct bg_error *err)
{
    return published->games == UINT64_MAX || published->games == sum->games
               ? BG_OK
               : bg_error_set(err, BG_E_MISMATCH,
                              "the head declares %" PRIu64 " games, the text has %" PRIu64,
                              published->games, sum->games);
}

/* What is to be proved: a store, or a text with its records. */
struct input {
    struct published published;
    struct store *store; /* NULL: a text */
    char *text;
    const char *records;
    size_t size;
};

/* In one snapshot: a referee may be writing, and a root of now with games of a moment later
 * would not fit. */
static enum bg_status open_input(struct input *in, const char *path, struct bg_error *err)
{
    enum bg_status status;

    if (is_database(path)) {
        status = event_store_open(&in->store, path, err);
        if (status == BG_OK) {
            status = in->store->ops->snapshot(in->store, true, err);
        }
        return status == BG_OK ? published_of_store(&in->published, in->store, err) : status;
    }
    status = read_text(&in->text, &in->size, path, err);
    if (status == BG_OK) {
        status = published_read(&in->published, &in->records, in->text, in->size, err);
    }
    return status == BG_OK ? need_records(&in->published, in->records, in->text + in->size, err)
                           : status;
}

/* Everything but the signatures. */
static enum bg_status prove(struct verify_sum *sum, struct input *in,
                            const struct arguments *arguments, struct bg_error *err)
{
    static struct verify_key keys[PUBLISHED_KEYS]; /* large; one thread */
    const struct published *published = &in->published;
    struct verify_options wanted = {.root = arguments->root, .keys = keys};
    enum bg_status status = choose_keys(keys, &wanted.key_count, published, arguments->key, err);

    if (status != BG_OK) {
        return status;
    }
    wanted.dice = published->dice[0] != '\0' ? published->dice : NULL;
    wanted.head = published->head.text;
    if (wanted.root == NULL && published->root[0] != '\0') {
        wanted.root = published->root;
    }
    if (in->store != NULL) {
        return verify_store(sum, in->store, &wanted, err);
    }
    wanted.event = published->event[0] != '\0' ? published->event : NULL;
    status =
        verify_text(sum, in->records, (size_t)(in->text + in->size - in->records), &wanted, err);
    return status == BG_OK ? count_games(published, sum, err) : status;
}

static enum bg_status verify(const struct arguments *arguments, struct bg_error *err)
{
    struct input in = {.store = NULL};
    struct key_public signer;
    struct statement now;
    struct verify_sum sum;
    enum bg_status status = BG_OK;

    if (arguments->signer != NULL) {
        status = sign_public_read(&signer, arguments->signer, err);
    }
    if (status == BG_OK) {
        status = open_input(&in, arguments->results, err);
    }
    if (status == BG_OK) {
        status = prove(&sum, &in, arguments, err);
    }
    if (status == BG_OK && in.store != NULL) {
        status = statement_read(&now, in.store, err);
    }
    if (status == BG_OK) {
        status = check_signatures(&in.published, &sum, in.store == NULL ? NULL : &now,
                                  arguments->signer == NULL ? NULL : &signer, err);
    }
    if (status == BG_OK) {
        print_sum(arguments, &in.published, &sum, in.store != NULL);
    }
    if (status == BG_OK && in.store != NULL) {
        status = store_meta_each(in.store, COMMIT_BOUND, print_redrawn, NULL, err);
    }
    if (status == BG_OK && in.store != NULL) {
        status = reinstated_each(in.store, print_reinstated, NULL, err);
    }
    published_deinit(&in.published);
    free(in.text);
    store_destroy(in.store);
    return status;
}

int cmd_verify(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct bg_error err = {0};
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = verify(&arguments, &err);
    if (status != BG_OK) {
        bool is_named = strncmp(err.text, "results ", strlen("results ")) == 0 ||
                        (arguments.signer != NULL &&
                         strncmp(err.text, arguments.signer, strlen(arguments.signer)) == 0) ||
                        strncmp(err.text, arguments.results, strlen(arguments.results)) == 0;

        fprintf(stderr, "bgref verify: %s%s%s\n", is_named ? "" : arguments.results,
                is_named ? "" : ": ", err.text);
    }
    return exit_status_of_results(status);
}
