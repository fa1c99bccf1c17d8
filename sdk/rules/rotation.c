/* Rotations: games that follow each other within a match. A rotation has no options; tavli=5 has a
 * row like any other. */
#include <bgref/variant.h>

#include <assert.h>
#include <string.h>

enum { ROTATION_GAMES = 5 };

struct bg_rotation {
    const char *id;
    int count;
    const char *game[ROTATION_GAMES];
};

static const struct bg_rotation rotations[] = {
    {"tavli", 3, {"portes", "plakoto", "fevga"}},
    {"tavli:tavli=5", 5, {"portes", "plakoto", "fevga", "gul", "asodio"}},
    {"turkish", 3, {"portes", "gulbara", "tapa"}}, /* its backgammon has the rules of portes */
};

enum { ROTATIONS = sizeof rotations / sizeof rotations[0] };

const struct bg_rotation *bg_rotation_at(int i)
{
    return i >= 0 && i < ROTATIONS ? &rotations[i] : NULL;
}

const struct bg_rotation *bg_rotation_find(const char *id)
{
    for (int i = 0; i < ROTATIONS; i++) {
        if (strcmp(rotations[i].id, id) == 0) {
            return &rotations[i];
        }
    }
    return NULL;
}

const char *bg_rotation_id(const struct bg_rotation *rotation)
{
    return rotation->id;
}

int bg_rotation_count(const struct bg_rotation *rotation)
{
    return rotation->count;
}

const struct bg_variant *bg_rotation_game(const struct bg_rotation *rotation, int game)
{
    assert(game >= 0);
    return bg_variant_find(rotation->game[game % rotation->count]);
}
