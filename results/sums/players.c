/* Names for people come from the records, because only imported games have them; reading ends as
 * soon as every bot was seen, so an event of bgref costs one game a bot. */
#include "players.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <record/record_lookup.h>
#include <rules/clean.h>

enum { DISPLAY = 256, NAME = 65 };

struct players_reading {
    struct tally *tally;
    bool *known; /* by bot */
    int left;    /* bots not known yet */
};

static void header_value_of(char *out, size_t room, const struct store_game *game, const char *key)
{
    size_t size = 0;
    const char *value = header_lookup(&size, game->text, game->text_size, key);

    clean_write(out, room, value == NULL ? "" : value, value == NULL ? 0 : size, CLEAN_LINE);
}

static void take_player(struct players_reading *reading, const struct store_game *game,
                        const char *const key[2])
{
    char name[NAME], display[DISPLAY];
    int bot;

    header_value_of(name, sizeof name, game, key[0]);
    bot = tally_find(reading->tally, name);
    if (bot < 0 || reading->known[bot]) {
        return;
    }
    reading->known[bot] = true;
    reading->left--;
    header_value_of(display, sizeof display, game, key[1]);
    if (display[0] != '\0' && strcmp(display, name) != 0) {
        tally_set_display(reading->tally, name, display);
    }
}

static bool take_players(void *user, const struct store_game *game)
{
    static const char *const keys[2][2] = {{"seat0", "version0"}, {"seat1", "version1"}};
    struct players_reading *reading = user;

    for (int seat = 0; seat < 2; seat++) {
        take_player(reading, game, keys[seat]);
    }
    return reading->left > 0;
}

struct players_shown {
    const char *text;
    int bot;
};

static int compare_shown(const void *one, const void *other)
{
    return strcmp(((const struct players_shown *)one)->text,
                  ((const struct players_shown *)other)->text);
}

static size_t list_texts(struct players_shown *shown, const struct tally *tally)
{
    size_t count = 0;

    for (int i = 0; i < tally->bots; i++) {
        shown[count++] = (struct players_shown){tally->bot[i].name, i};
        if (tally->bot[i].display != NULL) {
            shown[count++] = (struct players_shown){tally->bot[i].display, i};
        }
    }
    qsort(shown, count, sizeof *shown, compare_shown);
    return count;
}

/* If a display name is ambiguous, the player keeps the unique id. */
static void part_players(struct tally *tally)
{
    struct players_shown *shown = memory_zeroed(2 * (size_t)tally->bots, sizeof *shown);
    bool *doubtful = memory_zeroed((size_t)tally->bots, sizeof *doubtful);

    for (size_t count = list_texts(shown, tally), i = 1; i < count; i++) {
        if (compare_shown(&shown[i - 1], &shown[i]) == 0) {
            doubtful[shown[i - 1].bot] = doubtful[shown[i].bot] = true;
        }
    }
    for (int i = 0; i < tally->bots; i++) {
        if (doubtful[i]) {
            free(tally->bot[i].display);
            tally->bot[i].display = NULL;
        }
    }
    free(shown);
    free(doubtful);
}

enum bg_status players_read(struct tally *tally, struct store *store, struct bg_error *err)
{
    struct players_reading reading = {.tally = tally,
                                      .left = tally->bots,
                                      .known = memory_zeroed((size_t)tally->bots, sizeof(bool))};
    enum bg_status status = BG_OK;

    if (tally->bots > 0) {
        status = store_all_games(store, true, take_players, &reading, err);
    }
    free(reading.known);
    if (status == BG_OK) {
        part_players(tally);
    }
    return status;
}
