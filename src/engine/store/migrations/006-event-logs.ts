import type { Migration } from './migration.ts'

/** Imported event logs, each in a separate store; the metadata of an imported log; redaction rules. */
export const eventLogs: Migration = {
  version: 6,
  name: 'event-logs',
  up: (db) => {
    db.exec(`
      CREATE TABLE event_log (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        -- Of the file as it was read, uncompressed: the same file again is the same log.
        sha256 TEXT NOT NULL UNIQUE,
        -- Name of its store in the folder of the logs.
        store TEXT NOT NULL,
        imported_ms INTEGER NOT NULL,
        -- The rest of what is shown of it, as JSON.
        view TEXT NOT NULL
      ) STRICT;

      -- In the store of an imported log alone: its head and its end, as they stood in the file.
      CREATE TABLE log_origin (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        head TEXT NOT NULL,
        end_line TEXT
      ) STRICT;

      -- In the store of an imported log alone: what the line of a delivery says that nothing else here holds.
      CREATE TABLE log_delivery (
        id INTEGER PRIMARY KEY,
        body_redacted INTEGER NOT NULL,
        -- Why its body is not here; null: it is.
        omitted TEXT,
        -- Where it was not forwarded to, and why: a JSON array of sentences.
        not_forwarded TEXT NOT NULL
      ) STRICT;

      CREATE TABLE redaction_rule (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        -- As in the contract, as JSON.
        rule TEXT NOT NULL UNIQUE
      ) STRICT;
    `)
  },
}
