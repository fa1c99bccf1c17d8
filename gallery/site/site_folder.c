/* The folder is made beside the old one and then takes its place. The games of a long event are
 * almost all of its pages: several processes write them, each every n-th game. */
#define _GNU_SOURCE /* renameat2 */
#include "site_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/plain_file.h"
#include "loop/removal.h"
#include "proof/backup.h"
#include "site_files.h"
#include "site_page.h"
#include "sums/results_set.h"

/* In a folder of ours, at its top. Its lines say by which program and for which state of the events
 * the pages of their games were made; as long as that is the same they are the same. */
#define MARK "bgref-site.txt"
#define HEAD "Pages by bgref publish, which replaces this folder as a whole.\n"

enum { MOST_WORKERS = 16, MARK_BYTES = 1 << 20, LONG_EVENT = 10000, PAGES_OF_LONG = 1000 };

struct folder_write {
    struct site *site;
    const struct site_folder *to;
    const char *draft; /* its path, until it is complete */
    int fd;            /* of the draft */
    int old_fd;        /* of the folder that it replaces; -1: there is none */
    char *old_mark;    /* owned; what that says of its pages; NULL as old_fd */
    bool is_kept;      /* the games' pages of this event are those of the old folder */
    uint64_t files;
    enum bg_status status;
    struct bg_error *err;
    struct site_event *event; /* whose games are written ... */
    struct store *store;      /* ... and its store */
    uint64_t seen, first, step;
};

/* ------------------------------------------------------------------ files */

static void make_folders(const struct folder_write *job, char *path)
{
    for (char *c = strchr(path, '/'); c != NULL; c = strchr(c + 1, '/')) {
        *c = '\0';
        (void)mkdirat(job->fd, path, 0777); /* opening the file says what is wrong */
        *c = '/';
    }
}

