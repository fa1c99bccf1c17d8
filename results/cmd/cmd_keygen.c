/* cmd_keygen.c - bgref keygen: makes a pair of keys. The two uses have different keys (Ed25519,
 * Curve25519) and cannot be one: a key that signs results must not also be on line with every
 * event that its owner joins. Existing files are never overwritten, because a lost secret key
 * cannot be made again. */
#include "results_commands.h"
#include "command.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "proof/key_pair.h"

struct arguments {
    const char *sign, *join; /* the name of a key that signs results, or joins events */
    const char *invite;      /* the name of a bot that may register */
    const char *folder;
};

/* The name becomes a file's name and a field of text with spaces. */
static void take_name(void *arguments, const char *text, const struct command_row *row)
{
    if (!key_name_is_valid(text)) {
        command_misuse("--%s '%.80s': a name has 1 to %d characters A-Z a-z 0-9 . _ + - and "
                       "does not begin with a dot",
                       row->name, text, KEY_FILE_NAME - 1);
    }
    command_text(arguments, text, row);
}

static const struct command_row options[] = {
    {"sign", 's', .value = "NAME",
     .help = "A key that signs results: NAME.key (secret) and NAME.pub (public)", .take = take_name,
     .at = COMMAND_PLACE(const char *, sign), .group = "use"},
    {"join", .value = "NAME",
     .help = "A key that joins events on another machine, or, for a host, the key of its door: "
             "NAME.key "
             "(secret) and NAME.pub (public)",
     .take = take_name, .at = COMMAND_PLACE(const char *, join), .group = "use"},
    {"invite", .value = "NAME",
     .help = "No key, but an invitation with which a bot of this name registers with a host "
             "('bgref watch --invitations')",
     .take = take_name, .at = COMMAND_PLACE(const char *, invite), .group = "use"},
    {"folder", 'C', .value = "FOLDER", .help = "Where the files are written (default: here)",
     COMMAND_TEXT(folder)},
    {0}};

static void check_keygen(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->sign == NULL && arguments->join == NULL && arguments->invite == NULL) {
        command_misuse("needs the use of the key and a name, like 'bgref keygen --sign NAME'");
    }
}

static const struct command command = {
    .usage = "--sign NAME\n--join NAME\n--invite NAME",
    .help = "Makes a pair of keys: Ed25519 to sign results, Curve25519 to join events. Keep "
            "NAME.key to "
            "yourself: who has it can sign or play in your name. Publish NAME.pub, or its "
            "fingerprint.\v"
            "A key file has one line: 'bgref-key-1', its use, its name, and its digits. A file "
            "that exists "
            "is never overwritten. Exit status: 2 if one of the two exists.",
    .options = options,
    .check = check_keygen,
};

/* Who has the list has not the invitations. */
static int print_invitation(const char *name)
{
    unsigned char bits[16], hash[32];
    char token[2 * sizeof bits + 1], digest[2 * sizeof hash + 1];

    randombytes_buf(bits, sizeof bits);
    sodium_bin2hex(token, sizeof token, bits, sizeof bits);
    crypto_generichash(hash, sizeof hash, (const unsigned char *)token, strlen(token), NULL, 0);
    sodium_bin2hex(digest, sizeof digest, hash, sizeof hash);
    printf("for the author: %s\nfor the list:\n- {name: %s, token: %s}\n", token, name, digest);
    return EXIT_DONE;
}

int cmd_keygen(int argc, char **argv)
{
    struct arguments arguments = {.folder = "."};
    struct key_public key = {0};
    struct bg_error err = {0};
    char fingerprint[KEY_FILE_PRINT];
    const char *name;
    enum bg_status status;

    command_read(&command, argc, argv, &arguments);
    if (arguments.invite != NULL) {
        return print_invitation(arguments.invite);
    }
    name = arguments.join != NULL ? arguments.join : arguments.sign;
    status = (arguments.join != NULL ? join_key_make : sign_key_make)(&key, arguments.folder, name,
                                                                      &err);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    key_fingerprint(fingerprint, key.key);
    printf("secret: %s/%s.key\npublic: %s/%s.pub\nfingerprint: %s\n", arguments.folder, name,
           arguments.folder, name, fingerprint);
    return EXIT_DONE;
}
