typedef int begun_rule;
