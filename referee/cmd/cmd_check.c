/* cmd_check.c - bgref check: does one bot play, know the rules and keep the protocol? An
 * examination takes long, so everything that is to be written is tried before it, and the
 * certificate's file is opened: a mistyped name must not cost its result. */
#include "referee_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <base/exit_status.h>
#include <base/output.h>

#include "check/bot_certificate.h"
#include "check/levels.h"
#include "bot/program.h"
#include "bot/command.h"
#include "bot/registry.h"
#include "check_verify.h"
#include "cmd/command.h"
#include "base/utc.h"

enum { WORDS_MAX = 64 };
#define START_NS   (INT64_C(30) * 1000000000)
#define CEILING_NS (INT64_C(10) * 1000000000)
#define LIMIT_NS   INT64_C(1000000000)

struct arguments {
    struct command_words
        words; /* the bot: a name or path, then option.X=V; or, quoted, a command */
    bool all;  /* every failure is shown */
    int level;
    const char *game, *json, *junit;
    const char *out, *key;       /* the signed certificate, and the key that signs it */
    const char *verify, *signer; /* a certificate to be checked, and whose it must be */
    int64_t start_ns, limit_ns;
};

static void refuse_contradictions(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->verify != NULL) {
        if (arguments->words.count > 0 || arguments->out != NULL || arguments->key != NULL) {
            command_misuse("--verify reads a certificate, and examines no bot: 'bgref check "
                           "--verify FILE'");
        }
        return;
    }
    if (arguments->signer != NULL) {
        command_misuse("--signer %s belongs to --verify FILE", arguments->signer);
    }
    if (arguments->words.count == 0) {
        command_misuse("which bot? 'bgref check greedy', 'bgref check ./mybot', or "
                       "'bgref check -- ./mybot --fast'");
    }
    if (arguments->out != NULL && arguments->key == NULL) {
        command_misuse("--out %s: a certificate is signed: --key NAME.key ('bgref keygen --sign "
                       "NAME' makes one)",
                       arguments->out);
    }
    if (arguments->key != NULL && arguments->out == NULL) {
        command_misuse("--key %s signs the certificate of --out FILE", arguments->key);
    }
    if (arguments->out != NULL && strcmp(arguments->out, "-") == 0) {
        command_misuse("--out -: a certificate needs a file");
    }
}

static const struct command_row options[] = {
    {"level", 'l', .value = "N", .help = "Examine up to this level (default 2)", COMMAND_INT(level),
     .most = CERTIFICATE_LEVELS - 1},
    {"game", 'g', .value = "GAME",
     .help = "The game of 'bgref rules' to be examined in, 'all' for every game that the bot plays "
             "(default backgammon)",
     COMMAND_TEXT(game)},
    {"start", .value = "TIME", .help = "Most time from its start until it is ready (default 30s)",
     COMMAND_TIME(start_ns)},
    {"move", .value = "TIME", .help = "Most time for a decision where a clock runs (default 1s)",
     COMMAND_TIME(limit_ns)},
    {"all", .help = "Show every failure, not only three of each rule", COMMAND_FLAG(all)},
    {"out", .value = "FILE",
     .help = "Write a signed certificate: date, level, digests of the program and of the files it "
             "opened",
     COMMAND_TEXT(out)},
    {"key", .value = "FILE",
     .help = "The key that signs it: NAME.key of 'bgref keygen --sign NAME'", COMMAND_TEXT(key)},
    {"verify", .value = "FILE",
     .help = "Examine nothing: check the signature of this certificate, and say which of its files "
             "have "
             "changed since",
     COMMAND_TEXT(verify)},
    {"signer", .value = "FILE", .help = "With --verify: it must be signed by this key, NAME.pub",
     COMMAND_TEXT(signer)},
    {"json", .value = "FILE", .help = "Write the certificate as JSON too; - is standard output",
     COMMAND_TEXT(json)},
    {"junit", .value = "FILE", .help = "Write the findings as JUnit XML too", COMMAND_TEXT(junit)},
    {0}};

static const struct command_row words[] = {{"bot", COMMAND_LIST(words)}, {0}};

static const struct command command = {
    .usage = "BOT [option.NAME=VALUE...]\n-- COMMAND [ARGUMENT...]\n--verify FILE",
    .help =
        "Examines one bot. Level 0: it starts, greets and plays a legal game. Level 1: it knows "
        "the "
        "rules, tried by positions in which each of them matters, all rolls, the cube, match "
        "scores, "
        "resignations. Level 2: it keeps the protocol: many questions at once, unknown messages, a "
        "running clock, the first question of each kind in a new process, the same answer to the "
        "same "
        "question, an orderly end, no growing memory.\v"
        "Each failure names position, roll, answer and rule, and a command that shows it again; "
        "three "
        "failures of each rule or fault are shown. Exit "
        "status: 0 every level asked for is reached (with --verify: nothing has changed), 1 not, 2 "
        "misuse or no such bot, 5 our own surroundings failed, 6 the signature does not hold.",
    .options = options,
    .words = words,
    .check = refuse_contradictions,
    .in_order = true,
};

