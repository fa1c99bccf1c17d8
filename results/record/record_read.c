typedef int begun_record_read;
