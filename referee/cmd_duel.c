typedef int begun_cmd_duel;
