import type { Migration } from './migration.ts'

/** Sending: attempts, drafts, jobs, targets. Responding and forwarding: forward targets, response rules. */
export const sending: Migration = {
  version: 4,
  name: 'sending',
  up: (db) => {
    db.exec(`
      ALTER TABLE delivery ADD COLUMN own TEXT CHECK (own IN ('forward', 'send'));
      ALTER TABLE delivery ADD COLUMN answered_by TEXT CHECK (answered_by IN ('rule', 'target'));
      -- Of the last attempt: its status, 0 where no whole answer came. Null: there is none.
      ALTER TABLE delivery ADD COLUMN sent INTEGER;
      -- In order of id: a search reads it from one id to another, whatever it asks of the status.
      CREATE INDEX delivery_sent ON delivery (id, sent) WHERE sent IS NOT NULL;

      CREATE TABLE attempt (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        delivery_id INTEGER REFERENCES delivery (id) ON DELETE CASCADE,
        -- No references: these go before it, or after.
        draft_id INTEGER,
        job_id INTEGER,
        forward_id INTEGER,
        kind TEXT NOT NULL CHECK (kind IN ('resend', 'compose', 'forward', 'pass_through')),
        at_ms REAL NOT NULL,
        method TEXT NOT NULL,
        url TEXT NOT NULL,
        -- By what the attempt before it is found: an address may be long.
        url_hash INTEGER NOT NULL,
        status INTEGER,
        error_code TEXT,
        error TEXT,
        took_ms REAL NOT NULL,
        edited INTEGER NOT NULL,
        body_edited INTEGER NOT NULL,
        signing TEXT NOT NULL,
        secret_name TEXT,
        verdict TEXT CHECK (verdict IN ('same', 'fixed', 'regressed')),
        previous_id INTEGER,
        try_number INTEGER NOT NULL,
        request_bytes INTEGER NOT NULL,
        answer_bytes INTEGER NOT NULL,
        -- What it takes here, with its bodies.
        stored_bytes INTEGER NOT NULL,
        -- The rest of it, as JSON.
        record TEXT NOT NULL
      ) STRICT;
      CREATE INDEX attempt_by_draft ON attempt (draft_id) WHERE draft_id IS NOT NULL;
      CREATE INDEX attempt_by_job ON attempt (job_id) WHERE job_id IS NOT NULL;
      -- Those of a delivery, which go with it, and among them the attempt before one.
      CREATE INDEX attempt_of_delivery_to ON attempt (delivery_id, url_hash);
      CREATE INDEX attempt_of_draft_to ON attempt (draft_id, url_hash) WHERE draft_id IS NOT NULL AND delivery_id IS NULL;

      -- Only where there is one: a body that was sent as captured is that of its delivery.
      CREATE TABLE attempt_body (
        id INTEGER PRIMARY KEY REFERENCES attempt (id) ON DELETE CASCADE,
        request BLOB,
        answer BLOB
      ) STRICT;

      CREATE TABLE draft (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        -- Null: a draft; else a template.
        name TEXT,
        updated_ms INTEGER NOT NULL,
        counter INTEGER NOT NULL DEFAULT 1,
        title TEXT NOT NULL,
        -- All of it but the body, as JSON.
        content TEXT NOT NULL,
        -- Null: as captured.
        body BLOB
      ) STRICT;
      CREATE UNIQUE INDEX draft_by_name ON draft (name) WHERE name IS NOT NULL;

      CREATE TABLE send_job (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        created_ms INTEGER NOT NULL,
        ended_ms INTEGER,
        state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'interrupted', 'done', 'cancelled')),
        reason TEXT,
        total INTEGER NOT NULL,
        -- Items up to this position are claimed, unless their state says more. A claim is one write, however many it takes.
        claimed_to INTEGER NOT NULL DEFAULT -1,
        -- How its items ended, as JSON, once it has. Null: they are counted.
        summary TEXT,
        -- Filter, address, signing, pace, edited headers, time limit, as JSON.
        wish TEXT NOT NULL,
        -- The body in place of each delivery's; null: its own.
        body BLOB
      ) STRICT;
      CREATE TABLE send_job_item (
        job_id INTEGER NOT NULL REFERENCES send_job (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        delivery_id INTEGER NOT NULL,
        -- 'waiting' is claimed up to send_job.claimed_to; 'returned' waits again, wherever it is.
        -- 'uncertain' is what is still claimed when the store is opened: it may have been sent.
        state TEXT NOT NULL CHECK (state IN ('waiting', 'returned', 'uncertain', 'ok', 'failed', 'skipped')),
        attempt_id INTEGER,
        status INTEGER,
        error TEXT,
        PRIMARY KEY (job_id, position)
      ) STRICT, WITHOUT ROWID;
      -- Of few only, so that most are written without it. With OR, not IN: so SQLite sees that one of them is asked for.
      CREATE INDEX send_job_item_by_state ON send_job_item (job_id, state, position)
        WHERE state = 'returned' OR state = 'uncertain' OR state = 'failed' OR state = 'skipped';

      CREATE TABLE target (
        origin TEXT PRIMARY KEY,
        confirmed INTEGER NOT NULL,
        verify_tls INTEGER NOT NULL,
        -- Where it was when that was said.
        place TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE forward_target (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        endpoint_id INTEGER NOT NULL REFERENCES endpoint (id) ON DELETE CASCADE,
        record TEXT NOT NULL
      ) STRICT;
      CREATE INDEX forward_target_by_endpoint ON forward_target (endpoint_id);
      -- Deliveries that were not forwarded: a stretch of them for each time.
      CREATE TABLE forward_skip (
        id INTEGER PRIMARY KEY,
        forward_id INTEGER NOT NULL,
        -- Whose deliveries between the two ids they are: of this endpoint, and of these types, a JSON array; empty: all.
        endpoint_id INTEGER NOT NULL,
        types TEXT NOT NULL,
        url TEXT NOT NULL,
        from_id INTEGER NOT NULL,
        to_id INTEGER NOT NULL,
        count INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        reason TEXT NOT NULL
      ) STRICT;
      CREATE INDEX forward_skip_by_end ON forward_skip (to_id);

      CREATE TABLE response_rule (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        endpoint_id INTEGER NOT NULL REFERENCES endpoint (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        record TEXT NOT NULL
      ) STRICT;
      CREATE INDEX response_rule_by_endpoint ON response_rule (endpoint_id, position);

      -- What attempts take, so that no question about it counts them. Whoever stores some
      -- counts them. They go with their deliveries too, so that a trigger counts those.
      CREATE TABLE attempt_tally (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        attempts INTEGER NOT NULL,
        bytes INTEGER NOT NULL
      ) STRICT;
      INSERT INTO attempt_tally VALUES (1, 0, 0);
      CREATE TRIGGER attempt_went AFTER DELETE ON attempt BEGIN
        UPDATE attempt_tally SET attempts = attempts - 1, bytes = bytes - old.stored_bytes;
      END;
    `)
  },
}
