/* cmd_register.c - bgref register HOST.bgref NAME --key FILE: an author asks a host to be known. */
#include "referee_commands.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include <exit_status.h>

#include "cmd/command.h"
#include "door/registrar.h"
#include "log.h"
#include "register_next.h"

struct arguments {
    const char *host, *name, *key, *token, *contact, *next;
};

enum { KEY_NEW = 256 };

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'k':
        arguments->key = value;
        return 0;
    case 't':
        arguments->token = value;
        return 0;
    case 'c':
        arguments->contact = value;
        return 0;
    case KEY_NEW:
        arguments->next = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->name != NULL) {
            command_misuse("'%s': one name is registered at a time", value);
        }
        *(arguments->host == NULL ? &arguments->host : &arguments->name) = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->name == NULL || arguments->key == NULL) {
            command_misuse("needs the host's file, a name and a key, like 'bgref register "
                           "HOST.bgref anna --key anna.key'");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"key", 'k', "FILE", 0, "Your secret key, which 'bgref keygen --join NAME' made: NAME.key", 0},
    {"token", 't', "TOKEN", 0,
     "The token of an invitation: 32 digits; '-': the first line of standard input, where no other "
     "user of this machine sees it",
     0},
    {"contact", 'c', "TEXT", 0, "How the host's operator reaches you; they decide by it", 0},
    {"new-key", KEY_NEW, "FILE", 0,
     "NEW.pub: this key holds the name from now on, and the present one no more", 0},
    {0}};

static const struct argp description = {
    options,
    parse,
    "HOST.bgref NAME",
    "Asks a host to know your key under a name, so that you can join its events. Only your public "
    "key is sent, and the connection proves that you have the secret one. The name belongs to the "
    "first key that gets it. With a token of an invitation you are registered at once; without, "
    "where the host allows it, its operator decides: ask again to hear what.\v"
    "Prints what the host answers. One request a minute is taken from an address. Exit status: 0 "
    "registered, or waiting for the operator; 2 misuse or a file that cannot be used; 3 refused; 5 "
    "the host cannot be reached, or does not prove its key.",
    NULL,
    NULL,
    NULL};

/* ------------------------------------------------------------------ the request */

static enum bg_status read_token(struct register_ask *ask, const char *token, struct bg_error *err)
{
    char line[128] = "";

    if (token == NULL) {
        return BG_OK;
    }
    if (strcmp(token, "-") == 0) {
        if (fgets(line, sizeof line, stdin) == NULL) {
            return bg_error_set(err, BG_E_ARGUMENT, "no token on standard input");
        }
        line[strcspn(line, "\r\n")] = '\0';
        token = line;
    }
    if (!register_token_is_valid(token)) {
        return bg_error_set(err, BG_E_ARGUMENT, "a token has %d hexadecimal digits",
                            REGISTER_TOKEN - 1);
    }
    snprintf(ask->token, sizeof ask->token, "%s", token);
    sodium_memzero(line, sizeof line);
    return BG_OK;
}

static enum bg_status read_next(struct register_ask *ask, const char *path, struct bg_error *err)
{
    const struct key_kind kind = {.use = "join", .secret = false};
    char name[KEY_FILE_NAME];
    unsigned char key[KEY_FILE_BYTES];
    enum bg_status status;

    if (path == NULL) {
        return BG_OK;
    }
    status = key_file_read(name, key, path, &kind, err);
    if (status == BG_OK) {
        sodium_bin2hex(ask->next, sizeof ask->next, key, sizeof key);
    }
    return status;
}

/* The same checks as at the host, so that a mistake does not cost a minute. */
static enum bg_status check(const struct register_ask *ask, struct bg_error *err)
{
    struct register_ask again;
    char message[REGISTER_MOST];
    enum bg_status status = register_read(&again, message, register_write(message, ask), err);

    sodium_memzero(message, sizeof message);
    sodium_memzero(&again, sizeof again);
    return status == BG_OK ? BG_OK : BG_E_ARGUMENT;
}

static enum bg_status read_request(struct register_ask *ask, const struct arguments *arguments,
                                   struct bg_error *err)
{
    enum bg_status status = BG_OK;

    *ask = (struct register_ask){.name = ""};
    if (snprintf(ask->name, sizeof ask->name, "%s", arguments->name) >= (int)sizeof ask->name) {
        status =
            bg_error_set(err, BG_E_ARGUMENT, "a name has at most %d characters", KEY_FILE_NAME - 1);
    }
    if (status == BG_OK && snprintf(ask->contact, sizeof ask->contact, "%s", arguments->contact) >=
                               (int)sizeof ask->contact) {
        status = bg_error_set(err, BG_E_ARGUMENT, "the contact has at most %d bytes",
                              REGISTER_CONTACT - 1);
    }
    if (status == BG_OK) {
        status = read_token(ask, arguments->token, err);
    }
    if (status == BG_OK) {
        status = read_next(ask, arguments->next, err);
    }
    return status == BG_OK ? check(ask, err) : status;
}

/* ------------------------------------------------------------------ the command */

static int tell(const struct register_answer *answer, const struct register_ask *ask,
                const struct host_file *host)
{
    static const char *const told[] = {"registered", "waiting", "refused"};

    printf("%s at %s: %s: %s\n", ask->name, host->name, told[answer->word], answer->text);
    return answer->word == REGISTER_REFUSED ? EXIT_START : EXIT_DONE;
}

static enum bg_status read_host(struct host_file *host, const char *path, struct bg_error *err)
{
    enum bg_status status = host_file_read(host, path, err);

    return status == BG_OK && host->porch[0] == '\0'
               ? bg_error_set(err, BG_E_ARGUMENT,
                              "%s: no porch: this host takes no registrations; send your .pub file "
                              "to its operator, also that of a new key",
                              path)
               : status;
}

/* Without a name it is that of the key. */
static int ask_host(struct arguments *arguments)
{
    struct host_file host;
    struct join_secret own = {.public = {.name = ""}};
    struct register_ask ask = {.name = ""};
    struct register_answer answer;
    struct bg_error err = {.text = ""};
    enum bg_status status;
    int code;

    status = log_open(NULL, &err);
    if (status == BG_OK) {
        status = read_host(&host, arguments->host, &err);
    }
    if (status == BG_OK) {
        status = join_secret_read(&own, arguments->key, &err);
    }
    if (status == BG_OK) {
        arguments->name = arguments->name == NULL ? own.public.name : arguments->name;
        status = read_request(&ask, arguments, &err);
    }
    if (status == BG_OK) {
        status = registrar_ask(&answer, &host, &own, &ask, &err);
    }
    code = status == BG_OK       ? tell(&answer, &ask, &host)
           : status == BG_E_LINK ? EXIT_SURROUNDINGS
                                 : exit_status_of(status);
    join_secret_wipe(&own);
    sodium_memzero(&ask, sizeof ask);
    if (status != BG_OK) {
        command_say(err.text);
    }
    return code;
}

int register_next(const char *host, const char *key, const char *next)
{
    struct arguments arguments = {.host = host, .key = key, .next = next, .contact = ""};

    return ask_host(&arguments);
}

int cmd_register(int argc, char **argv)
{
    struct arguments arguments = {.contact = ""};

    command_parse(&description, argc, argv, 0, &arguments);
    return ask_host(&arguments);
}
