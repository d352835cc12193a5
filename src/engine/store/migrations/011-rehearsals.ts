import type { Migration } from './migration.ts'

/** Rehearsals: runs, the results of their cases, and the requests that were sent. */
export const rehearsals: Migration = {
  version: 11,
  name: 'rehearsals',
  up: (db) => {
    db.exec(`
      CREATE TABLE rehearsal (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        -- Options, state, counts and grade, as JSON. Without secrets.
        record TEXT NOT NULL
      ) STRICT;
      CREATE TABLE rehearsal_case (
        rehearsal_id INTEGER NOT NULL REFERENCES rehearsal (id) ON DELETE CASCADE,
        case_id TEXT NOT NULL,
        position INTEGER NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (rehearsal_id, case_id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE rehearsal_request (
        id INTEGER PRIMARY KEY,
        rehearsal_id INTEGER NOT NULL REFERENCES rehearsal (id) ON DELETE CASCADE,
        case_id TEXT NOT NULL,
        -- All of it but the bodies, as JSON.
        record TEXT NOT NULL,
        body BLOB NOT NULL,
        response_body BLOB NOT NULL
      ) STRICT;
      CREATE INDEX rehearsal_request_by_case ON rehearsal_request (rehearsal_id, case_id);
    `)
  },
}
