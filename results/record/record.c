typedef int begun_record;