static void put_file(struct folder_write *job, char *path, const char *bytes, size_t size)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int fd = openat(job->fd, path, flags, 0666);

    if (fd < 0 && errno == ENOENT) {
        make_folders(job, path);
        fd = openat(job->fd, path, flags, 0666);
    }
    errno = fd < 0 ? errno : ENOSPC; /* what a short write means */
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size) {
        job->status = bg_error_set(job->err, BG_E_SYSTEM, "write %s/%s: %s", job->to->path, path,
                                   strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    job->files++;
}

static bool ends_with(const char *path, const char *name)
{
    const char *last = strrchr(path, '/');

    return last != NULL && strcmp(last + 1, name) == 0;
}

/* Feeds and pictures have their own endings. */
static bool has_ending(const char *path)
{
    return (strchr(path, '/') == NULL && strchr(path, '.') != NULL) ||
           ends_with(path, "picture.png");
}

/* The file of a page; the caller frees it. */
static char *file_of(const struct site_page *page)
{
    const char *path = page->path, *frame = page->frame == NULL ? "" : page->frame;
    size_t size = strlen(path);
    const char *index = size == 0 || path[size - 1] == '/' ? "index" : "";

    return has_ending(path) ? memory_text(path)
           : page->is_json  ? memory_print("api/v1/%s%s.json", path, index)
           : page->number > 1
               ? memory_print("%s/%d.html", path, page->number)
               : memory_print("%s%s%s%s.html", frame, frame[0] == '\0' ? "" : "/", path, index);
}

/* Takes what a page has answered. */
static void put_page(struct folder_write *job, const struct site_page *page, const char *bytes,
                     size_t size)
{
    char *path = file_of(page);

    if (page->status == SITE_OK) {
        put_file(job, path, bytes, size);
    } else {
        job->status = bg_error_set(job->err, BG_E_STORE, "page %s: %.*s", path,
                                   (int)strcspn(bytes, "\n"), bytes);
    }
    free(path);
}

/* Writes a page, and of a list the following ones. */
static void write_page(struct folder_write *job, const char *path, bool is_json, const char *frame)
{
    char query[BG_GAME_ID + 8] = "";

    for (int number = 1; job->status == BG_OK && (number == 1 || query[0] != '\0'); number++) {
        struct web_answer answer = {.type = NULL};
        struct site_page page = {.site = job->site,
                                 .path = path,
                                 .query = query,
                                 .is_json = is_json,
                                 .frame = frame,
                                 .number = number,
                                 .answer = &answer};
        size_t size;
        char *bytes;

        page.out = memory_stream(&bytes, &size);
        site_route(&page);
        memory_stream_close(page.out);
        put_page(job, &page, bytes, size);
        free(bytes);
        query[0] = '\0';
        if (page.next[0] != '\0' && !is_json) {
            snprintf(query, sizeof query, "after=%s", page.next);
        }
    }
}

/* Writes a page in each of its forms. Of those that fit into a frame, a folder has two. */
static void write_forms(void *user, const char *path)
{
    write_page(user, path, false, NULL);
    if (!has_ending(path)) {
        write_page(user, path, true, NULL);
    }
    if (ends_with(path, "standings") || ends_with(path, "bracket")) {
        write_page(user, path, false, "embed");
    }
}

/* ------------------------------------------------------------------ games */

/* Takes the page of the old folder, without a copy. */
static bool keep_page(const struct folder_write *job, char *path)
{
    bool is_there = linkat(job->old_fd, path, job->fd, path, 0) == 0;

    if (!is_there && errno == ENOENT && faccessat(job->old_fd, path, F_OK, 0) == 0) {
        make_folders(job, path);
        is_there = linkat(job->old_fd, path, job->fd, path, 0) == 0;
    }
    return is_there;
}

static bool publish_game(void *user, const struct store_game *game)
{
    struct folder_write *job = user;
    struct web_answer answer = {.type = NULL};
    struct site_page page = {
        .site = job->site, .event = job->event, .store = job->store, .answer = &answer};
    struct game_id id = game_id_of_leg(game->a, game->b, game->pair, game->leg);
    char *path, *bytes;
    size_t size;
    FILE *out;

    if (job->seen++ % job->step != job->first ||
        (job->event->pairs > 0 && game->pair >= job->event->pairs)) {
        return true;
    }
    id.game = game->game;
    out = memory_stream(&path, &size);
    fprintf(out, "e/%s/g/", job->event->name);
    doc_game_path_write(out, game->id, true);
    memory_stream_close(out);
    page.path = path;
    if (job->is_kept) {
        char *file = file_of(&page);
        const bool is_done = keep_page(job, file);

        job->files += is_done;
        free(file);
        if (is_done) {
            free(path);
            return true;
        }
    }
    page.out = memory_stream(&bytes, &size);
    site_game_write(&page, &id);
    memory_stream_close(page.out);
    put_page(job, &page, bytes, size);
    free(bytes);
    free(path);
    return job->status == BG_OK;
}

/* The line of an event in MARK: whose games these are, since other results can have the event's
 * name and the same ids, and everything that their pages show besides their records. Each game of a
 * match shows the others, so that a new one changes them. Only the file tells apart what was
 * imported. */
static char *mark_of(const struct site_event *event, const struct folder_write *job)
{
    const struct gather *gather = &event->gather;
    const struct tally *tally = &gather->results.tally;
    const uint64_t others = tally->length_points == 0 ? 0 : tally->games;
    struct stat program;
    char *nav = memory_zeroed(EVENT_PAGES + 1, 1), *line;

    memset(&program, 0, sizeof program);
    (void)stat("/proc/self/exe", &program);
    for (int i = 0; i < EVENT_PAGES; i++) {
        nav[i] = event->has[i] ? '1' : '0';
    }
    line = memory_print(
        "%s: begun %.0f %s %s dice %s program %lld.%lld assets %s pages %s judged %" PRIu64
        "%s %s again %" PRIu64 " games %" PRIu64 " of %s%s\n",
        event->name, gather->runs > 0 ? gather->run[0].begun_s : 0,
        gather->runs > 0 ? "-" : event->tag, gather->root == NULL ? "open" : "over",
        gather->dice_digest == NULL ? "-" : gather->dice_digest, (long long)program.st_mtim.tv_sec,
        (long long)program.st_size, site_assets(), nav, gather->judged.games,
        gather->judged.choices ? "+" : "",
        gather->judged.judge == NULL ? "-" : gather->judged.judge,
        gather->results.begun_anew + gather->results.set_aside, others, job->site->address,
        event->doc[EVENT_MAIN]->title);
    free(nav);
    return line;
}

/* Takes the old folder's file of games that share a page, if it has as many from the same pair on:
 * then they are the same. */
static bool keep_pack(struct folder_write *job, struct site_pack *pack, char *path)
{
    char end[64] = "", *wanted;
    size_t size;
    int fd = -1;
    bool is_kept = false;

    job->status = site_pack_write(NULL, pack, job->store, job->err);
    if (job->status == BG_OK && pack->games > 0 &&
        (fd = openat(job->old_fd, path, O_RDONLY | O_CLOEXEC)) >= 0) {
        FILE *out = memory_stream(&wanted, &size);

        site_pack_end(out, pack);
        memory_stream_close(out);
        is_kept = lseek(fd, -(off_t)size, SEEK_END) > 0 &&
                  read(fd, end, sizeof end) == (ssize_t)size && memcmp(end, wanted, size) == 0 &&
                  keep_page(job, path);
        job->files += is_kept;
        free(wanted);
        close(fd);
    }
    return is_kept;
}

/* Writes a file of games that share a page. */
static void write_pack(struct folder_write *job, struct site_pack *pack)
{
    char *path, *bytes;
    size_t size;
    FILE *out = memory_stream(&path, &size);

    fprintf(out, "api/v1/e/%s/g/", job->event->name);
    doc_path_write(out, pack->a);
    fputc('/', out);
    doc_path_write(out, pack->b);
    fprintf(out, "/%" PRIu64 ".json", pack->end - SITE_PACK);
    memory_stream_close(out);
    if (!job->is_kept || !keep_pack(job, pack, path)) {
        out = memory_stream(&bytes, &size);
        job->status = site_pack_write(out, pack, job->store, job->err);
        memory_stream_close(out);
        if (job->status == BG_OK && pack->games > 0) {
            put_file(job, path, bytes, size);
        }
        free(bytes);
    }
    free(path);
}

/* Writes every n-th file of games of the event's later pairs. */
static void write_packs(struct folder_write *job)
{
    const struct tally *tally = &job->event->gather.results.tally;

    for (size_t i = 0; i < tally->encounters; i++) {
        struct site_pack pack = {.a = tally->bot[tally->encounter[i]->a].name,
                                 .b = tally->bot[tally->encounter[i]->b].name,
                                 .end = job->event->pairs / SITE_PACK * SITE_PACK,
                                 .has_more = true};

        for (uint64_t number = i; pack.has_more && job->status == BG_OK; number++) {
            pack.first = pack.end > job->event->pairs ? pack.end : job->event->pairs;
            pack.end += SITE_PACK;
            if (number % job->step == job->first) {
                write_pack(job, &pack);
            }
        }
    }
}

/* Writes every n-th game of every event. */
static void write_games(struct folder_write *job)
{
    for (int i = 0; i < job->site->events && job->status == BG_OK; i++) {
        struct store *store = NULL;
        enum bg_status status;

        char *line = mark_of(&job->site->event[i], job);

        job->event = &job->site->event[i];
        job->is_kept = job->old_mark != NULL && strstr(job->old_mark, line) != NULL;
        free(line);
        status = event_store_open(&store, job->event->path, job->err);
        if (status == BG_OK) {
            job->store = store;
            status = store_all_games(store, false, publish_game, job, job->err);
        }
        job->status = job->status == BG_OK ? status : job->status;
        if (job->status == BG_OK && job->event->pairs > 0) {
            write_packs(job);
        }
        store_destroy(store);
    }
}

/* What a worker says at its end. */
struct worker_end {
    uint64_t files;
    enum bg_status status;
    struct bg_error err;
};

/* Starts a process that writes its part of the games; *out: where it says how it went. */
static enum bg_status start_worker(pid_t *pid, int *out, const struct folder_write *job)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return bg_error_set(job->err, BG_E_SYSTEM, "start a process: %s", strerror(errno));
    }
    *pid = fork();
    if (*pid == 0) {
        struct worker_end end = {.status = BG_OK};
        struct folder_write own = *job;

        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would use what it writes */
        own.files = 0;
        own.err = &end.err;
        write_games(&own);
        end.files = own.files;
        end.status = own.status;
        _exit(write(ends[1], &end, sizeof end) == (ssize_t)sizeof end ? 0 : 1);
    }
    close(ends[1]);
    *out = ends[0];
    if (*pid < 0) {
        close(ends[0]);
        return bg_error_set(job->err, BG_E_SYSTEM, "start a process: %s", strerror(errno));
    }
    return BG_OK;
}

