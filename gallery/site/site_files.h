/* site_files.h - the files of a site that are the same for all results, embedded in the program. */
#ifndef GALLERY_SITE_SITE_FILES_H
#define GALLERY_SITE_SITE_FILES_H

#include <stddef.h>

/* The bytes of the files with these names, terminated. */
extern const unsigned char board_js[], live_js[], live_css[], replay_js[], replay_css[],
    shared_js[], embed_css[], icon_svg[];

struct site_asset {
    const char *name; /* as its page: "board.js" */
    const unsigned char *bytes;
    const char *type;
};

enum { SITE_ASSETS = 10 };

extern const struct site_asset site_asset[SITE_ASSETS];

/* The path of their folder, "s/HASH/": another one when one of them changes, so that a browser may
 * keep them. Static. */
const char *site_assets(void);

#endif
