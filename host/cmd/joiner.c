/* A joiner joins two things that end independently: a bot's process and a line to the host. Between
 * them it passes messages on unread, but for what its own work needs: Hello (to say it again),
 * Welcome (to see whether a kept bot may go on), the numbers of decisions (to pass on a decision
 * that was asked twice only once), Goodbye and Refusal.
 *
 * Waits grow and shrink by what happened: each start that failed doubles the wait, a Welcome
 * sets it back. A bot that ends again and again without a Welcome ends the run (BOT_TRIES), a
 * host that is away does not: authors leave `bgref join` running for days. */
#include "joiner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/memory.h"
#include "door/gateway.h"
#include "join_words.h"
#include "joiner_inside.h"
#include "loop/signals.h"
#include "process/launcher.h"
#include "seat/greeting.h"
#include "wire/wire.h"
#include "base/said.h"

#define SECOND_NS  INT64_C(1000000000)
#define WAIT_NS    (SECOND_NS / 10)
#define LONGEST_NS (10 * SECOND_NS)
#define PATIENT_NS (5 * SECOND_NS) /* a bot that has waited so long for a Welcome was well */

enum {
    ARENA_BYTES = 4 << 20,
    BOT_TRIES = 5,     /* ends of the bot in a row without a Welcome */
    UNPROVEN_TRIES = 3 /* ends of the connection in a row before the keys were proved */
};

/* ------------------------------------------------------------------------ ending */

static void close_line(struct joiner *joiner)
{
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

/* Ends the process of this start; on_bot_gone follows if there was one. */
static void end_bot(struct joiner *joiner)
{
    joiner->link->ops->close(joiner->link, joiner->peer);
    joiner->peer = 0;
    loop_forget(joiner->loop, joiner);
    bot_process_end(joiner->process);
    if (!bot_process_is_leaving(joiner->process) && joiner->is_over) {
        loop_stop(joiner->loop);
    }
}

/* Ends this start of the bot. Between two starts only its line can end. */
static void end_start(struct joiner *joiner)
{
    close_line(joiner);
    /* Between two starts there is no process, and nobody would stop the loop. */
    if (joiner->peer != 0 || joiner->is_over) {
        end_bot(joiner);
    }
}

static void end_join(struct joiner *joiner, int exit_status, const char *why)
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
    joiner_say(joiner, text);
    end_start(joiner);
}

static void on_bot_gone(void *user)
{
    struct joiner *joiner = user;

    if (joiner->is_over) {
        loop_stop(joiner->loop);
        return;
    }
    loop_after(joiner->loop, joiner->wait_ns, begin_start, joiner);
    lengthen(joiner);
}

/* A bot that keeps nothing in memory goes on by another line; any other is started again. */
static void lose_line(struct joiner *joiner)
{
    if (joiner->setup->is_seat || !kept_bot_can_stay(&joiner->kept) ||
        bot_process_is_exiting(joiner->process)) {
        start_over(joiner, "the line to the host is lost");
        return;
    }
    joiner_say(joiner, "the line to the host is lost; the bot is kept");
    close_line(joiner);
    /* The bot thinks on meanwhile; what it answers without a line is asked again. */
    loop_after(joiner->loop, joiner->wait_ns, begin_line, joiner);
    lengthen(joiner);
}

/* Bots on the SDK wait half a minute for a Welcome, and an event may begin next week. */
static bool has_only_waited(const struct joiner *joiner)
{
    return !joiner->setup->is_seat && joiner->line != NULL && kept_bot_waits(&joiner->kept) &&
           loop_now(joiner->loop) - joiner->hello_ns >= PATIENT_NS;
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
        end_join(joiner, EXIT_DONE, NULL);
        return;
    }
    /* No failure and no line for the author: he would read one each half minute for a week. */
    if (has_only_waited(joiner)) { /* the line stays: the next process says the same Hello */
        joiner->wait_ns = WAIT_NS;
        end_bot(joiner);
        return;
    }
    /* What it printed last is often the reason, and may still be in the pipe. */
    bot_process_read_stderr(joiner->process);
    said_take(&said, bot_process_stderr(joiner->process));
    said_print(stderr, "    ", &said);
    snprintf(text, sizeof text, "the bot has ended: %s", how);
    if (++joiner->failures >= BOT_TRIES) {
        end_join(joiner, EXIT_START, text);
    } else {
        start_over(joiner, text);
    }
}

