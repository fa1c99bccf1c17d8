typedef int begun_cmd_show;
