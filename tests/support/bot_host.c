#define _GNU_SOURCE /* prctl */
#include "bot_host.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include <zmq.h>

enum { WAIT_MS = 30000, STEP_MS = 100, ARENA = 8 << 20, FRAME = 1 << 20 };

struct bot_host {
    char folder[64], endpoint[128], token[32];
    void *context, *socket;
    pid_t pid;
    struct wire_reader *reader;
    struct wire_buffer buffer;
    struct wire_message message;
    struct wire_hello hello;
    char identity[256];
    size_t identity_size;
    uint64_t next_number;
    char *frame;
};

/* Works inside and outside a Check test. */
#define REQUIRE(condition) require((condition), #condition, "")

static void require(bool condition, const char *what, const char *why)
{
    if (!condition) {
        fprintf(stderr, "bot_host: %s failed%s%s\n", what, why[0] == '\0' ? "" : ": ", why);
        abort();
    }
}

static void host_free(struct bot_host *host)
{
    zmq_close(host->socket);
    zmq_ctx_term(host->context);
    wire_reader_destroy(host->reader);
    wire_buffer_deinit(&host->buffer);
    unlink(host->endpoint + strlen("ipc://")); /* libzmq may leave it behind */
    REQUIRE(rmdir(host->folder) == 0);
    free(host->frame);
    free(host);
}

static struct bot_host *host_create(void)
{
    struct bot_host *host = calloc(1, sizeof *host);
    int linger = 0;

    REQUIRE(host != NULL);
    host->frame = malloc(FRAME);
    REQUIRE(host->frame != NULL);
    snprintf(host->folder, sizeof host->folder, "/tmp/bgref-host-XXXXXX");
    REQUIRE(mkdtemp(host->folder) != NULL);
    snprintf(host->endpoint, sizeof host->endpoint, "ipc://%s/link", host->folder);
    snprintf(host->token, sizeof host->token, "token-%d", (int)getpid());
    host->context = zmq_ctx_new();
    host->socket = zmq_socket(host->context, ZMQ_ROUTER);
    zmq_setsockopt(host->socket, ZMQ_LINGER, &linger, sizeof linger);
    REQUIRE(zmq_bind(host->socket, host->endpoint) == 0);
    REQUIRE(wire_reader_create(&host->reader, ARENA, NULL) == BG_OK);
    host->next_number = 1;
    return host;
}

static void host_spawn(struct bot_host *host, const char *program)
{
    pid_t parent = getpid();

    host->pid = fork();
    REQUIRE(host->pid >= 0);
    if (host->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(127);
        }
        setenv("BGREF_ENDPOINT", host->endpoint, 1);
        setenv("BGREF_TOKEN", host->token, 1);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
}

static void host_send(struct bot_host *host)
{
    REQUIRE(zmq_send(host->socket, host->identity, host->identity_size, ZMQ_SNDMORE) >= 0);
    REQUIRE(zmq_send(host->socket, host->buffer.data, host->buffer.size, 0) >= 0);
}

/* Receives the next message into host->message. Returns false if the bot ended first. */
static bool host_receive(struct bot_host *host, int *exit_status)
{
    for (int waited = 0; waited < WAIT_MS; waited += STEP_MS) {
        zmq_pollitem_t item = {host->socket, 0, ZMQ_POLLIN, 0};
        struct bg_error err = {.text = ""};
        int size;

        if (zmq_poll(&item, 1, STEP_MS) == 0) {
            if (waitpid(host->pid, exit_status, WNOHANG) == host->pid) {
                host->pid = 0;
                return false;
            }
            continue;
        }
        size = zmq_recv(host->socket, host->identity, sizeof host->identity, 0);
        REQUIRE(size > 0);
        host->identity_size = (size_t)size;
        size = zmq_recv(host->socket, host->frame, FRAME, 0);
        REQUIRE(size >= 0);
        require(wire_unpack_to_referee(&host->message, host->reader, host->frame, (size_t)size,
                                       &err) == BG_OK,
                "reading the bot's message", err.text);
        return true;
    }
    require(false, "waiting for the bot", "nothing came");
    return false;
}

