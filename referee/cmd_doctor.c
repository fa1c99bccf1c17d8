typedef int begun_cmd_doctor;
