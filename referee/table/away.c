/* One absence may cost a bot several games at once, one at each table. It is charged as a fault
 * once; the others get a mark in their text, by which they are passed over when faults are
 * counted, also in a later run. */
#include "away.h"

#include <stdio.h>

#include "fixtures/absence.h"

const char *away_text(char *room, size_t size, struct session *session, enum bg_fault fault,
                      const char *text)
{
    if ((fault != BG_FAULT_LATE && fault != BG_FAULT_SILENT) || text == NULL ||
        !session_charge_absence(session)) {
        return text;
    }
    snprintf(room, size, "%s%s", text, ABSENCE_REPEATED);
    return room;
}
