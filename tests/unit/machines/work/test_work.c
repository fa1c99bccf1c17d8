/* Messages between machines: what is packed comes back, what is wrong is refused by name. */
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work/terms_digest.h"
#include "work/work.h"

typedef Bgref__Work__V1__Item item_message;
typedef Bgref__Work__V1__Results results_message;
typedef Bgref__Work__V1__Event event_message;

static uint8_t zeros[TERMS_DIGEST], key[BG_KEY_BYTES];
static uint32_t legs[2] = {0, 1};
static char event_id[] = "0123456789ab", name_a[] = "anna", name_b[] = "bert", digits[65];

/* ------------------------------------------------------------------ names */

TEST(a_subject_comes_back_with_all_its_parts)
{
    struct work_place place = {"0123456789ab", "lab-3", "", 17, 500}, read;
    char subject[WORK_SUBJECT];

    work_pairing(place.pairing, "anna", "bert");
    work_subject(subject, 'r', &place);
    /* The pairing by: printf 'anna|bert' | b2sum -l 256 | cut -c1-16 */
    ck_assert_str_eq(subject, "bgref.r.0123456789ab.lab-3.6c2ff1cca81fe916.17.500");
    ck_assert(work_place_read(&read, 'r', subject));
    ck_assert_mem_eq(&read, &place, sizeof read);
    ck_assert(!work_place_read(&read, 'w', subject));
}

static const char *const no_places[] = {
    "",
    "bgref.w.",
    "bgref.w.0123456789ab.any.0123456789abcdef.1",
    "bgref.w.0123456789ab.any.0123456789abcdef.1.0",
    "bgref.w.0123456789ab.any.0123456789abcdef.01.1",
    "bgref.w.0123456789ab.any.0123456789abcdef.-1.1",
    "bgref.w.0123456789ab.any.0123456789abcdef.1.1.1",
    "bgref.w.0123456789ab.any.0123456789abcdeF.1.1",
    "bgref.w.0123456789a.any.0123456789abcdef.1.1",
    "bgref.w.0123456789ab.a$y.0123456789abcdef.1.1",
    "bgref.w.0123456789ab.any.0123456789abcdef.99999999999999999999.1",
};

TEST_ROWS(other_subjects_are_none, no_places)
{
    struct work_place read;

    ck_assert_msg(!work_place_read(&read, 'w', no_places[_i]), "%s", no_places[_i]);
}

TEST(the_sender_is_in_the_subject)
{
    char name[WORK_NAME];

    ck_assert(work_sender(name, "beat", "bgref.beat.0123456789ab.lab_3"));
    ck_assert_str_eq(name, "lab_3");
    ck_assert(!work_sender(name, "have", "bgref.beat.0123456789ab.lab_3"));
    ck_assert(!work_sender(name, "beat", "bgref.beat.0123456789ab.lab.3"));
    ck_assert(!work_sender(name, "beat", "bgref.beat.0123456789ab."));
    ck_assert(
        !work_sender(name, "beat", "bgref.beat.0123456789ab.a23456789012345678901234567890123"));
}

/* ------------------------------------------------------------------ items */

static void make_item(item_message *item, Bgref__Work__V1__Unit *unit,
                      Bgref__Work__V1__Unit **units, size_t count)
{
    bgref__work__v1__item__init(item);
    bgref__work__v1__unit__init(unit);
    unit->pair = 7;
    unit->n_legs = 2;
    unit->legs = legs;
    unit->key = (ProtobufCBinaryData){sizeof key, key};
    for (size_t i = 0; i < count; i++) {
        units[i] = unit;
    }
    item->format = WORK_FORMAT;
    item->event = event_id;
    item->terms = (ProtobufCBinaryData){sizeof zeros, zeros};
    item->a = name_a;
    item->b = name_b;
    item->n_units = count;
    item->units = units;
}

static enum bg_status read_item(item_message **out, const ProtobufCMessage *message,
                                struct bg_error *err)
{
    size_t size;
    uint8_t *bytes = work_pack(&size, message);
    enum bg_status status = work_read_item(out, bytes, size, err);

