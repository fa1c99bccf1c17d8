/* fuzz_channel - foreign bytes to the client's connection: any way of cutting them into pieces
 * gives the same messages and the same end, and every failure has a message of one line. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client/channel.h"

#include "fuzz.h"

enum { SIZE_MOST = 8192 };

static char folder[] = "/tmp/bgref-fuzz-XXXXXX", endpoint[64];
static int listener = -1;

static void clean_up(void)
{
    unlink(endpoint + strlen("ipc://"));
    rmdir(folder);
}

static void listen_once(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (listener >= 0) {
        return;
    }
    require(mkdtemp(folder) != NULL);
    snprintf(endpoint, sizeof endpoint, "ipc://%s/bot", folder);
    atexit(clean_up);
    strcpy(address.sun_path, endpoint + strlen("ipc://"));
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    require(bind(listener, (const struct sockaddr *)&address, sizeof address) == 0);
    require(listen(listener, 1) == 0);
}

struct outcome {
    uint64_t hash;
    size_t messages;
    enum bg_status end;
};

/* Reads all messages; the status is the reason for the end. */
static enum bg_status take_all(struct outcome *sum, struct channel *channel)
{
    struct bg_error err = {0};
    enum bg_status status;
    const void *data;
    size_t size;

    while ((status = channel_take(channel, &data, &size, &err)) == BG_OK) {
        const uint8_t *bytes = data;

        for (size_t i = 0; i < size; i++) {
            sum->hash = (sum->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
        }
        sum->hash += size + 1;
        sum->messages++;
    }
    require(status == BG_E_TIMEOUT || (err.text[0] != '\0' && strchr(err.text, '\n') == NULL));
    return status;
}

static struct outcome read_all(const uint8_t *data, size_t size, size_t step)
{
    struct channel *channel = NULL;
    struct outcome sum = {0, 0, BG_E_TIMEOUT};
    int peer;

    require(channel_socket_open(&channel, endpoint, NULL) == BG_OK);
    peer = accept(listener, NULL, NULL);
    require(peer >= 0);
    for (size_t from = 0; from < size && sum.end == BG_E_TIMEOUT; from += step) {
        size_t piece = size - from < step ? size - from : step;

        require(send(peer, data + from, piece, MSG_NOSIGNAL) == (ssize_t)piece);
        sum.end = take_all(&sum, channel);
    }
    close(peer);
    if (sum.end == BG_E_TIMEOUT) {
        sum.end = take_all(&sum, channel);
        require(sum.end == BG_E_CLOSED);
    }
    channel_close(channel);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t steps[] = {7, 64};
    struct outcome whole;

    size = size > SIZE_MOST ? SIZE_MOST : size;
    listen_once();
    whole = read_all(data, size, size == 0 ? 1 : size);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct outcome cut = read_all(data, size, steps[i]);

        require(cut.hash == whole.hash && cut.messages == whole.messages && cut.end == whole.end);
    }
    return 0;
}