static void end_worker(struct folder_write *job, pid_t pid, int fd)
{
    struct worker_end end;
    ssize_t size = read(fd, &end, sizeof end);

    close(fd);
    (void)waitpid(pid, NULL, 0);
    if (size != (ssize_t)sizeof end) {
        end = (struct worker_end){.status = BG_E_SYSTEM, .err = {.text = "a process was killed"}};
    }
    job->files += end.files;
    if (job->status == BG_OK && end.status != BG_OK) {
        job->status = bg_error_set(job->err, end.status, "%s", end.err.text);
    }
}

/* Which pairs have pages of their own: as many of every two. */
static uint64_t pairs_of(const struct tally *tally, uint64_t asked)
{
    const uint64_t games = asked != SITE_FOLDER_USUAL  ? asked
                           : tally->games > LONG_EVENT ? PAGES_OF_LONG
                                                       : 0;
    double pairs = 0;

    for (size_t i = 0; i < tally->encounters; i++) {
        struct tally_sum sum;

        tally_sum(&sum, tally, tally->encounter[i]->a, tally->encounter[i]->b);
        pairs += (double)sum.clusters;
    }
    pairs = pairs * (double)games / ((double)tally->games * (double)tally->encounters);
    return games == 0 || tally->games <= games ? 0 : pairs < 1 ? 1 : (uint64_t)pairs;
}

