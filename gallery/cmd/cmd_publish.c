/* cmd_publish.c - bgref publish: the pages of results as files of a folder, for any web server. */
#include "gallery_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/exit_status.h"
#include "cmd/command.h"
#include "site/site_folder.h"

struct arguments {
    struct site_folder folder;
    struct command_words words;
};

static const struct command_row options[] = {
    {"address", 'a', .value = "URL",
     .help = "Where FOLDER will be, \"https://bg.org/cup/\": for the pictures that others show "
             "beside a link to a page, and for feeds",
     COMMAND_TEXT(folder.address)},
    {"games", 'g', .value = "N",
     .help =
         "About N games of an event with more have pages of their own, those of the first pairs "
         "of every two bots; the others share one, which needs scripts and a web server "
         "(default: all if there are at most 10000, else 1000; 0: all, at about 80 KB and 1 ms "
         "of a core each)",
     COMMAND_COUNT(folder.games), .most = UINT64_MAX},
    {"databases", 'd',
     .help =
         "With a proved copy of each database, which the archive leads to; it also has what bots "
         "wrote before a fault",
     COMMAND_FLAG(folder.databases)},
    {0}};

static const struct command_row words[] = {
    {"results database", COMMAND_LIST(words), .is_needed = true}, {0}};

static void check_words(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->words.count < 2) {
        command_misuse("the folder is missing, like 'bgref publish RESULTS.db pages'");
    }
    if (arguments->folder.address != NULL &&
        (strncmp(arguments->folder.address, "http", 4) != 0 ||
         arguments->folder.address[strlen(arguments->folder.address) - 1] != '/')) {
        command_misuse("--address '%s': it begins with http:// or https://, and ends with a slash",
                       arguments->folder.address);
    }
}

static const struct command command = {
    .usage = "RESULTS.db... FOLDER",
    .help =
        "Writes the pages of 'bgref watch' as files, each database as an event: any web server "
        "shows FOLDER, and so does a browser that opens FOLDER/index.html. Safe while the event "
        "is played; write it again to show what has been played since.\vFOLDER is new, empty, "
        "or from an earlier call; it is replaced as a whole once everything is written. Pages "
        "as JSON are in FOLDER/api/v1, but for those of games that have a page of their own.",
    .options = options,
    .words = words,
    .check = check_words,
    .missing = "needs a results database and a folder",
};

int cmd_publish(int argc, char **argv)
{
    struct arguments arguments = {.folder = {.games = SITE_FOLDER_USUAL}};
    struct bg_error err = {.text = ""};
    enum bg_status status;
    uint64_t files = 0;

    command_read(&command, argc, argv, &arguments);
    arguments.folder.path = arguments.words.word[arguments.words.count - 1];
    status = site_publish(&files, arguments.words.word, arguments.words.count - 1,
                          &arguments.folder, &err);
    if (status == BG_OK) {
        printf("%s: %" PRIu64 " files\n", arguments.folder.path, files);
    } else {
        command_say(err.text);
    }
    return exit_status_of(status);
}
