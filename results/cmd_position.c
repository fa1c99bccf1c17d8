typedef int begun_cmd_position;
