/* fuzz_curve - foreign bytes as a CURVE connection, at a server and at a client, before and after
 * its handshake: any way of cutting them into pieces gives the same news; memory stays within its
 * limits; after a refusal nothing more is read. The first byte chooses where the bytes arrive, and
 * from the second on messages can be sealed as an honest peer would, with any content. */
#include <string.h>

#include <sodium.h>

#include "door/curve.h"

#include "fuzz.h"

enum { MESSAGE_MAX = 700, STREAM = 1 << 17, HEAD_MORE = 33 };

enum { AT_SERVER = 1, AFTER_HANDSHAKE = 2, SEALED = 4 };

struct bytes {
    uint8_t data[STREAM];
    size_t size;
};

static uint8_t server_key[2][CURVE_KEY], client_key[2][CURVE_KEY];

static void put(struct bytes *out, const void *data, size_t size)
{
    if (size > 0 && out->size + size <= STREAM) {
        memcpy(out->data + out->size, data, size);
        out->size += size;
    }
}

static const char *refusal(void *user, const uint8_t key[CURVE_KEY])
{
    return NULL;
}

static const struct curve_server as_server = {
    .public = server_key[0], .secret = server_key[1], .refusal = refusal};
static const struct curve_client as_client = {.server = server_key[0],
                                              .public = client_key[0],
                                              .secret = client_key[1],
                                              .identity = "bgref-join-0"};

/* Reads all; returns the last news. */
static enum curve_news step(struct curve *curve, struct bytes *in, struct bytes *out)
{
    const uint8_t *at = in->data;
    struct curve_item item;
    enum curve_news news;

    do {
        news = curve_read(&item, curve, &at, in->data + in->size);
        put(out, item.reply, item.reply_size);
    } while (news != CURVE_MORE && news != CURVE_BROKEN);
    in->size = 0;
    return news;
}

static void begin(struct curve *server, struct curve *client, int where)
{
    static struct bytes to_server, to_client;

    to_server.size = to_client.size = 0;
    curve_init_server(server, &as_server, MESSAGE_MAX);
    require(curve_init_client(client, &as_client, MESSAGE_MAX));
    if ((where & AFTER_HANDSHAKE) == 0) {
        return;
    }
    curve_greeting(to_server.data, client);
    curve_greeting(to_client.data, server);
    to_server.size = to_client.size = ZMTP_GREETING;
    for (int i = 0; i < 3; i++) {
        require(step(client, &to_client, &to_server) == CURVE_MORE);
        require(step(server, &to_server, &to_client) == CURVE_MORE);
    }
    require(curve_is_ready(server) && curve_is_ready(client));
}

/* Frames with the pieces of the input as what was sealed: a byte gives the size of each. */
static void seal_pieces(struct bytes *out, const uint8_t *data, size_t size,
                        const struct curve *peer)
{
    static const char *const prefixes[] = {"CurveZMQMESSAGES", "CurveZMQMESSAGEC"};
    uint64_t number = 1000;

    for (size_t at = 0; at < size;) {
        size_t piece = data[at] < size - at - 1 ? data[at] : size - at - 1;
        uint8_t frame[ZMTP_HEAD + HEAD_MORE + 256] = {0}, nonce[crypto_box_NONCEBYTES] = {0};
        size_t head = zmtp_head(frame, HEAD_MORE - 1 + piece, false);

        memcpy(nonce, prefixes[peer->is_server], 16);
        nonce[22] = (uint8_t)(++number >> 8);
        nonce[23] = (uint8_t)number;
        memcpy(frame + head, "\7MESSAGE", 8);
        memcpy(frame + head + 8, nonce + 16, 8);
        require(crypto_box_easy_afternm(frame + head + 16, data + at + 1, piece, nonce,
                                        peer->shared) == 0);
        put(out, frame, head + HEAD_MORE - 1 + piece);
        at += 1 + piece;
    }
}

static void note(struct sum *sum, const struct curve *curve, enum curve_news news,
                 const struct curve_item *item)
{
    sum->news++;
    add(sum, &news, sizeof news);
    add(sum, &item->size, sizeof item->size);
    add(sum, &item->reply_size, sizeof item->reply_size);
    require(item->reply_size <= CURVE_WRITTEN);
    require(news != CURVE_MESSAGE || item->size <= MESSAGE_MAX);
    require(news != CURVE_DROPPED || (item->parts > 1 && item->parts <= ZMTP_PARTS));
    if (news == CURVE_MESSAGE) {
        add(sum, item->data, item->size);
    }
    if (news == CURVE_BROKEN) {
        require(curve->reader.broken != ZMTP_SOUND && curve->reader.why[0] != '\0');
    }
}

/* Reads the input in pieces of at most `most` bytes, on a copy of this connection. */
static struct sum read_all(const struct curve *from, const struct bytes *input, size_t most)
{
    struct curve curve = *from;
    struct curve_item item;
    struct sum sum = {0, 0};
    enum curve_news news = CURVE_MORE;

    curve.plain = NULL;
    curve.plain_room = 0;
    curve.reader.kept = NULL;
    curve.reader.kept_size = curve.reader.kept_room = 0;
    for (size_t begun = 0; begun < input->size && news != CURVE_BROKEN; begun += most) {
        size_t piece = input->size - begun < most ? input->size - begun : most;
        uint8_t *copy = malloc(piece); /* so that a sanitizer detects a read past its end */
        const uint8_t *at = copy;

        require(copy != NULL);
        memcpy(copy, input->data + begun, piece);
        while ((news = curve_read(&item, &curve, &at, copy + piece)) != CURVE_MORE) {
            note(&sum, &curve, news, &item);
            if (news == CURVE_BROKEN) {
                break;
            }
        }
        require(news == CURVE_BROKEN || at == copy + piece);
        require(curve.reader.kept_room <= 2 * (CURVE_COMMAND + MESSAGE_MAX));
        require(curve.plain_room <= 4096);
        free(copy);
    }
    curve_deinit(&curve);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t cuts[] = {1, 7, 64, 255};
    static struct bytes input;
    struct curve server, client;
    int where = size == 0 ? 0 : data[0];
    const struct curve *own = (where & AT_SERVER) != 0 ? &server : &client;
    struct sum whole;

    if (sodium_init() < 0 || size > STREAM / 64) {
        return 0;
    }
    if (sodium_is_zero(server_key[1], CURVE_KEY)) {
        crypto_box_keypair(server_key[0], server_key[1]);
        crypto_box_keypair(client_key[0], client_key[1]);
    }
    begin(&server, &client, where);
    input.size = 0;
    if ((where & AFTER_HANDSHAKE) != 0 && (where & SEALED) != 0) {
        seal_pieces(&input, data + 1, size - 1, own == &server ? &server : &client);
    } else if (size > 0) {
        put(&input, data + 1, size - 1);
    }
    whole = read_all(own, &input, input.size == 0 ? 1 : input.size);
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        struct sum cut = read_all(own, &input, cuts[i]);

        require(cut.news == whole.news && cut.hash == whole.hash);
    }
    curve_deinit(&server);
    curve_deinit(&client);
    return 0;
}
