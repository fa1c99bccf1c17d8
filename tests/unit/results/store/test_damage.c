/* Damage by a machine that failed: a database whose last writer was killed, and of which then a
 * byte is changed, a page is torn, or a file is cut. The next writer refuses it, or reads nothing
 * but what was written. */
#include <store/store.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/record_text.h"

#include "support/random_match.h"
#include "support/results_folder.h"
#include "support/suite.h"

enum { GAMES = 60, FILE_MOST = 1 << 20, PAGE = 8192, DEEDS = 560 };

struct bytes {
    unsigned char *at;
    size_t size;
};

static struct record record;
static struct bytes files[2]; /* the database, and its log */

static struct store_game *make_game(int number)
{
    struct store_game *game = calloc(1, sizeof *game);
    char id[64], hash[RECORD_HASH];
    size_t size;

    snprintf(id, sizeof id, "a|b|%d|%d|0", number / 2, number % 2);
    game->text = malloc(record.size + 2 * RECORD_HASH);
    size = (size_t)sprintf(game->text, "%s\n%.*s", id, (int)(record.size - 1000), record.text);
    game->text[size++] = '\n';
    record_hash_text(hash, game->text, size);
    game->text_size = size + (size_t)sprintf(game->text + size, "hash %s\n", hash);
    memcpy(game->hash, hash, sizeof game->hash);
    game->id = strdup(id);
    game->a = strdup("a");
    game->b = strdup("b");
    game->pair = (uint64_t)(number / 2);
    game->leg = number % 2;
    game->winner = game->match_winner = number % 3 == 0;
    game->points = game->level = 1;
    game->end = BG_END_OFF;
    game->turns = 40;
    game->match_over = true;
    return game;
}

/* Two runs: the first ends, and the second, with the rest, is killed. */
static void play(int first, int count, bool dies)
{
    struct store *store = NULL;

    if (store_sqlite_open(&store, path, NULL) != BG_OK) {
        _exit(1);
    }
    (void)store_meta_set(store, "event.event", "test", NULL);
    for (int i = first; i < first + count; i++) {
        (void)store_put_game(store, make_game(i), NULL);
    }
    (void)store->ops->flush(store, NULL);
    if (dies) {
        kill(getpid(), SIGKILL);
    }
    store_destroy(store);
    _exit(0);
}

static void run(int first, int count, bool dies)
{
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        play(first, count, dies);
    }
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

static const char *name_of(int file)
{
    static char name[160];

    snprintf(name, sizeof name, "%s%s", path, file == 1 ? "-wal" : "");
    return name;
}

static void read_files(void)
{
    for (int i = 0; i < 2; i++) {
        FILE *in = fopen(name_of(i), "rb");

        ck_assert_ptr_nonnull(in);
        files[i].at = malloc(FILE_MOST);
        files[i].size = fread(files[i].at, 1, FILE_MOST, in);
        ck_assert(files[i].size > PAGE && files[i].size < FILE_MOST);
        fclose(in);
    }
}

static void write_files(const struct bytes now[2])
{
    char index[160];

    snprintf(index, sizeof index, "%s-shm", path);
    (void)unlink(index);
    for (int i = 0; i < 2; i++) {
        FILE *out = fopen(name_of(i), "wb");

        ck_assert_ptr_nonnull(out);
        ck_assert_uint_eq(fwrite(now[i].at, 1, now[i].size, out), now[i].size);
        fclose(out);
    }
}

static void begin(void)
{
    struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    struct chance chance = {3};
    struct bg_match match;
    char hash[RECORD_HASH];

    if (access("/dev/shm", W_OK) == 0) { /* each opening syncs some files */
        strcpy(folder, "/dev/shm/bg-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/results.db", folder);
    } else {
        make_folder();
    }
    bg_match_begin(&match, &rules);
    random_game(&record, hash, &match, "a|b|0|0|0", "", true, &chance);
    ck_assert_uint_gt(record.size, 1000);
    run(0, GAMES / 2, false);
    run(GAMES / 2, GAMES / 2, true);
    read_files();
}

static void end(void)
{
    for (int i = 0; i < 2; i++) {
        free(files[i].at);
    }
    record_deinit(&record);
    folder_remove();
}

struct reading {
    int games;
    bool is_wrong;
};

