#include "people.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sodium.h>

const char *const people_words[] = {"closed", "invite", "open", NULL};

#define DAY_S INT64_C(86400)

void people_deinit(struct people *people)
{
    free(people->known);
    free(people->invited);
    *people = (struct people){.known = NULL};
}

/* ------------------------------------------------------------------ finding */

static struct person *find(const struct person *list, int count, const char *name, const char *key)
{
    for (int i = 0; i < count; i++) {
        if ((name != NULL && strcmp(list[i].name, name) == 0) ||
            (key != NULL && strcmp(list[i].key, key) == 0)) {
            return (struct person *)(uintptr_t)&list[i];
        }
    }
    return NULL;
}

const struct person *people_find(const struct people *people, const char *name)
{
    return find(people->known, people->known_count, name, NULL);
}

const struct person *people_by_key(const struct people *people, const char *key)
{
    return find(people->known, people->known_count, NULL, key);
}

const struct person *people_waiting(const struct people *people, const char *name)
{
    return find(people->waiting, people->waiting_count, name, NULL);
}

/* ------------------------------------------------------------------ lists */

static void take_waiting(struct people *people, int i)
{
    people->waiting_count--;
    memmove(&people->waiting[i], &people->waiting[i + 1],
            (size_t)(people->waiting_count - i) * sizeof people->waiting[0]);
}

static void take_invited(struct people *people, int i)
{
    people->invited_count--;
    memmove(&people->invited[i], &people->invited[i + 1],
            (size_t)(people->invited_count - i) * sizeof people->invited[0]);
}

bool people_sweep(struct people *people, int64_t now_s)
{
    int before = people->waiting_count + people->invited_count;

    for (int i = people->waiting_count; i-- > 0;) {
        if (now_s - people->waiting[i].at_s > PEOPLE_DAYS * DAY_S) {
            take_waiting(people, i);
        }
    }
    for (int i = people->invited_count; i-- > 0;) {
        if (people->invited[i].until_s <= now_s ||
            people_find(people, people->invited[i].name) != NULL) {
            take_invited(people, i);
        }
    }
    return people->waiting_count + people->invited_count < before;
}

/* The registered one whose name is this one, or looks like it; NULL: none. */
static const struct person *find_like(const struct people *people, const char *name)
{
    for (int i = 0; i < people->known_count; i++) {
        if (strcasecmp(people->known[i].name, name) == 0) {
            return &people->known[i];
        }
    }
    return NULL;
}

enum bg_status people_invite(struct people *people, const struct invitation *invitation,
                             struct bg_error *err)
{
    const struct person *like = find_like(people, invitation->name);
    struct invitation *more;

    if (like != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s is registered already", like->name);
    }
    if (people->invited_count == PEOPLE_INVITED) {
        return bg_error_set(err, BG_E_ARGUMENT, "there are %d invitations already", PEOPLE_INVITED);
    }
    more = realloc(people->invited, ((size_t)people->invited_count + 1) * sizeof *more);
    if (more == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "an invitation");
    }
    people->invited = more;
    people->invited[people->invited_count++] = *invitation;
    return BG_OK;
}

/* The invitation's place, or -1. Takes as long for a wrong token as for a right one. */
static int find_invited(const struct people *people, const struct people_ask *ask, int64_t now_s)
{
    int found = -1;

    for (int i = 0; i < people->invited_count && ask->hash != NULL; i++) {
        bool is_equal = sodium_memcmp(people->invited[i].hash, ask->hash, PEOPLE_HASH) == 0;

        found = is_equal && strcmp(people->invited[i].name, ask->name) == 0 &&
                        people->invited[i].until_s > now_s
                    ? i
                    : found;
    }
    return found;
}

/* ------------------------------------------------------------------ registering */

enum bg_status people_add(struct people *people, const struct person *person, struct bg_error *err)
{
    struct person *more;

    if (people->known_count == PEOPLE_KNOWN) {
        return bg_error_set(err, BG_E_ARGUMENT, "there are %d registered names already",
                            PEOPLE_KNOWN);
    }
    more = realloc(people->known, ((size_t)people->known_count + 1) * sizeof *more);
    if (more == NULL) {
        return bg_error_set(err, BG_E_MEMORY, "a registration");
    }
    people->known = more;
    people->known[people->known_count++] = *person;
    return BG_OK;
}

static struct person person_of(const struct people_ask *ask, int64_t now_s)
{
    struct person person = {.at_s = now_s};

    snprintf(person.name, sizeof person.name, "%s", ask->name);
    snprintf(person.key, sizeof person.key, "%s", ask->key);
    snprintf(person.contact, sizeof person.contact, "%s", ask->contact);
    return person;
}

static enum people_verdict say(char why[200], enum people_verdict verdict, const char *text)
{
    snprintf(why, 200, "%s", text);
    return verdict;
}

/* What the key waits for is over: it has a name now. */
static void give_key(struct people *people, struct person *own, const char *key)
{
    snprintf(own->key, sizeof own->key, "%s", key);
    for (int i = people->waiting_count; i-- > 0;) {
        if (strcmp(people->waiting[i].key, key) == 0) {
            take_waiting(people, i);
        }
    }
}

