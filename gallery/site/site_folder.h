/* site_folder.h - a site as files of a folder, for any web server. */
#ifndef GALLERY_SITE_SITE_FOLDER_H
#define GALLERY_SITE_SITE_FOLDER_H

#include "site.h"

#include <stdbool.h>
#include <stdint.h>

#define SITE_FOLDER_USUAL UINT64_MAX

struct site_folder {
    const char *path;
    const char *address; /* as site_set_address */
    uint64_t games; /* of an event with more only the first pairs of every two have pages of their
                       own, so that there are about so many, and the others share one, which needs
                       scripts; 0: all; SITE_FOLDER_USUAL: all of at most 10,000, else 1000 */
    bool databases; /* with proved copies of the results (proof/backup.h) */
};

/* Writes every page into a folder, which is new, empty or one of an earlier call. It appears as a
 * whole: a failed or killed call leaves what was there. *files: how many. BG_E_ARGUMENT: the folder
 * has other files, or its place cannot be made; BG_E_SYSTEM, BG_E_STORE, BG_E_FORMAT. */
enum bg_status site_publish(uint64_t *files, const char *const *paths, int count,
                            const struct site_folder *folder, struct bg_error *err);

#endif