static void welcome(struct bot_host *host, const char *const *options)
{
    static struct wire_welcome values;

    memset(&values, 0, sizeof values);
    values.protocol = BG_PROTOCOL;
    values.limits = (struct wire_limits){.message_bytes = 1 << 20,
                                         .messages_per_second = 1000,
                                         .bytes_per_second = 1 << 20,
                                         .in_flight = 64,
                                         .start_ns = 30ull * 1000000000,
                                         .new_game_ns = 5000000000ull,
                                         .decision_ns = 60ull * 1000000000};
    snprintf(values.bot, sizeof values.bot, "%s", host->hello.name);
    for (size_t i = 0; options != NULL && options[i] != NULL; i++) {
        struct wire_option *option = &values.options[values.option_count++];
        size_t length = strcspn(options[i], "=");

        snprintf(option->name, sizeof option->name, "%.*s", (int)length, options[i]);
        snprintf(option->value, sizeof option->value, "%s", options[i] + length + 1);
    }
    REQUIRE(wire_pack_welcome(&host->buffer, &values, NULL) == BG_OK);
    host_send(host);
}

struct bot_host *bot_host_start(const char *program, const char *const *options, int *exit_status)
{
    struct bot_host *host = host_create();

    host_spawn(host, program);
    if (!host_receive(host, exit_status)) {
        goto ended;
    }
    REQUIRE(host->message.content == WIRE_HELLO);
    host->hello = *host->message.hello;
    REQUIRE(strcmp(host->hello.token, host->token) == 0);
    welcome(host, options);
    if (!host_receive(host, exit_status)) {
        goto ended;
    }
    REQUIRE(host->message.content == WIRE_READY);
    return host;
ended:
    host_free(host);
    return NULL;
}

const struct wire_hello *bot_host_hello(const struct bot_host *host)
{
    return &host->hello;
}

bool bot_host_ask(struct bot_host *host, struct bg_answer *answers, const struct bg_ask *asks,
                  size_t count, int *exit_status)
{
    struct bg_ask *numbered = calloc(count, sizeof *numbered);
    const struct bg_ask **pointers = calloc(count, sizeof *pointers);
    uint64_t first = host->next_number;
    size_t answered = 0;
    bool alive = true;

    REQUIRE(numbered != NULL && pointers != NULL);
    for (size_t i = 0; i < count; i++) {
        numbered[i] = asks[i];
        numbered[i].decision = host->next_number++;
        pointers[i] = &numbered[i];
    }
    memset(answers, 0, count * sizeof *answers);
    REQUIRE(wire_pack_asks(&host->buffer, pointers, count, NULL) == BG_OK);
    host_send(host);
    while (alive && answered < count && (alive = host_receive(host, exit_status))) {
        REQUIRE(host->message.content == WIRE_ANSWERS);
        for (size_t i = 0; i < host->message.count; i++) {
            const struct bg_answer *answer = &host->message.answers[i];

            REQUIRE(answer->decision >= first && answer->decision < first + count &&
                    answers[answer->decision - first].kind == BG_ANSWER_NONE);
            answers[answer->decision - first] = *answer;
            answers[answer->decision - first].decision = 0; /* numbers differ between runs */
            answered++;
        }
    }
    free(numbered);
    free(pointers);
    return alive;
}

int bot_host_end(struct bot_host *host)
{
    int status = 0;

    if (host->pid == 0) { /* it ended earlier */
        host_free(host);
        return 0;
    }
    REQUIRE(wire_pack_goodbye(&host->buffer, "the test is over", NULL) == BG_OK);
    host_send(host);
    for (int waited = 0; waited < WAIT_MS && host->pid > 0; waited += STEP_MS) {
        if (waitpid(host->pid, &status, WNOHANG) == host->pid) {
            host->pid = 0;
        } else {
            zmq_poll(NULL, 0, STEP_MS);
        }
    }
    require(host->pid == 0, "ending the bot", "it outlived the goodbye");
    host_free(host);
    return status;
}
