typedef int begun_config;
