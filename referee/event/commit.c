/* Two questions to each bot, and each is on the disk before the next step: the commitments
 * before a nonce is asked for (bind), the nonces before the first roll (keep_nonces). A kill in
 * between leaves commitments without nonces, and the pair is asked anew: the line of the first
 * try stays above the second, where everybody can see it. An id that the bots see is random, and
 * says nothing of the pair. */
#include "commit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/memory.h"
#include "seat/letters.h"

enum {
    SUBJECT = BG_GAME_ID + 40, /* attempt and number of the key */
    BOUND_LINE = 2 * BG_KEY_HEX + 1,
    BOUND_LINES = 30
};

enum commit_stage { STAGE_FREE, STAGE_DIGESTS, STAGE_NONCES };

/* A fixture that needs the nonces of its pair. */
struct waiter {
    struct fixture fixture;
    struct session *session[2]; /* by seat */
};

enum { WAITERS_MAX = 2 /* the two legs of a pair */ };

/* The two bots of a pair, while they are asked on behalf of the first waiter. */
struct exchange {
    enum commit_stage stage;
    struct waiter waiter[WAITERS_MAX];
    int waiters;
    char subject[SUBJECT]; /* as the store has it */
    char bot_id[BG_ALIAS]; /* id that the bots see; a new one for each request */
    uint8_t digest[2][WIRE_SECRET], nonce[2][WIRE_SECRET]; /* by seat */
    bool has_digest[2], has_nonce[2];
    const char *offence[2]; /* each seat's error; NULL none */
    int64_t asked_ns;
};

struct commit {
    struct commit_setup setup;
    uint8_t key_digest[WIRE_SECRET];
    int open, room;
    struct exchange exchange[];
};

void commit_create(struct commit **out, const struct commit_setup *setup, int room)
{
    struct commit *commit =
        memory_zeroed(1, sizeof *commit + (size_t)room * sizeof commit->exchange[0]);
    char digest[BG_KEY_HEX];

    commit->setup = *setup;
    commit->room = room;
    bg_dice_key_digest(digest, setup->key);
    sodium_hex2bin(commit->key_digest, sizeof commit->key_digest, digest, strlen(digest), NULL,
                   NULL, NULL);
    *out = commit;
}

void commit_destroy(struct commit *commit)
{
    free(commit);
}

/* ------------------------------------------------------------------ the store */

/* Writes "A|B|pair", ... */
static void subject_write(char out[SUBJECT], const struct commit *commit,
                          const struct fixture *fixture)
{
    struct game_id id = fixture_game(commit->setup.names, fixture);
    uint64_t attempt = ledger_attempt(commit->setup.ledger, fixture);
    size_t size;

    game_id_write_pair(out, &id);
    size = strlen(out);
    if (attempt > 0) {
        size += (size_t)snprintf(out + size, SUBJECT - size, "|%" PRIu64, attempt);
    }
    if (commit->setup.key_number > 1) {
        snprintf(out + size, SUBJECT - size, "#%d", commit->setup.key_number);
    }
}

static void meta_key(char out[SUBJECT + 8], const char *subject)
{
    snprintf(out, SUBJECT + 8, "nonces.%s", subject);
}

enum bg_status commit_find(struct commit_nonces *out, bool *found, const struct commit *commit,
                           const struct fixture *fixture, struct bg_error *err)
{
    char subject[SUBJECT], key[SUBJECT + 8], text[2 * BG_KEY_HEX + 2] = "";
    enum bg_status status;

    subject_write(subject, commit, fixture);
    meta_key(key, subject);
    status =
        commit->setup.store->ops->meta_get(commit->setup.store, key, text, sizeof text, found, err);
    if (status == BG_OK && *found && sscanf(text, "%64[0-9a-f] %64[0-9a-f]", out->a, out->b) != 2) {
        status = bg_error_set(err, BG_E_STORE, "%s: these are not nonces: '%.140s'", key, text);
    }
    return status;
}

/* The write is durable on return. */
static enum bg_status keep_nonces(struct commit_nonces *out, const struct commit *commit,
                                  const struct exchange *exchange, struct bg_error *err)
{
    char key[SUBJECT + 8], text[2 * BG_KEY_HEX + 2];
    int leg = exchange->waiter[0].fixture.leg;

    sodium_bin2hex(out->a, sizeof out->a, exchange->nonce[game_id_seat_of(leg, 0)], WIRE_SECRET);
    sodium_bin2hex(out->b, sizeof out->b, exchange->nonce[game_id_seat_of(leg, 1)], WIRE_SECRET);
    snprintf(text, sizeof text, "%s %s", out->a, out->b);
    meta_key(key, exchange->subject);
    return store_meta_set(commit->setup.store, key, text, err);
}

/* Makes both commitments durable before either bot reveals its nonce. Commitments of earlier
 * exchanges that failed stay above them, so more than one line shows that the dice were drawn
 * again. */
