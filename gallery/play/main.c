/* person - a seat for a person in a browser: a bot like any other, whose answers come from a page.
 *
 * The referee starts it; it listens on this machine, and prints the invitation link where the
 * person sees it: on the terminal in which the referee was started, or into the file of the option
 * Link. The page shows what may be played and sends what was chosen; what is illegal is refused
 * here, so a slip of a finger, or of the script, is no fault.
 */
#include <bgref/bot.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../bots/common/notice.h"
#include "../../bots/common/variants.h"
#include "door/tcp_listen.h"
#include "play_site.h"
#include "site/browser.h"

enum { WAITING = 16 };
#define LAST_NS                                                                                    \
    INT64_C(300000000) /* for the page to read how it ended; bots are killed after 0.5 s */

static const struct bg_option options[] = {
    {"Listen", BG_OPTION_STRING, "tcp://127.0.0.1:0", NULL, NULL, NULL,
     "address of the page, tcp://HOST:PORT; port 0: a free one"},
    {"Origin", BG_OPTION_STRING, "", NULL, NULL, NULL,
     "where the page is reached, https://HOST, if a web server stands before it; empty: at Listen"},
    {"Link", BG_OPTION_STRING, "", NULL, NULL, NULL,
     "file for the invitation link; empty: the terminal of the referee"},
    {"Browser", BG_OPTION_FLAG, "false", NULL, NULL, NULL,
     "opens the link in this desktop's browser"},
};

struct page_seat {
    struct person person;
    struct play_site site;
    struct loop *loop;
    enum bg_status status; /* why it ended */
    struct bg_error *err;
};

/* ------------------------------------------------------------------ the invitation */

/* A file is replaced and for its owner only: who reads the link has the seat. */
static enum bg_status write_link(const char *path, bool is_file, const char *link,
                                 struct bg_error *err)
{
    int fd;

    if (is_file && unlink(path) != 0 && errno != ENOENT) {
        return bg_error_set(err, BG_E_START, "option Link: %s: %s", path, strerror(errno));
    }
    fd = is_file ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                 : open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return bg_error_set(err, BG_E_START, "the invitation link cannot be written: %s: %s", path,
                            strerror(errno));
    }
    dprintf(fd, is_file ? "%s\n" : "Your seat: %s\n", link);
    close(fd);
    return BG_OK;
}

static enum bg_status invite(const struct page_seat *seat, const struct bg_bot *bot,
                             struct bg_error *err)
{
    const char *file = bg_bot_option(bot, "Link");
    const char *terminal = getenv("BGREF_TERMINAL");
    char link[400];

    snprintf(link, sizeof link, "%s/play/%s", seat->site.origin, seat->site.token);
    if (strcmp(bg_bot_option(bot, "Browser"), "true") == 0 && browser_open(link) &&
        file[0] == '\0' && terminal == NULL) {
        return BG_OK;
    }
    if (file[0] == '\0' && terminal == NULL) {
        return bg_error_set(err, BG_E_START,
                            "nobody would see the invitation link: start the referee in a "
                            "terminal, or set the option Link to a file");
    }
    return write_link(file[0] != '\0' ? file : terminal, file[0] != '\0', link, err);
}

static enum bg_status prepare(void *user, const struct bg_bot *bot, struct bg_error *err)
{
    struct page_seat *seat = user;
    const char *origin = bg_bot_option(bot, "Origin");
    char bound[TCP_LISTEN_TEXT];
    int fd = -1;
    enum bg_status status = tcp_listen(&fd, bound, bg_bot_option(bot, "Listen"), WAITING, err);

    if (status == BG_OK) {
        snprintf(seat->site.origin, sizeof seat->site.origin, "%s%s",
                 origin[0] != '\0' ? "" : "http",
                 origin[0] != '\0' ? origin : strstr(bound, "://"));
        status = play_site_start(&seat->site, fd, err);
    }
    return status == BG_OK ? invite(seat, bot, err) : status;
}

/* ------------------------------------------------------------------ the loop */

static void told(void *user, const struct bg_tell *tell)
{
    struct page_seat *seat = user;

    person_tell(&seat->person, tell);
}

static void on_last(void *user, int64_t now_ns)
{
    const struct page_seat *seat = user;

    (void)now_ns;
    loop_stop(seat->loop);
}

static void end(struct page_seat *seat)
{
    loop_unwatch(seat->loop, bg_bot_fd(seat->person.bot));
    person_end(&seat->person, seat->err->text);
    play_site_settle(&seat->site);
    loop_after(seat->loop, play_site_is_read(&seat->site) ? LAST_NS : 0, on_last, seat);
}

/* Takes what has come, before each wait, as bg_bot_fd demands. */
static void take_news(void *user)
{
    struct page_seat *seat = user;
    const struct bg_ask *ask;

    while (seat->status == BG_OK) {
        seat->status = bg_bot_next(&ask, seat->person.bot, 0, seat->err);
        if (seat->status == BG_OK) {
            person_ask(&seat->person, ask, loop_now(seat->loop));
        } else if (seat->status != BG_E_TIMEOUT) {
            end(seat);
            return;
        }
    }
    if (seat->status == BG_E_TIMEOUT) {
        seat->status = BG_OK;
        play_site_settle(&seat->site);
    }
}

static void wake(void *user)
{
    (void)user; /* wakes the loop; take_news reads it */
}

static enum bg_status serve(struct page_seat *seat, struct bg_error *err)
{
    enum bg_status status = loop_watch(seat->loop, bg_bot_fd(seat->person.bot), wake, seat, err);

    if (status == BG_OK) {
        loop_on_settle(seat->loop, take_news, seat);
        status = loop_run(seat->loop, err);
    }
    return status == BG_OK ? seat->status : status;
}

int main(void)
{
    static struct page_seat seat;
    struct bg_bot_info info = BG_BOT_INFO_INIT;
    struct bg_error err = {.text = ""};
    enum bg_status status = loop_create(&seat.loop, &err);

    seat.err = &err;
    seat.person.last_seat = -1;
    seat.site.person = &seat.person;
    seat.site.loop = seat.loop;
    info.name = "person";
    info.version = BG_VERSION;
    info.variants = variants_all();
    info.options = options;
    info.option_count = sizeof options / sizeof options[0];
    info.stateful = true;
    info.prepare = prepare;
    info.told = told;
    info.user = &seat;
    info.notice = notice_print;
    if (status == BG_OK) {
        status = bg_bot_open(&seat.person.bot, &info, &err);
    }
    if (status == BG_OK) {
        status = serve(&seat, &err);
    }
    web_stop(seat.site.web);
    bg_bot_close(seat.person.bot);
    loop_destroy(seat.loop);
    person_deinit(&seat.person);
    if (status != BG_OK && status != BG_E_CLOSED) {
        fprintf(stderr, "bgref-person: %s\n", err.text);
    }
    return status == BG_OK || status == BG_E_CLOSED ? 0 : 1;
}
