/* fuzz_serve - foreign bytes as questions of other programs to our bots: the first byte selects
 * gnubg's question, the lines of a UBGI program, or a position that somebody pastes. A question
 * becomes a decision of seat 0, or is refused. */
#include <string.h>

#include "format/positions.h"
#include "check/fibs.h"
#include "check/ubgi.h"

#include "fuzz.h"

static void as_question(const char *line)
{
    static struct fibs fibs;
    struct bg_error err = {.text = ""};

    if (fibs_read(&fibs, line, &err) != BG_OK) {
        require(err.text[0] != '\0');
    } else if (!fibs.must_pass && !fibs.rolls_only) {
        require(fibs.match.need.seat == 0);
        require(bg_board_count(&fibs.match.board, 0) == BG_CHECKERS);
    }
}

/* A position that is read has fifteen checkers a side, and can be written as XGID while no
 * resignation waits. */
static void as_pasted(const char *text)
{
    struct position position;
    struct bg_error err = {.text = ""};
    char xgid[BG_XGID];

    if (position_read(&position, text, &err) != BG_OK) {
        require(err.text[0] != '\0');
        return;
    }
    require(bg_board_count(&position.board, 0) == BG_CHECKERS);
    require(bg_board_count(&position.board, 1) == BG_CHECKERS);
    require(position.id.state != 1 || position.id.resigned != 0 ||
            position_xgid_write(xgid, &position, &err) == BG_OK);
}

static void as_lines(char *text)
{
    static struct ubgi ubgi;
    char *rest = NULL;

    ubgi_init(&ubgi, "fuzz");
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        enum ubgi_action action = ubgi_obey(&ubgi, line);
        size_t length = strlen(ubgi.text);

        require(length == 0 || ubgi.text[length - 1] == '\n');
        require(action != UBGI_ASK || ubgi.match.need.seat == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[4096];

    if (size < 1 || size > sizeof text) {
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] == 'q') {
        as_question(text);
    } else if (data[0] == 'p') {
        as_pasted(text);
    } else {
        as_lines(text);
    }
    return 0;
}
