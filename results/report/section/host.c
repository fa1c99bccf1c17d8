/* How the referee's own machine did. */
#include "section.h"

void section_host(struct report *report)
{
    const struct gather *gather = report->gather;
    struct doc_table *facts;

    doc_section(report->doc, "host", "Referee");
    facts = doc_facts(report->doc, "host", "The referee and its machine");
    doc_fact(facts, "version", "This report by", "bgref %s", BG_VERSION);
    if (gather->host != NULL && gather->host[0] != '\0') {
        doc_fact(facts, "host", "Bots ran with", "%s", gather->host);
    }
}