    free(bytes);
    return status;
}

TEST(an_item_of_any_size_comes_back)
{
    Bgref__Work__V1__Unit unit, *units[WORK_UNITS];
    item_message item, *read;
    size_t size;
    uint8_t *bytes;

    make_item(&item, &unit, units, 1);
    ck_assert_int_eq(read_item(&read, &item.base, NULL), BG_OK);
    ck_assert_uint_eq(read->units[0]->pair, 7);
    WORK_FREE(read);
    make_item(&item, &unit, units, WORK_UNITS);
    bytes = work_pack(&size, &item.base);
    ck_assert_uint_lt(size, 2000); /* equal units deflate well */
    ck_assert_int_eq(work_read_item(&read, bytes, size, NULL), BG_OK);
    ck_assert_uint_eq(read->n_units, WORK_UNITS);
    WORK_FREE(read);
    bytes[size / 2] ^= 0x40;
    ck_assert_int_eq(work_read_item(&read, bytes, size, NULL), BG_E_FORMAT);
    ck_assert_ptr_null(read);
    free(bytes);
}

static void no_format(item_message *item)
{
    item->format = 2;
}

static void short_event(item_message *item)
{
    item->event++;
}

static void no_terms(item_message *item)
{
    item->terms.len--;
}

static void one_bot(item_message *item)
{
    item->b = item->a;
}

static void wrong_order(item_message *item)
{
    item->a = name_b;
    item->b = name_a;
}

static void escape(item_message *item)
{
    static char text[] = "cube=\x1b[31m";

    item->conditions = text;
}

static void nothing_to_play(item_message *item)
{
    item->n_units = 0;
}

static void no_key(item_message *item)
{
    item->units[0]->key.len = 0;
}

static void same_leg_twice(item_message *item)
{
    static uint32_t twice[] = {1, 1};

    item->units[0]->legs = twice;
}

static const struct {
    void (*spoil)(item_message *item);
    const char *field;
} spoiled[] = {
    {no_format, "format"},      {short_event, "event"},  {no_terms, "terms"},
    {one_bot, "a or b"},        {wrong_order, "a or b"}, {escape, "conditions"},
    {nothing_to_play, "units"}, {no_key, "units"},       {same_leg_twice, "units"},
};

TEST_ROWS(a_wrong_item_is_refused_by_its_field, spoiled)
{
    Bgref__Work__V1__Unit unit, *units[1];
    item_message item, *read;
    struct bg_error err = {.text = ""};

    make_item(&item, &unit, units, 1);
    spoiled[_i].spoil(&item);
    ck_assert_int_eq(read_item(&read, &item.base, &err), BG_E_FORMAT);
    ck_assert_msg(strstr(err.text, spoiled[_i].field) != NULL, "%s", err.text);
    ck_assert_ptr_null(read);
}

TEST(a_question_names_units_without_their_keys)
{
    Bgref__Work__V1__HaveRequest request = BGREF__WORK__V1__HAVE_REQUEST__INIT, *read;
    Bgref__Work__V1__Unit unit, *units[1];
    item_message item;
    size_t size;
    uint8_t *bytes;

    make_item(&item, &unit, units, 1);
    request.item = &item;
    bytes = work_pack(&size, &request.base);
    ck_assert_int_eq(work_read_request(&read, bytes, size, NULL), BG_E_FORMAT); /* it has one */
    free(bytes);
    unit.key.len = 0;
    bytes = work_pack(&size, &request.base);
    ck_assert_int_eq(work_read_request(&read, bytes, size, NULL), BG_OK);
    WORK_FREE(read);
    free(bytes);
}

/* ------------------------------------------------------------------ games */

static struct store_game *make_game(size_t reply)
{
    struct store_game *game = calloc(1, sizeof *game);

