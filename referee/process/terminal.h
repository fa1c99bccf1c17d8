/* terminal.h - the modes of our terminal, which a bot may change (a person's seat edits lines) and
 * cannot restore when it is killed.
 */
#ifndef REFEREE_PROCESS_TERMINAL_H
#define REFEREE_PROCESS_TERMINAL_H

/* Notes the modes of the terminal that is our standard input, if it is one. */
void terminal_keep(void);

/* Sets them again, if they have changed and the terminal is still ours to use. */
void terminal_restore(void);

#endif
