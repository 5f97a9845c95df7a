// What Swift cannot import of SQLite's header by itself: variadic functions, function-like macros,
// and the declarations that the header shows only when it is asked for them.
#ifndef ROSTER_CSQLITE_SHIM_H
#define ROSTER_CSQLITE_SHIM_H

// Whether the library itself was compiled with them is asked at run time: sqlite3_compileoption_used.
#ifndef SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_SESSION 1
#endif
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>

// Swift does not import these macros, since they are expressions over others.
enum {
  ROSTER_CONSTRAINT_CHECK = SQLITE_CONSTRAINT_CHECK,
  ROSTER_CONSTRAINT_FOREIGNKEY = SQLITE_CONSTRAINT_FOREIGNKEY,
  ROSTER_CONSTRAINT_NOTNULL = SQLITE_CONSTRAINT_NOTNULL,
  ROSTER_CONSTRAINT_PRIMARYKEY = SQLITE_CONSTRAINT_PRIMARYKEY,
  ROSTER_CONSTRAINT_ROWID = SQLITE_CONSTRAINT_ROWID,
  ROSTER_CONSTRAINT_UNIQUE = SQLITE_CONSTRAINT_UNIQUE,
  ROSTER_IOERR_DELETE = SQLITE_IOERR_DELETE,
  ROSTER_READONLY_CANTINIT = SQLITE_READONLY_CANTINIT,
  ROSTER_READONLY_RECOVERY = SQLITE_READONLY_RECOVERY,
  ROSTER_READONLY_ROLLBACK = SQLITE_READONLY_ROLLBACK
};

// sqlite3_db_config is variadic. This is its form for the switches that take an int and report one.
static inline int roster_db_config_switch(sqlite3 *db, int option, int on) {
  int now = 0;
  return sqlite3_db_config(db, option, on, &now);
}

// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the bytes before it returns.
static inline int roster_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int roster_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline void roster_result_text(sqlite3_context *context, const char *bytes, sqlite3_uint64 count) {
  sqlite3_result_text64(context, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline void roster_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

#endif