static void on_too_large(void *user, uint64_t held)
{
    (void)user; /* there is no limit */
    (void)held;
}

static const struct bot_process_listener process_listener = {on_ended, on_too_large, on_bot_gone};

/* ------------------------------------------------------------------------ from the host */

static void on_farewell_over(void *user, int64_t now_ns)
{
    (void)now_ns;
    end_start(user);
}

/* The bot also gets the Goodbye, and a moment to end by itself. */
static void take_goodbye(struct joiner *joiner, const char *why, bool is_replaced)
{
    char text[JOIN_WORDS];

    join_words_goodbye(text, why, joiner->games.count, joiner->decisions);
    joiner_say(joiner, text);
    joiner->is_over = !joiner->stays;
    joiner->is_parting = joiner->stays;
    if (is_replaced) {
        joiner->exit_status = EXIT_REPLACED;
        bg_error_set(joiner->err, BG_E_LINK, JOIN_REPLACED, joiner->setup->own->public.name);
    }
    /* A bot that saves something at its end can; one that does not end by itself is ended. */
    loop_after(joiner->loop, SECOND_NS, on_farewell_over, joiner);
}

static void take_welcome(struct joiner *joiner, const struct wire_welcome *welcome)
{
    char text[JOIN_WORDS];

    joiner->wait_ns = WAIT_NS;
    joiner->failures = 0;
    join_words_welcome(text, welcome);
    joiner_say(joiner, text);
    if (!joiner->setup->is_seat) {
        join_words_limits(text, &welcome->limits);
        joiner_say(joiner, text);
    }
}

/* The kept bot needs no second Welcome, but the host a Ready. Returns false: the bot has to be
 * started again. */
