/* Writes records. record_read.c reads them; record_text.c has the text of steps and rules. */
#include "record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>
#include <sodium.h>

#include "base/memory.h"
#include "record_line.h"
#include "record_text.h"

/* Longest step line with time, check and LF. */
enum { STEP_LINE = RECORD_STEP + 48 };

/* Room for the header without its strings: keys, rules, start, two boards, checks. */
enum { HEADER_ROOM = 4096 };

/* What was written before, in blocks of one size: ten thousand records that grow at once leave no
 * holes of every size in the heap, as growing texts do. */
struct record_part {
    struct record_part *before;
    size_t size;
    char text[];
};

enum { PART = 1024 - sizeof(struct record_part) - 8 /* of the allocator */ };

static void parts_free(struct record *record)
{
    while (record->parts != NULL) {
        struct record_part *part = record->parts;

        record->parts = part->before;
        free(part);
    }
}

void record_deinit(struct record *record)
{
    parts_free(record);
    free(record->text);
    *record = (struct record){0};
}

void record_reserve(struct record *record, size_t more)
{
    record->text = memory_list(record->text, &record->room, record->size + more + 1, 1);
}

/* Gives text a room of exactly this size; its bytes are lost. */
static void room_set(struct record *record, size_t room)
{
    if (record->room != room) {
        free(record->text);
        record->room = 0;
        record->text = memory_list(NULL, &record->room, room, 1);
    }
}

/* Appends bytes to the parts. */
static void part_add(struct record *record, const char *text, size_t size)
{
    size_t room = 0;
    struct record_part *part =
        memory_list(NULL, &room, sizeof *part + (size < PART ? PART : size), 1);

    part->before = record->parts;
    part->size = size;
    memcpy(part->text, text, size);
    record->parts = part;
}

/* Puts the parts and what follows them together, with room for `more` bytes behind. */
static void parts_join(struct record *record, size_t more)
{
    size_t size = record->size, room = 0;
    char *text;

    for (struct record_part *part = record->parts; part != NULL; part = part->before) {
        size += part->size;
    }
    text = memory_list(NULL, &room, size + more, 1);
    memcpy(text + size - record->size, record->text, record->size);
    free(record->text);
    record->text = text;
    record->room = room;
    text += size - record->size;
    for (struct record_part *part = record->parts; part != NULL; part = part->before) {
        text -= part->size;
        memcpy(text, part->text, part->size);
    }
    record->size = size;
    parts_free(record);
}

/* Ends the line from text + size up to `at` with its check and LF. The check runs over the texts of
 * all lines so far, so it also protects their order. */
static void seal(struct record *record, char *at)
{
    const char *line = record->text + record->size;

    record->check = line_check(record->check, line, (size_t)(at - line));
    at = line_put_check(at, record->check);
    *at++ = '\n';
    *at = '\0';
    record->size = (size_t)(at - record->text);
}

static void put_pair(struct record *record, const char *key, const char *value)
{
    char *at = line_put(record->text + record->size, key);

    *at++ = ' ';
    seal(record, line_put_value(at, value == NULL ? "" : value));
}

/* Writes nothing if there is no value. */
static void put_optional(struct record *record, const char *key, const char *value)
{
    if (value != NULL) {
        put_pair(record, key, value);
    }
}

static void put_attempt(struct record *record, uint64_t attempt)
{
    if (attempt > 0) {
        seal(record,
             line_put_int(line_put(record->text + record->size, "attempt "), (int64_t)attempt));
    }
}

static void put_clocks(struct record *record, const struct record_header *header)
{
    put_pair(record, "clock", header->clock);
    if (header->has_clock) {
        char *at = line_put(record->text + record->size, "left ");

        at = line_put_int(at, header->left_ns[0]);
        *at++ = ' ';
        seal(record, line_put_int(at, header->left_ns[1]));
    }
}

static void put_start(struct record *record, const struct bg_match *start)
{
    char *at = line_put(record->text + record->size, "rules ");

    record_rules_write(at, &start->rules);
    seal(record, at + strlen(at));
    at = line_put(record->text + record->size, "start ");
    seal(record, record_put_start(at, start));

    struct bg_board setup;

    bg_variant_setup(&setup, start->rules.variant);
    if (!bg_board_equal(&setup, &start->board)) {
        for (int seat = 0; seat < 2; seat++) {
            at = line_put(record->text + record->size, seat == 0 ? "board0 " : "board1 ");
            seal(record, record_put_board(at, &start->board, seat));
        }
    }
}

