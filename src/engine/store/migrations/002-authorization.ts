import type { Migration } from './migration.ts'

/** Credentials of integrations; tokens with their timeline; records of runs; the API console's history and saved requests. */
export const authorization: Migration = {
  version: 2,
  name: 'authorization',
  up: (db) => {
    db.exec(`
      ALTER TABLE integration ADD COLUMN kind TEXT NOT NULL DEFAULT 'service';
      ALTER TABLE integration ADD COLUMN access_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE integration ADD COLUMN redirect_urls TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE integration ADD COLUMN redirect_url TEXT NOT NULL DEFAULT '';
      -- Null: the rule that a new integration begins with.
      ALTER TABLE integration ADD COLUMN refresh TEXT;
      ALTER TABLE integration ADD COLUMN sealed_access_secret BLOB;
      -- The one that every store begins with is the sandbox's, unless the user has made it their own.
      UPDATE integration SET kind = 'sandbox' WHERE id = 1 AND base_url = '';

      CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        integration_id INTEGER NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('authorize', 'refresh')),
        agent TEXT,
        state TEXT NOT NULL,
        started_ms INTEGER NOT NULL,
        ended_ms INTEGER,
        redirect_url TEXT NOT NULL,
        failure TEXT,
        -- No reference: a record outlives its token.
        token_id INTEGER,
        -- Hex SHA-256 of the authorization code that was exchanged: no code is exchanged twice.
        code_hash TEXT,
        record TEXT NOT NULL
      ) STRICT;
      CREATE INDEX run_by_integration ON run (integration_id, id);
      CREATE INDEX run_by_code ON run (code_hash) WHERE code_hash IS NOT NULL;

      -- What a record holds back, by the name in its marker.
      CREATE TABLE run_secret (
        run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (run_id, name)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE token (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        integration_id INTEGER NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
        label TEXT NOT NULL,
        -- Null once it was forgotten.
        sealed_access BLOB,
        sealed_refresh BLOB,
        initiated INTEGER,
        expires INTEGER,
        expires_in INTEGER,
        obtained_ms INTEGER NOT NULL,
        version INTEGER NOT NULL,
        standing TEXT NOT NULL,
        findings TEXT NOT NULL
      ) STRICT;
      CREATE INDEX token_by_integration ON token (integration_id);

      CREATE TABLE token_event (
        id INTEGER PRIMARY KEY,
        token_id INTEGER NOT NULL REFERENCES token (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        detail TEXT,
        run_id INTEGER
      ) STRICT;
      CREATE INDEX token_event_by_token ON token_event (token_id, id);

      CREATE TABLE api_exchange (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        integration_id INTEGER NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
        token_id INTEGER,
        at_ms INTEGER NOT NULL,
        method TEXT NOT NULL,
        url TEXT NOT NULL,
        status INTEGER,
        took_ms REAL NOT NULL,
        bytes INTEGER NOT NULL,
        record TEXT NOT NULL
      ) STRICT;
      CREATE INDEX api_exchange_by_integration ON api_exchange (integration_id, id);

      CREATE TABLE api_exchange_body (
        id INTEGER PRIMARY KEY REFERENCES api_exchange (id) ON DELETE CASCADE,
        body BLOB NOT NULL
      ) STRICT;

      CREATE TABLE api_exchange_secret (
        exchange_id INTEGER NOT NULL REFERENCES api_exchange (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (exchange_id, name)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE saved_request (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        integration_id INTEGER NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        request TEXT NOT NULL,
        saved_ms INTEGER NOT NULL
      ) STRICT;
    `)
  },
}