/* ---------------------------------------------------------------------- the bot */

static enum bg_status find_subject(struct competitor *out, const struct arguments *arguments,
                                   struct bg_error *err)
{
    struct registry *registry = NULL;
    enum bg_status status = registry_open(&registry, err);

    if (status == BG_OK && arguments->words.is_quoted) {
        *out = (struct competitor){.name = "bot"};
        for (int i = 0; i < arguments->words.count && status == BG_OK; i++) {
            if (!command_append(out->cmd, sizeof out->cmd, arguments->words.word[i])) {
                status = bg_error_set(err, BG_E_ARGUMENT, "the command is too long");
            }
        }
        if (status == BG_OK && strchr(arguments->words.word[0], '/') != NULL) {
            static struct competitor same; /* large */

            /* Only for its message: a path that is no program is named before anything is
             * started. */
            status = registry_resolve(&same, registry, arguments->words.word[0], err);
        }
    } else if (status == BG_OK) {
        status = registry_engine(out, registry, arguments->words.word, arguments->words.count, err);
    }
    registry_close(registry);
    return status;
}

/* -------------------------------------------------------------- the examination */

static void look(const struct check_run *run)
{
    if (run->opened != NULL) {
        opened_look(run->opened);
    }
}

static enum bg_status examine(struct certificate *certificate, struct check_run *run,
                              const struct examiner_setup *setup, struct bg_error *err)
{
    struct corpus corpus = {.cases = NULL};
    enum bg_status status = examiner_open(&run->examiner, setup, err);

    if (status != BG_OK) {
        return status;
    }
    snprintf(certificate->version, sizeof certificate->version, "%s",
             examiner_version(run->examiner));
    snprintf(certificate->options, sizeof certificate->options, "%s",
             examiner_options(run->examiner));
    run->corpus = &corpus;
    look(run);
    status = check_plays(run, err);
    if (status == BG_OK && certificate->asked >= 1) {
        corpus_create(&corpus, run->variant);
        status = check_rules(run, err);
    }
    if (status == BG_OK && certificate->asked >= 2) {
        status = check_protocol(run, err);
    }
    if (status == BG_OK && certificate->asked >= 2) {
        status = check_first(run, err);
    }
    look(run);
    examiner_close(run->examiner);
    run->corpus = NULL;
    corpus_deinit(&corpus);
    return status;
}

/* Records that a game's examination ended early: with the question at which it did, if there is
 * one. finding is the last of the certificate. */
static void fail_to_go_on(struct finding *finding, const struct certificate *certificate,
                          const char *why)
{
    const size_t length = strcspn(why, ";");
    const struct failure *cause = NULL;

    for (size_t i = 0; i + 1 < certificate->count; i++) {
        const struct finding *before = &certificate->list[i];

        for (size_t j = 0; j < before->failures; j++) {
            if (before->failure[j].again[0] != '\0' &&
                strncmp(before->failure[j].message, why, length) == 0) {
                cause = &before->failure[j];
            }
        }
    }
    finding_fail(finding, "", "", cause == NULL ? why : cause->message,
                 cause == NULL ? NULL
                               : &(struct again){.rules = cause->rules_say, .bot = cause->again});
}

/* Examines one game. A bot that does not start, or does not start again, is a finding like
 * others. */
static enum bg_status examine_game(struct certificate *certificate, const struct competitor *bot,
                                   const struct bg_variant *variant, bool must_play,
                                   const struct arguments *arguments, struct opened *opened,
                                   struct bg_error *err)
{
    const struct bg_rules rules = bg_rules_default(variant, 0);
    struct check_run run = {.certificate = certificate,
                            .variant = variant,
                            .bot = bot,
                            .opened = opened,
                            .start_ns = arguments->start_ns,
                            .limit_ns = arguments->limit_ns};
    struct bg_error why = {.text = ""};
    enum bg_status status = examine(certificate, &run,
                                    &(struct examiner_setup){.bot = bot,
                                                             .rules = &rules,
                                                             .start_ns = arguments->start_ns,
                                                             .ceiling_ns = CEILING_NS,
                                                             .reads_thoughts = true,
                                                             .said = &run.said},
                                    &why);
    struct finding *finding;
    char name[96];

    if (status != BG_E_START) {
        if (status != BG_OK) {
            *err = why;
        }
        return status;
    }
    if (!must_play && strstr(why.text, "refused: game") != NULL) {
        return BG_OK; /* not a game of this bot */
    }
    snprintf(name, sizeof name, "%s: it starts and goes on", bg_variant_id(variant));
    finding = certificate_add(certificate, 0, name);
    fail_to_go_on(finding, certificate, why.text);
    finding_said(finding, &run.said);
    return BG_OK;
}

static enum bg_status examine_all(struct certificate *certificate, const struct competitor *bot,
                                  const struct arguments *arguments, struct opened *opened,
                                  struct bg_error *err)
{
    const struct bg_variant *variant = NULL;
    const char *game = arguments->game;
    enum bg_status status = BG_OK;

