typedef int begun_xgid;
