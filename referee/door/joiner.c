#define _GNU_SOURCE /* strsep */
#include "joiner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "exit_status.h"
#include "control.h"
#include "gateway.h"
#include "join_screen.h"
#include "join_words.h"
#include "kept_bot.h"
#include "known_games.h"
#include "loop/signals.h"
#include "process/launcher.h"
#include "remote_line.h"
#include "seat/bot_process.h"
#include "seat/greeting.h"
#include "wire/wire.h"
#include "words/plural.h"
#include "words/said.h"

#define SECOND_NS  INT64_C(1000000000)
#define WAIT_NS    (SECOND_NS / 10)
#define LONGEST_NS (10 * SECOND_NS)
#define TICK_NS    (SECOND_NS / 2)
#define ASK_NS     (5 * SECOND_NS)

enum {
    ARENA_BYTES = 4 << 20,
    BOT_TRIES = 5, /* ends of the bot in a row without a Welcome */
    WAIT_MOST_S = 3600,
    UNPROVEN_TRIES = 3 /* ends of the connection in a row before the keys were proved */
};

struct joiner {
    const struct joiner_setup *setup;
    struct signals *signals;
    struct loop *loop;
    struct link *link;
    struct wire_reader *reader;
    struct bot_process *process;
    struct remote_line *line; /* NULL: the bot has not said Hello, or its line was lost */
    link_peer peer;           /* the bot's local door; 0 none */
    struct kept_bot kept;
    struct wire_buffer buffer;
    bool returns;    /* the kept bot's Hello was sent again; its Welcome is awaited */
    int64_t wait_ns; /* before the next start */
    int failures;    /* ends of the bot in a row without a Welcome */
    int unproven;    /* see UNPROVEN_TRIES */
    bool is_absent;  /* it was printed that nobody listens */
    bool was_proven; /* the host has proved its key in this run */
    bool stays;      /* a Goodbye ends an event only: the host said so */
    bool is_parting; /* this start has got such a Goodbye */
    bool is_over;
    int exit_status;
    struct bg_error *err;
    struct known_games games;
    uint64_t decisions;
    struct ticker {
        struct joiner *joiner; /* of the deadlines that go on when a start ends */
    } ticker;
    struct join_view view;
    struct join_screen screen;
    bool may_ask;      /* the host answers questions */
    int64_t asked_ns;  /* the last question that got no GATEWAY_ASKED yet; 0 none */
    int64_t ask_by_ns; /* the next one */
    bool is_dirty;     /* the screen is to be drawn */
    bool has_lines;    /* printed lines wait in the buffer */
};

/* ------------------------------------------------------------------------ printing */

static void say(struct joiner *joiner, const char *text)
{
    char clean[1024];

    if (joiner->screen.is_on) {
        join_view_say(&joiner->view, loop_calendar(), text);
        joiner->is_dirty = true;
    } else if (!joiner->setup->quiet) {
        clean_write(clean, sizeof clean, text, strlen(text), CLEAN_LINE);
        printf("%s\n", clean);
        joiner->has_lines = true;
    }
}

/* The state of the connection. */
static void show_line(struct joiner *joiner, const char *text)
{
    join_view_line(&joiner->view, loop_now(joiner->loop), text);
    joiner->is_dirty = true;
}

static void show_ask(struct joiner *joiner, const struct bg_ask *ask)
{
    joiner->view.ask = *ask;
    joiner->view.asked_ns = loop_now(joiner->loop);
    joiner->view.is_answered = false;
    joiner->view.games = joiner->games.count;
    joiner->view.decisions = joiner->decisions;
}

/* Asks how the bot stands; the answer comes as notes. */
static void ask_host(struct joiner *joiner, int64_t now_ns)
{
    static const char question[] = "\0" GATEWAY_ASK;

    if (joiner->line != NULL && joiner->may_ask && now_ns >= joiner->ask_by_ns &&
        remote_line_send(joiner->line, question, sizeof question - 1)) {
        joiner->asked_ns = now_ns;
        joiner->ask_by_ns = now_ns + ASK_NS;
    }
}

static void on_tick(void *user, int64_t now_ns)
{
    struct joiner *joiner = ((const struct ticker *)user)->joiner;

    ask_host(joiner, now_ns);
    joiner->is_dirty = true;
    (void)loop_after(joiner->loop, TICK_NS, on_tick, user, NULL); /* else it stands still */
}

