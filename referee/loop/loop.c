typedef int begun_loop;
