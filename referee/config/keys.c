/* Rows stand in the order of the help. A row's place is also its number in config_event.given,
 * which keeps for each key from where its value is: so a flag finds what it replaces, and a
 * message its line. Two names of one member are two rows with the same offset, the second an
 * alias. */
#include "keys.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/closest.h"
#include "values.h"

#define AT(member) offsetof(struct config_event, member)

static const char *const forfeit_words[] = {"position", "single", NULL};
static const char *const fault_words[] = {"game", "match", NULL};

static const char *const dice_words[] = {"drawn", "manual", NULL};
static const char *const durable_words[] = {"game", "decision", NULL};
static const char *const thoughts_words[] = {"keep", "drop", NULL};
static const char *const absent_words[] = {"stop", "unplayed", NULL};
static const char *const sandbox_words[CONFIG_SANDBOX_COUNT + 1] = {
    [CONFIG_SANDBOX_OFF] = "off",
    [CONFIG_SANDBOX_AUTO] = "auto",
    [CONFIG_SANDBOX_ON] = "on",
};

static const char *const revisions_words[CONFIG_REVISIONS_COUNT + 1] = {
    [CONFIG_REVISIONS_FREEZE] = "freeze",
    [CONFIG_REVISIONS_SAME] = "same",
};

static const char *const broadcast_words[CONFIG_BROADCAST_COUNT + 1] = {
    [CONFIG_BROADCAST_MOVES] = "moves",
    [CONFIG_BROADCAST_GAMES] = "games",
    [CONFIG_BROADCAST_RESULTS] = "results",
};

static const struct key_gone new_entry = {
    "new_entry",
    "take freeze (the default) or same; to enter a changed program as a new entrant, "
    "withdraw the old bot at the desk and add the new one to 'bots' under another name"};

static const char *const trust_words[CONFIG_TRUST_COUNT + 1] = {
    [CONFIG_TRUST_AUTO] = "auto",
    [CONFIG_TRUST_OWN] = "own",
    [CONFIG_TRUST_STRANGERS] = "strangers",
};

static const char *const opening_words[BG_OPENING_COUNT + 1] = {
    [BG_OPENING_PLAY] = "play",         [BG_OPENING_REROLL] = "reroll",
    [BG_OPENING_CHOICE] = "choice",     [BG_OPENING_SUM_REROLL] = "sum-reroll",
    [BG_OPENING_SUM_PLAY] = "sum-play", [BG_OPENING_WINNER] = "winner",
};

static const char *const next_words[BG_NEXT_COUNT + 1] = {
    [BG_NEXT_SAME] = "same",
    [BG_NEXT_WINNER] = "winner",
    [BG_NEXT_HOYLE] = "hoyle",
    [BG_NEXT_ALTERNATE] = "alternate",
};