    if (strcmp(game, "all") == 0) {
        for (int i = 0; bg_variant_at(i) != NULL && status == BG_OK; i++) {
            status =
                examine_game(certificate, bot, bg_variant_at(i), i == 0, arguments, opened, err);
        }
        return status;
    }
    status = bg_variant_read(&variant, game, err);
    return status == BG_OK ? examine_game(certificate, bot, variant, true, arguments, opened, err)
                           : status;
}

/* ------------------------------------------------------------------- the outcome */

static enum bg_status write_files(const struct certificate *certificate,
                                  const struct arguments *arguments, struct bg_error *err)
{
    struct output json = {0}, junit = {0};
    enum bg_status status = BG_OK;

    if (arguments->json != NULL) {
        status = output_open(&json, arguments->json, err);
        if (status == BG_OK) {
            status = certificate_write_json(json.file, certificate, err);
        }
        if (status == BG_OK) {
            status = output_close(&json, err);
        }
    }
    if (status == BG_OK && arguments->junit != NULL) {
        status = output_open(&junit, arguments->junit, err);
        if (status == BG_OK) {
            certificate_write_junit(junit.file, certificate);
            status = output_close(&junit, err);
        }
    }
    output_discard(&json);
    output_discard(&junit);
    return status;
}

static enum bg_status write_signed(struct output *output, const struct certificate *certificate,
                                   const struct competitor *bot, struct opened *opened,
                                   const struct arguments *arguments,
                                   const struct sign_secret *secret, struct bg_error *err)
{
    struct bot_certificate *made = memory_zeroed(1, sizeof *made);
    enum bg_status status;

    bot_certificate_make(made, certificate, arguments->game, bot, opened);
    bot_certificate_write(output->file, made, secret);
    status = output_close(output, err);
    bot_certificate_deinit(made);
    free(made);
    return status;
}

/* Examines the bot, and prints and writes what was found. Returns the exit status of the levels in
 * *code. */
static enum bg_status check(int *code, const struct competitor *bot,
                            const struct arguments *arguments, const struct sign_secret *secret,
                            struct output *out, struct bg_error *err)
{
    struct certificate certificate = {.asked = arguments->level};
    struct opened *opened = arguments->out == NULL ? NULL : opened_begin(bot);
    struct program program;
    const int64_t begun_ns = utc_steady_ns();
    enum bg_status status;

    snprintf(certificate.bot, sizeof certificate.bot, "%s", bot->name);
    program_of(&program, bot);
    memcpy(certificate.program, program.digest, sizeof program.digest);
    status = examine_all(&certificate, bot, arguments, opened, err);
    if (status == BG_OK) {
        certificate.seconds = (double)(utc_steady_ns() - begun_ns) / 1e9;
        if (arguments->json == NULL || strcmp(arguments->json, "-") != 0) {
            certificate_write_text(stdout, &certificate, arguments->all);
        }
        status = write_files(&certificate, arguments, err);
    }
    if (status == BG_OK && opened != NULL) {
        status = write_signed(out, &certificate, bot, opened, arguments, secret, err);
    }
    *code = certificate_level(&certificate) == certificate.asked ? EXIT_DONE : EXIT_CHECK;
    opened_destroy(opened);
    certificate_deinit(&certificate);
    return status;
}

static enum bg_status check_outputs(const struct arguments *arguments, struct bg_error *err)
{
    const char *const paths[] = {arguments->json, arguments->junit};
    enum bg_status status = BG_OK;

    for (size_t i = 0; status == BG_OK && i < sizeof paths / sizeof paths[0]; i++) {
        if (paths[i] != NULL && strcmp(paths[i], "-") != 0) {
            status = output_may_write(paths[i], err);
        }
    }
    return status;
}

int cmd_check(int argc, char **argv)
{
    static struct competitor bot; /* large */
    struct arguments arguments = {.level = CERTIFICATE_LEVELS - 1,
                                  .start_ns = START_NS,
                                  .limit_ns = LIMIT_NS,
                                  .game = "backgammon"};
    struct bg_error err = {.text = ""};
    struct sign_secret secret = {.key = {0}};
    struct output out = {0};
    enum bg_status status = BG_OK;
    int code = EXIT_DONE;

    command_read(&command, argc, argv, &arguments);
    if (arguments.verify != NULL) {
        return check_verify(arguments.verify, arguments.signer);
    }
    /* wrong names are refused before the examination */
    status = check_outputs(&arguments, &err);
    if (status == BG_OK && arguments.out != NULL) {
        status = sign_secret_read(&secret, arguments.key, &err);
        if (status == BG_OK) {
            status = output_open(&out, arguments.out, &err);
        }
    }
    if (status == BG_OK) {
        status = find_subject(&bot, &arguments, &err);
    }
    if (status == BG_OK) {
        status = check(&code, &bot, &arguments, &secret, &out, &err);
    }
    output_discard(&out);
    sign_secret_wipe(&secret);
    if (status != BG_OK) {
        command_say(err.text);
        return exit_status_of(status);
    }
    return code;
}