    game->id = strdup("anna|bert|7|1|3");
    game->a = strdup(name_a);
    game->b = strdup(name_b);
    game->pair = 7;
    game->leg = 1;
    game->game = 3;
    game->length_points = 5;
    game->winner = -1;
    game->level = 2;
    game->points = 4;
    game->end = BG_END_FAULT;
    game->fault = BG_FAULT_LATE;
    game->turns = 31;
    game->score_a = 3;
    game->score_b = 4;
    game->match_winner = -1;
    game->left_ns[0] = -5;
    game->left_ns[1] = 99;
    game->at_s = 1796000000;
    memcpy(game->hash, digits, sizeof digits);
    game->text = strdup("a record\n");
    game->text_size = strlen(game->text);
    game->evidence = calloc(1, sizeof *game->evidence);
    game->evidence->game_id = strdup(game->id);
    game->evidence->bot = strdup(name_b);
    game->evidence->fault = BG_FAULT_LATE;
    game->evidence->story = strdup("two\nlines");
    game->evidence->reply = calloc(1, reply + 1);
    memset(game->evidence->reply, 'x', reply);
    return game;
}

static uint8_t *pack_game(size_t *size, const struct store_game *game)
{
    results_message results = BGREF__WORK__V1__RESULTS__INIT;
    Bgref__Work__V1__Game packed, *games[] = {&packed};
    uint8_t *bytes;

    work_game_of(&packed, game, "", "it was late");
    results.format = WORK_FORMAT;
    results.event = event_id;
    results.terms = (ProtobufCBinaryData){sizeof zeros, zeros};
    results.a = name_a;
    results.b = name_b;
    results.n_games = 1;
    results.games = games;
    bytes = work_pack(size, &results.base);
    work_game_deinit(&packed);
    return bytes;
}

static results_message *exchange(const struct store_game *game)
{
    struct bg_error err = {.text = ""};
    results_message *read;
    size_t size;
    uint8_t *bytes = pack_game(&size, game);
    enum bg_status status;

    status = work_read_results(&read, bytes, size, &err);
    ck_assert_msg(status == BG_OK, "%s", err.text);
    free(bytes);
    return read;
}

TEST(a_game_comes_back_as_it_was)
{
    struct store_game *game = make_game(10), *read;
    results_message *results = exchange(game);

    ck_assert_str_eq(results->games[0]->message, "it was late");
    read = work_game_read(results->games[0], results->a, results->b);
    ck_assert_str_eq(read->id, game->id);
    ck_assert_str_eq(read->a, game->a);
    ck_assert_str_eq(read->b, game->b);
    ck_assert_str_eq(read->hash, game->hash);
    ck_assert_uint_eq(read->text_size, game->text_size);
    ck_assert_mem_eq(read->text, game->text, game->text_size);
    ck_assert_str_eq(read->evidence->game_id, game->id);
    ck_assert_str_eq(read->evidence->bot, "bert");
    ck_assert_str_eq(read->evidence->story, "two\nlines");
    ck_assert_str_eq(read->evidence->reply, "xxxxxxxxxx");
    ck_assert_ptr_null(read->evidence->legal);
    ck_assert_int_eq(read->evidence->fault, BG_FAULT_LATE);
    ck_assert_uint_eq(read->pair, 7);
    ck_assert_int_eq(read->leg, 1);
    ck_assert_int_eq(read->game, 3);
    ck_assert_int_eq(read->length_points, 5);
    ck_assert_int_eq(read->winner, -1);
    ck_assert_int_eq(read->level, 2);
    ck_assert_int_eq(read->points, 4);
    ck_assert_int_eq(read->end, BG_END_FAULT);
    ck_assert_int_eq(read->fault, BG_FAULT_LATE);
    ck_assert_int_eq(read->turns, 31);
    ck_assert_int_eq(read->score_a, 3);
    ck_assert_int_eq(read->score_b, 4);
    ck_assert(!read->match_over);
    ck_assert_int_eq(read->match_winner, -1);
    ck_assert_int_eq(read->left_ns[0], -5);
    ck_assert_int_eq(read->left_ns[1], 99);
    ck_assert_int_eq(read->at_s, 1796000000);
    store_game_destroy(read);
    store_game_destroy(game);
    WORK_FREE(results);
}