static const struct key keys[] = {
    {"event", KEY_NAME, AT(name), .help = "name of the event"},
    {"name", KEY_NAME, AT(name), .alias = true, .help = "the same as event"},
    {"title", KEY_LINE, AT(about.text[ABOUT_TITLE]),
     .help = "title of the report; none: the event's name. Like the next four: one line for "
             "people, which may change at any time"},
    {"place", KEY_LINE, AT(about.text[ABOUT_PLACE]), .help = "where it is held; none"},
    {"date", KEY_LINE, AT(about.text[ABOUT_DATE]),
     .help = "when, in words; none: from its first to its last run"},
    {"organiser", KEY_LINE, AT(about.text[ABOUT_ORGANISER]), .help = "who holds it; none"},
    {"director", KEY_LINE, AT(about.text[ABOUT_DIRECTOR]), .help = "who directs it; none"},
    {"variant", KEY_VARIANT, AT(rules), .results = true,
     .help = "game of 'bgref rules', with options like long-nardi:head=any; or a rotation: tavli"},
    {"length", KEY_LENGTH, AT(rules.length_points), 0, 10000, .results = true,
     .help = "points of a match; 0 or money: games that count alone"},
    {"pairs", KEY_COUNT, AT(pairs), 1, 1000000000,
     .help =
         "pairs of fixtures that any two bots play (with duplicate: same dice, seats exchanged)"},
    {"rounds", KEY_COUNT, AT(pairs), 1, 1000000000, .alias = true, .help = "the same as pairs"},
    {"schedule", KEY_SCHEDULE, AT(schedule),
     .help = "form of the event: round-robin, circle, gauntlet, swiss, knockout, "
             "double-elimination, ladder or league, with options: swiss rounds=5 then knockout "
             "take=2 best_of=5"},
    {"stages", KEY_SCHEDULE, AT(schedule), .alias = true,
     .help = "the same as schedule; in a file also a list of stages"},
    {"conditions", KEY_CONDITIONS, AT(conditions),
     .help = "rules that differ by pairing: 'ann,bob cube=off length=7; ann,cy cube=off'; words: "
             "cube, length, crawford, jacoby, beavers; none"},
    {"seeds", KEY_LIST, AT(seeds),
     .help = "order of the seeds in a schedule: lot, entry (as in bots), rating=FILE.db (table of "
             "an earlier event), or all names"},
    {"duplicate", KEY_FLAG, AT(duplicate), .results = true,
     .help = "every fixture twice with the same dice and exchanged seats; off: once"},
    {"cube", KEY_FLAG, AT(rules.cube), .results = true, .rules = true, .help = "doubling cube"},
    {"cube_limit", KEY_INT, AT(rules.cube_limit), 0, 1 << 30, .results = true, .rules = true,
     .help =
         "largest value of the cube, a power of 2; at this value no double is allowed; 0: none"},
    {"jacoby", KEY_FLAG, AT(rules.jacoby), .results = true, .rules = true,
     .help = "money: gammons count only after a taken double"},
    {"crawford", KEY_FLAG, AT(rules.crawford), .results = true, .rules = true,
     .help = "match: one game without cube when a side is one point away"},
    {"beavers", KEY_BEAVERS, AT(rules.beavers), .results = true, .rules = true,
     .help = "money: redouble at once when doubled; a number: how many raises in total"},
    {"raises", KEY_RAISES, AT(rules.raises), 0, 38, .results = true, .rules = true,
     .help = "money: raises after the beaver (1: raccoon), or unlimited"},
    {"raccoons", KEY_RACCOONS, AT(rules.raises), .alias = true, .help = "on is raises 1"},
    {"auto_doubles", KEY_INT, AT(rules.auto_doubles), 0, 38, .results = true, .rules = true,
     .help = "money: most automatic doubles a game"},
    {"holland", KEY_FLAG, AT(rules.holland), .results = true, .rules = true,
     .help = "match: no double before two turns of each side after the Crawford game"},
    {"opening", KEY_WORD, AT(rules.opening), .words = opening_words, .results = true, .rules = true,
     .help = "who begins: play, reroll, choice, sum-reroll, sum-play or winner"},
    {"next", KEY_WORD, AT(rules.next), .words = next_words, .results = true, .rules = true,
     .help = "who begins the next game: same, winner, hoyle or alternate"},
    {"turn_cap", KEY_INT, AT(rules.turn_cap), 0, 1000000, .results = true, .rules = true,
     .help = "turns a side after which a game is drawn; 0: none"},
    {"forfeit", KEY_CHOICE, AT(rules.forfeit_single), .words = forfeit_words, .results = true,
     .rules = true, .help = "price of a fault: what the position allows, or single"},
    {"fault", KEY_CHOICE, AT(rules.fault_match), .words = fault_words, .results = true,
     .rules = true, .help = "what a fault costs: the game or the match"},
    {"flag", KEY_CHOICE, AT(rules.flag_match), .words = fault_words, .results = true, .rules = true,
     .help = "what a late answer costs: the game or the match; with a bank, which is of a whole "
             "match, the match"},
    {"clock", KEY_CLOCK, AT(clock), .results = true,
     .help = "none, move=50ms, bank=60s,inc=100ms or bank=2m/pt,delay=12s"},
    {"margin", KEY_TIME, AT(margin_ns), .results = true,
     .help = "time forgiven before a flag falls"},
    {"ceiling", KEY_TIME, AT(ceiling_ns), 1, .results = true,
     .help = "most time for one decision, with any clock"},
    {"start", KEY_TIME, AT(start_ns), 1, .help = "most time from a bot's start to its greeting"},
    {"new_game", KEY_TIME, AT(new_game_ns), 1, .help = "most time to get ready for a game"},
    {"concurrency", KEY_CORES, AT(concurrency), 1, 65536,
     .help = "tables at once; 0: the cores, -1: the cores but one"},
    {"instances", KEY_INT, AT(instances), 1, 1024, .help = "processes of each bot"},
    {"affinity", KEY_AFFINITY, AT(affinity),
     .help = "cores on which bots run: auto (a core for each process, in turn; with one table at "
             "once one for the bots and the referee), a list like 0,2-3, or off (any core)"},
    {"quarantine", KEY_INT, AT(quarantine), 1, 1000000,
     .help = "faults after which a bot's remaining fixtures stay unplayed"},
    {"strict", KEY_FLAG, AT(strict), .help = "stop at the first fault (exit status 4)"},
    {"absent", KEY_CHOICE, AT(absent_unplayed), .words = absent_words,
     .help = "a bot that does not start: stop (exit status 3), or go on without it and leave its "
             "fixtures unplayed until a later run"},
    {"revisions", KEY_WORD, AT(revisions), .words = revisions_words, .gone = &new_entry,
     .help = "a bot whose program or version changed since its last game: freeze (refused), or "
             "same (goes on under its name; every table says so)"},
    {"memory", KEY_BYTES, AT(memory_bytes), 1 << 20, UINT64_C(1) << 50,
     .help = "most memory that a process of a bot may hold with its children, like 2G; none"},
    {"open_files", KEY_INT_OR_0, AT(open_files), 16, 1 << 20,
     .help = "most files that a process of a bot may have open; 0: 128. A bot needs tens"},
    {"sandbox", KEY_WORD, AT(sandbox), .words = sandbox_words,
     .help = "bots see the system read-only, their folder, no network and no other process: on, "
             "off, or auto (where this machine can)"},
    {"trust", KEY_WORD, AT(trust), .words = trust_words,
     .help = "strangers: single games, so that no process meets dice twice (bots must be "
             "confined); own: a process may play both legs of a pair; auto: strangers where bots "
             "are confined or dice committed"},
    {"dice", KEY_CHOICE, AT(manual_dice), .words = dice_words,
     .help = "drawn: by the referee, from a key; manual: people roll at a board, and the operators "
             "of both sides type each roll"},
    {"seed", KEY_SEED, AT(seed), .results = true,
     .help = "a number makes dice repeatable; random: a key that is secret until the end"},
    {"commit", KEY_FLAG, AT(commit), .results = true,
     .help =
         "both bots take part in making the dice of each pair, so that no party can choose them"},
    {"key_file", KEY_PATH, AT(key_file),
     .help = "a file of 32 bytes that is the key of the dice, for events that are to be repeated; "
             "else a random key"},
    {"results", KEY_PATH, AT(results), .help = "the database"},
    {"durable", KEY_CHOICE, AT(durable_decision), .words = durable_words,
     .help = "what is stored before a bot hears more: game (a game that a kill cuts off is played "
             "again with the same dice) or decision (it goes on at its open decision, with its "
             "clocks)"},
    {"thoughts", KEY_CHOICE, AT(drop_thoughts), .words = thoughts_words,
     .help =
         "what bots tell of a decision beside their answer (chances, equity, a few words): keep "
         "(in the records, never shown to a bot) or drop (bots are not asked for it)"},
    {"judge", KEY_JUDGE, AT(judge),
     .help = "who values the games while they are played, for results without luck: gnubg, "
             "gnubg:errors, td:errors; none"},
    {"judge_sandbox", KEY_WORD, AT(judge_sandbox), .words = sandbox_words,
     .help = "the judge sees the system read-only, its folder, no network, no results: auto (where "
             "this machine can), on, off"},
    {"store_wait", KEY_TIME, AT(store_wait_ns), 0,
     .help = "most time that results may not be writable (full disk, foreign lock) before the run "
             "stops; tried again each second"},
    {"rating_interval", KEY_INTERVAL, AT(rating_interval_s), 0, 1000000000,
     .help = "time between two tables while it runs, 0s: none; or a number of games between two "
             "'Elo:' lines, which turns chess_lines on"},
    {"score_interval", KEY_COUNT, AT(score_interval), 0, 1000000000,
     .help = "chess lines: games between two 'Score of' lines, 0: none; turns chess_lines on"},
    {"outcome_interval", KEY_COUNT, AT(outcome_interval), 0, 1000000000,
     .help = "chess lines: games between two 'Outcomes of' lines, 0: none; turns chess_lines on"},
    {"chess_lines", KEY_FLAG, AT(chess_lines),
     .help = "lines on standard output that scripts of chess harnesses read: 'Started game', "
             "'Finished game', 'Score of', 'Elo:', 'LLR:'"},
    {"events", KEY_PATH, AT(events),
     .help = "a JSON line for everything that happens: to a file, to fd:N, or - for standard "
             "output (docs/events.md)"},
    {"metrics", KEY_PATH, AT(metrics),
     .help = "a file of numbers for monitoring, in the text format of Prometheus, replaced every "
             "5 s; off"},
    {"page", KEY_PATH, AT(page),
     .help = "pages of the event while it is played, with running games: tcp://127.0.0.1:8080"},
    {"broadcast_delay", KEY_TIME, AT(broadcast_delay_ns), 0,
     .help = "pages show nothing that is younger; in a file, broadcast: {delay: 30s}"},
    {"broadcast_release", KEY_WORD, AT(broadcast), .words = broadcast_words,
     .help = "what pages show of games: moves (as they are made), games (once they have ended) or "
             "results (none); of duplicate pairs nothing before both games have ended"},
    {"broadcast_spectators", KEY_INT, AT(broadcast_spectators), 0, 100000,
     .help = "most who follow live boards at once; others see pages"},
    {"broadcast_proxy", KEY_PATH, AT(broadcast_proxy),
     .help = "the web server before the pages, as 127.0.0.1: connections are limited by the "
             "address that it writes last in X-Forwarded-For"},
    {"sprt", KEY_SPRT, AT(sprt), .results = true,
     .help = "sequential test that ends a duel: ppg0=0 ppg1=0.05, for matches elo0=0 elo1=50; also "
             "alpha=, beta=, model=, statistic=plain|luck, min_clusters=; off"},
    {"openings", KEY_OPENINGS, AT(openings), .results = true,
     .help = "positions from which pairs begin: file=x.xgid; also format=auto|xgid|position, "
             "order=sequential|random, start= (passed over first); off"},
    {"door", KEY_DOOR, AT(door),
     .help = "how remote bots join: listen=tcp://0.0.0.0:5555 key=host.key allow=allow.yaml; also "
             "address= (where others reach it), file= (the host file for authors), appear= (most "
             "time to appear, 5m), grace= (to be away in a game while the opponent has to answer, "
             "2m); off"},
    {"exit_verdict", KEY_FLAG, AT(exit_verdict),
     .help = "a sequential test ends in exit status 10 (H1), 11 (H0) or 12 (undecided)"},
};

