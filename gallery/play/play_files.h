/* play_files.h - the files of the page, embedded in the program; terminated. */
#ifndef GALLERY_PLAY_PLAY_FILES_H
#define GALLERY_PLAY_PLAY_FILES_H

extern const unsigned char play_html[], play_css[], play_js[];

#endif
