typedef int begun_cmd_export;
