typedef int begun_cmd_bots;
