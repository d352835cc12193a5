import type { Migration } from './migration.ts'

/** Data derived from deliveries or added by the user: findings by kind, the search index, notes and tags, saved filters. */
export const understanding: Migration = {
  version: 3,
  name: 'understanding',
  up: (db) => {
    db.exec(`
      -- A JSON array; null: none. The same in delivery_tag, by which they are found.
      ALTER TABLE delivery ADD COLUMN tags TEXT;
      ALTER TABLE delivery ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
      -- The earliest delivery that was the same. No reference: it may go before this one.
      ALTER TABLE delivery ADD COLUMN repeats_id INTEGER;
      ALTER TABLE delivery ADD COLUMN repeats_by TEXT CHECK (repeats_by IN ('body', 'event'));
      CREATE INDEX delivery_by_location ON delivery (location_name);
      CREATE INDEX delivery_by_endpoint ON delivery (endpoint_id);
      CREATE INDEX delivery_by_status ON delivery (status);
      CREATE INDEX delivery_pinned ON delivery (pinned) WHERE pinned = 1;
      CREATE INDEX delivery_noted ON delivery (noted) WHERE noted = 1;
      CREATE INDEX delivery_repeating ON delivery (repeats_by) WHERE repeats_by IS NOT NULL;

      CREATE TABLE delivery_note (
        delivery_id INTEGER PRIMARY KEY REFERENCES delivery (id) ON DELETE CASCADE,
        note TEXT NOT NULL
      ) STRICT;

      CREATE TABLE delivery_tag (
        tag TEXT NOT NULL,
        delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
        PRIMARY KEY (tag, delivery_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX delivery_tag_by_delivery ON delivery_tag (delivery_id);

      -- Few kinds, many findings: the text of a kind is stored once.
      CREATE TABLE finding_kind (
        id INTEGER PRIMARY KEY,
        -- Empty: deliveries without a type. '*': once there are too many kinds, all types that the document does not know.
        type TEXT NOT NULL,
        code TEXT NOT NULL,
        place TEXT NOT NULL,
        severity TEXT NOT NULL,
        UNIQUE (code, place, type)
      ) STRICT;
      CREATE TABLE delivery_finding (
        kind_id INTEGER NOT NULL REFERENCES finding_kind (id),
        delivery_id INTEGER NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
        PRIMARY KEY (kind_id, delivery_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX delivery_finding_by_delivery ON delivery_finding (delivery_id);
      INSERT OR IGNORE INTO finding_kind (type, code, place, severity)
        SELECT coalesce(delivery.type, ''), finding.value ->> 'code', finding.value ->> 'place', finding.value ->> 'severity'
        FROM delivery, json_each(delivery.findings) AS finding WHERE delivery.findings IS NOT NULL;
      INSERT OR IGNORE INTO delivery_finding (kind_id, delivery_id)
        SELECT finding_kind.id, delivery.id
        FROM delivery, json_each(delivery.findings) AS finding
        JOIN finding_kind ON finding_kind.code = finding.value ->> 'code' AND finding_kind.place = finding.value ->> 'place'
          AND finding_kind.type = coalesce(delivery.type, '')
        WHERE delivery.findings IS NOT NULL;

      -- The search index follows behind what is stored. Up to indexed_id it is complete.
      CREATE TABLE search_progress (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        indexed_id INTEGER NOT NULL
      ) STRICT;
      INSERT INTO search_progress VALUES (1, 0);
      CREATE VIRTUAL TABLE delivery_text USING fts5 (
        headers, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
      );
      -- What a delivery can be found by beside its text: its body, its event, and the ids that it mentions, each as the first 52 bits of
      -- a SHA-256. The row id is delivery_id * 16 + slot, so that they go with their delivery and come in its order.
      CREATE TABLE delivery_ref (
        id INTEGER PRIMARY KEY,
        hash INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX delivery_ref_by_hash ON delivery_ref (hash);

      CREATE TABLE saved_filter (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        filter TEXT NOT NULL
      ) STRICT;
    `)
  },
}