static enum bg_status bind(const struct commit *commit, const struct exchange *exchange,
                           struct bg_error *err)
{
    struct store *store = commit->setup.store;
    char key[SUBJECT + sizeof COMMIT_BOUND], text[BOUND_LINES * BOUND_LINE + 1] = "";
    char a[BG_KEY_HEX], b[BG_KEY_HEX];
    int leg = exchange->waiter[0].fixture.leg;
    enum bg_status status;
    size_t size;

    sodium_bin2hex(a, sizeof a, exchange->digest[game_id_seat_of(leg, 0)], WIRE_SECRET);
    sodium_bin2hex(b, sizeof b, exchange->digest[game_id_seat_of(leg, 1)], WIRE_SECRET);
    snprintf(key, sizeof key, COMMIT_BOUND "%s", exchange->subject);
    status = store_meta_text(text, sizeof text, store, key, err);
    size = strlen(text);
    if (status != BG_OK || size + BOUND_LINE >= sizeof text) { /* often enough to be seen */
        return status;
    }
    snprintf(text + size, sizeof text - size, "%s%s %s", size > 0 ? "\n" : "", a, b);
    return store_meta_set(store, key, text, err);
}

/* -------------------------------------------------------------- incoming messages */

/* Returns the exchange that waits for this session and this id. */
static struct exchange *exchange_find(int *seat, struct commit *commit,
                                      const struct session *session, const char *subject)
{
    for (int i = 0; commit != NULL && i < commit->room; i++) {
        struct exchange *exchange = &commit->exchange[i];

        for (*seat = 0; *seat < 2 && exchange->stage != STAGE_FREE; ++*seat) {
            if (exchange->waiter[0].session[*seat] == session &&
                (subject == NULL || strcmp(exchange->bot_id, subject) == 0)) {
                return exchange;
            }
        }
    }
    return NULL;
}

bool commit_on_digest(struct commit *commit, const struct session *session, const char *subject,
                      const uint8_t digest[WIRE_SECRET])
{
    int seat;
    struct exchange *exchange = exchange_find(&seat, commit, session, subject);

    /* The first commitment is binding; a later or unrequested one is ignored. */
    if (exchange == NULL || exchange->has_digest[seat]) {
        return false;
    }
    memcpy(exchange->digest[seat], digest, WIRE_SECRET);
    exchange->has_digest[seat] = true;
    return true;
}

bool commit_on_nonce(struct commit *commit, const struct session *session, const char *subject,
                     const uint8_t *nonce, size_t size)
{
    int seat;
    struct exchange *exchange = exchange_find(&seat, commit, session, subject);
    uint8_t digest[WIRE_SECRET] = {0};

    if (exchange == NULL || exchange->has_nonce[seat]) {
        return false;
    }
    if (exchange->stage != STAGE_NONCES) {
        exchange->offence[seat] = "it showed its nonce before it was asked to";
        return true;
    }
    if (size == WIRE_SECRET) {
        crypto_generichash(digest, sizeof digest, nonce, size, NULL, 0);
    }
    if (size != WIRE_SECRET || memcmp(digest, exchange->digest[seat], sizeof digest) != 0) {
        exchange->offence[seat] = "the revealed nonce does not match its commitment";
        return true;
    }
    memcpy(exchange->nonce[seat], nonce, size);
    exchange->has_nonce[seat] = true;
    return true;
}

bool commit_on_unknown(struct commit *commit, const struct session *session)
{
    int seat;
    struct exchange *exchange = exchange_find(&seat, commit, session, NULL);

    if (exchange != NULL) {
        exchange->offence[seat] = "the bot does not support committed dice";
    }
    return exchange != NULL;
}

/* ------------------------------------------------------------------- the steps */

/* An opaque id, never used before, so that a late answer to an earlier request matches no
 * exchange and is not charged as a fault. */
static void make_bot_id(char out[BG_ALIAS])
{
    unsigned char chance[(BG_ALIAS - 1) / 2];

    randombytes_buf(chance, sizeof chance);
    sodium_bin2hex(out, BG_ALIAS, chance, sizeof chance);
}

bool commit_has(const struct commit *commit, const struct fixture *fixture)
{
    for (int i = 0; i < commit->room; i++) {
        const struct exchange *exchange = &commit->exchange[i];

        for (int k = 0; exchange->stage != STAGE_FREE && k < exchange->waiters; k++) {
            const struct fixture *asked = &exchange->waiter[k].fixture;

            if (asked->a == fixture->a && asked->b == fixture->b && asked->pair == fixture->pair &&
                asked->leg == fixture->leg) {
                return true;
            }
        }
    }
    return false;
}

void commit_ask(struct commit *commit, const struct fixture *fixture,
                struct session *const sessions[2], int64_t now_ns)
{
    const struct waiter waiter = {*fixture, {sessions[0], sessions[1]}};
    struct exchange *exchange = commit->exchange;
    char subject[SUBJECT];

