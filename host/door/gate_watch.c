/* The folder is watched, not the file: the host replaces it by a rename, and a watch of the file
 * would stay with the old one, which nobody changes any more. An event reads the file again
 * instead of being told what changed, so a message that is lost, or a start that comes late,
 * cannot leave an old ban in force. */
#include "gate_watch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "log.h"

enum { PATH = 1100, NEWS = 4096 };

static void read_again(struct gate_watch *watch)
{
    struct gate gate;
    struct bg_error err;

    if (gate_load(&gate, watch->path, &err) != BG_OK) {
        /* A file that cannot be read must not let banned ones in. */
        log_error("door", "%s; who is kept out stays as it was", err.text);
        return;
    }
    gate_deinit(&watch->gate);
    watch->gate = gate;
    watch->changed(watch->user);
}

/* Some file of the folder was replaced. */
static void on_news(void *user)
{
    struct gate_watch *watch = user;
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

enum bg_status gate_watch_open(struct gate_watch *watch, struct bg_error *err)
{
    const char *slash = strrchr(watch->path, '/');
    char folder[PATH] = ".";
    enum bg_status status = BG_OK;

    watch->fd = -1;
    watch->gate = (struct gate){.bans = NULL};
    if (watch->path[0] == '\0') {
        return BG_OK;
    }
    if (slash != NULL) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - watch->path + 1), watch->path);
    }
    watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    /* IN_MOVED_TO alone: durable_write writes another file beside this one and renames it; how
     * that one is made and filled concerns nobody. */
    if (watch->fd < 0 || inotify_add_watch(watch->fd, folder, IN_MOVED_TO) < 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "watch %s: %s", folder, strerror(errno));
    }
    if (status == BG_OK) { /* after the watch: no change is missed */
        status = gate_load(&watch->gate, watch->path, err);
    }
    watch->kick_known = watch->gate.kick_number;
    if (status == BG_OK) {
        status = loop_watch(watch->loop, watch->fd, on_news, watch, err);
    }
    if (status != BG_OK && watch->fd >= 0) {
        close(watch->fd);
        watch->fd = -1;
        gate_deinit(&watch->gate);
    }
    return status;
}

void gate_watch_refresh(struct gate_watch *watch)
{
    if (watch->fd >= 0) {
        read_again(watch);
    }
}

void gate_watch_close(struct gate_watch *watch)
{
    if (watch->fd >= 0) {
        loop_unwatch(watch->loop, watch->fd);
        close(watch->fd);
        watch->fd = -1;
    }
    gate_deinit(&watch->gate);
}

void gate_watch_tell_gateway(struct gate_watch *watch, struct inside_queue *out)
{
    inside_send(out, INSIDE__KIND__UNBAR, NULL, 0, NULL);
    for (int i = 0; i < watch->bot_count; i++) {
        const struct competitor *bot = &watch->bots[i];
        const struct gate_ban *ban =
            bot->remote ? gate_find(&watch->gate, bot->name, bot->key) : NULL;

        if (ban != NULL) {
            inside_send(out, INSIDE__KIND__BAR, bot->name, 0, ban->reason);
        }
    }
    /* A kick is an act, not a state: told again it would end a connection that has come back. */
    if (watch->gate.kick_number > watch->kick_known) {
        inside_send(out, INSIDE__KIND__KICK, watch->gate.kicked, 0, NULL);
        watch->kick_known = watch->gate.kick_number;
    }
}

void gate_watch_tell_doorman(const struct gate_watch *watch, struct inside_queue *out)
{
    inside_send(out, INSIDE__KIND__UNBAR, NULL, 0, NULL);
    for (int i = 0; i < watch->gate.ban_count; i++) {
        if (watch->gate.bans[i].kind == GATE_FROM) {
            inside_send(out, INSIDE__KIND__BAR, NULL, 0, watch->gate.bans[i].what);
        }
    }
}
