/* A file and not messages, since a ban has to hold also for events that are started later, and
 * for a host that is started again. Reading is strict: a line that is not understood fails the
 * file, because a ban that was passed over would let somebody in. The order of lines is that of
 * adding; the search is linear over at most BAN_LIST_MOST.
 *
 * The folder is watched, not the file: the host replaces it by a rename, and a watch of the file
 * would stay with the old one, which nobody changes any more. An event reads the file again
 * instead of being told what changed, so a message that is lost, or a start that comes late,
 * cannot leave an old ban in force. */
#define _GNU_SOURCE /* strsep */
#include "ban_list.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/durable.h"
#include "base/memory.h"
#include "base/units.h"
#include "log.h"
#include "base/plain_file.h"

static const char magic[] = "bgref-gate 1";
static const char *const words[BAN_KINDS + 1] = {"name", "key", "from", NULL};

enum { FIELDS = 5, PATH = 1100, NEWS = 4096 };

void ban_list_deinit(struct ban_list *bans)
{
    free(bans->list);
    *bans = (struct ban_list){.list = NULL};
}

const char *ban_word(enum ban_kind kind)
{
    return words[kind];
}

/* ------------------------------------------------------------------ bans */

static void copy_lower(char *out, size_t size, const char *text)
{
    size_t i = 0;

    for (; text[i] != '\0' && i + 1 < size; i++) {
        out[i] = (char)tolower((unsigned char)text[i]);
    }
    out[i] = '\0';
}

enum bg_status ban_read_what(struct ban *out, const char *text, struct bg_error *err)
{
    unsigned char key[KEY_FILE_BYTES];
    struct cidr network;

    /* The kind follows from the form, so no operator has to say it. A name can have neither '/'
     * nor ':'; digits and dots alone are an address, never a name. */
    if (strpbrk(text, "/:") != NULL || text[strspn(text, "0123456789.")] == '\0') {
        if (cidr_read(&network, text, err) != BG_OK) {
            return BG_E_ARGUMENT;
        }
        out->kind = BAN_FROM;
        cidr_write(out->what, &network);
    } else if (key_read_hex(key, text)) {
        out->kind = BAN_KEY;
        /* Keys are compared as text; hexadecimal digits may be written in both ways. */
        copy_lower(out->what, sizeof out->what, text);
    } else if (name_is_valid(text)) {
        out->kind = BAN_NAME;
        snprintf(out->what, sizeof out->what, "%s", text);
    } else {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.80s' is not a bot's name, a key of 64 hexadecimal digits, or a "
                            "network like 192.0.2.0/24",
                            text);
    }
    return BG_OK;
}

static struct ban *find_ban(const struct ban_list *bans, enum ban_kind kind, const char *what)
{
    for (int i = 0; i < bans->count; i++) {
        if (bans->list[i].kind == kind && strcmp(bans->list[i].what, what) == 0) {
            return &bans->list[i];
        }
    }
    return NULL;
}

enum bg_status ban_list_add(struct ban_list *bans, const struct ban *ban, struct bg_error *err)
{
    struct ban *place = find_ban(bans, ban->kind, ban->what);

    /* Again for the same: the new end and reason replace the old ones. */
    if (place == NULL) {
        if (bans->count == BAN_LIST_MOST) {
            return bg_error_set(err, BG_E_ARGUMENT, "there are %d bans already; ban networks",
                                BAN_LIST_MOST);
        }
        bans->list =
            memory_list(bans->list, &bans->room, (size_t)bans->count + 1, sizeof *bans->list);
        place = &bans->list[bans->count++];
    }
    *place = *ban;
    return BG_OK;
}

static void take_out(struct ban_list *bans, struct ban *ban)
{
    struct ban *end = bans->list + bans->count;

    memmove(ban, ban + 1, (size_t)(end - ban - 1) * sizeof *ban);
    bans->count--;
}

bool ban_list_remove(struct ban_list *bans, enum ban_kind kind, const char *what)
{
    struct ban *ban = find_ban(bans, kind, what);

    if (ban != NULL) {
        take_out(bans, ban);
    }
    return ban != NULL;
}

