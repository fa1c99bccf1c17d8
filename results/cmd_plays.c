typedef int begun_cmd_plays;