/* Reads the events, which the workers inherit, and says what the pages are made of. */
static void write_mark(struct folder_write *job)
{
    char *text, name[] = MARK;
    size_t size;
    FILE *out = memory_stream(&text, &size);

    fputs(HEAD, out);
    for (int i = 0; i < job->site->events && job->status == BG_OK; i++) {
        const struct site_page page = {.site = job->site};
        struct site_event *event = site_event_at(&page, i, job->err);

        if (event == NULL) {
            job->status = job->err->status;
        } else {
            char *line = mark_of(event, job);

            event->pairs = pairs_of(&event->gather.results.tally, job->to->games);
            fputs(line, out);
            free(line);
        }
    }
    memory_stream_close(out);
    if (job->status == BG_OK) {
        put_file(job, name, text, size);
    }
    free(text);
}

/* Writes the page of games that have none of their own. */
static void write_shared(struct folder_write *job, struct site_event *event)
{
    struct web_answer answer = {.type = NULL};
    char *path = memory_print("e/%s/game", event->name), *bytes;
    struct site_page page = {.site = job->site, .event = event, .path = path, .answer = &answer};
    enum bg_status status = event->pairs > 0 ? site_event_read(&page) : BG_OK;
    size_t size;

    if (event->pairs > 0) {
        page.out = memory_stream(&bytes, &size);
        if (status == BG_OK) {
            site_shared_write(&page);
        } else {
            site_error(&page, status);
        }
        memory_stream_close(page.out);
        put_page(job, &page, bytes, size);
        site_event_close(&page);
        free(bytes);
    }
    free(path);
}

static void write_all(struct folder_write *job)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int workers = 0, most = cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (int)cores;
    int out[MOST_WORKERS];
    pid_t pid[MOST_WORKERS];

    write_mark(job);
    job->step = (uint64_t)most;
    for (; workers < most && job->status == BG_OK; workers += job->status == BG_OK) {
        job->first = (uint64_t)workers;
        job->status = start_worker(&pid[workers], &out[workers], job);
    }
    for (int i = 0; i < SITE_ASSETS && job->status == BG_OK; i++) {
        char *path = memory_print("%s%s", site_assets(), site_asset[i].name);
        const char *bytes = (const char *)site_asset[i].bytes;

        if (strncmp(site_asset[i].name, "live.", 5) != 0) { /* nothing is in play in a folder */
            put_file(job, path, bytes, strlen(bytes));
        }
        free(path);
    }
    if (job->status == BG_OK) {
        job->status = site_each_path(job->site, write_forms, job, job->err);
    }
    for (int i = 0; i < job->site->events && job->status == BG_OK; i++) {
        write_shared(job, &job->site->event[i]);
    }
    for (int i = 0; i < job->site->events && job->to->databases && job->status == BG_OK; i++) {
        const struct site_event *event = &job->site->event[i];
        char *path = memory_print("%s/e/%s/%s.db", job->draft, event->name, event->name);
        struct backup backup;

        if (event->gather.root == NULL) { /* the archive has it when it is over */
            free(path);
            continue;
        }
        job->status = backup_make(&backup, event->path, path, (int64_t)time(NULL), job->err);
        job->files += 2;
        free(path);
    }
    for (int i = 0; i < workers; i++) {
        end_worker(job, pid[i], out[i]);
    }
}

/* ------------------------------------------------------------------ the folder */

