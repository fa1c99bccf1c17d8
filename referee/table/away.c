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