/* A line of the host's answer. It is shown when it is whole. */
static void take_status(struct joiner *joiner, const char *line)
{
    struct join_standing *standing = &joiner->view.standing;

    if (joiner->screen.is_on && join_standing_take(standing, line, strlen(line)) != STATUS_NONE &&
        standing->event_count >= standing->host.events) {
        joiner->view.shown = *standing;
        joiner->is_dirty = true;
    }
}

/* The host's gateway has heard a question; without one, that it hears questions. */
static void take_asked(struct joiner *joiner)
{
    if (joiner->asked_ns > 0) {
        joiner->view.ping_ns = loop_now(joiner->loop) - joiner->asked_ns;
        joiner->asked_ns = 0;
    }
    joiner->may_ask = joiner->screen.is_on;
    ask_host(joiner, loop_now(joiner->loop));
}

/* Prints a game when its first decision arrives. */
static void note_ask(struct joiner *joiner, const struct bg_ask *ask)
{
    char text[256];

    if (!known_games_add(&joiner->games, ask->game)) {
        return;
    }
    if (ask->rules.length_points > 0) {
        snprintf(text, sizeof text, "game %" PRIu64 " against %s, %" PRId64 "-%" PRId64 " to %d",
                 joiner->games.count, ask->opponent, ask->score[0], ask->score[1],
                 ask->rules.length_points);
    } else {
        snprintf(text, sizeof text, "game %" PRIu64 " against %s", joiner->games.count,
                 ask->opponent);
    }
    if (!joiner->setup->is_seat && !joiner->screen.is_on) { /* the screen shows it anyway */
        say(joiner, text);
    }
}

/* ------------------------------------------------------------------------ ending */

static void close_line(struct joiner *joiner)
{
    joiner->may_ask = false;
    joiner->asked_ns = 0;
    joiner->view.ping_ns = 0;
    if (joiner->line != NULL) {
        loop_unwatch(joiner->loop, remote_line_fd(joiner->line));
        remote_line_close(joiner->line);
        joiner->line = NULL;
    }
}

static void begin_start(void *user, int64_t now_ns);

static void begin_line(void *user, int64_t now_ns);

/* Doubles the wait that was used last. */
static void lengthen(struct joiner *joiner)
{
    joiner->wait_ns = 2 * joiner->wait_ns < LONGEST_NS ? 2 * joiner->wait_ns : LONGEST_NS;
}

/* Ends this start of the bot; on_gone follows if there was a process. */
static void end_start(struct joiner *joiner)
{
    close_line(joiner);
    joiner->link->ops->close(joiner->link, joiner->peer);
    joiner->peer = 0;
    loop_forget(joiner->loop, joiner);
    bot_process_end(joiner->process);
    if (!bot_process_is_leaving(joiner->process) && joiner->is_over) {
        loop_stop(joiner->loop);
    }
}

static void finish(struct joiner *joiner, int exit_status, const char *why)
{
    if (!joiner->is_over) {
        joiner->is_over = true;
        joiner->exit_status = exit_status;
        if (exit_status != EXIT_DONE) {
            bg_error_set(joiner->err, BG_E_LINK, "%s", why);
        }
    }
    end_start(joiner);
}

static void start_over(struct joiner *joiner, const char *why)
{
    char text[512];

    snprintf(text, sizeof text, "%.400s; starting again", why);
    say(joiner, text);
    show_line(joiner, "closed; starting again");
    joiner->view.event[0] = '\0';
    end_start(joiner);
}

static void on_gone(void *user)
{
    struct joiner *joiner = user;
    struct bg_error err;

    if (joiner->is_over) {
        loop_stop(joiner->loop);
        return;
    }
    if (loop_after(joiner->loop, joiner->wait_ns, begin_start, joiner, &err) != BG_OK) {
        finish(joiner, EXIT_SURROUNDINGS, err.text);
    }
    lengthen(joiner);
}

/* A bot that keeps nothing in memory goes on by another line; any other is started again. */
static void lose_line(struct joiner *joiner)
{
    struct bg_error err;

    if (joiner->setup->is_seat || !kept_bot_can_stay(&joiner->kept) ||
        bot_process_is_exiting(joiner->process)) {
        start_over(joiner, "the line to the host is lost");
        return;
    }
    say(joiner, "the line to the host is lost; the bot is kept");
    show_line(joiner, "lost; connecting again");
    close_line(joiner);
    if (loop_after(joiner->loop, joiner->wait_ns, begin_line, joiner, &err) != BG_OK) {
        finish(joiner, EXIT_SURROUNDINGS, err.text);
    }
    lengthen(joiner);
}

