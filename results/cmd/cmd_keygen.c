/* cmd_keygen.c - bgref keygen: makes a pair of keys. */
#include "results_commands.h"
#include "command.h"

#include <stdio.h>

#include "proof/join_key.h"
#include "proof/sign_key.h"

enum { KEY_JOIN = 256 };

struct arguments {
    const char *name, *folder;
    bool join; /* a key to join events with, not to sign results */
};

/* Takes the name behind --sign or --join. */
static void take_name(struct arguments *arguments, const char *use, const char *name)
{
    if (!key_name_is_valid(name)) {
        command_misuse("--%s '%.80s': a name has 1 to %d characters A-Z a-z 0-9 . _ + - and "
                       "does not begin with a dot",
                       use, name, KEY_FILE_NAME - 1);
    }
    if (arguments->name != NULL) {
        command_misuse("--sign and --join: one key at a time");
    }
    arguments->name = name;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 's':
        take_name(arguments, "sign", value);
        return 0;
    case KEY_JOIN:
        take_name(arguments, "join", value);
        arguments->join = true;
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
    {"join", KEY_JOIN, "NAME", 0,
     "A key that joins events on another machine, or, for a host, the key of its door: NAME.key "
     "(secret) and NAME.pub (public)",
     0},
    {"folder", 'C', "FOLDER", 0, "Where the files are written (default: here)", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "--sign NAME\n--join NAME",
    "Makes a pair of keys: Ed25519 to sign results, Curve25519 to join events. Keep NAME.key to "
    "yourself: who has it can sign or play in your name. Publish NAME.pub, or its fingerprint.\v"
    "A key file has one line: 'bgref-key-1', its use, its name, and its digits. A file that exists "
    "is never overwritten. Exit status: 2 if one of the two exists.",
    NULL,
    NULL,
    NULL};

int cmd_keygen(int argc, char **argv)
{
    struct arguments arguments = {.folder = "."};
    struct sign_public sign_key;
    struct join_public join_key;
    struct bg_error err = {0};
    char fingerprint[KEY_FILE_PRINT];
    enum bg_status status;

    command_parse(&description, argc, argv, 0, &arguments);
    status = arguments.join ? join_key_make(&join_key, arguments.folder, arguments.name, &err)
                            : sign_key_make(&sign_key, arguments.folder, arguments.name, &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    key_fingerprint(fingerprint, arguments.join ? join_key.key : sign_key.key);
    printf("secret: %s/%s.key\npublic: %s/%s.pub\nfingerprint: %s\n", arguments.folder,
           arguments.name, arguments.folder, arguments.name, fingerprint);
    return EXIT_DONE;
}
