typedef int begun_store_sqlite;