static void on_ended(void *user, const char *how)
{
    struct joiner *joiner = user;
    struct said said;
    char text[160];

    if (joiner->is_over || joiner->is_parting) {
        end_start(joiner);
        return;
    }
    if (joiner->setup->is_seat && strcmp(how, "exit 0") == 0) {
        finish(joiner, EXIT_DONE, NULL);
        return;
    }
    bot_process_read_stderr(joiner->process);
    join_screen_break(&joiner->screen);
    said_take(&said, bot_process_stderr(joiner->process));
    said_print(stderr, "    ", &said);
    snprintf(text, sizeof text, "the bot has ended: %s", how);
    if (++joiner->failures >= BOT_TRIES) {
        finish(joiner, EXIT_START, text);
    } else {
        start_over(joiner, text);
    }
}

static void on_too_large(void *user, uint64_t held)
{
    (void)user; /* there is no limit */
    (void)held;
}

static const struct bot_process_listener process_listener = {on_ended, on_too_large, on_gone};

/* ------------------------------------------------------------------------ from the host */

static void on_farewell_over(void *user, int64_t now_ns)
{
    (void)now_ns;
    end_start(user);
}

/* The bot also gets the Goodbye, and a moment to end by itself. */
static void take_goodbye(struct joiner *joiner, const char *why)
{
    char text[512];
    struct bg_error err;

    snprintf(text, sizeof text, "goodbye: %.300s; %" PRIu64 " game%s, %" PRIu64 " decision%s", why,
             joiner->games.count, plural_s(joiner->games.count), joiner->decisions,
             plural_s(joiner->decisions));
    say(joiner, text);
    show_line(joiner, joiner->stays ? "the event is over" : "the host has said goodbye");
    joiner->view.event[0] = '\0';
    joiner->is_over = !joiner->stays;
    joiner->is_parting = joiner->stays;
    if (loop_after(joiner->loop, SECOND_NS, on_farewell_over, joiner, &err) != BG_OK) {
        end_start(joiner);
    }
}

static void take_welcome(struct joiner *joiner, const struct wire_welcome *welcome)
{
    char text[512];

    joiner->wait_ns = WAIT_NS;
    joiner->failures = 0;
    snprintf(text, sizeof text, "welcome: %s plays %sin %.200s (%s)", welcome->bot,
             welcome->resuming ? "on " : "", welcome->event, welcome->referee);
    say(joiner, text);
    show_line(joiner, "connected, and in an event");
    snprintf(joiner->view.event, sizeof joiner->view.event, "%s", welcome->event);
    joiner->view.ask.game[0] = '\0';
}

/* The kept bot needs no second Welcome, but the host a Ready. Returns false: the bot has to be
 * started again. */
static bool go_on(struct joiner *joiner, const struct wire_welcome *welcome)
{
    joiner->returns = false;
    if (!kept_bot_fits(&joiner->kept, welcome)) {
        start_over(joiner, "the host has begun anew");
        return false;
    }
    if (wire_pack_ready(&joiner->buffer, "", NULL) != BG_OK ||
        !remote_line_send(joiner->line, joiner->buffer.data, joiner->buffer.size)) {
        start_over(joiner, "the host does not take the bot's messages");
        return false;
    }
    take_welcome(joiner, welcome);
    return true;
}

/* Reads a message for the author. The bot gets every message as it is; returns false if it has no
 * need of this one. */
static bool note_message(struct joiner *joiner, const void *data, size_t size)
{
    struct wire_message message;
    char text[512];

    if (wire_unpack_to_bot(&message, joiner->reader, data, size, NULL) != BG_OK) {
        return true;
    }
    if (message.content == WIRE_WELCOME && joiner->returns) {
        (void)go_on(joiner, message.welcome);
        return false;
    }
    if (message.content == WIRE_WELCOME) {
        kept_bot_welcome(&joiner->kept, message.welcome);
        take_welcome(joiner, message.welcome);
    } else if (message.content == WIRE_REFUSAL) {
        snprintf(text, sizeof text, "the host refuses the bot: %.200s: %.250s", message.what,
                 message.why);
        joiner->is_over = true;
        joiner->exit_status = EXIT_START;
        bg_error_set(joiner->err, BG_E_REFUSED, "%s", text);
    } else if (message.content == WIRE_GOODBYE && !joiner->is_over && !joiner->is_parting) {
        take_goodbye(joiner, message.why);
    } else if (message.content == WIRE_ASKS) {
        for (size_t i = 0; i < message.count; i++) {
            note_ask(joiner, &message.asks[i]);
        }
        joiner->decisions += message.count;
        if (joiner->screen.is_on && message.count > 0) {
            show_ask(joiner, &message.asks[message.count - 1]);
        }
        return kept_bot_ask(&joiner->kept, message.asks, message.count);
    }
    return true;
}