TEST(evidence_that_is_too_large_stays_behind_and_is_missed)
{
    struct store_game *game = make_game(WORK_EVIDENCE), *read;
    results_message *results = exchange(game);

    ck_assert(results->games[0]->lacks_evidence);
    read = work_game_read(results->games[0], results->a, results->b);
    ck_assert_ptr_null(read->evidence);
    store_game_destroy(read);
    store_game_destroy(game);
    WORK_FREE(results);
}

/* Nine MiB of one letter take a few KiB. */
TEST(a_message_that_becomes_too_large_is_not_inflated)
{
    struct store_game *game = make_game(0);
    results_message *read;
    uint8_t *bytes;
    size_t size;

    free(game->text);
    game->text_size = 9 << 20;
    game->text = malloc(game->text_size);
    memset(game->text, 'x', game->text_size);
    bytes = pack_game(&size, game);
    ck_assert_uint_lt(size, WORK_BYTES);
    ck_assert_int_eq(work_read_results(&read, bytes, size, NULL), BG_E_FORMAT);
    free(bytes);
    store_game_destroy(game);
}

TEST(what_is_no_message_is_refused)
{
    uint8_t bytes[64] = {1, 0, 0, 0, 1}; /* says that it becomes 16 MiB */
    results_message *read;

    ck_assert_int_eq(work_read_results(&read, bytes, sizeof bytes, NULL), BG_E_FORMAT);
    ck_assert_int_eq(work_read_results(&read, bytes, 0, NULL), BG_E_FORMAT);
    bytes[0] = 2;
    ck_assert_int_eq(work_read_results(&read, bytes, sizeof bytes, NULL), BG_E_FORMAT);
}

/* ------------------------------------------------------------------ terms */

static char words[8][12];
static Bgref__Work__V1__Bot bots[3], *offered[3];
static Bgref__Work__V1__Setting setting, *settings[1] = {&setting};

static event_message make_event(void)
{
    event_message event = BGREF__WORK__V1__EVENT__INIT;

    for (int i = 0; i < 3; i++) {
        snprintf(words[i], sizeof words[i], "bot%d", i);
        snprintf(words[3 + i], sizeof words[3 + i], "digest%d", i);
        bgref__work__v1__bot__init(&bots[i]);
        bots[i].name = words[i];
        bots[i].program = words[3 + i];
        offered[i] = &bots[i];
    }
    strcpy(words[6], "length");
    strcpy(words[7], "5");
    bgref__work__v1__setting__init(&setting);
    setting.key = words[6];
    setting.value = words[7];
    event.n_bots = 3;
    event.bots = offered;
    event.n_settings = 1;
    event.settings = settings;
    return event;
}

TEST(terms_change_with_what_the_two_bots_play_and_with_nothing_else)
{
    event_message event = make_event();
    uint8_t first[TERMS_DIGEST], other[TERMS_DIGEST];

    ck_assert(terms_digest(first, &event, "bot0", "bot1", ""));
    ck_assert(terms_digest(other, &event, "bot1", "bot0", ""));
    ck_assert_mem_eq(first, other, sizeof first);
    words[5][0] = 'D'; /* another program of a third bot */
    ck_assert(terms_digest(other, &event, "bot0", "bot1", ""));
    ck_assert_mem_eq(first, other, sizeof first);
    words[4][0] = 'D';
    ck_assert(terms_digest(other, &event, "bot0", "bot1", ""));
    ck_assert_mem_ne(first, other, sizeof first);
    words[4][0] = 'd';
    words[7][0] = '7';
    ck_assert(terms_digest(other, &event, "bot0", "bot1", ""));
    ck_assert_mem_ne(first, other, sizeof first);
    words[7][0] = '5';
    ck_assert(terms_digest(other, &event, "bot0", "bot1", "cube=off"));
    ck_assert_mem_ne(first, other, sizeof first);
    ck_assert(!terms_digest(other, &event, "bot0", "nobody", ""));
}

static void begin(void)
{
    memset(digits, 'a', sizeof digits - 1);
}

void suite_begin(TCase *tests)
{
    tcase_add_checked_fixture(tests, begin, NULL);
}
