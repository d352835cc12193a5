import type { Migration } from './migration.ts'

/** Integrations, endpoints, settings, deliveries. Summaries and content are in separate tables, so that a list never reads a body. */
export const first: Migration = {
  version: 1,
  name: 'first',
  up: (db) => {
    db.exec(`
      CREATE TABLE integration (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        brand TEXT NOT NULL,
        base_url TEXT NOT NULL
      ) STRICT;

      CREATE TABLE endpoint (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        integration_id INTEGER NOT NULL REFERENCES integration (id),
        name TEXT NOT NULL,
        slug TEXT NOT NULL UNIQUE,
        application_id TEXT NOT NULL,
        custom_headers TEXT NOT NULL,
        -- 1 once a secret has been set, even when it was taken away again.
        had_secret INTEGER NOT NULL DEFAULT 0
      ) STRICT;

      CREATE TABLE endpoint_secret (
        endpoint_id INTEGER NOT NULL REFERENCES endpoint (id) ON DELETE CASCADE,
        which TEXT NOT NULL CHECK (which IN ('current', 'previous')),
        sealed BLOB NOT NULL,
        PRIMARY KEY (endpoint_id, which)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE setting (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE delivery (
        id INTEGER PRIMARY KEY,
        received_us INTEGER NOT NULL,
        answered_us INTEGER,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        -- No reference: a delivery outlives its endpoint.
        endpoint_id INTEGER,
        type TEXT,
        title TEXT NOT NULL,
        target TEXT,
        location_name TEXT,
        created_ms INTEGER,
        verdict TEXT NOT NULL,
        findings TEXT,
        status INTEGER,
        bytes INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        arrival TEXT NOT NULL,
        pinned INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX delivery_by_type ON delivery (type, verdict);
      CREATE INDEX delivery_by_verdict ON delivery (verdict);
      CREATE INDEX delivery_by_time ON delivery (received_us);

      CREATE TABLE delivery_content (
        id INTEGER PRIMARY KEY REFERENCES delivery (id) ON DELETE CASCADE,
        http_version TEXT NOT NULL,
        remote_address TEXT NOT NULL,
        endpoint_name TEXT,
        brand TEXT NOT NULL,
        secret_name TEXT,
        reason TEXT,
        headers TEXT NOT NULL,
        trailers TEXT NOT NULL,
        body BLOB NOT NULL
      ) STRICT;

      -- How far the journal has been taken in, and what there is: one row, written with each group.
      CREATE TABLE progress (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        journal_position INTEGER NOT NULL,
        last_id INTEGER NOT NULL,
        deliveries INTEGER NOT NULL,
        bytes INTEGER NOT NULL
      ) STRICT;
      INSERT INTO progress VALUES (1, 0, 0, 0, 0);
    `)
  },
}
