/* The program curl speaks HTTP: pages for strangers are behind HTTPS, proxies and certificates,
 * none of which is anything that this program should know. What is sent goes by its standard input,
 * as the words of a command line can be read by every user of the machine. */
#define _GNU_SOURCE /* memfd_create, environ */
#include "join_register.h"

#include <errno.h>
#include <jansson.h>
#include <sodium.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/exit_status.h>
#include <rules/clean.h>

#include "base/memory.h"
#include "cmd/command.h"
#include "proof/key_pair.h"

enum { ANSWER = 300, CODE = 3 /* digits of the status of HTTP, which curl adds */ };

static char *words_of(const struct join_registration *wish, const struct key_public *own)
{
    char digits[KEY_FILE_DIGITS];
    json_t *all;
    char *text;

    sodium_bin2hex(digits, sizeof digits, own->key, sizeof own->key);
    all = json_pack("{s:s, s:s, s:s*, s:s*}", "name", own->name, "key", digits, "contact",
                    wish->contact, "token", wish->invitation);
    text = all == NULL ? NULL : json_dumps(all, 0);
    json_decref(all);
    return text;
}

/* A file without a name that has this text. */
static int nameless_file(const char *text)
{
    int fd = memfd_create("bgref", MFD_CLOEXEC);
    const ssize_t size = (ssize_t)strlen(text);

    if (fd >= 0 && (write(fd, text, (size_t)size) != size || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Runs curl; returns its exit status, or -1 with errno. */
static int run_curl(char *url, int in, int out)
{
    char *words[] = {"curl", "--silent", "--show-error", "--max-time", "30",
                     /* From http to https, as web servers redirect. */
                     "--location", "--post301", "--post302", "--header",
                     "Content-Type: application/json", "--data-binary", "@-", "--write-out",
                     "%{http_code}", url, NULL};
    posix_spawn_file_actions_t files;
    int state = 0, error;
    pid_t pid;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    error = posix_spawnp(&pid, words[0], &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) {
        errno = error;
        return -1;
    }
    while (waitpid(pid, &state, 0) != pid) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_SURROUNDINGS;
}

/* page: the site, or its page /join. */
static char *url_of(const char *page)
{
    static const char join[] = "/join";
    size_t size = strlen(page);

    while (size > 0 && page[size - 1] == '/') {
        size--;
    }
    if (size > strlen(join) && memcmp(page + size - strlen(join), join, strlen(join)) == 0) {
        size -= strlen(join);
    }
    return memory_print("%.*s/join/register", (int)size, page);
}

/* Reads the status of HTTP, and as much of the answer as a person reads. */
static int read_answer(char text[ANSWER], int out)
{
    const off_t size = lseek(out, 0, SEEK_END) - CODE;
    char bytes[ANSWER] = "", code[CODE + 1] = ""; /* texts, of whatever a proxy says */
    const ssize_t used = pread(out, bytes, size < ANSWER ? (size_t)size : ANSWER - 1, 0);

    (void)pread(out, code, CODE, size);
    clean_write(text, ANSWER, bytes, used > 0 ? strcspn(bytes, "\n") : 0, CLEAN_LINE);
    return atoi(code);
}

static int say_outcome(int out, const char *url, const char *key)
{
    char text[ANSWER], line[ANSWER + 100];
    const int code = read_answer(text, out);

    if (code == 200) {
        printf("%s\nwhen the operator has approved:\n  curl -O %.*s.bgref\n"
               "  bgref join join.bgref BOT --key %s\n",
               text, (int)(strlen(url) - strlen("/register")), url, key);
        return EXIT_DONE;
    }
    snprintf(line, sizeof line, "%s (status %d of HTTP)", text, code);
    command_say(line);
    return EXIT_START;
}

int join_register(const struct join_registration *wish)
{
    struct join_secret own;
    struct bg_error err = {.text = ""};
    enum bg_status status = join_secret_read(&own, wish->key, &err);
    char *words, *url;
    int in, out, curl, exit_status = EXIT_SURROUNDINGS;

    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    words = words_of(wish, &own.public);
    join_secret_wipe(&own);
    url = url_of(wish->page);
    in = words == NULL ? -1 : nameless_file(words);
    out = nameless_file("");
    curl = in < 0 || out < 0 ? -1 : run_curl(url, in, out);
    if (words == NULL) {
        command_say("--contact and --invitation are UTF-8");
        exit_status = EXIT_MISUSE;
    } else if (curl < 0) {
        command_say(errno != ENOENT ? strerror(errno)
                                    : "needs the program curl, which is not there: sudo apt-get "
                                      "install curl; or register in a browser");
    } else if (curl == 0) { /* else it has said why on standard error */
        exit_status = say_outcome(out, url, wish->key);
    }
    close(in);
    close(out);
    free(words);
    free(url);
    return exit_status;
}
