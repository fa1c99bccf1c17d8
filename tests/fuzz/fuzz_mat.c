/* fuzz_mat - foreign matches, .mat and .sgf: each is read or refused; a match that is read replays
 * and can be written.
 */
#include <format/foreign_game.h>
#include <format/import_index.h>

#include <string.h>

#include "fuzz.h"

static void check_game(const struct foreign_game *game)
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

static void place(void *user, struct foreign_match *match, const struct foreign_file *before)
{
    import_index_place(user, match, before);
}

static void check_match(struct import_index *index, const struct foreign_match *match)
{
    require(match->games != 0 && strcmp(match->name[0], match->name[1]) != 0);
    for (int i = 0; i < match->games; i++) {
        check_game(&match->game[i]);
    }
    int known;

    if (import_index_check(&known, index, match, "fuzz", NULL) == BG_OK &&
        (import_index_add(index, match, NULL) != BG_OK ||
         import_index_check(&known, index, match, "fuzz", NULL) == BG_OK)) {
        abort();
    }
}

static void leave_out(void *user, enum bg_status status, const char *why)
{
    require(foreign_is_bad(status) && why[0] != '\0');
}

/* A file without errors is read the same by a reader that continues after bad matches. */
static void check_strict(const struct foreign_file *file, const uint8_t *data, size_t size,
                         const struct foreign_user *user)
{
    struct foreign_file again;
    enum bg_status status = foreign_read(&again, (const char *)data, size, "fuzz", user, NULL);

    if ((status == BG_OK) != (file->left_out == 0) ||
        (status == BG_OK && again.matches != file->matches)) {
        abort();
    }
    foreign_file_deinit(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct import_index *index = import_index_create();
    struct foreign_user user = {.placed = place, .left_out = leave_out};
    struct foreign_user strict = {.placed = place};
    struct foreign_file file;
    struct bg_error err = {0};

    user.user = strict.user = index;
    if (foreign_read(&file, (const char *)data, size, "fuzz", &user, &err) == BG_OK) {
        for (int i = 0; i < file.matches; i++) {
            check_match(index, &file.match[i]);
        }
        check_strict(&file, data, size, &strict);
        foreign_file_deinit(&file);
    } else if (err.text[0] == '\0') {
        abort();
    }
    import_index_destroy(index);
    return 0;
}
