/* Every text here comes from a bot and goes to a terminal, which would obey an escape sequence
 * in it. So each is printed by clean_print(), also those that a Hello with control characters
 * would have been refused for: that check is the session's, and this page does not lean on it. */
#include "offers.h"

#include <string.h>

#include <rules/clean.h>

/* Writes the accepted values: "0..3", "normal|bold", "true|false", or the kind of text. */
static void takes_write(char *out, size_t size, const struct wire_option *option)
{
    static const char *const kinds[] = {[WIRE_STRING] = "text",
                                        [WIRE_INTEGER] = "whole number",
                                        [WIRE_REAL] = "number",
                                        [WIRE_FLAG] = "true|false",
                                        [WIRE_CHOICE] = ""};

    if (option->type == WIRE_CHOICE) {
        snprintf(out, size, "%s", option->choices);
    } else if ((option->type == WIRE_INTEGER || option->type == WIRE_REAL) &&
               (option->min[0] != '\0' || option->max[0] != '\0')) {
        snprintf(out, size, "%s %s..%s", kinds[option->type], option->min, option->max);
    } else {
        snprintf(out, size, "%s", kinds[option->type]);
    }
}

void offers_write(FILE *out, const struct wire_option *offers, size_t count)
{
    if (count == 0) {
        fprintf(out, "offers     no options\n");
    }
    for (size_t i = 0; i < count; i++) {
        char takes[WIRE_TEXT];

        takes_write(takes, sizeof takes, &offers[i]);
        fprintf(out, "offers     ");
        clean_print(out, offers[i].name, CLEAN_LINE);
        fprintf(out, " (");
        clean_print(out, takes, CLEAN_LINE);
        fprintf(out, ", default %s", offers[i].value[0] == '\0' ? "empty" : "");
        clean_print(out, offers[i].value, CLEAN_LINE);
        fprintf(out, ")%s", offers[i].help[0] == '\0' ? "" : ": ");
        clean_print(out, offers[i].help, CLEAN_LINE);
        fputc('\n', out);
    }
}
