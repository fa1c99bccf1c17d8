#include "root.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_lookup.h"

enum { ROOT_BYTES = (RECORD_HASH - 1) / 2 };

/* Fields are separated by blanks and line feeds, which neither ids nor hashes have. */
static void add_text(struct root *root, const char *text)
{
    crypto_generichash_update(&root->state, (const unsigned char *)text, strlen(text));
}

void root_begin(struct root *root, const char *head)
{
    crypto_generichash_init(&root->state, NULL, 0, ROOT_BYTES);
    add_text(root, "bgref-root 2\n");
    add_text(root, head == NULL ? "" : head);
}

void root_add(struct root *root, const char *game_id, const char *hash)
{
    add_text(root, game_id);
    add_text(root, " ");
    add_text(root, hash);
    add_text(root, "\n");
}

void root_add_aside(struct root *root, const char *game_id, uint64_t attempt, const char *hash)
{
    char number[24];

    snprintf(number, sizeof number, "|%" PRIu64, attempt);
    add_text(root, "set-aside ");
    add_text(root, game_id);
    root_add(root, number, hash);
}

void root_end(char out[RECORD_HASH], struct root *root)
{
    unsigned char digest[ROOT_BYTES];

    crypto_generichash_final(&root->state, digest, sizeof digest);
    sodium_bin2hex(out, RECORD_HASH, digest, sizeof digest);
}

static bool add_game(void *user, const struct store_game *game)
{
    root_add(user, game->id, game->hash);
    return true;
}

/* By the attempt in its record: earlier games of a match may be of earlier attempts than the one
 * that was set aside. */
static bool add_aside(void *user, const struct store_game *game, uint64_t attempt)
{
    size_t size = 0;
    const char *text = header_lookup(&size, game->text, game->text_size, "attempt");

    (void)attempt;
    root_add_aside(user, game->id, text == NULL ? 0 : strtoull(text, NULL, 10), game->hash);
    return true;
}

enum bg_status root_of_store(char out[RECORD_HASH], struct store *store, struct bg_error *err)
{
    struct root root;
    struct root_head head = {0};
    enum bg_status status = root_head_read(&head, store, err);

    root_begin(&root, head.text);
    root_head_free(&head);
    if (status == BG_OK) {
        status = store_all_games(store, false, add_game, &root, err);
    }
    if (status == BG_OK) {
        status = store_all_set_aside(store, add_aside, &root, err);
    }
    root_end(out, &root);
    return status;
}