enum { KEYS = sizeof keys / sizeof keys[0] };
_Static_assert((int)KEYS <= (int)CONFIG_KEYS_MAX, "config_event.given has a place for every key");

const struct key *key_at(int i)
{
    return i >= 0 && i < KEYS ? &keys[i] : NULL;
}

int key_number(const struct key *key)
{
    return (int)(key - keys);
}

const struct key *key_find(const char *name)
{
    for (int i = 0; i < KEYS; i++) {
        const char *a = keys[i].name, *b = name;

        /* auto_doubles in the file and --auto-doubles as a flag are the same key */
        while (*a != '\0' && (*a == *b || (*a == '_' && *b == '-'))) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0') {
            return &keys[i];
        }
    }
    return NULL;
}

const char *key_near(const char *name)
{
    const char *names[KEYS + 1];

    for (int i = 0; i < KEYS; i++) {
        names[i] = keys[i].name;
    }
    names[KEYS] = "bots";
    return closest_name(name, names, KEYS + 1);
}

bool config_key(struct config_key *out, const struct config_event *event, int i)
{
    if (i < 0 || i >= KEYS) {
        return false;
    }
    *out = (struct config_key){.name = keys[i].name,
                               .help = keys[i].help,
                               /* Beavers and raccoons may have a number, but without one they
                                * are switches, as --beavers. */
                               .is_flag = keys[i].kind == KEY_FLAG || keys[i].kind == KEY_BEAVERS ||
                                          keys[i].kind == KEY_RACCOONS,
                               .is_alias = keys[i].alias,
                               .is_result = keys[i].results};
    value_write(out->value, sizeof out->value, event, &keys[i]);
    return true;
}

const struct key *key_given(const struct config_event *event, const struct key *key)
{
    for (int i = 0; i < KEYS; i++) {
        if (keys[i].offset == key->offset && event->given[i] != CONFIG_DEFAULT) {
            return &keys[i];
        }
    }
    return NULL;
}

bool config_event_is_given(const struct config_event *event, const char *name)
{
    const struct key *key = key_find(name);

    assert(key != NULL);
    return key_given(event, key) != NULL;
}

bool config_sandbox_read(enum config_sandbox *out, const char *text)
{
    for (int i = 0; i < CONFIG_SANDBOX_COUNT; i++) {
        if (strcmp(sandbox_words[i], text) == 0) {
            *out = (enum config_sandbox)i;
            return true;
        }
    }
    return false;
}

enum bg_status key_flag_error(struct bg_error *err, enum bg_status status, const char *text)
{
    bg_error_set(err, status, "--%.500s", text);
    for (size_t i = 2 + strcspn(text, ": ,"); i > 2; i--) {
        /* The value's text begins with the key's name; on the command line that has dashes. */
        err->text[i - 1] = err->text[i - 1] == '_' ? '-' : err->text[i - 1];
    }
    return status;
}