static bool go_on_playing(struct joiner *joiner, const struct wire_welcome *welcome)
{
    joiner->returns = false;
    /* Another event, other limits or options: the bot has to be told, and only a start does
     * that. */
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

static void give(struct joiner *joiner, const void *data, size_t size)
{
    if (joiner->link->ops->send(joiner->link, joiner->peer, data, size, NULL) != BG_OK &&
        !joiner->is_over && !joiner->is_parting) {
        start_over(joiner, "the bot does not take its messages");
    }
}

/* As it was read: the bot's reader might find other options in the host's bytes. */
static void give_welcome(struct joiner *joiner, const struct wire_welcome *welcome)
{
    struct bg_error err;

    if (wire_pack_welcome(&joiner->buffer, welcome, &err) != BG_OK) {
        end_join(joiner, EXIT_SURROUNDINGS, err.text);
        return;
    }
    kept_bot_welcome(&joiner->kept, welcome);
    take_welcome(joiner, welcome);
    give(joiner, joiner->buffer.data, joiner->buffer.size);
}

/* Returns false if the bot must not see it; the run then ends. */
static bool takes_options(struct joiner *joiner, const struct wire_welcome *welcome)
{
    const char *option = kept_bot_forbidden(&joiner->kept, welcome);
    char text[JOIN_WORDS];

    if (option != NULL) {
        join_words_option(text, joiner->setup->host, option);
        end_join(joiner, EXIT_START, text);
    }
    return option == NULL;
}

/* Reads a message for the author. The bot gets every message but the Welcome as it is; returns
 * false if it has no need of this one. */
static bool note_message(struct joiner *joiner, const void *data, size_t size)
{
    struct wire_ask_head asks[WIRE_BATCH_MAX];
    struct wire_message message;
    size_t count;
    char text[512];

    /* Without unpacking positions: a joiner costs little beside its bot. */
    if (wire_read_ask_heads(asks, &count, data, size)) { /* nearly every message */
        joiner_note_asks(joiner, asks, count, data, size);
        return kept_bot_ask(&joiner->kept, asks, count);
    }
    if (wire_unpack_to_bot(&message, joiner->reader, data, size, NULL) != BG_OK) {
        if (joiner->kept.welcome.protocol == 0) { /* the bot might read options in it */
            start_over(joiner, "the host's first message cannot be read");
            return false;
        }
        return true;
    }
    if (message.content == WIRE_WELCOME && !takes_options(joiner, message.welcome)) {
        return false;
    }
    if (message.content == WIRE_WELCOME && joiner->returns) {
        (void)go_on_playing(joiner, message.welcome);
        return false;
    }
    if (message.content == WIRE_WELCOME) {
        give_welcome(joiner, message.welcome);
        return false;
    }
    if (message.content == WIRE_REFUSAL) {
        snprintf(text, sizeof text, "the host refuses the bot: %.200s: %.250s", message.what,
                 message.why);
        joiner->is_over = true;
        joiner->exit_status = EXIT_START;
        bg_error_set(joiner->err, BG_E_REFUSED, "%s", text);
    } else if (message.content == WIRE_GOODBYE && !joiner->is_over && !joiner->is_parting) {
        take_goodbye(joiner, message.why, message.is_replaced);
    }
    return true;
}

static void take_message(struct joiner *joiner, const void *data, size_t size)
{
    bool was_over = joiner->is_over;

    if (size > 0 && *(const char *)data == GATEWAY_NOTE) {
        joiner_take_note(joiner, (const char *)data + 1, size - 1);
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
    give(joiner, data, size);
    if (joiner->is_over && !was_over && joiner->exit_status != EXIT_DONE) {
        end_start(joiner);
    }
}

/* Nothing answers, and the host had said that it ends for good: it took no leave of this line. */
static void take_end_for_good(struct joiner *joiner)
{
    char text[JOIN_WORDS];

    join_words_goodbye(text, "the host has ended, and does not come back", joiner->games.count,
                       joiner->decisions);
    joiner_say(joiner, text);
    end_join(joiner, EXIT_DONE, NULL);
}

static void take_unproven(struct joiner *joiner, bool is_silent)
{
    char text[JOIN_WORDS];

    if (joiner->is_last) {
        take_end_for_good(joiner);
        return;
    }
    if (joiner->was_proven) { /* its key is right: the line is bad, or the host starts again */
        return;
    }
    if (++joiner->unproven >= UNPROVEN_TRIES) {
        (is_silent ? join_words_silent : join_words_unproven)(text, joiner->setup->host);
        end_join(joiner, EXIT_SURROUNDINGS, text);
    }
}

static void take_absent(struct joiner *joiner)
{
    char text[JOIN_WORDS + 16], words[JOIN_WORDS];

    if (joiner->is_last) {
        take_end_for_good(joiner);
    } else if (!joiner->is_absent) {
        joiner->is_absent = true;
        join_words_absent(words, joiner->setup->host, remote_line_why(joiner->line));
        snprintf(text, sizeof text, "%s; trying again", words);
        joiner_say(joiner, text);
    }
}

static void take_proven(struct joiner *joiner)
{
    char text[512];

    joiner->unproven = 0;
    joiner->was_proven = true;
    joiner->is_absent = false;
    joiner->turned[0] = '\0';
    snprintf(text, sizeof text, "connected to %s at %.200s; waiting to be called",
             joiner->setup->host->name, joiner->setup->host->endpoint);
    joiner_say(joiner, text);
}

static void take_turned(struct joiner *joiner)
{
    char text[JOIN_WORDS + 16], words[JOIN_WORDS];

    join_words_turned(words, joiner->setup->host, remote_line_why(joiner->line));
    joiner->unproven = 0; /* somebody who speaks our protocol is there */
    /* The same reason is said once, however often it is tried. */
    if (strcmp(joiner->turned, words) != 0) {
        snprintf(joiner->turned, sizeof joiner->turned, "%s", words);
        snprintf(text, sizeof text, "%s; trying again", words);
        joiner_say(joiner, text);
    }
}

static void take_forbidden(struct joiner *joiner)
{
    char text[JOIN_WORDS];

    join_words_forbidden(text, joiner->setup->host, joiner->setup->own->public.name);
    end_join(joiner, EXIT_SURROUNDINGS, text);
}

static void take_remote_news(struct joiner *joiner, enum remote_news news)
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
    case REMOTE_SILENT:
        take_unproven(joiner, news == REMOTE_SILENT);
        break;
    case REMOTE_TURNED:
        take_turned(joiner);
        break;
    case REMOTE_FORBIDDEN:
        take_forbidden(joiner);
        break;
    }
}

