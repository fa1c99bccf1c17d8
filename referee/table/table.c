typedef int begun_table;
