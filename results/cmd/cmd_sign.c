/* cmd_sign.c - bgref sign: a director signs the result of an event. */
#include "results_commands.h"
#include "command.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "proof/signature.h"
#include "base/plural.h"

struct arguments {
    const char *results, *key;
};

static const struct command_row options[] = {
    {"key", 'k', .value = "FILE",
     .help = "The secret key that 'bgref keygen --sign NAME' made: NAME.key", COMMAND_TEXT(key),
     .is_needed = true},
    {0}};

static const struct command_row words[] = {
    {"set of results", COMMAND_TEXT(results), .is_needed = true}, {0}};

static const struct command command = {
    .usage = "RESULTS.db",
    .help = "Signs the result of an event that has ended: its root, which covers every game and "
            "all that "
            "tables and reports show, its number of games, the event's name and the time. The "
            "signature is "
            "kept in the results and goes with the records that 'bgref export --records' writes; "
            "'bgref "
            "verify --signer NAME.pub' checks it.\v"
            "Several may sign. If the event is extended or a bot reinstated, the root is another "
            "one, and "
            "must be signed again. Not while a referee has the results. Exit status: 2 if the "
            "event has "
            "not ended, or the key cannot be used.",
    .options = options,
    .words = words,
    .missing = "needs results and a key, like 'bgref sign RESULTS.db --key NAME.key'",
};

static enum bg_status sign_results(struct signature *out, const struct arguments *arguments,
                                   struct bg_error *err)
{
    struct sign_secret secret;
    struct store *store = NULL;
    time_t now = time(NULL);
    struct tm utc;
    enum bg_status status = store_sqlite_open_read(&store, arguments->results, err);

    store_destroy(store); /* opened only to check that it exists, so that no new file is made */
    store = NULL;
    if (status != BG_OK) {
        return status;
    }
    /* Before the results are opened for writing: a wrong key file shall not lock them, nor leave
     * a log beside them. */
    status = sign_secret_read(&secret, arguments->key, err);
    if (status == BG_OK) {
        status = store_sqlite_open(&store, arguments->results, err);
    }
    if (status == BG_OK) {
        gmtime_r(&now, &utc);
        strftime(out->time, sizeof out->time, "%Y-%m-%dT%H:%M:%SZ", &utc);
        status = signature_add(out, store, &secret, err);
    }
    /* Wiped on every way out: memory that is freed may be swapped or dumped with the key in it. */
    sign_secret_wipe(&secret);
    store_destroy(store);
    return status;
}

int cmd_sign(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct signature signature = {.games = 0};
    struct bg_error err = {0};
    char fingerprint[KEY_FILE_PRINT];
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    status = sign_results(&signature, &arguments, &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of_results(status);
    }
    key_fingerprint(fingerprint, signature.by.key);
    printf("signed: %" PRIu64 " game%s, root %s\nby: %s on %s\nfingerprint: %s\n", signature.games,
           plural_s(signature.games), signature.root, signature.by.name, signature.time,
           fingerprint);
    return EXIT_DONE;
}
