/* Games come sorted by names and pair, so a run is complete as soon as a game of another one
 * comes, and one run at a time is in memory. */
#include "run_build.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "store.h"

static bool is_of(const struct run *run, const struct store_game *game)
{
    return run->a != NULL && run->first == run_first(game->pair) && strcmp(run->b, game->b) == 0 &&
           strcmp(run->a, game->a) == 0;
}

/* Copies the names, because they must outlive the game they came with. */
static void begin_run(struct run_build *build, const struct store_game *game)
{
    free(build->a);
    free(build->b);
    build->a = memory_text(game->a);
    build->b = memory_text(game->b);
    run_clear(&build->run, build->a, build->b, run_first(game->pair));
}

static void pass_on(struct run_build *build)
{
    if (build->run.a != NULL && !build->is_stopped) {
        build->is_stopped = !build->fn(build->user, &build->run);
    }
}

bool run_build_game(struct run_build *build, const struct store_game *game)
{
    if (!is_of(&build->run, game)) {
        pass_on(build);
        begin_run(build, game);
    }
    run_add(&build->run, game, build->with_sums);
    return !build->is_stopped;
}

void run_build_end(struct run_build *build)
{
    pass_on(build);
    run_deinit(&build->run);
    free(build->a);
    free(build->b);
    build->a = build->b = NULL;
}
