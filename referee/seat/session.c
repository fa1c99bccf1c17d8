typedef int begun_session;
