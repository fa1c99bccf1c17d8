/* run_build.h - builds runs from games that arrive in their order (a, b, pair, leg, game).
 *
 *     struct run_build build = RUN_BUILD(true, take, user);
 *     while (... && run_build_game(&build, game)) {}
 *     run_build_end(&build);
 */
#ifndef RESULTS_STORE_RUN_BUILD_H
#define RESULTS_STORE_RUN_BUILD_H

#include "run.h"

/* Receives a complete run; it is lent. Return false to stop. */
typedef bool (*run_build_fn)(void *user, const struct run *run);

struct run_build {
    bool with_sums;
    run_build_fn fn;
    void *user;
    struct run run;
    char *a, *b; /* owned */
    bool is_stopped;
};

#define RUN_BUILD(sums, take, its_user)                                                            \
    {                                                                                              \
        .with_sums = (sums), .fn = (take), .user = (its_user)                                      \
    }

/* Returns false if stopped. */
bool run_build_game(struct run_build *build, const struct store_game *game);
/* Passes on the last run unless stopped, and frees the build. */
void run_build_end(struct run_build *build);

#endif