static size_t length(const char *text)
{
    return text == NULL ? 0 : strlen(text);
}

static void put_header(struct record *record, const struct record_header *header)
{
    static const char *const keys[2][4] = {{"seat0", "program0", "version0", "options0"},
                                           {"seat1", "program1", "version1", "options1"}};
    size_t strings = length(header->game_id) + length(header->alias) + length(header->event) +
                     length(header->clock) + length(header->prev) + length(header->dice) +
                     length(header->key) + length(header->trust) + length(header->host);

    for (int seat = 0; seat < 2; seat++) {
        strings += length(header->seat_name[seat]) + length(header->seat_program[seat]) +
                   length(header->seat_version[seat]) + length(header->seat_options[seat]);
    }
    record->check = LINE_CHECK_START;
    record_reserve(record, CLEAN_GROWTH * strings + HEADER_ROOM);
    seal(record, line_put(record->text, RECORD_MAGIC));
    put_pair(record, "id", header->game_id);
    put_optional(record, "alias", header->alias);
    put_pair(record, "event", header->event);
    put_optional(record, "trust", header->trust);
    for (int seat = 0; seat < 2; seat++) {
        put_pair(record, keys[seat][0], header->seat_name[seat]);
        put_pair(record, keys[seat][1], header->seat_program[seat]);
        put_pair(record, keys[seat][2], header->seat_version[seat]);
        put_pair(record, keys[seat][3], header->seat_options[seat]);
    }
    put_clocks(record, header);
    put_pair(record, "dice", header->dice);
    put_optional(record, "key", header->key);
    put_attempt(record, header->attempt);
    put_pair(record, "host", header->host);
    put_pair(record, "prev", header->prev);
    put_start(record, header->start);
    seal(record, line_put(record->text + record->size, "steps"));
}

/* The header is written aside: what it may need at most is several times what it takes. */
void record_begin(struct record *record, const struct record_header *header)
{
    struct record head = {0};

    parts_free(record);
    record->size = 0;
    record->steps = 0;
    room_set(record, PART);
    put_header(&head, header);
    part_add(record, head.text, head.size);
    record->check = head.check;
    record_deinit(&head);
}

void record_append(struct record *record, const struct bg_step *step, int64_t spent_ns)
{
    const struct record_time time = {spent_ns, 0};

    record_append_timed(record, step, &time);
}

/* Makes room for a line. */
static void line_room(struct record *record, size_t most)
{
    if (record->room - record->size <= most) {
        part_add(record, record->text, record->size);
        record->size = 0;
    }
}

void record_append_thought(struct record *record, const struct bg_thought *thought)
{
    char *at;

    static_assert(PART > RECORD_THOUGHT + LINE_CHECK_TEXT + 2, "a thought fits into a part");
    line_room(record, RECORD_THOUGHT + LINE_CHECK_TEXT + 2);
    at = record->text + record->size;
    record_thought_write(at, thought);
    seal(record, at + strlen(at));
}

void record_append_timed(struct record *record, const struct bg_step *step,
                         const struct record_time *time)
{
    line_room(record, STEP_LINE);
    seal(record, record_put_timed(record->text + record->size, step, time));
    record->steps++;
}

void record_hash_text(char hash[RECORD_HASH], const char *text, size_t size)
{
    unsigned char digest[(RECORD_HASH - 1) / 2];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)text, size, NULL, 0);
    sodium_bin2hex(hash, RECORD_HASH, digest, sizeof digest);
}

void record_end(struct record *record, const struct bg_result *result, const int64_t left_ns[2],
                char hash[RECORD_HASH])
{
    char *at;

    parts_join(record, 2 * STEP_LINE + RECORD_HASH);
    at = record_put_end(record->text + record->size, result);
    if (left_ns != NULL) {
        at = line_put(at, " left=");
        at = line_put_int(at, left_ns[0]);
        *at++ = ',';
        at = line_put_int(at, left_ns[1]);
    }
    seal(record, at);

    /* One digest over the whole record: one per line would take ten times as long and find no more
     * than the checks do. */
    record_hash_text(hash, record->text, record->size);
    at = line_put(record->text + record->size, "hash ");
    at = line_put(at, hash);
    *at++ = '\n';
    *at = '\0';
    record->size = (size_t)(at - record->text);
}
