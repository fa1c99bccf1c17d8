/* cmd_keygen.c - bgref keygen: makes a pair of keys. */
#include "results_commands.h"
#include "command.h"

#include <stdio.h>

#include "proof/sign_key.h"

struct arguments {
    const char *name, *folder;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 's':
        if (!sign_name_is_valid(value)) {
            command_misuse("--sign '%.80s': a name has 1 to %d characters A-Z a-z 0-9 . _ + - and "
                           "does not begin with a dot",
                           value, SIGN_NAME - 1);
        }
        arguments->name = value;
        return 0;
    case 'C':
        arguments->folder = value;
        return 0;
    case ARGP_KEY_ARG:
        command_misuse("'%s': the name stands behind a flag, like 'bgref keygen --sign NAME'",
                       value);
    case ARGP_KEY_END:
        if (arguments->name == NULL) {
            command_misuse("needs the use of the key and a name, like 'bgref keygen --sign NAME'");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"sign", 's', "NAME", 0, "A key that signs results: NAME.key (secret) and NAME.pub (public)",
     0},
    {"folder", 'C', "FOLDER", 0, "Where the files are written (default: here)", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "--sign NAME",
    "Makes a pair of Ed25519 keys. Keep NAME.key to yourself: who has it can sign in your name. "
    "Publish NAME.pub, or its fingerprint.\v"
    "A key file has one line: 'bgref-key-1', its use, its name, and its digits. A file that exists "
    "is never overwritten. Exit status: 2 if one of the two exists.",
    NULL,
    NULL,
    NULL};

int cmd_keygen(int argc, char **argv)
{
    struct arguments arguments = {.folder = "."};
    struct sign_public key;
    struct bg_error err = {0};
    char fingerprint[SIGN_PRINT];
    enum bg_status status;

    command_parse(&description, argc, argv, 0, &arguments);
    status = sign_key_make(&key, arguments.folder, arguments.name, &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    sign_fingerprint(fingerprint, &key);
    printf("secret: %s/%s.key\npublic: %s/%s.pub\nfingerprint: %s\n", arguments.folder, key.name,
           arguments.folder, key.name, fingerprint);
    return EXIT_DONE;
}