/* Reads what a folder of ours says of itself; NULL: it is none. The caller frees it. */
static char *read_mark(const char *folder)
{
    char *path = memory_print("%s/" MARK, folder), *text = NULL;
    FILE *file = NULL;
    struct stat seen;

    if (plain_file_open(&file, path, MARK_BYTES) == NULL && fstat(fileno(file), &seen) == 0) {
        text = memory_zeroed((size_t)seen.st_size + 1, 1);
        text[fread(text, 1, (size_t)seen.st_size, file)] = '\0';
        fclose(file);
    }
    free(path);
    return text;
}

static bool has_mark(const char *folder)
{
    char *mark = read_mark(folder);
    bool has = mark != NULL;

    free(mark);
    return has;
}

/* Whether the folder may be replaced: it is not there, empty, or one of ours. rmdir tells whether
 * it is empty. */
static enum bg_status check_folder(const char *folder, struct bg_error *err)
{
    struct stat seen;

    if (lstat(folder, &seen) != 0 || (S_ISDIR(seen.st_mode) && has_mark(folder)) ||
        (S_ISDIR(seen.st_mode) && rmdir(folder) == 0)) {
        return BG_OK;
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "%s is not a folder of pages that this command wrote, and would be "
                        "replaced; name a new or empty folder",
                        folder);
}

/* The folder is for everybody: of events that are not over it has what spectators may know. */
static enum bg_status keep_back(const struct site *site, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int i = 0; i < site->events && status == BG_OK; i++) {
        struct store *store = NULL;
        char event[EVENT_NAME] = "", root[RECORD_HASH] = "";

        status = event_store_open(&store, site->event[i].path, err);
        if (status == BG_OK) {
            (void)store_meta_text(event, sizeof event, store, "event.event", NULL);
            (void)store_meta_text(root, sizeof root, store, "results.root", NULL);
        }
        if (event[0] != '\0' && root[0] == '\0') { /* without a name: imported */
            store_sqlite_release(site->event[i].path, 0);
        }
        store_destroy(store);
    }
    return status;
}

/* Puts the draft in the folder's place. */
static enum bg_status replace(const char *draft, const char *folder, struct bg_error *err)
{
    bool had = access(folder, F_OK) == 0;

    if (renameat2(AT_FDCWD, draft, AT_FDCWD, folder, had ? RENAME_EXCHANGE : RENAME_NOREPLACE) !=
        0) {
        return bg_error_set(err, BG_E_SYSTEM, "move %s to %s: %s", draft, folder, strerror(errno));
    }
    if (had) {
        (void)removal_folder(draft); /* the old pages; what is left is removed by the next call */
    }
    return BG_OK;
}

static enum bg_status open_draft(int *fd, const char *draft, struct bg_error *err)
{
    /* Of a call that was killed. */
    if (has_mark(draft)) {
        (void)removal_folder(draft);
    } else {
        (void)rmdir(draft); /* before it had written anything */
    }
    if (mkdir(draft, 0777) != 0 || (*fd = open(draft, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) {
        return bg_error_set(err, BG_E_ARGUMENT, "make folder %s: %s", draft, strerror(errno));
    }
    return BG_OK;
}

enum bg_status site_publish(uint64_t *files, const char *const *paths, int count,
                            const struct site_folder *to, struct bg_error *err)
{
    const char *folder = to->path;
    char *draft = memory_print(
        "%.*s.new",
        (int)(strlen(folder) - (strlen(folder) > 1 && folder[strlen(folder) - 1] == '/')), folder);
    struct folder_write job = {.to = to, .draft = draft, .fd = -1, .old_fd = -1, .err = err};

    job.status = site_open(&job.site, paths, count, err);
    if (job.status == BG_OK) {
        job.status = check_folder(folder, err);
    }
    if (job.status == BG_OK) {
        job.status = keep_back(job.site, err);
    }
    if (job.status == BG_OK) {
        job.status = open_draft(&job.fd, draft, err);
    }
    if (job.status == BG_OK) {
        job.site->is_folder = true;
        job.site->has_databases = to->databases;
        site_set_address(job.site, to->address);
        job.old_mark = read_mark(folder);
        job.old_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        write_all(&job);
        if (job.old_fd >= 0) {
            close(job.old_fd);
        }
        free(job.old_mark);
    }
    if (job.fd >= 0) {
        close(job.fd);
        job.status = job.status == BG_OK ? replace(draft, folder, err) : job.status;
        if (job.status != BG_OK) {
            (void)removal_folder(draft);
        }
    }
    *files = job.files;
    site_close(job.site);
    free(draft);
    return job.status;
}