bool ban_list_expire(struct ban *out, struct ban_list *bans, int64_t now_s)
{
    for (int i = 0; i < bans->count; i++) {
        /* One at a time: the host tells each in its journal. */
        if (bans->list[i].until_s != 0 && bans->list[i].until_s <= now_s) {
            *out = bans->list[i];
            take_out(bans, &bans->list[i]);
            return true;
        }
    }
    return false;
}

int64_t ban_list_due(const struct ban_list *bans)
{
    int64_t due_s = 0;

    for (int i = 0; i < bans->count; i++) {
        int64_t until_s = bans->list[i].until_s;

        due_s = until_s != 0 && (due_s == 0 || until_s < due_s) ? until_s : due_s;
    }
    return due_s;
}

const struct ban *ban_list_find(const struct ban_list *bans, const char *name, const char *hex)
{
    const struct ban *ban = find_ban(bans, BAN_NAME, name);

    return ban == NULL ? find_ban(bans, BAN_KEY, hex) : ban;
}

/* ------------------------------------------------------------------ reading */

static bool read_ban(struct ban *out, char *const *field)
{
    int kind;
    uint64_t until_s;

    *out = (struct ban){.what = ""};
    if (ban_read_what(out, field[2], NULL) != BG_OK || word_read(&kind, field[1], words, NULL) ||
        /* The kind that is written must be the one that the text has: a key cannot be banned as
         * a name. */
        count_read(&until_s, field[3], 0, INT64_MAX, NULL) != BG_OK || (int)out->kind != kind) {
        return false;
    }
    out->until_s = (int64_t)until_s;
    return snprintf(out->reason, sizeof out->reason, "%s", field[4]) < (int)sizeof out->reason;
}

static enum bg_status read_line(void *user, char *line, bool *known, struct bg_error *err)
{
    struct ban_list *bans = user;
    char *field[FIELDS] = {NULL}, *rest = line;
    struct ban ban;
    int fields = 0;

    while (rest != NULL && fields < FIELDS) {
        field[fields++] = strsep(&rest, "\t");
    }
    *known = false;
    if (strcmp(field[0], "ban") == 0 && fields == FIELDS && rest == NULL) {
        *known = read_ban(&ban, field);
        return *known ? ban_list_add(bans, &ban, err) : BG_OK;
    }
    if (strcmp(field[0], "kick") == 0 && fields == 3) {
        *known = name_is_valid(field[2]) &&
                 count_read(&bans->kick_number, field[1], 1, UINT64_MAX, NULL) == BG_OK;
        snprintf(bans->kicked, sizeof bans->kicked, "%s", *known ? field[2] : "");
    }
    return BG_OK;
}

static struct durable_reader reader_of(struct ban_list *out)
{
    *out = (struct ban_list){.list = NULL};
    return (struct durable_reader){magic, "a host's gate", read_line, out};
}

enum bg_status ban_list_read(struct ban_list *out, FILE *in, const char *where,
                             struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_read(&reader, in, where, err);

    if (status != BG_OK) {
        ban_list_deinit(out);
    }
    return status;
}

/* ------------------------------------------------------------------ the file */

enum bg_status ban_list_load(struct ban_list *out, const char *path, struct bg_error *err)
{
    const struct durable_reader reader = reader_of(out);
    enum bg_status status = durable_load(&reader, path, err);

    if (status != BG_OK) {
        ban_list_deinit(out);
    }
    return status;
}

static void write_list(FILE *out, const void *user)
{
    const struct ban_list *bans = user;

    fprintf(out, "%s\n", magic);
    for (int i = 0; i < bans->count; i++) {
        const struct ban *ban = &bans->list[i];

        fprintf(out, "ban\t%s\t%s\t%" PRId64 "\t%s\n", words[ban->kind], ban->what, ban->until_s,
                ban->reason);
    }
    if (bans->kick_number != 0) {
        fprintf(out, "kick\t%" PRIu64 "\t%s\n", bans->kick_number, bans->kicked);
    }
}

enum bg_status ban_list_save(const struct ban_list *bans, const char *path, struct bg_error *err)
{
    return durable_write(path, write_list, bans, err);
}

/* ------------------------------------------------------------------ watching it */

