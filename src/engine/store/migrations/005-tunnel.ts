import type { Migration } from './migration.ts'

/** The tunnel: its configuration, its history, and which deliveries were received through it. */
export const tunnel: Migration = {
  version: 5,
  name: 'tunnel',
  up: (db) => {
    db.exec(`
      ALTER TABLE delivery ADD COLUMN via TEXT CHECK (via IN ('tunnel'));

      CREATE TABLE tunnel (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        -- Whether there is to be one: it opens again when Tabscope is started again.
        wanted INTEGER NOT NULL,
        -- Setup, what was assigned before, the address that was copied, warnings, as JSON.
        record TEXT NOT NULL
      ) STRICT;

      CREATE TABLE tunnel_span (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        from_ms REAL NOT NULL,
        -- How far it is known to have lasted.
        to_ms REAL NOT NULL,
        state TEXT NOT NULL,
        cause TEXT NOT NULL,
        reason TEXT NOT NULL,
        url TEXT,
        provider TEXT NOT NULL
      ) STRICT;
      CREATE INDEX tunnel_span_by_end ON tunnel_span (to_ms);
    `)
  },
}
