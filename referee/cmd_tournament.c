typedef int begun_cmd_tournament;
