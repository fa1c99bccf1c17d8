typedef int begun_variant;