/* The next key, on the word of the present one. */
static enum people_verdict take_next(struct people *people, const struct people_ask *ask,
                                     int64_t now_s, char why[200])
{
    struct person *own = find(people->known, people->known_count, ask->name, NULL);
    int64_t day = now_s / DAY_S;
    int handed = own == NULL || own->handed_day != day ? 0 : own->handed;

    if (own != NULL && strcmp(own->key, ask->next) == 0) { /* its answer was lost */
        return say(why, PEOPLE_REGISTERED, "the next key holds the name already");
    }
    if (own == NULL || strcmp(own->key, ask->key) != 0) {
        return say(why, PEOPLE_REFUSED,
                   "only the key that holds this name by a registration can hand it on");
    }
    if (people_by_key(people, ask->next) != NULL) {
        return say(why, PEOPLE_REFUSED, "the next key is registered already");
    }
    if (handed == PEOPLE_HANDED) {
        snprintf(why, 200,
                 "this name was handed on %d times today, the most there can be; ask again after "
                 "0:00 UTC, or ask the host's operator",
                 PEOPLE_HANDED);
        return PEOPLE_REFUSED;
    }
    give_key(people, own, ask->next);
    own->handed_day = day;
    own->handed = handed + 1;
    return say(why, PEOPLE_REGISTERED, "the next key holds the name from now on");
}

static enum people_verdict take_invitation(struct people *people, const struct people_ask *ask,
                                           int64_t now_s, char why[200])
{
    const struct person person = person_of(ask, now_s);
    int place = find_invited(people, ask, now_s);
    struct bg_error err = {.text = ""};

    if (place < 0) {
        return say(why, PEOPLE_REFUSED,
                   "the token is not one of an open invitation for this name: it is wrong, was "
                   "used, or its days are over");
    }
    if (people_add(people, &person, &err) != BG_OK) {
        return say(why, PEOPLE_REFUSED, err.text);
    }
    take_invited(people, place);
    for (int i = people->waiting_count; i-- > 0;) {
        if (strcmp(people->waiting[i].name, ask->name) == 0 ||
            strcmp(people->waiting[i].key, ask->key) == 0) {
            take_waiting(people, i);
        }
    }
    return say(why, PEOPLE_REGISTERED, "the key is known from now on");
}

static enum people_verdict take_waiting_one(struct people *people, const struct people_ask *ask,
                                            int64_t now_s, char why[200])
{
    struct person *same = find(people->waiting, people->waiting_count, ask->name, ask->key);

    if (same != NULL && (strcmp(same->name, ask->name) != 0 || strcmp(same->key, ask->key) != 0)) {
        return say(why, PEOPLE_REFUSED,
                   strcmp(same->key, ask->key) == 0
                       ? "this key has asked for another name, which waits"
                       : "another key has asked for this name, which waits");
    }
    if (same == NULL && people->waiting_count == PEOPLE_WAITING) {
        return say(why, PEOPLE_REFUSED, "too many requests wait for the operator; ask again later");
    }
    if (same == NULL) {
        people->waiting[people->waiting_count++] = person_of(ask, now_s);
    }
    return say(why, PEOPLE_WAITS, "the operator decides; ask again to hear what");
}

enum people_verdict people_take(struct people *people, enum people_policy policy,
                                const struct people_ask *ask, bool is_taken, int64_t now_s,
                                char why[200])
{
    const struct person *own = people_find(people, ask->name);

    (void)people_sweep(people, now_s);
    if (policy == PEOPLE_CLOSED) {
        return say(why, PEOPLE_REFUSED, "this host takes no registrations");
    }
    if (is_taken) {
        return say(why, PEOPLE_REFUSED, "the name or the key is in use at this host");
    }
    if (ask->next != NULL) {
        return take_next(people, ask, now_s, why);
    }
    if (own != NULL && strcmp(own->key, ask->key) == 0) {
        return say(why, PEOPLE_REGISTERED, "the key is known");
    }
    if (own != NULL) {
        return say(why, PEOPLE_REFUSED, "the name belongs to another key");
    }
    if (people_by_key(people, ask->key) != NULL) {
        return say(why, PEOPLE_REFUSED, "the key has another name here");
    }
    if (find_like(people, ask->name) != NULL) {
        return say(why, PEOPLE_REFUSED,
                   "the name is in use at this host, with other capital letters");
    }
    if (ask->hash != NULL || policy == PEOPLE_INVITE) {
        return take_invitation(people, ask, now_s, why);
    }
    return take_waiting_one(people, ask, now_s, why);
}

enum bg_status people_reassign(struct people *people, const char *name, const char *key,
                               struct bg_error *err)
{
    struct person *own = find(people->known, people->known_count, name, NULL);
    const struct person *other = people_by_key(people, key);

    if (own == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "%.64s is not registered", name);
    }
    if (other != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "this key is that of %s%s", other->name,
                            other == own ? " already" : "");
    }
    give_key(people, own, key);
    own->handed = 0; /* its new owner's own */
    return BG_OK;
}

enum bg_status people_approve(struct people *people, const char *name, int64_t now_s,
                              struct bg_error *err)
{
    const struct person *asks = find(people->waiting, people->waiting_count, name, NULL);
    const struct person *like = find_like(people, name);
    struct person person;
    enum bg_status status;

    if (asks == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "nobody waits for the name %.64s", name);
    }
    if (like != NULL) { /* both waited */
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s is registered already, and differs only in capital letters",
                            like->name);
    }
    person = *asks;
    person.at_s = now_s;
    status = people_add(people, &person, err);
    if (status == BG_OK) {
        take_waiting(people, (int)(asks - people->waiting));
    }
    return status;
}

enum bg_status people_refuse(struct people *people, const char *name, struct bg_error *err)
{
    const struct person *asks = find(people->waiting, people->waiting_count, name, NULL);

    if (asks == NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "nobody waits for the name %.64s", name);
    }
    take_waiting(people, (int)(asks - people->waiting));
    return BG_OK;
}
