#include "join_host.h"

#include <stdio.h>
#include <unistd.h>

#include <exit_status.h>

#include "bot/command.h"
#include "bot/registry.h"
#include "cmd/command.h"
#include "door/joiner.h"
#include "log.h"

static enum bg_status find_bot(struct competitor *out, const struct join_request *request,
                               struct bg_error *err)
{
    struct registry *registry = NULL;
    enum bg_status status = registry_open(&registry, err);

    if (status == BG_OK) {
        status = registry_resolve(out, registry, request->bot, err);
    }
    for (int i = 0; status == BG_OK && request->words[i] != NULL; i++) {
        if (!command_append(out->cmd, sizeof out->cmd, request->words[i])) {
            status = bg_error_set(err, BG_E_ARGUMENT, "%s: its command is too long", request->bot);
        }
    }
    registry_close(registry);
    return status;
}

static int play(const struct join_request *request, const struct host_file *host,
                const struct join_secret *own, struct competitor *bot, struct bg_error *err)
{
    const struct joiner_setup setup = {
        .host = host, .own = own, .bot = bot, .quiet = request->quiet, .is_seat = request->is_seat};
    char fingerprint[KEY_FILE_PRINT];

    snprintf(bot->name, sizeof bot->name, "%s", own->public.name);
    key_fingerprint(fingerprint, host->key);
    if (!request->quiet) {
        printf("host: %s at %s, fingerprint %s\n", host->name, host->endpoint, fingerprint);
        fflush(stdout);
    }
    return joiner_run(&setup, err);
}

int join_host(const struct join_request *request)
{
    static struct competitor bot;
    struct host_file host;
    struct join_secret own = {.public = {.name = ""}};
    struct bg_error err = {.text = ""};
    enum bg_status status = log_open(NULL, &err);
    int exit_status;

    if (status == BG_OK) {
        status = host_file_read(&host, request->host, &err);
    }
    if (status == BG_OK) {
        status = join_secret_read(&own, request->key, &err);
    }
    if (status == BG_OK) {
        status = find_bot(&bot, request, &err);
    }
    if (status == BG_OK && request->is_seat && !isatty(STDIN_FILENO)) {
        status = bg_error_set(&err, BG_E_ARGUMENT,
                              "standard input is not a terminal; a person plays in one");
    }
    exit_status = status == BG_OK ? play(request, &host, &own, &bot, &err) : exit_status_of(status);
    join_secret_wipe(&own);
    if (err.text[0] != '\0') {
        command_say(err.text);
    }
    return exit_status;
}
