typedef int begun_json_input;
