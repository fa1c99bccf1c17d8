/* fuzz_zmtp - foreign bytes as a ZeroMQ connection: any way of cutting them into pieces gives the
 * same events; buffered data stays within its limits; after a refusal nothing more is read. */
#include <string.h>

#include "wire/zmtp.h"

#include "fuzz.h"

enum { MESSAGE_MAX = 700 };

static void note(struct sum *sum, const struct zmtp_reader *reader, enum zmtp_news news,
                 const struct zmtp_item *item)
{
    sum->news++;
    add(sum, &news, sizeof news);
    add(sum, &item->size, sizeof item->size);
    if (item->data != NULL) {
        add(sum, item->data, item->size);
    }
    if (news == ZMTP_READY) {
        require(strlen(reader->socket_type) < ZMTP_SOCKET_TYPE && reader->socket_type[0] != '\0');
    }
    require(news != ZMTP_MESSAGE || item->size <= MESSAGE_MAX);
    require(news != ZMTP_PING || item->size <= ZMTP_CONTEXT);
    require(news != ZMTP_DROPPED || (item->parts > 1 && item->parts <= ZMTP_PARTS));
    if (news == ZMTP_BROKEN) {
        require(reader->broken != ZMTP_SOUND && reader->why[0] != '\0');
        for (const char *at = reader->why; *at != '\0'; at++) {
            require(*at >= ' ' && *at <= '~');
        }
    }
}

/* Reads all input in pieces of at most `step` bytes. */
static struct sum read_all(const uint8_t *data, size_t size, size_t step)
{
    struct zmtp_reader reader;
    struct zmtp_item item;
    struct sum sum = {0, 0};
    enum zmtp_news news = ZMTP_MORE;

    zmtp_reader_init(&reader, MESSAGE_MAX);
    for (size_t from = 0; from < size && news != ZMTP_BROKEN; from += step) {
        size_t piece = size - from < step ? size - from : step;
        uint8_t *copy = malloc(piece); /* so that a sanitizer detects a read past its end */
        const uint8_t *at = copy;

        require(copy != NULL);
        memcpy(copy, data + from, piece);
        while ((news = zmtp_read(&item, &reader, &at, copy + piece)) != ZMTP_MORE) {
            note(&sum, &reader, news, &item);
            if (news == ZMTP_BROKEN) {
                break;
            }
        }
        require(news == ZMTP_BROKEN || at == copy + piece);
        require(reader.kept_room <= 2 * (ZMTP_COMMAND + MESSAGE_MAX));
        free(copy);
    }
    zmtp_reader_deinit(&reader);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sum whole = read_all(data, size, size == 0 ? 1 : size);
    static const size_t steps[] = {1, 7, 64, 255};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct sum cut = read_all(data, size, steps[i]);

        require(cut.news == whole.news && cut.hash == whole.hash);
    }
    return 0;
}