    subject_write(subject, commit, fixture);
    for (int i = 0; i < commit->room; i++) {
        if (exchange[i].stage != STAGE_FREE && strcmp(exchange[i].subject, subject) == 0) {
            exchange[i].waiter[exchange[i].waiters++] = waiter;
            return;
        }
    }
    while (exchange->stage != STAGE_FREE) {
        exchange++;
    }
    *exchange = (struct exchange){
        .stage = STAGE_DIGESTS, .waiter = {waiter}, .waiters = 1, .asked_ns = now_ns};
    memcpy(exchange->subject, subject, sizeof subject);
    make_bot_id(exchange->bot_id);
    commit->open++;
    for (int seat = 0; seat < 2; seat++) {
        letters_commit(sessions[seat], exchange->bot_id, commit->key_digest);
    }
}

/* Frees the place before it calls the listener, so that the listener may ask again. */
static void end_exchange(struct commit *commit, struct exchange *exchange, int bot,
                         const char *message)
{
    struct exchange ended = *exchange;

    exchange->stage = STAGE_FREE;
    commit->open--;
    for (int i = 0; i < ended.waiters; i++) {
        commit->setup.listener->failed(commit->setup.user, &ended.waiter[i].fixture,
                                       ended.waiter[i].session, i == 0 ? bot : -1, message);
    }
}

/* If the write fails now, the nonces stay queued: the fixtures are tried again and find them. */
static void not_stored(const struct commit *commit, const struct exchange *exchange,
                       enum bg_status status, const struct bg_error *err)
{
    if (status != BG_E_TIMEOUT) {
        commit->setup.listener->broken(commit->setup.user, err);
        return;
    }
    for (int i = 0; i < exchange->waiters; i++) {
        commit->setup.listener->failed(commit->setup.user, &exchange->waiter[i].fixture,
                                       exchange->waiter[i].session, -1, "");
    }
}

static void agree(struct commit *commit, struct exchange *exchange)
{
    struct exchange ended = *exchange;
    struct commit_nonces nonces;
    struct bg_error err;
    enum bg_status status;

    exchange->stage = STAGE_FREE;
    commit->open--;
    status = keep_nonces(&nonces, commit, &ended, &err);
    if (status != BG_OK) {
        not_stored(commit, &ended, status, &err);
        return;
    }
    for (int i = 0; i < ended.waiters; i++) {
        commit->setup.listener->agreed(commit->setup.user, &ended.waiter[i].fixture,
                                       ended.waiter[i].session, &nonces);
    }
}

/* Returns true when the exchange has ended. */
static bool find_offence(struct commit *commit, struct exchange *exchange, int64_t now_ns)
{
    const bool *has = exchange->stage == STAGE_DIGESTS ? exchange->has_digest : exchange->has_nonce;

    for (int seat = 0; seat < 2; seat++) {
        /* A process that has ended is charged by its session; here only the exchange ends. */
        if (session_state(exchange->waiter[0].session[seat]) != SESSION_READY) {
            end_exchange(commit, exchange, -1, "");
            return true;
        }
    }
    for (int seat = 0; seat < 2; seat++) {
        const char *offence = exchange->offence[seat];

        if (offence == NULL && !has[seat] && now_ns - exchange->asked_ns > commit->setup.limit_ns) {
            offence = exchange->stage == STAGE_DIGESTS ? "it does not commit itself to dice in time"
                                                       : "it does not show its nonce in time";
        }
        if (offence != NULL) {
            end_exchange(commit, exchange, session_bot_index(exchange->waiter[0].session[seat]),
                         offence);
            return true;
        }
    }
    return false;
}

static void ask_nonces(struct commit *commit, struct exchange *exchange, int64_t now_ns)
{
    struct exchange ended = *exchange;
    struct bg_error err;
    enum bg_status status = bind(commit, exchange, &err);

    if (status != BG_OK) {
        exchange->stage = STAGE_FREE;
        commit->open--;
        not_stored(commit, &ended, status, &err);
        return;
    }
    exchange->stage = STAGE_NONCES;
    exchange->asked_ns = now_ns;
    letters_reveal(exchange->waiter[0].session[0], exchange->bot_id);
    letters_reveal(exchange->waiter[0].session[1], exchange->bot_id);
}

void commit_settle(struct commit *commit, int64_t now_ns)
{
    for (int i = 0; i < commit->room && commit->open > 0; i++) {
        struct exchange *exchange = &commit->exchange[i];

        if (exchange->stage == STAGE_FREE || find_offence(commit, exchange, now_ns)) {
            continue;
        }
        if (exchange->stage == STAGE_DIGESTS && exchange->has_digest[0] &&
            exchange->has_digest[1]) {
            ask_nonces(commit, exchange, now_ns);
        } else if (exchange->stage == STAGE_NONCES && exchange->has_nonce[0] &&
                   exchange->has_nonce[1]) {
            agree(commit, exchange);
        }
    }
}