/* Reads only if the line has woken the loop: most rounds are for the bot's answers. */
static void take_messages(struct joiner *joiner)
{
    const void *data;
    size_t size;

    if (!joiner->line_woke) {
        return;
    }
    joiner->line_woke = false;
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
        take_remote_news(joiner, news);
    } while (news != REMOTE_NOTHING);
    if (joiner->has_lines) {
        joiner->has_lines = false;
        fflush(stdout);
    }
}

static void on_remote(void *user)
{
    struct joiner *joiner = user;

    joiner->line_woke = true; /* on_settle reads */
}

/* ------------------------------------------------------------------------ from the bot */

static void open_line(struct joiner *joiner)
{
    struct bg_error err = {.text = ""};
    enum bg_status status;

    status = remote_line_open(&joiner->line, joiner->setup->host, joiner->setup->own,
                              joiner->setup->place, &err);
    if (status == BG_OK) {
        status = loop_watch(joiner->loop, remote_line_fd(joiner->line), on_remote, joiner, &err);
    }
    if (status != BG_OK) {
        end_join(joiner, EXIT_SURROUNDINGS, err.text);
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

    /* One connection for one start: a second process with the token gets none. */
    joiner->link->ops->shut(joiner->link, joiner->peer);
    if (kept_bot_hello(&joiner->kept, joiner->reader, frame->data, frame->size, &err) != BG_OK) {
        end_join(joiner, EXIT_SURROUNDINGS, err.text);
        return;
    }
    joiner->hello_ns = loop_now(joiner->loop);
    if (joiner->line != NULL && kept_bot_says_same(&joiner->kept, &joiner->before)) {
        return; /* it waits on the line of the start before */
    }
    close_line(joiner);
    open_line(joiner);
    pass_on(joiner, frame->data, frame->size);
}

static void on_bot_frame(void *user, const struct link_frame *frame, int64_t received_ns,
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
    kept_bot_answer(&joiner->kept, frame->data, frame->size);
    if (!joiner->returns) {
        pass_on(joiner, frame->data, frame->size);
    }
}

static bool owns_bot(void *user, pid_t pid)
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
        joiner->link->ops->open(&joiner->peer, endpoint, joiner->link, owns_bot, joiner, &err);

    (void)now_ns;
    joiner->is_parting = joiner->returns = false;
    joiner->stays = joiner->stays && joiner->line != NULL; /* a new one is told again */
    kept_bot_deinit(&joiner->before);
    joiner->before = joiner->kept;
    joiner->kept = (struct kept_bot){.hello = NULL};
    if (status == BG_OK) {
        status = bot_process_start(joiner->process, endpoint, &err);
    }
    if (status != BG_OK) {
        end_join(joiner, status == BG_E_START ? EXIT_START : EXIT_SURROUNDINGS, err.text);
    }
}

/* ------------------------------------------------------------------------ the run */

static void on_end_signal(void *user)
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

    if (competitor_is_person(joiner->setup->bot)) {
        signals_keep_running();
    }
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
        status = loop_add_link(joiner->loop, joiner->link, on_bot_frame, joiner, err);
    }
    if (status == BG_OK) {
        status = loop_watch(joiner->loop, signals_fd(joiner->signals), on_end_signal, joiner, err);
    }
    if (status == BG_OK) {
        process.loop = joiner->loop;
        joiner->process = bot_process_create(&process);
    }
    return status;
}

int joiner_run(const struct joiner_setup *setup, struct bg_error *err)
{
    struct joiner *joiner = memory_zeroed(1, sizeof *joiner);
    enum bg_status status;
    int exit_status;

    joiner->setup = setup;
    joiner->wait_ns = WAIT_NS;
    joiner->err = err;
    /* Before the first process: orphans below it become this process's children, and are ended. */
    (void)launcher_begin();
    status = open_all(joiner, err);
    if (status == BG_OK) {
        loop_after(joiner->loop, 0, begin_start, joiner);
        status = loop_run(joiner->loop, err);
    }
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
    kept_bot_deinit(&joiner->before);
    launcher_end();
    signals_close(joiner->signals);
    free(joiner);
    return exit_status;
}
