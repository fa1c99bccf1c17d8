#include "said.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <bgref/api.h>
#include <rules/clean.h>

#include "docs.h"

static const char trace[] = "Traceback (most recent call last):";

static bool is_blank(char c)
{
    return c == '\n' || c == '\r' || c == ' ' || c == '\t';
}

/* Returns the beginning of the last traceback in from..end, or NULL. */
static const char *last_trace(const char *from, const char *end)
{
    const char *last = NULL;

    for (const char *at = from; (at = strstr(at, trace)) != NULL && at < end; at++) {
        last = at;
    }
    return last;
}

/* Returns the beginning of the last `lines` lines of from..end. */
static const char *last_lines(const char *from, const char *end, int lines)
{
    const char *at = end;

    while (at > from) {
        lines -= at[-1] == '\n';
        if (lines == 0) {
            break;
        }
        at--;
    }
    return at;
}

static void add_line(struct said *out, const char *line, size_t length)
{
    size_t used = strlen(out->text), room = sizeof out->text - used;

    if (room > SAID_LINE + 2) { /* one byte for the newline */
        clean_write(out->text + used, SAID_LINE, line, length, CLEAN_LINE);
        strcat(out->text, "\n");
    }
}

void said_take(struct said *out, const char *text)
{
    const char *end, *from, *shown;

    out->text[0] = '\0';
    if (text == NULL) {
        return;
    }
    end = text + strlen(text);
    while (end > text && is_blank(end[-1])) {
        end--;
    }
    from = last_trace(text, end);
    if (from == NULL) {
        shown = last_lines(text, end, SAID_LINES);
    } else {
        shown = last_lines(from, end, SAID_TRACE_LINES - 2);
        if (shown > from + sizeof trace) {
            add_line(out, trace, sizeof trace - 1);
            add_line(out, "  ...", 5);
        } else {
            shown = from;
        }
    }
    while (shown < end) {
        size_t length = strcspn(shown, "\n");

        length = length < (size_t)(end - shown) ? length : (size_t)(end - shown);
        add_line(out, shown, length);
        shown += length + 1;
    }
}

void said_print(FILE *out, const char *before, const struct said *said)
{
    for (const char *at = said->text; *at != '\0';) {
        size_t length = strcspn(at, "\n");

        fprintf(out, "%s%.*s\n", before, (int)length, at);
        at += length + 1;
    }
}

static const char *schema_remedy(void)
{
    static char text[256 + PATH_MAX];

    snprintf(
        text, sizeof text,
        "the messages are not made yet: 'protoc --python_out=. -I %s bgref.proto' in the bot's "
        "folder",
        docs_schema_folder());
    return text;
}

#define TEXT_OF(number) #number
#define LIBRARY_OF(abi) "libbgref.so." TEXT_OF(abi)
#define LIBRARY         LIBRARY_OF(BG_ABI)

const char *said_remedy(const struct said *said)
{
    static const struct {
        const char *words[2], *remedy;
    } known[] = {
        {{"No module named 'zmq'", ""},
         "python3 lacks pyzmq: 'apt install python3-zmq' on Debian, or 'pip install pyzmq'"},
        {{"No module named 'google", ""},
         "python3 lacks protobuf: 'apt install python3-protobuf' on Debian, or 'pip install "
         "protobuf'"},
        {{"No module named 'bgref_pb2'", ""}, NULL}, /* schema_remedy has the text */
        {{"Descriptors cannot be created directly", ""},
         "bgref_pb2.py was made by an older protoc than python3's protobuf wants: make it again "
         "with protoc"},
        {{"protobuf", "VersionError"},
         "bgref_pb2.py was made by another protoc than python3's protobuf expects: make it again "
         "with protoc, or bring protobuf up to date"},
        {{"use -[v]S to pass options in shebang lines", ""},
         "the first line of the program may end in a carriage return: remove it, as by sed -i "
         "'s/\\r$//' FILE"},
        {{"error while loading shared libraries: " LIBRARY ":", ""},
         "the library is not found: run 'ldconfig' after installing, or set LD_LIBRARY_PATH"},
        {{"error while loading shared libraries: libbgref.so.", ""},
         "the bot was compiled for the library of another bgref; this one's is " LIBRARY
         ": compile the bot again (docs/sdk.md)"},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strstr(said->text, known[i].words[0]) != NULL &&
            strstr(said->text, known[i].words[1]) != NULL) {
            return known[i].remedy == NULL ? schema_remedy() : known[i].remedy;
        }
    }
    return NULL;
}
