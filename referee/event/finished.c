#include "finished.h"

#include <stdlib.h>
#include <string.h>

struct finished_game {
    struct finished_game *next;
    struct store_game *game;
    struct thinking thinking;
};

struct finished_judgement {
    struct finished_judgement *next;
    struct judgement *judgement;
};

void finished_init(struct finished *out)
{
    *out = (struct finished){.watching = false};
    pthread_mutex_init(&out->mutex, NULL);
    out->last_game = &out->game;
    out->last_judgement = &out->judgement;
}

static void free_games(struct finished_game *game)
{
    while (game != NULL) {
        struct finished_game *next = game->next;

        store_game_destroy(game->game);
        free(game);
        game = next;
    }
}

static void free_judgements(struct finished_judgement *judgement)
{
    while (judgement != NULL) {
        struct finished_judgement *next = judgement->next;

        judgement_destroy(judgement->judgement);
        free(judgement);
        judgement = next;
    }
}

void finished_deinit(struct finished *finished)
{
    free_games(finished->game);
    free_judgements(finished->judgement);
    pthread_mutex_destroy(&finished->mutex);
}

void finished_watch(struct finished *finished, bool thinking)
{
    pthread_mutex_lock(&finished->mutex);
    finished->watching = true;
    finished->thinking = thinking;
    pthread_mutex_unlock(&finished->mutex);
}

/* A copy without the text; NULL: no memory. */
static struct store_game *game_copy(const struct store_game *game)
{
    struct store_game *copy = calloc(1, sizeof *copy);

    if (copy == NULL) {
        return NULL;
    }
    *copy = *game;
    copy->text = NULL;
    copy->text_size = 0;
    copy->evidence = NULL;
    copy->id = strdup(game->id);
    copy->a = strdup(game->a);
    copy->b = strdup(game->b);
    if (copy->id == NULL || copy->a == NULL || copy->b == NULL) {
        store_game_destroy(copy);
        return NULL;
    }
    return copy;
}

void finished_put_game(struct finished *finished, const struct store_game *game)
{
    pthread_mutex_lock(&finished->mutex);
    if (finished->watching) {
        struct finished_game *kept = calloc(1, sizeof *kept);

        if (kept == NULL || (kept->game = game_copy(game)) == NULL) {
            abort(); /* a few hundred bytes: what follows from games must not miss one */
        }
        if (finished->thinking && game->text != NULL) {
            thinking_of_record(&kept->thinking, game->text, game->text_size);
        }
        *finished->last_game = kept;
        finished->last_game = &kept->next;
    }
    pthread_mutex_unlock(&finished->mutex);
}

void finished_put_judgement(struct finished *finished, const struct judgement *judgement)
{
    struct finished_judgement *kept = calloc(1, sizeof *kept);

    if (kept == NULL || (kept->judgement = judgement_copy(judgement)) == NULL) {
        abort(); /* a few kilobytes: what follows from judgements must not miss one */
    }
    pthread_mutex_lock(&finished->mutex);
    *finished->last_judgement = kept;
    finished->last_judgement = &kept->next;
    pthread_mutex_unlock(&finished->mutex);
}

void finished_take_games(struct finished *finished, const struct finder *finder, ledger_game_fn fn,
                         void *user)
{
    struct finished_game *list;

    pthread_mutex_lock(&finished->mutex);
    list = finished->game;
    finished->game = NULL;
    finished->last_game = &finished->game;
    pthread_mutex_unlock(&finished->mutex);
    for (const struct finished_game *at = list; at != NULL; at = at->next) {
        struct fixture fixture;

        if (finder_game(&fixture, finder, at->game)) {
            fn(user, &fixture, at->game, &at->thinking);
        }
    }
    free_games(list);
}

void finished_take_judgements(struct finished *finished, const struct finder *finder,
                              ledger_judged_fn fn, void *user)
{
    struct finished_judgement *list;

    pthread_mutex_lock(&finished->mutex);
    list = finished->judgement;
    finished->judgement = NULL;
    finished->last_judgement = &finished->judgement;
    pthread_mutex_unlock(&finished->mutex);
    for (const struct finished_judgement *at = list; at != NULL; at = at->next) {
        struct game_id id;
        struct fixture fixture;

        if (game_id_read(&id, at->judgement->game_id) && finder_id(&fixture, finder, &id) &&
            fixture.pair < finder->event->pairs) {
            fn(user, &fixture, id.game, at->judgement);
        }
    }
    free_judgements(list);
}
