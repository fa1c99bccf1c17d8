/* site_files.h - the files of a site that are the same for all results, embedded in the program. */
#ifndef GALLERY_SITE_SITE_FILES_H
#define GALLERY_SITE_SITE_FILES_H

/* The bytes of board.js and icon.svg, terminated. */
extern const unsigned char board_js[], icon_svg[];

#endif