static void read_again(struct ban_watch *watch)
{
    struct ban_list bans;
    struct bg_error err;

    if (ban_list_load(&bans, watch->path, &err) != BG_OK) {
        /* A file that cannot be read must not let banned ones in. */
        log_error("door", "%s; who is kept out stays as it was", err.text);
        return;
    }
    ban_list_deinit(&watch->bans);
    watch->bans = bans;
    watch->changed(watch->user);
}

/* Some file of the folder was replaced. */
static void on_news(void *user)
{
    struct ban_watch *watch = user;
    const char *slash = strrchr(watch->path, '/');
    const char *own = slash == NULL ? watch->path : slash + 1;
    _Alignas(struct inotify_event) char news[NEWS];
    bool is_own = false;
    ssize_t size;

    while ((size = read(watch->fd, news, sizeof news)) > 0) {
        for (ssize_t at = 0; at < size;) {
            /* Events have different lengths; the kernel returns whole ones only, aligned for the
             * struct. */
            const struct inotify_event *event = (const void *)(news + at);

            /* an overflow of the kernel's queue may have swallowed ours */
            is_own = is_own || (event->mask & IN_Q_OVERFLOW) != 0 ||
                     (event->len > 0 && strcmp(event->name, own) == 0);
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
    if (is_own) {
        read_again(watch);
    }
}

enum bg_status ban_watch_open(struct ban_watch *watch, struct bg_error *err)
{
    char folder[PLAIN_PATH];
    enum bg_status status = BG_OK;

    watch->fd = -1;
    watch->bans = (struct ban_list){.list = NULL};
    if (watch->path[0] == '\0') {
        return BG_OK;
    }
    plain_folder_of(folder, watch->path);
    watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    /* IN_MOVED_TO alone: durable_write writes another file beside this one and renames it; how
     * that one is made and filled concerns nobody. */
    if (watch->fd < 0 || inotify_add_watch(watch->fd, folder, IN_MOVED_TO) < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "watch %s: %s", folder, strerror(errno));
    }
    if (status == BG_OK) { /* after the watch: no change is missed */
        status = ban_list_load(&watch->bans, watch->path, err);
    }
    watch->kick_known = watch->bans.kick_number;
    if (status == BG_OK) {
        status = loop_watch(watch->loop, watch->fd, on_news, watch, err);
    }
    if (status != BG_OK && watch->fd >= 0) {
        close(watch->fd);
        watch->fd = -1;
        ban_list_deinit(&watch->bans);
    }
    return status;
}

void ban_watch_refresh(struct ban_watch *watch)
{
    if (watch->fd >= 0) {
        read_again(watch);
    }
}

void ban_watch_close(struct ban_watch *watch)
{
    if (watch->fd >= 0) {
        loop_unwatch(watch->loop, watch->fd);
        close(watch->fd);
        watch->fd = -1;
    }
    ban_list_deinit(&watch->bans);
}

void ban_watch_tell_gateway(struct ban_watch *watch, struct inside_queue *out)
{
    inside_send(out, INSIDE__KIND__UNBAR, NULL, 0, NULL);
    for (int i = 0; i < watch->bot_count; i++) {
        const struct competitor *bot = &watch->bots[i];
        const struct ban *ban =
            bot->remote ? ban_list_find(&watch->bans, bot->name, bot->key) : NULL;

        if (ban != NULL) {
            inside_send(out, INSIDE__KIND__BAR, bot->name, 0, ban->reason);
        }
    }
    /* A kick is an act, not a state: told again it would end a connection that has come back. */
    if (watch->bans.kick_number > watch->kick_known) {
        inside_send(out, INSIDE__KIND__KICK, watch->bans.kicked, 0, NULL);
        watch->kick_known = watch->bans.kick_number;
    }
}

void ban_watch_tell_doorman(const struct ban_watch *watch, struct inside_queue *out)
{
    inside_send(out, INSIDE__KIND__UNBAR, NULL, 0, NULL);
    for (int i = 0; i < watch->bans.count; i++) {
        if (watch->bans.list[i].kind == BAN_FROM) {
            inside_send(out, INSIDE__KIND__BAR, NULL, 0, watch->bans.list[i].what);
        }
    }
}
