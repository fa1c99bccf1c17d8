/* variants.h - for info.variants of a bot that plays whatever the SDK knows. */
#ifndef BOTS_COMMON_VARIANTS_H
#define BOTS_COMMON_VARIANTS_H

#include <bgref/variant.h>

#include <stdio.h>
#include <string.h>

/* Returns the ids of all games with any options, separated by blanks; the text is static. It is
 * asked of the SDK, so that a bot that is linked with a later one plays that one's games too. */
static inline const char *variants_all(void)
{
    static char text[512];
    const struct bg_variant *variant;

    for (int i = 0; (variant = bg_variant_at(i)) != NULL; i++) {
        size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "%s%s:*", used > 0 ? " " : "",
                 bg_variant_id(variant));
    }
    return text;
}

#endif