static bool compare(void *user, const struct store_game *game)
{
    struct reading *reading = user;
    int number = (int)game->pair * 2 + game->leg;
    struct store_game *made = number < GAMES ? make_game(number) : NULL;

    reading->games++;
    reading->is_wrong = reading->is_wrong || made == NULL || strcmp(made->text, game->text) != 0 ||
                        strcmp(made->hash, game->hash) != 0 || strcmp(made->id, game->id) != 0 ||
                        made->winner != game->winner || made->points != game->points ||
                        made->turns != game->turns || made->match_over != game->match_over;
    store_game_destroy(made);
    return true;
}

/* Opens the damaged files for writing. Returns whether they are refused; what is not refused must
 * be as it was written. */
static bool is_refused(const char *deed, int *games)
{
    struct store *store = NULL;
    struct reading reading = {0};
    char text[16] = "";
    bool found;
    enum bg_status status = store_sqlite_open(&store, path, &error);

    *games = 0;
    if (status != BG_OK) {
        ck_assert_msg(strstr(error.text, path) != NULL, "%s: %s", deed, error.text);
        ck_assert_msg(strstr(error.text, ": damaged ") == NULL ||
                          strstr(error.text, ": continue with a backup, and keep this file: ") !=
                              NULL,
                      "%s: %s", deed, error.text);
        return true;
    }
    status = store_all_games(store, true, compare, &reading, &error);
    ck_assert_msg(status == BG_OK && !reading.is_wrong, "%s: taken, but %s", deed,
                  reading.is_wrong ? "a game is another" : error.text);
    status = store->ops->meta_get(store, "event.event", text, sizeof text, &found, &error);
    ck_assert_msg(status == BG_OK && strcmp(text, "test") == 0, "%s: event '%s' %s", deed, text,
                  error.text);
    store_destroy(store);
    *games = reading.games;
    return false;
}

static size_t below(struct chance *chance, size_t limit)
{
    return (size_t)chance_below(chance, (int)limit);
}

static void flip(struct bytes *file, char *deed, struct chance *chance)
{
    size_t at = below(chance, file->size);

    file->at[at] ^= (unsigned char)(1 << chance_below(chance, 8));
    sprintf(deed, "byte %zu", at);
}

/* The page was on its way to the disk. */
static void tear(struct bytes *file, char *deed, struct chance *chance)
{
    size_t page = below(chance, file->size / PAGE) * PAGE;
    size_t kept = 512 * below(chance, PAGE / 512);

    memset(file->at + page + kept, 0, PAGE - kept);
    sprintf(deed, "page at %zu torn after %zu", page, kept);
}

static void cut_off(struct bytes *file, char *deed, struct chance *chance)
{
    file->size = below(chance, file->size);
    sprintf(deed, "cut to %zu", file->size);
}

TEST(damage_is_named_or_harmless)
{
    static void (*const deeds[])(struct bytes *, char *, struct chance *) = {flip, flip, tear,
                                                                             cut_off};
    struct chance chance = {7};
    int refused = 0, whole = 0;

    for (int i = 0; i < DEEDS; i++) {
        struct bytes now[2];
        char deed[80] = "";
        int games, file = i % 8 >= 4; /* rather the database: SQLite's log has checks of its own */

        for (int j = 0; j < 2; j++) {
            now[j].at = malloc(files[j].size);
            now[j].size = files[j].size;
            memcpy(now[j].at, files[j].at, files[j].size);
        }
        sprintf(deed, "%d, %s: ", i, file == 1 ? "log" : "database");
        deeds[i % 4](&now[file], deed + strlen(deed), &chance);
        write_files(now);
        refused += is_refused(deed, &games);
        whole += games == GAMES;
        free(now[0].at);
        free(now[1].at);
    }
    ck_assert_int_gt(refused, DEEDS / 10);
    ck_assert_int_gt(whole, DEEDS / 20);
}

TEST(a_database_that_sqlite_refuses_is_named_with_the_remedy)
{
    int games;

    files[0].at[100] = 0; /* the kind of the first page */
    files[1].size = 0;
    write_files(files);
    ck_assert(is_refused("first page", &games));
    ck_assert_msg(strstr(error.text, ": damaged (") != NULL, "%s", error.text);
}

TEST(what_is_whole_is_taken)
{
    int games;

    write_files(files);
    ck_assert(!is_refused("none", &games));
    ck_assert_int_eq(games, GAMES);
}

SUITE_FIXTURE(begin, end)
