/* Any bytes from another machine, as each kind of message: refused, or one that can be used. */
#include <assert.h>
#include <string.h>

#include "work/work.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_results(const uint8_t *data, size_t size)
{
    Bgref__Work__V1__Results *results;

    if (work_read_results(&results, data, size, NULL) == BG_OK) {
        for (size_t i = 0; i < results->n_games; i++) {
            struct store_game *game = work_game_read(results->games[i], results->a, results->b);

            assert(strlen(game->hash) == RECORD_HASH - 1 && game->end < BG_END_COUNT);
            store_game_destroy(game);
        }
        WORK_FREE(results);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Bgref__Work__V1__Event *event;
    Bgref__Work__V1__Item *item;
    Bgref__Work__V1__HaveRequest *request;
    Bgref__Work__V1__HaveAnswer *answer;
    Bgref__Work__V1__Beat *beat;

    (void)work_read_event(&event, data, size, NULL);
    WORK_FREE(event);
    (void)work_read_item(&item, data, size, NULL);
    WORK_FREE(item);
    (void)work_read_request(&request, data, size, NULL);
    WORK_FREE(request);
    (void)work_read_answer(&answer, data, size, NULL);
    WORK_FREE(answer);
    (void)work_read_beat(&beat, data, size, NULL);
    WORK_FREE(beat);
    use_results(data, size);
    return 0;
}
