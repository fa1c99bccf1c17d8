typedef int begun_registry;