/* Seconds and a reason: this start ends, and the next one begins after that time. */
static void take_wait(struct joiner *joiner, char *rest)
{
    long seconds = strtol(rest, &rest, 10);
    char text[512];

    if (seconds > 0 && seconds <= WAIT_MOST_S) {
        joiner->wait_ns = seconds * SECOND_NS;
        snprintf(text, sizeof text, "%.400s; trying again in %ld s", rest + strspn(rest, " "),
                 seconds);
        say(joiner, text);
        show_line(joiner, text);
    }
}

/* A word and a text of the gateway, not for the bot. */
static void take_note(struct joiner *joiner, const char *data, size_t size)
{
    char text[CONTROL_TEXT], *rest = text;
    const char *word;

    snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), data);
    word = strsep(&rest, " ");
    if (strcmp(word, GATEWAY_STAY) == 0) {
        joiner->stays = true;
    } else if (strcmp(word, GATEWAY_LEAVE) == 0) {
        joiner->stays = false;
    } else if (strcmp(word, GATEWAY_SAY) == 0 && rest != NULL) {
        say(joiner, rest);
    } else if (strcmp(word, GATEWAY_WAIT) == 0 && rest != NULL) {
        take_wait(joiner, rest);
    } else if (strcmp(word, GATEWAY_ASKED) == 0) {
        take_asked(joiner);
    } else if (strcmp(word, GATEWAY_STATUS) == 0 && rest != NULL) {
        take_status(joiner, rest);
    }
}

static void take_message(struct joiner *joiner, const void *data, size_t size)
{
    bool was_over = joiner->is_over;

    if (size > 0 && *(const char *)data == GATEWAY_NOTE) {
        take_note(joiner, (const char *)data + 1, size - 1);
        return;
    }
    if (size == 0 && joiner->is_parting) {
        return; /* its bot has a moment to end by itself */
    }
    if (size == 0) {
        start_over(joiner, "the host has ended this session");
        return;
    }
    if (!note_message(joiner, data, size)) {
        return;
    }
    if (joiner->link->ops->send(joiner->link, joiner->peer, data, size, NULL) != BG_OK &&
        !joiner->is_over && !joiner->is_parting) {
        start_over(joiner, "the bot does not take its messages");
    } else if (joiner->is_over && !was_over && joiner->exit_status != EXIT_DONE) {
        end_start(joiner);
    }
}

static void take_unproven(struct joiner *joiner)
{
    char text[JOIN_WORDS];

    if (joiner->was_proven) { /* its key is right: the line is bad, or the host starts again */
        return;
    }
    if (++joiner->unproven >= UNPROVEN_TRIES) {
        join_words_unproven(text, joiner->setup->host);
        finish(joiner, EXIT_SURROUNDINGS, text);
    }
}

static void take_absent(struct joiner *joiner)
{
    char text[JOIN_WORDS + 16], words[JOIN_WORDS];

    if (!joiner->is_absent) {
        joiner->is_absent = true;
        join_words_absent(words, joiner->setup->host, remote_line_why(joiner->line));
        snprintf(text, sizeof text, "%s; trying again", words);
        say(joiner, text);
        show_line(joiner, text);
    }
}

static void take_proven(struct joiner *joiner)
{
    char text[512];

    joiner->unproven = 0;
    joiner->was_proven = true;
    joiner->is_absent = false;
    snprintf(text, sizeof text, "connected to %s at %.200s; waiting to be called",
             joiner->setup->host->name, joiner->setup->host->endpoint);
    say(joiner, text);
    if (joiner->view.event[0] == '\0') { /* its Welcome may have come first */
        show_line(joiner, "connected, waiting to be called");
    }
}

static void take_turned(struct joiner *joiner)
{
    char text[512];

    snprintf(text, sizeof text, "%s does not let the bot in now: %.250s; trying again",
             joiner->setup->host->name, remote_line_why(joiner->line));
    say(joiner, text);
}

