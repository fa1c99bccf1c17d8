/* fuzz_mat - foreign matches: each is read or refused, and what is read replays and can be written.
 */
#include <format/mat_read.h>

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_game(const struct mat_game *game)
{
    struct record_view *view = NULL;
    struct bg_match end;

    if (record_read(&view, game->record.text, game->record.size, NULL) != BG_OK ||
        record_check_hash(view, NULL) != BG_OK || record_replay(&end, view, NULL) != BG_OK ||
        end.result.points != game->end.result.points) {
        abort();
    }
    record_view_destroy(view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mat_match match;
    struct bg_error err = {0};

    if (mat_read(&match, (const char *)data, size, "fuzz", 0, NULL, &err) == BG_OK) {
        for (int i = 0; i < match.games; i++) {
            check_game(&match.game[i]);
        }
        mat_match_deinit(&match);
    } else if (err.text[0] == '\0') {
        abort();
    }
    return 0;
}
