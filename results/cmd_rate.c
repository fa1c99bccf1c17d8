typedef int begun_cmd_rate;