static void take_forbidden(struct joiner *joiner)
{
    char text[JOIN_WORDS];

    join_words_forbidden(text, joiner->setup->host, joiner->setup->own->public.name);
    finish(joiner, EXIT_SURROUNDINGS, text);
}

static void take_news(struct joiner *joiner, enum remote_news news)
{
    switch (news) {
    case REMOTE_NOTHING:
        break;
    case REMOTE_PROVEN:
        take_proven(joiner);
        break;
    case REMOTE_LOST:
        if (joiner->is_over || joiner->is_parting) {
            end_start(joiner);
        } else {
            lose_line(joiner);
        }
        break;
    case REMOTE_ABSENT:
        take_absent(joiner);
        break;
    case REMOTE_UNPROVEN:
        take_unproven(joiner);
        break;
    case REMOTE_TURNED:
        take_turned(joiner);
        break;
    case REMOTE_FORBIDDEN:
        take_forbidden(joiner);
        break;
    }
}

static void take_messages(struct joiner *joiner)
{
    const void *data;
    size_t size;

    while (joiner->line != NULL && remote_line_take(&data, &size, joiner->line)) {
        take_message(joiner, data, size);
    }
}

/* Called after each round. Messages that came before the line was lost are taken before that. What
 * was printed in the round is written once. */
static void on_settle(void *user)
{
    struct joiner *joiner = user;
    enum remote_news news;

    do {
        take_messages(joiner);
        news = joiner->line == NULL ? REMOTE_NOTHING : remote_line_news(joiner->line);
        take_news(joiner, news);
    } while (news != REMOTE_NOTHING);
    if (joiner->has_lines) {
        joiner->has_lines = false;
        fflush(stdout);
    }
    if (joiner->is_dirty) {
        joiner->is_dirty = false;
        join_screen_draw(&joiner->screen, &joiner->view, loop_now(joiner->loop));
    }
}

static void on_line(void *user)
{
    (void)user; /* on_settle reads */
}

/* ------------------------------------------------------------------------ from the bot */

static void open_line(struct joiner *joiner)
{
    struct bg_error err = {.text = ""};
    enum bg_status status;

    status = remote_line_open(&joiner->line, joiner->setup->host, joiner->setup->own,
                              joiner->setup->place, &err);
    if (status == BG_OK) {
        status = loop_watch(joiner->loop, remote_line_fd(joiner->line), on_line, joiner, &err);
    }
    if (status != BG_OK) {
        finish(joiner, EXIT_SURROUNDINGS, err.text);
    }
}

/* To the host. What a kept bot answers while it has no line is lost, and asked again. */
static void pass_on(struct joiner *joiner, const void *data, size_t size)
{
    if (joiner->line != NULL && !remote_line_send(joiner->line, data, size)) {
        start_over(joiner, "the host does not take the bot's messages");
    }
}

/* Another line for the kept bot. */
static void begin_line(void *user, int64_t now_ns)
{
    struct joiner *joiner = user;

    (void)now_ns;
    open_line(joiner);
    joiner->returns = true;
    pass_on(joiner, joiner->kept.hello, joiner->kept.hello_size);
}

static void on_hello(struct joiner *joiner, const struct link_frame *frame)
{
    struct bg_error err;

    joiner->link->ops->shut(joiner->link, joiner->peer);
    if (kept_bot_hello(&joiner->kept, joiner->reader, frame->data, frame->size, &err) != BG_OK) {
        finish(joiner, EXIT_SURROUNDINGS, err.text);
        return;
    }
    open_line(joiner);
    pass_on(joiner, frame->data, frame->size);
}

static void on_frame(void *user, const struct link_frame *frame, int64_t received_ns,
                     int64_t lag_ns)
{
    struct joiner *joiner = user;

    (void)received_ns;
    (void)lag_ns;
    if (frame->peer != joiner->peer || joiner->peer == 0 || frame->what == LINK_STRANGER ||
        frame->what == LINK_COMMAND) {
        return;
    }
    if (frame->what == LINK_LOST && (joiner->is_over || joiner->is_parting)) {
        return; /* its process ends now */
    }
    if (frame->what == LINK_LOST &&
        (joiner->setup->is_seat || bot_process_is_exiting(joiner->process))) {
        return; /* on_ended follows; a seat always ends when its connection does */
    }
    if (frame->what != LINK_MESSAGE) {
        on_ended(joiner, frame->what == LINK_LOST ? frame->text : greeting_parts(frame->what));
        return;
    }
    if (joiner->kept.hello == NULL) {
        on_hello(joiner, frame);
        return;
    }
    joiner->view.is_answered = true;
    kept_bot_answer(&joiner->kept, joiner->reader, frame->data, frame->size);
    if (!joiner->returns) {
        pass_on(joiner, frame->data, frame->size);
    }
}

static bool owns(void *user, pid_t pid)
{
    const struct joiner *joiner = user;

    return bot_process_owns(joiner->process, pid);
}

static void begin_start(void *user, int64_t now_ns)
{
    struct joiner *joiner = user;
    char endpoint[LINK_ENDPOINT];
    struct bg_error err = {.text = ""};
    enum bg_status status =
        joiner->link->ops->open(&joiner->peer, endpoint, joiner->link, owns, joiner, &err);

    (void)now_ns;
    show_line(joiner, "starting the bot");
    joiner->is_parting = joiner->stays = joiner->returns = false;
    kept_bot_deinit(&joiner->kept);
    if (status == BG_OK) {
        status = bot_process_start(joiner->process, endpoint, &err);
    }
    if (status != BG_OK) {
        finish(joiner, status == BG_E_START ? EXIT_START : EXIT_SURROUNDINGS, err.text);
    }
}

/* ------------------------------------------------------------------------ the run */

static void on_signal(void *user)
{
    struct joiner *joiner = user;
    int number = signals_take(joiner->signals);

    if (number != 0) {
        joiner->is_over = true;
        joiner->exit_status = signals_exit_status(number);
        end_start(joiner);
    }
}

static enum bg_status open_all(struct joiner *joiner, struct bg_error *err)
{
    struct bot_process_setup process = {
        .bot = joiner->setup->bot, .listener = &process_listener, .user = joiner};
    enum bg_status status = signals_open(&joiner->signals, err);

    if (status == BG_OK) {
        status = link_zmtp_open(&joiner->link, GREETING_MESSAGE_BYTES, err);
    }
    if (status == BG_OK) {
        status = wire_reader_create(&joiner->reader, ARENA_BYTES, err);
    }
    if (status == BG_OK) {
        status = loop_create(&joiner->loop, err);
    }
    if (status == BG_OK) {
        loop_on_settle(joiner->loop, on_settle, joiner);
        status = loop_add_link(joiner->loop, joiner->link, on_frame, joiner, err);
    }
    if (status == BG_OK) {
        status = loop_watch(joiner->loop, signals_fd(joiner->signals), on_signal, joiner, err);
    }
    if (status == BG_OK) {
        process.loop = joiner->loop;
        status = bot_process_create(&joiner->process, &process, err);
    }
    return status;
}

int joiner_run(const struct joiner_setup *setup, struct bg_error *err)
{
    struct joiner *joiner = calloc(1, sizeof *joiner);
    enum bg_status status;
    int exit_status;

    if (joiner == NULL) {
        bg_error_set(err, BG_E_MEMORY, "join");
        return EXIT_SURROUNDINGS;
    }
    joiner->setup = setup;
    joiner->ticker.joiner = joiner;
    joiner->view.host = setup->host;
    joiner->view.bot = setup->own->public.name;
    joiner->wait_ns = WAIT_NS;
    joiner->err = err;
    (void)launcher_begin();
    status = open_all(joiner, err);
    if (status == BG_OK) {
        status = loop_after(joiner->loop, 0, begin_start, joiner, err);
    }
    if (status == BG_OK && setup->has_screen) {
        join_screen_open(&joiner->screen);
        status = loop_after(joiner->loop, TICK_NS, on_tick, &joiner->ticker, err);
    }
    if (status == BG_OK) {
        status = loop_run(joiner->loop, err);
    }
    if (status == BG_OK) { /* how it ended */
        join_screen_draw(&joiner->screen, &joiner->view, loop_now(joiner->loop));
    }
    join_screen_close(&joiner->screen);
    exit_status = status == BG_OK ? joiner->exit_status : exit_status_of(status);
    if (joiner->loop != NULL) {
        close_line(joiner);
        bot_process_destroy(joiner->process);
    }
    loop_destroy(joiner->loop);
    link_destroy(joiner->link);
    wire_reader_destroy(joiner->reader);
    wire_buffer_deinit(&joiner->buffer);
    kept_bot_deinit(&joiner->kept);
    launcher_end();
    signals_close(joiner->signals);
    free(joiner);
    return exit_status;
}
